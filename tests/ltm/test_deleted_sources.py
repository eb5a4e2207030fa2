"""What came from a session that was deleted stays and says so; what came after the deletion does not."""

from __future__ import annotations

from datetime import timedelta

import pytest

from shared.clock import Clock
from shared.ltm.deleted_sources import name_deleted
from shared.ltm.edit import StatedMemory, Why, write_memory
from shared.ltm.field_edit import write_field
from shared.model.memory import Source
from shared.model.scope import Scope
from shared.ports.ltm import LtmReader, LtmWriter, MemoryFilter
from tests.fakes.memory_ltm import MemoryLtm

SCOPE = Scope(tenant_id="ten_1", scope_id="scp_1")
BUDGET = "business_context.budget.ceiling"


class Room:
    """A long-term memory whose clock a test moves."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.ltm = MemoryLtm(self.clock)

    async def keep(self, session_id: str | None, text: str, *, value: int) -> None:
        def work(writer: LtmWriter) -> None:
            source = Source(session_id=session_id, message_ids=("msg_1",), quote=text)
            why = Why(actor="k", request_id="r", origin="user", source=source, at=self.clock.now())
            write_memory(writer, StatedMemory(text=text), why=why)
            write_field(writer, BUDGET, value=value, why=why, mask=lambda _path, shown: shown)

        await self.ltm.write(SCOPE, work)

    async def delete(self, session_id: str | None) -> None:
        await self.ltm.write(SCOPE, lambda writer: writer.note_deleted_session(session_id))

    async def deleted(self) -> list[str]:
        """Return what names its source as deleted: texts of memories, values of versions."""

        def work(reader: LtmReader) -> list[str]:
            memories = name_deleted(reader, reader.memories(MemoryFilter()))
            versions = name_deleted(reader, reader.field_history(BUDGET))
            return [each.text for each in memories if each.source.is_deleted] + [
                str(each.value) for each in versions if each.source.is_deleted
            ]

        return sorted(await self.ltm.read(SCOPE, work))


@pytest.mark.parametrize(
    ("session_id", "named"), [("a", ["1", "old tea"]), (None, ["1", "2", "old milk", "old tea"]), ("c", [])]
)
async def test_only_what_came_from_it_before_names_it_as_deleted(
    session_id: str | None, named: list[str]
) -> None:
    room = Room()
    await room.keep("a", "old tea", value=1)
    await room.keep("b", "old milk", value=2)
    assert await room.deleted() == []
    room.clock.offset += timedelta(seconds=5)
    await room.delete(session_id)
    room.clock.offset += timedelta(seconds=5)
    await room.keep("a", "new coffee", value=3)
    await room.keep(None, "by an app", value=4)
    assert await room.deleted() == named
