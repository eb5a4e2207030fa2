"""What every long-term memory does with pending updates, tombstones and superseded memories."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from shared.ids import new_id
from shared.model.pending import PendingUpdate, Tombstone
from shared.model.scope import Scope
from shared.ports.ltm import MemoryFilter, PendingFilter
from tests.contracts.ltm.samples import Stores, memory, record
from tests.contracts.ltm.test_long_term_memory import texts_found

BUDGET = "business_context.budget.ceiling"
DAY_MS = 86_400_000


def update(stores: Stores, **changes: Any) -> PendingUpdate:
    now_ms = stores.clock.now_ms()
    known: dict[str, Any] = {
        "id": new_id("pen"),
        "op": "set",
        "path": BUDGET,
        "new": 500_000,
        "text": "500000",
        "quote": "总预算控制在五十万以内",
        "message_id": "msg_1",
        "session_id": "s-1",
        "origin": "rule",
        "confidence": 0.9,
        "created_at_ms": now_ms,
        "expires_at_ms": now_ms + 7 * DAY_MS,
    }
    return PendingUpdate(**{**known, **changes})


async def add(stores: Stores, scope: Scope, made: PendingUpdate, *, key: str = "k", most: int = 50) -> None:
    await stores.ltm.write(scope, lambda w: w.add_update(made, key=key, most_open=most))


async def test_an_update_is_read_back_as_it_was_written(stores: Stores, scope: Scope) -> None:
    made = update(stores, old=400_000, rejected_at_ms=5)
    await add(stores, scope, made)
    assert await stores.ltm.read(scope, lambda r: r.pending_update(made.id)) == made
    assert await stores.ltm.read(scope, lambda r: r.pending_updates(PendingFilter())) == [made]
    assert await stores.ltm.read(scope, lambda r: r.open_update_like("k")) == made
    assert await stores.ltm.read(scope, lambda r: r.open_update_like("other")) is None


async def test_updates_are_listed_newest_first_and_filtered(stores: Stores, scope: Scope) -> None:
    made = [
        update(stores, id=f"pen_{number}", session_id=f"s-{number % 2}", path=f"a.p{number % 3}")
        for number in range(4)
    ]
    for each in made:
        await add(stores, scope, each, key=each.id)

    async def ids(**wanted: Any) -> list[str]:
        found = await stores.ltm.read(scope, lambda r: r.pending_updates(PendingFilter(**wanted)))
        return [each.id for each in found]

    assert await ids() == ["pen_3", "pen_2", "pen_1", "pen_0"]
    assert await ids(limit=1, after_id="pen_3") == ["pen_2"]
    assert await ids(session_id="s-1") == ["pen_3", "pen_1"]
    assert await ids(path="a.p0") == ["pen_3", "pen_0"]
    assert await ids(status="confirmed") == []
    other = await stores.directory.ensure_scope("t1", "user", outside_id="u2")
    assert await stores.ltm.read(other, lambda r: r.pending_updates(PendingFilter())) == []


async def test_an_update_ends_once_and_is_then_not_open(stores: Stores, scope: Scope) -> None:
    made = update(stores)
    await add(stores, scope, made)
    assert await stores.ltm.write(scope, lambda w: w.close_update(made.id, status="confirmed"))
    assert not await stores.ltm.write(scope, lambda w: w.close_update(made.id, status="rejected"))
    found = await stores.ltm.read(scope, lambda r: r.pending_update(made.id))
    assert found is not None
    assert found.status == "confirmed"
    assert await stores.ltm.read(scope, lambda r: r.open_update_like("k")) is None


@pytest.mark.parametrize("value", [550_000, "小王不吃香菜", "Bob hates kale", ["a", "b"]])
async def test_what_was_confirmed_stands_beside_what_was_proposed(
    stores: Stores, scope: Scope, value: object
) -> None:
    made = update(stores)
    await add(stores, scope, made)
    await stores.ltm.write(scope, lambda w: w.note_stored(made.id, value=value))
    found = await stores.ltm.read(scope, lambda r: r.pending_update(made.id))
    assert found == made.model_copy(update={"stored": value})
    assert await stores.ltm.read(scope, lambda r: r.pending_updates(PendingFilter())) == [found]


async def test_an_update_expires_by_the_clock_alone(stores: Stores, scope: Scope) -> None:
    made = update(stores)
    await add(stores, scope, made)
    stores.clock.offset = timedelta(days=7, minutes=1)
    found = await stores.ltm.read(scope, lambda r: r.pending_update(made.id))
    assert found is not None
    assert found.status == "expired"
    assert await stores.ltm.read(scope, lambda r: r.pending_updates(PendingFilter())) == []
    assert not await stores.ltm.write(scope, lambda w: w.close_update(made.id, status="confirmed"))


async def test_the_oldest_open_updates_give_way_beyond_the_bound(stores: Stores, scope: Scope) -> None:
    for number in range(5):
        await add(stores, scope, update(stores, id=f"pen_{number}"), key=str(number), most=3)
    found = await stores.ltm.read(scope, lambda r: r.pending_updates(PendingFilter(status=None)))
    assert [(each.id, each.status) for each in found] == [
        ("pen_4", "open"),
        ("pen_3", "open"),
        ("pen_2", "open"),
        ("pen_1", "expired"),
        ("pen_0", "expired"),
    ]


async def test_a_tombstone_is_found_by_any_of_its_keys_until_it_is_lifted(
    stores: Stores, scope: Scope
) -> None:
    kept = Tombstone(
        id=new_id("tmb"), path=BUDGET, value=500_000, cause="rejected", at_ms=9, names=("预算", "cap")
    )
    await stores.ltm.write(scope, lambda w: w.add_tombstone(kept, keys=["a", "b"]))
    assert await stores.ltm.read(scope, lambda r: r.tombstones(["b", "z"])) == [kept]
    assert await stores.ltm.read(scope, lambda r: r.tombstones(["z"])) == []
    await stores.ltm.write(scope, lambda w: w.note_restated(kept.id))
    assert (await stores.ltm.read(scope, lambda r: r.tombstones()))[0].restated
    assert await stores.ltm.write(scope, lambda w: w.lift_tombstones(["a"])) == 1
    assert await stores.ltm.read(scope, lambda r: r.tombstones(["b"])) == []
    assert await stores.ltm.read(scope, lambda r: r.tombstones()) == []


async def test_a_superseded_memory_is_history_and_found_no_more(stores: Stores, scope: Scope) -> None:
    kept = memory("tea at four", path=BUDGET)
    await stores.ltm.write(scope, lambda w: w.add_memory(kept, record(kept.text), normal_text="tea"))
    assert await stores.ltm.read(scope, lambda r: r.memories(MemoryFilter(path="a.b"))) == []
    assert await stores.ltm.read(scope, lambda r: r.memories(MemoryFilter(path=BUDGET))) == [kept]
    assert await stores.ltm.write(scope, lambda w: w.supersede_memory(kept.id, at_ms=77))
    assert not await stores.ltm.write(scope, lambda w: w.supersede_memory(kept.id, at_ms=78))
    assert await stores.ltm.read(scope, lambda r: texts_found(r, "tea")) == []
    found = await stores.ltm.read(scope, lambda r: r.memory(kept.id))
    assert found is not None
    assert (found.status, found.valid_to_ms) == ("superseded", 77)


async def test_what_the_user_said_is_confirmed_and_what_a_key_wrote_is_not(
    stores: Stores, scope: Scope
) -> None:
    said = await stores.ltm.write(
        scope, lambda w: w.put_field(BUDGET, 1, origin="user", source=memory("x").source, at_ms=5)
    )
    sent = await stores.ltm.write(
        scope, lambda w: w.put_field("a.b", 1, origin="api", source=memory("x").source, at_ms=5)
    )
    assert (said.confirmed_at_ms, sent.confirmed_at_ms) == (5, None)
    assert await stores.ltm.read(scope, lambda r: r.field(BUDGET)) == said


async def test_a_session_takes_its_open_updates_along(stores: Stores, scope: Scope) -> None:
    made, done = update(stores), update(stores, id="pen_0")
    await add(stores, scope, made)
    await add(stores, scope, done, key="d")
    await stores.ltm.write(scope, lambda w: w.close_update(done.id, status="confirmed"))
    await stores.ltm.write(scope, lambda w: w.delete_session("s-1"))
    found = await stores.ltm.read(scope, lambda r: r.pending_updates(PendingFilter(status=None)))
    assert [each.id for each in found] == [done.id]
