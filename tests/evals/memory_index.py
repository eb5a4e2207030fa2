"""A scope's rows and postings, built in memory from messages: what the store keeps, for tests."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shared.language.dates import find_dates, has_time_expression
from shared.language.terms import row_terms
from shared.model.recall import Posting, ScopeRows
from shared.recall.rows import NO_SPEAKER, Ints
from tests.evals.sets import Message


@dataclass(frozen=True, slots=True)
class MemoryIndex:
    """The rows of one scope with their postings; `ids[i]` is the message of row i."""

    rows: ScopeRows
    postings: dict[str, Posting]
    speakers: dict[str, int]
    years: tuple[int, ...]
    ids: tuple[str, ...]


def build_index(sessions: Sequence[Sequence[Message]]) -> MemoryIndex:
    """Indexes every message as one row, as the service does when it archives it."""
    messages = [message for session in sessions for message in session]
    terms = [row_terms(message.text) for message in messages]
    speakers: dict[str, int] = {}
    for message in messages:
        speakers.setdefault(message.speaker, len(speakers))
    mentions = [find_dates(message.text, today=message.created_at.date()) for message in messages]
    flat = [span for spans in mentions for span in spans]
    rows = ScopeRows(
        row_ids=np.arange(len(messages), dtype=np.int64),
        session=_ints([number for number, session in enumerate(sessions) for _ in session]),
        seq=_ints([seq for session in sessions for seq in range(len(session))]),
        length=_ints([len(each) for each in terms]),
        day=_ints([message.created_at.date().toordinal() for message in messages]),
        speaker=_ints([speakers.get(message.speaker, NO_SPEAKER) for message in messages]),
        ends_with_question=np.array(
            [message.text.rstrip().endswith(("?", "？")) for message in messages], dtype=np.bool_
        ),
        has_time_expression=np.array(
            [has_time_expression(message.text) for message in messages], dtype=np.bool_
        ),
        mention_offsets=_ints([0, *np.cumsum([len(spans) for spans in mentions])]),
        mention_start=_ints([span.start.toordinal() for span in flat]),
        mention_end=_ints([span.end.toordinal() for span in flat]),
    )
    years = sorted({message.created_at.year for message in messages})
    return MemoryIndex(
        rows, _postings(terms), speakers, tuple(years), tuple(message.id for message in messages)
    )


def _postings(terms: Sequence[Sequence[str]]) -> dict[str, Posting]:
    found: dict[str, tuple[list[int], list[int]]] = {}
    for position, row in enumerate(terms):
        for term, count in Counter(row).items():
            positions, counts = found.setdefault(term, ([], []))
            positions.append(position)
            counts.append(count)
    return {term: Posting(_ints(positions), _ints(counts)) for term, (positions, counts) in found.items()}


def _ints(values: Sequence[int]) -> Ints:
    return np.array(values, dtype=np.int32)
