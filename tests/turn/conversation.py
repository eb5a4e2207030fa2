"""Long conversations driven through the verbs, on a real Redis and without HTTP, with everything measured.

By default long-term memory archives into nothing: what is under test is short-term memory, its jobs and the
prompt. With a real one handed in, everything of a turn is but HTTP and the model.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from shared.clock import Clock
from shared.engines.embeddings.null import NullEmbedder
from shared.engines.redis_stm.due import RedisDueStore
from shared.engines.redis_stm.limits import StmLimits
from shared.engines.redis_stm.link import RedisLink
from shared.engines.redis_stm.store import RedisShortTermMemory
from shared.errors import Unavailable
from shared.ids import new_id
from shared.language.tokens import message_tokens
from shared.ltm.archive import archive_session
from shared.ltm.schema import DEFAULT_SCHEMA
from shared.model.job import DueWork
from shared.model.memory import Episode
from shared.model.message import MessageBody, NewMessage, Role
from shared.model.recall import RowRecord
from shared.model.scope import Scope
from shared.model.turn import TurnResult
from shared.ports.llm import ChatPiece, ChatRequest, CompletionRequest
from shared.ports.ltm import LongTermMemory
from shared.privacy.classify import find_secrets
from shared.privacy.mask import field_masker, mask_secrets
from shared.settings import Settings
from shared.stm.compact import CompactReport, CompactRules, compact_session
from shared.stm.compaction import watermarks
from shared.turn.heartbeat import HeartbeatPolicy
from shared.turn.request import TurnLimits, TurnRequest, TurnRules
from shared.turn.take import take_turn
from tests.conftest import RedisServer
from tests.fakes.memory_ltm import MemoryLtm, MemoryWriter
from tests.fakes.plain_vault import PlainVault

SETTINGS = Settings()
SCOPE = Scope(tenant_id="ten_1", scope_id="scp_1")


class ForgetfulWriter(MemoryWriter):
    """Keeps no episodes, so that ten thousand turns cost no more than ten."""

    def add_episodes(self, episodes: list[tuple[Episode, RowRecord]]) -> int:  # type: ignore[override]
        return len(episodes)


class ForgetfulLtm(MemoryLtm):
    """Long-term memory that archives into nothing; rolled back never."""

    async def write(self, scope: Scope, work: Callable[[Any], Any], *, durable: bool = False) -> Any:
        del durable
        return work(ForgetfulWriter(self._tenant(scope), scope, now_ms=self._clock.now_ms()))


@dataclass
class ChattyModel:
    """Replies with a few words; summarises as a function says, after a wait. `prompts` are the last ones."""

    summarise: Callable[[CompletionRequest], str] | None = None
    seconds: float = 0.0
    prompts: list[tuple[dict[str, Any], ...]] = field(default_factory=list)
    summaries: int = 0
    reply: str = "好的，收到。"

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ChatPiece]:
        self.prompts = [*self.prompts[-4:], request.messages]
        yield ChatPiece(text=self.reply)

    async def complete(self, request: CompletionRequest) -> str:
        self.summaries += 1
        await asyncio.sleep(self.seconds)
        if self.summarise is None:
            raise Unavailable("down", code="llm_unavailable")
        return self.summarise(request)

    def breaker_state(self) -> Literal["closed", "open", "half_open", "off"]:
        return "off" if self.summarise is None else "closed"


class Conversation:
    """One user's session on a real Redis."""

    def __init__(
        self,
        server: RedisServer,
        model: ChattyModel,
        *,
        ltm: LongTermMemory | None = None,
        scope: Scope = SCOPE,
    ) -> None:
        self.server = server
        self.model = model
        self.clock = Clock()
        limits = StmLimits(compact_tokens=SETTINGS.summary_marks()[0])
        self.link = RedisLink(server.url)
        self.stm = RedisShortTermMemory(self.link, vault=PlainVault(), clock=self.clock, limits=limits)
        self.due = RedisDueStore(self.link, clock=self.clock, limits=limits)
        self.ltm = ltm or ForgetfulLtm(self.clock)
        self.scope = scope
        self.session_id = "room"
        self.seconds: list[float] = []
        self.cpu_seconds: list[float] = []
        self.tokens: list[int] = []
        self.most_bytes = 0
        self.reports: list[CompactReport] = []
        self.rules = TurnRules(
            schema=DEFAULT_SCHEMA,
            mask=field_masker(DEFAULT_SCHEMA),
            mask_text=mask_secrets,
            heartbeat=HeartbeatPolicy(),
            find_secrets=find_secrets,
            limits=TurnLimits(
                prompt_tokens=SETTINGS.prompt_tokens, reply_tokens=500, recall_tokens=SETTINGS.recall_tokens
            ),
        )
        self.compact_rules = CompactRules(
            marks=watermarks(SETTINGS.history_tokens),
            prompt_tokens=SETTINGS.prompt_tokens,
            find_secrets=find_secrets,
            mask_secrets=mask_secrets,
        )

    async def turn(self, text: str) -> TurnResult:
        """Take a turn; its time and its prompt's tokens are kept."""
        request = TurnRequest(
            turn_id=new_id("turn"),
            message_id=new_id("msg"),
            reply_id=new_id("msg"),
            session_id=self.session_id,
            message=text,
            actor="key",
            request_id="req",
        )
        started, started_cpu = time.perf_counter(), time.process_time()
        result = await take_turn(
            self.scope,
            request,
            rules=self.rules,
            emit=lambda _: None,
            now=self.clock.now,
            stm=self.stm,
            ltm=self.ltm,
            model=self.model,
            embedder=NullEmbedder(),
        )
        self.seconds.append(time.perf_counter() - started)
        self.cpu_seconds.append(time.process_time() - started_cpu)
        self.tokens.append(prompt_tokens(self.model.prompts[-1]))
        return result

    async def append(self, *messages: tuple[Role, MessageBody]) -> None:
        """Append messages as a front with its own tools does."""
        new = [
            NewMessage(
                id=new_id("msg"),
                role=role,
                body=body,
                tokens=message_tokens(
                    role, body.content, tool_calls=body.tool_calls, tool_call_id=body.tool_call_id
                ),
            )
            for role, body in messages
        ]
        await self.stm.append_messages(self.scope, self.session_id, messages=new)

    async def run_due(self) -> int:
        """Run the jobs that are due, as a worker would; returns how many."""
        ran = 0
        for work, _ in await self.due.take_due(limit=20, lease_seconds=60):
            await self._run(work)
            ran += 1
        return ran

    async def _run(self, work: DueWork) -> None:
        await self.archive(work.session_key)
        if work.job == "compact":
            report = await compact_session(
                self.scope,
                work.session_key,
                now_ms=self.clock.now_ms(),
                rules=self.compact_rules,
                stm=self.stm,
                ltm=self.ltm,
                model=self.model,
            )
            self.reports.append(report)
        await self.due.settle_due(work)

    async def archive(self, session_key: str) -> None:
        """Archive, and let Redis go of what is out of the window."""
        await archive_session(
            self.scope,
            session_key,
            window_tokens=SETTINGS.prompt_tokens,
            mask=mask_secrets,
            stm=self.stm,
            ltm=self.ltm,
        )

    def measure_bytes(self) -> int:
        """Return the bytes that all keys of the scope take in Redis now."""
        keys = self.server.command("KEYS", f"{{{self.scope.scope_id}}}*")
        assert isinstance(keys, list)
        sizes = [self.server.command("MEMORY", "USAGE", key) for key in keys]
        found = sum(size for size in sizes if isinstance(size, int))
        self.most_bytes = max(self.most_bytes, found)
        return found


def prompt_tokens(messages: Sequence[Mapping[str, Any]]) -> int:
    """Return the tokens of a prompt with the frames of its messages."""
    return sum(
        message_tokens(
            message["role"],
            message["content"],
            name=message.get("name"),
            tool_calls=message.get("tool_calls"),
            tool_call_id=message.get("tool_call_id"),
        )
        for message in messages
    )


def percentile(values: list[float], share: float) -> float:
    """Return the value below which this share lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]
