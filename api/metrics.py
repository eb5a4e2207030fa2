"""Metrics of the front, in Prometheus' form; those of the workers come from their shared counters."""

from __future__ import annotations

import collections
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from prometheus_client import Counter, Gauge, Histogram

from shared.errors import Unavailable
from shared.model.turn import CommandOutcome, Notice
from shared.ports.llm import LlmUse
from shared.unreadable import unreadable_counts

TURNS = Counter("bilayer_turns", "Chat turns by outcome", ["outcome"])
STAGES = Histogram(
    "bilayer_turn_stage_seconds",
    "Time of a turn's stages, the reply's generation included in `turn`",
    ["stage"],
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5, 30),
)
LLM_BREAKER = Gauge("bilayer_llm_breaker_state", "0 closed, 1 half open, 2 open, -1 no upstream")
QUEUE_DEPTH = Gauge("bilayer_queue_depth", "Jobs that wait in a queue", ["queue"])
LAG_SECONDS = Gauge("bilayer_lag_seconds", "Age of the oldest item that a stage has not done", ["stage"])
RECALL_SECONDS = Histogram(
    "bilayer_recall_seconds", "Time of a search", buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 1)
)
RECALL_ERRORS = Counter("bilayer_recall_errors", "Searches and turns that could not recall", ["reason"])
LIMITED = Counter("bilayer_limited", "Requests that a limit has refused", ["limit"])
LIMITS = frozenset({"message_too_long", "body_too_large", "session_busy"})
RERANKINGS = Counter("bilayer_rerankings", "Searches that asked the reranker, by outcome", ["outcome"])
_LLM_USES: collections.Counter[str] = collections.Counter()
PENDING = Counter("bilayer_pending", "Pending updates by what became of them", ["outcome"])


def count_pending(outcome: str, count: int = 1) -> None:
    """Count pending updates: `created`, `confirmed` or `rejected`."""
    if count:
        PENDING.labels(outcome).inc(count)


def count_outcomes(commands: Sequence[CommandOutcome], *, created: int) -> None:
    """Count what a message proposed and resolved."""
    count_pending("created", created)
    done = [command.kind for command in commands if command.outcome == "applied"]
    count_pending("confirmed", done.count("confirm"))
    count_pending("rejected", done.count("reject"))


def count_limited(code: str) -> None:
    """Count a refusal by its code, where a limit of size or of turns at a time is behind it."""
    if code in LIMITS:
        LIMITED.labels(code).inc()


@contextmanager
def count_recall() -> Iterator[None]:
    """Time a search, and count one that failed by the code of its error."""
    with RECALL_SECONDS.time():
        try:
            yield
        except Unavailable as error:
            RECALL_ERRORS.labels(error.code).inc()
            raise


def count_unrecalled(notices: Sequence[Notice]) -> None:
    """Count a turn that went on without long-term memory."""
    if any(notice.kind == "recall_unavailable" for notice in notices):
        RECALL_ERRORS.labels(Unavailable.code).inc()


@dataclass(slots=True)
class TurnOutcome:
    """How a turn ended, for the counter."""

    is_degraded: bool = False
    is_failed: bool = False
    is_interrupted: bool = False

    @property
    def name(self) -> str:
        """Return the counter's label."""
        if self.is_interrupted:
            return "interrupted"
        if self.is_failed:
            return "failed"
        return "degraded" if self.is_degraded else "complete"


@contextmanager
def count_turn() -> Iterator[TurnOutcome]:
    """Count a turn when the block ends; one that raises counts as failed."""
    outcome = TurnOutcome()
    is_through = False
    try:
        yield outcome
        is_through = True
    finally:
        outcome.is_failed = outcome.is_failed or not (is_through or outcome.is_interrupted)
        TURNS.labels(outcome.name).inc()


@contextmanager
def time_stage(stage: str) -> Iterator[None]:
    """Observe how long the block took."""
    started = time.perf_counter()
    try:
        yield
    finally:
        STAGES.labels(stage).observe(time.perf_counter() - started)


def observe_llm(use: LlmUse) -> None:
    """Count a request of the front's to the model; those of the workers are added when they are shown."""
    _LLM_USES.update(use.counts())


def render_counts(counts: Mapping[str, float]) -> str:
    """Return the workers' shared counters (`jobs_total:archive:finished`) in Prometheus' text form.

    Requests to the model are counted by both, so the front's own are added to them here.
    """
    counts = {key: counts.get(key, 0.0) + _LLM_USES.get(key, 0.0) for key in [*counts, *_LLM_USES]}
    counts |= {f"unreadable_total:{kind}": float(count) for kind, count in unreadable_counts().items()}
    labels: dict[str, tuple[str, ...]] = {
        "jobs_total": ("job", "outcome"),
        "job_seconds": ("job",),
        "summary_repairs_total": ("reason",),
        "erasures_total": (),
        "swept_total": ("outcome",),
        "extraction_rejected_total": ("reason",),
        "extraction_items_total": ("outcome",),
        "extraction_calls_total": (),
        "llm_requests_total": ("purpose", "outcome"),
        "llm_tokens_total": ("purpose", "direction"),
        "unreadable_total": ("kind",),
    }
    lines = []
    # A newer version beside this one, or before it, may have counted what this one does not know.
    for name in sorted({key.split(":")[0] for key in counts} & labels.keys()):
        lines.append(f"# TYPE bilayer_{name} counter")
        for key, value in sorted(counts.items()):
            metric, *values = key.split(":")
            if metric == name:
                told = sorted(zip(labels[name], values, strict=True))
                pairs = ",".join(f'{label}="{text}"' for label, text in told)
                lines.append(f"bilayer_{name}{{{pairs}}} {value}" if pairs else f"bilayer_{name} {value}")
    return "".join(f"{line}\n" for line in lines)
