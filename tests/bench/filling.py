"""Stores filled through the engine, as archive and the API would fill them, but without the way there."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import partial

from shared.engines.sqlite.stores import SqliteStores
from shared.ids import new_id, new_row_id
from shared.ltm.index import describe_row, normal_text
from shared.model.memory import Episode, Memory, Source
from shared.model.message import Message, MessageBody
from shared.model.moment import to_ms
from shared.model.recall import RowRecord
from shared.model.scope import Scope
from shared.ports.ltm import LtmWriter
from shared.services import DEFAULT_TENANT

SESSION_ROWS = 20
_BATCH = 200
_START = datetime(2025, 3, 1, 9, tzinfo=UTC)

Described = tuple[str, RowRecord]


def describe(sentences: Sequence[str], *, days: int = 300) -> list[Described]:
    """Return sentences with their index records, spread over so many days."""
    return [
        (text, describe_row(text, speaker=_role(place), said_at=_START + timedelta(days=place % days)))
        for place, text in enumerate(sentences)
    ]


async def make_scope(stores: SqliteStores, user_id: str) -> Scope:
    """Return a user's scope."""
    return await stores.directory.ensure_scope(DEFAULT_TENANT, "user", outside_id=user_id)


async def fill_memories(stores: SqliteStores, scope: Scope, rows: Sequence[Described]) -> None:
    """Add memories, as the API does."""

    def work(writer: LtmWriter) -> None:
        for text, record in rows:
            at_ms = record.day * 86_400_000 - 62_135_596_800_000
            memory = Memory(
                id=new_id("mem"),
                kind="fact",
                text=text,
                importance=0.5,
                origin="api",
                source=Source(quote=text),
                valid_from_ms=at_ms,
                created_at_ms=at_ms,
            )
            writer.add_memory(memory, record, normal_text=normal_text(text))

    await stores.ltm.write(scope, work)


async def fill_episodes(
    stores: SqliteStores, scope: Scope, rows: Sequence[Described], *, start: int = 0
) -> None:
    """Add episodes from place `start` on, 20 to a session, in the batches of the archive job."""
    for first in range(0, len(rows), _BATCH):
        batch = [
            (_episode(text, record, place), record)
            for place, (text, record) in enumerate(rows[first : first + _BATCH], start=start + first)
        ]
        await stores.ltm.write(scope, partial(_add, batch=batch))


def _add(writer: LtmWriter, *, batch: Sequence[tuple[Episode, RowRecord]]) -> int:
    return writer.add_episodes(batch)


def _episode(text: str, record: RowRecord, place: int) -> Episode:
    session, seq = divmod(place, SESSION_ROWS)
    at_ms = to_ms(datetime.combine(datetime.fromordinal(record.day), _START.timetz()))
    message = Message(
        id=new_row_id("msg"),
        seq=seq + 1,
        role="user" if record.speaker == "user" else "assistant",
        body=MessageBody(content=text),
        tokens=20,
        turn_id=None,
        state="complete",
        created_at_ms=at_ms,
        received_at_ms=at_ms,
    )
    key = f"bench{session:021d}"
    return Episode(session_id=f"session-{session}", session_key=key, epoch=session + 1, message=message)


def _role(place: int) -> str:
    return "assistant" if place % 2 else "user"
