"""The prompt as a turn builds it, over any sequence of messages and any budget: what may never be lost.

Messages go in through the verbs, as a front appends them; some are archived and summarised by rule. What
the verbs refuse (a result without its call) is no part of the session. System texts are drawn within half
of the prompt, which is what a session keeps of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.clock import Clock
from shared.engines.embeddings.null import NullEmbedder
from shared.engines.llm_http.null import NullChatModel
from shared.engines.redis_stm.limits import StmLimits
from shared.errors import InvalidInput
from shared.language.tokens import estimate_tokens, message_tokens
from shared.ltm.archive import archive_session
from shared.ltm.schema import DEFAULT_SCHEMA
from shared.model.memory import Episode
from shared.model.message import Message
from shared.model.scope import Scope
from shared.model.session_state import KeyFact
from shared.privacy.classify import find_secrets
from shared.privacy.mask import field_masker, mask_secrets
from shared.recall.find import SearchQuery, find_in
from shared.stm.compact import CompactRules, compact_session
from shared.stm.compaction import watermarks
from shared.stm.key_facts import lift_key_facts, merge_key_facts
from shared.turn.append import append_messages, read_new_messages
from shared.turn.context import Prompt
from shared.turn.heartbeat import HeartbeatPolicy
from shared.turn.preview import preview_turn
from shared.turn.request import AppendRequest, TurnLimits, TurnRules
from tests.fakes.memory_ltm import MemoryLtm
from tests.fakes.memory_state import MemoryState
from tests.fakes.memory_stm import MemoryShortTermMemory
from tests.stm.messages import find_faults, make_calls, make_message

NOW = datetime(2024, 3, 1, 10, tzinfo=UTC)
LEAST_BUDGET = 128
"""The least that the API takes."""

FACTS = (
    "不要在第{}页用红色",
    "价格必须含第{}项税",
    "第{}批的预算是 46,500 元",
    "我更喜欢第{}排靠窗的座位",
    "Do not use SMS codes in step {}",
    "Prices in list {} must include tax",
    "the fee rate of plan {} is 0.6%",
    "I prefer seats in row {}",
)
ASKED = ("继续", "what next?", "总结一下我说过的要求", "long question, ")
MAX_SYSTEMS = 4


@dataclass
class Talk:
    """One session in memory, and what went into it."""

    prompt_tokens: int
    clock: Clock = field(default_factory=Clock)
    scope: Scope = field(default_factory=lambda: Scope(tenant_id="ten_1", scope_id="scp_1"))
    accepted: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.stm = MemoryShortTermMemory(MemoryState(), clock=self.clock, limits=StmLimits())
        self.ltm = MemoryLtm(self.clock)
        self.rules = TurnRules(
            schema=DEFAULT_SCHEMA,
            mask=field_masker(DEFAULT_SCHEMA),
            mask_text=mask_secrets,
            heartbeat=HeartbeatPolicy(),
            find_secrets=find_secrets,
            limits=TurnLimits(prompt_tokens=self.prompt_tokens, reply_tokens=500, recall_tokens=800),
        )
        self.compact_rules = CompactRules(
            marks=watermarks(max(self.prompt_tokens - 800, self.prompt_tokens // 2)),
            prompt_tokens=self.prompt_tokens,
            find_secrets=find_secrets,
            mask_secrets=mask_secrets,
        )

    async def append(self, given: dict[str, Any]) -> None:
        """Append one message, unless it is refused."""
        blank = dict.fromkeys(("id", "name", "created_at", "tool_calls", "tool_call_id", "asks_pending"))
        new = read_new_messages([{**blank, **given}], now_ms=self.clock.now_ms(), mask=mask_secrets)
        request = AppendRequest("s", new, timezone=None, actor="key", request_id="req")
        try:
            await append_messages(self.scope, request, rules=self.rules, now=NOW, stm=self.stm, ltm=self.ltm)
        except InvalidInput:
            return
        self.accepted.append(given)

    async def tidy(self) -> None:
        """Archive and summarise, as the jobs do."""
        await archive_session(
            self.scope,
            "s",
            window_tokens=self.prompt_tokens,
            mask=mask_secrets,
            stm=self.stm,
            ltm=self.ltm,
        )
        await compact_session(
            self.scope,
            "s",
            now_ms=self.clock.now_ms(),
            rules=self.compact_rules,
            stm=self.stm,
            ltm=self.ltm,
            model=NullChatModel(),
        )

    async def prompt(self, message: str | None, budget: int) -> Prompt:
        """Return what a turn would send."""
        preview = await preview_turn(
            self.scope,
            "s",
            message=message,
            now=NOW,
            token_budget=budget,
            rules=self.rules,
            stm=self.stm,
            ltm=self.ltm,
            embedder=NullEmbedder(),
        )
        return preview.prompt

    async def finds(self, fact: KeyFact) -> bool:
        """Return whether recall answers a question after a fact with the fact's own words."""
        tail = await self.stm.read_tail(self.scope)
        query = SearchQuery(text=fact.text, asked_at=NOW, limit=30)
        hits = await self.ltm.read(self.scope, lambda reader: find_in(reader, query, tail=tail))
        rows = [hit.row.message if isinstance(hit.row, Episode) else hit.row for hit in hits]
        return any(fact.text in row.text for row in rows)


def in_one_text(items: Sequence[dict[str, Any]]) -> str:
    return "\n".join(str(item["content"]) for item in items)


@dataclass(frozen=True)
class Made:
    """A message to be: its words, how often they are said, its number, its calls or what it answers."""

    role: str
    words: str
    number: int
    times: int = 1
    calls: tuple[str, ...] = ()
    answers: str | None = None

    def as_given(self) -> dict[str, Any]:
        """Return the message as a front sends it; its number shows where it stands in a prompt."""
        given: dict[str, Any] = {
            "role": self.role,
            "content": self.words * self.times + f" «{self.number}»",
        }
        if self.calls:
            given["tool_calls"] = make_calls(*self.calls)
        return given | ({"tool_call_id": self.answers} if self.answers else {})


CHAT = ("随便聊聊，没有特别的意思。", "just some talk. ", "😀 code(x) ")
TIMES = st.sampled_from([1, 1, 1, 60, 500])
CALLS = st.lists(st.sampled_from("abc"), min_size=1, max_size=2, unique=True)


@st.composite
def conversations(draw: st.DrawFn) -> list[Made]:
    """Any sequence of messages."""
    made: list[Made] = []
    for number in range(draw(st.integers(0, 30))):
        kind = draw(st.sampled_from(["fact", "fact", "chat", "reply", "calls", "result", "system"]))
        if kind == "fact":
            made.append(Made("user", draw(st.sampled_from(FACTS)).format(number) + "。", number))
        elif kind == "chat":
            made.append(Made("user", draw(st.sampled_from(CHAT)), number, draw(TIMES)))
        elif kind == "reply":
            made.append(Made("assistant", draw(st.sampled_from(["好的", "ok "])), number, draw(TIMES)))
        elif kind == "calls":
            made.append(Made("assistant", "", number, calls=tuple(draw(CALLS))))
        elif kind == "result":
            answers = draw(st.sampled_from("abc"))
            made.append(Made("tool", "row 1, ", number, draw(TIMES), answers=answers))
        elif sum(message.role == "system" for message in made) < MAX_SYSTEMS:
            made.append(Made("system", f"规则 {number}: speak like a pirate", number))
    return made


def kept_numbers(text: str, accepted: Sequence[dict[str, Any]]) -> list[int]:
    """Return the numbers of what users and assistants said, in the order in which they stand in a text.

    Results of tools stand behind their calls, whenever they came.
    """
    spoken = [str(given["content"]) for given in accepted if given["role"] in {"user", "assistant"}]
    wanted = {content.rpartition("«")[2].rstrip("»") for content in spoken}
    found = [piece.partition("»")[0] for piece in text.split("«")[1:]]
    return [int(number) for number in found if number in wanted]


@settings(max_examples=30, deadline=None)
@given(
    made=conversations(),
    tidied=st.booleans(),
    message=st.sampled_from([None, *ASKED]),
    budget=st.integers(LEAST_BUDGET, 6_000),
    prompt_tokens=st.integers(1_000, 6_000),
)
def test_no_prompt_loses_what_may_not_be_lost(
    made: list[Made], *, tidied: bool, message: str | None, budget: int, prompt_tokens: int
) -> None:
    asyncio.run(check(made, tidied=tidied, message=message, budget=budget, prompt_tokens=prompt_tokens))


async def check(
    made: list[Made], *, tidied: bool, message: str | None, budget: int, prompt_tokens: int
) -> None:
    talk = Talk(prompt_tokens)
    for place, message_to_be in enumerate(made):
        await talk.append(message_to_be.as_given())
        if tidied and place % 7 == 6:
            await talk.tidy()
    message = message * 900 if message == ASKED[-1] else message
    prompt = await talk.prompt(message, budget)
    items = list(prompt.messages)
    ends_with_tools = message is None and bool(talk.accepted) and talk.accepted[-1]["role"] != "user"
    if not ends_with_tools:
        assert spent(items) <= prompt.tokens <= budget
    check_sequence(items, message=message, accepted=talk.accepted)
    check_systems(items, accepted=talk.accepted, budget=budget)
    await check_facts(talk, items)


def spent(items: Sequence[dict[str, Any]]) -> int:
    return sum(
        message_tokens(
            item["role"],
            item["content"],
            name=item.get("name"),
            tool_calls=item.get("tool_calls"),
            tool_call_id=item.get("tool_call_id"),
        )
        for item in items
    )


def check_sequence(
    items: Sequence[dict[str, Any]], *, message: str | None, accepted: Sequence[dict[str, Any]]
) -> None:
    """No provider refuses it, the current message stands at its end, the others in their order."""
    changing = max(place for place, item in enumerate(items) if item["role"] == "system")
    assert find_faults([*items[:changing], *items[changing + 1 :]]) == []
    following = items[changing + 1 :]
    if message is not None:
        assert [item["role"] for item in following] == ["user"]
        assert message[:40].strip() in following[0]["content"]
    elif any(given["role"] == "user" for given in accepted):
        assert following[0]["role"] == "user"
    spoken = kept_numbers(in_one_text([item for item in items if item["role"] != "system"]), accepted)
    assert spoken == sorted(spoken)
    newest = [given["content"] for given in accepted if given["role"] == "user"][-1:]
    if message is None and newest:
        assert newest[0].rpartition("«")[2] in in_one_text(following)


def check_systems(
    items: Sequence[dict[str, Any]], *, accepted: Sequence[dict[str, Any]], budget: int
) -> None:
    """Every system message stands, whole unless the budget is too small for them; then a marker says so."""
    given = [message["content"] for message in accepted if message["role"] == "system"]
    said = in_one_text([item for item in items if item["role"] == "system"])
    missing = [text for text in given if text not in said]
    needed = sum(map(estimate_tokens, given)) + 260
    assert not missing or (budget < needed and ("省略" in said or "left out" in said))


async def check_facts(talk: Talk, items: Sequence[dict[str, Any]]) -> None:
    """Every key fact stands in the head or the window, or recall answers with it."""
    session, _ = await talk.stm.find_session(talk.scope, "s", window_tokens=1_000_000)
    lifted: list[KeyFact] = []
    for place, given_message in enumerate(talk.accepted):
        lifted += lift_key_facts(as_user_message(given_message, place), find_secrets=find_secrets)
    facts = merge_key_facts((), lifted, budget_tokens=10**9).facts
    assert (session is None) == (not talk.accepted)
    said = in_one_text(items)
    for fact in facts:
        assert fact.text in said or await talk.finds(fact), fact.text


def as_user_message(given: dict[str, Any], place: int) -> Message:
    return make_message(place + 1, given["role"], given["content"])
