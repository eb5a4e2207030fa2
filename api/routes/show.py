"""`GET /v1/show`: all that is held of one user in one answer, for an admin, and written into the audit.

Sealed must not mean opaque: who runs the service can look, and the user can see who looked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends

from api.auth import ReadAccess, ServicesDep, reading
from api.ids import SessionIdQuery
from api.views import (
    show_audit,
    show_field,
    show_memory,
    show_pending,
    show_session,
    show_session_line,
)
from shared.ltm.deleted_sources import name_deleted
from shared.model.memory import AuditEntry, FieldVersion, Memory
from shared.model.message import Session
from shared.model.pending import PendingUpdate
from shared.model.scope import Permission
from shared.ports.ltm import LtmReader, LtmWriter, MemoryFilter, PendingFilter
from shared.turn.session_notes import read_session_standing

router = APIRouter(prefix="/v1", tags=["operations"])
AdminRead = Annotated[ReadAccess, Depends(reading(Permission.ADMIN))]
_MOST_ROWS = 200
_AUDIT_LINES = 20


@router.get("/show")
async def show_user(
    access: AdminRead, services: ServicesDep, *, session_id: SessionIdQuery = None
) -> dict[str, Any]:
    """Show what is held of a user; of sessions the window only where one is named."""
    scope, caller = access.known_scope(), access.caller

    def note(writer: LtmWriter) -> None:
        details = {"session_id": session_id}
        writer.add_audit(
            "show", path=None, details=details, actor=caller.key_id, request_id=caller.request_id
        )

    await services.ltm.write(scope, note)  # before anything is shown, or nothing is
    session = None
    if session_id is not None:
        tokens = services.settings.prompt_tokens
        found = await services.stm.read_session(scope, session_id, window_tokens=tokens)
        rules = await services.rules_of(scope.tenant_id)
        standing = await read_session_standing(
            scope, found, now=services.clock.now(), schema=rules.schema, ltm=services.ltm
        )
        session = show_session(_masked(found, services.turn_rules.mask_text), standing)
    fields, memories, pending, audit = await services.ltm.read(scope, _read_all)
    sessions = await services.stm.list_sessions(scope, limit=_MOST_ROWS + 1, before_ms=None)
    lengths = {"memories": len(memories), "sessions": len(sessions)}
    return {
        "user": caller.user_id,
        "fields": [show_field(field) for field in fields],
        "memories": [show_memory(memory) for memory in memories[:_MOST_ROWS]],
        "pending": [show_pending(update) for update in pending],
        "sessions": [show_session_line(one) for one in sessions[:_MOST_ROWS]],
        "session": session,
        "audit": [show_audit(entry) for entry in audit],
        "cut": [name for name, length in lengths.items() if length > _MOST_ROWS],
    }


def _masked(session: Session, mask: Callable[[str], str]) -> Session:
    """Return the session with the secrets of its window masked: only its own model reads them."""
    window = (message.model_copy(update={"body": message.body.masked(mask)}) for message in session.window)
    return session.model_copy(update={"window": tuple(window)})


def _read_all(
    reader: LtmReader,
) -> tuple[list[FieldVersion], list[Memory], list[PendingUpdate], list[AuditEntry]]:
    memories = name_deleted(reader, reader.memories(MemoryFilter(status=None, limit=_MOST_ROWS + 1)))
    pending = reader.pending_updates(PendingFilter(limit=_MOST_ROWS))
    return name_deleted(reader, reader.fields()), memories, pending, reader.audit(limit=_AUDIT_LINES)
