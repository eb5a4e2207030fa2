"""From scores to hits: the best rows that a query wants, opened a few at a time, each of them once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import numpy as np

from shared.language.scripts import fold
from shared.language.synonyms import NO_SYNONYMS, Synonyms
from shared.model.meaning import Meaning
from shared.model.memory import Episode, Memory
from shared.model.recall import ScopeRows
from shared.ports.ltm import LtmReader
from shared.recall.answers import Answers, Hit
from shared.recall.asked import Asked
from shared.recall.forgotten import Forgotten, forgotten_of, speaks_of_forgotten
from shared.recall.fuse import (
    ABSOLUTE_FLOOR,
    Prior,
    PromptCut,
    is_past_cut,
    order_by_prior,
    order_by_score,
    prior_of,
)
from shared.recall.past import said_at_ms, said_slot
from shared.recall.query import asks_nothing
from shared.recall.rows import Ints, ScoredRows
from shared.recall.said import without_forgotten
from shared.stm.ban_cuts import without_banned
from shared.stm.forget_clauses import only_asks_to_forget

_LEAST_CHUNK = 8
_NEXT_CHUNK = 24
_LATER = 24
_RANKED_FIRST = 100
"""So many rows beyond the limit are put in order first: sorting all that share a word would take longer."""
_LATER_IN_PROMPTS = 12
"""So many rows behind the last one are looked at where a hit says what may have changed since."""
_SPARE_HITS = 3
"""So many hits more are taken than asked for, since some go behind the others or are hidden after all."""
_HOUR_MS = 3_600_000
_PLEASANTRY_CHARS = 16
_BARE_YES = frozenset(
    (
        "是",
        "是的",
        "对",
        "对的",
        "没错",
        "确认",
        "确定",
        "同意",
        "yep",
        "yup",
        "correct",
        "confirm",
        "confirmed",
        "right",
    )
)
_ENDS = " .!。!~"


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What is looked for. `asked_at` is an aware time in the user's zone; None in a filter means any.

    `as_of_ms` asks for what held at that moment. `turn_budget` bounds the postings read (a turn's recall);
    None reads as many as a search does. `known_ids` are messages of one session that the reader has
    before it already, among them all that the session holds from `known_from_seq` on; rows that speak of one
    of `banned_topics` are gone before the best are taken. `synonyms` widen the question. `cut` ends a
    prompt's rows where they fall behind the best one. `meaning` is the vector of the text, where one was to
    be had.
    """

    text: str
    asked_at: datetime
    limit: int = 10
    kinds: frozenset[str] | None = None
    since_ms: int | None = None
    until_ms: int | None = None
    as_of_ms: int | None = None
    include_episodes: bool = True
    known_ids: frozenset[str] = frozenset()
    known_from_seq: int | None = None
    turn_budget: int | None = None
    banned_topics: tuple[str, ...] = ()
    synonyms: Synonyms = NO_SYNONYMS
    cut: PromptCut | None = None
    meaning: Meaning | None = None


class _Place(NamedTuple):
    position: int
    row_id: int
    score: float


def collect_hits(
    reader: LtmReader,
    query: SearchQuery,
    *,
    rows: ScopeRows,
    scored: ScoredRows,
    fresh: Sequence[Memory | Episode],
) -> list[Hit]:
    """Return the best rows that the query wants; `fresh` are those of no index, by their negative ids.

    They are some more than its limit. Beyond them or the cut comes what took the place of one of them.
    """
    # A row without words of its own is forgotten or was never to be recalled: no neighbour lifts it.
    scores = np.where(rows.length > 0, scored.scores, 0.0)
    order = order_by_score(scores, rows.row_ids, most=query.limit + _SPARE_HITS + _RANKED_FIRST)
    collecting = _Collecting(reader, query, rows=rows, scored=scored, fresh=fresh)
    collecting.take_best(order[scores[order] >= ABSOLUTE_FLOOR])
    if (
        collecting.looked_at + _LATER > len(order) < np.count_nonzero(scores)
    ):  # what is wanted stands further down, if at all
        taken, order = len(order), order_by_score(scores, rows.row_ids)
        rest = order[taken:]
        collecting.take_best(rest[scores[rest] >= ABSOLUTE_FLOOR])
    collecting.take_newer(order)
    return _arranged(collecting.answers.hits, query)


class _Collecting:
    """The answers of one query as they come together."""

    def __init__(
        self,
        reader: LtmReader,
        query: SearchQuery,
        *,
        rows: ScopeRows,
        scored: ScoredRows,
        fresh: Sequence[Memory | Episode],
    ) -> None:
        self.answers = Answers()
        self._reader, self._query = reader, query
        self._rows, self._scored, self._fresh = rows, scored, fresh
        self._forgotten = forgotten_of(reader.tombstones())
        self._asked = Asked(query.text) if query.cut else None
        self._seen: set[int] = set()

    @property
    def looked_at(self) -> int:
        """How many rows were opened for their score."""
        return len(self._seen)

    def take_best(self, order: Ints) -> None:
        """Take rows in their order until nothing of the next one's score is taken any more."""
        query, hits = self._query, self.answers.hits
        # A prompt's rows mostly end after a few: opening all it could take would be work for nothing.
        chunk = _LEAST_CHUNK if query.cut else max(query.limit + _SPARE_HITS, _LEAST_CHUNK)
        window: int | None = None
        while len(order):
            ranked, order = self._first_of(order, chunk), order[chunk:]
            wanted = [each for each in ranked if not _is_enough(hits, each.score, query=query)]
            for place, row in self._open(wanted):
                if _is_enough(hits, place.score, query=query):
                    break
                self._seen.add(place.row_id)
                if _is_known(row, query):
                    window = int(self._rows.session[place.position])
                else:
                    self._take(place, row)
            if len(wanted) < len(ranked) or (hits and _is_enough(hits, wanted[-1].score, query=query)):
                break
            if window is not None and query.known_from_seq is not None:
                session, seq = self._rows.session[order], self._rows.seq[order]
                order = order[(session != window) | (seq < query.known_from_seq)]
            chunk = _NEXT_CHUNK

    def take_newer(self, order: Ints) -> None:
        """Take what was said later on the slot of a hit (where the user lives), though it scores less."""
        slots: dict[int, tuple[int, int]] = {}
        for hit in self.answers.hits:
            key = said_slot(hit.row)
            if key is not None:
                slots[key[0]] = max(slots.get(key[0], (0, 0)), (said_at_ms(hit.row), key[1]))
        if not slots:
            return
        most = _LATER_IN_PROMPTS if self._query.cut else _LATER
        places = self._first_of(order, len(self._seen) + most)
        for place, row in self._open([each for each in places if each.row_id not in self._seen][:most]):
            key = said_slot(row)
            if key is None or key[0] not in slots or _is_known(row, self._query):
                continue
            at_ms, value = slots[key[0]]
            if said_at_ms(row) > at_ms and key[1] != value:
                self._take(place, row)

    def _take(self, place: _Place, row: Memory | Episode) -> None:
        if not _is_wanted(row, self._query) or _is_out(row, self._forgotten, asked=self._asked):
            return
        shown = _shown(row, self._query.banned_topics)
        if shown is not None:
            has_time = self._rows.has_time_expression[place.position]
            day = int(self._rows.day[place.position]) if has_time else 0
            self.answers.take(_hit(shown, place, scored=self._scored), _text_of(shown), day=day)

    def _open(self, places: Sequence[_Place]) -> Iterator[tuple[_Place, Memory | Episode]]:
        opened = _open(self._reader, [each.row_id for each in places if each.row_id > 0])
        for place in places:
            row = opened.get(place.row_id) if place.row_id > 0 else self._fresh[-place.row_id - 1]
            if row is not None:
                yield place, row

    def _first_of(self, order: Ints, count: int) -> list[_Place]:
        first = order[:count]
        columns = (first.tolist(), self._rows.row_ids[first].tolist(), self._scored.scores[first].tolist())
        return list(map(_Place, *columns))


def _open(reader: LtmReader, row_ids: Sequence[int]) -> dict[int, Memory | Episode]:
    """Return rows as they may be shown: what was forgotten of a message is no part of any answer."""
    rows = reader.rows(row_ids)
    said = [row.message.id for row in rows.values() if isinstance(row, Episode)]
    forgotten = reader.forgotten_spans(said) if said else {}
    if not forgotten:
        return rows
    return {
        row_id: without_forgotten(row, forgotten=forgotten) if isinstance(row, Episode) else row
        for row_id, row in rows.items()
    }


def open_message(reader: LtmReader, message_id: str) -> Episode | None:
    """Return a message as it may be shown; None for one that is not there or is forgotten altogether."""
    episode = reader.episode(message_id)
    if episode is None:
        return None
    left = without_forgotten(episode, forgotten=reader.forgotten_spans([message_id]))
    return left if left is episode or left.message.text else None


def _is_enough(hits: Sequence[Hit], score: float, *, query: SearchQuery) -> bool:
    """Whether nothing of this score is taken any more."""
    if len(hits) == query.limit + _SPARE_HITS:
        return True
    if query.cut is None or not hits:
        return False
    return is_past_cut(score, best=hits[0].score, taken=len(hits), cut=query.cut)


def _arranged(hits: list[Hit], query: SearchQuery) -> list[Hit]:
    """Return the hits, memories of near equal scores in the order of what else is known of them.

    Messages keep their places: all that is known of one is its age, and the newer is not the better answer.
    """
    if not hits:
        return hits
    now_ms = query.asked_at.timestamp() * 1000
    priors = [_prior(hit.row, now_ms=now_ms) for hit in hits]
    for hit, each in zip(hits, priors, strict=True):
        hit.why.update(importance=each.importance, recency=each.recency, access=each.access)
    places = [place for place, hit in enumerate(hits) if isinstance(hit.row, Memory)]
    order = order_by_prior([hits[place].score for place in places], [priors[place].worth for place in places])
    arranged = list(hits)
    for place, chosen in zip(places, order, strict=True):
        arranged[place] = hits[places[chosen]]
    return arranged


def _prior(row: Memory | Episode, *, now_ms: float) -> Prior:
    made_ms = row.created_at_ms if isinstance(row, Memory) else row.message.received_at_ms
    hours = (now_ms - (row.last_accessed_at_ms or made_ms)) / _HOUR_MS
    return prior_of(row.importance, hours, access_count=row.access_count)


def _text_of(row: Memory | Episode) -> str:
    return row.message.text if isinstance(row, Episode) else row.text


def _shown(row: Memory | Episode, topics: Sequence[str]) -> Memory | Episode | None:
    """Return a row as it is shown beside banned topics, without the words of a ban; None: it is hidden."""
    if not topics:
        return row
    text = _text_of(row)
    left = without_banned(text, topics)
    if isinstance(row, Memory):
        quote = without_banned(row.source.quote, topics)
        if (left, quote) == (text, row.source.quote):
            return row
        source = row.source.model_copy(update={"quote": quote})
        return row.model_copy(update={"text": left, "source": source}) if left else None
    if left == text:
        return row
    if not left or not isinstance(row.message.body.content, str):
        return None
    body = row.message.body.model_copy(update={"content": left})
    return row.model_copy(update={"message": row.message.model_copy(update={"body": body})})


def _hit(row: Memory | Episode, place: _Place, *, scored: ScoredRows) -> Hit:
    position, row_id, score = place
    why = {
        "terms": float(scored.terms[position]),
        "neighbour": float(scored.neighbour[position]),
        "date": float(scored.date[position]),
        "session": float(scored.session[position]),
        "embedding": float(scored.meaning[position]),
        "boost": float(scored.boost[position]),
    }
    return Hit(row=row, score=score, why=why, row_id=row_id if row_id > 0 else None)


def _says_nothing(text: str) -> bool:
    """Whether a message is 是的, "ok", "thanks" and no more: its neighbours are no reason to show it."""
    if len(text) > _PLEASANTRY_CHARS:
        return False
    folded = fold(text)
    return folded.rstrip(_ENDS) in _BARE_YES or asks_nothing(folded)


def _is_out(row: Memory | Episode, forgotten: Sequence[Forgotten], *, asked: Asked | None) -> bool:
    """Whether a row is forgotten, or only asks what is `asked`: in a prompt that would set the bar."""
    if forgotten and _is_forgotten(row, forgotten):
        return True
    return asked is not None and isinstance(row, Episode) and asked.is_asked_by(row.message.text)


def _is_forgotten(row: Memory | Episode, forgotten: Sequence[Forgotten]) -> bool:
    if isinstance(row, Memory):
        is_former = row.status != "active"
        return is_former and speaks_of_forgotten(row.text, row.created_at_ms, forgotten=forgotten)
    return speaks_of_forgotten(row.message.text, row.message.received_at_ms, forgotten=forgotten)


def _is_known(row: Memory | Episode, query: SearchQuery) -> bool:
    return isinstance(row, Episode) and row.message.id in query.known_ids


def _has_run_out(row: Memory, query: SearchQuery) -> bool:
    """Whether an active row has ended and no sweep has said so; former ones were asked for."""
    ends_at_ms = row.expires_at_ms if row.status == "active" else None
    return ends_at_ms is not None and ends_at_ms <= query.asked_at.timestamp() * 1000


def _is_wanted(row: Memory | Episode, query: SearchQuery) -> bool:
    if isinstance(row, Episode):
        kind, said_at_ms = "episode", row.message.created_at_ms
        said = row.message.said
        if not query.include_episodes or not said or _says_nothing(said):
            return False
        if row.message.role == "user" and only_asks_to_forget(said):
            return False
    else:
        kind, said_at_ms = row.kind, row.created_at_ms
        if _has_run_out(row, query):
            return False
    return (
        (query.kinds is None or kind in query.kinds)
        and (query.since_ms is None or said_at_ms >= query.since_ms)
        and (query.until_ms is None or said_at_ms <= query.until_ms)
    )
