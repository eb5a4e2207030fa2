"""Finding memories: what the index offers and what no archive has taken yet, ranked by one code.

The index knows no words and the tail no postings; both become rows and postings of the same form here,
so that a message said a second ago competes with one of last year on equal terms. Only the rows that are
answered are unsealed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import lru_cache, partial

import numpy as np

from shared.aside import run_aside
from shared.language.terms import QueryTerm
from shared.ltm.index import MAX_INDEXED_CHARS, describe_row
from shared.model.meaning import Meaning
from shared.model.memory import Episode, Memory
from shared.model.message import TailMessage
from shared.model.moment import from_ms
from shared.model.recall import Posting, Postings, RowRecord, ScopeRows
from shared.model.scope import Scope
from shared.ports.embedder import Embedder
from shared.ports.ltm import LongTermMemory, LtmReader
from shared.ports.stm import ShortTermMemory
from shared.recall.answers import Hit
from shared.recall.ask_meaning import read_meaning
from shared.recall.changes import changes_first
from shared.recall.collect import SearchQuery, collect_hits
from shared.recall.forgotten import forgotten_of, speaks_of_forgotten
from shared.recall.nearness import Nearness, find_nearness
from shared.recall.past import (
    answers_first,
    asks_for_past,
    endings_of,
    former_memories,
    hide_newer,
    mark_past,
    without_past,
)
from shared.recall.query import plan_query, wider_terms
from shared.recall.score import in_monologue, score_rows
from shared.recall.tail import newest_within, with_tail
from shared.stm.topic_words import matches_topic

__all__ = ["Hit", "SearchQuery", "describe_tail", "find_in", "find_memories"]

SEARCH_POSTINGS = 20_000
"""So many postings a search reads, of the rarest terms (docs/decisions/0010): what is left says little."""

TAIL_CHARS = 40_000
"""So many characters of messages that stand in no index are described for a search: 200 messages of 200."""

_LONG_TAIL = 10_000

_FEW_TIMES = 4
_RECORDS_KEPT = 2_048
_ENDED_READ = 100
_ENDED_SEARCHED = 2_000
_CHARACTER_ROWS = 500
"""Up to so many rows a search counts single characters beside words; finding them unseals rows' terms."""
_CHARACTER_ROWS_OF_TURN = 2_000
"""Up to so many rows a turn looks for single characters, and only where it asks for nothing else: 猫呢？"""


async def find_memories(
    scopes: Sequence[Scope],
    query: SearchQuery,
    *,
    stm: ShortTermMemory,
    ltm: LongTermMemory,
    embedder: Embedder,
) -> list[Hit]:
    """Return the rows of all scopes that answer the query, best first; each hit says whose it is.

    A score is a share of the best possible for the query, so that scores of two scopes compare.
    """
    found = [
        hit
        for scope in scopes
        for hit in await _find_in_scope(scope, query, stm=stm, ltm=ltm, embedder=embedder)
    ]
    if len(scopes) > 1:
        found.sort(key=lambda hit: -hit.score)
    return found[: query.limit]


async def _find_in_scope(
    scope: Scope, query: SearchQuery, *, stm: ShortTermMemory, ltm: LongTermMemory, embedder: Embedder
) -> list[Hit]:
    """Return the rows of one scope that answer the query, best first; none where nothing is relevant.

    What speaks of a topic that the user has banned for good is no answer: whoever wants it lists memories, or
    lifts the ban.
    """
    meaning = await read_meaning(scope, query.text, ltm=ltm, embedder=embedder)
    query = replace(query, meaning=meaning)
    tail = await stm.read_tail(scope)
    await describe_tail(tail, query)

    def work(reader: LtmReader) -> list[Hit]:
        standing = tuple(topic.topic for topic in reader.topics())
        return find_in(reader, replace(query, banned_topics=(*query.banned_topics, *standing)), tail=tail)

    return [hit._replace(scope=scope) for hit in await ltm.read(scope, work)]


async def describe_tail(tail: Sequence[TailMessage], query: SearchQuery) -> None:
    """Describe a long tail in a thread, so that `find_in`, which holds up everybody, finds it done."""
    chars = sum(len(each.message.text) for each in tail)
    if chars > _LONG_TAIL:
        fresh = _fresh_episodes(tail, query)
        await run_aside(partial(_records_of, fresh, query.asked_at), chars=chars, most=_LONG_TAIL)


def find_in(reader: LtmReader, query: SearchQuery, *, tail: Sequence[TailMessage]) -> list[Hit]:
    """Return the rows that answer the query on one view of long-term memory and the tail."""
    ended = reader.ended(limit=_ENDED_READ if query.as_of_ms is None else _ENDED_SEARCHED)
    asks_past = asks_for_past(query.text)
    is_past = asks_past or query.as_of_ms is not None
    former = former_memories(ended, as_of_ms=query.as_of_ms) if is_past else []
    fresh: list[Memory | Episode] = [*_fresh_episodes(tail, query), *former]
    records = _records_of(fresh, query.asked_at)
    stored = reader.scope_rows()
    rows = with_tail(stored, records=records, fresh=fresh)
    if not len(rows.row_ids):
        return []
    plan = plan_query(
        without_past(query.text),
        today=query.asked_at.date(),
        years=_years_of(rows),
        speakers={name: number for number, name in enumerate(rows.speakers)},
    )
    wider = wider_terms(plan, query.synonyms)
    postings = _read_postings(reader, (*plan.terms, *wider), rows=rows, records=records, query=query)
    asked = (term for term in plan.terms if term.term in postings)
    plan = replace(plan, terms=(*asked, *_standing(wider, postings)))
    nearness = _nearness_of(reader, rows, meaning=query.meaning)
    scored = score_rows(rows, plan, postings=postings, nearness=nearness)
    hits = collect_hits(reader, query, rows=rows, scored=scored, fresh=fresh)
    marked = mark_past(hits, endings_of(ended, as_of_ms=query.as_of_ms) if hits else ())
    arranged = answers_first(marked, query.text, is_past=asks_past and query.as_of_ms is None)
    if not (plan.dates or is_past):
        arranged = changes_first(arranged, query.text)
    return hide_newer(_in_step(arranged)[: query.limit], _bar_of(reader, query))


def _in_step(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits, none scored lower than one behind it: what was put first answers at least as well."""
    stepped = list(hits)
    for place in range(len(stepped) - 2, -1, -1):
        if stepped[place].score < stepped[place + 1].score:
            stepped[place] = stepped[place]._replace(score=stepped[place + 1].score)
    return stepped


def _bar_of(reader: LtmReader, query: SearchQuery) -> Callable[[str, int], bool]:
    """Return what tells words that may not be said: of a banned topic, or forgotten."""

    def is_barred(text: str, said_at_ms: int) -> bool:
        if any(matches_topic(text, topic) for topic in query.banned_topics):
            return True
        return speaks_of_forgotten(text, said_at_ms, forgotten=forgotten_of(reader.tombstones()))

    return is_barred


def _nearness_of(reader: LtmReader, rows: ScopeRows, *, meaning: Meaning | None) -> Nearness | None:
    if meaning is None:
        return None
    vectors = reader.row_vectors(meaning.model, width=len(meaning.vector))
    return find_nearness(rows, vectors, meaning=meaning, alone=in_monologue(rows))


def _fresh_episodes(tail: Sequence[TailMessage], query: SearchQuery) -> list[Episode]:
    """Return the tail in the order of its sessions, without what the reader has before it.

    A turn's own words and its window can be no answer to it. Describing them would cost more than the whole
    search does, and the turn's message would be the best row for its own words.
    """
    if not query.include_episodes:
        return []
    unknown = [message for message in tail if message.message.id not in query.known_ids]
    return sorted(
        map(_episode_of, newest_within(unknown, chars=TAIL_CHARS)),
        key=lambda episode: (episode.session_key, episode.epoch, episode.message.seq),
    )


def _episode_of(tail: TailMessage) -> Episode:
    return Episode.of_checked(
        {
            "session_id": tail.session_id,
            "session_key": tail.session_key,
            "epoch": tail.epoch,
            "message": tail.message,
            "importance": 0.0,
            "last_accessed_at_ms": None,
            "access_count": 0,
        }
    )


def _records_of(rows: Sequence[Memory | Episode], asked_at: datetime) -> list[RowRecord]:
    return [_record_of(row, asked_at) for row in rows]


def _record_of(row: Memory | Episode, asked_at: datetime) -> RowRecord:
    if isinstance(row, Memory):
        text, speaker, said_at_ms = row.text, "user", row.created_at_ms
    else:
        message = row.message
        text, speaker, said_at_ms = message.text, message.body.name or message.role, message.created_at_ms
    return _describe_once(
        text[:MAX_INDEXED_CHARS], speaker, said_at=from_ms(said_at_ms).astimezone(asked_at.tzinfo)
    )


@lru_cache(maxsize=_RECORDS_KEPT)
def _describe_once(text: str, speaker: str, *, said_at: datetime) -> RowRecord:
    """Describe a row of the tail: a message stands there for many turns and never changes."""
    return describe_row(text, speaker=speaker, said_at=said_at)


@lru_cache(maxsize=_RECORDS_KEPT)
def _count_terms(terms: tuple[str, ...]) -> Counter[str]:
    return Counter(terms)


def _years_of(rows: ScopeRows) -> list[int]:
    last = int(rows.day.max(initial=0))
    if last <= 0:
        return []
    first = int(rows.day.min(initial=last))
    if first <= 0:  # a row of no day
        first = int(rows.day[rows.day > 0].min())
    return list(range(date.fromordinal(first).year, date.fromordinal(last).year + 1))


def _read_postings(
    reader: LtmReader,
    terms: Sequence[QueryTerm],
    *,
    rows: ScopeRows,
    records: Sequence[RowRecord],
    query: SearchQuery,
) -> Postings:
    """Return the postings of the terms; where there are too many, the commonest terms have none."""
    words = [term.term for term in terms if not term.single_character]
    first = len(rows.row_ids) - len(records)
    # Where there cannot be much more than that, finding out the rarest terms would cost more than it saves.
    most = query.turn_budget or SEARCH_POSTINGS
    budget = None if first * len(words) <= _FEW_TIMES * most else most
    postings = dict(reader.postings(words, budget=budget))
    has_characters = _counts_characters(first, is_turn=query.turn_budget is not None, has_words=bool(words))
    counted = [_count_terms(record.terms) for record in records]
    for term in terms:
        if not term.single_character and term.term not in postings:
            continue
        if term.single_character and has_characters:
            postings[term.term] = _find_character(reader, term.term, rows=rows)
        if term.single_character:
            found = [sum(term.term in word for word in record.terms) for record in records]
        else:
            found = [counts[term.term] for counts in counted]
        fresh = [(first + place, count) for place, count in enumerate(found) if count]
        postings[term.term] = _joined(postings.get(term.term), fresh)
    return postings


def _counts_characters(rows: int, *, is_turn: bool, has_words: bool) -> bool:
    """Whether single characters are looked for in a scope of so many indexed rows."""
    if is_turn:
        return not has_words and rows <= _CHARACTER_ROWS_OF_TURN
    return not has_words or rows <= _CHARACTER_ROWS


def _standing(terms: Sequence[QueryTerm], postings: Postings) -> list[QueryTerm]:
    """Return the terms that stand somewhere: a word that nobody used is no part of the question."""
    return [term for term in terms if term.term in postings and len(postings[term.term].positions)]


def _find_character(reader: LtmReader, character: str, *, rows: ScopeRows) -> Posting:
    found = np.isin(rows.row_ids, np.array(reader.rows_with_character(character), dtype=np.int64))
    positions = np.flatnonzero(found).astype(np.int32)
    return Posting(positions, np.ones(len(positions), dtype=np.int32))


def _joined(stored: Posting | None, fresh: Sequence[tuple[int, int]]) -> Posting:
    if stored is not None and not fresh:
        return stored
    pairs = np.array(fresh, dtype=np.int32).reshape(-1, 2)
    if stored is None:
        return Posting(pairs[:, 0], pairs[:, 1])
    return Posting(
        np.concatenate([stored.positions, pairs[:, 0]]), np.concatenate([stored.frequencies, pairs[:, 1]])
    )
