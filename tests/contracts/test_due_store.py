"""The due store keeps its contract, on Redis and in memory alike."""

from __future__ import annotations

import asyncio

from shared.ids import new_id
from shared.model.job import DueWork, JobOrder
from shared.model.message import Session
from shared.model.scope import Scope
from shared.ports.stm import TurnEnd
from tests.contracts.conftest import Deployment, say


async def _fill(place: Deployment, session_id: str, count: int, *, scope: Scope | None = None) -> Session:
    done = await place.stm.append_messages(
        scope or place.scope, session_id, messages=[say(f"m{i}") for i in range(count)]
    )
    return done.session


async def _take(place: Deployment, *, limit: int = 99) -> list[DueWork]:
    return [work for work, _ in await place.due.take_due(limit=limit, lease_seconds=60)]


def _work(place: Deployment, session: Session) -> DueWork:
    return DueWork(
        tenant_id=place.scope.tenant_id,
        scope_id=place.scope.scope_id,
        job="archive",
        session_key=session.key,
    )


async def _archive(place: Deployment, session: Session) -> None:
    await place.stm.mark_archived(
        place.scope, session.key, epoch=session.epoch, to_seq=session.last_seq, window_tokens=1_000
    )


async def test_a_silent_session_is_due_after_its_last_message(place: Deployment) -> None:
    session = await _fill(place, "room", 1)
    assert await _take(place) == []
    place.advance(20)
    await _fill(place, "room", 1)
    place.advance(20)
    assert await _take(place) == []
    place.advance(11)
    assert await _take(place) == [_work(place, session)]


async def test_a_session_is_due_at_once_when_enough_has_gathered(place: Deployment) -> None:
    await _fill(place, "few", 9)
    many = await _fill(place, "many", 10)
    long = (await place.stm.append_messages(place.scope, "long", messages=[say("x", tokens=1_000)])).session
    assert {work.session_key for work in await _take(place)} == {many.key, long.key}


async def test_a_turn_alone_is_marked_before_it_finishes(place: Deployment) -> None:
    start = await place.stm.begin_turn(place.scope, "room", message=say("q"), claim=None, window_tokens=1_000)
    place.advance(31)
    assert await _take(place) == [_work(place, start.session)]


async def test_taken_work_is_leased_and_comes_back_with_its_job(place: Deployment) -> None:
    session = await _fill(place, "room", 10)
    assert await place.due.take_due(limit=9, lease_seconds=60) == [(_work(place, session), None)]
    assert await _take(place) == []
    order = JobOrder(id=new_id("job"), **_work(place, session).model_dump())
    await place.due.note_orders([order, JobOrder(id=new_id("job"), job="reconcile")])
    place.advance(61)
    assert await _take(place) == []
    place.advance(60)
    assert await place.due.take_due(limit=9, lease_seconds=60) == [(_work(place, session), order.id)]


async def test_work_may_be_leased_for_a_time_of_its_own(place: Deployment) -> None:
    work = _work(place, await _fill(place, "room", 10))
    await place.due.postpone_due(work, delay_seconds=1)
    order = JobOrder(id="job_1", **work.model_dump())
    await place.due.note_orders([order], lease_seconds=20)
    place.advance(19)
    assert await _take(place) == []
    place.advance(2)
    assert await place.due.take_due(limit=9, lease_seconds=60) == [(work, "job_1")]
    assert await place.due.postpone_due(work, delay_seconds=1) == 2  # it has not failed by that


async def test_a_message_during_the_lease_does_not_break_it(place: Deployment) -> None:
    session = await _fill(place, "room", 10)
    assert len(await _take(place)) == 1
    await _fill(place, "room", 12)
    assert await _take(place) == []
    assert await place.due.settle_due(_work(place, session))
    assert len(await _take(place)) == 1


async def test_settled_work_is_gone_unless_more_came(place: Deployment) -> None:
    session = await _fill(place, "room", 10)
    await _take(place)
    await _archive(place, session)
    await _fill(place, "room", 1)
    assert await place.due.settle_due(_work(place, session))
    assert await _take(place) == []
    place.advance(31)
    assert await _take(place) == [_work(place, session)]
    await _archive(place, session.model_copy(update={"last_seq": 11}))
    assert not await place.due.settle_due(_work(place, session))
    place.advance(3_600)
    assert await _take(place) == []


async def test_a_mark_that_settling_set_moves_with_later_messages(place: Deployment) -> None:
    session = await _fill(place, "room", 1)
    place.advance(31)
    await _take(place)
    await _archive(place, session)
    for _ in range(2):
        await _fill(place, "room", 1)
        assert await place.due.settle_due(_work(place, session))
        place.advance(20)
    assert await _take(place) == []
    place.advance(11)
    assert await _take(place) == [_work(place, session)]


async def test_postponed_work_counts_its_failures(place: Deployment) -> None:
    session = await _fill(place, "room", 10)
    work = _work(place, session)
    await _take(place)
    assert await place.due.postpone_due(work, delay_seconds=100) == 1
    assert await place.due.postpone_due(work, delay_seconds=100) == 2
    await _fill(place, "room", 1)
    place.advance(90)
    assert await _take(place) == []
    place.advance(11)
    assert await _take(place) == [work]
    await _archive(place, session.model_copy(update={"last_seq": 11}))
    await place.due.settle_due(work)
    await _fill(place, "room", 1)
    assert await place.due.postpone_due(work, delay_seconds=100) == 1


async def test_buried_work_stays_away_until_it_is_marked(place: Deployment) -> None:
    session = await _fill(place, "room", 10)
    work = _work(place, session)
    await place.due.bury_due(work)
    assert (await place.due.sum_debts()).count == 0
    assert await _take(place) == []
    await place.due.mark_due(work)
    assert await _take(place) == [work]
    assert (await place.due.sum_debts()).count == 10


async def test_a_job_buries_only_the_work_that_it_was_the_last_to_be_ordered_for(place: Deployment) -> None:
    work = _work(place, await _fill(place, "room", 10))
    orders = [JobOrder(id=f"job_{number}", **work.model_dump()) for number in (1, 2)]
    for order in orders:
        await place.due.note_orders([order])
    place.advance(121)
    await place.due.bury_due(work, job_id="job_1")
    assert await _take(place) == [work]
    await place.due.bury_due(work, job_id="job_2")
    place.advance(61)
    assert await _take(place) == []
    await place.due.mark_due(work)
    assert await _take(place) == [work]


async def test_the_limit_leaves_the_rest_for_the_next_call(place: Deployment) -> None:
    for number in range(7):
        scope = place.scope.model_copy(update={"scope_id": f"scp_{number % 3}"})
        await _fill(place, f"room{number}", 10, scope=scope)
    taken = [await _take(place, limit=3) for _ in range(4)]
    assert [len(works) for works in taken] == [3, 3, 1, 0]
    assert len({work.session_key for works in taken for work in works}) == 7


async def test_what_is_taken_of_one_job_leaves_all_others_as_they_are(place: Deployment) -> None:
    archive = _work(place, await _fill(place, "room", 10))
    compact = archive.model_copy(update={"job": "compact"})
    other = archive.model_copy(update={"job": "archive", "session_key": "key2"})
    touch = archive.model_copy(update={"job": "touch", "session_key": ""})
    for work in (compact, other, touch):
        await place.due.mark_due(work)
    assert await place.due.postpone_due(compact, delay_seconds=1) == 1
    place.advance(2)
    taken = await place.due.take_due(limit=1, lease_seconds=60, job="archive")
    taken += await place.due.take_due(limit=9, lease_seconds=60, job="archive")
    assert {work.session_key for work, _ in taken} == {archive.session_key, "key2"}
    assert await place.due.take_due(limit=9, lease_seconds=60, job="extract") == []
    assert await place.due.take_due(limit=9, lease_seconds=60, job="touch") == [(touch, None)]
    assert await _take(place) == [compact]
    assert await place.due.postpone_due(compact, delay_seconds=1) == 2


async def test_two_dispatchers_never_take_the_same_work(place: Deployment) -> None:
    for number in range(20):
        scope = place.scope.model_copy(update={"scope_id": f"scp_{number % 5}"})
        await _fill(place, f"room{number}", 10, scope=scope)
    rounds = await asyncio.gather(*(_take(place, limit=4) for _ in range(12)))
    names = [(work.scope_id, work.session_key) for works in rounds for work in works]
    names += [(work.scope_id, work.session_key) for work in await _take(place)]
    assert len(names) == len(set(names)) == 20


async def test_accesses_are_due_a_minute_later_and_settled_when_written(place: Deployment) -> None:
    for _ in range(2):
        start = await place.stm.begin_turn(
            place.scope, "room", message=say("q"), claim=None, window_tokens=1_000
        )
        await place.stm.finish_turn(
            place.scope,
            TurnEnd(session_id="room", fence=start.fence, reply=None, accessed_row_ids=(7,)),
        )
        place.advance(29)
    session = await place.stm.read_session(place.scope, "room", window_tokens=0)
    touch = DueWork(tenant_id=place.scope.tenant_id, scope_id=place.scope.scope_id, job="touch")
    await _archive(place, session)
    await place.due.settle_due(_work(place, session))
    place.advance(3)
    assert await _take(place) == [touch]
    taken = await place.stm.take_accesses(place.scope)
    assert taken is not None
    assert await place.due.settle_due(touch)
    await place.stm.drop_accesses(place.scope, taken[0])
    assert not await place.due.settle_due(touch)
    place.advance(3_600)
    assert await _take(place) == []


async def test_the_debt_counts_messages_and_tells_the_oldest(place: Deployment) -> None:
    assert (await place.due.sum_debts()).oldest_ms is None
    first = await place.stm.append_messages(place.scope, "room", messages=[say("a"), say("b")])
    place.advance(10)
    other = place.scope.model_copy(update={"scope_id": "scp_2"})
    second = await place.stm.append_messages(other, "room2", messages=[say(f"m{i}") for i in range(3)])
    debt = await place.due.sum_debts()
    assert (debt.count, debt.oldest_ms) == (5, first.new[0].received_at_ms)
    await _archive(place, first.session)
    debt = await place.due.sum_debts()
    assert debt.count == 3
    assert debt.oldest_ms == second.new[0].received_at_ms


async def test_messages_without_a_mark_are_nowhere_once_and_marked_again(place: Deployment) -> None:
    session = await _fill(place, "room", 3)
    work = _work(place, session)
    assert (await place.due.sum_debts()).nowhere == 0
    await place.due.drop_scope(place.scope.tenant_id, place.scope.scope_id)  # its marks are lost
    debt = await place.due.sum_debts()
    assert (debt.count, debt.nowhere) == (3, 3)
    assert await _take(place) == [work]
    debt = await place.due.sum_debts()
    assert (debt.count, debt.nowhere) == (3, 0)
    await place.due.bury_due(work)
    assert (await place.due.sum_debts()).nowhere == 0


async def test_a_scope_that_has_ended_owes_nothing(place: Deployment) -> None:
    await _fill(place, "room", 3)
    await place.stm.end_scope(place.scope)
    await place.due.drop_scope(place.scope.tenant_id, place.scope.scope_id)
    debt = await place.due.sum_debts()
    assert (debt.count, debt.nowhere) == (0, 0)
    assert await _take(place) == []


async def test_a_name_is_held_by_one_owner_until_it_runs_out(place: Deployment) -> None:
    assert await place.due.hold("scheduler", "a", seconds=0.2)
    assert await place.due.hold("scheduler", "a", seconds=0.2)
    assert not await place.due.hold("scheduler", "b", seconds=0.2)
    assert await place.due.hold("other", "b", seconds=0.2)
    await asyncio.sleep(0.25)
    assert await place.due.hold("scheduler", "b", seconds=0.2)


async def test_reports_and_the_clock_are_kept(place: Deployment) -> None:
    assert await place.due.read_report("reconcile") is None
    await place.due.write_report("reconcile", {"nowhere": 0, "at_ms": 1})
    assert await place.due.read_report("reconcile") == {"nowhere": 0, "at_ms": 1}
    assert await place.due.read_clock_offset_ms() == 0
    await place.due.write_clock_offset_ms(-5_000)
    assert await place.due.read_clock_offset_ms() == -5_000


async def test_the_check_names_its_findings(place: Deployment) -> None:
    findings = await place.due.check()
    assert [name for name, _, _ in findings] == ["reachable", "maxmemory-policy", "appendonly"]


async def test_ensured_work_is_due_once_and_a_dead_letter_stays_dead(place: Deployment) -> None:
    work = DueWork(tenant_id=place.scope.tenant_id, scope_id=place.scope.scope_id, job="erase")
    await place.due.ensure_due(work)
    assert [each for each, _ in await place.due.take_due(limit=9, lease_seconds=60)] == [work]
    await place.due.ensure_due(work)
    assert await place.due.take_due(limit=9, lease_seconds=60) == []
    await place.due.bury_due(work)
    await place.due.ensure_due(work)
    assert await place.due.take_due(limit=9, lease_seconds=60) == []


async def test_a_dropped_scope_has_nothing_due(place: Deployment) -> None:
    await _fill(place, "s1", 1)
    await place.due.drop_scope(place.scope.tenant_id, place.scope.scope_id)
    place.advance(3_600)
    assert await place.due.take_due(limit=9, lease_seconds=60) == []


async def test_work_is_due_at_a_time_at_the_latest(place: Deployment) -> None:
    session = await _fill(place, "room", 1)
    work = _work(place, session).model_copy(update={"job": "extract"})
    now_ms = place.clock.now_ms()
    assert await place.due.mark_due_by([work], at_ms=now_ms + 20_000) == []
    assert await place.due.mark_due_by([work], at_ms=now_ms + 50_000) == []
    place.advance(10)
    assert work not in await _take(place)
    place.advance(11)
    assert work in await _take(place)
    assert await place.due.settle_due(work) is False
    place.advance(100)
    assert work not in await _take(place)


async def test_work_that_failed_keeps_its_back_off_and_dead_work_is_told(place: Deployment) -> None:
    session = await _fill(place, "room", 1)
    work = _work(place, session).model_copy(update={"job": "extract"})
    await place.due.mark_due(work)
    await _take(place)
    await place.due.postpone_due(work, delay_seconds=120)
    await place.due.mark_due_by([work], at_ms=place.clock.now_ms())
    assert work not in await _take(place)
    await place.due.bury_due(work)
    assert await place.due.mark_due_by([work], at_ms=place.clock.now_ms()) == [work]
    place.advance(1_000)
    assert work not in await _take(place)
    await place.due.mark_due(work)
    assert work in await _take(place)


async def test_how_far_a_session_was_extracted_never_goes_back(place: Deployment) -> None:
    session = await _fill(place, "room", 6)
    for to_seq, want in ((4, 4), (2, 4), (99, 6)):
        await place.stm.mark_extracted(place.scope, session.key, epoch=session.epoch, to_seq=to_seq)
        assert (await place.stm.read_session(place.scope, "room", window_tokens=0)).extracted_to == want
    await place.stm.mark_extracted(place.scope, session.key, epoch=session.epoch + 1, to_seq=1)
    await place.stm.mark_extracted(place.scope, "none", epoch=1, to_seq=1)
    assert (await place.stm.read_session(place.scope, "room", window_tokens=0)).extracted_to == 6
