"""What applying a message needs, and what one command of it came to. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, tzinfo

from shared.extraction.command import Command
from shared.ltm.edit import MaskField, Why
from shared.ltm.schema import Schema
from shared.model.pending import PendingUpdate
from shared.model.turn import CommandOutcome
from shared.turn.forgetting import ForgetChoice
from shared.turn.said_of import Redaction


@dataclass(frozen=True, slots=True)
class Applying:
    """What applying needs beside the words: who, when, the tenant's rules."""

    why: Why
    schema: Schema
    mask: MaskField
    mask_text: Callable[[str], str]
    today: date
    keep_days: int
    may_resolve: bool = True

    @property
    def zone(self) -> tzinfo | None:
        """The user's zone."""
        return self.why.at.tzinfo

    def quoting(self, quote: str) -> Why:
        """Return the reason with the words that it rests on, secrets masked."""
        source = self.why.source.model_copy(update={"quote": self.mask_text(quote)})
        return self.why.model_copy(update={"source": source})


@dataclass(frozen=True, slots=True)
class Done:
    """The outcome of a command (None: it said nothing to memory), and what there is to ask and to forget.

    `request` is the command's quote where it had something forgotten.
    """

    outcome: CommandOutcome | None
    pending: Sequence[PendingUpdate] = ()
    message_ids: Sequence[str] = ()
    choice: ForgetChoice | None = None
    redaction: Redaction | None = None
    request: str = ""


def refused(command: Command, reason: str) -> Done:
    outcome = CommandOutcome(
        kind=command.kind, path=command.path, new=command.text, outcome="refused", reason=reason
    )
    return Done(outcome)
