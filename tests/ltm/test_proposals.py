"""Proposals and their ends on the fake memory: what may wait, what a yes and a no leave behind."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from shared.clock import Clock
from shared.errors import Conflict, Missing
from shared.ltm.confirm import resolve_updates
from shared.ltm.edit import StatedMemory, Why, write_memory
from shared.ltm.field_edit import change_items, forget_field, write_field
from shared.ltm.field_undo import undo_field
from shared.ltm.proposals import Proposal, propose_update
from shared.ltm.schema import DEFAULT_SCHEMA
from shared.model.memory import FieldVersion, Source
from shared.model.pending import PendingUpdate
from shared.model.scope import Scope
from shared.ports.ltm import LtmWriter, MemoryFilter, PendingFilter
from shared.privacy.mask import field_masker
from tests.fakes.memory_ltm import MemoryLtm

BUDGET = "business_context.budget.ceiling"
LIST = "current_task.constraints"
SCOPE = Scope(tenant_id="t1", scope_id="scp_1")
MASK = field_masker(DEFAULT_SCHEMA)
NOW = datetime(2024, 3, 1, tzinfo=UTC)


@pytest.fixture
def ltm() -> MemoryLtm:
    clock = Clock()
    clock.offset = NOW - datetime.now(UTC)
    return MemoryLtm(clock)


def why(**changes: Any) -> Why:
    source = Source(session_id="s1", message_ids=("msg_1",), quote="总预算控制在五十万以内")
    known: dict[str, Any] = {
        "actor": "key_1",
        "request_id": "req_1",
        "origin": "user",
        "source": source,
        "at": NOW,
    }
    return Why(**{**known, **changes})


def proposal(new: Any, **changes: Any) -> Proposal:
    known: dict[str, Any] = {
        "op": "set",
        "path": BUDGET,
        "new": new,
        "text": str(new),
        "quote": "总预算控制在五十万以内",
        "origin": "rule",
        "confidence": 0.9,
    }
    return Proposal(**{**known, **changes})


async def propose(ltm: MemoryLtm, new: Any, **changes: Any) -> PendingUpdate | None:
    made = proposal(new, **changes)
    update, _ = await ltm.write(SCOPE, lambda w: propose_update(w, made, why=why(), keep_days=7))
    return update


async def resolve(
    ltm: MemoryLtm, *, confirm: dict[str, Any] | None = None, reject: list[str] | None = None
) -> list[PendingUpdate]:
    return await resolve_updates(
        SCOPE,
        confirm=confirm or {},
        reject=reject or [],
        why=why(),
        normalise=lambda _path, value: value,
        mask=MASK,
        ltm=ltm,
    )


async def open_ids(ltm: MemoryLtm) -> list[str]:
    found = await ltm.read(SCOPE, lambda r: r.pending_updates(PendingFilter()))
    return [update.id for update in found]


async def test_a_proposal_waits_seven_days_and_changes_nothing(ltm: MemoryLtm) -> None:
    update = await propose(ltm, 500000)
    assert update is not None
    assert update.expires_at_ms - update.created_at_ms == timedelta(days=7) / timedelta(milliseconds=1)
    assert (update.quote, update.message_id, update.session_id) == ("总预算控制在五十万以内", "msg_1", "s1")
    assert await ltm.read(SCOPE, lambda r: r.fields()) == []


async def test_the_same_value_waits_once_and_a_newer_one_takes_its_place(ltm: MemoryLtm) -> None:
    first, again = await propose(ltm, 500000), await propose(ltm, 500000.0)
    assert first is not None
    assert again is not None
    assert again.id == first.id
    newer = await propose(ltm, 600000)
    assert newer is not None
    assert await open_ids(ltm) == [newer.id]


async def test_what_stands_already_is_not_proposed(ltm: MemoryLtm) -> None:
    await ltm.write(SCOPE, lambda w: write_field(w, BUDGET, value=500000, why=why(), mask=MASK))
    assert await propose(ltm, 500000) is None
    await ltm.write(SCOPE, lambda w: write_memory(w, StatedMemory(text="Likes tea"), why=why()))
    assert await propose(ltm, "likes tea.", op="remember", path=None) is None
    await ltm.write(SCOPE, lambda w: change_items(w, LIST, add=["a"], why=why(), mask=MASK))
    assert await propose(ltm, "a", op="append", path=LIST) is None
    assert await propose(ltm, "b", op="append", path=LIST) is not None


async def test_a_rejected_value_returns_once_when_the_user_restates_it(ltm: MemoryLtm) -> None:
    update = await propose(ltm, 500000)
    assert update is not None
    await resolve(ltm, reject=[update.id])
    assert await propose(ltm, 500000) is None
    again = await propose(ltm, 500000, is_restated=True)
    assert again is not None
    assert again.rejected_at_ms is not None
    await resolve(ltm, reject=[again.id])
    assert await propose(ltm, 500000, is_restated=True) is None


async def test_a_forgotten_value_returns_by_a_command_alone(ltm: MemoryLtm) -> None:
    await ltm.write(SCOPE, lambda w: write_field(w, BUDGET, value=500000, why=why(), mask=MASK))
    found, message_ids = await ltm.write(
        SCOPE, lambda w: forget_field(w, DEFAULT_SCHEMA.find(BUDGET), why=why(), mask=MASK)
    )
    assert (found, list(message_ids)) == (True, ["msg_1"])
    assert await propose(ltm, 500000, is_restated=True) is None
    await ltm.write(SCOPE, lambda w: write_field(w, BUDGET, value=500000, why=why(), mask=MASK))
    assert await ltm.read(SCOPE, lambda r: r.tombstones()) == []


async def test_a_rule_or_model_lifts_no_tombstone(ltm: MemoryLtm) -> None:
    def work(writer: LtmWriter) -> None:
        write_field(writer, BUDGET, value=1, why=why(), mask=MASK)
        forget_field(writer, DEFAULT_SCHEMA.find(BUDGET), why=why(), mask=MASK)
        write_field(writer, BUDGET, value=1, why=why(origin="rule"), mask=MASK)

    await ltm.write(SCOPE, work)
    stones = await ltm.read(SCOPE, lambda r: r.tombstones())
    kept = {stone.path: stone.value for stone in stones}
    assert (len(stones), kept) == (2, {BUDGET: 1, None: why().source.quote})


async def test_a_confirmation_carries_quote_messages_and_time(ltm: MemoryLtm) -> None:
    update = await propose(ltm, 500000)
    assert update is not None
    (done,) = await resolve(ltm, confirm={update.id: 550000})
    assert done.status == "confirmed"
    field = await ltm.read(SCOPE, lambda r: r.field(BUDGET))
    assert field is not None
    assert (field.value, field.origin, field.source.quote) == (550000, "user", update.quote)
    assert field.confirmed_at_ms is not None
    entry = (await ltm.read(SCOPE, lambda r: r.audit(limit=1)))[0]
    assert entry.details is not None
    assert entry.details["pending_id"] == update.id


async def test_several_are_resolved_together_or_not_at_all(ltm: MemoryLtm) -> None:
    first, second = await propose(ltm, 500000), await propose(ltm, "no nuts", op="append", path=LIST)
    assert first is not None
    assert second is not None
    with pytest.raises(Missing):
        await resolve(ltm, confirm={first.id: None}, reject=["pen_none"])
    assert len(await open_ids(ltm)) == 2
    await resolve(ltm, confirm={first.id: None, second.id: None})
    with pytest.raises(Conflict) as caught:
        await resolve(ltm, confirm={first.id: None})
    assert caught.value.code == "not_open"


async def test_setting_a_field_supersedes_what_was_derived_from_it(ltm: MemoryLtm) -> None:
    derived = StatedMemory(text="预算是40万", path=BUDGET, value=400000)
    await ltm.write(SCOPE, lambda w: write_memory(w, derived, why=why()))
    await propose(ltm, 450000)
    await ltm.write(SCOPE, lambda w: write_field(w, BUDGET, value=500000, why=why(), mask=MASK))
    assert await ltm.read(SCOPE, lambda r: r.memories(MemoryFilter())) == []
    assert await open_ids(ltm) == []


async def test_undo_goes_back_one_step_to_nothing_too(ltm: MemoryLtm) -> None:
    await ltm.write(SCOPE, lambda w: write_field(w, BUDGET, value=1, why=why(), mask=MASK))
    assert await ltm.write(SCOPE, lambda w: undo_field(w, BUDGET, why=why(), mask=MASK)) is None
    with pytest.raises(Missing):
        await ltm.write(SCOPE, lambda w: undo_field(w, BUDGET, why=why(), mask=MASK))
    with pytest.raises(Missing):
        await ltm.write(SCOPE, lambda w: undo_field(w, LIST, why=why(), mask=MASK))


async def test_one_undo_after_the_other_reaches_what_stood_first(ltm: MemoryLtm) -> None:
    def undo(writer: LtmWriter) -> FieldVersion | None:
        return undo_field(writer, BUDGET, why=why(), mask=MASK)

    def set_three(writer: LtmWriter) -> None:
        for value in (1, 2, 3):
            write_field(writer, BUDGET, value=value, why=why(), mask=MASK)

    await ltm.write(SCOPE, set_three)
    undone = [await ltm.write(SCOPE, undo) for _ in range(2)]
    assert [(each.value, each.version) for each in undone if each] == [(2, 4), (1, 5)]
    await ltm.write(SCOPE, lambda w: write_field(w, BUDGET, value=9, why=why(), mask=MASK))
    undone = [await ltm.write(SCOPE, undo) for _ in range(2)]
    assert [each.value if each else None for each in undone] == [1, None]


@pytest.mark.parametrize(
    ("changes", "proposed", "edited", "stored"),
    [
        ({"op": "remember", "path": None}, "Bob hates spinach", "Bob hates kale", "Bob hates kale"),
        ({"op": "remember", "path": None}, "小王不吃菠菜", "小王不吃香菜", "小王不吃香菜"),
        ({}, 500000, 600000, 600000),
    ],
)
async def test_an_edited_proposal_ends_with_what_was_stored(
    ltm: MemoryLtm, changes: dict[str, Any], proposed: Any, edited: Any, stored: Any
) -> None:
    update = await propose(ltm, proposed, text=str(proposed), **changes)
    assert update is not None
    [ended] = await resolve(ltm, confirm={update.id: edited})
    assert (ended.status, ended.new, ended.stored) == ("confirmed", proposed, stored)


async def test_a_proposal_that_is_confirmed_as_it_is_stays_as_it_was(ltm: MemoryLtm) -> None:
    update = await propose(ltm, 500000)
    assert update is not None
    [ended] = await resolve(ltm, confirm={update.id: None})
    assert ended == update.model_copy(update={"status": "confirmed"})
