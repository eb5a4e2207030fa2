"""Questions asked over HTTP, and what their answers are worth: evidence found, time taken, forbidden rows."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from tests.e2e.stack import User
from tests.evals.ingest import Ingested
from tests.evals.metrics import comes_first, hit_at, recall_at, reciprocal_rank
from tests.evals.sets import Question

LIMIT = 20
DEPTHS = (5, 10, 20)
APART = "adversarial"


@dataclass(frozen=True, slots=True)
class Answered:
    """One question with the set's ids of its hits, best first.

    `forbidden` hits are none of this user's, or were deleted, or have expired; `hits` counts all.
    """

    user_id: str
    question: Question
    ranked: tuple[str, ...]
    hits: int
    forbidden: int
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Figures:
    """Means over questions in percent, times in milliseconds; None where no question tells.

    `recall` is of all evidence, `hit` of any. `current` is the share of questions whose evidence stands
    before what was true once, `silent` that of questions without evidence that got no hit.
    """

    questions: int
    recall: tuple[float | None, ...]
    hit: tuple[float | None, ...]
    mrr: float | None
    current: float | None
    silent: float | None
    forbidden: int
    p50_ms: float
    p95_ms: float
    p99_ms: float


def ask(user: User, taken: Ingested, question: Question) -> Answered:
    """Search one user's episodes for a question of the set; all kinds where memories were stated."""
    kinds = {} if taken.memory_ids else {"kinds": ["episode"]}
    body = {"query": question.text, "limit": LIMIT, "timezone": "UTC", **kinds}
    started = time.perf_counter()
    answer = user.client.post("/v1/memories/search", json=body)
    milliseconds = (time.perf_counter() - started) * 1000
    assert answer.status_code == 200, answer.text
    items = answer.json()["items"]
    ranked, foreign = name_hits(items, taken)
    lapsed = sum(hit["memory"]["id"] in taken.memory_ids for hit in items)
    forbidden = foreign + lapsed + len(question.forbidden.intersection(ranked))
    return Answered(taken.user_id, question, tuple(ranked), len(items), forbidden, milliseconds)


def name_hits(items: Sequence[dict[str, Any]], taken: Ingested) -> tuple[list[str], int]:
    """Return the set's ids of hits in their order, and how many hits are not of this user's messages."""
    ids = [message_id for hit in items for message_id in hit["memory"]["source_message_ids"]]
    known = [taken.set_ids[message_id] for message_id in ids if message_id in taken.set_ids]
    return list(dict.fromkeys(known)), len(ids) - len(known)


def count_foreign(user: User, taken: Ingested, others: Iterable[Ingested]) -> int:
    """Ask this user's memory what only others can know; return how many hits were not this user's."""
    foreign = 0
    for other in others:
        if other.user_id != taken.user_id and other.conversation.questions:
            foreign += ask(user, taken, other.conversation.questions[0]).forbidden
    return foreign


def summarise(answered: Sequence[Answered]) -> Figures:
    """Return the figures of some questions."""
    times = sorted(each.milliseconds for each in answered)
    found = [(each.ranked, each.question.gold) for each in answered if each.question.gold]
    told = [each for each in answered if each.question.stale]
    return Figures(
        questions=len(answered),
        recall=tuple(_mean(recall_at(ranked, gold, k=k) for ranked, gold in found) for k in DEPTHS),
        hit=tuple(_mean(hit_at(ranked, gold, k=k) for ranked, gold in found) for k in DEPTHS),
        mrr=_mean(reciprocal_rank(ranked, gold) for ranked, gold in found),
        current=_mean(comes_first(a.ranked, a.question.gold, stale=a.question.stale) for a in told),
        silent=_mean(float(not each.hits) for each in answered if not each.question.gold),
        forbidden=sum(a.forbidden for a in answered),
        p50_ms=_at(times, 0.50),
        p95_ms=_at(times, 0.95),
        p99_ms=_at(times, 0.99),
    )


def by_category(answered: Sequence[Answered]) -> Iterator[tuple[str, Sequence[Answered]]]:
    """Yield all questions but those kept apart, then each category."""
    yield "all", [each for each in answered if each.question.category != APART]
    for category in sorted({each.question.category for each in answered}):
        yield category, [each for each in answered if each.question.category == category]


def _mean(values: Iterator[float]) -> float | None:
    told = list(values)
    return round(100 * fmean(told), 1) if told else None


def _at(ordered: Sequence[float], share: float) -> float:
    return round(ordered[min(int(share * len(ordered)), len(ordered) - 1)], 1)
