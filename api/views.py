"""How values look on the wire: the shapes of the HTTP contract, each in one place."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from shared.errors import InvalidInput
from shared.model.erasure import Erasure
from shared.model.job import JobRecord
from shared.model.memory import AuditEntry, Episode, FieldVersion, Memory, Source
from shared.model.message import Message, Session
from shared.model.moment import from_ms
from shared.model.pending import PendingUpdate
from shared.model.scope import ApiKey
from shared.model.session_state import BannedTopic, TaskCard
from shared.model.snapshot import Snapshot
from shared.recall.answers import Hit, Past
from shared.turn.standing import Standing


def show_time(moment_ms: int | None) -> str | None:
    """Return RFC 3339 in UTC, to the millisecond."""
    if moment_ms is None:
        return None
    return show_moment(from_ms(moment_ms))


def show_moment(moment: datetime) -> str:
    """Return an aware time as RFC 3339 in UTC, to the millisecond."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def show_message(message: Message) -> dict[str, Any]:
    """Return a Message; optional names are left out where they have no value."""
    body = message.body
    optional = {
        "client_id": body.client_id,
        "turn_id": message.turn_id,
        "name": body.name,
        "tool_calls": body.tool_calls,
        "tool_call_id": body.tool_call_id,
        "asks_pending": list(body.asks_pending) or None,
    }
    return {
        "id": message.id,
        "seq": message.seq,
        "role": message.role,
        "content": body.content,
        "created_at": show_time(message.created_at_ms),
        "state": message.state,
        **{name: value for name, value in optional.items() if value is not None},
    }


def show_session(session: Session, standing: Standing | None = None) -> dict[str, Any]:
    """Return a session with its window; of `standing`, what holds now: nothing that was forgotten."""
    notes = standing.notes if standing else session.notes
    summary = session.summary
    told = (standing and standing.summary) or (summary and summary.summary)
    card = (standing.card if standing else None) or notes.task_card or TaskCard()
    topics = standing.topics if standing else notes.banned_topics
    return {
        "session_id": session.id,
        "messages": session.last_seq,
        "window": [show_message(message) for message in session.window],
        "system": notes.system,
        "timezone": notes.timezone,
        "summary": None
        if summary is None or told is None
        else {
            **told.model_dump(mode="json"),
            "version": summary.version,
            "to_seq": summary.to_seq,
            "made_at": show_time(summary.made_at_ms),
            "made_by": summary.made_by,
        },
        "task_card": card.model_dump(mode="json"),
        "banned_topics": list(topics),
        "key_facts": [fact.model_dump(mode="json") for fact in notes.key_facts],
        "results": [result.model_dump(mode="json") for result in notes.results],
        "tokens": {
            "total": session.total_tokens,
            "window": sum(message.tokens for message in session.window),
            "open": session.open_tokens,
            "key_facts_overflow": notes.overflow,
        },
        "archived_to": session.archived_to,
        "extracted_to": session.extracted_to,
        "compacted_to": session.compacted_to,
        "created_at": show_time(session.created_at_ms),
        "last_at": show_time(session.last_at_ms),
        "expires_at": show_time(session.expires_at_ms),
    }


def show_session_line(session: Session) -> dict[str, Any]:
    """Return a session as one line of a list."""
    whole = show_session(session)
    return {name: whole[name] for name in ("session_id", "messages", "created_at", "last_at", "expires_at")}


def _fate_of(source: Source, name: str) -> dict[str, bool]:
    """Return `{name: True}` where the user has deleted the session that something came from, else nothing."""
    return {name: True} if source.is_deleted else {}


def show_field(field: FieldVersion) -> dict[str, Any]:
    """Return a field's version."""
    return {
        "path": field.path,
        "value": field.value,
        "version": field.version,
        "valid_from": show_time(field.valid_from_ms),
        "valid_to": show_time(field.valid_to_ms),
        "source": {
            "session_id": field.source.session_id,
            "message_ids": list(field.source.message_ids),
            "quote": field.source.quote,
            **_fate_of(field.source, "deleted"),
        },
        "origin": field.origin,
        "confirmed_at": show_time(field.confirmed_at_ms),
    }


_SHOWN_OTHERWISE = {
    "created_at_ms",
    "expires_at_ms",
    "rejected_at_ms",
    "is_flagged",
    "lasts_until_ms",
    "stored",
}


def show_pending(update: PendingUpdate) -> dict[str, Any]:
    """Return a PendingUpdate; one that was edited at its confirmation with what was confirmed."""
    edited = {} if update.stored is None else {"new": update.stored, "text": str(update.stored)}
    return {
        **update.model_dump(mode="json", exclude=_SHOWN_OTHERWISE),
        **edited,
        "flagged": update.is_flagged,
        "lasts_until": show_time(update.lasts_until_ms),
        "created_at": show_time(update.created_at_ms),
        "expires_at": show_time(update.expires_at_ms),
    }


def show_memory(memory: Memory) -> dict[str, Any]:
    """Return a Memory."""
    return {
        "id": memory.id,
        "kind": memory.kind,
        "text": memory.text,
        "path": memory.path,
        "value": memory.value,
        "scope": "user",
        "importance": memory.importance,
        "confidence": memory.confidence,
        "pinned": memory.pinned,
        "status": memory.status,
        "sensitivity": memory.sensitivity,
        "origin": memory.origin,
        "quote": memory.source.quote,
        "source_session_id": memory.source.session_id,
        "source_message_ids": list(memory.source.message_ids),
        **_fate_of(memory.source, "source_deleted"),
        "valid_from": show_time(memory.valid_from_ms),
        "valid_to": show_time(memory.valid_to_ms),
        "created_at": show_time(memory.created_at_ms),
        "last_accessed_at": show_time(memory.last_accessed_at_ms),
        "access_count": memory.access_count,
        "expires_at": show_time(memory.expires_at_ms),
    }


def show_episode(episode: Episode) -> dict[str, Any]:
    """Return an episode in the shape of a Memory, its kind `episode`, its id the message's."""
    message = episode.message
    said_at = show_time(message.created_at_ms)
    return {
        "id": message.id,
        "kind": "episode",
        "text": message.said,
        "path": None,
        "value": None,
        "scope": "user",
        "importance": episode.importance,
        "confidence": 1.0,
        "pinned": False,
        "status": "active",
        "sensitivity": "internal",
        "origin": "user" if message.role == "user" else "api",
        "quote": message.said,
        "source_session_id": episode.session_id,
        "source_message_ids": [message.id],
        "valid_from": said_at,
        "valid_to": None,
        "created_at": said_at,
        "last_accessed_at": show_time(episode.last_accessed_at_ms),
        "access_count": episode.access_count,
        "expires_at": None,
    }


def show_row(row: Memory | Episode) -> dict[str, Any]:
    """Return a memory or an episode in the shape of a Memory."""
    return show_memory(row) if isinstance(row, Memory) else show_episode(row)


def show_hit(hit: Hit, *, explain: bool) -> dict[str, Any]:
    """Return a search hit: the row, whose it is, where it was said; `why` only when asked for."""
    row = hit.row
    if isinstance(row, Memory):
        source, said_at_ms = row.source, row.created_at_ms
    else:
        message = row.message
        source = Source(session_id=row.session_id, message_ids=(message.id,), quote=message.said)
        said_at_ms = message.created_at_ms
    shown: dict[str, Any] = {
        "memory": show_row(row),
        "score": round(hit.score, 4),
        "scope": hit.scope.kind if hit.scope else "user",
        "source": {
            "session_id": source.session_id,
            "message_ids": list(source.message_ids),
            "quote": source.quote,
            **_fate_of(source, "deleted"),
            "said_at": show_time(said_at_ms),
        },
        "past": _show_past(hit.past, said_at_ms) if hit.past else None,
    }
    if explain:
        shown["why"] = {name: round(value, 4) for name, value in hit.why.items()}
    return shown


def _show_past(past: Past, said_at_ms: int) -> dict[str, Any]:
    return {
        "from": show_time(said_at_ms),
        "until": show_time(past.until_ms),
        "newer": past.newer,
        "confirmed": past.is_settled,
    }


def show_job(job: JobRecord, session_ids: Mapping[str, str]) -> dict[str, Any]:
    """Return a job; the ids of scope and session only where it has them.

    `session_ids` are those of sessions that still live, by job id; the key tells one session's jobs anyway.
    """
    session_id = session_ids.get(job.id, "")
    optional = {"scope_id": job.scope_id, "session_id": session_id, "session_key": job.session_key}
    return {
        "id": job.id,
        "job": job.job,
        "status": job.status,
        "attempts": job.attempts,
        "queued_at": show_time(job.queued_at_ms),
        "started_at": show_time(job.started_at_ms),
        "finished_at": show_time(job.finished_at_ms),
        "reason": job.reason,
        "result": job.result,
        "request_id": job.request_id,
        **{name: value for name, value in optional.items() if value},
    }


def show_erasure(erasure: Erasure) -> dict[str, Any]:
    """Return an erasure in the contract's shape; there is no receipt before the end."""
    receipt = None
    if erasure.state == "done":
        receipt = {
            "stores": erasure.stores.model_dump(),
            "key_destroyed_at": show_time(erasure.key_destroyed_at_ms),
            "signature": erasure.signature,
        }
    return {"id": erasure.id, "state": erasure.state, "receipt": receipt}


def show_snapshot(snapshot: Snapshot) -> dict[str, Any]:
    """Return a snapshot as its manifest tells of it."""
    return {
        "id": snapshot.id,
        "tag": snapshot.tag or None,
        "created_at": show_time(snapshot.created_at_ms),
        "environment": snapshot.environment,
        "schema_version": snapshot.schema_version,
        "rows": snapshot.rows,
        "bytes": snapshot.bytes,
        "tables": {name: table.rows for name, table in snapshot.tables.items()},
    }


def show_key(key: ApiKey) -> dict[str, Any]:
    """Return a service key without its secret, which nobody has."""
    return {
        "id": key.id,
        "label": key.label,
        "permissions": list(key.permissions),
        "created_at": show_time(key.created_at_ms),
        "revoked_at": show_time(key.revoked_at_ms),
    }


def show_audit(entry: AuditEntry) -> dict[str, Any]:
    """Return an audit line; `details` are None once the scope is erased."""
    return {
        "seq": entry.seq,
        "at": show_time(entry.at_ms),
        "action": entry.action,
        "path": entry.path,
        "actor": entry.actor,
        "request_id": entry.request_id,
        "details": entry.details,
    }


def show_topic(topic: BannedTopic) -> dict[str, Any]:
    """Return a standing ban."""
    return {
        "topic": topic.topic,
        "quote": topic.quote,
        "session_id": topic.session_id,
        "message_id": topic.message_id,
        "since": show_time(topic.at_ms),
    }


def show_page(items: Sequence[Any], *, next_cursor: str | None) -> dict[str, Any]:
    """Return a list; `next_cursor` is None on the last page."""
    return {"items": list(items), "next_cursor": next_cursor}


def to_cursor(place: str) -> str:
    """Return a place in a list as an opaque cursor."""
    return base64.urlsafe_b64encode(place.encode()).decode().rstrip("=")


def from_cursor(cursor: str | None, *, prefix: str = "") -> str | None:
    """Return the place that a cursor names. Raises `InvalidInput` for what was never one.

    `prefix` is how the ids of that list begin.
    """
    if cursor is None:
        return None
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        place = base64.b64decode(padded, altchars=b"-_", validate=True).decode()
    except ValueError:
        place = ""
    if len(place) <= len(prefix) or not place.startswith(prefix):
        raise InvalidInput("cursor is not one that this API gave; start again without it.", field="cursor")
    return place
