"""What a turn is asked with: the message under its ids, and the rules of the tenant."""

from __future__ import annotations

from dataclasses import dataclass

from shared.errors import InvalidInput
from shared.language.tokens import estimate_tokens
from shared.ltm.edit import MaskField
from shared.ltm.schema import Schema
from shared.ports.stm import Claim


@dataclass(frozen=True, slots=True)
class TurnLimits:
    """Bounds in tokens: the whole prompt, the reply, and the block of recalled records."""

    prompt_tokens: int
    reply_tokens: int
    recall_tokens: int


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """A user's message to one session, who sent it, and under which ids it will stand."""

    turn_id: str
    message_id: str
    reply_id: str
    session_id: str
    message: str
    actor: str
    request_id: str
    system: str | None = None
    timezone: str | None = None
    claim: Claim | None = None


@dataclass(frozen=True, slots=True)
class TurnRules:
    """What a tenant's settings say of turns."""

    schema: Schema
    mask: MaskField
    limits: TurnLimits


def check_system_text(text: str, *, prompt_tokens: int) -> None:
    """Raise `InvalidInput` for a system text that leaves no room for anything else in the prompt."""
    tokens = estimate_tokens(text)
    if tokens >= prompt_tokens:
        raise InvalidInput(
            f"system takes about {tokens} tokens and a prompt of this deployment has {prompt_tokens}; "
            "shorten it, or raise BILAYER_WINDOW_TOKENS.",
            code="system_too_long",
            field="system",
        )
