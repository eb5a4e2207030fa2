"""Turns and claims keep their contract: one at a time, in order, each once."""

from __future__ import annotations

import asyncio
from typing import Literal

import pytest

from shared.errors import Conflict, KeyReused
from shared.ports.stm import Claim, TurnEnd
from tests.contracts.conftest import WIDE, Deployment, read_texts, say, take_turn

ROOMS = ("room", "hall")


async def test_thirty_turns_at_once_run_one_by_one(place: Deployment) -> None:
    async def take(number: int) -> None:
        stm = place.patient[number % 2]
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
    first = await place.patient[0].begin_turn(
        place.scope, "room", message=say("q"), claim=None, window_tokens=WIDE
    )

    async def take(text: str) -> None:
        await take_turn(place.patient[len(text) % 2], place.scope, "room", text)

    async with asyncio.TaskGroup() as group:
        for number in range(5):
            group.create_task(take(f"w{number}"))
            await asyncio.sleep(0.2)
        await place.stm.finish_turn(place.scope, TurnEnd(session_id="room", fence=first.fence, reply=None))
    texts = await read_texts(place.stm, place.scope, "room")
    assert [text for text in texts if text.startswith("w")] == [f"w{number}" for number in range(5)]


async def test_a_turn_that_waits_too_long_is_told_so_and_leaves_nothing(place: Deployment) -> None:
    start = await place.stm.begin_turn(place.scope, "room", message=say("q"), claim=None, window_tokens=WIDE)

    async def hold() -> None:
        while True:
            await asyncio.sleep(0.05)
            assert await place.stm.renew_lease(place.scope, "room", fence=start.fence)

    holder = asyncio.create_task(hold())
    claim = Claim(key="k", body_hash="b")
    with pytest.raises(Conflict) as caught:
        await place.other.begin_turn(
            place.scope, "room", message=say("late"), claim=claim, window_tokens=WIDE
        )
    holder.cancel()
    assert caught.value.code == "session_busy"
    assert await read_texts(place.stm, place.scope, "room") == ["q"]
    await place.stm.finish_turn(place.scope, TurnEnd(session_id="room", fence=start.fence, reply=None))
    again = await take_turn(place.stm, place.scope, "room", "late", claim=claim)
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
    assert not await place.stm.renew_lease(place.scope, "room", fence=slow.fence)
    with pytest.raises(Conflict) as caught:
        await place.stm.finish_turn(
            place.scope, TurnEnd(session_id="room", fence=slow.fence, reply=say("r", role="assistant"))
        )
    assert caught.value.code == "lease_lost"
    assert await place.other.renew_lease(place.scope, "room", fence=quick.fence)
    assert await read_texts(place.stm, place.scope, "room") == ["slow", "quick"]


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
    first = await take_turn(place.stm, place.scope, "room", "q", claim=claim)
    again = await place.other.begin_turn(
        place.scope, "room", message=say("q"), claim=claim, window_tokens=WIDE
    )
    assert again.replayed == '{"a":1}'
    assert again.message == first.message
    assert await read_texts(place.stm, place.scope, "room") == ["q", "re: q"]
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
    await take_turn(place.stm, place.scope, "room", "q", claim=claim)
    place.advance(86_400 + 1)
    later = await take_turn(place.stm, place.scope, "room", "q", claim=claim)
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
    assert await read_texts(place.stm, place.scope, "room") == ["q"]


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
    assert await read_texts(place.stm, place.scope, "room") == ["q", "half a rep"]


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


async def test_a_claimed_request_runs_once(place: Deployment) -> None:
    claim = Claim(key="k", body_hash="b")
    assert await place.stm.claim_request(place.scope, claim) is None
    with pytest.raises(Conflict) as caught:
        await place.other.claim_request(place.scope, claim)
    assert caught.value.code == "idempotency_running"
    await place.stm.settle_request(place.scope, claim, result_json='{"id":"mem_1"}')
    assert await place.other.claim_request(place.scope, claim) == '{"id":"mem_1"}'
    with pytest.raises(KeyReused):
        await place.other.claim_request(place.scope, Claim(key="k", body_hash="c"))
    await place.stm.settle_request(place.scope, claim, result_json=None)
    assert await place.other.claim_request(place.scope, Claim(key="k", body_hash="c")) is None


async def test_a_request_whose_holder_died_may_be_claimed_again(place: Deployment) -> None:
    claim = Claim(key="k", body_hash="b")
    assert await place.stm.claim_request(place.scope, claim) is None
    await asyncio.sleep(0.3)
    assert await place.stm.claim_request(place.scope, claim) is None


async def test_who_has_lost_a_claim_settles_nothing(place: Deployment) -> None:
    late, heir = (Claim(key="k", body_hash="b", holder=name) for name in ("late", "heir"))
    assert await place.stm.claim_request(place.scope, late) is None
    await asyncio.sleep(0.3)
    assert await place.other.claim_request(place.scope, heir) is None
    for result in (None, '{"late":1}'):
        await place.stm.settle_request(place.scope, late, result_json=result)
        with pytest.raises(Conflict) as caught:
            await place.stm.claim_request(place.scope, late)
        assert caught.value.code == "idempotency_running"
    with pytest.raises(Conflict):
        await place.stm.append_messages(place.scope, "room", messages=[say("q")], claim=late)
    await place.other.settle_request(place.scope, heir, result_json='{"heir":1}')
    await place.stm.settle_request(place.scope, late, result_json=None)
    assert await place.stm.claim_request(place.scope, late) == '{"heir":1}'


@pytest.mark.parametrize("end", ["died", "failed"])
async def test_a_claimed_append_happens_once_whatever_became_of_its_reply(
    place: Deployment, end: Literal["died", "failed"]
) -> None:
    await place.stm.append_messages(place.scope, "room", messages=[say("sure?", role="assistant")])
    batch = [say("yes"), say("seen", client_id="c/1"), say("and tea")]
    first_try = Claim(key="k", body_hash="b", holder="1", session_id="room")
    assert await place.stm.claim_request(place.scope, first_try) is None
    first = await place.stm.append_messages(place.scope, "room", messages=batch, claim=first_try)
    if end == "died":
        await asyncio.sleep(0.3)
    else:
        await place.stm.settle_request(place.scope, first_try, result_json=None)
    await place.other.append_messages(place.scope, "room", messages=[say("meanwhile")])

    second_try = first_try.model_copy(update={"holder": "2"})
    assert await place.other.claim_request(place.scope, second_try) is None
    again = [message.model_copy(update={"id": f"{message.id}x"}) for message in batch]
    second = await place.other.append_messages(place.scope, "room", messages=again, claim=second_try)
    assert second.message_ids == first.message_ids
    assert [(m.id, m.seq, m.text) for m in second.new] == [
        (m.id, m.seq, m.text) for m in first.new if m.body.client_id is None
    ]
    assert second.before == first.before
    assert second.before is not None
    texts = await read_texts(place.stm, place.scope, "room")
    assert texts == ["sure?", "yes", "seen", "and tea", "meanwhile"]
    with pytest.raises(KeyReused):
        await place.stm.claim_request(place.scope, Claim(key="k", body_hash="c"))
    await place.other.settle_request(place.scope, second_try, result_json="{}")
    assert await place.stm.claim_request(place.scope, first_try) == "{}"


async def test_a_claimed_append_of_a_session_that_ended_since_is_not_repeated(place: Deployment) -> None:
    claim = Claim(key="k", body_hash="b", session_id="room")
    await place.stm.claim_request(place.scope, claim)
    first = await place.stm.append_messages(place.scope, "room", messages=[say("a")], claim=claim)
    await place.stm.settle_request(place.scope, claim, result_json=None)
    place.advance(601)
    await place.stm.append_messages(place.scope, "room", messages=[say("new life")])
    await place.other.claim_request(place.scope, claim)
    second = await place.other.append_messages(place.scope, "room", messages=[say("a")], claim=claim)
    assert (second.message_ids, second.new) == (first.message_ids, ())
    assert await read_texts(place.stm, place.scope, "room") == ["new life"]


async def ask_again(place: Deployment, claim: Claim) -> str | None:
    """Return what a request under a key is told: its kept reply, or why there is none."""
    try:
        return await place.other.claim_request(place.scope, claim)
    except (Conflict, KeyReused) as refused:
        return refused.code


async def test_a_reply_goes_with_its_session_and_no_retry_brings_it_back(place: Deployment) -> None:
    requests = [Claim(key=f"r-{name}", body_hash="b", session_id=name) for name in ROOMS]
    turns = [Claim(key=f"t-{name}", body_hash="b") for name in ROOMS]
    late = Claim(key="late", body_hash="b", holder="1", session_id="room")
    await place.stm.claim_request(place.scope, late)
    for name, request, turn in zip(ROOMS, requests, turns, strict=True):
        await take_turn(place.stm, place.scope, name, "q", claim=turn)
        await place.stm.claim_request(place.scope, request)
        await place.stm.settle_request(place.scope, request, result_json='{"a":1}')

    await place.stm.delete_session(place.scope, "room")
    await place.stm.settle_request(place.scope, late, result_json='{"words":1}')
    with pytest.raises(Conflict) as caught:
        await place.stm.append_messages(place.scope, "room", messages=[say("words")], claim=late)
    assert caught.value.code == "reply_forgotten"
    for claim in (requests[0], turns[0], late):
        assert await ask_again(place, claim) == "reply_forgotten"
    other_body = Claim(key="late", body_hash="c")
    assert await ask_again(place, other_body) == "idempotency_mismatch"
    with pytest.raises(KeyReused) as reused:
        await place.stm.claim_request(place.scope, other_body)
    assert reused.value.field == "Idempotency-Key"
    assert reused.value.detail[0].isupper()
    assert [await ask_again(place, claim) for claim in (requests[1], turns[1])] == ['{"a":1}'] * 2

    await place.stm.forget_sessions(place.scope)
    assert [await ask_again(place, claim) for claim in (requests[1], turns[1])] == ["reply_forgotten"] * 2
    with pytest.raises(Conflict) as caught:
        await take_turn(place.stm, place.scope, "hall", "q", claim=turns[1])
    assert caught.value.code == "reply_forgotten"
    assert await place.stm.list_sessions(place.scope, limit=9, before_ms=None) == []
    place.advance(86_401)
    fresh = await take_turn(place.stm, place.scope, "hall", "q", claim=turns[1])
    assert (fresh.replayed, fresh.message.seq) == (None, 1)


async def test_a_reply_that_tells_what_was_forgotten_is_not_told_again(place: Deployment) -> None:
    turn, append, memory, other = (Claim(key=key, body_hash="b", session_id="room") for key in "tamo")
    start = await take_turn(place.stm, place.scope, "room", "q", claim=turn)
    for claim in (append, memory, other):
        await place.stm.claim_request(place.scope, claim)
    done = await place.stm.append_messages(place.scope, "room", messages=[say("w")], claim=append)
    await place.stm.settle_request(place.scope, append, result_json="{}")
    await place.stm.settle_request(place.scope, memory, result_json="{}", told_ids=["mem_1"])
    await place.stm.settle_request(place.scope, other, result_json="{}", told_ids=["mem_10"])

    await place.stm.forget_in_tail(place.scope, [start.message.id, done.message_ids[0], "mem_1"])
    with pytest.raises(Conflict) as caught:
        await take_turn(place.other, place.scope, "room", "q", claim=turn)
    assert caught.value.code == "reply_forgotten"
    for claim in (append, memory):
        with pytest.raises(Conflict) as caught:
            await place.other.claim_request(place.scope, claim)
        assert caught.value.code == "reply_forgotten"
    assert await place.other.claim_request(place.scope, other) == "{}"
    assert await read_texts(place.stm, place.scope, "room") == ["q", "re: q", "w"]
