"""Proposals that wait for the user, and values that may not return.

A pending update is inert on every read path until the user confirms it. A tombstone keeps a value away
that the user rejected or had forgotten; it is found by keys that `ltm/tombstones` derives from the value.
"""

from __future__ import annotations

from typing import Any, Literal

from shared.model.base import Value
from shared.model.memory import MemoryKind

PendingOp = Literal["set", "append", "remove", "remember"]
PendingOrigin = Literal["rule", "model", "heartbeat", "api"]
PendingStatus = Literal["open", "confirmed", "rejected", "expired", "superseded"]
TombstoneCause = Literal["rejected", "forgotten"]


class PendingUpdate(Value):
    """A proposal: what would change, on which words of the user's, and until when it waits.

    `origin` is "heartbeat" for a conflict with a stored field. `rejected_at_ms` is when the user rejected
    the same value before; None where that never happened. What to remember has a `kind`, and maybe the row
    that it `replaces` and an end; `is_flagged` where it tells the assistant what to do. `stored` is what the
    user confirmed in place of `new`; None where nothing was edited.
    """

    id: str
    op: PendingOp
    path: str | None = None
    old: Any = None
    new: Any = None
    stored: Any = None
    text: str = ""
    quote: str = ""
    message_id: str | None = None
    session_id: str | None = None
    origin: PendingOrigin
    confidence: float
    status: PendingStatus = "open"
    created_at_ms: int
    expires_at_ms: int
    rejected_at_ms: int | None = None
    kind: MemoryKind = "fact"
    replaces: str | None = None
    lasts_until_ms: int | None = None
    is_flagged: bool = False


class Tombstone(Value):
    """A value that may not return; `restated` once it has been proposed anew after a rejection.

    `names` are what the field was called when its value was forgotten, none where that is not known.
    """

    id: str
    path: str | None
    value: Any
    cause: TombstoneCause
    at_ms: int
    restated: bool = False
    names: tuple[str, ...] = ()
