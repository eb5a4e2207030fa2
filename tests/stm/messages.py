"""Messages for the tests of short-term memory, in one line each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shared.language.tokens import message_tokens
from shared.model.message import Content, Message, MessageBody, MessageState, Role


def make_message(
    seq: int,
    role: Role,
    content: Content,
    *,
    state: MessageState = "complete",
    turn_id: str | None = None,
    **body: Any,
) -> Message:
    """Return a message whose tokens are counted."""
    tokens = message_tokens(
        role,
        content,
        name=body.get("name"),
        tool_calls=body.get("tool_calls"),
        tool_call_id=body.get("tool_call_id"),
    )
    return Message(
        id=f"msg_{seq}",
        seq=seq,
        role=role,
        body=MessageBody(content=content, **body),
        tokens=tokens,
        turn_id=turn_id,
        state=state,
        created_at_ms=seq,
        received_at_ms=seq,
    )


def make_calls(*ids: str) -> list[dict[str, Any]]:
    """Return tool calls as an assistant's message carries them."""
    return [
        {"id": call, "type": "function", "function": {"name": "find", "arguments": '{"q": 1}'}}
        for call in ids
    ]


def talk(*turns: tuple[Role, str]) -> list[Message]:
    """Return plain messages, numbered from 1."""
    return [make_message(seq, role, text) for seq, (role, text) in enumerate(turns, 1)]


def find_faults(items: Sequence[dict[str, Any]]) -> list[str]:
    """Return what a strict provider would refuse in a request."""
    faults: list[str] = []
    awaited: list[str] = []
    previous = "system"
    for item in items:
        role = item["role"]
        if role == "tool":
            if item["tool_call_id"] not in awaited:
                faults.append("a result without its call")
            else:
                awaited.remove(item["tool_call_id"])
        elif awaited:
            faults.append("a call without all its results")
        if role == previous != "tool" and role != "system":
            faults.append(f"two messages of {role} in a row")
        if role == "system" and previous != "system":
            faults.append("a system message in the middle")
        if previous == "system" and role not in {"system", "user"}:
            faults.append(f"the first message is {role}")
        if not item.get("content") and role != "tool" and not item.get("tool_calls"):
            faults.append(f"an empty message of {role}")
        awaited += [call["id"] for call in item.get("tool_calls", ())]
        previous = role
    return faults + ["a call without all its results"] * bool(awaited)
