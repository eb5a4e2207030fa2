"""Whether the process lives, whether it is ready, what it measured. No credential, no user data."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.responses import Response

from api import metrics
from api.auth import ServicesDep
from api.responses import SafeJSONResponse
from shared.errors import BilayerError
from shared.model.job import LAG_REPORT, SCHEDULER_REPORT
from shared.services import Services

router = APIRouter(tags=["operations"])
_SCHEDULER_SILENT_MS = 10_000
_BREAKER_LEVEL = {"off": -1, "closed": 0, "half_open": 1, "open": 2}


@router.head("/healthz", include_in_schema=False)
@router.get("/healthz")
async def get_health() -> dict[str, bool]:
    """Return that this process answers."""
    return {"ok": True}


@router.head("/readyz", include_in_schema=False)
@router.get("/readyz")
async def get_readiness(services: ServicesDep) -> Response:
    """Ask every part anew. 503 only where a turn could not work."""
    stm = await _check_stm(services)
    ltm, vault = await services.check_ltm(), services.check_vault()
    checks: dict[str, Any] = {"stm": stm, "ltm": _shown(ltm), "vault": _shown(vault)}
    is_ready = all(check["ok"] for check in checks.values())
    checks |= await _check_work(services) if stm["reachable"] else _no_work()
    checks["stm"] = {"ok": stm["ok"], "detail": stm["detail"]}
    breaker = services.model.breaker_state()
    detail = "no upstream is set: replies come from memory" if breaker == "off" else f"breaker {breaker}"
    checks["llm"] = {"ok": breaker == "closed", "detail": detail}
    checks["llm"]["breaker"] = "closed" if breaker == "off" else breaker
    return SafeJSONResponse({"ready": is_ready, "checks": checks}, status_code=200 if is_ready else 503)


def _shown(finding: tuple[bool, str]) -> dict[str, Any]:
    return {"ok": finding[0], "detail": finding[1]}


async def _check_stm(services: Services) -> dict[str, Any]:
    findings = await services.due.check()
    is_reachable = all(ok for name, ok, _ in findings if name == "reachable")
    warnings = "; ".join(f"{name}: {detail}" for name, ok, detail in findings if not ok)
    return {"ok": is_reachable, "reachable": is_reachable, "detail": warnings or "answers"}


async def _check_work(services: Services) -> dict[str, Any]:
    try:
        workers = await services.queue.worker_count()
        report = await services.due.read_report(SCHEDULER_REPORT)
        lag = await services.due.read_report(LAG_REPORT)
    except BilayerError:
        return _no_work()
    now_ms = services.clock.now_ms()
    is_scheduled = report is not None and abs(now_ms - report["at_ms"]) < _SCHEDULER_SILENT_MS
    oldest_ms = (lag or {}).get("archive_oldest_ms")
    return {
        "workers": {"ok": workers > 0, "detail": f"{workers} running" if workers else _NO_WORKER},
        "scheduler": {"ok": is_scheduled, "detail": "ticks" if is_scheduled else _NO_SCHEDULER},
        "queue_lag_seconds": max(now_ms - oldest_ms, 0) / 1000 if oldest_ms else 0,
    }


_NO_WORKER = "none is running: turns work, jobs wait; start one with `bilayer worker`"
_NO_SCHEDULER = "silent: turns work, jobs wait; start it with `bilayer schedule`"


def _no_work() -> dict[str, Any]:
    unknown = {"ok": False, "detail": "unknown: the queue's Redis does not answer"}
    return {"workers": unknown, "scheduler": unknown, "queue_lag_seconds": 0}


@router.get("/metrics")
async def get_metrics(services: ServicesDep) -> Response:
    """Return all metrics in Prometheus' text form."""
    metrics.LLM_BREAKER.set(_BREAKER_LEVEL[services.model.breaker_state()])
    try:
        metrics.QUEUE_DEPTH.labels("bilayer").set(await services.queue.depth())
        lag = await services.due.read_report(LAG_REPORT) or {}
        for stage in ("archive", "extract", "score"):
            oldest_ms = lag.get(f"{stage}_oldest_ms")
            age = max(services.clock.now_ms() - oldest_ms, 0) / 1000 if oldest_ms else 0
            metrics.LAG_SECONDS.labels(stage).set(age)
        shared = metrics.render_counts(await services.due.read_counts())
    except BilayerError:
        shared = metrics.render_counts({})
    return Response(generate_latest() + shared.encode(), media_type=CONTENT_TYPE_LATEST)
