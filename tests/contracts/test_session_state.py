"""What a session carries beside its messages, on every engine: notes by version, summaries, what leaves."""

from __future__ import annotations

from decimal import Decimal

import pytest

from shared.errors import Conflict, Missing
from shared.model.job import DueWork
from shared.model.message import MessageBody, SessionNotes
from shared.model.session_state import AssistantResult, KeyFact, SessionSummary, Summary, TaskCard
from shared.ports.stm import TurnEnd
from tests.contracts.conftest import WIDE, Deployment, read_texts, say, take_turn

FULL = SessionNotes(
    system="Be kind.",
    key_facts=(KeyFact(kind="prohibition", label=None, text="不要用红色", message_id="msg_1"),),
    results=(
        AssistantResult(label="方案", value=Decimal(850000), unit="CNY", quote="85 万", message_id="m"),
    ),
    task_card=TaskCard(intent="登记", done={"姓名": "李雷"}, waiting=("地址",)),
    banned_topics=("孩子",),
    instructions=("说话像老北京",),
    lifted_to=3,
)


def summary_to(to_seq: int, *, version: int = 1) -> SessionSummary:
    """Return a summary of all messages up to one."""
    words = Summary(text=f"up to {to_seq}")
    return SessionSummary(summary=words, version=version, to_seq=to_seq, made_at_ms=1, made_by="rule")


async def test_notes_come_back_whole_and_count_their_versions(place: Deployment) -> None:
    first = await place.stm.put_notes(place.scope, "room", notes=FULL, notes_version=0)
    assert (first.notes, first.notes_version) == (FULL, 1)
    second = await place.other.put_notes(place.scope, "room", notes=SessionNotes(), notes_version=1)
    assert (second.notes, second.notes_version) == (SessionNotes(), 2)


async def test_notes_made_from_old_ones_are_refused_and_change_nothing(place: Deployment) -> None:
    start = await place.patient[0].begin_turn(
        place.scope, "room", message=say("q"), claim=None, window_tokens=WIDE
    )
    await place.other.put_notes(place.scope, "room", notes=FULL)
    end = TurnEnd(session_id="room", fence=start.fence, reply=say("r"), notes=SessionNotes(), notes_version=0)
    with pytest.raises(Conflict) as caught:
        await place.stm.finish_turn(place.scope, end)
    assert caught.value.code == "notes_moved"
    assert await read_texts(place.stm, place.scope, "room") == ["q"]
    with pytest.raises(Conflict):
        await place.stm.put_notes(place.scope, "room", notes=SessionNotes(), notes_version=0)
    with pytest.raises(Conflict):
        await place.stm.append_messages(
            place.scope, "room", messages=[say("x")], notes=SessionNotes(), notes_version=0
        )
    reply = await place.stm.finish_turn(place.scope, end.model_copy(update={"notes_version": 1}))
    assert reply is not None
    assert await read_texts(place.stm, place.scope, "room") == ["q", "r"]
    with pytest.raises(Conflict):
        await place.stm.put_notes(place.scope, "fresh", notes=SessionNotes(), notes_version=4)
    with pytest.raises(Missing):
        await place.stm.read_session(place.scope, "fresh", window_tokens=0)


async def test_a_summary_stands_for_its_messages_and_only_archived_ones_leave(place: Deployment) -> None:
    for number in range(6):
        await take_turn(place.stm, place.scope, "room", f"q{number}")
    read, messages = await place.stm.read_open(place.scope, await key_of(place), limit=100)
    assert read is not None
    assert (len(messages), read.open_tokens) == (12, 120)
    assert await place.stm.store_summary(place.scope, read, summary=summary_to(6), window_tokens=WIDE)
    session = await place.other.read_session(place.scope, "room", window_tokens=WIDE)
    assert session.summary == summary_to(6)
    assert (session.compacted_to, session.open_tokens, session.window[0].seq) == (6, 60, 7)
    held = await place.stm.read_messages(place.scope, "room", after_seq=0, limit=50)
    assert len(held) == 12
    await place.stm.mark_archived(
        place.scope, session.key, epoch=session.epoch, to_seq=12, window_tokens=WIDE
    )
    held = await place.stm.read_messages(place.scope, "room", after_seq=0, limit=50)
    assert [message.seq for message in held] == [7, 8, 9, 10, 11, 12]
    _, left = await place.stm.read_open(place.scope, session.key, limit=2)
    assert [message.seq for message in left] == [7, 8]


async def test_a_summary_of_an_old_view_is_refused(place: Deployment) -> None:
    for number in range(4):
        await take_turn(place.stm, place.scope, "room", f"q{number}")
    read, _ = await place.stm.read_open(place.scope, await key_of(place), limit=100)
    assert read is not None
    await take_turn(place.other, place.scope, "room", "meanwhile")
    assert not await place.stm.store_summary(place.scope, read, summary=summary_to(99), window_tokens=WIDE)
    assert await place.stm.store_summary(place.scope, read, summary=summary_to(2), window_tokens=WIDE)
    assert not await place.other.store_summary(place.scope, read, summary=summary_to(4), window_tokens=WIDE)
    session = await place.stm.read_session(place.scope, "room", window_tokens=WIDE)
    assert (session.compacted_to, session.last_seq) == (2, 10)
    assert [message.text for message in session.window][-2:] == ["meanwhile", "re: meanwhile"]
    await place.stm.delete_session(place.scope, "room")
    assert not await place.stm.store_summary(place.scope, session, summary=summary_to(6), window_tokens=WIDE)


async def test_messages_and_a_summary_are_put_in_the_place_of_those_that_stand(place: Deployment) -> None:
    for number in range(3):
        await take_turn(place.stm, place.scope, "room", f"q{number}")
    read, held = await place.stm.read_open(place.scope, await key_of(place), limit=100)
    assert read is not None
    assert await place.stm.store_summary(place.scope, read, summary=summary_to(2), window_tokens=WIDE)
    read = await place.stm.read_session(place.scope, "room", window_tokens=0)
    new = [each.model_copy(update={"body": MessageBody(content="")}) for each in held[2:4]]
    stray = new[0].model_copy(update={"id": "msg_other"})
    far = new[0].model_copy(update={"seq": 99})
    summary = summary_to(2, version=7)
    replaced = await place.other.rewrite_session(
        place.scope, read, messages=[*new, stray, far], summary=summary
    )
    session = await place.stm.read_session(place.scope, "room", window_tokens=WIDE)
    assert replaced == 2
    assert session.window == (*new, *held[4:])
    assert session.summary == summary
    assert (session.open_tokens, session.last_seq) == (read.open_tokens, read.last_seq)
    assert await place.stm.rewrite_session(place.scope, read, messages=[], summary=None) == 0
    assert (await place.stm.read_session(place.scope, "room", window_tokens=0)).summary == summary


async def test_a_summary_that_came_meanwhile_is_not_replaced(place: Deployment) -> None:
    for number in range(3):
        await take_turn(place.stm, place.scope, "room", f"q{number}")
    read, held = await place.stm.read_open(place.scope, await key_of(place), limit=100)
    assert read is not None
    assert await place.other.store_summary(place.scope, read, summary=summary_to(4), window_tokens=WIDE)
    new = held[5].model_copy(update={"body": MessageBody(content="new")})
    old = summary_to(2, version=7)
    assert await place.stm.rewrite_session(place.scope, read, messages=[new], summary=old) == 1
    session = await place.stm.read_session(place.scope, "room", window_tokens=WIDE)
    assert session.summary == summary_to(4)
    assert session.window == (held[4], new)
    await place.stm.delete_session(place.scope, "room")
    assert await place.stm.rewrite_session(place.scope, read, messages=[new], summary=old) == 0


async def test_a_compaction_is_due_over_the_mark_and_not_again_until_as_much_has_come(
    place: Deployment,
) -> None:
    await place.stm.append_messages(place.scope, "room", messages=[say("a", tokens=2_000)])
    assert await due_compactions(place) == []
    await place.stm.append_messages(place.scope, "room", messages=[say("b", tokens=1_000)])
    (work,) = await due_compactions(place)
    assert await due_compactions(place) == []
    assert not await place.due.settle_due(work)
    await place.stm.append_messages(place.scope, "room", messages=[say("c", tokens=1_000)])
    assert await due_compactions(place) == []
    await place.stm.append_messages(place.scope, "room", messages=[say("d", tokens=1_000)])
    assert await due_compactions(place) == [work]
    await place.due.bury_due(work)
    await place.stm.append_messages(place.scope, "room", messages=[say("e", tokens=1_000)])
    assert await due_compactions(place) == []
    await place.stm.append_messages(place.scope, "room", messages=[say("f", tokens=1_000)])
    assert await due_compactions(place) == [work]
    await place.stm.delete_session(place.scope, "room")
    place.advance(100)
    assert await due_compactions(place) == []


async def key_of(place: Deployment) -> str:
    """Return the key of the session `room`."""
    return (await place.stm.read_session(place.scope, "room", window_tokens=0)).key


async def due_compactions(place: Deployment) -> list[DueWork]:
    """Lease what is due; return the compactions."""
    return [work for work, _ in await place.due.take_due(limit=9, lease_seconds=60) if work.job == "compact"]


async def test_notes_made_of_a_session_that_was_deleted_are_not_put_back(place: Deployment) -> None:
    start = await place.stm.append_messages(place.scope, "room", messages=[say("q")])
    made = {"notes": FULL, "notes_version": start.session.notes_version, "epoch": start.session.epoch}
    await place.stm.delete_session(place.scope, "room")
    for _ in range(2):
        with pytest.raises(Conflict) as caught:
            await place.other.put_notes(place.scope, "room", **made)  # type: ignore[arg-type]
        assert caught.value.code == "notes_moved"
        again = await place.stm.append_messages(place.scope, "room", messages=[say("anew")])
        assert again.session.notes == SessionNotes()
    kept = await place.other.put_notes(
        place.scope, "room", notes=FULL, notes_version=0, epoch=again.session.epoch
    )
    assert kept.notes == FULL
