"""Which words of a message the user does not want kept."""

from __future__ import annotations

from datetime import date

import pytest

from shared.extraction.commands import parse_commands
from shared.extraction.off_record import ALL_BEFORE, OffRecord
from shared.extraction.pages import read_page
from shared.extraction.speaking import may_speak
from shared.extraction.unsaid import means_former, read_not_kept
from shared.ltm.schema import DEFAULT_SCHEMA
from tests.extraction.tables import read_table

TABLE = read_table("off_record.tsv")


def read(text: str) -> list[str]:
    page = read_page(text)
    commands = parse_commands(text, schema=DEFAULT_SCHEMA, today=date(2024, 3, 1), page=page)
    return [_show(each) for each in read_not_kept(page, commands)]


def _show(each: OffRecord) -> str:
    if each.words or each.announces:
        return each.words + "<next>" * each.announces
    if each.is_of_kept:
        return "<kept>"
    return {1: "<former>", ALL_BEFORE: "<all>"}.get(each.back, f"<{each.back}>")


@pytest.mark.parametrize(("text", "want"), TABLE)
def test_what_is_not_to_be_kept_is_read_and_nothing_else(text: str, want: str) -> None:
    assert " && ".join(read(text)) == ("" if want == "-" else want)
    assert means_former(text) == (want in {"<former>", "<kept>", "<all>"} or want[:-1] in {"<2", "<3"})
    assert want == "-" or may_speak(text, DEFAULT_SCHEMA)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("这话别记：我想离职。记住我的猫叫团子。", "我想离职"),
        ("Off the record, I want to quit. Remember that my cat is called Pebble.", "I want to quit"),
        ("记住我的猫叫团子。我想离职，这句别存。", "我想离职"),
        ("Remember that my cat is called Pebble. I want to quit, don't store that.", "I want to quit"),
    ],
)
def test_a_command_of_memory_beside_it_is_left_alone(text: str, words: str) -> None:
    assert read(text) == [words]
