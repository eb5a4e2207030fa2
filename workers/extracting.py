"""Extraction as the workers run it: when it is due, with which rules, what is counted, what waits.

It is due at once when 20 messages or 2,000 tokens wait, else once the session was silent; but between two
calls that are not full, twenty times the idle time passes, so that a slow conversation costs few calls.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, cast

from shared.errors import BilayerError
from shared.extraction.extract import ExtractionFailed, ExtractReport, ExtractRules, extract_session
from shared.log import get_logger
from shared.model.extraction import Extraction
from shared.model.job import DueWork
from shared.model.memory import MemoryKind
from shared.model.scope import Scope
from shared.services import Services

_GAP_IDLES = 20
# Within a job's time limit, with one more answer of a minute; what is left then is due again at once.
_ASKING_SECONDS = 480.0
_PAGE = 500


async def extract_archived(services: Services, scope: Scope, *, session_key: str) -> ExtractReport:
    """Extract what is archived of a session; counts what was dropped, whatever became of the rest."""
    key = session_key.partition("~")[0]
    rules = await services.rules_of(scope.tenant_id)
    session, _ = await services.stm.read_open(scope, key, limit=1)
    ends_at = time.monotonic() + _ASKING_SECONDS
    made = ExtractRules(
        schema=rules.schema,
        mask=rules.mask_text,
        find_secrets=rules.find_secrets,
        timezone=session.notes.timezone if session is not None else None,
        keep_days=rules.pending_days,
        auto_kinds=cast("frozenset[MemoryKind]", services.settings.auto_kinds),
        goes_on=lambda: time.monotonic() < ends_at,
    )
    try:
        report = await extract_session(
            scope,
            key,
            now=services.clock.now(),
            request_id="",
            rules=made,
            ltm=services.ltm,
            model=services.model,
        )
    except ExtractionFailed as failed:
        await _count(services, failed.report)
        raise
    await _count(services, report)
    for known in await services.ltm.read(scope, lambda reader: reader.extractions(key)):
        await services.stm.mark_extracted(scope, key, epoch=known.epoch, to_seq=known.extracted_to)
    return report


async def follow_archive(services: Services, scope: Scope, *, session_key: str) -> None:
    """After an archive: mark the extraction, or where no model is set let rules read at once."""
    if services.model.breaker_state() != "off":
        await mark_extraction(services, scope, session_key=session_key)
        return
    try:
        await extract_archived(services, scope, session_key=session_key)
    except BilayerError as error:  # what was archived stays archived; the reconciler queues the reading
        get_logger().warning("rules_failed", code=error.code)


async def mark_extraction(services: Services, scope: Scope, *, session_key: str) -> None:
    """Mark a session's extraction as due when it will be; nothing where all is extracted."""
    key = session_key.partition("~")[0]
    found = await services.ltm.read(scope, lambda reader: reader.extractions(key))
    open_ones = [known for known in found if known.waiting > 0]
    if not open_ones or services.model.breaker_state() == "off":
        return
    work = DueWork(tenant_id=scope.tenant_id, scope_id=scope.scope_id, job="extract", session_key=key)
    at_ms = min(_due_at_ms(services, known) for known in open_ones)
    await services.due.mark_due_by([work], at_ms=at_ms)


def _due_at_ms(services: Services, known: Extraction) -> int:
    settings, now_ms = services.settings, services.clock.now_ms()
    if known.waiting >= settings.extract_messages or known.tokens >= settings.extract_tokens:
        return now_ms
    gap_ms = int(settings.idle_flush_seconds * 1000) * _GAP_IDLES
    return max(now_ms, known.asked_at_ms + gap_ms) if known.asked_at_ms else now_ms


async def sum_extractions(services: Services) -> Mapping[str, Any]:
    """Count what is not extracted, and mark what lost its mark; once a model is set, what waited for one."""
    has_model = services.model.breaker_state() != "off"
    dead = 0
    after: DueWork | None = None
    later_ms = services.clock.now_ms() + int(services.settings.idle_flush_seconds * 1000) * _GAP_IDLES
    while works := await services.extractions.open_works(with_awaiting=has_model, limit=_PAGE, after=after):
        dead += len(await services.due.mark_due_by(works, at_ms=later_ms))
        after = works[-1]
    debt = await services.extractions.sum_debts()
    return {
        "extract_count": debt.count,
        "extract_oldest_ms": debt.oldest_ms,
        "extract_awaiting_model": debt.awaiting_model,
        "extract_dead_sessions": dead,
    }


async def _count(services: Services, report: ExtractReport) -> None:
    counts = {
        f"extraction_rejected_total:{reason}": float(count) for reason, count in report.rejected.items()
    }
    counts |= {
        f"extraction_items_total:{name}": float(count)
        for name, count in (("proposed", report.proposed), ("stored", report.stored))
        if count
    }
    if report.calls:
        counts["extraction_calls_total"] = float(report.calls)
    if counts:
        await services.due.add_counts(counts)
