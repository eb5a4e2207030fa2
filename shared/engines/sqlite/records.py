"""How a row's record and its terms are written down before they are sealed.

The record is small and fixed, so that ten thousand of them are read by numpy in one go; the terms
stand apart, since they are needed only to take a row out of the index.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shared.engines.sqlite.packing import pack_text, unpack_text
from shared.model.recall import BoolArray, IntArray, LongArray, RowRecord

_HEAD = struct.Struct("<IIIiHB")
_HEAD_TYPE = np.dtype(
    [
        ("session_no", "<u4"),
        ("seq", "<u4"),
        ("length", "<u4"),
        ("day", "<i4"),
        ("mentions", "<u2"),
        ("flags", "u1"),
    ]
)
_MENTION_BYTES = 8
_MOST_MENTIONS = 65_535
_QUESTION = 1
_TIME = 2
_PLAIN_MODE = b"P"
_JSON_MODE = b"J"
_CONTROL = re.compile("[\x00-\x1f]")
_RUN = "\x01"
_BETWEEN = "\n"
_DATES = "\x02"
_FIRST_WIDE = "\x80"
_PAIR = 2


def pack_record(record: RowRecord, *, session_no: int, seq: int) -> bytes:
    """Return the part of a record that scoring needs. `session_no` 0 marks a memory."""
    mentions = record.mentions[:_MOST_MENTIONS]
    flags = record.ends_with_question * _QUESTION | record.has_time_expression * _TIME
    head = _HEAD.pack(session_no, seq, len(record.terms), record.day, len(mentions), flags)
    days = [day for mention in mentions for day in mention]
    return head + struct.pack(f"<{len(days)}i", *days) + record.speaker.encode()


@dataclass(frozen=True, slots=True)
class RawRows:
    """Rows as they were read, in the order of their ids; `mention_days` holds first and last in turn."""

    row_ids: LongArray
    session_no: IntArray
    seq: IntArray
    length: IntArray
    day: IntArray
    question: BoolArray
    time: BoolArray
    mentions: IntArray
    mention_days: IntArray
    speaker: IntArray
    speakers: tuple[str, ...]


COLUMNS = tuple(name for name in RawRows.__slots__ if name != "speakers")


def unpack_records(row_ids: Sequence[int], packed: Sequence[bytes], *, speakers: tuple[str, ...]) -> RawRows:
    """Return the rows of many records; `speakers` are those known already, new ones come after them."""
    heads = np.frombuffer(b"".join([record[: _HEAD.size] for record in packed]), dtype=_HEAD_TYPE)
    ends = (_HEAD.size + _MENTION_BYTES * heads["mentions"].astype(np.int64)).tolist()
    days = b"".join([record[_HEAD.size : end] for record, end in zip(packed, ends, strict=True)])
    numbers = {speaker.encode(): number for number, speaker in enumerate(speakers)}
    said_by = [
        numbers.setdefault(record[end:], len(numbers)) for record, end in zip(packed, ends, strict=True)
    ]
    return RawRows(
        row_ids=np.array(row_ids, dtype=np.int64),
        session_no=heads["session_no"].astype(np.int32),
        seq=heads["seq"].astype(np.int32),
        length=heads["length"].astype(np.int32),
        day=heads["day"].astype(np.int32),
        question=(heads["flags"] & _QUESTION) != 0,
        time=(heads["flags"] & _TIME) != 0,
        mentions=heads["mentions"].astype(np.int32),
        mention_days=np.frombuffer(days, dtype="<i4").astype(np.int32),
        speaker=np.array(said_by, dtype=np.int32),
        speakers=tuple(name.decode() for name in numbers),
    )


def join_rows(parts: Sequence[RawRows]) -> RawRows:
    """Return the rows of all parts; each was unpacked with the speakers of the one before it."""
    if len(parts) == 1:
        return parts[0]
    joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in COLUMNS}
    return RawRows(**joined, speakers=parts[-1].speakers)


def rows_from(rows: RawRows, row_id: int) -> RawRows:
    """Return the rows from an id on."""
    start = int(np.searchsorted(rows.row_ids, row_id))
    if not start:
        return rows
    kept = {name: getattr(rows, name)[start:] for name in COLUMNS}
    kept["mention_days"] = rows.mention_days[_PAIR * int(rows.mentions[:start].sum()) :]
    return RawRows(**kept, speakers=rows.speakers)


def pack_terms(terms: Sequence[str], date_terms: Sequence[str]) -> bytes:
    """Return the terms in order.

    Bigrams that overlap (项目 目编 编号) are written as the run they came from (项目编号), which
    halves them.
    """
    if _CONTROL.search("".join((*terms, *date_terms))) or "" in terms or "" in date_terms:
        mode, text = _JSON_MODE, json.dumps([list(terms), list(date_terms)], ensure_ascii=False)
    else:
        mode, text = _PLAIN_MODE, _BETWEEN.join(_join_runs(terms)) + _DATES + _BETWEEN.join(date_terms)
    return mode + pack_text(text)


def unpack_terms(packed: bytes) -> tuple[list[str], list[str]]:
    """Return the terms and the date terms exactly as they were packed."""
    mode, text = packed[:1], unpack_text(packed[1:])
    if mode == _JSON_MODE:
        terms, date_terms = json.loads(text)
        return terms, date_terms
    words, _, dates = text.partition(_DATES)
    return _split_runs(words), dates.split(_BETWEEN) if dates else []


def text_of_terms(packed: bytes) -> str:
    """Return the text terms in a row: enough to tell which characters stand in them."""
    if packed[:1] == _PLAIN_MODE:
        return unpack_text(packed[1:]).partition(_DATES)[0]
    return _BETWEEN.join(unpack_terms(packed)[0])


def _join_runs(terms: Sequence[str]) -> list[str]:
    runs: list[str] = []
    before = ""
    for term in terms:
        is_pair = len(term) == _PAIR and term[0] >= _FIRST_WIDE and term[1] >= _FIRST_WIDE
        if before and is_pair and before[-1] == term[0]:
            runs[-1] += term[1]
        else:
            runs.append(_RUN + term if is_pair else term)
        before = term if is_pair else ""
    return runs


def _split_runs(words: str) -> list[str]:
    terms: list[str] = []
    for word in words.split(_BETWEEN) if words else ():
        if word.startswith(_RUN):
            terms += [word[place : place + _PAIR] for place in range(1, len(word) - 1)]
        else:
            terms.append(word)
    return terms
