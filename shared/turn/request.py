"""What a turn is asked with: the message under its ids, and the rules of the tenant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from shared.errors import InvalidInput
from shared.language.synonyms import DEFAULT_SYNONYMS, Synonyms
from shared.language.tokens import estimate_tokens
from shared.ltm.edit import MaskField
from shared.ltm.schema import Schema
from shared.model.message import EchoReasoning, NewMessage
from shared.ports.directory import NO_VERSIONS, TenantVersions
from shared.ports.stm import Claim
from shared.stm.key_facts import FindSecrets, no_secrets
from shared.stm.lift import LiftRules
from shared.turn.heartbeat import HeartbeatPolicy

_OWN_TOKENS = 400


@dataclass(frozen=True, slots=True)
class TurnLimits:
    """Bounds in tokens: the whole prompt, the reply, and the block of recalled records."""

    prompt_tokens: int
    reply_tokens: int
    recall_tokens: int


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """A user's message to one session, who sent it, and under which ids it will stand.

    `may_resolve` is False for an agent's key: what it says is proposed, and confirms nothing. `action` names
    the front's button, for the audit.
    """

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
    may_resolve: bool = True
    action: str | None = None


@dataclass(frozen=True, slots=True)
class AppendRequest:
    """Messages for one session, oldest first, who sends them, and the idempotency key they came under."""

    session_id: str
    messages: Sequence[NewMessage]
    timezone: str | None
    actor: str
    request_id: str
    may_resolve: bool = True
    claim: Claim | None = None


@dataclass(frozen=True, slots=True)
class TurnRules:
    """What a tenant's settings say of turns; `mask_text` masks the secrets in a text.

    `versions` are those of the tenant's own documents that these rules were made of.
    """

    schema: Schema
    mask: MaskField
    mask_text: Callable[[str], str]
    limits: TurnLimits
    heartbeat: HeartbeatPolicy
    pending_days: int = 7
    find_secrets: FindSecrets = no_secrets
    echo_reasoning: EchoReasoning = "never"
    synonyms: Synonyms = DEFAULT_SYNONYMS
    versions: TenantVersions = NO_VERSIONS

    @property
    def lift(self) -> LiftRules:
        """What of a message is kept in the session's notes."""
        return LiftRules(prompt_tokens=self.limits.prompt_tokens, find_secrets=self.find_secrets)


def system_room(prompt_tokens: int) -> int:
    """Return the tokens that a system text may take: the prompt's, less our own words and a short message."""
    return prompt_tokens - min(_OWN_TOKENS, prompt_tokens // 2)


def check_system_text(text: str, *, prompt_tokens: int) -> None:
    """Raise `InvalidInput` for a system text that leaves no room for anything else in the prompt."""
    tokens, room = estimate_tokens(text), system_room(prompt_tokens)
    if tokens > room:
        raise InvalidInput(
            f"system takes about {tokens} tokens and a system text of this deployment has room for {room}; "
            "shorten it, or raise BILAYER_WINDOW_TOKENS.",
            code="system_too_long",
            field="system",
        )
