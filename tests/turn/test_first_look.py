"""The first look at a message: nothing that a reader finds is ever overlooked by it."""

from __future__ import annotations

from datetime import date

import pytest

from shared.extraction.commands import parse_commands
from shared.extraction.pages import read_page
from shared.extraction.patterns import find_candidates
from shared.extraction.speaking import may_speak
from shared.extraction.statements import find_statements
from shared.ltm.schema import DEFAULT_SCHEMA
from tests.extraction.tables import read_table

TODAY = date(2024, 3, 1)
TABLES = ("commands_zh.tsv", "commands_en.tsv", "statements.tsv", "candidates.tsv")


@pytest.mark.parametrize("table", TABLES)
def test_what_is_read_without_a_first_look_is_read_with_it(table: str) -> None:
    overlooked = []
    for text, *_ in read_table(table):
        page = read_page(text)
        read = [
            *parse_commands(text, schema=DEFAULT_SCHEMA, today=TODAY, page=page),
            *find_statements(text, schema=DEFAULT_SCHEMA, today=TODAY, page=page),
            *find_candidates(text, schema=DEFAULT_SCHEMA, today=TODAY, page=page),
        ]
        if read and not may_speak(text, DEFAULT_SCHEMA):
            overlooked.append(text)
    assert overlooked == []


@pytest.mark.parametrize("text", ["今天天气不错，中午吃面。", "Nothing much happened on Tuesday.", ""])
def test_small_talk_is_not_read_at_all(text: str) -> None:
    assert not may_speak(text, DEFAULT_SCHEMA)
