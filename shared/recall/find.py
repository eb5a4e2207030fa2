"""Finding memories: what the index offers and what no archive has taken yet, ranked by one code.

The index knows no words and the tail no postings; both become rows and postings of the same form here,
so that a message said a second ago competes with one of last year on equal terms. Only the rows that are
answered are unsealed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import lru_cache

import numpy as np

from shared.ltm.index import describe_row, normal_text
from shared.model.memory import Episode, Memory
from shared.model.message import TailMessage
from shared.model.moment import from_ms
from shared.model.recall import Posting, Postings, RowRecord, ScopeRows
from shared.model.scope import Scope
from shared.ports.ltm import LongTermMemory, LtmReader
from shared.ports.stm import ShortTermMemory
from shared.recall.fuse import ABSOLUTE_FLOOR, PromptCut, is_past_cut, order_by_score, prior, reorder_by_prior
from shared.recall.query import plan_query
from shared.recall.rows import RecallQuery, ScoredRows
from shared.recall.score import score_rows
from shared.recall.tail import with_tail
from shared.stm.topics import matches_topic

_LEAST_CHUNK = 8
_TWO = 2
_RECORDS_KEPT = 2_048
_HOUR_MS = 3_600_000
_CHARACTER_ROWS = 500
"""Up to so many rows single characters count beside words; finding them unseals every row's terms."""


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What is looked for. `asked_at` is an aware time in the user's zone; None in a filter means any.

    `turn_budget` bounds the postings read (a turn's recall); None reads all of them (the search API).
    `known_ids` are messages that the reader has before it already; rows that speak of one of
    `banned_topics` are gone before the best are taken. `cut` ends a prompt's rows where they fall behind
    the best one.
    """

    text: str
    asked_at: datetime
    limit: int = 10
    kinds: frozenset[str] | None = None
    since_ms: int | None = None
    until_ms: int | None = None
    include_episodes: bool = True
    known_ids: frozenset[str] = frozenset()
    turn_budget: int | None = None
    banned_topics: tuple[str, ...] = ()
    cut: PromptCut | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A row that answers a query: score 0..1, its parts, and its id in the index (None: in the tail)."""

    row: Memory | Episode
    score: float
    why: Mapping[str, float]
    row_id: int | None


async def find_memories(
    scope: Scope, query: SearchQuery, *, stm: ShortTermMemory, ltm: LongTermMemory
) -> list[Hit]:
    """Return the rows that answer the query, best first; none where nothing is relevant.

    What speaks of a topic that the user has banned for good is no answer: whoever wants it lists memories, or
    lifts the ban.
    """
    tail = await stm.read_tail(scope)

    def work(reader: LtmReader) -> list[Hit]:
        standing = tuple(topic.topic for topic in reader.topics())
        return find_in(reader, replace(query, banned_topics=(*query.banned_topics, *standing)), tail=tail)

    return await ltm.read(scope, work)


def find_in(reader: LtmReader, query: SearchQuery, *, tail: Sequence[TailMessage]) -> list[Hit]:
    """Return the rows that answer the query on one view of long-term memory and the tail."""
    fresh = _fresh_episodes(tail, query)
    records = [_record_of(episode, query.asked_at) for episode in fresh]
    stored = reader.scope_rows()
    rows = with_tail(stored, records=records, episodes=fresh)
    if not len(rows.row_ids):
        return []
    plan = plan_query(
        query.text,
        today=query.asked_at.date(),
        years=_years_of(rows),
        speakers={name: number for number, name in enumerate(rows.speakers)},
    )
    postings = _read_postings(reader, plan, rows=rows, records=records, query=query)
    scored = score_rows(rows, plan, postings=postings)
    return _collect(reader, query, rows=rows, scored=scored, fresh=fresh)


def _fresh_episodes(tail: Sequence[TailMessage], query: SearchQuery) -> list[Episode]:
    """Return the tail in the order of its sessions, without what the reader has before it.

    A turn's own words and its window can be no answer to it. Describing them would cost more than the whole
    search does, and the turn's message would be the best row for its own words.
    """
    if not query.include_episodes:
        return []
    unknown = (message for message in tail if message.message.id not in query.known_ids)
    return sorted(
        map(_episode_of, unknown),
        key=lambda episode: (episode.session_key, episode.epoch, episode.message.seq),
    )


def _episode_of(tail: TailMessage) -> Episode:
    # Made of checked values: checking them again would cost as much as opening them did.
    return Episode.model_construct(
        session_id=tail.session_id, session_key=tail.session_key, epoch=tail.epoch, message=tail.message
    )


def _record_of(episode: Episode, asked_at: datetime) -> RowRecord:
    message = episode.message
    said_at = from_ms(message.created_at_ms).astimezone(asked_at.tzinfo)
    return _describe_once(message.text, message.body.name or message.role, said_at=said_at)


@lru_cache(maxsize=_RECORDS_KEPT)
def _describe_once(text: str, speaker: str, *, said_at: datetime) -> RowRecord:
    """Describe a row of the tail: a message stands there for many turns and never changes."""
    return describe_row(text, speaker=speaker, said_at=said_at)


@lru_cache(maxsize=_RECORDS_KEPT)
def _count_terms(terms: tuple[str, ...]) -> Counter[str]:
    return Counter(terms)


def _years_of(rows: ScopeRows) -> list[int]:
    days = rows.day[rows.day > 0]
    if not len(days):
        return []
    first, last = date.fromordinal(int(days.min())), date.fromordinal(int(days.max()))
    return list(range(first.year, last.year + 1))


def _read_postings(
    reader: LtmReader,
    plan: RecallQuery,
    *,
    rows: ScopeRows,
    records: Sequence[RowRecord],
    query: SearchQuery,
) -> Postings:
    words = [term.term for term in plan.terms if not term.single_character]
    first = len(rows.row_ids) - len(records)
    # Where all there could be is within the budget, the rarest terms need not be found out first.
    budget = None if first * len(words) <= (query.turn_budget or 0) else query.turn_budget
    postings = dict(reader.postings(words, budget=budget))
    has_characters = query.turn_budget is None and (not words or first <= _CHARACTER_ROWS)
    counted = [_count_terms(record.terms) for record in records]
    for term in plan.terms:
        if term.single_character and has_characters:
            postings[term.term] = _find_character(reader, term.term, rows=rows)
        if term.single_character:
            found = [sum(term.term in word for word in record.terms) for record in records]
        else:
            found = [counts[term.term] for counts in counted]
        fresh = [(first + place, count) for place, count in enumerate(found) if count]
        postings[term.term] = _joined(postings.get(term.term), fresh)
    return postings


def _find_character(reader: LtmReader, character: str, *, rows: ScopeRows) -> Posting:
    found = np.isin(rows.row_ids, np.array(reader.rows_with_character(character), dtype=np.int64))
    positions = np.flatnonzero(found).astype(np.int32)
    return Posting(positions, np.ones(len(positions), dtype=np.int32))


def _joined(stored: Posting | None, fresh: Sequence[tuple[int, int]]) -> Posting:
    pairs = np.array(fresh, dtype=np.int32).reshape(-1, 2)
    if stored is None:
        return Posting(pairs[:, 0], pairs[:, 1])
    return Posting(
        np.concatenate([stored.positions, pairs[:, 0]]), np.concatenate([stored.frequencies, pairs[:, 1]])
    )


def _collect(
    reader: LtmReader, query: SearchQuery, *, rows: ScopeRows, scored: ScoredRows, fresh: Sequence[Episode]
) -> list[Hit]:
    # A row without words of its own is forgotten or was never to be recalled: no neighbour lifts it.
    is_relevant = (scored.scores >= ABSOLUTE_FLOOR) & (rows.length > 0)
    relevant = np.where(is_relevant, scored.scores, 0.0)
    order = order_by_score(relevant, rows.row_ids)
    hits: list[Hit] = []
    seen: set[str] = set()
    taken = 0
    while taken < len(order):
        # A prompt's rows mostly end after a few: opening all that it could take would be work for nothing.
        wanted = _LEAST_CHUNK if query.cut else max(query.limit - len(hits), _LEAST_CHUNK)
        chunk = order[taken : taken + wanted]
        taken += len(chunk)
        stored = reader.rows([int(row_id) for row_id in rows.row_ids[chunk] if row_id > 0])
        for position in chunk:
            row_id = int(rows.row_ids[position])
            row = stored.get(row_id) if row_id > 0 else fresh[-row_id - 1]
            if row is None or not _is_wanted(row, query) or _is_repeated(row, seen):
                continue
            if _speaks_of(row, query.banned_topics):
                continue
            hit = _hit(row, int(position), scored=scored, row_id=row_id)
            if _is_enough(hits, hit, query=query):
                return _arranged(hits, query)
            hits.append(hit)
    return _arranged(hits, query)


def _is_enough(hits: Sequence[Hit], following: Hit, *, query: SearchQuery) -> bool:
    if len(hits) == query.limit:
        return True
    if query.cut is None or not hits:
        return False
    return is_past_cut(following.score, best=hits[0].score, taken=len(hits), cut=query.cut)


def _arranged(hits: list[Hit], query: SearchQuery) -> list[Hit]:
    """Return the hits with near equals in the order of what is known of them beside their words."""
    if len(hits) < _TWO:
        return hits
    now_ms = query.asked_at.timestamp() * 1000
    used = [_use_of(hit.row) for hit in hits]
    priors = prior(
        np.array([importance for importance, _, _ in used]),
        np.array([(now_ms - last_ms) / _HOUR_MS for _, last_ms, _ in used]),
        access_count=np.array([count for _, _, count in used], dtype=np.int32),
    )
    scores = np.array([hit.score for hit in hits])
    order = reorder_by_prior(np.arange(len(hits), dtype=np.int32), scores, priors=priors)
    return [hits[place] for place in order]


def _use_of(row: Memory | Episode) -> tuple[float, int, int]:
    """Return a row's importance, the moment it was last of use (or made), and how often it was."""
    made_ms = row.created_at_ms if isinstance(row, Memory) else row.message.received_at_ms
    return row.importance, row.last_accessed_at_ms or made_ms, row.access_count


def _speaks_of(row: Memory | Episode, topics: Sequence[str]) -> bool:
    text = row.message.text if isinstance(row, Episode) else row.text
    return any(matches_topic(text, topic) for topic in topics)


def _hit(row: Memory | Episode, position: int, *, scored: ScoredRows, row_id: int) -> Hit:
    why = {
        "terms": float(scored.terms[position]),
        "neighbour": float(scored.neighbour[position]),
        "date": float(scored.date[position]),
        "session": float(scored.session[position]),
        "boost": float(scored.boost[position]),
    }
    return Hit(row=row, score=float(scored.scores[position]), why=why, row_id=row_id if row_id > 0 else None)


def _is_wanted(row: Memory | Episode, query: SearchQuery) -> bool:
    if isinstance(row, Episode):
        kind, said_at_ms = "episode", row.message.created_at_ms
        if not query.include_episodes or row.message.id in query.known_ids or not row.message.text:
            return False
    else:
        kind, said_at_ms = row.kind, row.created_at_ms
        if row.expires_at_ms is not None and row.expires_at_ms <= query.asked_at.timestamp() * 1000:
            return False
    return (
        (query.kinds is None or kind in query.kinds)
        and (query.since_ms is None or said_at_ms >= query.since_ms)
        and (query.until_ms is None or said_at_ms <= query.until_ms)
    )


def _is_repeated(row: Memory | Episode, seen: set[str]) -> bool:
    """Whether this text or this message was answered already; notes the row otherwise."""
    if isinstance(row, Episode):
        marks = {row.message.id, normal_text(row.message.text)}
    else:
        marks = {row.id, normal_text(row.text)}
    if marks & seen:
        return True
    seen.update(marks)
    return False
