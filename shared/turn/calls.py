"""Tool results and the calls they answer: a result nobody asked for is refused by name. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from shared.errors import InvalidInput
from shared.language.tokens import estimate_tokens
from shared.model.message import NewMessage
from shared.turn.request import system_room


def find_orphan(messages: Sequence[NewMessage], *, called: Collection[str] = ()) -> int | None:
    """Return the place of the first tool result whose call stands nowhere before it; None for none."""
    known = set(called)
    for place, message in enumerate(messages):
        if message.role == "tool" and message.body.tool_call_id not in known:
            return place
        known |= call_ids(message)
    return None


def call_ids(message: NewMessage) -> set[str]:
    """Return the ids of a message's tool calls."""
    calls = message.body.tool_calls or () if message.role == "assistant" else ()
    return {str(call["id"]) for call in calls if call.get("id")}


def refuse_orphan(place: int) -> InvalidInput:
    """Return the refusal of a tool result without its call."""
    return InvalidInput(
        f"messages.{place} answers a tool call that stands nowhere before it; send the assistant's message "
        "with that call first.",
        code="tool_call_unknown",
        field=f"messages.{place}.tool_call_id",
    )


def check_system_messages(messages: Sequence[NewMessage], *, prompt_tokens: int) -> None:
    """Raise `InvalidInput` for a system message that leaves no room for anything else in the prompt."""
    room = system_room(prompt_tokens)
    for place, message in enumerate(messages):
        content = message.body.content
        tokens = estimate_tokens(content) if message.role == "system" and isinstance(content, str) else 0
        if tokens > room:
            raise InvalidInput(
                f"messages.{place}.content takes about {tokens} tokens and a system text of this deployment "
                f"has room for {room}; shorten it, or raise BILAYER_WINDOW_TOKENS.",
                code="system_too_long",
                field=f"messages.{place}.content",
            )
