"""Failure stories about short-term memory, each played as it is told; names in brackets are theirs."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.stack import Stack, User
from tests.fakes.upstream import Script, Upstream

pytestmark = pytest.mark.e2e

THOUGHT = "private chain about salary"


def thinking(text: str) -> Script:
    """Return a reply that thinks aloud before it speaks."""
    events = [
        {"choices": [{"index": 0, "delta": {"reasoning_content": THOUGHT, "content": None}}]},
        {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": "stop"}]},
    ]
    lines = [f"data: {json.dumps(event)}\n\n" for event in events]
    return Script(raw="".join([*lines, "data: [DONE]\n\n"]).encode())


def newcomer(stack: Stack, name: str) -> User:
    return stack.user(f"{name}-{uuid.uuid4().hex[:8]}")


def held_anywhere(user: User, session_id: str) -> str:
    """Return everything that a reader of the API may see of a session and of memory."""
    return json.dumps(
        [
            user.history(session_id),
            user.get(f"/v1/sessions/{session_id}"),
            user.get("/v1/memories"),
            user.get("/v1/pending"),
            user.search("salary chain"),
        ],
        ensure_ascii=False,
    )


def test_reasoning_is_no_part_of_the_reply_and_never_leaves_the_turn(
    model_stack: Stack, upstream: Upstream
) -> None:
    """[SSE-06] Nor do jobs or other requests see it: by default it is not even kept."""
    user = newcomer(model_stack, "sse6")
    upstream.play(thinking("42"))
    turn = user.turn("s1", "q1")
    assert turn["reply"]["content"] == "42"
    user.turn("s1", "q2")
    user.flush("s1")
    assert THOUGHT not in held_anywhere(user, "s1")
    assert THOUGHT not in user.prompt("s1", "q3")
    mine = [body for body in upstream.requests if "q1" in json.dumps(body)]
    assert mine
    assert all(THOUGHT not in json.dumps(body) for body in mine)


@pytest.fixture
def thinkers(folder: Path, upstream: Upstream, request: pytest.FixtureRequest) -> Iterator[User]:
    environ = {"BILAYER_LLM_BASE_URL": upstream.base_url, "BILAYER_LLM_ECHO_REASONING": request.param}
    with Stack(folder, environ=environ) as stack:
        yield newcomer(stack, "sse6")


def echoed(user: User) -> list[Any]:
    """Return what of each assistant message's reasoning a turn would give back."""
    answer = user.client.post("/v1/sessions/s1/context", json={"message": "q9"}).json()
    return [item.get("reasoning_content") for item in answer["messages"] if item["role"] == "assistant"]


CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}


@pytest.mark.parametrize(
    ("thinkers", "kept"), [("always", [THOUGHT, "of a call"]), ("tool_turns", [None, "of a call"])],
    indirect=["thinkers"],
)  # fmt: skip
def test_reasoning_goes_back_to_a_model_that_demands_it(
    thinkers: User, upstream: Upstream, kept: list[Any]
) -> None:
    """[SSE-06] The switch: it goes back to the model, and is no part of what is shown or recalled."""
    upstream.play(thinking("42"))
    assert thinkers.turn("s1", "q1")["reply"]["content"] == "42"
    messages = [
        {"role": "user", "content": "q2"},
        {"role": "assistant", "content": None, "tool_calls": [CALL], "reasoning_content": "of a call"},
        {"role": "tool", "content": "r", "tool_call_id": "c1"},
    ]
    thinkers.client.post("/v1/sessions/s1/messages", json={"messages": messages}).raise_for_status()
    assert echoed(thinkers) == kept
    thinkers.turn("s1", "q3")
    sent = [item.get("reasoning_content") for item in upstream.requests[-1]["messages"]]
    assert [thought for thought in sent if thought] == [thought for thought in kept if thought]
    thinkers.flush("s1")
    for thought in (THOUGHT, "of a call"):
        assert thought not in held_anywhere(thinkers, "s1")
