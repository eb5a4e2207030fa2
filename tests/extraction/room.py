"""A user's memory in this process, and the extraction of what they say, with a scripted model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from shared.clock import Clock
from shared.extraction.extract import ExtractReport, ExtractRules, extract_session
from shared.ids import new_id
from shared.language.tokens import estimate_tokens
from shared.ltm.archive import add_messages
from shared.ltm.confirm import resolve_updates
from shared.ltm.edit import StatedMemory, Why, write_memory
from shared.ltm.field_edit import write_field
from shared.ltm.index import normal_text
from shared.ltm.proposals import Proposal, propose_update
from shared.ltm.schema import DEFAULT_SCHEMA
from shared.ltm.tombstones import text_keys
from shared.model.memory import Memory, Source
from shared.model.message import Message, MessageBody, Session, SessionNotes
from shared.model.moment import to_ms
from shared.model.pending import PendingUpdate, Tombstone
from shared.model.scope import Scope
from shared.ports.ltm import LongTermMemory, LtmWriter, MemoryFilter, PendingFilter
from shared.privacy.classify import find_secrets
from shared.privacy.mask import mask_secrets
from tests.fakes.extractions import Body, ScriptedModel
from tests.fakes.memory_ltm import MemoryLtm

SAID_AT = datetime(2026, 3, 4, 9, tzinfo=UTC)
"""A Wednesday."""

RULES = ExtractRules(DEFAULT_SCHEMA, mask_secrets, find_secrets, timezone=None, keep_days=7)


class Room:
    """One user, one session `s` (others by name); times are those of `SAID_AT` and after."""

    def __init__(
        self,
        answer: Callable[[Body], str],
        *,
        rules: ExtractRules = RULES,
        ltm: LongTermMemory | None = None,
        scope: Scope | None = None,
    ) -> None:
        self.clock = Clock()
        self.clock.offset = SAID_AT - datetime.now(UTC)
        self.ltm = ltm or MemoryLtm(self.clock)
        self.scope = scope or Scope(tenant_id="t1", scope_id="scp_1", kind="user")
        self.model = ScriptedModel(answer)
        self.rules = rules
        self.said_at = SAID_AT
        self._seqs: dict[str, int] = {}

    @property
    def why(self) -> Why:
        """A reason in the user's own name."""
        return Why(
            actor="key", request_id="req", origin="user", source=Source(session_id="s"), at=self.said_at
        )

    async def say(
        self, *spoken: tuple[str, str], session: str = "s", at: datetime | None = None
    ) -> list[str]:
        """Archive messages of (role, text); returns their ids."""
        first = self._seqs.get(session, 0) + 1
        moment = at or self.said_at
        messages = [
            Message(
                id=new_id("msg"),
                seq=first + place,
                role=role,
                body=MessageBody(content=text, tool_call_id="c" if role == "tool" else None).masked(
                    mask_secrets
                ),
                tokens=estimate_tokens(text),
                turn_id=None,
                state="complete",
                created_at_ms=to_ms(moment),
                received_at_ms=to_ms(moment),
            )
            for place, (role, text) in enumerate(spoken)
        ]
        self._seqs[session] = first + len(spoken) - 1
        key = f"key-{session}"
        held = Session(
            id=session, key=key, epoch=1, last_seq=self._seqs[session], archived_to=0, extracted_to=0,
            compacted_to=0, total_tokens=0, created_at_ms=1, last_at_ms=to_ms(moment), expires_at_ms=0,
            notes=SessionNotes(),
        )  # fmt: skip
        await add_messages(self.scope, held, messages=messages, ltm=self.ltm)
        return [message.id for message in messages]

    async def extract(self, session: str = "s") -> ExtractReport:
        """Run the extraction of a session."""
        return await extract_session(
            self.scope,
            f"key-{session}",
            now=self.said_at,
            request_id="req",
            rules=self.rules,
            ltm=self.ltm,
            model=self.model,
        )

    async def stand(self, mark: str, cells: Sequence[str]) -> None:
        """Put what a dialogue finds there already: a memory, an open proposal, a rejected text, a field."""
        await self.ltm.write(self.scope, lambda writer: self._stand(writer, mark, cells=cells))

    def _stand(self, writer: LtmWriter, mark: str, *, cells: Sequence[str]) -> None:
        if mark == "M":
            write_memory(writer, StatedMemory(text=cells[0]), why=self.why)
        elif mark == "P":
            proposal = Proposal("remember", None, cells[0], cells[0], cells[0], "model", 0.9)
            propose_update(writer, proposal, why=self.why, keep_days=7)
        elif mark == "T":
            stone = Tombstone(id=new_id("tmb"), path=None, value=cells[0], cause="rejected", at_ms=1)
            writer.add_tombstone(stone, keys=text_keys(cells[0]))
        else:
            value: Any = int(cells[1]) if cells[1].isdecimal() else cells[1]
            write_field(writer, cells[0], value=value, why=self.why, mask=lambda _path, value: value)

    async def waiting(self) -> list[PendingUpdate]:
        """Return the open proposals, oldest first."""
        found = await self.ltm.read(
            self.scope, lambda reader: reader.pending_updates(PendingFilter(limit=200))
        )
        return found[::-1]

    async def memories(self, status: Any = "active") -> list[Memory]:
        """Return memories, newest first."""
        return await self.ltm.read(
            self.scope, lambda reader: reader.memories(MemoryFilter(status=status, limit=5_000))
        )

    async def resolve(self, *, confirm: Sequence[str] = (), reject: Sequence[str] = ()) -> None:
        """Confirm and reject proposals as the user would."""
        await resolve_updates(
            self.scope,
            confirm=dict.fromkeys(confirm),
            reject=list(reject),
            why=self.why,
            normalise=lambda _path, value: value,
            mask=lambda _path, value: value,
            ltm=self.ltm,
        )

    def pass_days(self, days: int) -> None:
        """Let days go by."""
        self.said_at += timedelta(days=days)
        self.clock.offset += timedelta(days=days)

    async def texts(self) -> set[str]:
        """Return the normal forms of all that is stored or proposed."""
        stored = {normal_text(memory.text) for memory in await self.memories(None)}
        return stored | {normal_text(str(update.new)) for update in await self.waiting()}
