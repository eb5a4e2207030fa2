"""A session's messages sent once more beside new ones: only what is new answers a question."""

from __future__ import annotations

from typing import Any

import pytest

from shared.model.pending import PendingUpdate
from shared.privacy.mask import mask_secrets
from shared.turn.append import append_messages, read_new_messages
from shared.turn.request import AppendRequest
from tests.turn.test_wired_prompt import NOW, Talk

BUDGET = "business_context.budget.ceiling"
BLANK = dict.fromkeys(("id", "name", "created_at", "tool_calls", "tool_call_id", "asks_pending"))


async def _send(talk: Talk, *given: dict[str, Any]) -> None:
    new = read_new_messages(
        [{**BLANK, **each} for each in given], now_ms=talk.clock.now_ms(), mask=mask_secrets
    )
    request = AppendRequest("s", new, timezone=None, actor="key", request_id="req", may_resolve=True)
    await append_messages(talk.scope, request, rules=talk.rules, now=NOW, stm=talk.stm, ltm=talk.ltm)


async def _propose(talk: Talk) -> str:
    now_ms = talk.clock.now_ms()
    update = PendingUpdate(
        id="pen_1",
        op="set",
        path=BUDGET,
        new=500_000,
        text="500000",
        quote="预算五十万",
        message_id="msg_1",
        session_id="s",
        origin="rule",
        confidence=0.9,
        created_at_ms=now_ms,
        expires_at_ms=now_ms + 86_400_000,
    )
    await talk.ltm.write(talk.scope, lambda writer: writer.add_update(update, key="k", most_open=50))
    return update.id


async def _status(talk: Talk) -> str:
    update = await talk.ltm.read(talk.scope, lambda reader: reader.pending_update("pen_1"))
    assert update is not None
    return update.status


@pytest.mark.parametrize(("yes", "other"), [("确认", "今天天气不错"), ("Yes", "nice weather today")])
async def test_a_yes_of_before_the_question_confirms_nothing_when_it_is_sent_again(
    yes: str, other: str
) -> None:
    talk = Talk(6_000)
    asked = {"role": "assistant", "content": "…?", "id": "c/2", "asks_pending": [await _propose(talk)]}
    earlier = {"role": "user", "content": yes, "id": "c/1"}
    await _send(talk, earlier)
    await _send(talk, asked)
    await _send(talk, earlier, asked, {"role": "user", "content": other, "id": "c/3"})
    assert await _status(talk) == "open"


@pytest.mark.parametrize("yes", ["确认", "Yes"])
async def test_a_new_yes_answers_the_question_before_it_whatever_is_sent_with_it(yes: str) -> None:
    talk = Talk(6_000)
    first = {"role": "assistant", "content": "hello", "id": "c/1"}
    asked = {"role": "assistant", "content": "…?", "id": "c/2", "asks_pending": [await _propose(talk)]}
    await _send(talk, first)
    await _send(talk, asked)
    await _send(talk, first, {"role": "user", "content": yes, "id": "c/3"})
    assert await _status(talk) == "confirmed"
