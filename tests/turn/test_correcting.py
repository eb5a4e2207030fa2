"""A correction is put forward for what the message before set, or what holds the value it names."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from shared.clock import Clock
from shared.errors import Unavailable
from shared.ltm.edit import Why
from shared.ltm.field_edit import forget_field, write_field
from shared.ltm.schema import DEFAULT_SCHEMA
from shared.model.memory import Origin
from shared.model.scope import Scope
from shared.privacy.mask import field_masker, mask_secrets
from shared.turn.apply import Applied
from shared.turn.heartbeat import HeartbeatPolicy
from shared.turn.request import TurnLimits, TurnRules
from shared.turn.state import Earlier, Speaking, apply_reading
from tests.fakes.memory_ltm import MemoryLtm, MemoryWriter
from tests.stm.messages import make_message

SCOPE = Scope(tenant_id="t1", scope_id="scp_1", kind="user")
AT = datetime(2024, 3, 1, 10, tzinfo=UTC)
BUDGET = "business_context.budget.ceiling"
DEADLINE = "business_context.deadline"
MASK = field_masker(DEFAULT_SCHEMA)
RULES = TurnRules(
    schema=DEFAULT_SCHEMA,
    mask=MASK,
    mask_text=mask_secrets,
    limits=TurnLimits(prompt_tokens=4_000, reply_tokens=500, recall_tokens=800),
    heartbeat=HeartbeatPolicy(),
)


def why_of(origin: Origin) -> Why:
    return Why(actor="key", request_id="req", origin=origin, at=AT)


class CountingLtm(MemoryLtm):
    """Counts transactions; does neither of those that are `away`."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.reads = self.writes = 0
        self.away: frozenset[str] = frozenset()

    async def read(self, scope: Scope, work: Any) -> Any:
        self.reads += 1
        self._must_be_there("read")
        return await super().read(scope, work)

    async def write(self, scope: Scope, work: Any, *, durable: bool = False) -> Any:
        self.writes += 1
        self._must_be_there("write")
        return await super().write(scope, work, durable=durable)

    def _must_be_there(self, what: str) -> None:
        if what in self.away:
            raise Unavailable("The database is locked.", code="ltm_unavailable")


class Talk:
    """A user's messages, one after the other; what each of them has done."""

    def __init__(self) -> None:
        self.ltm = CountingLtm(Clock())
        self._seq = 0

    async def say(self, text: str, *, may_resolve: bool = True) -> Applied:
        former_id = f"msg_{self._seq - 1}" if self._seq else ""
        self._seq += 2
        return await apply_reading(
            SCOPE,
            make_message(self._seq - 1, "user", text),
            earlier=Earlier(make_message(self._seq, "assistant", "ok"), former_id),
            speaking=Speaking("s", "key", "req", may_resolve, AT),
            rules=RULES,
            ltm=self.ltm,
        )

    async def put(self, path: str, value: Any, *, origin: Origin = "api") -> None:
        def work(writer: MemoryWriter) -> None:
            write_field(writer, path, value=value, why=why_of(origin), mask=MASK)

        await self.ltm.write(SCOPE, work)


def put_forward(applied: Applied) -> list[tuple[str | None, Any, Any, str]]:
    assert applied.outcomes == ()
    return [(each.path, each.old, each.new, each.origin) for each in applied.pending]


ADJACENT = [
    ("记住预算是55万", "不对，是60万", (BUDGET, 550000, 600000)),
    ("remember the budget is 550k", "no, it's 600k", (BUDGET, 550000, 600000)),
    ("记住我住在北京", "不对，是上海", (None, "我住在北京", "我住在上海")),
    ("remember I live in Boston", "no, it's Denver", (None, "I live in Boston", "I live in Denver")),
    ("记住预算是55万，截止日是3月15日", "不对，是60万", (BUDGET, 550000, 600000)),
    ("remember my budget is 550k and my email is a@b.com", "no, 600k", (BUDGET, 550000, 600000)),
    ("记住预算是55万，截止日是3月15日", "不对，是3月20日", (DEADLINE, "2024-03-15", "2024-03-20")),
    ("remember the budget is 550k", "the budget isn't 550k but 600k", (BUDGET, 550000, 600000)),
    ("记住预算是55万", "预算不是55万，是60万", (BUDGET, 550000, 600000)),
]


@pytest.mark.parametrize(("kept", "said", "want"), ADJACENT)
async def test_what_the_message_before_set_is_put_forward_anew(
    kept: str, said: str, want: tuple[str | None, Any, Any]
) -> None:
    talk = Talk()
    await talk.say(kept)
    assert put_forward(await talk.say(said)) == [(*want, "heartbeat")]


@pytest.mark.parametrize(
    ("kept", "between", "said"),
    [
        ("记住预算是55万", "今天天气不错", "不对，是60万"),
        ("remember the budget is 550k", "nice weather today", "no, it's 600k"),
        ("记住预算是55万，人均预算是300", "忘掉预算", "不对，是60万"),
        ("remember the budget is 550k", "forget the budget", "no, it's 600k"),
        ("记住我的名字是李雷", "今天天气不错", "不是李雷，是韩梅梅"),
        ("remember my name is Amara Osei", "nice weather today", "not Amara Osei but Amara Obi"),
    ],
)
async def test_later_or_after_a_forget_a_bare_correction_is_part_of_the_talk(
    kept: str, between: str, said: str
) -> None:
    talk = Talk()
    await talk.say(kept)
    await talk.say(between)
    assert put_forward(await talk.say(said)) == []


@pytest.mark.parametrize(
    ("said", "other"), [("不是55万，是60万", "不是70万，是60万"), ("not 550k but 600k", "not 700k")]
)
async def test_a_named_value_finds_the_one_field_that_holds_it(said: str, other: str) -> None:
    talk = Talk()
    await talk.put(BUDGET, 550000)
    await talk.put(DEADLINE, "2024-03-15")
    assert put_forward(await talk.say(other)) == []
    assert put_forward(await talk.say(said)) == [(BUDGET, 550000, 600000, "heartbeat")]


@pytest.mark.parametrize("said", ["不是55万，是60万", "not 550k but 600k"])
async def test_a_value_that_two_fields_hold_names_neither(said: str) -> None:
    talk = Talk()
    await talk.put(BUDGET, 550000)
    await talk.put("current_task.last_cost", 550000)
    assert put_forward(await talk.say(said)) == []


@pytest.mark.parametrize(
    ("kept", "said", "new"),
    [
        ("记住我的车牌号是A123", "我的车牌号不是A123，是A125", "我的车牌号是A125"),
        ("remember my locker is 14A", "my locker isn't 14A, it's 15C", "my locker is 15C"),
        ("记住我住在北京", "我不住在北京，我住在上海", "我住在上海"),
        ("remember I live in Boston", "I don't live in Boston, I live in Denver", "I live in Denver"),
    ],
)
async def test_a_memory_that_is_denied_in_so_many_words_is_found_at_any_time(
    kept: str, said: str, new: str
) -> None:
    talk = Talk()
    await talk.say(kept)
    await talk.say("ok")
    assert [each[2] for each in put_forward(await talk.say(said))] == [new]


@pytest.mark.parametrize("said", ["不是55万，是60万", "not 550k but 600k"])
async def test_what_a_business_system_set_is_named_and_not_put_forward(said: str) -> None:
    talk = Talk()
    await talk.put(BUDGET, 550000, origin="system")
    done = await talk.say(said)
    assert (done.pending, done.outranked) == ((), (BUDGET,))


@pytest.mark.parametrize(
    ("kept", "said"), [("记住预算是55万", "不对，是60万"), ("remember the budget is 550k", "no, 600k")]
)
async def test_what_was_forgotten_meanwhile_is_not_put_forward(kept: str, said: str) -> None:
    talk = Talk()
    await talk.say(kept)

    def work(writer: MemoryWriter) -> None:
        forget_field(writer, DEFAULT_SCHEMA.find(BUDGET), why=why_of("user"), mask=MASK)

    await talk.ltm.write(SCOPE, work)
    assert put_forward(await talk.say(said)) == []


@pytest.mark.parametrize("said", ["今天天气不错", "nice weather today", "不用了，谢谢", "No, thanks"])
async def test_a_plain_message_reads_and_writes_nothing(said: str) -> None:
    talk = Talk()
    await talk.say(said)
    assert (talk.ltm.reads, talk.ltm.writes) == (0, 0)


@pytest.mark.parametrize("said", ["不对，是60万", "no, it's 600k"])
async def test_what_corrects_nothing_that_is_kept_is_read_once_and_writes_nothing(said: str) -> None:
    talk = Talk()
    await talk.say("hello")
    await talk.say(said)
    assert (talk.ltm.reads, talk.ltm.writes) == (1, 0)


@pytest.mark.parametrize(
    ("kept", "said", "new"),
    [
        (
            "记住我的证件号是110101199003071234",
            "不对，是110101199003071242",
            "我的证件号是110101********1242",
        ),
        (
            "remember my card is 4111 1111 1111 1111",
            "no, it's 5500 0000 0000 0004",
            "my card is **** **** **** 0004",
        ),
    ],
)
async def test_a_secret_in_a_correction_is_put_forward_masked(kept: str, said: str, new: str) -> None:
    talk = Talk()
    await talk.say(kept)
    (update,) = (await talk.say(said)).pending
    assert update.new == new
    assert update.quote == mask_secrets(said) != said


AWAY = [frozenset({"read", "write"}), frozenset({"write"})]


@pytest.mark.parametrize("away", AWAY)
@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ("记住预算是55万", "不对，是60万"),
        ("remember the budget is 550k", "no, it's 600k"),
        ("记住预算是55万", "预算现在是60万"),
        ("remember the budget is 550k", "the budget is now 600k"),
    ],
)
async def test_talk_goes_on_while_memory_is_away(kept: str, said: str, away: frozenset[str]) -> None:
    talk = Talk()
    await talk.say(kept)
    talk.ltm.away = away
    assert await talk.say(said) == Applied()


@pytest.mark.parametrize("away", AWAY)
@pytest.mark.parametrize(
    "said", ["记住预算是60万", "remember the budget is 600k", "这话别记：我怀孕了", "忘记团子", "undo that"]
)
async def test_what_memory_is_asked_for_is_not_answered_while_it_is_away(
    said: str, away: frozenset[str]
) -> None:
    talk = Talk()
    talk.ltm.away = away
    with pytest.raises(Unavailable):
        await talk.say(said)
