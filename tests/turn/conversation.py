"""Long conversations driven through the verbs, on a real Redis and without HTTP, with everything measured.

Long-term memory is a stub that archives into nothing: what is under test is short-term memory, its jobs
and the prompt.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from shared.clock import Clock
from shared.engines.redis_stm.due import RedisDueStore
from shared.engines.redis_stm.limits import StmLimits
from shared.engines.redis_stm.link import RedisLink
from shared.engines.redis_stm.store import RedisShortTermMemory
from shared.errors import Unavailable
from shared.ids import new_id
from shared.language.tokens import estimate_tokens
from shared.ltm.schema import DEFAULT_SCHEMA
from shared.model.job import DueWork
from shared.model.memory import Episode
from shared.model.recall import RowRecord
from shared.model.scope import Scope
from shared.model.turn import TurnResult
from shared.ports.llm import ChatPiece, ChatRequest, CompletionRequest
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

    def __init__(self, server: RedisServer, model: ChattyModel) -> None:
        self.server = server
        self.model = model
        self.clock = Clock()
        limits = StmLimits(compact_tokens=SETTINGS.summary_marks()[0])
        self.link = RedisLink(server.url)
        self.stm = RedisShortTermMemory(self.link, vault=PlainVault(), clock=self.clock, limits=limits)
        self.due = RedisDueStore(self.link, clock=self.clock, limits=limits)
        self.ltm = ForgetfulLtm(self.clock)
        self.seconds: list[float] = []
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
            session_id="room",
            message=text,
            actor="key",
            request_id="req",
        )
        started = time.perf_counter()
        result = await take_turn(
            SCOPE,
            request,
            rules=self.rules,
            emit=lambda _: None,
            now=self.clock.now,
            stm=self.stm,
            ltm=self.ltm,
            model=self.model,
        )
        self.seconds.append(time.perf_counter() - started)
        contents = [str(message["content"]) for message in self.model.prompts[-1]]
        self.tokens.append(sum(estimate_tokens(content) for content in contents))
        return result

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
                SCOPE,
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
        """Let Redis go of what is out of the window."""
        session, messages = await self.stm.read_unarchived(SCOPE, session_key, limit=500)
        if session is not None and messages:
            await self.stm.mark_archived(
                SCOPE,
                session_key,
                epoch=session.epoch,
                to_seq=messages[-1].seq,
                window_tokens=SETTINGS.prompt_tokens,
            )

    def measure_bytes(self) -> int:
        """Return the bytes that all keys of the scope take in Redis now."""
        keys = self.server.command("KEYS", "{scp_1}*")
        assert isinstance(keys, list)
        sizes = [self.server.command("MEMORY", "USAGE", key) for key in keys]
        found = sum(size for size in sizes if isinstance(size, int))
        self.most_bytes = max(self.most_bytes, found)
        return found


def percentile(values: list[float], share: float) -> float:
    """Return the value below which this share lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def windows_of(values: list[float], size: int) -> Iterator[list[float]]:
    """Yield consecutive slices."""
    for start in range(0, len(values) - size + 1, size):
        yield values[start : start + size]
