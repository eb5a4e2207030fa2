"""Turning what passed the gate into proposals, inside one transaction.

A proposal waits for the user. Only where the tenant says so for a low-risk kind, and the words are the user's
own about themselves, certain, and contradict nothing, is a memory stored at once (`origin: model`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, Final

from shared.extraction.candidates import Decision, Known, claim_of, decide_items, relate
from shared.extraction.evidence import Grounded
from shared.extraction.expiry import last_day_of
from shared.extraction.held_values import HeldValues
from shared.extraction.importance import importance_of
from shared.extraction.kinds import settle_kind
from shared.ltm.authority import is_outranked
from shared.ltm.edit import StatedMemory, Why, write_memory
from shared.ltm.proposals import MAX_OPEN, Proposal, propose_update
from shared.ltm.schema import Schema
from shared.model.memory import MemoryKind, Source
from shared.model.moment import to_ms
from shared.ports.ltm import LtmReader, LtmWriter, MemoryFilter, PendingFilter
from shared.stm.topic_words import matches_topic

AUTO_CONFIDENCE: Final = 0.7
MAX_COMPARED: Final = 2_000
LOW_RISK: Final[frozenset[MemoryKind]] = frozenset({"preference", "fact", "event", "decision"})


@dataclass(frozen=True, slots=True)
class Proposing:
    """Whose words, from which session, by which job; kinds that are stored without asking."""

    session_id: str
    why: Why
    keep_days: int
    schema: Schema
    auto_kinds: frozenset[MemoryKind] = frozenset()


@dataclass(slots=True)
class Outcome:
    """How many were proposed and stored, and why the others were not."""

    proposed: int = 0
    stored: int = 0
    rejected: dict[str, int] | None = None

    def reject(self, reason: str, count: int = 1) -> None:
        """Count a reason."""
        self.rejected = self.rejected or {}
        if count:
            self.rejected[reason] = self.rejected.get(reason, 0) + count


def read_known(reader: LtmReader) -> list[Known]:
    """What stands already: fields and memories, the newest 2,000."""
    rows = [
        Known(str(field.value), path=field.path, value=field.value, store="field", id=field.path)
        for field in reader.fields()
    ]
    rows += [
        Known(memory.text, kind=memory.kind, store="memory", id=memory.id)
        for memory in reader.memories(MemoryFilter(limit=MAX_COMPARED))
    ]
    return rows


def related_rows(found: Sequence[Grounded], known: Sequence[Known]) -> list[Known]:
    """The rows that any item has to do with; it is decided before a transaction, so that that stays short."""
    claims = [claim_of(each) for each in found]
    return [row for row in known if any(relate(claim, row) != "other" for claim in claims)]


def read_waiting(reader: LtmReader) -> list[Known]:
    """What waits for the user, and what was rejected or forgotten."""
    rows = [
        Known(
            update.text, path=update.path, value=update.new, kind=update.kind, store="pending", id=update.id
        )
        for update in reader.pending_updates(PendingFilter(limit=MAX_OPEN))
    ]
    rows += [
        Known(str(stone.value), store="tombstone", id=stone.id)
        for stone in reader.tombstones()
        if stone.path is None
    ]
    return rows


def propose_items(
    writer: LtmWriter, found: Sequence[Grounded], *, known: Sequence[Known], proposing: Proposing
) -> Outcome:
    """Propose what is new, touch what is known, bury what was rejected; returns what became of it."""
    outcome = Outcome()
    topics = [topic.topic for topic in writer.topics()]
    rows = [*_living(writer, known), *read_waiting(writer)]
    held = HeldValues.read(writer, found, schema=proposing.schema)
    for decision in decide_items(found, rows):
        reason = decision.reason or held.reason_against(decision.grounded, writer)
        if reason is not None:
            outcome.reject(reason)
        elif any(matches_topic(decision.grounded.text, topic) for topic in topics):
            outcome.reject("banned")
        else:
            _propose(writer, decision, proposing=proposing, outcome=outcome)
    return outcome


def _living(writer: LtmWriter, known: Sequence[Known]) -> list[Known]:
    """The rows that still stand in this transaction; they were read before it, so that it stays short."""
    return [
        row
        for row in known
        if row.store != "memory"
        or ((memory := writer.memory(row.id)) is not None and memory.status == "active")
    ]


def _propose(writer: LtmWriter, decision: Decision, *, proposing: Proposing, outcome: Outcome) -> None:
    found, replaces = decision.grounded, decision.replaces
    item = found.item
    kind = settle_kind(item.kind, found.said.text[slice(*_clause_of(found))])
    if item.path is not None and item.op != "remember":
        standing = writer.field(item.path)
        if is_outranked("user", standing):
            outcome.reject("outranked")
            return
    why = _why(found, proposing)
    until_ms = _until_ms(last_day_of(found.quote, kind=kind, said_on=found.said.day), why.at)
    if _is_automatic(decision, kind, auto_kinds=proposing.auto_kinds):
        stated = StatedMemory(
            text=found.text, kind=kind, importance=importance_of(kind, found.text), expires_at_ms=until_ms
        )
        _, is_new = write_memory(writer, stated, why=why)
        outcome.stored += is_new
        return
    old, row_id = _replaced(writer, replaces)
    proposal = Proposal(
        op=item.op,
        path=None if item.op == "remember" else item.path,
        new=found.value,
        text=found.text if item.op == "remember" else str(found.value),
        quote=found.quote,
        origin=item.origin,
        confidence=item.confidence,
        kind=kind,
        old=old,
        replaces=row_id,
        lasts_until_ms=until_ms,
        is_flagged=found.is_flagged,
    )
    update, is_new = propose_update(writer, proposal, why=why, keep_days=proposing.keep_days)
    if update is None:
        outcome.reject("tombstone")
    elif is_new:
        outcome.proposed += 1
    else:
        outcome.reject("duplicate")


def _clause_of(found: Grounded) -> tuple[int, int]:
    start, end = found.place[1], found.place[1] + len(found.quote)
    touched = [each.span for each in found.said.clauses if each.span.start < end and start < each.span.end]
    return min([start, *(each.start for each in touched)]), max([end, *(each.end for each in touched)])


def _replaced(writer: LtmWriter, replaces: Known | None) -> tuple[Any, str | None]:
    """What a proposal would replace: the memory's text and id. An open proposal gives way at once."""
    if replaces is None or replaces.store == "field":
        return None, None
    if replaces.store == "memory":
        return replaces.text, replaces.id
    waiting = writer.pending_update(replaces.id)
    writer.close_update(replaces.id, status="superseded")
    return (None, None) if waiting is None else (waiting.old, waiting.replaces)


def _is_automatic(decision: Decision, kind: MemoryKind, *, auto_kinds: frozenset[MemoryKind]) -> bool:
    found = decision.grounded
    return (
        kind in auto_kinds & LOW_RISK
        and found.item.op == "remember"
        and found.item.subject == "user"
        and not found.is_flagged
        and decision.replaces is None
        and found.item.confidence >= AUTO_CONFIDENCE
    )


def _why(found: Grounded, proposing: Proposing) -> Why:
    source = Source(session_id=proposing.session_id, message_ids=(found.said.message_id,), quote=found.quote)
    return proposing.why.model_copy(update={"source": source, "origin": found.item.origin})


def _until_ms(day: date | None, at: datetime) -> int | None:
    """The end of a day in the user's zone."""
    if day is None:
        return None
    return to_ms(datetime.combine(day + timedelta(days=1), time.min, tzinfo=at.tzinfo))
