"""Episodes: archived messages. A session's epoch has a number; its outside id stands sealed beside it."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from functools import partial
from typing import Any

from shared.engines.sqlite.applied import drop_applied
from shared.engines.sqlite.connections import Row
from shared.engines.sqlite.extractions import delete_extractions
from shared.engines.sqlite.forgotten_rows import note_forgotten
from shared.engines.sqlite.search import index_row, unindex_row
from shared.engines.sqlite.view import View
from shared.model.memory import Episode
from shared.model.message import Message, MessageBody, applied_keys
from shared.model.recall import RowRecord

_TABLE = "episodes"
_COLUMNS = """
e.message_id, e.session_no, e.seq, e.role, e.state, e.turn_id, e.tokens, e.created_at_ms, e.received_at_ms,
e.importance, e.last_accessed_at_ms, e.access_count, e.body, s.session_key, s.epoch, s.session_id
"""
_JOINED = """
episodes AS e JOIN sessions AS s
  ON s.tenant_id = :tenant_id AND s.scope_id = :scope_id AND s.session_no = e.session_no
"""
SELECT_EPISODE = f"""
SELECT {_COLUMNS} FROM {_JOINED}
WHERE e.tenant_id = :tenant_id AND e.scope_id = :scope_id AND e.message_id = :message_id
"""
SELECT_SESSION = f"""
SELECT {_COLUMNS} FROM {_JOINED}
WHERE e.tenant_id = :tenant_id AND e.scope_id = :scope_id
  AND e.session_no = :session_no AND e.seq > :after_seq
ORDER BY e.seq LIMIT :limit
"""
# In this order: row by row along three primary keys.
SELECT_BY_ROWS = f"""
SELECT r.row_id, {_COLUMNS} FROM json_each(:row_ids) AS asked
CROSS JOIN search_rows AS r
  ON r.tenant_id = :tenant_id AND r.scope_id = :scope_id AND r.row_id = asked.value AND r.kind = 'e'
CROSS JOIN episodes AS e
  ON e.tenant_id = :tenant_id AND e.scope_id = :scope_id AND e.message_id = r.target_id
CROSS JOIN sessions AS s
  ON s.tenant_id = :tenant_id AND s.scope_id = :scope_id AND s.session_no = e.session_no
"""
# Of the epoch asked for, or of the newest.
SELECT_SESSION_NO = """
SELECT session_no FROM sessions
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND session_key = :session_key
  AND (:epoch IS NULL OR epoch = :epoch)
ORDER BY epoch DESC LIMIT 1
"""
INSERT_SESSION = """
INSERT INTO sessions (tenant_id, scope_id, session_key, epoch, session_id, session_no)
SELECT :tenant_id, :scope_id, :session_key, :epoch, :session_id, coalesce(max(session_no), 0) + 1
FROM sessions WHERE tenant_id = :tenant_id AND scope_id = :scope_id
"""
DELETE_SESSION = """
DELETE FROM sessions WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND session_key = :session_key
"""
# A negative limit is none.
SELECT_OF_SESSION = """
SELECT message_id, row_id FROM episodes
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND session_no IN (
    SELECT session_no FROM sessions
    WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND session_key = :session_key)
LIMIT :limit
"""
DELETE_EPISODE = """
DELETE FROM episodes WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND message_id = :message_id
"""
SELECT_PLACE = """
SELECT session_no, seq, row_id FROM episodes
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND message_id = :message_id
"""
INSERT_EPISODE = """
INSERT INTO episodes (
    tenant_id, scope_id, message_id, session_no, seq, row_id, role, state, turn_id, tokens, created_at_ms,
    received_at_ms, importance, last_accessed_at_ms, access_count, client_hash, body)
VALUES (
    :tenant_id, :scope_id, :message_id, :session_no, :seq, :row_id, :role, :state, :turn_id, :tokens,
    :created_at_ms, :received_at_ms, :importance, :last_accessed_at_ms, :access_count, :client_hash, :body)
"""
SET_ROW_ID = """
UPDATE episodes SET row_id = :row_id
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND message_id = :message_id
"""
SET_BODY = """
UPDATE episodes SET body = :body
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND message_id = :message_id
"""
SELECT_CLIENT = """
SELECT message_id FROM episodes
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND client_hash = :client_hash
ORDER BY message_id DESC LIMIT 1
"""
SELECT_SPANS = """
SELECT message_id, span_no, span FROM forgotten
WHERE tenant_id = :tenant_id AND scope_id = :scope_id
  AND message_id IN (SELECT value FROM json_each(:message_ids))
ORDER BY message_id, span_no
"""
SELECT_WITH_SPANS = """
SELECT message_id FROM forgotten
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND span_no = 1
"""
INSERT_SPAN = """
INSERT INTO forgotten (tenant_id, scope_id, message_id, span_no, span)
VALUES (:tenant_id, :scope_id, :message_id, :span_no, :span)
"""
COUNT_ACCESSES = """
UPDATE episodes SET access_count = access_count + :count, last_accessed_at_ms = :at_ms
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND message_id = (
    SELECT target_id FROM search_rows
    WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND row_id = :row_id AND kind = 'e')
"""


def read_episode(view: View, message_id: str) -> Episode | None:
    """Return an archived message by its id."""
    return next(iter(_episodes(view, view.all(SELECT_EPISODE, message_id=message_id))), None)


def read_session(
    view: View, session_id: str, *, epoch: int | None, after_seq: int, limit: int
) -> list[Episode]:
    """Return archived messages of a session in order; of its newest epoch when None."""
    found = view.one(SELECT_SESSION_NO, session_key=view.sealer.blind_id("session", session_id), epoch=epoch)
    if found is None:
        return []
    select = partial(view.all, SELECT_SESSION, session_no=found[0], after_seq=after_seq)
    read = partial(_episode, names={})
    return view.open_page(lambda asked: select(limit=asked), read, table=_TABLE, limit=limit)


def read_session_after(
    view: View, session_key: str, *, epoch: int, after_seq: int, limit: int
) -> list[Episode]:
    """Return archived messages of one epoch of a session in order, by the session's key.

    One that does not open comes without its words: who reads on from one to the next counts it as read.
    """
    found = view.one(SELECT_SESSION_NO, session_key=session_key, epoch=epoch)
    if found is None:
        return []
    read = partial(_episode, names={})
    opened = [
        view.open_row(row, read, table=_TABLE)
        or view.open_row(row, partial(read, is_blank=True), table=_TABLE)
        for row in view.all(SELECT_SESSION, session_no=found[0], after_seq=after_seq, limit=limit)
    ]
    return [episode for episode in opened if episode is not None]


def read_episodes_by_rows(view: View, row_ids: Sequence[int]) -> dict[int, Episode]:
    """Return the episodes among the rows of the index."""
    names: dict[tuple[str, int], str] = {}

    def read(view: View, row: Row) -> tuple[int, Episode]:
        return row[0], _episode(view, row[1:], names=names)

    found = view.all(SELECT_BY_ROWS, row_ids=json.dumps(list(row_ids)))
    return dict(view.open_rows(found, read, table=_TABLE, key=1))


def find_messages_of_clients(view: View, session_id: str, *, client_ids: Sequence[str]) -> dict[str, str]:
    """Return our ids of a session's archived messages by the client's ids."""
    ours: dict[str, str] = {}
    for client_id in client_ids:
        found = view.one(SELECT_CLIENT, client_hash=_client_hash(view, session_id, client_id=client_id))
        if found is not None:
            ours[client_id] = found[0]
    return ours


def add_episodes(view: View, episodes: Sequence[tuple[Episode, RowRecord]]) -> int:
    """Archive messages that are not there already; returns how many were new."""
    numbers: dict[tuple[str, int], int] = {}
    new = 0
    for episode, record in episodes:
        if view.one(SELECT_PLACE, message_id=episode.message.id) is not None:
            continue
        name = (episode.session_id, episode.epoch)
        if name not in numbers:
            numbers[name] = _number_session(view, episode.session_id, epoch=episode.epoch)
        _insert_episode(view, episode, record=record, session_no=numbers[name])
        new += 1
    return new


def delete_session(view: View, session_id: str, *, limit: int | None) -> int:
    """Remove a session's episodes of all epochs, at most `limit`; returns how many."""
    session_key = view.sealer.blind_id("session", session_id)
    found = view.all(SELECT_OF_SESSION, session_key=session_key, limit=-1 if limit is None else limit)
    for message_id, row_id in found:
        if row_id is not None:
            unindex_row(view, row_id)
        note_forgotten(view, kind="e", target_id=message_id)
        drop_applied(view, applied_keys(message_id))
        view.run(DELETE_EPISODE, message_id=message_id)
    if limit is None or len(found) < limit:
        view.run(DELETE_SESSION, session_key=session_key)
        delete_extractions(view, session_key)
    return len(found)


def read_forgotten_spans(view: View, message_ids: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return the spans of messages that must not be indexed, for messages that have any.

    Where one does not open, all of its message is one: what was forgotten must not come back.
    """
    spans: dict[str, tuple[str, ...]] = {}
    for row in view.all(SELECT_SPANS, message_ids=json.dumps(list(message_ids))):
        span = view.open_row(row, _span, table="forgotten")
        if span is None:
            episode = read_episode(view, row[0])
            span = "" if episode is None else episode.message.text
        spans[row[0]] = (*spans.get(row[0], ()), span)
    return spans


def _span(view: View, row: Row) -> str:
    message_id, number, sealed = row
    return view.sealer.open(sealed, f"forgotten:{message_id}:{number}").decode()


def read_messages_with_spans(view: View) -> list[str]:
    """Return the ids of messages that have spans which must not be indexed."""
    return [message_id for (message_id,) in view.all(SELECT_WITH_SPANS)]


def rewrite_episode(view: View, message: Message) -> None:
    """Put a body in the place of the archived one; what of it is indexed is `forget_span`'s."""
    body = message.body.model_dump(mode="json", exclude_defaults=True)
    view.run(SET_BODY, message_id=message.id, body=view.seal_json(body, f"episodes:{message.id}"))


def forget_span(view: View, message_id: str, *, span: str, record: RowRecord | None) -> None:
    """Note that a span is not to be indexed, and index its episode anew as `record` (None: not at all)."""
    known = read_forgotten_spans(view, [message_id]).get(message_id, ())
    if span not in known:
        number = len(known) + 1
        sealed = view.sealer.seal(span.encode(), f"forgotten:{message_id}:{number}")
        view.run(INSERT_SPAN, message_id=message_id, span_no=number, span=sealed)
    found = view.one(SELECT_PLACE, message_id=message_id)
    if found is None:
        return
    session_no, seq, row_id = found
    if row_id is not None:
        unindex_row(view, row_id)
    if record is not None:
        place = (session_no, seq)
        row_id = index_row(view, record, kind="e", target_id=message_id, place=place, row_id=row_id)
    view.run(SET_ROW_ID, message_id=message_id, row_id=None if record is None else row_id)


def _client_hash(view: View, session_id: str, *, client_id: str) -> str:
    return view.sealer.blind_id("client", f"{len(session_id)}:{session_id}{client_id}")


def _number_session(view: View, session_id: str, *, epoch: int) -> int:
    session_key = view.sealer.blind_id("session", session_id)
    found = view.one(SELECT_SESSION_NO, session_key=session_key, epoch=epoch)
    if found is None:
        sealed = view.sealer.seal(session_id.encode(), f"sessions:{session_key}:{epoch}")
        view.run(INSERT_SESSION, session_key=session_key, epoch=epoch, session_id=sealed)
        return _number_session(view, session_id, epoch=epoch)
    return int(found[0])


def _insert_episode(view: View, episode: Episode, *, record: RowRecord, session_no: int) -> None:
    message = episode.message
    place = (session_no, message.seq)
    row_id = index_row(view, record, kind="e", target_id=message.id, place=place)
    client_id = message.body.client_id
    body = message.body.model_dump(mode="json", exclude_defaults=True)
    view.run(
        INSERT_EPISODE,
        message_id=message.id,
        session_no=session_no,
        seq=message.seq,
        row_id=row_id,
        role=message.role,
        state=message.state,
        turn_id=message.turn_id,
        tokens=message.tokens,
        created_at_ms=message.created_at_ms,
        received_at_ms=message.received_at_ms,
        importance=episode.importance,
        last_accessed_at_ms=episode.last_accessed_at_ms,
        access_count=episode.access_count,
        client_hash=None
        if client_id is None
        else _client_hash(view, episode.session_id, client_id=client_id),
        body=view.seal_json(body, f"episodes:{message.id}"),
    )


def _body_of(stored: dict[str, Any]) -> MessageBody:
    content = stored.get("content")
    if len(stored) == 1 and isinstance(content, str):
        return MessageBody.of_text(content)
    return MessageBody(**{"content": None, **stored})


def _episodes(view: View, rows: Sequence[Row]) -> list[Episode]:
    return view.open_rows(rows, partial(_episode, names={}), table=_TABLE)


def _episode(view: View, row: Row, *, names: dict[tuple[str, int], str], is_blank: bool = False) -> Episode:
    """Return the episode of a row; each session's name is opened once, for as long as `names` is the same."""
    message_id, _, seq, role, state, turn_id, tokens, created_at_ms, received_at_ms, *rest = row
    importance, last_accessed_at_ms, access_count, body, session_key, epoch, session_id = rest
    place = (session_key, epoch)
    if place not in names:
        names[place] = view.sealer.open(session_id, f"sessions:{session_key}:{epoch}").decode()
    stored = {"content": ""} if is_blank else view.open_json(body, f"episodes:{message_id}")
    message = Message.of_checked(
        {
            "id": message_id,
            "seq": seq,
            "role": role,
            "body": _body_of(stored),
            "tokens": tokens,
            "turn_id": turn_id,
            "state": state,
            "created_at_ms": created_at_ms,
            "received_at_ms": received_at_ms,
        }
    )
    return Episode.of_checked(
        {
            "session_id": names[place],
            "session_key": session_key,
            "epoch": epoch,
            "message": message,
            "importance": importance,
            "last_accessed_at_ms": last_accessed_at_ms,
            "access_count": access_count,
        }
    )
