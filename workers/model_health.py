"""The chat model as all jobs together know it: what they asked of it, and whether it rests.

Each job is a process of its own, whose breaker knows of one job alone. So that a model which hangs does not
hold a worker for a minute for every session that is due, an outage is noted where all jobs see it: for a
pause, which doubles with each outage in a row, those that merely came due are put off. Where the model
answers again, the note goes. A job that somebody asked for is not put off: it finds out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from shared.model.job import MODEL_JOBS, MODEL_REPORT, JobOrder
from shared.ports.llm import LlmUse
from shared.services import Services

# Shorter than the pause after a job's own first failure; never long enough for a job to be taken for lost.
_FIRST_REST_MS = 5_000
_LONGEST_REST_MS = 60_000


def counts_of(uses: Sequence[LlmUse]) -> dict[str, float]:
    """Return what metrics say of these requests."""
    counts: Counter[str] = Counter()
    for use in uses:
        counts.update(use.counts())
    return dict(counts)


async def rest_of(services: Services, order: JobOrder) -> float:
    """Return for how many seconds a job had better wait for the model, 0 for a job that may run."""
    if order.job not in MODEL_JOBS or not order.scope_id or order.request_id:
        return 0.0
    known = await services.due.read_report(MODEL_REPORT)
    if known is None or not known["outages"]:
        return 0.0
    passed_ms = services.clock.now_ms() - known["at_ms"]
    rest_ms = min(_FIRST_REST_MS * 2.0 ** min(known["outages"] - 1, 9), _LONGEST_REST_MS)
    # A clock that was set back ends the rest: better to ask too early than to wait until it has caught up.
    return (rest_ms - passed_ms) / 1000 if 0 <= passed_ms < rest_ms else 0.0


async def note_health(services: Services, uses: Sequence[LlmUse]) -> None:
    """Note an outage for all jobs, or that there is none any more; the last request tells."""
    told = [use for use in uses if use.is_outage or use.outcome == "ok"]
    if not told:
        return
    known = await services.due.read_report(MODEL_REPORT) or {"outages": 0}
    outages = known["outages"] + 1 if told[-1].is_outage else 0
    if outages or known["outages"]:
        await services.due.write_report(MODEL_REPORT, {"outages": outages, "at_ms": services.clock.now_ms()})
