"""Exact lexical scoring of all rows of one scope: terms, neighbours, dates, speaker, session.

text(row) = sum over terms of idf * tf' / (tf' + k1 * norm); tf' is the row's own count plus a decayed share
of its neighbours' in the same session, norm goes by the length widened alike (a question lends the next row
its words more than once, its length once). With best = the highest text score: + dates * best for a row said
on an asked day, less for one that mentions it, + session * best * (its session's score / the best session's)
+ meaning * z * best (`nearness`) and, beside that, day * best * (its day's share of the best rows), times
the boosts for speaker and time. Divided by the most a row could reach, a score is in 0..1; 0 is "nothing".
Invariant: only the scope's own rows count, so another user's rows never change an order.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from shared.model.recall import Posting, Postings, ScopeRows
from shared.recall.days import day_share
from shared.recall.nearness import Nearness
from shared.recall.rows import Codes, Flags, Floats, Ints, Longs, RecallQuery, RecallWeights, ScoredRows

DEFAULT_WEIGHTS: Final = RecallWeights()
_PRIOR_ROWS: Final = 50
_EVEN: Final = 0.002
_SPREAD_ROWS: Final = 60
_MOST_AGAIN: Final = 5
_FEW_DAYS: Final = 6
Places = Ints | Longs
_NOWHERE: Final = Posting(np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int32))


def score_rows(
    rows: ScopeRows,
    query: RecallQuery,
    *,
    postings: Postings,
    nearness: Nearness | None = None,
    weights: RecallWeights = DEFAULT_WEIGHTS,
) -> ScoredRows:
    """Scores every row of the scope for the query.

    Args:
        rows: the scope's rows in (session, seq) order.
        query: the parsed question.
        postings: for each query term found in the scope, its positions in `rows` and counts there.
        nearness: how near the rows' meaning is; None where nothing knows.
        weights: the ranking's numbers.

    Returns:
        Scores in 0..1 and their parts, one for each row.
    """
    layout = _layout_of(rows, weights)
    held = _hold(query, postings)
    weighted = held.weights * _idf(len(rows), held.rows_with_term)
    possible = float(weighted.sum()) or 1.0
    own, spread = _text_scores(held, layout, weighted=weighted)
    if query.asks_many:
        spread = spread + weights.many_own * (own - spread)
    text = spread / possible
    best = float(text.max(initial=0.0))
    dates = _asked_days(rows, query)
    asked = max(weights.dates * (best or 1.0), weights.least_dates)
    date = asked * _date_matches(rows, dates, mention=weights.mention)
    widely = query.asks_many and not dates
    share = weights.session * (weights.many_session if widely else 1.0)
    session = share * best * _session_share(rows, held, layout=layout)
    unheard = float(weighted[held.rows_with_term == 0].sum()) / possible if query.terms else 1.0
    meaning = weights.meaning * _meaning_share(text, nearness, unheard=unheard)
    boost = _boost(rows, query, layout=layout, weights=weights)
    if widely:
        _damp_repeats(boost, (text + session + meaning) * boost, rows=rows, weights=weights)
    added = weights.session + (weights.dates if dates else 0) + (weights.meaning if nearness else 0)
    if nearness is not None and len(rows):
        scores = (text + date + session + meaning) * boost
        session = session + weights.day * best * day_share(rows, scores, in_logs=layout.in_logs)
        added += weights.day
    ceiling = (1 + added) * _max_boost(query, weights)
    return ScoredRows(
        scores=np.minimum((text + date + session + meaning) * boost / ceiling, 1.0),
        terms=own / possible / ceiling,
        neighbour=(spread - own) / possible / ceiling,
        date=date / ceiling,
        session=session / ceiling,
        meaning=meaning / ceiling,
        boost=boost,
    )


def _idf(count: int, rows_with_term: Ints) -> Floats:
    """Return BM25's inverse document frequency of each term, as in a scope of 50 more rows without it.

    In a scope of a few rows every term would count as common, and the only row as no answer.
    """
    idf: Floats = np.log1p((count + _PRIOR_ROWS - rows_with_term + 0.5) / (rows_with_term + 0.5))
    return idf


class _Counts(NamedTuple):
    """How often terms stand in rows, end to end: the term, the row's position and the count of each."""

    terms: Places
    positions: Places
    counts: Floats


class _Held(NamedTuple):
    """All postings of a query, and of each of its terms the weight and the number of rows."""

    own: _Counts
    weights: Floats
    rows_with_term: Ints


def _hold(query: RecallQuery, postings: Postings) -> _Held:
    found = [postings.get(term.term, _NOWHERE) for term in query.terms]
    sizes = np.array([len(posting.positions) for posting in found], dtype=np.int32)
    frequencies = np.concatenate([_NOWHERE.frequencies, *(posting.frequencies for posting in found)])
    own = _Counts(
        terms=np.repeat(np.arange(len(found), dtype=np.int32), sizes),
        positions=np.concatenate([_NOWHERE.positions, *(posting.positions for posting in found)]),
        counts=frequencies.astype(np.float64),
    )
    return _Held(
        own=own,
        weights=np.array([term.weight for term in query.terms], dtype=np.float64),
        rows_with_term=sizes,
    )


class _Layout:
    """What scoring needs of a scope's rows whatever is asked: how they lend words, and their length norms.

    `codes` say of each row by one bit each: which rows beside it are of its session, whether it is logged,
    whether it ends with a question. `lent[window + d][code]` is the share of a row's counts that the row d
    places on gets (1 for itself); 0 where that is of another session or there is none.
    """

    def __init__(self, rows: ScopeRows, weights: RecallWeights) -> None:
        self.count, self.window = len(rows), weights.window
        logged = in_monologue(rows)
        self.in_logs = logged & _in_company(rows)
        self.only_asks = rows.ends_with_question & (rows.length <= weights.only_asks_length) & ~logged
        by_length, self.lent = _lent_shares(weights)
        self.codes = _code_rows(rows, logged=logged, window=self.window)
        wide = self._spread_lengths(rows.length.astype(np.float64), by_length)
        self.norm = _length_norm(wide, np.where(logged, weights.b_log, weights.b), k1=weights.k1)
        self.sessions = int(rows.session.max(initial=-1)) + 1
        lengths: Floats = np.bincount(  # type: ignore[assignment]  # weighted counts are floats
            rows.session, weights=rows.length, minlength=self.sessions
        )
        self.session_norm = _length_norm(lengths, weights.b, k1=weights.k1)

    def _spread_lengths(self, lengths: Floats, shares: Floats) -> Floats:
        wide = np.zeros(self.count + 2 * self.window)
        for place, share in enumerate(shares):
            wide[place : place + self.count] += lengths * share[self.codes]
        return wide[self.window : self.window + self.count]

    def spread(self, held: _Held) -> _Counts:
        """Return each term's count in each row that has it or stands beside one that does."""
        width = self.count + 2 * self.window
        start = held.own.terms.astype(np.int64) * width + held.own.positions
        places = np.concatenate([start + place for place in range(2 * self.window + 1)])
        lent = (held.own.counts * self.lent[:, self.codes[held.own.positions]]).ravel()
        # weighted counts are floats, which numpy's types do not say
        wide: Floats = np.bincount(places, weights=lent, minlength=1)  # type: ignore[assignment]
        touched = wide.nonzero()[0]
        return _Counts(touched // width, touched % width - self.window, wide[touched])


def _code_rows(rows: ScopeRows, *, logged: Flags, window: int) -> Codes:
    """Return a code for each row: a bit for each of the `window` rows before and after it, then the two."""
    codes = (logged << np.uint16(2 * window)) | (rows.ends_with_question << np.uint16(2 * window + 1))
    for step in range(1, min(window, len(rows) - 1) + 1):
        linked = rows.session[step:] == rows.session[:-step]
        codes[:-step] |= linked << np.uint16(window + step - 1)
        codes[step:] |= linked << np.uint16(window - step)
    return codes


@lru_cache(maxsize=4)
def _lent_shares(weights: RecallWeights) -> tuple[Floats, Floats]:
    """Return what a row of each code lends to the rows around it: of its length, and of its words."""
    window = weights.window
    codes = np.arange(1 << (2 * window + 2))
    taken = np.where(codes >> (2 * window) & 1, weights.monologue, 1.0)
    shares = np.ones((2 * window + 1, len(codes)))
    for step in range(1, window + 1):
        share = weights.neighbour * weights.decay ** (step - 1) * taken
        shares[window + step] = np.where(codes >> (window + step - 1) & 1, share, 0.0)
        shares[window - step] = np.where(codes >> (window - step) & 1, share, 0.0)
    words = shares.copy()
    if window:
        words[window + 1] *= np.where(codes >> (2 * window + 1) & 1, weights.question_before, 1.0)
    return shares, words


_LAYOUTS: Final[WeakKeyDictionary[ScopeRows, tuple[RecallWeights, _Layout]]] = WeakKeyDictionary()
"""The layout of rows that are kept between requests; it goes with them."""


def _layout_of(rows: ScopeRows, weights: RecallWeights) -> _Layout:
    known = _LAYOUTS.get(rows)
    if known is not None and known[0] == weights:
        return known[1]
    layout = _Layout(rows, weights)
    _LAYOUTS[rows] = (weights, layout)
    return layout


def _length_norm(lengths: Floats, b: Floats | float, *, k1: float) -> Floats:
    average = float(lengths.mean()) if len(lengths) else 1.0
    norm: Floats = k1 * (1 - b + b * lengths / max(average, 1.0))
    return norm


def in_monologue(rows: ScopeRows) -> Flags:
    """True for the rows of sessions in which only one speaker speaks."""
    if not len(rows):
        return np.zeros(0, dtype=np.bool_)
    starts = np.flatnonzero(np.diff(rows.session, prepend=rows.session[0] - 1))
    alone = np.minimum.reduceat(rows.speaker, starts) == np.maximum.reduceat(rows.speaker, starts)
    return np.repeat(alone, np.diff(starts, append=len(rows)))


def _in_company(rows: ScopeRows) -> Flags:
    """True for the rows of sessions that hold several."""
    goes_on = rows.session[1:] == rows.session[:-1]
    in_company = np.zeros(len(rows), dtype=np.bool_)
    in_company[1:] |= goes_on
    in_company[:-1] |= goes_on
    return in_company


def _text_scores(held: _Held, layout: _Layout, *, weighted: Floats) -> tuple[Floats, Floats]:
    """Return each row's score by its own words, and with those of its neighbours; `weighted` is by term."""
    own = _add_up(held.own, layout, weighted=weighted)
    return own, _add_up(layout.spread(held), layout, weighted=weighted)


def _add_up(found: _Counts, layout: _Layout, *, weighted: Floats) -> Floats:
    norm = layout.norm[found.positions]
    parts = weighted[found.terms] * found.counts / (found.counts + norm)
    # weighted counts are floats, as above
    summed: Floats = np.bincount(found.positions, weights=parts, minlength=layout.count)  # type: ignore[assignment]
    return summed


def _asked_days(rows: ScopeRows, query: RecallQuery) -> list[tuple[int, int]]:
    """The asked ranges, with the day of the first or last talk where that is asked for."""
    days = list(query.dates)
    if query.first_talk:
        days += [(day, day) for day in _ends_of(rows.day[rows.day > 0])[:1]]
    if query.last_talk_before is not None:
        known = rows.day[(rows.day > 0) & (rows.day < query.last_talk_before)]
        days += [(day, day) for day in _ends_of(known)[1:]]
    return days


def _ends_of(days: Ints) -> tuple[int, ...]:
    """The first and the last of the days; nothing where there are none."""
    return (int(days.min()), int(days.max())) if len(days) else ()


def _date_matches(rows: ScopeRows, dates: Sequence[tuple[int, int]], *, mention: float) -> Floats:
    """1 for a row said within an asked range; for one mentioning days of it `mention`, else 0.

    Of a mentioned range only the share that lies in the asked one counts: "this year" says little of a day. A
    stretch of a few days (月底, the end of March, a weekend) may be any of them, and counts whole. Of rows
    that are even otherwise, one that also mentions the day, or that day alone, comes first.
    """
    matched = np.zeros(len(rows))
    for first, last in dates:
        found = np.flatnonzero((rows.mention_start <= last) & (rows.mention_end >= first))
        start, end = rows.mention_start[found], rows.mention_end[found]
        length = end - start + 1
        shared = np.minimum(end, last) - np.maximum(start, first) + 1
        share = np.where(length <= _FEW_DAYS, 1.0 - _EVEN * (length - 1), shared / length)
        owners = np.searchsorted(rows.mention_offsets, found, side="right") - 1
        np.maximum.at(matched, owners, mention * share)
    mentioned = _EVEN * (matched > 0)
    for first, last in dates:
        said = (rows.day >= first) & (rows.day <= last)
        matched[said] = 1.0 + mentioned[said]
    return matched


def _session_share(rows: ScopeRows, held: _Held, *, layout: _Layout) -> Floats:
    """Each row's session's score against the best session's; 0 where there is only one session."""
    sessions, terms = layout.sessions, len(held.weights)
    if sessions <= 1 or not terms:
        return np.zeros(len(rows))
    places = held.own.terms.astype(np.int64) * sessions + rows.session[held.own.positions]
    counts = np.bincount(places, weights=held.own.counts, minlength=terms * sessions).reshape(terms, sessions)
    weighted = held.weights * _idf(sessions, (counts > 0).sum(axis=1))
    scores = (weighted[:, None] * counts / (counts + layout.session_norm)).sum(axis=0)
    best = float(scores.max())
    shares: Floats = scores[rows.session] / (best or 1.0)
    return shares


def _meaning_share(text: Floats, nearness: Nearness | None, *, unheard: float) -> Floats:
    """Each row's z, as a share of the best text score.

    Words of one language cannot match a row of the other: there the measure is what of the question no row
    of the scope holds (`unheard`, a share of its words' weight), where that is more. A row that shares no
    word with the question answers by its meaning alone if it is related at all.
    """
    if nearness is None:
        return np.zeros(len(text))
    best = float(text.max(initial=0.0))
    measure = np.where(nearness.is_foreign, max(best, unheard), best or 1.0)
    may_answer = nearness.is_related | ((text > 0) & ~nearness.is_foreign)
    share: Floats = np.where(may_answer, measure * nearness.z, 0.0)
    return share


def _boost(rows: ScopeRows, query: RecallQuery, *, layout: _Layout, weights: RecallWeights) -> Floats:
    boost: Floats = np.where(layout.only_asks, weights.only_asks, 1.0)
    if query.speaker is not None:
        boost *= np.where(rows.speaker == query.speaker, weights.speaker, 1.0)
    if query.leans_to is not None:
        boost *= np.where(rows.speaker == query.leans_to, weights.leaning, 1.0)
    if query.leans_from is not None and layout.in_logs.any():
        boost *= np.where(rows.speaker == query.leans_from, weights.beside_logs, 1.0)
    if query.asks_when:
        boost *= np.where(rows.has_time_expression, weights.when, 1.0)
    return boost


def _damp_repeats(boost: Floats, scores: Floats, *, rows: ScopeRows, weights: RecallWeights) -> None:
    """Lower `boost` of each good row by how many of its session are better: a list is spread over talks."""
    top = np.argpartition(-scores, min(_SPREAD_ROWS, len(rows)) - 1)[:_SPREAD_ROWS]
    top = top[np.lexsort((-scores[top], rows.session[top]))]
    starts = np.flatnonzero(np.diff(rows.session[top], prepend=-1))
    better = np.arange(len(top)) - np.repeat(starts, np.diff(starts, append=len(top)))
    boost[top] *= 1 - weights.many_again * np.minimum(better, _MOST_AGAIN)


def _max_boost(query: RecallQuery, weights: RecallWeights) -> float:
    return (
        (weights.speaker if query.speaker is not None else 1.0)
        * (weights.leaning if query.leans_to is not None else 1.0)
        * (weights.when if query.asks_when else 1.0)
    )
