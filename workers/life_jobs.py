"""Jobs that walk over all users: weighing memories, giving rows vectors, indexing anew, letting go."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

from shared.errors import Missing, Unavailable
from shared.extraction.importance import RULE_VERSION, importance_of
from shared.forgetting.sweep import sweep_scope
from shared.forgetting.weigh import weigh_memories
from shared.log import get_logger
from shared.ltm.index import INDEX_VERSION
from shared.ltm.reindex import reindex_scope
from shared.model.job import JobOrder
from shared.model.memory import Memory
from shared.model.scope import Scope
from shared.recall.embed import embed_scope
from shared.services import Services

_PAGE = 500
# Rows of one run of `embed`: by the local model, half a minute of work.
_MOST_EMBEDDED = 5_000
_MOST_FAILURES = 2
_MINUTE_MS = 60_000
_REINDEXED_ROWS = 20_000
# What a dry run lists; it counts all.
_MOST_LISTED = 1_000


async def run_sweep(services: Services, order: JobOrder) -> dict[str, Any]:
    """Sweep every scope; a dry run lists what would become of which row, and changes nothing."""
    counts: Counter[str] = Counter()
    listed: list[dict[str, str]] = []
    is_dry = order.options.dry_run
    async for scope in _living_scopes(services):
        try:
            steps = await sweep_scope(
                scope,
                rules=services.forget_rules,
                now_ms=services.clock.now_ms(),
                dry_run=is_dry,
                ltm=services.ltm,
            )
        except Missing as error:
            counts["unreadable"] += _is_spoilt(error, scope)
            continue
        counts["scopes"] += 1
        counts.update(step.action for step in steps)
        if is_dry:
            listed += [{"scope_id": scope.scope_id, **step.model_dump()} for step in steps]
    told: dict[str, Any] = {name: counts[name] for name in ("scopes", "expire", "fade", "purge")}
    told |= _told_spoilt(counts["unreadable"])
    if is_dry:
        told |= {"dry_run": True, "items": listed[:_MOST_LISTED]}
    else:
        await _count_ended(services, counts)
    return told


async def _count_ended(services: Services, counts: Counter[str]) -> None:
    ended = {f"swept_total:{name}": float(counts[name]) for name in ("expire", "fade", "purge")}
    await services.due.add_counts({name: count for name, count in ended.items() if count})


async def run_score(services: Services, _order: JobOrder) -> dict[str, Any]:
    """Weigh what no rule of this version has weighed."""
    weighed = spoilt = 0
    for scope in await services.directory.scopes_to_weigh(version=RULE_VERSION, limit=_PAGE):
        try:
            weighed += await weigh_memories(scope, weigh=_weigh, version=RULE_VERSION, ltm=services.ltm)
        except Missing as error:
            spoilt += _is_spoilt(error, scope)
    return {"weighed": weighed, **_told_spoilt(spoilt)}


async def run_embed(services: Services, _order: JobOrder) -> dict[str, Any]:
    """Give rows that lack one a vector by the model in use; what is left of many waits for the next run.

    A scope whose rows the model does not answer holds up no other: after some of them the run ends, and the
    next one, a minute later, begins with another.
    """
    embedder, embedded, failures, spoilt = services.embedder, 0, 0, 0
    if not embedder.model:
        return {"embedded": 0}
    scopes = await services.directory.scopes_to_embed(model=embedder.model, limit=_PAGE)
    first = services.clock.now_ms() // _MINUTE_MS % max(len(scopes), 1)
    for scope in scopes[first:] + scopes[:first]:
        left = _MOST_EMBEDDED - embedded
        if left <= 0:
            break
        try:
            embedded += await embed_scope(scope, most_rows=left, ltm=services.ltm, embedder=embedder)
        except Missing as error:
            spoilt += _is_spoilt(error, scope)
        except Unavailable as error:
            if error.code != "embeddings_unavailable":
                raise
            failures += 1
            if failures == _MOST_FAILURES:
                break
    waits = {"waits_for_model": True} if failures else {}
    return {"embedded": embedded, **waits, **_told_spoilt(spoilt)}


async def run_reindex(services: Services, _order: JobOrder) -> dict[str, Any]:
    """Index anew what rules of another version have indexed, some 20,000 rows a run; the next one goes on."""
    rows = changed = done = spoilt = 0
    waiting = await services.directory.scopes_to_reindex(version=INDEX_VERSION, limit=_PAGE)
    for scope in waiting:
        if rows >= _REINDEXED_ROWS:
            break
        try:
            report = await reindex_scope(
                scope, version=INDEX_VERSION, most_rows=_REINDEXED_ROWS - rows, ltm=services.ltm
            )
        except Missing as error:
            spoilt += _is_spoilt(error, scope)
            continue
        rows, changed, done = rows + report.rows, changed + report.changed, done + report.is_done
    is_done = done == len(waiting) < _PAGE
    return {"scopes": done, "rows": rows, "changed": changed, "is_done": is_done, **_told_spoilt(spoilt)}


def _is_spoilt(error: Missing, scope: Scope) -> bool:
    """Whether a scope was left out since something of it does not open; else it was erased meanwhile.

    It holds up no other scope; an operator reads of it in the log and in the job's result.
    """
    if error.code != "unreadable":
        return False
    get_logger().warning("scope_spoilt", scope_id=scope.scope_id)
    return True


def _told_spoilt(count: int) -> dict[str, int]:
    return {"unreadable": count} if count else {}


def _weigh(memory: Memory) -> float:
    return importance_of(memory.kind, memory.text, confirmed=memory.origin == "user")


async def _living_scopes(services: Services) -> AsyncIterator[Scope]:
    """Yield all living scopes, a page at a time."""
    last: Scope | None = None
    while page := await services.directory.scopes_after(last, limit=_PAGE):
        for scope in page:
            yield scope
        last = page[-1]
