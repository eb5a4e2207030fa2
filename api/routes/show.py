"""`GET /v1/show`: all that is held of one user in one answer, for an admin, and written into the audit.

Sealed must not mean opaque: who runs the service can look, and the user can see who looked.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends

from api.auth import ReadAccess, ServicesDep, reading
from api.ids import SessionIdQuery
from api.views import show_audit, show_field, show_memory, show_session, show_session_line
from shared.model.memory import AuditEntry, FieldVersion, Memory
from shared.model.scope import Permission
from shared.ports.ltm import LtmReader, LtmWriter, MemoryFilter

router = APIRouter(prefix="/v1", tags=["operations"])
AdminRead = Annotated[ReadAccess, Depends(reading(Permission.ADMIN))]
_MOST_ROWS = 200
_AUDIT_LINES = 20


@router.get("/show")
async def show_user(
    access: AdminRead, services: ServicesDep, *, session_id: SessionIdQuery = None
) -> dict[str, Any]:
    """Show fields, memories, sessions, audit, and the window of one session where it is named."""
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
        session = show_session(await services.stm.read_session(scope, session_id, window_tokens=tokens))
    fields, memories, audit = await services.ltm.read(scope, _read_all)
    sessions = await services.stm.list_sessions(scope, limit=_MOST_ROWS + 1, before_ms=None)
    lengths = {"memories": len(memories), "sessions": len(sessions)}
    return {
        "user": caller.user_id,
        "fields": [show_field(field) for field in fields],
        "memories": [show_memory(memory) for memory in memories[:_MOST_ROWS]],
        "sessions": [show_session_line(one) for one in sessions[:_MOST_ROWS]],
        "session": session,
        "audit": [show_audit(entry) for entry in audit],
        "cut": [name for name, length in lengths.items() if length > _MOST_ROWS],
    }


def _read_all(reader: LtmReader) -> tuple[list[FieldVersion], list[Memory], list[AuditEntry]]:
    memories = reader.memories(MemoryFilter(status=None, limit=_MOST_ROWS + 1))
    return reader.fields(), memories, reader.audit(limit=_AUDIT_LINES)
