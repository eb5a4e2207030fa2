"""A user's memory made by hand, and searches over it: the fake store, real terms, real ranking."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from shared.clock import Clock
from shared.ltm.edit import StatedMemory, Why, end_memory, remove_memory, write_memory
from shared.ltm.index import describe_row
from shared.model.memory import Episode, Memory, Source
from shared.model.message import Message, MessageBody, Role
from shared.model.moment import to_ms
from shared.model.scope import Scope
from shared.ports.ltm import LtmWriter
from shared.recall.answers import Hit
from shared.recall.find import SearchQuery, find_in
from tests.fakes.memory_ltm import MemoryLtm

START = datetime(2024, 3, 1, 2, 0, tzinfo=UTC)


def day(number: int) -> datetime:
    """Return a moment so many days after the first."""
    return START + timedelta(days=number)


class World:
    """One user's long-term memory; time stands where the last thing put it."""

    def __init__(self, *, tenant_id: str = "t1") -> None:
        self.clock = Clock()
        self.ltm = MemoryLtm(self.clock)
        self.scope = Scope(tenant_id=tenant_id, scope_id="sc1")
        self._seq = 0

    async def say(self, text: Any, *, on: int = 0, session: str = "s1", role: Role = "user") -> str:
        """Archive a message; returns its id."""
        self._seq += 1
        message = Message(
            id=f"msg_{self._seq}",
            seq=self._seq,
            role=role,
            body=MessageBody(content=text),
            tokens=9,
            turn_id=None,
            state="complete",
            created_at_ms=to_ms(day(on)),
            received_at_ms=to_ms(day(on)),
        )
        row = Episode(session_id=session, session_key=session, epoch=1, message=message)
        record = describe_row(message.text, speaker=role, said_at=day(on))
        await self.ltm.write(self.scope, lambda writer: writer.add_episodes([(row, record)]))
        return message.id

    async def remember(
        self, text: str, *, on: int = 0, source: str | None = None, quote: str = "", **more: Any
    ) -> Memory:
        """Store a memory, with the message that it came from; `replaces` ends another."""
        replaces = more.pop("replaces", None)
        why = Why(
            actor="key",
            request_id="req",
            origin="user",
            at=day(on),
            source=Source(session_id="s1", message_ids=(source,) if source else (), quote=quote),
        )

        def work(writer: LtmWriter) -> Memory:
            memory, _ = write_memory(writer, StatedMemory(text=text, **more), why=why)
            if replaces is not None:
                end_memory(writer, replaces.id, replaced_by=memory.id, why=why)
            return memory

        return await self.ltm.write(self.scope, work)

    async def forget(self, memory: Memory) -> None:
        """Delete a memory as the user asks for it, at once."""
        why = Why(actor="key", request_id="req", origin="user", at=day(29))
        await self.ltm.write(self.scope, lambda writer: remove_memory(writer, memory, why=why))

    async def search(self, text: str, *, on: int = 30, **more: Any) -> list[Hit]:
        """Return what a search finds on a day."""
        self.clock.offset = day(on) - datetime.now(UTC)
        query = SearchQuery(text=text, asked_at=day(on), **more)
        return await self.ltm.read(self.scope, lambda reader: find_in(reader, query, tail=()))


def texts(hits: Sequence[Hit]) -> list[str]:
    """Return the words of hits."""
    return [hit.row.text if isinstance(hit.row, Memory) else hit.row.message.text for hit in hits]
