"""Undo in words: one after the other goes back through what the session changed, and never forth again."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from shared.ltm.edit import Why
from shared.ltm.field_undo import undo_field
from shared.ports.ltm import LtmWriter
from tests.turn.plain_talk import SCOPE, PlainTalk

BUDGET = "business_context.budget.ceiling"
SAID = [
    (["记住，预算是50万", "记住，预算改成60万", "记住，预算改成70万"], "撤销刚才的修改"),
    (["Set the budget to 500k", "Set the budget to 600k", "Set the budget to 700k"], "undo that"),
]


async def budget(talk: PlainTalk) -> float | None:
    field = await talk.ltm.read(SCOPE, lambda reader: reader.field(BUDGET))
    return field.value if field else None


async def undo_outside(talk: PlainTalk) -> None:
    why = Why(actor="key", request_id="req", origin="user", at=datetime.now(UTC))

    def work(writer: LtmWriter) -> None:
        undo_field(writer, BUDGET, why=why, mask=lambda _path, value: value)

    await talk.ltm.write(SCOPE, work)


@pytest.mark.parametrize(("said", "undo"), SAID)
async def test_one_undo_after_the_other_goes_further_back(said: list[str], undo: str) -> None:
    talk = PlainTalk()
    for text in said:
        await talk.say(text)
    stood = []
    for _ in range(4):
        turn = await talk.say(undo)
        stood.append((turn.commands[0].outcome, await budget(talk)))
    assert stood == [("applied", 600_000), ("applied", 500_000), ("applied", None), ("refused", None)]


@pytest.mark.parametrize(("said", "undo"), SAID)
async def test_what_was_undone_elsewhere_is_not_brought_back_by_an_undo(said: list[str], undo: str) -> None:
    talk = PlainTalk()
    for text in said[:2]:
        await talk.say(text)
    await undo_outside(talk)
    assert await budget(talk) == 500_000
    await talk.say(undo)
    assert await budget(talk) is None


@pytest.mark.parametrize(("said", "undo"), SAID)
async def test_what_another_session_changed_or_forgot_since_is_not_undone(said: list[str], undo: str) -> None:
    talk = PlainTalk()
    await talk.say(said[0])
    await talk.say(said[1], session="b")
    turn = await talk.say(undo)
    assert [(each.outcome, each.reason) for each in turn.commands] == [("refused", "changed_since")]
    assert await budget(talk) == 600_000
    await talk.say("忘掉我的预算" if "预算" in said[0] else "forget my budget", session="b")
    assert [each.reason for each in (await talk.say(undo)).commands] == ["changed_since"]
    assert await budget(talk) is None


@pytest.mark.parametrize(("said", "undo"), SAID)
async def test_an_undo_takes_nothing_of_another_session_that_was_undone_here(
    said: list[str], undo: str
) -> None:
    talk = PlainTalk()
    await talk.say(said[0], session="b")
    await talk.say(said[1])
    await undo_outside(talk)
    turn = await talk.say(undo)
    assert [(each.outcome, each.reason) for each in turn.commands] == [("refused", "nothing_to_undo")]
    assert await budget(talk) == 500_000


@pytest.mark.parametrize(
    ("first", "second", "undo"),
    [
        ("记住预算是30万", "记住预算是50万", "刚才那个撤回"),
        ("记住预算是30万", "记住预算是50万", "改回去吧"),
        ("Remember the budget is 30k", "Remember the budget is 50k", "undo the last thing you saved"),
    ],
)
async def test_everyday_words_undo_too(first: str, second: str, undo: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(first)
    before = await talk.fields()
    await talk.say(second)
    await talk.say(undo)
    assert await talk.fields() == before
