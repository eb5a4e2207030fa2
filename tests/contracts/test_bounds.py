"""What short-term memory reads at once is bounded, whatever users paste."""

from __future__ import annotations

from tests.contracts.conftest import Deployment, read_texts, say


async def test_the_tail_is_bounded(place: Deployment) -> None:
    for start in range(0, 250, 50):
        await place.stm.append_messages(
            place.scope, f"room{start}", messages=[say(f"m{start + i}") for i in range(50)]
        )
    tail = await place.stm.read_tail(place.scope)
    assert [entry.message.text for entry in tail] == [f"m{i}" for i in range(50, 250)]
    assert tail[0].session_id == "room50"


async def test_the_tail_is_bounded_in_bytes_too(place: Deployment) -> None:
    """Every turn reads it: a few pasted books would be read and unsealed each time."""
    long = "书" * 199_000
    for number in range(6):
        await place.stm.append_messages(place.scope, "room", messages=[say(f"{number}{long}")])
    await place.stm.append_messages(place.scope, "room", messages=[say("short")])

    tail = await place.stm.read_tail(place.scope)

    assert [entry.message.text[:5] for entry in tail] == ["3书书书书", "4书书书书", "5书书书书", "short"]
    assert len(await read_texts(place.stm, place.scope, "room")) == 7


async def test_long_messages_are_archived_a_few_at_a_time(place: Deployment) -> None:
    long = ["a" * 190_000, "书" * 190_000, "short", "b" * 150_000, "also short", "c" * 60_000]
    done = await place.stm.append_messages(place.scope, "room", messages=[say(text) for text in long])
    batches = []
    while True:
        session, messages = await place.stm.read_unarchived(place.scope, done.session.key, limit=4)
        if session is None or not messages:
            break
        batches.append([message.seq for message in messages])
        await place.stm.mark_archived(
            place.scope, session.key, epoch=session.epoch, to_seq=messages[-1].seq, window_tokens=1_000_000
        )
    assert batches == [[1], [2], [3, 4, 5], [6]]
