"""Recalled rows as the prompt shows them, dated in the user's zone; of a long one what answers. Pure.

A message may be longer than all the room that recall has. Whole it would be left out; so the sentences are
shown in which most of the asked words stand, with their neighbours, and an ellipsis where it is cut.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from shared.language.scripts import fold_aligned
from shared.language.terms import query_terms
from shared.language.tokens import estimate_tokens
from shared.model.memory import Memory
from shared.recall.find import Hit
from shared.turn.context import Language, Record
from shared.turn.former import day_of, past_note

SPEAKERS: Final[dict[Language, dict[str, str]]] = {"zh": {"user": "用户", "assistant": "助手"}, "en": {}}
PASSAGE_TOKENS: Final = 300
"""So many tokens of one record are shown at most."""
_ALWAYS_FITS_CHARS: Final = 300
_READ_CHARS: Final = 12_000
"""So much of a text is looked through, around the rarest of the wanted terms: a turn's work has a bound."""
_SENTENCE: Final = re.compile(r"[^。！？!?\n.]{1,200}(?:[。！？!?\n]+|\.(?=\s)|\.)?")


def records_of(hits: Sequence[Hit], *, asked: str, now: datetime, language: Language) -> tuple[Record, ...]:
    """Return hits as the prompt shows them; `asked` says which part of a long one counts."""
    wanted: list[str] | None = None
    records = []
    for hit in hits:
        record = _record_of(hit, now=now, language=language)
        if len(record.text) > _ALWAYS_FITS_CHARS:
            wanted = wanted if wanted is not None else [term.term for term in query_terms(asked)]
            record = record._replace(text=cut_passage(record.text, wanted))
        records.append(record)
    return tuple(records)


def cut_passage(text: str, wanted: Sequence[str], *, max_tokens: int = PASSAGE_TOKENS) -> str:
    """Return the part of a text around the sentence with most of the wanted terms, the rarer the more."""
    begin = _where_to_look(text, wanted)
    whole, text = text, text[begin : begin + _READ_CHARS]
    tokens = estimate_tokens(text)
    if tokens <= max_tokens and text == whole:
        return text
    most_chars = max(len(text) * max_tokens // tokens, 1)
    folded = fold_aligned(text)
    spans = [found.span() for found in _SENTENCE.finditer(text)] or [(0, len(text))]
    weights = {term: 1 / count for term in wanted if (count := folded.count(term))}
    held = [
        sum(weight for term, weight in weights.items() if term in folded[start:end]) for start, end in spans
    ]
    first = last = max(range(len(spans)), key=lambda place: (held[place], -place))
    while spans[last][1] - spans[first][0] < most_chars and (first > 0 or last < len(spans) - 1):
        before = spans[last][1] - spans[first - 1][0] if first > 0 else most_chars + 1
        after = spans[last + 1][1] - spans[first][0] if last < len(spans) - 1 else most_chars + 1
        if min(before, after) > most_chars:
            break
        first, last = (first, last + 1) if after <= before else (first - 1, last)
    start, end = spans[first][0], min(spans[last][1], spans[first][0] + most_chars)
    passage = text[start:end].strip()
    return f"{'…' if begin + start else ''}{passage}{'…' if begin + end < len(whole) else ''}"


def _where_to_look(text: str, wanted: Sequence[str]) -> int:
    """Return where the part of a very long text begins that is looked through."""
    if len(text) <= _READ_CHARS:
        return 0
    lower = text.lower()
    found = [(count, term) for term in wanted if (count := lower.count(term))]
    place = lower.find(min(found)[1]) if found else 0
    return max(min(place - _READ_CHARS // 2, len(text) - _READ_CHARS), 0)


def _record_of(hit: Hit, *, now: datetime, language: Language) -> Record:
    row = hit.row
    if isinstance(row, Memory):
        text, speaker, said_at_ms = row.text, "user", row.created_at_ms
    else:
        message = row.message
        text, speaker, said_at_ms = message.said, message.body.name or message.role, message.created_at_ms
    note = past_note(hit.past, now=now, language=language) if hit.past else ""
    return Record(text, day_of(said_at_ms, now=now), SPEAKERS[language].get(speaker, speaker), note)
