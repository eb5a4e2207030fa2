"""What deleting sessions leaves of them: nothing, on Redis and in memory alike."""

from __future__ import annotations

import pytest

from shared.errors import Conflict, Missing
from shared.model.message import DeletedSessions
from shared.model.scope import Scope
from shared.ports.stm import TurnEnd
from tests.contracts.conftest import WIDE, Deployment, read_texts, say, take_turn


async def test_no_session_gets_the_epoch_of_a_deleted_one(place: Deployment) -> None:
    """The clock stands still, or goes back."""
    epochs = []
    for step in (0.0, 0.0, -5.0, 0.0):
        place.advance(step)
        start = await take_turn(place.stm, place.scope, "room", "q")
        deleted = await place.stm.delete_session(place.scope, "room")
        assert [each.epoch for each in deleted.epochs] == [start.session.epoch]
        epochs.append(start.session.epoch)
    await take_turn(place.stm, place.scope, "room", "q")
    deleted = await place.stm.forget_sessions(place.scope)
    epochs += [each.epoch for each in deleted.epochs]
    last = await take_turn(place.other, place.scope, "room", "q")
    epochs.append(last.session.epoch)
    assert epochs == sorted(set(epochs))


async def test_a_deleted_session_leaves_nothing(place: Deployment) -> None:
    await take_turn(place.stm, place.scope, "room", "old")
    place.advance(601)
    start = await take_turn(place.stm, place.scope, "room", "q")
    await take_turn(place.stm, place.scope, "other", "elsewhere")
    running = await place.stm.begin_turn(
        place.scope, "room", message=say("running"), claim=None, window_tokens=WIDE
    )
    deleted = await place.stm.delete_session(place.scope, "room")
    assert deleted.messages == 5
    assert len({each.epoch for each in deleted.epochs}) == 2
    assert {each.session_key for each in deleted.epochs} == {start.session.key}
    with pytest.raises(Missing):
        await place.stm.read_session(place.scope, "room", window_tokens=WIDE)
    assert [entry.session_id for entry in await place.stm.read_tail(place.scope)] == ["other"]
    assert (await place.stm.read_unarchived(place.scope, start.session.key, limit=5))[0] is None
    with pytest.raises(Conflict):
        await place.stm.finish_turn(
            place.scope, TurnEnd(session_id="room", fence=running.fence, reply=say("r"))
        )
    fresh = await take_turn(place.stm, place.scope, "room", "again")
    assert (fresh.message.seq, fresh.fence > running.fence) == (1, True)
    place.advance(3_600)
    works = await place.due.take_due(limit=9, lease_seconds=60)
    assert len([work for work, _ in works if work.job == "archive"]) == 2


async def test_all_sessions_of_a_scope_can_be_forgotten_and_it_lives_on(place: Deployment) -> None:
    other = Scope(tenant_id=place.scope.tenant_id, scope_id=f"{place.scope.scope_id}0")
    for scope in (place.scope, other):
        await take_turn(place.stm, scope, "s1", "one")
        await take_turn(place.stm, scope, "s2", "two")
    place.advance(700)  # past its life, and so an older epoch that still waits for the archive
    await take_turn(place.stm, place.scope, "s1", "anew")
    deleted = await place.stm.forget_sessions(place.scope)
    assert deleted.messages == 6
    assert await place.stm.forget_sessions(place.scope) == DeletedSessions(messages=0)
    assert await place.stm.list_sessions(place.scope, limit=9, before_ms=None) == []
    assert await place.stm.read_tail(place.scope) == ()
    place.advance(3_600)
    due = await place.due.take_due(limit=99, lease_seconds=60)
    assert {work.scope_id for work, _ in due if work.job == "archive"} <= {other.scope_id}
    await take_turn(place.stm, place.scope, "s1", "again")
    assert await read_texts(place.stm, place.scope, "s1") == ["again", "re: again"]
    assert len(await place.stm.read_tail(other)) == 2
