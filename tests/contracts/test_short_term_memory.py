"""Short-term memory keeps its contract, on Redis and in memory alike."""

from __future__ import annotations

import asyncio
from typing import Literal

import pytest

from shared.errors import Conflict, KeyReused, Missing
from shared.model.message import SessionNotes
from shared.model.scope import Scope
from shared.ports.stm import Claim, ShortTermMemory, TurnEnd, TurnStart
from tests.contracts.conftest import Deployment, say

WIDE = 100_000


async def _take_turn(
    stm: ShortTermMemory, scope: Scope, session_id: str, text: str, *, claim: Claim | None = None
) -> TurnStart:
    start = await stm.begin_turn(scope, session_id, message=say(text), claim=claim, window_tokens=WIDE)
    reply = say(f"re: {text}", role="assistant")
    end = TurnEnd(session_id=session_id, fence=start.fence, reply=reply, claim=claim, result_json='{"a":1}')
    await stm.finish_turn(scope, end)
    return start


async def _texts(stm: ShortTermMemory, scope: Scope, session_id: str) -> list[str]:
    session = await stm.read_session(scope, session_id, window_tokens=WIDE)
    return [message.text for message in session.window]


async def _archive(place: Deployment, session_id: str, *, window_tokens: int = WIDE) -> None:
    session = await place.stm.read_session(place.scope, session_id, window_tokens=0)
    await place.stm.mark_archived(
        place.scope, session.key, epoch=session.epoch, to_seq=session.last_seq, window_tokens=window_tokens
    )


async def test_a_turn_leaves_both_messages_in_order(place: Deployment) -> None:
    start = await _take_turn(place.stm, place.scope, "room", "你好")
    session = await place.other.read_session(place.scope, "room", window_tokens=WIDE)
    assert [(m.seq, m.role, m.text) for m in session.window] == [
        (1, "user", "你好"),
        (2, "assistant", "re: 你好"),
    ]
    assert (session.id, session.last_seq, session.total_tokens, session.archived_to) == ("room", 2, 20, 0)
    assert start.session.window == (start.message,)
    assert start.session.epoch == session.epoch == session.created_at_ms


async def test_the_window_holds_the_newest_that_fit_and_always_the_last(place: Deployment) -> None:
    await place.stm.append_messages(place.scope, "room", [say(f"m{i}", tokens=30) for i in range(100)])
    session = await place.stm.read_session(place.scope, "room", window_tokens=100)
    assert [m.text for m in session.window] == ["m97", "m98", "m99"]
    narrow = await place.stm.read_session(place.scope, "room", window_tokens=5)
    assert [m.text for m in narrow.window] == ["m99"]
    start = await place.stm.begin_turn(
        place.scope, "room", message=say("q", tokens=40), claim=None, window_tokens=100
    )
    assert [m.text for m in start.session.window] == ["m98", "m99", "q"]
    assert [m.seq for m in start.session.window] == [99, 100, 101]


async def test_a_room_is_not_another_room_whose_name_begins_like_it(place: Deployment) -> None:
    names = ["room", "room2", "room/2", "a:b", "*", "{x}", "会议室·二", "z" * 128, "~1"]
    for name in names:
        await _take_turn(place.stm, place.scope, name, f"in {name}")
    for name in names:
        assert await _texts(place.stm, place.scope, name) == [f"in {name}", f"re: in {name}"]
    await place.stm.delete_session(place.scope, "room")
    assert await _texts(place.stm, place.scope, "room2") == ["in room2", "re: in room2"]
    listed = await place.stm.list_sessions(place.scope, limit=50, before_ms=None)
    assert [session.id for session in listed] == names[:0:-1]


async def test_a_scope_sees_nothing_of_another(place: Deployment) -> None:
    other = place.scope.model_copy(update={"scope_id": place.scope.scope_id + "0"})
    await _take_turn(place.stm, place.scope, "room", "mine")
    assert await place.stm.find_session(other, "room", window_tokens=WIDE) == (None, ())
    with pytest.raises(Missing):
        await place.stm.read_session(other, "room", window_tokens=WIDE)


async def test_nothing_goes_into_a_scope_that_has_ended(place: Deployment) -> None:
    start = await place.stm.begin_turn(place.scope, "room", message=say("x"), claim=None, window_tokens=WIDE)
    place.end_scope(place.scope)
    calls = [
        place.stm.begin_turn(place.scope, "room", message=say("y"), claim=None, window_tokens=WIDE),
        place.stm.finish_turn(place.scope, TurnEnd(session_id="room", fence=start.fence, reply=say("r"))),
        place.stm.renew_lease(place.scope, "room", start.fence),
        place.stm.append_messages(place.scope, "room", [say("z")]),
        place.stm.put_notes(place.scope, "room", SessionNotes()),
        place.stm.read_session(place.scope, "room", window_tokens=WIDE),
        place.stm.read_tail(place.scope),
        place.stm.claim_request(place.scope, Claim(key="k", body_hash="b")),
        place.stm.read_unarchived(place.scope, "room", limit=5),
        place.stm.take_accesses(place.scope),
    ]
    for call in calls:
        with pytest.raises(Missing) as caught:
            await call
        assert caught.value.code == "scope_ended"


async def test_thirty_turns_at_once_run_one_by_one(place: Deployment) -> None:
    async def take(number: int) -> None:
        stm = place.patient
        start = await stm.begin_turn(
            place.scope, "room", message=say(f"q{number}"), claim=None, window_tokens=WIDE
        )
        await asyncio.sleep(0.001)
        reply = say(f"re: q{number}", role="assistant")
        await stm.finish_turn(place.scope, TurnEnd(session_id="room", fence=start.fence, reply=reply))

    await asyncio.gather(*(take(number) for number in range(30)))
    session = await place.other.read_session(place.scope, "room", window_tokens=WIDE)
    texts = [message.text for message in session.window]
    assert [message.seq for message in session.window] == list(range(1, 61))
    assert sorted(texts[::2]) == sorted(f"q{number}" for number in range(30))
    assert texts[1::2] == [f"re: {text}" for text in texts[::2]]


async def test_waiters_are_let_in_as_they_came(place: Deployment) -> None:
    first = await place.stm.begin_turn(place.scope, "room", message=say("q"), claim=None, window_tokens=WIDE)

    async def take(text: str) -> None:
        await _take_turn(place.patient, place.scope, "room", text)

    async with asyncio.TaskGroup() as group:
        for number in range(5):
            group.create_task(take(f"w{number}"))
            await asyncio.sleep(0.02)
        await place.stm.finish_turn(place.scope, TurnEnd(session_id="room", fence=first.fence, reply=None))
    texts = await _texts(place.stm, place.scope, "room")
    assert [text for text in texts if text.startswith("w")] == [f"w{number}" for number in range(5)]


async def test_a_turn_that_waits_too_long_is_told_so_and_leaves_nothing(place: Deployment) -> None:
    start = await place.stm.begin_turn(place.scope, "room", message=say("q"), claim=None, window_tokens=WIDE)

    async def hold() -> None:
        while True:
            await asyncio.sleep(0.05)
            assert await place.stm.renew_lease(place.scope, "room", start.fence)

    holder = asyncio.create_task(hold())
    claim = Claim(key="k", body_hash="b")
    with pytest.raises(Conflict) as caught:
        await place.other.begin_turn(
            place.scope, "room", message=say("late"), claim=claim, window_tokens=WIDE
        )
    holder.cancel()
    assert caught.value.code == "session_busy"
    assert await _texts(place.stm, place.scope, "room") == ["q"]
    await place.stm.finish_turn(place.scope, TurnEnd(session_id="room", fence=start.fence, reply=None))
    again = await _take_turn(place.stm, place.scope, "room", "late", claim=claim)
    assert not again.resumed


async def test_a_turn_that_lost_its_lease_cannot_write(place: Deployment) -> None:
    slow = await place.stm.begin_turn(
        place.scope, "room", message=say("slow"), claim=None, window_tokens=WIDE
    )
    await asyncio.sleep(0.3)
    quick = await place.other.begin_turn(
        place.scope, "room", message=say("quick"), claim=None, window_tokens=WIDE
    )
    assert quick.fence > slow.fence
    assert not await place.stm.renew_lease(place.scope, "room", slow.fence)
    with pytest.raises(Conflict) as caught:
        await place.stm.finish_turn(
            place.scope, TurnEnd(session_id="room", fence=slow.fence, reply=say("r", role="assistant"))
        )
    assert caught.value.code == "lease_lost"
    assert await place.other.renew_lease(place.scope, "room", quick.fence)
    assert await _texts(place.stm, place.scope, "room") == ["slow", "quick"]


async def test_a_lease_that_ran_out_unnoticed_may_still_finish(place: Deployment) -> None:
    start = await place.stm.begin_turn(place.scope, "room", message=say("q"), claim=None, window_tokens=WIDE)
    await asyncio.sleep(0.3)
    reply = say("r", role="assistant")
    kept = await place.stm.finish_turn(
        place.scope, TurnEnd(session_id="room", fence=start.fence, reply=reply)
    )
    assert kept is not None
    assert (kept.id, kept.seq) == (reply.id, 2)


async def test_a_finished_claim_is_replayed(place: Deployment) -> None:
    claim = Claim(key="k/1 😀", body_hash="b")
    first = await _take_turn(place.stm, place.scope, "room", "q", claim=claim)
    again = await place.other.begin_turn(
        place.scope, "room", message=say("q"), claim=claim, window_tokens=WIDE
    )
    assert again.replayed == '{"a":1}'
    assert again.message == first.message
    assert await _texts(place.stm, place.scope, "room") == ["q", "re: q"]
    with pytest.raises(KeyReused):
        await place.stm.begin_turn(
            place.scope,
            "room",
            message=say("other"),
            claim=Claim(key=claim.key, body_hash="c"),
            window_tokens=WIDE,
        )


async def test_a_claim_is_forgotten_after_a_day(place: Deployment) -> None:
    claim = Claim(key="k", body_hash="b")
    await _take_turn(place.stm, place.scope, "room", "q", claim=claim)
    place.advance(86_400 + 1)
    later = await _take_turn(place.stm, place.scope, "room", "q", claim=claim)
    assert later.replayed is None
    assert not later.resumed


async def test_of_five_racers_with_one_key_one_wins(place: Deployment) -> None:
    claim = Claim(key="k", body_hash="b")
    engines = [place.stm, place.other, place.stm, place.other, place.stm]
    results = await asyncio.gather(
        *(
            stm.begin_turn(place.scope, "room", message=say("q"), claim=claim, window_tokens=WIDE)
            for stm in engines
        ),
        return_exceptions=True,
    )
    refused = [result for result in results if isinstance(result, Conflict)]
    assert len(refused) == 4
    assert {refusal.code for refusal in refused} == {"idempotency_running"}
    assert await _texts(place.stm, place.scope, "room") == ["q"]


@pytest.mark.parametrize("state", ["interrupted", "free"])
async def test_a_retry_goes_on_with_the_message_that_stands(
    place: Deployment, state: Literal["interrupted", "free"]
) -> None:
    claim = Claim(key="k", body_hash="b")
    start = await place.stm.begin_turn(place.scope, "room", message=say("q"), claim=claim, window_tokens=WIDE)
    broken = say("half a rep", role="assistant").model_copy(update={"state": "interrupted"})
    end = TurnEnd(session_id="room", fence=start.fence, reply=broken, claim=claim, claim_state=state)
    await place.stm.finish_turn(place.scope, end)
    again = await place.other.begin_turn(
        place.scope, "room", message=say("q"), claim=claim, window_tokens=WIDE
    )
    assert again.resumed
    assert again.message == start.message
    assert again.session.window == (start.message,)
    assert await _texts(place.stm, place.scope, "room") == ["q", "half a rep"]


async def test_a_killed_turn_is_taken_up_once_its_lease_is_gone(place: Deployment) -> None:
    claim = Claim(key="k", body_hash="b")
    start = await place.stm.begin_turn(place.scope, "room", message=say("q"), claim=claim, window_tokens=WIDE)
    with pytest.raises(Conflict):
        await place.other.begin_turn(place.scope, "room", message=say("q"), claim=claim, window_tokens=WIDE)
    await asyncio.sleep(0.3)
    again = await place.other.begin_turn(
        place.scope, "room", message=say("q"), claim=claim, window_tokens=WIDE
    )
    assert (again.resumed, again.message.id) == (True, start.message.id)


async def test_a_client_id_seen_before_appends_nothing(place: Deployment) -> None:
    first = await place.stm.append_messages(
        place.scope, "room", [say("a", client_id="c/1"), say("b", client_id="c/2")]
    )
    second = await place.other.append_messages(
        place.scope,
        "room",
        [say("b", client_id="c/2"), say("c", client_id="c/3"), say("c", client_id="c/3"), say("d")],
    )
    assert second.message_ids[0] == first.message_ids[1]
    assert second.message_ids[1] == second.message_ids[2]
    assert [(m.seq, m.text, m.body.client_id) for m in second.new] == [(3, "c", "c/3"), (4, "d", None)]
    assert second.session.last_seq == 4
    assert await _texts(place.stm, place.scope, "room") == ["a", "b", "c", "d"]


async def test_a_message_keeps_when_it_was_said_and_when_it_came(place: Deployment) -> None:
    old = say("long ago").model_copy(update={"created_at_ms": 1_000})
    done = await place.stm.append_messages(place.scope, "room", [old])
    (kept,) = await place.stm.read_messages(place.scope, "room", after_seq=0, limit=5)
    assert kept == done.new[0]
    assert kept.created_at_ms == 1_000
    assert abs(kept.received_at_ms - place.clock.now_ms()) < 5_000


async def test_messages_are_read_page_by_page(place: Deployment) -> None:
    await place.stm.append_messages(place.scope, "room", [say(f"m{i}") for i in range(7)])
    pages = [
        [m.text for m in await place.stm.read_messages(place.scope, "room", after_seq=seq, limit=3)]
        for seq in (0, 3, 6, 7)
    ]
    assert pages == [["m0", "m1", "m2"], ["m3", "m4", "m5"], ["m6"], []]
    assert await place.stm.read_messages(place.scope, "none", after_seq=0, limit=3) == []


async def test_notes_are_replaced_as_one_piece(place: Deployment) -> None:
    notes = SessionNotes(system="Be kind.", timezone="Asia/Shanghai", ttl_seconds=60)
    made = await place.stm.put_notes(place.scope, "room", notes)
    assert (made.last_seq, made.notes) == (0, notes)
    assert made.expires_at_ms - made.created_at_ms == pytest.approx(60_000, abs=50)
    start = await place.stm.begin_turn(place.scope, "room", message=say("q"), claim=None, window_tokens=WIDE)
    assert start.session.notes == notes
    asked = notes.model_copy(update={"asked_paths": ("a.b",), "ttl_seconds": None})
    await place.stm.finish_turn(
        place.scope, TurnEnd(session_id="room", fence=start.fence, reply=None, notes=asked)
    )
    session = await place.other.read_session(place.scope, "room", window_tokens=0)
    assert session.notes == asked
    assert session.expires_at_ms - session.last_at_ms == pytest.approx(600_000, abs=50)


async def test_every_write_sets_the_expiry_anew_and_a_passed_one_is_missing(place: Deployment) -> None:
    await _take_turn(place.stm, place.scope, "s1", "a")
    place.advance(500)
    await _take_turn(place.stm, place.scope, "s1", "b")
    place.advance(500)
    assert await _texts(place.stm, place.scope, "s1") == ["a", "re: a", "b", "re: b"]
    place.advance(700)
    with pytest.raises(Missing):
        await place.stm.read_session(place.scope, "s1", window_tokens=WIDE)
    assert await place.stm.list_sessions(place.scope, limit=5, before_ms=None) == []
    assert await place.stm.read_messages(place.scope, "s1", after_seq=0, limit=5) == []


async def test_an_expired_session_begins_anew_and_still_owes_its_old_messages(place: Deployment) -> None:
    old = await _take_turn(place.stm, place.scope, "room", "old")
    place.advance(601)
    new = await _take_turn(place.stm, place.scope, "room", "new")
    assert new.session.epoch > old.session.epoch
    assert new.message.seq == 1
    assert await _texts(place.stm, place.scope, "room") == ["new", "re: new"]
    assert [entry.message.text for entry in await place.stm.read_tail(place.scope)] == ["old", "new"]
    works = [work for work, _ in await place.due.take_due(limit=9, lease_seconds=60)]
    assert [work.session_key for work in works] == [f"{new.session.key}~{old.session.epoch}"]
    session, messages = await place.stm.read_unarchived(place.scope, works[0].session_key, limit=9)
    assert session is not None
    assert (session.key, session.epoch, session.id) == (new.session.key, old.session.epoch, "room")
    assert [message.text for message in messages] == ["old", "re: old"]
    await place.stm.mark_archived(place.scope, session.key, epoch=session.epoch, to_seq=2, window_tokens=WIDE)
    assert (await place.stm.read_unarchived(place.scope, works[0].session_key, limit=9))[0] is None
    assert [entry.message.text for entry in await place.stm.read_tail(place.scope)] == ["new"]
    assert await _texts(place.stm, place.scope, "room") == ["new", "re: new"]


async def test_archiving_empties_the_tail_and_leaves_the_window(place: Deployment) -> None:
    for number in range(5):
        await _take_turn(place.stm, place.scope, "room", f"q{number}")
    await _take_turn(place.stm, place.scope, "other", "elsewhere")
    session, messages = await place.stm.read_unarchived(
        place.scope, (await place.stm.read_session(place.scope, "room", window_tokens=0)).key, limit=4
    )
    assert session is not None
    assert [message.seq for message in messages] == [1, 2, 3, 4]
    await place.stm.mark_archived(place.scope, session.key, epoch=session.epoch, to_seq=4, window_tokens=WIDE)
    await place.stm.mark_archived(place.scope, session.key, epoch=session.epoch, to_seq=2, window_tokens=WIDE)
    await place.stm.mark_archived(
        place.scope, session.key, epoch=session.epoch + 1, to_seq=9, window_tokens=WIDE
    )
    after, rest = await place.stm.read_unarchived(place.scope, session.key, limit=99)
    assert after is not None
    assert after.archived_to == 4
    assert [message.seq for message in rest] == [5, 6, 7, 8, 9, 10]
    tail = await place.stm.read_tail(place.scope)
    assert [entry.message.text for entry in tail] == ["q2", "q3", "q4", "elsewhere"]
    assert len(await _texts(place.stm, place.scope, "room")) == 10


async def test_what_is_archived_and_out_of_the_window_goes(place: Deployment) -> None:
    for number in range(50):
        await _take_turn(place.stm, place.scope, "room", f"q{number}")
    await _archive(place, "room", window_tokens=95)
    messages = await place.stm.read_messages(place.scope, "room", after_seq=0, limit=200)
    assert [message.seq for message in messages] == list(range(92, 101))
    await _take_turn(place.stm, place.scope, "room", "next")
    session = await place.stm.read_session(place.scope, "room", window_tokens=95)
    assert [message.seq for message in session.window] == list(range(94, 103))
    await _archive(place, "room", window_tokens=1)
    kept = await place.stm.read_messages(place.scope, "room", after_seq=0, limit=200)
    assert [message.text for message in kept] == ["q48", "re: q48", "q49", "re: q49", "next", "re: next"]


async def test_a_client_id_is_known_as_long_as_its_message_is_held(place: Deployment) -> None:
    messages = [say(f"m{i}", tokens=50, client_id=f"c{i}") for i in range(40)]
    first = await place.stm.append_messages(place.scope, "room", messages)
    await _archive(place, "room", window_tokens=200)
    again = await place.stm.append_messages(
        place.scope, "room", [say("m39", client_id="c39"), say("m0", client_id="c0")]
    )
    assert again.message_ids[0] == first.message_ids[39]
    assert [message.text for message in again.new] == ["m0"]


async def test_the_tail_is_bounded(place: Deployment) -> None:
    for start in range(0, 250, 50):
        await place.stm.append_messages(
            place.scope, f"room{start}", [say(f"m{start + i}") for i in range(50)]
        )
    tail = await place.stm.read_tail(place.scope)
    assert [entry.message.text for entry in tail] == [f"m{i}" for i in range(50, 250)]
    assert tail[0].session_id == "room50"


async def test_a_forgotten_message_leaves_the_tail_only(place: Deployment) -> None:
    done = await place.stm.append_messages(place.scope, "room", [say("a"), say("b")])
    assert await place.stm.forget_in_tail(place.scope, [done.message_ids[0], "msg_none"]) == 1
    assert [entry.message.text for entry in await place.stm.read_tail(place.scope)] == ["b"]
    assert await _texts(place.stm, place.scope, "room") == ["a", "b"]


async def test_a_deleted_session_leaves_nothing(place: Deployment) -> None:
    await _take_turn(place.stm, place.scope, "room", "old")
    place.advance(601)
    start = await _take_turn(place.stm, place.scope, "room", "q")
    await _take_turn(place.stm, place.scope, "other", "elsewhere")
    running = await place.stm.begin_turn(
        place.scope, "room", message=say("running"), claim=None, window_tokens=WIDE
    )
    assert await place.stm.delete_session(place.scope, "room") == 5
    with pytest.raises(Missing):
        await place.stm.read_session(place.scope, "room", window_tokens=WIDE)
    assert [entry.session_id for entry in await place.stm.read_tail(place.scope)] == ["other"]
    assert (await place.stm.read_unarchived(place.scope, start.session.key, limit=5))[0] is None
    with pytest.raises(Conflict):
        await place.stm.finish_turn(
            place.scope, TurnEnd(session_id="room", fence=running.fence, reply=say("r"))
        )
    fresh = await _take_turn(place.stm, place.scope, "room", "again")
    assert (fresh.message.seq, fresh.fence > running.fence) == (1, True)
    place.advance(3_600)
    works = await place.due.take_due(limit=9, lease_seconds=60)
    assert len([work for work, _ in works if work.job == "archive"]) == 2


async def test_sessions_are_listed_by_their_last_use_page_by_page(place: Deployment) -> None:
    for number in range(7):
        await place.stm.append_messages(place.scope, f"s{number}", [say("x")])
    await place.stm.append_messages(place.scope, "s2", [say("y")])
    listed: list[str] = []
    before: int | None = None
    while page := await place.stm.list_sessions(place.scope, limit=3, before_ms=before):
        listed += [session.id for session in page]
        before = page[-1].last_at_ms
    assert listed == ["s2", "s6", "s5", "s4", "s3", "s1", "s0"]


async def test_a_claimed_request_runs_once(place: Deployment) -> None:
    claim = Claim(key="k", body_hash="b")
    assert await place.stm.claim_request(place.scope, claim) is None
    with pytest.raises(Conflict) as caught:
        await place.other.claim_request(place.scope, claim)
    assert caught.value.code == "idempotency_running"
    await place.stm.settle_request(place.scope, claim, '{"id":"mem_1"}')
    assert await place.other.claim_request(place.scope, claim) == '{"id":"mem_1"}'
    with pytest.raises(KeyReused):
        await place.other.claim_request(place.scope, Claim(key="k", body_hash="c"))
    await place.stm.settle_request(place.scope, claim, None)
    assert await place.other.claim_request(place.scope, Claim(key="k", body_hash="c")) is None


async def test_a_request_whose_holder_died_may_be_claimed_again(place: Deployment) -> None:
    claim = Claim(key="k", body_hash="b")
    assert await place.stm.claim_request(place.scope, claim) is None
    await asyncio.sleep(0.3)
    assert await place.stm.claim_request(place.scope, claim) is None


async def test_accesses_are_counted_and_handed_out_until_they_are_written(place: Deployment) -> None:
    assert await place.stm.take_accesses(place.scope) is None
    for rows in ((1, 2), (2, 3)):
        start = await place.stm.begin_turn(
            place.scope, "room", message=say("q"), claim=None, window_tokens=WIDE
        )
        end = TurnEnd(session_id="room", fence=start.fence, reply=None, accessed_row_ids=rows)
        await place.stm.finish_turn(place.scope, end)
    taken = await place.stm.take_accesses(place.scope)
    assert taken is not None
    assert dict(taken[1]) == {1: 1, 2: 2, 3: 1}
    assert await place.other.take_accesses(place.scope) == taken
    await place.stm.drop_accesses(place.scope, "acc_other")
    assert await place.stm.take_accesses(place.scope) == taken
    await place.stm.drop_accesses(place.scope, taken[0])
    assert await place.stm.take_accesses(place.scope) is None
