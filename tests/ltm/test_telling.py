"""What is forgotten goes from the proposals that tell it; those that tell something else wait on."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from shared.ltm.edit import StatedMemory, remove_memory, write_memory
from shared.ltm.field_edit import forget_field, write_field
from shared.ltm.proposals import propose_update
from shared.ltm.schema import DEFAULT_SCHEMA
from shared.ltm.telling import said_keys, tells_value
from shared.ports.ltm import LtmWriter, PendingFilter
from tests.fakes.memory_ltm import MemoryLtm
from tests.ltm.test_proposals import BUDGET, MASK, SCOPE, ltm, proposal, why

__all__ = ["ltm"]
ROWS = [
    line.split("\t")
    for line in (Path(__file__).parent / "tells.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(("path", "values", "text", "want"), ROWS, ids=[row[2] for row in ROWS])
def test_a_text_that_tells_a_fields_value_is_told_from_others(
    path: str, values: str, text: str, want: str
) -> None:
    found = tells_value(text, DEFAULT_SCHEMA.find(path), values=json.loads(values), day=date(2024, 3, 1))
    assert found == (want == "yes")


@pytest.mark.parametrize(
    ("memory", "text", "want"),
    [
        ("我的猫叫团子", "用户的猫叫团子", True),
        ("my cat is called Pebble", "The user's cat is called Pebble.", True),
        ("我养了一只猫", "用户养了一只猫", True),
        ("I have a cat", "The user has a cat", True),
        ("我养了一只猫", "用户本人养了一只猫", True),
        ("我的猫叫团子", "用户的狗叫团子", False),
        ("my cat is called Pebble", "The user's cat is called Tom", False),
        ("我喜欢喝茶", "用户不喜欢喝茶", False),
        ("I like tea", "The user does not like tea", False),
    ],
)
def test_one_thing_in_the_users_words_and_of_the_user_is_the_same(memory: str, text: str, want: bool) -> None:
    assert (not said_keys(memory).isdisjoint(said_keys(text))) == want


async def left_of(ltm: MemoryLtm, texts: list[str], work: Any, **changes: Any) -> set[str]:
    """Return which of the texts still wait after some work."""

    def all_of_it(writer: LtmWriter) -> None:
        for text in texts:
            made = proposal(text, **{"op": "remember", "path": None, "quote": text, **changes})
            update, _ = propose_update(writer, made, why=why(), keep_days=7)
            assert update is not None
        work(writer)

    await ltm.write(SCOPE, all_of_it)
    waiting = await ltm.read(SCOPE, lambda reader: reader.pending_updates(PendingFilter()))
    return {str(update.new) for update in waiting}


@pytest.mark.parametrize(
    ("former", "now", "told", "other"),
    [
        (500000, 600000, ["预算改成60万吧", "用户的预算是50万"], ["预算每季度复核一次", "用户对花生过敏"]),
        (8000, 9500, ["I decided to raise the budget to 9500", "The budget is 8,000"], ["I like tea"]),
    ],
)
async def test_a_forgotten_field_takes_what_waits_and_tells_any_of_its_values(
    ltm: MemoryLtm, former: int, now: int, told: list[str], other: list[str]
) -> None:
    def work(writer: LtmWriter) -> None:
        for value in (former, now):
            write_field(writer, BUDGET, value=value, why=why(), mask=MASK)
        forget_field(writer, DEFAULT_SCHEMA.find(BUDGET), why=why(), mask=MASK)

    assert await left_of(ltm, [*told, *other], work) == set(other)
    again = proposal(told[0], op="remember", path=None, quote=told[0], is_restated=True)
    update, _ = await ltm.write(SCOPE, lambda w: propose_update(w, again, why=why(), keep_days=7))
    assert update is None


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("预算60万，我对花生过敏", "用户对花生过敏"),
        ("budget is 9500 and I'm allergic to nuts", "Allergic to nuts"),
    ],
)
async def test_where_only_the_quote_tells_it_the_text_may_be_proposed_again(
    ltm: MemoryLtm, quote: str, text: str
) -> None:
    def work(writer: LtmWriter) -> None:
        write_field(writer, BUDGET, value=9500 if quote.isascii() else 600000, why=why(), mask=MASK)
        forget_field(writer, DEFAULT_SCHEMA.find(BUDGET), why=why(), mask=MASK)

    assert await left_of(ltm, [text], work, quote=quote) == set()
    assert await left_of(ltm, [text], lambda _writer: None) == {text}


@pytest.mark.parametrize(
    ("memory", "same", "other"),
    [
        ("我的猫叫团子", "用户的猫叫团子", "用户的狗叫旺财"),
        ("my cat is called Pebble", "The user's cat is called Pebble", "The user's dog is called Rex"),
    ],
)
async def test_a_forgotten_memory_takes_what_waits_and_says_the_same(
    ltm: MemoryLtm, memory: str, same: str, other: str
) -> None:
    def work(writer: LtmWriter) -> None:
        kept, _ = write_memory(writer, StatedMemory(text=memory), why=why())
        remove_memory(writer, kept, why=why())

    assert await left_of(ltm, [same, other], work) == {other}


@pytest.mark.parametrize(
    ("memory", "newer"),
    [("我的猫叫团子", "我的猫叫咪咪"), ("my cat is called Pebble", "my cat is called Tom")],
)
async def test_a_forgotten_memory_takes_what_would_replace_it(
    ltm: MemoryLtm, memory: str, newer: str
) -> None:
    kept, _ = await ltm.write(SCOPE, lambda w: write_memory(w, StatedMemory(text=memory), why=why()))

    def work(writer: LtmWriter) -> None:
        remove_memory(writer, kept, why=why())

    assert await left_of(ltm, [newer], work, replaces=kept.id, old=memory) == set()
