"""Compaction as a verb, with fakes: what a model may do to it, what comes meanwhile, what is never lost."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable
from typing import Any, Literal

import pytest

from shared.clock import Clock
from shared.engines.redis_stm.limits import StmLimits
from shared.errors import Unavailable
from shared.ids import new_id
from shared.language.tokens import message_tokens
from shared.ltm.archive import archive_session
from shared.model.message import MessageBody, NewMessage, Role, Session
from shared.model.scope import Scope
from shared.ports.llm import ChatPiece, ChatRequest, CompletionRequest
from shared.privacy.classify import find_secrets
from shared.privacy.mask import mask_secrets
from shared.stm.compact import CompactReport, CompactRules, SummaryRefused, compact_session
from shared.stm.compaction import watermarks
from shared.stm.lift import LiftRules, lift_messages
from shared.stm.summary import render_summary
from shared.turn.standing import render_blocks, standing_of
from tests.fakes.memory_ltm import MemoryLtm
from tests.fakes.memory_state import MemoryState
from tests.fakes.memory_stm import MemoryShortTermMemory
from tests.fakes.summaries import hostile_summary

SCOPE = Scope(tenant_id="ten_1", scope_id="scp_1")
BUDGET = 1_600
RULES = CompactRules(
    marks=watermarks(1_000, high_tokens=600, low_tokens=300),
    prompt_tokens=BUDGET,
    find_secrets=find_secrets,
    mask_secrets=mask_secrets,
)
GOOD = json.dumps({"goal": "聊天", "text": "用户闲聊。"}, ensure_ascii=False)


class ScriptedModel:
    """A model that answers what a function says; `requests` are those it got."""

    def __init__(self, answer: Callable[[CompletionRequest], str], *, is_on: bool = True) -> None:
        self._answer = answer
        self._is_on = is_on
        self.requests: list[CompletionRequest] = []

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ChatPiece]:
        yield ChatPiece(text=str(request.max_tokens))

    async def complete(self, request: CompletionRequest) -> str:
        self.requests.append(request)
        return self._answer(request)

    def breaker_state(self) -> Literal["closed", "open", "half_open", "off"]:
        return "closed" if self._is_on else "off"


class World:
    """One user's stores, and talking in one session."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.stm = MemoryShortTermMemory(MemoryState(), clock=self.clock, limits=StmLimits())
        self.ltm = MemoryLtm(self.clock)

    async def say(self, *texts: str, role: Role = "user", **more: Any) -> None:
        new = [
            NewMessage(
                id=new_id("msg"),
                role=role,
                body=MessageBody(content=text, **more),
                tokens=message_tokens(role, text),
            )
            for text in texts
        ]
        done = await self.stm.append_messages(SCOPE, "room", messages=new)
        notes = lift_messages(done.session.notes, done.new, rules=LiftRules(BUDGET, find_secrets))
        await self.stm.put_notes(SCOPE, "room", notes=notes)

    async def chat(self, turns: int, *, word: str = "闲聊填充") -> None:
        for number in range(turns):
            await self.say(f"{word}{number}，今天天气不错，我们继续随便聊聊吧")
            await self.say(f"嗯嗯{number}", role="assistant")

    async def session(self) -> Session:
        return await self.stm.read_session(SCOPE, "room", window_tokens=100_000)

    async def compact(self, model: ScriptedModel) -> CompactReport:
        await archive_session(
            SCOPE, "room", window_tokens=BUDGET, mask=mask_secrets, stm=self.stm, ltm=self.ltm
        )
        return await compact_session(
            SCOPE, "room", now_ms=1, rules=RULES, stm=self.stm, ltm=self.ltm, model=model
        )


def nothing(_request: CompletionRequest) -> str:
    raise AssertionError("no model is asked")


async def test_below_the_mark_nobody_is_asked() -> None:
    world = World()
    await world.chat(5)
    assert (await world.compact(ScriptedModel(nothing))).outcome == "nothing_due"


ANSWERS = [
    "",
    "I cannot help with that.",
    "抱歉，我无法总结这段对话。",
    "{not json",
    json.dumps({"text": "I'm sorry, I cannot summarise this."}),
    json.dumps({"text": "预算是 99,999 元，联系人王小明于2033年2月3日确认。"}),
    "[]",
    "null",
    json.dumps({"text": "用户闲聊。" * 9_000}, ensure_ascii=False),
]


@pytest.mark.parametrize("answer", ANSWERS)
async def test_what_is_no_summary_changes_nothing_and_is_counted(answer: str) -> None:
    world = World()
    await world.chat(25)
    before = await world.session()
    model = ScriptedModel(lambda _: answer)
    with pytest.raises(SummaryRefused) as caught:
        await world.compact(model)
    assert sum(caught.value.repairs.values()) >= 2
    assert len(model.requests) == 2
    after = await world.session()
    assert (after.compacted_to, after.summary, after.last_seq) == (0, None, before.last_seq)
    assert after.window == before.window


async def test_with_the_model_down_nothing_changes() -> None:
    def fail(_request: CompletionRequest) -> str:
        raise Unavailable("down", code="llm_unavailable")

    world = World()
    await world.chat(40)
    with pytest.raises(Unavailable):
        await world.compact(ScriptedModel(fail))
    session = await world.session()
    assert (session.compacted_to, session.last_seq) == (0, 80)


async def test_a_summary_stands_for_the_oldest_half_and_folds_in_the_former() -> None:
    world = World()
    await world.chat(40)
    model = ScriptedModel(lambda _: GOOD)
    report = await world.compact(model)
    assert (report.rounds, report.made_by, report.outcome) == (len(model.requests), "model", "stored")
    session = await world.session()
    assert session.summary is not None
    assert session.open_tokens <= RULES.marks.high
    assert session.window[0].role == "user"
    assert session.window[0].seq == session.compacted_to + 1
    await world.chat(40)
    await world.compact(model)
    again = await world.session()
    assert again.summary is not None
    assert again.summary.version > session.summary.version
    assert again.summary.summary.goal == "聊天"
    assert "聊天" in str(model.requests[-1].messages)
    held = await world.stm.read_messages(SCOPE, "room", after_seq=0, limit=1_000)
    assert held[0].seq == again.compacted_to + 1


async def test_what_redis_let_go_is_summarised_from_the_archive() -> None:
    world = World()
    await world.say("订单号 PZ-88213，请一定保留")
    await world.chat(150)
    await archive_session(
        SCOPE, "room", window_tokens=BUDGET, mask=mask_secrets, stm=world.stm, ltm=world.ltm
    )
    held = await world.stm.read_messages(SCOPE, "room", after_seq=0, limit=1_000)
    assert held[0].seq > 1
    model = ScriptedModel(lambda _: GOOD)
    await world.compact(model)
    assert "PZ-88213" in str(model.requests[0].messages)
    session = await world.session()
    assert session.summary is not None
    assert "PZ-88213" in session.summary.summary.model_dump_json()


PLANTED = (
    "订单号 PZ-88213，预算 46,500 元，交期 2026-04-17，联系人 叶知秋，电话尾号 6620，房号 B7-1903，"
    "不要发票，只能顺丰"
)
VALUES = ("PZ-88213", "46,500", "2026-04-17", "叶知秋", "6620", "B7-1903", "不要发票", "只能顺丰")
PLANTED_EN = (
    "Order PZ-88213, the budget is $46,500, the deadline is 2026-04-17. The contact is Anna Ye. "
    "Room B7-1903. The extension is 6620. Do not issue an invoice. "
    "Ship by SF Express only, prices must include tax."
)
VALUES_EN = (
    "PZ-88213",
    "46,500",
    "2026-04-17",
    "Anna Ye",
    "B7-1903",
    "6620",
    "Do not issue an invoice",
    "prices must include tax",
)


@pytest.mark.parametrize(("said", "values"), [(PLANTED, VALUES), (PLANTED_EN, VALUES_EN)], ids=["zh", "en"])
@pytest.mark.parametrize("is_on", [True, False], ids=["hostile", "no_model"])
async def test_planted_values_outlive_five_rounds(said: str, values: tuple[str, ...], *, is_on: bool) -> None:
    world = World()
    await world.say(said)
    model = ScriptedModel(lambda _: hostile_summary({}), is_on=is_on)
    rounds = 0
    for _ in range(5):
        await world.chat(30)
        rounds += (await world.compact(model)).rounds
    assert rounds >= 5
    session = await world.session()
    assert session.summary is not None
    language = "zh" if said is PLANTED else "en"
    block = render_summary(session.summary.summary, language)
    facts = "\n".join(fact.text for fact in session.notes.key_facts)
    for value in values:
        assert value in block or value in facts, value
        assert value in facts, value
    for invented in ("HT-999999", "ZZ-123456", "李建国", "2031", "6602", "5 万", "可以使用", "最好"):
        assert invented not in block


async def test_a_revoked_prohibition_does_not_come_back_by_a_summary() -> None:
    world = World()
    await world.say("海报不要用红色")
    await world.chat(3)
    await world.say("可以用红色了")
    await world.chat(40)
    await world.compact(ScriptedModel(lambda _: GOOD))
    session = await world.session()
    assert session.summary is not None
    assert "不要用红色" not in session.summary.summary.model_dump_json()
    assert session.notes.key_facts == ()


async def test_a_prohibition_that_is_revoked_after_its_summary_leaves_it() -> None:
    world = World()
    await world.say("海报不要用红色，电话不要打")
    await world.chat(40)
    await world.compact(ScriptedModel(lambda _: GOOD))
    session = await world.session()
    assert session.summary is not None
    assert "不要用红色" in session.summary.summary.model_dump_json()
    await world.say("可以用红色了")
    session = await world.session()
    assert [fact.text for fact in session.notes.revoked] == ["海报不要用红色"]
    standing = standing_of(session, session.notes, digest=None, topics=())
    head = "\n".join(block.text for block in render_blocks(standing, "zh", budget_tokens=BUDGET))
    assert "红色" not in head
    assert "电话不要打" in head
    await world.chat(40)
    await world.compact(ScriptedModel(lambda _: GOOD))
    session = await world.session()
    assert session.summary is not None
    assert "红色" not in session.summary.summary.model_dump_json()


async def test_messages_that_come_while_the_model_writes_stay_untouched() -> None:
    world = World()
    await world.chat(40)
    meanwhile: list[str] = []

    class Slow(ScriptedModel):
        async def complete(self, request: CompletionRequest) -> str:
            if not meanwhile:
                for number in range(20):
                    meanwhile.append(f"新消息{number}")
                    await world.say(meanwhile[-1])
            return await super().complete(request)

    await world.compact(Slow(lambda _: GOOD))
    session = await world.session()
    texts = [message.text for message in session.window]
    assert [text for text in texts if text.startswith("新消息")] == meanwhile
    assert session.last_seq == 100


async def test_a_race_of_two_summaries_keeps_one() -> None:
    world = World()
    await world.chat(40)

    class Racing(ScriptedModel):
        async def complete(self, request: CompletionRequest) -> str:
            if len(self.requests) == 0:
                self.requests.append(request)
                await world.compact(ScriptedModel(lambda _: GOOD))
            return await super().complete(request)

    report = await world.compact(Racing(lambda _: GOOD))
    session = await world.session()
    assert session.summary is not None
    assert report.outcome in {"conflict", "nothing_due"}
    assert session.summary.to_seq == session.compacted_to


async def test_secrets_and_tool_output_reach_no_summary() -> None:
    world = World()
    await world.say("我的身份证号是110101199003071234，记住")
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    await world.say("", role="assistant", tool_calls=[call])
    await world.say("RAW-TOOL-OUTPUT " * 200, role="tool", tool_call_id="c1")
    await world.chat(40)
    for is_on in (True, False):
        model = ScriptedModel(lambda _: GOOD, is_on=is_on)
        await world.compact(model)
        session = await world.session()
        assert session.summary is not None
        seen = str(model.requests) + session.summary.model_dump_json() + str(session.notes.key_facts)
        assert "110101199003071234" not in seen
        assert "RAW-TOOL-OUTPUT" not in seen
        await world.chat(40)


@pytest.mark.parametrize("is_on", [True, False])
@pytest.mark.parametrize(
    ("said", "span", "word"),
    [
        ("我的年薪是80万，别记。我对花生过敏", "我的年薪是80万，别记", "80"),
        (
            "my salary is 128000, don't store that. I am allergic to nuts",
            "my salary is 128000, don't store that",
            "128000",
        ),
    ],
)
async def test_what_was_off_the_record_is_in_no_summary_and_no_request_for_one(
    said: str, span: str, *, word: str, is_on: bool
) -> None:
    world = World()
    await world.say(said)
    (message,) = (await world.session()).window
    await world.chat(60)
    await world.ltm.write(SCOPE, lambda writer: writer.forget_span(message.id, span, record=None))
    model = ScriptedModel(lambda _: GOOD, is_on=is_on)
    report = await world.compact(model)
    assert report.outcome == "stored"
    made = (await world.session()).summary
    assert made is not None
    assert word not in str(made.summary)
    assert word not in str([request.messages for request in model.requests])
    assert is_on == bool(model.requests)
