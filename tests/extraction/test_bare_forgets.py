"""Which messages are nothing but a verb of forgetting and a name."""

from __future__ import annotations

import pytest

from shared.extraction.bare_forgets import read_bare_forget
from shared.extraction.pages import read_page
from tests.extraction.tables import read_table


@pytest.mark.parametrize(("text", "name"), read_table("bare_forgets.tsv"))
def test_a_bare_name_is_read_and_nothing_else(text: str, name: str) -> None:
    assert (read_bare_forget(read_page(text)) or "-") == name
