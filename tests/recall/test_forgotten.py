"""What was forgotten, in other words: the echo and the question of before are gone, later words are not."""

from __future__ import annotations

from typing import Final

import pytest

from shared.model.pending import Tombstone
from shared.recall.forgotten import forgotten_of, speaks_of_forgotten

AT_MS: Final = 1_000


def _stone(value: object, **changes: object) -> Tombstone:
    known = {"id": "tmb_1", "path": None, "value": value, "cause": "forgotten", "at_ms": AT_MS, **changes}
    return Tombstone.model_validate(known)


CASES = [
    ("报销截止日是25号", "报销截止日是哪天？", True),
    ("报销截止日是25号", "好的，记住了：报销截止日是25号。", True),
    ("报销截止日是25号", "报销要带发票原件吗？", False),
    ("报销截止日是25号", "今天去报销了", False),
    ("报销截止日是25号", "？", False),
    ("the expense deadline is the 25th", "When is the expense deadline?", True),
    ("the expense deadline is the 25th", "Noted: The expense deadline is the 25th.", True),
    ("the expense deadline is the 25th", "Do expense reports need receipts?", False),
    ("the expense deadline is the 25th", "I filed my expense report", False),
]


@pytest.mark.parametrize(("stated", "text", "is_gone"), CASES)
def test_a_message_of_before_is_left_out_where_it_says_or_asks_only_that(
    stated: str, text: str, *, is_gone: bool
) -> None:
    forgotten = forgotten_of([_stone(stated)])
    assert speaks_of_forgotten(text, AT_MS, forgotten=forgotten) is is_gone
    assert not speaks_of_forgotten(text, AT_MS + 1, forgotten=forgotten)


def test_only_texts_that_were_forgotten_count() -> None:
    stones = [_stone("a tea"), _stone("500000", path="a.b"), _stone("a cake", cause="rejected")]
    assert [each.words for each in forgotten_of(stones)] == ["a tea"]
