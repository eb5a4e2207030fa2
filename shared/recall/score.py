"""Exact lexical scoring of all rows of one scope: terms, neighbours, dates, speaker, session.

text(row) = sum over the query's terms of idf * tf' / (tf' + k1 * norm), where tf' is the row's own count
plus a decayed share of its neighbours' in the same session, and norm goes by the length widened in the same
way (a question lends the next row its words more than once, its length once). Then, with best = the highest
text score: + dates * best for a row said in or mentioning an asked day, + session * best * (score of the
row's whole session / best session's), times the boosts for speaker and time.
A score is divided by what a row could reach at most for that query, so it lies in 0..1 and 0 means
"nothing". Invariant: only the scope's own rows count, so another user's rows never change an order.
"""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from shared.model.recall import Posting, Postings, ScopeRows
from shared.recall.rows import Flags, Floats, Ints, RecallQuery, RecallWeights, ScoredRows

DEFAULT_WEIGHTS: Final = RecallWeights()
_PRIOR_ROWS: Final = 50


def score_rows(
    rows: ScopeRows, query: RecallQuery, *, postings: Postings, weights: RecallWeights = DEFAULT_WEIGHTS
) -> ScoredRows:
    """Scores every row of the scope for the query.

    Args:
        rows: the scope's rows in (session, seq) order.
        query: the parsed question.
        postings: for each query term found in the scope, its positions in `rows` and counts there.
        weights: the ranking's numbers.

    Returns:
        Scores in 0..1 and their parts, one for each row.
    """
    count = len(rows)
    own, spread = np.zeros(count), np.zeros(count)
    possible = 0.0
    links = _Links(rows, weights)
    for term in query.terms:
        posting = postings.get(term.term)
        idf = term.weight * _idf(count, 0 if posting is None else len(posting.positions))
        possible += idf
        if posting is not None and len(posting.positions):
            _add_term(own, spread, links=links, posting=posting, idf=idf)
    possible = possible or 1.0
    text = spread / possible
    best = float(text.max(initial=0.0))
    date = weights.dates * (best or 1.0) * _date_matches(rows, query.dates)
    session = weights.session * best * _session_share(rows, query, postings=postings, weights=weights)
    boost = _boost(rows, query, weights=weights)
    ceiling = (1 + weights.session + (weights.dates if query.dates else 0)) * _max_boost(query, weights)
    return ScoredRows(
        scores=(text + date + session) * boost / ceiling,
        terms=own / possible / ceiling,
        neighbour=(spread - own) / possible / ceiling,
        date=date / ceiling,
        session=session / ceiling,
        boost=boost,
    )


def _idf(count: int, rows_with_term: int) -> float:
    """Return BM25's inverse document frequency, as in a scope of 50 more rows without the term.

    In a scope of a few rows every term would count as common, and the only row as no answer.
    """
    return math.log1p((count + _PRIOR_ROWS - rows_with_term + 0.5) / (rows_with_term + 0.5))


class _Links:
    """How rows lend their words to their neighbours, and each row's length norm under that.

    `ahead[d - 1][i]` is the share of row i's counts that row i + d gets, `back[d - 1][i]` that of row i - d;
    0 where that row is of another session or there is none.
    """

    def __init__(self, rows: ScopeRows, weights: RecallWeights) -> None:
        self.count, self.window = len(rows), weights.window
        taken = np.where(_in_monologue(rows), weights.monologue, 1.0)
        self.ahead: list[Floats] = []
        self.back: list[Floats] = []
        for step in range(1, self.window + 1):
            share = weights.neighbour * weights.decay ** (step - 1) * taken
            linked = np.zeros(self.count, dtype=np.bool_)
            linked[:-step] = rows.session[step:] == rows.session[:-step]
            self.ahead.append(np.where(linked, share, 0.0))
            self.back.append(
                np.where(np.concatenate((np.zeros(step, np.bool_), linked))[: self.count], share, 0.0)
            )
        everywhere: Ints = np.arange(self.count, dtype=np.int32)
        wide = self.spread(everywhere, rows.length.astype(np.float64))
        average = float(wide.mean()) if self.count else 1.0
        self.norm = weights.k1 * (1 - weights.b + weights.b * wide / max(average, 1.0))
        if self.ahead:
            self.ahead[0] = np.where(rows.ends_with_question, weights.question_before, 1.0) * self.ahead[0]

    def spread(self, positions: Ints, counts: Floats) -> Floats:
        """Counts at positions, plus what they add to the rows before and after them."""
        edge = self.window
        wide = np.zeros(self.count + 2 * edge)
        centre = positions + edge
        wide[centre] = counts
        for step in range(1, edge + 1):
            wide[centre + step] += counts * self.ahead[step - 1][positions]
            wide[centre - step] += counts * self.back[step - 1][positions]
        return wide[edge : edge + self.count]


def _in_monologue(rows: ScopeRows) -> Flags:
    """True for the rows of sessions in which only one speaker speaks."""
    if not len(rows):
        return np.zeros(0, dtype=np.bool_)
    starts = np.flatnonzero(np.diff(rows.session, prepend=rows.session[0] - 1))
    alone = np.minimum.reduceat(rows.speaker, starts) == np.maximum.reduceat(rows.speaker, starts)
    return np.repeat(alone, np.diff(starts, append=len(rows)))


def _add_term(own: Floats, spread: Floats, *, links: _Links, posting: Posting, idf: float) -> None:
    positions, counts = posting.positions, posting.frequencies.astype(np.float64)
    wide = links.spread(positions, counts)
    touched = np.flatnonzero(wide)
    spread[touched] += idf * wide[touched] / (wide[touched] + links.norm[touched])
    own[positions] += idf * counts / (counts + links.norm[positions])


def _date_matches(rows: ScopeRows, dates: Sequence[tuple[int, int]]) -> Floats:
    """1 for a row said within an asked range or mentioning a day of it, else 0."""
    matched = np.zeros(len(rows), dtype=np.bool_)
    for first, last in dates:
        matched |= (rows.day >= first) & (rows.day <= last)
        mentioned = np.flatnonzero((rows.mention_start <= last) & (rows.mention_end >= first))
        matched[np.searchsorted(rows.mention_offsets, mentioned, side="right") - 1] = True
    return matched.astype(np.float64)


def _session_share(
    rows: ScopeRows, query: RecallQuery, *, postings: Postings, weights: RecallWeights
) -> Floats:
    """Each row's session's score against the best session's; 0 where there is only one session."""
    sessions = int(rows.session.max(initial=-1)) + 1
    if sessions <= 1:
        return np.zeros(len(rows))
    lengths = np.bincount(rows.session, weights=rows.length, minlength=sessions)
    norm = weights.k1 * (1 - weights.b + weights.b * lengths / max(float(lengths.mean()), 1.0))
    scores = np.zeros(sessions)
    for term in query.terms:
        posting = postings.get(term.term)
        if posting is not None:
            held = np.bincount(
                rows.session[posting.positions], weights=posting.frequencies, minlength=sessions
            )
            scores += term.weight * _idf(sessions, int(np.count_nonzero(held))) * held / (held + norm)
    best = float(scores.max())
    shares: Floats = scores[rows.session] / (best or 1.0)
    return shares


def _boost(rows: ScopeRows, query: RecallQuery, *, weights: RecallWeights) -> Floats:
    boost = np.ones(len(rows))
    if query.speaker is not None:
        boost[rows.speaker == query.speaker] *= weights.speaker
    if query.leans_to is not None:
        boost[rows.speaker == query.leans_to] *= weights.leaning
    if query.asks_when:
        boost[rows.has_time_expression] *= weights.when
    boost[rows.ends_with_question & (rows.length <= weights.only_asks_length)] *= weights.only_asks
    return boost


def _max_boost(query: RecallQuery, weights: RecallWeights) -> float:
    return (
        (weights.speaker if query.speaker is not None else 1.0)
        * (weights.leaning if query.leans_to is not None else 1.0)
        * (weights.when if query.asks_when else 1.0)
    )
