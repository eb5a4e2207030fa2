"""What a message states without commanding it: conflicts with stored fields, and values to propose.

A plain statement that contradicts a field asks whether the record should follow; one that says what stands
already does nothing; everything else waits as a proposal, or is kept at once where the schema says `auto`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from shared.language.model_orders import gives_orders
from shared.ltm.authority import is_outranked
from shared.ltm.edit import MaskField, Why
from shared.ltm.field_edit import write_field
from shared.ltm.proposals import Proposal, propose_update
from shared.ltm.schema import Schema
from shared.ltm.tombstones import normal_value
from shared.model.pending import PendingOrigin, PendingUpdate
from shared.model.turn import CommandOutcome
from shared.ports.ltm import LtmWriter
from shared.turn.reading import Reading

_PLAIN = 0.9


@dataclass(frozen=True, slots=True)
class Offers:
    """New proposals, fields kept at once, and paths where a business system has the last word."""

    pending: tuple[PendingUpdate, ...] = ()
    outcomes: tuple[CommandOutcome, ...] = ()
    outranked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Said:
    """One value said of one path."""

    path: str
    value: Any
    quote: str
    confidence: float
    is_plain: bool


@dataclass(slots=True)
class _Gathering:
    keep_days: int
    pending: list[PendingUpdate] = field(default_factory=list)
    outcomes: list[CommandOutcome] = field(default_factory=list)
    outranked: list[str] = field(default_factory=list)


def offer_statements(
    writer: LtmWriter,
    reading: Reading,
    *,
    schema: Schema,
    why_of: Callable[[str], Why],
    keep_days: int,
    mask: MaskField,
) -> Offers:
    """Propose what the message states; the last value said of a path counts."""
    found = _Gathering(keep_days)
    for said in _all_said(reading):
        if gives_orders(said.value):
            continue
        path = schema.find(said.path)
        why = why_of(said.quote)
        if path.is_list:
            items = said.value if isinstance(said.value, list) else [said.value]
            for item in items:
                _propose(writer, said, value=item, origin="rule", why=why, found=found)
            continue
        standing = writer.field(said.path)
        differs = standing is not None and normal_value(standing.value) != normal_value(said.value)
        if standing is not None and not differs:
            continue
        if differs and is_outranked("user", standing):
            found.outranked.append(said.path)
        elif path.policy == "auto" and not is_outranked("rule", standing):
            why = why.model_copy(update={"origin": "rule"})
            kept = write_field(writer, said.path, value=said.value, why=why, mask=mask)
            old = standing.value if standing else None
            found.outcomes.append(CommandOutcome(kind="set", path=said.path, old=old, new=kept.value))
        else:
            origin: PendingOrigin = "heartbeat" if differs and said.is_plain else "rule"
            _propose(writer, said, value=said.value, origin=origin, why=why, found=found)
    return Offers(tuple(found.pending), tuple(found.outcomes), tuple(found.outranked))


def _all_said(reading: Reading) -> list[_Said]:
    found: dict[str, _Said] = {}
    for statement in reading.statements:
        found[statement.path] = _Said(
            statement.path, statement.value, statement.quote, confidence=_PLAIN, is_plain=True
        )
    for candidate in reading.candidates:
        plain = found.get(candidate.path)
        found[candidate.path] = _Said(
            candidate.path,
            candidate.value,
            candidate.quote,
            confidence=candidate.confidence,
            is_plain=plain is not None and normal_value(plain.value) == normal_value(candidate.value),
        )
    return list(found.values())


def _propose(
    writer: LtmWriter,
    said: _Said,
    *,
    value: Any,
    origin: PendingOrigin,
    why: Why,
    found: _Gathering,
) -> None:
    is_item = isinstance(said.value, list)
    proposal = Proposal(
        op="append" if is_item else "set",
        path=said.path,
        new=value,
        text=str(value),
        quote=why.source.quote,
        origin=origin,
        confidence=said.confidence,
        is_restated=said.is_plain,
    )
    update, is_new = propose_update(writer, proposal, why=why, keep_days=found.keep_days)
    if update is not None and (is_new or origin == "heartbeat"):
        found.pending.append(update)
