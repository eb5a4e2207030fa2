"""Postings: where terms stand, read through the blind index and kept between requests.

What was read of a term stays true while no indexed row changes; rows that came since are looked up in their
own term lists, instead of the whole index again: an archived message does not make the next turn read every
common word anew.
"""

from __future__ import annotations

import json
import weakref
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from shared.engines.sqlite.connections import Row
from shared.engines.sqlite.records import unpack_terms
from shared.engines.sqlite.scope_rows import OrderedRows
from shared.engines.sqlite.view import View
from shared.model.recall import IntArray, LongArray, Posting, Postings

# The index names no scope: its hashes are the scope's own. One string is read four times faster than
# as many rows, and one statement for all terms by a third faster than one for each.
SELECT_POSTINGS = """
SELECT asked.value, (SELECT group_concat(doc) FROM search_terms WHERE term = asked.value)
FROM json_each(:terms) AS asked
"""
COUNT_POSTINGS = """
SELECT asked.value, (SELECT doc FROM search_term_counts WHERE term = asked.value)
FROM json_each(:terms) AS asked /* all scopes: a hash is one scope's own */
"""
SELECT_NEWER_TERMS = """
SELECT row_id, terms FROM search_rows
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND row_id > :after AND row_id <= :until
ORDER BY row_id LIMIT :limit
"""

_MOST_NEWER = 200
"""So many rows are looked up one by one; beyond, the index is read again."""
_ROW_BYTES = 1_000
_TERM_BYTES = 100
_NO_IDS = np.zeros(0, dtype=np.int64)
_NO_COUNTS = np.zeros(0, dtype=np.int32)


class _Docs(NamedTuple):
    """The rows in which a term stands (ascending ids), how often in each, and the newest row looked at."""

    row_ids: LongArray
    counts: IntArray
    newest_row: int


class _Kept(NamedTuple):
    """What is kept of a term: its rows, and their places among the rows as they were ordered then.

    These are not held alive by it: each message of a turn orders them anew, and they are large.
    """

    docs: _Docs
    ordered: weakref.ref[OrderedRows]
    posting: Posting


class _RowTerms(NamedTuple):
    """A row and how often each of its terms stands in it."""

    row_id: int
    counts: Counter[str]


class _Newer(NamedTuple):
    """All rows of a scope after one and up to another: one list for terms that were read at any time."""

    after: int
    newest_row: int
    rows: list[_RowTerms]


def read_postings(
    view: View, terms: Collection[str], *, ordered: OrderedRows, budget: int | None = None
) -> Postings:
    """Return the postings of the terms (an empty one where a term stands nowhere).

    With a `budget` the rarest terms come first; of the term that reaches it the newest rows are kept, and
    commoner ones are not read at all.
    """
    distinct = list(dict.fromkeys(terms))
    kept = {term: found for term in distinct if (found := _kept(view, term)) is not None}
    if budget is None:
        return _read_all(view, distinct, kept=kept, ordered=ordered)
    sizes = _sizes_of(view, distinct, kept=kept)
    chosen, left = [], budget
    for term in sorted(distinct, key=lambda term: (sizes[term], term)):
        if left <= 0:
            break
        chosen.append(term)
        left -= sizes[term]
    postings = _read_all(view, chosen, kept=kept, ordered=ordered)
    if left < 0:
        last = chosen[-1]
        postings[last] = _newest(postings[last], left + sizes[last], ordered=ordered)
    return postings


def _sizes_of(view: View, terms: Sequence[str], *, kept: Mapping[str, _Kept]) -> dict[str, int]:
    """Return in how many rows each term stands."""
    sizes = {term: len(each.docs.row_ids) for term, each in kept.items()}
    missing = [term for term in terms if term not in sizes]
    if missing:
        hashes = json.dumps([view.sealer.blind(term) for term in missing])
        counts = view.connection.execute(COUNT_POSTINGS, {"terms": hashes}).fetchall()
        sizes |= zip(missing, (int(count or 0) for _, count in counts), strict=True)
    return sizes


def _newest(posting: Posting, most: int, *, ordered: OrderedRows) -> Posting:
    if len(posting.positions) <= most:
        return posting
    by_age = np.argsort(ordered.rows.row_ids[posting.positions], kind="stable")
    kept = np.sort(by_age[len(by_age) - most :])
    return Posting(posting.positions[kept], posting.frequencies[kept])


def _read_all(
    view: View, terms: Sequence[str], *, kept: Mapping[str, _Kept], ordered: OrderedRows
) -> dict[str, Posting]:
    """Return where each term stands, read from the index only as far as it was not read before."""
    postings: dict[str, Posting] = {}
    docs: dict[str, _Docs] = {}
    missing: list[str] = []
    for term in terms:
        known = kept.get(term)
        if known is None:
            missing.append(term)
        elif known.ordered() is ordered:
            postings[term] = known.posting
        else:
            docs[term] = known.docs
    docs |= zip(missing, _read_index(view, missing), strict=True)
    for term, posting in zip(docs, _place(list(docs.values()), ordered=ordered), strict=True):
        postings[term] = posting
        _keep(view, term, kept=_Kept(docs[term], weakref.ref(ordered), posting))
    return postings


def _key(view: View, term: str) -> tuple[str, str, int, str, str]:
    return view.scope.tenant_id, view.scope.scope_id, view.state.edits, "posting", term


def _kept(view: View, term: str) -> _Kept | None:
    """Return what is kept of a term, with the rows that came since; None where nothing is to be had."""
    kept: _Kept | None = None if view.writes else view.opened.get(_key(view, term))
    # A transaction that began before the rows came must not see them.
    if kept is None or kept.docs.newest_row > view.state.newest_row:
        return None
    docs = _with_newer(view, term, docs=kept.docs)
    return None if docs is None else kept._replace(docs=docs)


def _keep(view: View, term: str, *, kept: _Kept) -> None:
    if not view.writes:
        arrays = (*kept.posting, kept.docs.row_ids, kept.docs.counts)
        view.opened.put(_key(view, term), kept, size=sum(array.nbytes for array in arrays))


def _with_newer(view: View, term: str, *, docs: _Docs) -> _Docs | None:
    """Return the rows of a term with those that came since; None where the index says it sooner."""
    newest = view.state.newest_row
    if docs.newest_row == newest:
        return docs
    rows = _newer_rows(view, after=docs.newest_row)
    if rows is None:
        return None
    found = [(row_id, counts[term]) for row_id, counts in rows if term in counts]
    if not found:
        return docs._replace(newest_row=newest)
    row_ids, counts = zip(*found, strict=True)
    return _Docs(
        np.concatenate([docs.row_ids, np.array(row_ids, dtype=np.int64)]),
        np.concatenate([docs.counts, np.array(counts, dtype=np.int32)]),
        newest,
    )


def _newer_rows(view: View, *, after: int) -> list[_RowTerms] | None:
    """Return the rows that came after a row, with their terms; None where they are many or not at hand.

    The list only grows at its end, so each row is opened once, however many terms are asked of it.
    """
    key, newest = _key(view, ""), view.state.newest_row
    kept: _Newer | None = view.opened.get(key)
    newer = _Newer(after, after, []) if kept is None else kept
    if newer.newest_row < newest:
        newer = _grown(view, newer)
        size = sum(_ROW_BYTES + _TERM_BYTES * len(row.counts) for row in newer.rows)
        view.opened.put(key, newer, size=size)
    if after < newer.after or newest < newer.newest_row:
        return None
    return newer.rows[bisect_right(newer.rows, after, key=_id_of) :]


def _grown(view: View, newer: _Newer) -> _Newer:
    """Return the list with the rows that came since, its oldest left out; where these are many, none."""
    newest = view.state.newest_row
    found = view.all(SELECT_NEWER_TERMS, after=newer.newest_row, until=newest, limit=_MOST_NEWER + 1)
    if len(found) > _MOST_NEWER:
        return _Newer(newest, newest, [])
    later = view.open_rows(found, _terms_of, table="search_rows")
    rows = [*newer.rows, *later]
    surplus = len(rows) - _MOST_NEWER
    if surplus <= 0:
        return _Newer(newer.after, newest, rows)
    return _Newer(rows[surplus - 1].row_id, newest, rows[surplus:])


def _id_of(row: _RowTerms) -> int:
    return row.row_id


def _terms_of(view: View, row: Row) -> _RowTerms:
    row_id, sealed = row
    terms, date_terms = unpack_terms(view.sealer.open(sealed, f"search_rows:{row_id}:terms"))
    return _RowTerms(row_id, Counter((*terms, *date_terms)))


def _read_index(view: View, terms: Sequence[str]) -> list[_Docs]:
    if not terms:
        return []
    hashes = json.dumps([view.sealer.blind(term) for term in terms])
    answers: list[Row] = view.connection.execute(SELECT_POSTINGS, {"terms": hashes}).fetchall()
    found = [docs or "" for _, docs in answers]
    if not any(found):
        return [_Docs(_NO_IDS, _NO_COUNTS, view.state.newest_row)] * len(terms)
    sizes = [docs.count(",") + 1 if docs else 0 for docs in found]
    stands_in = np.fromstring(",".join(filter(None, found)), dtype=np.int64, sep=",")
    term = np.repeat(np.arange(len(found)), sizes)
    begins = np.ones(len(stands_in), dtype=np.bool_)
    begins[1:] = (stands_in[1:] != stands_in[:-1]) | (term[1:] != term[:-1])
    first = begins.nonzero()[0]
    counts = np.empty(len(first), dtype=np.int32)
    counts[:-1] = first[1:] - first[:-1]
    counts[-1] = len(stands_in) - first[-1]
    row_ids, newest = stands_in[first], view.state.newest_row
    return [
        _Docs(row_ids[start:end], counts[start:end], newest)
        for start, end in _spans_of(term[first], len(found))
    ]


def _place(docs: Sequence[_Docs], *, ordered: OrderedRows) -> list[Posting]:
    """Return the rows as positions; rows that are not among the ordered ones (expired) are left out."""
    ids = ordered.sorted_ids
    wanted = np.concatenate([_NO_IDS, *(each.row_ids for each in docs)])
    if not len(ids) or not len(wanted):
        return [Posting(_NO_COUNTS, _NO_COUNTS)] * len(docs)
    counts = np.concatenate([each.counts for each in docs])
    term = np.repeat(np.arange(len(docs)), [len(each.row_ids) for each in docs])
    places = np.minimum(np.searchsorted(ids, wanted), len(ids) - 1)
    is_here = ids[places] == wanted
    positions, counts, term = ordered.positions[places[is_here]], counts[is_here], term[is_here]
    by_position = np.lexsort((positions, term))
    positions, counts = positions[by_position], counts[by_position]
    return [Posting(positions[start:end], counts[start:end]) for start, end in _spans_of(term, len(docs))]


def _spans_of(numbers: LongArray, count: int) -> Iterator[tuple[int, int]]:
    """Return where each number below `count` begins and ends among ascending ones."""
    ends = np.bincount(numbers, minlength=count).cumsum().tolist()
    return zip([0, *ends[:-1]], ends, strict=True)
