"""Questions asked over HTTP, and what their answers are worth: evidence found, time taken, foreign rows."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from tests.e2e.stack import User
from tests.evals.ingest import Ingested
from tests.evals.metrics import hit_at, recall_at, reciprocal_rank
from tests.evals.sets import Question

LIMIT = 20
DEPTHS = (5, 10, 20)
APART = "adversarial"


@dataclass(frozen=True, slots=True)
class Answered:
    """One question with the set's ids of its hits, best first; `forbidden` hits are none of this user's."""

    user_id: str
    question: Question
    ranked: tuple[str, ...]
    forbidden: int
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Figures:
    """Means over questions in percent, times in milliseconds. `recall` is of all evidence, `hit` of any."""

    questions: int
    recall: tuple[float, ...]
    hit: tuple[float, ...]
    mrr: float
    forbidden: int
    p50_ms: float
    p95_ms: float
    p99_ms: float


def ask(user: User, taken: Ingested, question: Question) -> Answered:
    """Search one user's episodes for a question of the set."""
    body = {"query": question.text, "limit": LIMIT, "kinds": ["episode"], "timezone": "UTC"}
    started = time.perf_counter()
    answer = user.client.post("/v1/memories/search", json=body)
    milliseconds = (time.perf_counter() - started) * 1000
    assert answer.status_code == 200, answer.text
    ranked, forbidden = name_hits(answer.json()["items"], taken)
    return Answered(taken.user_id, question, tuple(ranked), forbidden, milliseconds)


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
    return Figures(
        questions=len(answered),
        recall=tuple(_mean(recall_at(a.ranked, a.question.gold, k=k) for a in answered) for k in DEPTHS),
        hit=tuple(_mean(hit_at(a.ranked, a.question.gold, k=k) for a in answered) for k in DEPTHS),
        mrr=_mean(reciprocal_rank(a.ranked, a.question.gold) for a in answered),
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


def _mean(values: Iterator[float]) -> float:
    return round(100 * fmean(values), 1)


def _at(ordered: Sequence[float], share: float) -> float:
    return round(ordered[min(int(share * len(ordered)), len(ordered) - 1)], 1)
