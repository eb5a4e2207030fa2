"""A user's talk through whole turns on fakes; no model answers but the one that is scripted."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Literal

from shared.clock import Clock
from shared.engines.embeddings.null import NullEmbedder
from shared.engines.redis_stm.limits import StmLimits
from shared.errors import Unavailable
from shared.ids import new_id
from shared.ltm.edit import Why
from shared.ltm.proposals import Proposal, propose_update
from shared.ltm.schema import DEFAULT_SCHEMA, Schema
from shared.model.memory import Source
from shared.model.pending import PendingUpdate
from shared.model.scope import Scope
from shared.model.turn import TurnResult
from shared.ports.llm import ChatPiece, ChatRequest, CompletionRequest
from shared.ports.ltm import LtmWriter, MemoryFilter, PendingFilter
from shared.privacy.classify import find_secrets
from shared.privacy.mask import field_masker, mask_secrets
from shared.turn.heartbeat import HeartbeatPolicy
from shared.turn.request import TurnLimits, TurnRequest, TurnRules
from shared.turn.take import take_turn
from tests.fakes.memory_ltm import MemoryLtm
from tests.fakes.memory_state import MemoryState
from tests.fakes.memory_stm import MemoryShortTermMemory

SCOPE = Scope(tenant_id="ten_1", scope_id="scp_1")


class ScriptedChat:
    """Answers with `reply`, or not at all where it is empty; keeps the prompt."""

    def __init__(self, reply: str) -> None:
        self.reply = reply
        self.prompt = ""

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ChatPiece]:
        self.prompt = "\n".join(str(message["content"]) for message in request.messages)
        if not self.reply:
            raise Unavailable("down", code="llm_unavailable")
        yield ChatPiece(text=self.reply)

    async def complete(self, request: CompletionRequest) -> str:
        del request
        raise Unavailable("down", code="llm_unavailable")

    def breaker_state(self) -> Literal["closed", "open", "half_open", "off"]:
        return "closed" if self.reply else "off"


class PlainTalk:
    """One user's sessions on fakes."""

    def __init__(
        self, *, reply: str = "", schema: Schema = DEFAULT_SCHEMA, timezone: str | None = None
    ) -> None:
        self._timezone = timezone
        self.model = ScriptedChat(reply)
        self.clock = Clock()
        self.ltm = MemoryLtm(self.clock)
        self.stm = MemoryShortTermMemory(MemoryState(), clock=self.clock, limits=StmLimits())
        self.rules = TurnRules(
            schema=schema,
            mask=field_masker(schema),
            mask_text=mask_secrets,
            heartbeat=HeartbeatPolicy(),
            find_secrets=find_secrets,
            limits=TurnLimits(prompt_tokens=4_000, reply_tokens=500, recall_tokens=800),
        )

    async def say(self, text: str, *, session: str = "a", may_resolve: bool = True) -> TurnResult:
        """Take a turn; with an agent's key where it may not resolve."""
        request = TurnRequest(
            turn_id=new_id("turn"),
            message_id=new_id("msg"),
            reply_id=new_id("msg"),
            session_id=session,
            message=text,
            actor="key",
            request_id="req",
            may_resolve=may_resolve,
            timezone=self._timezone,
        )
        return await take_turn(
            SCOPE,
            request,
            rules=self.rules,
            emit=lambda _: None,
            now=self.clock.now,
            stm=self.stm,
            ltm=self.ltm,
            model=self.model,
            embedder=NullEmbedder(),
        )

    async def reply(self, text: str, *, session: str = "a") -> str:
        """Take a turn and return its reply."""
        return (await self.say(text, session=session)).reply["content"]

    async def memories(self, status: Literal["active", "superseded"] = "active") -> list[str]:
        """Return the texts of memories, newest first."""
        wanted = MemoryFilter(status=status)
        return [each.text for each in await self.ltm.read(SCOPE, lambda reader: reader.memories(wanted))]

    async def fields(self) -> dict[str, object]:
        """Return values of fields by the last part of their paths."""
        found = await self.ltm.read(SCOPE, lambda reader: reader.fields())
        return {field.path.rpartition(".")[2]: field.value for field in found}

    async def updates(self) -> list[PendingUpdate]:
        """Return all proposals, whatever became of them."""
        return await self.ltm.read(SCOPE, lambda reader: reader.pending_updates(PendingFilter(status=None)))

    async def propose(self, text: str, *, origin: Literal["model", "rule"] = "model") -> None:
        """Put a memory forward, as extraction does, or as the archive does with a key fact."""

        def work(writer: LtmWriter) -> None:
            source = Source(session_id="a", message_ids=("msg_0",), quote=text)
            why = Why(actor="worker", request_id="r", origin="rule", source=source, at=self.clock.now())
            proposal = Proposal("remember", None, text, text, text, origin, 0.9)
            propose_update(writer, proposal, why=why, keep_days=7)

        await self.ltm.write(SCOPE, work)
