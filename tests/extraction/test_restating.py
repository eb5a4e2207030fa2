"""What a field holds is not proposed again as a memory in other words; what says more of it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from shared.extraction.restating import restates_field
from shared.ltm.confirm import reject_update
from shared.ltm.edit import StatedMemory, write_memory
from shared.ltm.proposals import Proposal, propose_update
from shared.ltm.schema import DEFAULT_SCHEMA
from shared.ports.ltm import LtmWriter
from tests.extraction.room import Room
from tests.extraction.tables import full_path, read_table

ROWS = read_table("restates.tsv")


@pytest.mark.parametrize(("kept", "text", "want"), ROWS, ids=[f"{kept} | {text}" for kept, text, _ in ROWS])
def test_a_text_that_says_no_more_than_a_field_is_told_from_all_others(
    kept: str, text: str, want: str
) -> None:
    name, _, shown = kept.partition("=")
    path = DEFAULT_SCHEMA.find(full_path(name))
    value: Any = json.loads(shown) if path.is_list or path.type == "number" else shown
    got = restates_field(text, path, value=value, day=date(2024, 3, 1))
    assert got == (want == "same")


BUDGET = "business_context.budget.ceiling"
SAID = [
    (
        "总之我们的项目预算还是55万",
        "项目预算是55万",
        "我们的项目预算55万里20万给市场部",
        "项目预算55万里20万给市场部",
    ),
    (
        "so our project budget is still 550k",
        "The project budget is 550,000",
        "Of our project budget of 550k the marketing team gets 200k",
        "Of the project budget of 550k the marketing team gets 200k",
    ),
]


def giving(**item: Any) -> Callable[[Any], str]:
    return lambda _body: json.dumps({"items": [{"kind": "fact", **item}]}, ensure_ascii=False)


async def outcome_of(room: Room, said: str, **item: Any) -> tuple[list[str], dict[str, int]]:
    """Return the texts that wait after a message was extracted, and why others do not."""
    before = {update.id for update in await room.waiting()}
    room.model.answer = giving(quote=said, **item)
    await room.say(("user", said))
    report = await room.extract()
    return [update.text for update in await room.waiting() if update.id not in before], report.rejected


def a_proposal(room: Room, *, rejected: bool) -> Callable[[LtmWriter], None]:
    def work(writer: LtmWriter) -> None:
        proposal = Proposal("set", BUDGET, 550_000, "550000", "55万", "rule", 0.9)
        update, _ = propose_update(writer, proposal, why=room.why, keep_days=7)
        assert update is not None
        if rejected:
            reject_update(writer, update, why=room.why, mask=lambda _path, value: value)

    return work


@pytest.mark.parametrize(("said", "text", "said_more", "more"), SAID, ids=["zh", "en"])
@pytest.mark.parametrize("held", ["field", "waits", "rejected"])
async def test_what_a_field_holds_is_not_proposed_as_a_memory(
    said: str, text: str, said_more: str, more: str, *, held: str
) -> None:
    room = Room(giving())
    if held == "field":
        await room.stand("F", [BUDGET, "550000"])
    else:
        await room.ltm.write(room.scope, a_proposal(room, rejected=held == "rejected"))
    waiting, why = await outcome_of(room, said, op="remember", text=text)
    assert (waiting, why) == ([], {"tombstone" if held == "rejected" else "duplicate": 1})
    waiting, _ = await outcome_of(room, said_more, op="remember", text=more)
    assert waiting == [more]


@pytest.mark.parametrize(("said", "text"), [row[:2] for row in SAID], ids=["zh", "en"])
async def test_a_value_and_its_sentence_in_one_answer_are_proposed_once(said: str, text: str) -> None:
    room = Room(giving())
    items = [
        {"op": "remember", "kind": "fact", "text": text, "quote": said},
        {"op": "set", "path": BUDGET, "value": 550_000, "quote": said},
    ]
    room.model.answer = lambda _body: json.dumps({"items": items}, ensure_ascii=False)
    await room.say(("user", said))
    await room.extract()
    assert [(update.path, update.new) for update in await room.waiting()] == [(BUDGET, 550_000)]


@pytest.mark.parametrize(("said", "text"), [row[:2] for row in SAID], ids=["zh", "en"])
async def test_what_a_memory_says_of_a_field_is_not_proposed_for_the_field(said: str, text: str) -> None:
    room = Room(giving())
    memory = StatedMemory(text=text, path=BUDGET, value=550_000)
    await room.ltm.write(room.scope, lambda writer: write_memory(writer, memory, why=room.why))
    set_it = {"op": "set", "path": BUDGET}
    assert await outcome_of(room, said, **set_it, value=550_000) == ([], {"duplicate": 1})
    other = said.replace("55万", "60万").replace("550k", "600k")
    assert await outcome_of(room, other, **set_it, value=600_000) == (["600000"], {})
