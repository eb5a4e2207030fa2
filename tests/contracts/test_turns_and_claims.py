"""Turns and claims keep their contract: one at a time, in order, each once."""

from __future__ import annotations

import asyncio
from typing import Literal

import pytest

from shared.errors import Conflict, KeyReused
from shared.ports.stm import Claim, TurnEnd
from tests.contracts.conftest import WIDE, Deployment, read_texts, say, take_turn


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
