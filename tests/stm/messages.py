"""Messages for the tests of short-term memory, in one line each."""

from __future__ import annotations

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
