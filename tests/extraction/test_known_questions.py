"""Which messages ask for all that is known of the user."""

from __future__ import annotations

import pytest

from shared.extraction.known_questions import asks_all_known
from tests.extraction.tables import read_table


@pytest.mark.parametrize(("text", "wanted"), read_table("known_questions.tsv"))
def test_only_a_question_for_everything_asks_for_all(text: str, wanted: str) -> None:
    assert asks_all_known(text) == (wanted == "all")
