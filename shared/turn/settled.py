"""What stands in the head tells nothing that is gone, and no value that a field answers otherwise. Pure.

Digests, summaries, key facts and results quote what was said once. Since then the user may have rejected,
deleted or forgotten it, or a field may hold another value, which its own card shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final

from shared.ids import made_at_ms
from shared.language.numbers import find_numbers
from shared.ltm.index import normal_text
from shared.ltm.schema import Schema
from shared.model.memory import Ended
from shared.model.message import SessionNotes
from shared.model.pending import Tombstone
from shared.model.session_state import Summary
from shared.stm.gone import Gone, cut_summary, gone_of, leave_out_gone, tells_gone
from shared.stm.withheld import NO_SPANS, Spans, notes_outside
from shared.turn.standing import Standing
from shared.turn.superseded import drop_superseded, former_words

_BINDING: Final = frozenset({"prohibition", "requirement"})


def settle(
    standing: Standing,
    *,
    tombstones: Sequence[Tombstone],
    values: Mapping[str, Any],
    schema: Schema,
    ended: Sequence[Ended] = (),
    spans: Spans = NO_SPANS,
) -> Standing:
    """Return what stands without what is gone or superseded, and what `values` (fields by path) answer.

    `spans` are forgotten: what was lifted from them is gone, however it reads.
    """
    notes, summary, digest = standing.notes, standing.summary, standing.digest
    has_words = summary is not None or digest is not None or notes.key_facts or notes.results
    gone = gone_of(tombstones) if has_words else ()
    if gone:
        forgotten = gone_of(stone for stone in tombstones if stone.cause != "rejected")
        notes = _notes_without(notes, gone, forgotten=forgotten)
    if spans:
        notes = notes_outside(notes, spans)
    if ended and notes.key_facts:
        facts = drop_superseded(notes.key_facts, ended, values=values, schema=schema)
        notes = notes.model_copy(update={"key_facts": facts})
    if summary is not None:
        summary = _without_answered(leave_out_gone(summary, gone), values, schema=schema)
    if digest is not None:
        left = _without_answered(leave_out_gone(digest.summary, gone), values, schema=schema)
        left = cut_summary(left, lambda text: is_outdated(text, values, schema=schema))
        if former := former_words(ended):
            left = cut_summary(left, lambda text: any(words in normal_text(text) for words in former))
        digest = digest.model_copy(update={"summary": left})
    kept = tuple(text for text in standing.kept if not is_outdated(text, values, schema=schema))
    return replace(standing, notes=notes, summary=summary, digest=digest, kept=kept)


def _notes_without(notes: SessionNotes, gone: Sequence[Gone], *, forgotten: Sequence[Gone]) -> SessionNotes:
    """Return notes without what is gone; who rejects a proposal takes back no prohibition or requirement."""
    facts = [
        fact
        for fact in notes.key_facts
        if not _is_gone(fact.text, fact.message_id, gone=forgotten if fact.kind in _BINDING else gone)
    ]
    results = [result for result in notes.results if not _is_gone(result.quote, result.message_id, gone=gone)]
    return notes.model_copy(update={"key_facts": tuple(facts), "results": tuple(results)})


def _is_gone(text: str, message_id: str, *, gone: Sequence[Gone]) -> bool:
    return tells_gone(text, gone, said_at_ms=made_at_ms(message_id) or 0)


def _without_answered(summary: Summary, values: Mapping[str, Any], *, schema: Schema) -> Summary:
    """Return a summary without labelled values that a field answers: its card shows what holds."""
    pairs = {
        label: value
        for label, value in summary.confirmed.items()
        if not any(span.path.path in values for span in schema.find_labels(label))
    }
    return summary.model_copy(update={"confirmed": pairs})


def is_outdated(text: str, values: Mapping[str, Any], *, schema: Schema) -> bool:
    """Whether a text gives a labelled number another value than the label's field has now."""
    held = [values[span.path.path] for span in schema.find_labels(text) if span.path.path in values]
    numbers = {Decimal(str(value)) for value in held if type(value) in {int, float}}
    said = {number.value for number in find_numbers(text)} if numbers else set()
    return bool(said) and said.isdisjoint(numbers)
