"""What every long-term memory tells of ages, and how rows end and come back."""

from __future__ import annotations

from datetime import timedelta

from shared.model.memory import FieldVersion, Memory, Source
from shared.model.pending import PendingUpdate
from shared.model.scope import Scope
from shared.ports.ltm import MemoryFilter, PendingFilter
from tests.contracts.ltm.samples import EPOCH, Stores, episode, memory, pairs, record
from tests.contracts.ltm.test_long_term_memory import put, remember, texts_found

DAY_MS = 86_400_000


async def statuses(stores: Stores, scope: Scope) -> dict[str, str]:
    found = await stores.ltm.read(scope, lambda r: r.memories(MemoryFilter(status=None, limit=99)))
    return {kept.text: kept.status for kept in found}


async def test_aging_tells_of_all_rows_that_may_still_end_or_go(stores: Stores, scope: Scope) -> None:
    day = record("trip", mentions=((739_500, 739_502),), day=739_417)
    trip = memory("trip", kind="event", origin="model", id="mem_1")
    await stores.ltm.write(scope, lambda w: w.add_memory(trip, day, normal_text="trip"))
    await remember(stores, scope, memory("tea", id="mem_2", pinned=True, expires_at_ms=EPOCH + 1))
    await remember(stores, scope, memory("old", id="mem_3"))
    await stores.ltm.write(scope, lambda w: w.supersede_memory("mem_3", at_ms=EPOCH))
    found = await stores.ltm.read(scope, lambda r: r.aging())
    assert [(row.id, row.kind, row.origin, row.pinned, row.last_day) for row in found] == [
        ("mem_1", "event", "model", False, 739_502),
        ("mem_2", "fact", "user", True, None),
    ]
    assert found[1].status == "active"  # what is written, whatever the time says
    assert [row.id for row in await stores.ltm.read(scope, lambda r: r.aging(["mem_2", "mem_9"]))] == [
        "mem_2"
    ]


async def test_a_faded_memory_is_found_no_more_until_it_is_revived(stores: Stores, scope: Scope) -> None:
    await remember(stores, scope, memory("green tea", id="mem_1"))
    assert await stores.ltm.write(scope, lambda w: w.end_memory("mem_1", status="faded", at_ms=EPOCH))
    assert not await stores.ltm.write(scope, lambda w: w.end_memory("mem_1", status="faded", at_ms=EPOCH))
    assert await stores.ltm.read(scope, lambda r: texts_found(r, "tea")) == []
    assert await statuses(stores, scope) == {"green tea": "faded"}
    assert (await stores.ltm.read(scope, lambda r: r.aging()))[0].ended_at_ms == EPOCH
    anew = record("green tea")
    assert await stores.ltm.write(scope, lambda w: w.revive_memory("mem_1", record=anew, at_ms=EPOCH + 5))
    assert not await stores.ltm.write(scope, lambda w: w.revive_memory("mem_1", record=anew, at_ms=EPOCH + 5))
    assert await stores.ltm.read(scope, lambda r: texts_found(r, "tea")) == ["green tea"]
    (row,) = await stores.ltm.read(scope, lambda r: r.aging())
    assert (row.ended_at_ms, row.last_accessed_at_ms, row.expires_at_ms) == (None, EPOCH + 5, None)


async def test_a_memory_ends_when_it_is_told_to_anew(stores: Stores, scope: Scope) -> None:
    now_ms = stores.clock.now_ms()
    await remember(stores, scope, memory("green tea", id="mem_1"))
    await remember(stores, scope, memory("tea late", id="mem_2", expires_at_ms=now_ms + 60_000))
    assert len(await stores.ltm.read(scope, lambda r: texts_found(r, "tea"))) == 2
    await stores.ltm.write(scope, lambda w: w.set_expiry("mem_1", expires_at_ms=now_ms + 30_000))
    await stores.ltm.write(scope, lambda w: w.set_expiry("mem_2", expires_at_ms=now_ms + 90_000))
    stores.clock.offset = timedelta(seconds=75)
    assert await stores.ltm.read(scope, lambda r: texts_found(r, "tea")) == ["tea late"]
    assert await statuses(stores, scope) == {"green tea": "expired", "tea late": "active"}


async def test_a_memory_that_ran_out_comes_back_whether_it_was_swept_or_not(
    stores: Stores, scope: Scope
) -> None:
    now_ms = stores.clock.now_ms()
    for name in ("mem_1", "mem_2"):
        await remember(stores, scope, memory(f"tea {name}", id=name, expires_at_ms=now_ms + 50))
    stores.clock.offset += timedelta(seconds=1)
    await stores.ltm.write(scope, lambda w: w.end_memory("mem_1", status="expired", at_ms=now_ms))
    assert await stores.ltm.read(scope, lambda r: texts_found(r, "tea")) == []
    for name in ("mem_1", "mem_2"):
        revived = await stores.ltm.write(
            scope,
            lambda w, n=name: w.revive_memory(n, record=record(f"tea {n}"), at_ms=now_ms),  # type: ignore[misc]
        )
        assert revived
    assert sorted(await stores.ltm.read(scope, lambda r: texts_found(r, "tea"))) == ["tea mem_1", "tea mem_2"]
    assert set((await statuses(stores, scope)).values()) == {"active"}


async def test_days_are_those_on_which_the_user_said_something(stores: Stores, scope: Scope) -> None:
    for day in (3, 0, 3, 40):
        said = episode("hello", epoch=EPOCH + day * DAY_MS)
        reply = said.message.model_copy(update={"id": f"msg_r{day}", "role": "assistant"})
        later = reply.model_copy(update={"received_at_ms": reply.received_at_ms + DAY_MS})
        answered = said.model_copy(update={"message": later})
        await stores.ltm.write(
            scope,
            lambda w, a=said, b=answered: w.add_episodes([(a, record("hello")), (b, record("re"))]),  # type: ignore[misc]
        )
    first = EPOCH // DAY_MS
    assert await stores.ltm.read(scope, lambda r: r.active_days()) == [first, first + 3, first + 40]
    await stores.ltm.write(scope, lambda w: w.delete_session("s-1"))
    assert await stores.ltm.read(scope, lambda r: r.active_days()) == [first, first + 3, first + 40]
    await stores.ltm.write(scope, lambda w: w.prune_ledgers(before_ms=EPOCH + 2 * DAY_MS))
    assert await stores.ltm.read(scope, lambda r: r.active_days()) == [first + 3, first + 40]


async def test_episodes_go_by_arrival_and_leave_no_trace(stores: Stores, scope: Scope) -> None:
    kept = pairs("one tea", "two tea", "three tea")
    await stores.ltm.write(scope, lambda w: w.add_episodes(kept))
    ids = [each.message.id for each, _ in kept]
    third_ms = kept[2][0].message.received_at_ms
    assert await stores.ltm.read(scope, lambda r: r.count_episodes()) == 3
    assert await stores.ltm.read(scope, lambda r: r.oldest_episodes(before_ms=None, limit=2)) == ids[:2]
    assert await stores.ltm.read(scope, lambda r: r.oldest_episodes(before_ms=third_ms, limit=9)) == ids[:2]
    assert await stores.ltm.write(scope, lambda w: w.delete_episodes([*ids[:2], "msg_none"])) == 2
    assert await stores.ltm.read(scope, lambda r: texts_found(r, "tea")) == ["three tea"]
    assert await stores.ltm.read(scope, lambda r: r.episode(ids[0])) is None


async def test_evidence_is_what_current_fields_and_confirmed_memories_stand_on(
    stores: Stores, scope: Scope
) -> None:
    def source(name: str) -> Source:
        return Source(session_id="s-1", message_ids=(name,), quote="x")

    await remember(stores, scope, memory("confirmed", source=source("msg_a")))
    await remember(stores, scope, memory("derived", origin="model", source=source("msg_b")))
    for value, name in (("old", "msg_c"), ("new", "msg_d")):
        await stores.ltm.write(
            scope,
            lambda w, v=value, n=name: w.put_field("a.b", v, origin="user", source=source(n), at_ms=EPOCH),  # type: ignore[misc]
        )
    assert await stores.ltm.read(scope, lambda r: r.evidence_ids()) == {"msg_a", "msg_d"}


async def test_a_rule_weighs_what_no_rule_of_its_version_and_no_caller_has(
    stores: Stores, scope: Scope
) -> None:
    for name in ("mem_1", "mem_2", "mem_3"):
        await remember(stores, scope, memory(name, id=name))
    await stores.ltm.write(scope, lambda w: w.weigh_memory("mem_2", importance=0.9, version=None))
    await stores.ltm.write(scope, lambda w: w.end_memory("mem_3", status="faded", at_ms=EPOCH))

    async def unscored(version: int) -> list[str]:
        found: list[Memory] = await stores.ltm.read(scope, lambda r: r.unscored(version=version, limit=9))
        return [kept.id for kept in found]

    assert await unscored(1) == ["mem_1"]
    await stores.ltm.write(scope, lambda w: w.weigh_memory("mem_1", importance=0.3, version=1))
    assert (await unscored(1), await unscored(2)) == ([], ["mem_1"])
    found = await stores.ltm.read(scope, lambda r: r.aging())
    assert [row.importance for row in found] == [0.3, 0.9, 0.5]


async def test_pending_updates_that_ran_out_are_written_down(stores: Stores, scope: Scope) -> None:
    now_ms = stores.clock.now_ms()
    for name, expires_at_ms in (("pen_1", now_ms - 1), ("pen_2", now_ms + 60_000)):
        update = PendingUpdate(
            id=name,
            op="remember",
            path=None,
            new="x",
            text="x",
            quote="x",
            origin="rule",
            confidence=1.0,
            created_at_ms=now_ms - 10,
            expires_at_ms=expires_at_ms,
        )
        await stores.ltm.write(scope, lambda w, u=update: w.add_update(u, key=u.id, most_open=50))  # type: ignore[misc]
    assert await stores.ltm.write(scope, lambda w: w.expire_updates()) <= 1
    found = await stores.ltm.read(scope, lambda r: r.pending_updates(PendingFilter(status=None)))
    assert {update.id: update.status for update in found} == {"pen_1": "expired", "pen_2": "open"}
    assert await stores.ltm.write(scope, lambda w: w.expire_updates()) == 0


async def test_living_scopes_of_all_tenants_are_walked_in_order(stores: Stores, scope: Scope) -> None:
    more = [await stores.directory.ensure_scope("t2", "user", outside_id=f"u{number}") for number in range(3)]
    stores.end_scope(more[1])
    wanted = sorted([scope, more[0], more[2]], key=lambda each: (each.tenant_id, each.scope_id))
    assert await stores.directory.scopes_after(None, limit=9) == wanted
    assert await stores.directory.scopes_after(wanted[0], limit=1) == wanted[1:2]
    assert await stores.directory.scopes_after(wanted[-1], limit=9) == []


async def test_what_waits_to_be_weighed_is_counted_over_all_scopes(stores: Stores, scope: Scope) -> None:
    other = await stores.directory.ensure_scope("t2", "user", outside_id="u1")
    assert await stores.directory.count_unweighed(version=1) == (0, None)
    await remember(stores, scope, memory("one", id="mem_1", created_at_ms=EPOCH + 5))
    await remember(stores, other, memory("two", id="mem_2", created_at_ms=EPOCH + 3))
    await stores.ltm.write(other, lambda w: w.weigh_memory("mem_2", importance=0.4, version=1))
    assert await stores.directory.count_unweighed(version=1) == (1, EPOCH + 5)
    assert await stores.directory.scopes_to_weigh(version=1, limit=9) == [scope]
    assert await stores.directory.count_unweighed(version=2) == (2, EPOCH + 3)
    assert len(await stores.directory.scopes_to_weigh(version=2, limit=9)) == 2


async def test_what_ended_is_listed_with_what_took_its_place(stores: Stores, scope: Scope) -> None:
    old, new = memory("I live in York"), memory("I moved to Leeds")
    lent, kept = memory("Door code 4471", expires_at_ms=EPOCH + 7), memory("likes oolong")
    for each in (old, new, lent, kept):
        await remember(stores, scope, each)
    await stores.ltm.write(scope, lambda w: w.supersede_memory(old.id, at_ms=EPOCH + 9, replaced_by=new.id))
    for value, at_ms in (("A", 100), ("B", 200), (None, 300)):
        await put(stores, scope, value, at_ms=at_ms)
    ended = await stores.ltm.read(scope, lambda r: r.ended(limit=10))
    memories = {each.row.id: each for each in ended if isinstance(each.row, Memory)}
    assert memories.keys() == {old.id, lent.id}
    assert (memories[old.id].until_ms, memories[old.id].newer) == (EPOCH + 9, new)
    assert (memories[lent.id].until_ms, memories[lent.id].newer) == (EPOCH + 7, None)
    versions = [(each.row, each.newer) for each in ended if isinstance(each.row, FieldVersion)]
    assert [(row.value, row.valid_to_ms) for row, _ in versions] == [("B", 300), ("A", 200)]
    assert [newer and newer.value for _, newer in versions if not isinstance(newer, Memory)] == [None, "B"]
    newest = await stores.ltm.read(scope, lambda r: r.ended(limit=1))
    assert [each.row.value for each in newest if isinstance(each.row, FieldVersion)] == ["B"]


async def test_what_ends_later_has_not_ended(stores: Stores, scope: Scope) -> None:
    until_ms = stores.clock.now_ms() + 60_000
    await remember(stores, scope, memory("Door code 4471", expires_at_ms=until_ms))
    assert await stores.ltm.read(scope, lambda r: r.ended(limit=10)) == []
    stores.clock.offset += timedelta(minutes=2)
    for _ in range(2):
        (each,) = await stores.ltm.read(scope, lambda r: r.ended(limit=10))
        assert isinstance(each.row, Memory)
        assert (each.row.status, each.until_ms) == ("expired", until_ms)
