"""Rows that stand in no index, put behind those that do so that one code ranks both. Pure.

They are messages that no archive has taken yet, and memories of the past where a question asks for it. A
fresh row's id is negative: -1 for the first, -2 for the next, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shared.ltm.index import MAX_INDEXED_CHARS
from shared.model.memory import Episode, Memory
from shared.model.message import TailMessage
from shared.model.recall import RowRecord, ScopeRows


def newest_within(tail: Sequence[TailMessage], *, chars: int) -> Sequence[TailMessage]:
    """Return the messages that are described within so many characters, the newest before the others.

    A long one that no longer fits is passed over, and found once it is archived.
    """
    costs = [min(len(each.message.text), MAX_INDEXED_CHARS) for each in tail]
    if sum(costs) <= chars:
        return tail
    kept = []
    for each, cost in zip(reversed(tail), reversed(costs), strict=True):
        if cost <= chars:
            kept.append(each)
            chars -= cost
    return kept[::-1]


def with_tail(
    rows: ScopeRows, *, records: Sequence[RowRecord], fresh: Sequence[Memory | Episode]
) -> ScopeRows:
    """Return `rows` followed by the fresh ones, whose sessions count as sessions of their own."""
    if not records:
        return rows
    names = {name: number for number, name in enumerate(rows.speakers)}
    first_session = int(rows.session.max(initial=-1)) + 1
    sessions: dict[tuple[str, int], int] = {}
    places = [_place_of(row) for row in fresh]
    for session, _ in places:
        sessions.setdefault(session, first_session + len(sessions))
    for record in records:
        names.setdefault(record.speaker, len(names))
    mentions = [mention for record in records for mention in record.mentions]
    offsets = np.cumsum([len(record.mentions) for record in records]) + len(rows.mention_start)
    starts, ends = (np.array([mention[side] for mention in mentions], dtype=np.int32) for side in (0, 1))
    own_sessions = [sessions[session] for session, _ in places]
    return ScopeRows(
        row_ids=np.concatenate([rows.row_ids, -1 - np.arange(len(records), dtype=np.int64)]),
        session=_extended(rows.session, own_sessions),
        seq=_extended(rows.seq, [seq for _, seq in places]),
        length=_extended(rows.length, [len(record.terms) for record in records]),
        day=_extended(rows.day, [record.day for record in records]),
        speaker=_extended(rows.speaker, [names[record.speaker] for record in records]),
        ends_with_question=np.concatenate(
            [rows.ends_with_question, np.array([record.ends_with_question for record in records])]
        ),
        has_time_expression=np.concatenate(
            [rows.has_time_expression, np.array([record.has_time_expression for record in records])]
        ),
        mention_offsets=np.concatenate([rows.mention_offsets, offsets.astype(np.int32)]),
        mention_start=np.concatenate([rows.mention_start, starts]),
        mention_end=np.concatenate([rows.mention_end, ends]),
        speakers=tuple(names),
    )


def _place_of(row: Memory | Episode) -> tuple[tuple[str, int], int]:
    """Return a row's session and its place there; a memory stands alone."""
    if isinstance(row, Memory):
        return (row.id, 0), 0
    return (row.session_key, row.epoch), row.message.seq


def _extended(column: np.typing.NDArray[np.int32], values: Sequence[int]) -> np.typing.NDArray[np.int32]:
    return np.concatenate([column, np.array(values, dtype=np.int32)])
