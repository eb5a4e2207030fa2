"""Short-term memory keeps its contract, on Redis and in memory alike."""

from __future__ import annotations

import pytest

from shared.errors import Missing
from shared.model.message import MessageBody, NewMessage, SessionNotes
from shared.model.scope import Scope
from shared.ports.stm import Claim, TurnEnd
from tests.contracts.conftest import WIDE, Deployment, read_texts, say, take_turn


async def _archive(place: Deployment, session_id: str, *, window_tokens: int = WIDE) -> None:
    session = await place.stm.read_session(place.scope, session_id, window_tokens=0)
    await place.stm.mark_archived(
        place.scope, session.key, epoch=session.epoch, to_seq=session.last_seq, window_tokens=window_tokens
    )


async def test_a_turn_leaves_both_messages_in_order(place: Deployment) -> None:
    start = await take_turn(place.stm, place.scope, "room", "你好")
    session = await place.other.read_session(place.scope, "room", window_tokens=WIDE)
    assert [(m.seq, m.role, m.text) for m in session.window] == [
        (1, "user", "你好"),
        (2, "assistant", "re: 你好"),
    ]
    assert (session.id, session.last_seq, session.total_tokens, session.archived_to) == ("room", 2, 20, 0)
    assert start.session.window == (start.message,)
    assert start.session.epoch == session.epoch == session.created_at_ms


async def test_the_window_holds_the_newest_that_fit_and_always_the_last(place: Deployment) -> None:
    await place.stm.append_messages(
        place.scope, "room", messages=[say(f"m{i}", tokens=30) for i in range(100)]
    )
    session = await place.stm.read_session(place.scope, "room", window_tokens=100)
    assert [m.text for m in session.window] == ["m97", "m98", "m99"]
    narrow = await place.stm.read_session(place.scope, "room", window_tokens=5)
    assert [m.text for m in narrow.window] == ["m97", "m98", "m99"]
    bare = await place.stm.read_session(place.scope, "room", window_tokens=0)
    assert [m.text for m in bare.window] == ["m99"]
    start = await place.stm.begin_turn(
        place.scope, "room", message=say("q", tokens=40), claim=None, window_tokens=100
    )
    assert [m.text for m in start.session.window] == ["m98", "m99", "q"]
    assert [m.seq for m in start.session.window] == [99, 100, 101]


async def test_the_last_three_turns_stay_in_the_window_however_long_they_are(place: Deployment) -> None:
    for number in range(4):
        said = [say(f"q{number}", tokens=20_000), say(f"a{number}", role="assistant", tokens=20_000)]
        await place.stm.append_messages(place.scope, "room", messages=said)
    session = await place.stm.read_session(place.scope, "room", window_tokens=100)
    assert [m.text for m in session.window] == ["q1", "a1", "q2", "a2", "q3", "a3"]
    start = await place.stm.begin_turn(
        place.scope, "room", message=say("now", tokens=20_000), claim=None, window_tokens=100
    )
    assert [m.text for m in start.session.window] == ["q2", "a2", "q3", "a3", "now"]
    await place.stm.finish_turn(place.scope, TurnEnd(session_id="room", fence=start.fence, reply=None))


async def test_a_flood_of_long_messages_is_bounded(place: Deployment) -> None:
    said = [say(f"t{number}", role="tool", tokens=9_000) for number in range(60)]
    await place.stm.append_messages(place.scope, "room", messages=said)
    session = await place.stm.read_session(place.scope, "room", window_tokens=100)
    assert [m.text for m in session.window] == [f"t{number}" for number in range(36, 60)]
    huge = [say(f"h{number}", role="tool", tokens=200_000) for number in range(5)]
    await place.stm.append_messages(place.scope, "room", messages=huge)
    session = await place.stm.read_session(place.scope, "room", window_tokens=100)
    assert [m.text for m in session.window] == ["h3", "h4"]


async def test_a_room_is_not_another_room_whose_name_begins_like_it(place: Deployment) -> None:
    names = ["room", "room2", "room/2", "a:b", "*", "{x}", "会议室·二", "z" * 128, "~1"]
    for name in names:
        await take_turn(place.stm, place.scope, name, f"in {name}")
    for name in names:
        assert await read_texts(place.stm, place.scope, name) == [f"in {name}", f"re: in {name}"]
    await place.stm.delete_session(place.scope, "room")
    assert await read_texts(place.stm, place.scope, "room2") == ["in room2", "re: in room2"]
    listed = await place.stm.list_sessions(place.scope, limit=50, before_ms=None)
    assert [session.id for session in listed] == names[:0:-1]


async def test_a_scope_sees_nothing_of_another(place: Deployment) -> None:
    other = place.scope.model_copy(update={"scope_id": place.scope.scope_id + "0"})
    await take_turn(place.stm, place.scope, "room", "mine")
    assert await place.stm.find_session(other, "room", window_tokens=WIDE) == (None, ())
    with pytest.raises(Missing):
        await place.stm.read_session(other, "room", window_tokens=WIDE)


async def test_nothing_goes_into_a_scope_that_has_ended(place: Deployment) -> None:
    start = await place.stm.begin_turn(place.scope, "room", message=say("x"), claim=None, window_tokens=WIDE)
    place.end_scope(place.scope)
    calls = [
        place.stm.begin_turn(place.scope, "room", message=say("y"), claim=None, window_tokens=WIDE),
        place.stm.finish_turn(place.scope, TurnEnd(session_id="room", fence=start.fence, reply=say("r"))),
        place.stm.renew_lease(place.scope, "room", fence=start.fence),
        place.stm.append_messages(place.scope, "room", messages=[say("z")]),
        place.stm.put_notes(place.scope, "room", notes=SessionNotes()),
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


async def test_a_client_id_seen_before_appends_nothing(place: Deployment) -> None:
    first = await place.stm.append_messages(
        place.scope, "room", messages=[say("a", client_id="c/1"), say("b", client_id="c/2")]
    )
    second = await place.other.append_messages(
        place.scope,
        "room",
        messages=[say("b", client_id="c/2"), say("c", client_id="c/3"), say("c", client_id="c/3"), say("d")],
    )
    assert second.message_ids[0] == first.message_ids[1]
    assert second.message_ids[1] == second.message_ids[2]
    assert [(m.seq, m.text, m.body.client_id) for m in second.new] == [(3, "c", "c/3"), (4, "d", None)]
    assert second.session.last_seq == 4
    assert await read_texts(place.stm, place.scope, "room") == ["a", "b", "c", "d"]


async def test_a_message_keeps_when_it_was_said_and_when_it_came(place: Deployment) -> None:
    old = say("long ago").model_copy(update={"created_at_ms": 1_000})
    done = await place.stm.append_messages(place.scope, "room", messages=[old])
    (kept,) = await place.stm.read_messages(place.scope, "room", after_seq=0, limit=5)
    assert kept == done.new[0]
    assert kept.created_at_ms == 1_000
    assert abs(kept.received_at_ms - place.clock.now_ms()) < 5_000


async def test_messages_are_read_page_by_page(place: Deployment) -> None:
    await place.stm.append_messages(place.scope, "room", messages=[say(f"m{i}") for i in range(7)])
    pages = [
        [m.text for m in await place.stm.read_messages(place.scope, "room", after_seq=seq, limit=3)]
        for seq in (0, 3, 6, 7)
    ]
    assert pages == [["m0", "m1", "m2"], ["m3", "m4", "m5"], ["m6"], []]
    assert await place.stm.read_messages(place.scope, "none", after_seq=0, limit=3) == []


async def test_notes_are_replaced_as_one_piece(place: Deployment) -> None:
    notes = SessionNotes(system="Be kind.", timezone="Asia/Shanghai", ttl_seconds=60)
    made = await place.stm.put_notes(place.scope, "room", notes=notes)
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
    await take_turn(place.stm, place.scope, "s1", "a")
    place.advance(500)
    await take_turn(place.stm, place.scope, "s1", "b")
    place.advance(500)
    assert await read_texts(place.stm, place.scope, "s1") == ["a", "re: a", "b", "re: b"]
    place.advance(700)
    with pytest.raises(Missing):
        await place.stm.read_session(place.scope, "s1", window_tokens=WIDE)
    assert await place.stm.list_sessions(place.scope, limit=5, before_ms=None) == []
    assert await place.stm.read_messages(place.scope, "s1", after_seq=0, limit=5) == []


async def test_an_expired_session_begins_anew_and_still_owes_its_old_messages(place: Deployment) -> None:
    old = await take_turn(place.stm, place.scope, "room", "old")
    place.advance(601)
    new = await take_turn(place.stm, place.scope, "room", "new")
    assert new.session.epoch > old.session.epoch
    assert new.message.seq == 1
    assert await read_texts(place.stm, place.scope, "room") == ["new", "re: new"]
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
    assert await read_texts(place.stm, place.scope, "room") == ["new", "re: new"]


async def test_archiving_empties_the_tail_and_leaves_the_window(place: Deployment) -> None:
    for number in range(5):
        await take_turn(place.stm, place.scope, "room", f"q{number}")
    await take_turn(place.stm, place.scope, "other", "elsewhere")
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
    assert len(await read_texts(place.stm, place.scope, "room")) == 10


async def test_what_is_archived_and_out_of_the_window_goes(place: Deployment) -> None:
    for number in range(50):
        await take_turn(place.stm, place.scope, "room", f"q{number}")
    await _archive(place, "room", window_tokens=95)
    messages = await place.stm.read_messages(place.scope, "room", after_seq=0, limit=200)
    assert [message.seq for message in messages] == list(range(92, 101))
    await take_turn(place.stm, place.scope, "room", "next")
    session = await place.stm.read_session(place.scope, "room", window_tokens=95)
    assert [message.seq for message in session.window] == list(range(94, 103))
    await _archive(place, "room", window_tokens=1)
    kept = await place.stm.read_messages(place.scope, "room", after_seq=0, limit=200)
    assert [message.text for message in kept] == ["q48", "re: q48", "q49", "re: q49", "next", "re: next"]


async def test_a_client_id_is_known_as_long_as_its_message_is_held(place: Deployment) -> None:
    messages = [say(f"m{i}", tokens=50, client_id=f"c{i}") for i in range(40)]
    first = await place.stm.append_messages(place.scope, "room", messages=messages)
    await _archive(place, "room", window_tokens=200)
    again = await place.stm.append_messages(
        place.scope, "room", messages=[say("m39", client_id="c39"), say("m0", client_id="c0")]
    )
    assert again.message_ids[0] == first.message_ids[39]
    assert [message.text for message in again.new] == ["m0"]


async def test_a_forgotten_message_leaves_the_tail_only(place: Deployment) -> None:
    done = await place.stm.append_messages(place.scope, "room", messages=[say("a"), say("b")])
    assert await place.stm.forget_in_tail(place.scope, [done.message_ids[0], "msg_none"]) == 1
    assert [entry.message.text for entry in await place.stm.read_tail(place.scope)] == ["b"]
    assert await read_texts(place.stm, place.scope, "room") == ["a", "b"]


async def test_sessions_are_listed_by_their_last_use_page_by_page(place: Deployment) -> None:
    for number in range(7):
        await place.stm.append_messages(place.scope, f"s{number}", messages=[say("x")])
    await place.stm.append_messages(place.scope, "s2", messages=[say("y")])
    listed: list[str] = []
    before: int | None = None
    while page := await place.stm.list_sessions(place.scope, limit=3, before_ms=before):
        listed += [session.id for session in page]
        before = page[-1].last_at_ms
    assert listed == ["s2", "s6", "s5", "s4", "s3", "s1", "s0"]


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


async def test_the_tail_holds_the_masked_body_and_the_window_the_one_that_was_said(place: Deployment) -> None:
    new = NewMessage(
        id="msg_secret",
        role="user",
        body=MessageBody(content="my key is sk-original"),
        kept_body=MessageBody(content="my key is sk-******"),
        tokens=8,
    )
    await place.stm.append_messages(place.scope, "room", messages=[new])
    _, tail = await place.other.find_session(place.scope, "other", window_tokens=1_000)
    assert [each.message.text for each in tail] == ["my key is sk-******"]
    said = await place.stm.read_session(place.scope, "room", window_tokens=1_000)
    assert [message.text for message in said.window] == ["my key is sk-original"]
    # What the process has opened for the one session is not what it shows to another.
    here, _ = await place.stm.find_session(place.scope, "room", window_tokens=1_000)
    assert here is not None
    assert [message.text for message in here.window] == ["my key is sk-original"]
    _, tail = await place.stm.find_session(place.scope, "other", window_tokens=1_000)
    assert [each.message.text for each in tail] == ["my key is sk-******"]


async def test_an_ended_scope_turns_everybody_away_and_keeps_nothing(place: Deployment) -> None:
    await take_turn(place.stm, place.scope, "s1", "one", claim=Claim(key="k", body_hash="b"))
    await take_turn(place.stm, place.scope, "s2", "two")
    await place.stm.end_scope(place.scope)
    for stm in (place.stm, place.other):
        with pytest.raises(Missing) as caught:
            await stm.append_messages(place.scope, "s1", messages=[say("late")])
        assert caught.value.code == "scope_ended"
        with pytest.raises(Missing):
            await stm.read_tail(place.scope)
    keys, caches = await place.stm.erase_scope(place.scope)
    assert (keys >= 3, caches) == (True, 1)
    assert await place.stm.erase_scope(place.scope) == (0, 0)
    with pytest.raises(Missing):
        await take_turn(place.other, place.scope, "s1", "still ended")
    heir = Scope(tenant_id=place.scope.tenant_id, scope_id=place.scope.scope_id, generation=2)
    assert await place.stm.list_sessions(heir, limit=9, before_ms=None) == []


async def test_ending_one_scope_leaves_those_with_a_like_id(place: Deployment) -> None:
    other = Scope(tenant_id=place.scope.tenant_id, scope_id=f"{place.scope.scope_id}0")
    await take_turn(place.stm, other, "s1", "stays")
    await take_turn(place.stm, place.scope, "s1", "goes")
    await place.stm.end_scope(place.scope)
    await place.stm.erase_scope(place.scope)
    assert await read_texts(place.stm, other, "s1") == ["stays", "re: stays"]
