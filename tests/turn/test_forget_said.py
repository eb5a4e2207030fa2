"""What is to be forgotten may be called by when it was said: 刚才说的价格, last month's plan."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from shared.clock import Clock
from shared.extraction.commands import parse_commands
from shared.extraction.said_before import read_said_before
from shared.ltm.edit import StatedMemory, Why, write_memory
from shared.ltm.schema import DEFAULT_SCHEMA
from shared.model.memory import Source
from shared.model.scope import Scope
from shared.ports.ltm import LtmWriter, MemoryFilter
from shared.turn.forgetting import Forgotten, forget_target
from tests.fakes.memory_ltm import MemoryLtm

SCOPE = Scope(tenant_id="t1", scope_id="scp_1", kind="user")
NOW = datetime(2026, 3, 4, 9, tzinfo=UTC)
DAYS = {
    "now": NOW,
    "yesterday": datetime(2026, 3, 3, 9, tzinfo=UTC),
    "month": datetime(2026, 2, 5, tzinfo=UTC),
}


def _why(at: datetime) -> Why:
    return Why(actor="key", request_id="req", origin="user", source=Source(session_id="s"), at=at)


PLAIN = (
    *("价格", "我的旧地址", "说明书", "讲座的时间", "谈判的价格", "刚性需求", "我前妻的事", "提成的比例"),
    *("price", "my old address", "the early bird price", "a told story", "the month's end"),
)


@pytest.mark.parametrize("text", PLAIN)
def test_a_plain_name_says_nothing_of_when(text: str) -> None:
    assert read_said_before(text, today=NOW.date()) is None


@pytest.mark.parametrize(
    ("text", "thing", "days"),
    [
        ("刚才说的价格", "价格", None),
        ("刚才的价格", "价格", None),
        ("我刚刚告诉你的价格", "价格", None),
        ("之前提到的价格", "价格", None),
        ("昨天说的价格", "价格", (date(2026, 3, 3), date(2026, 3, 3))),
        ("上个月聊的方案", "方案", (date(2026, 2, 1), date(2026, 2, 28))),
        ("上周聊的方案", "方案", (date(2026, 2, 23), date(2026, 3, 1))),
        ("上个月聊", "", (date(2026, 2, 1), date(2026, 2, 28))),
        ("price I just told you", "price", None),
        ("price I mentioned earlier", "price", None),
        ("earlier price", "price", None),
        ("price from yesterday", "price", (date(2026, 3, 3), date(2026, 3, 3))),
        ("last month's price", "price", (date(2026, 2, 1), date(2026, 2, 28))),
        ("plan we discussed last month", "plan", (date(2026, 2, 1), date(2026, 2, 28))),
        ("we talked about last week", "", (date(2026, 2, 23), date(2026, 3, 1))),
    ],
)
def test_what_was_said_is_read_apart_from_when(text: str, thing: str, days: tuple[date, date] | None) -> None:
    said = read_said_before(text, today=NOW.date())
    assert said is not None
    assert said.thing == thing
    assert (said.days and (said.days.start, said.days.end)) == days


async def _forget(message: str, *stored: tuple[str, str]) -> tuple[Forgotten, set[str]]:
    ltm = MemoryLtm(Clock())
    (command,) = parse_commands(message, schema=DEFAULT_SCHEMA, today=NOW.date())

    def work(writer: LtmWriter) -> Forgotten:
        for text, when in stored:
            write_memory(writer, StatedMemory(text=text), why=_why(DAYS[when]))
        why = _why(NOW)
        return forget_target(
            writer,
            command,
            said=command.quote,
            schema=DEFAULT_SCHEMA,
            why=why,
            mask=lambda _path, value: value,
        )

    done = await ltm.write(SCOPE, work)
    left = await ltm.read(SCOPE, lambda reader: reader.memories(MemoryFilter()))
    return done, {memory.text for memory in left}


ZH = (
    ("价格是每台1200元", "now"),
    ("A方案用太阳能", "month"),
    ("B方案用风能", "month"),
    ("C方案用煤", "yesterday"),
)
EN = (
    ("the price is 1200 a piece", "now"),
    ("plan Alpha uses solar power", "month"),
    ("plan Beta uses wind", "month"),
    ("plan Gamma uses coal", "yesterday"),
)


@pytest.mark.parametrize(
    ("message", "stored", "gone"),
    [
        ("忘了刚才说的价格吧", ZH, "价格是每台1200元"),
        ("忘了刚才的价格", ZH, "价格是每台1200元"),
        ("忘了我刚刚告诉你的价格", ZH, "价格是每台1200元"),
        ("forget the price I just told you", EN, "the price is 1200 a piece"),
        ("forget the price I mentioned earlier", EN, "the price is 1200 a piece"),
    ],
)
async def test_one_clear_thing_that_was_just_said_is_forgotten_at_once(
    message: str, stored: tuple[tuple[str, str], ...], gone: str
) -> None:
    done, left = await _forget(message, *stored)
    assert (done.outcome.outcome, done.outcome.old) == ("applied", gone)
    assert left == {text for text, _ in stored} - {gone}


@pytest.mark.parametrize(
    ("message", "stored", "meant"),
    [
        ("把上个月聊的方案删掉", ZH, {"A方案用太阳能", "B方案用风能"}),
        ("把昨天聊的方案删掉", ZH, {"C方案用煤"}),
        ("删掉上个月聊的内容", ZH, {"A方案用太阳能", "B方案用风能"}),
        ("forget the plan we discussed last month", EN, {EN[1][0], EN[2][0]}),
        ("forget the plan from yesterday", EN, {EN[3][0]}),
        ("delete what we talked about last month", EN, {EN[1][0], EN[2][0]}),
    ],
)
async def test_what_is_named_by_its_days_is_asked_about(
    message: str, stored: tuple[tuple[str, str], ...], meant: set[str]
) -> None:
    done, left = await _forget(message, *stored)
    assert done.outcome.outcome == "pending"
    assert done.choice is not None
    assert set(done.choice.texts) == meant
    assert left == {text for text, _ in stored}


@pytest.mark.parametrize(
    ("message", "stored"),
    [
        ("把上周聊的方案删掉", ZH),
        ("忘掉昨天说的价格", ZH),
        ("忘了昨天带钥匙", ZH),
        ("forget the plan we discussed last week", EN),
        ("forget the price from yesterday", EN),
    ],
)
async def test_what_was_said_on_other_days_is_not_meant(
    message: str, stored: tuple[tuple[str, str], ...]
) -> None:
    done, left = await _forget(message, *stored)
    assert done.outcome.reason == "nothing_found"
    assert left == {text for text, _ in stored}
