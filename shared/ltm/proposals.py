"""Proposals: what may wait for the user at all, and how long.

Nothing is proposed that stands already, waits already, or was rejected or forgotten. What the user states
anew after a rejection is proposed once more, with the date of the rejection; a forgotten value is not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from shared.ids import new_id
from shared.language.model_orders import gives_orders
from shared.ltm.edit import Why
from shared.ltm.index import normal_text
from shared.ltm.tombstones import keys_of, normal_value
from shared.model.memory import MemoryKind
from shared.model.moment import to_ms
from shared.model.pending import PendingOp, PendingOrigin, PendingUpdate
from shared.ports.ltm import LtmReader, LtmWriter, PendingFilter

MAX_OPEN: Final = 50
DAY_MS: Final = 86_400_000


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change to propose. `is_restated`: the user says it plainly, now, and in their own words.

    For a text to remember: its kind, the text `old` of the memory that it `replaces`, when it ends.
    """

    op: PendingOp
    path: str | None
    new: Any
    text: str
    quote: str
    origin: PendingOrigin
    confidence: float
    is_restated: bool = False
    kind: MemoryKind = "fact"
    old: Any = None
    replaces: str | None = None
    lasts_until_ms: int | None = None
    is_flagged: bool = False


def propose_update(
    writer: LtmWriter, proposal: Proposal, *, why: Why, keep_days: int
) -> tuple[PendingUpdate | None, bool]:
    """Keep a proposal and return it (True: new), or the one that waits already; None where it may not.

    An order to a model may never.
    """
    if gives_orders(proposal.new) or _stands(writer, proposal):
        return None, False
    key = _key(proposal.op, path=proposal.path, value=proposal.new)
    waiting = writer.open_update_like(key)
    if waiting is not None:
        return waiting, False
    barred = writer.tombstones(keys_of(proposal.path, proposal.new))
    if barred and not (
        proposal.is_restated and all(_may_return(stone.cause, stone.restated) for stone in barred)
    ):
        return None, False
    for stone in barred:
        writer.note_restated(stone.id)
    if proposal.op == "set" and proposal.path is not None:
        supersede_updates(writer, proposal.path)
    standing = writer.field(proposal.path) if proposal.path is not None else None
    at_ms = to_ms(why.at)
    update = PendingUpdate(
        id=new_id("pen"),
        op=proposal.op,
        path=proposal.path,
        old=standing.value if standing else proposal.old,
        new=proposal.new,
        text=proposal.text,
        quote=proposal.quote,
        message_id=why.source.message_ids[0] if why.source.message_ids else None,
        session_id=why.source.session_id,
        origin=proposal.origin,
        confidence=proposal.confidence,
        created_at_ms=at_ms,
        expires_at_ms=at_ms + keep_days * DAY_MS,
        rejected_at_ms=barred[-1].at_ms if barred else None,
        kind=proposal.kind,
        replaces=proposal.replaces,
        lasts_until_ms=proposal.lasts_until_ms,
        is_flagged=proposal.is_flagged,
    )
    writer.add_update(update, key=key, most_open=MAX_OPEN)
    return update, True


def supersede_updates(writer: LtmWriter, path: str) -> None:
    """End the open proposals that would set this path: something newer has been said of it."""
    for update in writer.pending_updates(PendingFilter(path=path, limit=MAX_OPEN)):
        if update.op == "set":
            writer.close_update(update.id, status="superseded")


def _may_return(cause: str, restated: bool) -> bool:
    return cause == "rejected" and not restated


def find_open(reader: LtmReader, *, op: PendingOp, path: str | None, value: Any) -> PendingUpdate | None:
    """The open proposal of just this change; None where none waits."""
    return reader.open_update_like(_key(op, path=path, value=value))


def _key(op: PendingOp, *, path: str | None, value: Any) -> str:
    return f"{op}:{path or ''}={normal_value(value)}"


def _stands(reader: LtmReader, proposal: Proposal) -> bool:
    """True where the change would change nothing."""
    if proposal.path is None:
        return reader.memory_with_text(normal_text(str(proposal.new))) is not None
    standing = reader.field(proposal.path)
    if proposal.op == "append":
        items = standing.value if standing is not None else []
        return normal_value(proposal.new) in {normal_value(item) for item in items}
    if proposal.op == "remove":
        items = standing.value if standing is not None else []
        return normal_value(proposal.new) not in {normal_value(item) for item in items}
    return standing is not None and normal_value(standing.value) == normal_value(proposal.new)
