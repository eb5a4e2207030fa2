"""Memories: free-text rows of long-term memory, and the search over them and the episodes."""

from __future__ import annotations

from datetime import UTC
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Depends, Query, Request, Response

from api.auth import Access, ReadAccess, ServicesDep, reading, require_permission, writing
from api.idempotency import answer_once
from api.metrics import RERANKINGS, count_recall
from api.schemas import MemoryBody, MemoryQuery, SearchBody
from api.views import from_cursor, show_hit, show_memory, show_page, show_pending, show_row, to_cursor
from shared.errors import InvalidInput, Missing
from shared.extraction.said_field import said_field
from shared.forgetting.sweep import revive_memory
from shared.ltm.deleted_sources import name_deleted
from shared.ltm.edit import StatedMemory, Why, add_memory, delete_memory
from shared.ltm.set_field import propose_memory
from shared.ltm.wipe import Wiped, wipe_all
from shared.model.memory import Episode, Memory
from shared.model.moment import to_ms
from shared.model.scope import Permission
from shared.ports.ltm import LtmReader, MemoryFilter
from shared.recall.collect import SearchQuery, open_message
from shared.recall.rerank import find_reranked

router = APIRouter(prefix="/v1/memories", tags=["memories"])
MemoryRead = Annotated[ReadAccess, Depends(reading(Permission.MEMORY_READ))]
MemoryWrite = Annotated[Access, Depends(writing(Permission.MEMORY_WRITE))]


@router.get("")
async def list_memories(
    asked: Annotated[MemoryQuery, Query()], access: MemoryRead, *, services: ServicesDep
) -> dict[str, Any]:
    """List memories, newest first."""
    after_id = from_cursor(asked.cursor, prefix="mem_")
    if access.scope is None:
        return show_page([], next_cursor=None)
    wanted = MemoryFilter(
        kinds=tuple(asked.kind) if asked.kind else None,
        status=None if asked.status == "all" else asked.status,
        session_id=asked.session_id,
        limit=asked.limit + 1,
        after_id=after_id,
    )
    found = await services.ltm.read(
        access.scope, lambda reader: name_deleted(reader, reader.memories(wanted))
    )
    page = found[: asked.limit]
    following = to_cursor(page[-1].id) if len(found) > asked.limit else None
    return show_page([show_memory(memory) for memory in page], next_cursor=following)


@router.post("", status_code=201)
async def post_memory(
    request: Request, response: Response, *, body: MemoryBody, access: MemoryWrite, services: ServicesDep
) -> dict[str, Any]:
    """Add a memory that the caller states; the same text again answers the same id (200).

    An agent's key proposes it instead (202).
    """
    now = services.clock.now()
    expires_at_ms = to_ms(body.expires_at) if body.expires_at else None
    if expires_at_ms is not None and expires_at_ms <= to_ms(now):
        raise InvalidInput("expires_at must lie in the future.", field="expires_at")
    rules = await services.rules_of(access.caller.tenant_id)
    text = rules.mask_text(body.text)
    said = said_field(text, schema=rules.schema, today=now.date(), zone=UTC)
    stated = StatedMemory(
        text=text,
        kind=body.kind,
        path=said.path,
        value=said.value,
        importance=body.importance,
        expires_at_ms=expires_at_ms,
        pinned=body.pinned,
    )
    why = Why(actor=access.caller.key_id, request_id=access.caller.request_id, origin="api", at=now)

    async def write() -> dict[str, Any]:
        if Permission.PENDING_RESOLVE not in access.caller.permissions:
            keep_days = rules.pending_days
            made = await propose_memory(access.scope, stated, why=why, keep_days=keep_days, ltm=services.ltm)
            response.status_code = 200 if isinstance(made, Memory) else 202
            return show_memory(made) if isinstance(made, Memory) else show_pending(made)
        memory, is_new = await add_memory(access.scope, stated, why=why, ltm=services.ltm)
        response.status_code = 201 if is_new else 200
        return show_memory(memory)

    return await answer_once(request, access, response=response, write=write, stm=services.stm)


@router.post("/search")
async def search_memories(body: SearchBody, access: MemoryRead, *, services: ServicesDep) -> dict[str, Any]:
    """Search memories and episodes; the best first, nothing below the floor.

    Where a reranker is configured and was asked, `reranked` says whether it answered.
    """
    since_ms, until_ms = _bounds_of(body)
    if access.scope is None:
        return {"items": []}
    zone = ZoneInfo(body.timezone) if body.timezone else UTC
    rules = await services.rules_of(access.caller.tenant_id)
    query = SearchQuery(
        text=body.query,
        asked_at=services.clock.now().astimezone(zone),
        limit=body.limit,
        kinds=frozenset(body.kinds) if body.kinds is not None else None,
        since_ms=since_ms,
        until_ms=until_ms,
        as_of_ms=to_ms(body.as_of) if body.as_of else None,
        include_episodes=body.include_episodes,
        synonyms=rules.synonyms,
    )
    with count_recall():
        found = await find_reranked(
            [access.scope],
            query,
            mask=rules.mask_text,
            stm=services.stm,
            ltm=services.ltm,
            embedder=services.embedder,
            reranker=services.reranker,
        )
    rows = await services.ltm.read(
        access.scope, lambda reader: name_deleted(reader, [hit.row for hit in found.hits])
    )
    hits = [hit._replace(row=row) for hit, row in zip(found.hits, rows, strict=True)]
    shown: dict[str, Any] = {"items": [show_hit(hit, explain=body.explain) for hit in hits]}
    if found.is_reranked is not None:
        RERANKINGS.labels("ok" if found.is_reranked else "failed").inc()
        shown["reranked"] = found.is_reranked
    return shown


def _bounds_of(body: SearchBody) -> tuple[int | None, int | None]:
    """Return between when a row was said, in milliseconds; nothing said after `as_of` was known then."""
    ends = {"until": body.until, "as_of": body.as_of}
    for name, end in ends.items():
        if body.since and end and body.since > end:
            raise InvalidInput(f"since must not be later than {name}.", field="since")
    until_ms = min((to_ms(end) for end in ends.values() if end), default=None)
    return to_ms(body.since) if body.since else None, until_ms


@router.get("/{memory_id}")
async def get_memory(memory_id: str, access: MemoryRead, *, services: ServicesDep) -> dict[str, Any]:
    """Return a memory, or an episode by its message's id, without what was forgotten of it."""

    def work(reader: LtmReader) -> Memory | Episode | None:
        memory = reader.memory(memory_id)
        return name_deleted(reader, [memory])[0] if memory else open_message(reader, memory_id)

    row = await services.ltm.read(access.known_scope(), work)
    if row is None:
        raise Missing("There is no such memory.")
    return show_row(row)


@router.delete("")
async def wipe_memories(
    access: MemoryRead,
    services: ServicesDep,
    *,
    confirm: Annotated[Literal["all"] | None, Query()] = None,
) -> dict[str, int]:
    """Delete all that this user said: memories, proposals, episodes and sessions; fields stay."""
    caller = access.caller
    require_permission(caller, Permission.MEMORY_WRITE)
    require_permission(caller, Permission.PENDING_RESOLVE)
    if confirm is None:
        raise InvalidInput(
            "This deletes all memories of the user; send confirm=all to say that you mean it.",
            field="confirm",
        )
    if access.scope is None:
        return Wiped(memories=0, episodes=0, messages=0).model_dump()
    why = Why(actor=caller.key_id, request_id=caller.request_id, origin="api", at=services.clock.now())
    wiped = await wipe_all(access.scope, why=why, ltm=services.ltm, stm=services.stm)
    return wiped.model_dump()


@router.delete("/{memory_id}", status_code=204)
async def remove_memory(memory_id: str, access: MemoryRead, *, services: ServicesDep) -> None:
    """Delete a memory and its words' traces in the index."""
    caller = access.caller
    require_permission(caller, Permission.MEMORY_WRITE)
    require_permission(caller, Permission.PENDING_RESOLVE)
    why = Why(actor=caller.key_id, request_id=caller.request_id, origin="api", at=services.clock.now())
    await delete_memory(access.known_scope(), memory_id, why=why, ltm=services.ltm, stm=services.stm)


@router.post("/{memory_id}/restore")
async def restore_memory(
    memory_id: str, request: Request, *, response: Response, access: MemoryRead, services: ServicesDep
) -> dict[str, Any]:
    """Bring back a memory that faded or expired, while it is not purged yet."""
    caller = access.caller
    require_permission(caller, Permission.MEMORY_WRITE)
    require_permission(caller, Permission.PENDING_RESOLVE)
    why = Why(actor=caller.key_id, request_id=caller.request_id, origin="api", at=services.clock.now())
    scope = access.known_scope()

    async def write() -> dict[str, Any]:
        return show_memory(await revive_memory(scope, memory_id, why=why, ltm=services.ltm))

    access_once = Access(caller, scope)
    return await answer_once(request, access_once, response=response, write=write, stm=services.stm)
