"""What a question of source asks about, and questions that are none."""

from __future__ import annotations

import pytest

from shared.extraction.sources import asked_fact
from tests.extraction.tables import read_table


@pytest.mark.parametrize(("text", "wanted"), read_table("asked_facts.tsv"))
def test_the_fact_is_what_stands_beside_the_question(text: str, wanted: str) -> None:
    assert (asked_fact(text) or "-") == wanted
