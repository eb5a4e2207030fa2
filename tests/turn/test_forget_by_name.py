"""A forget by name takes what is meant: the memory that holds its words, or tells what it names, or none."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from shared.clock import Clock
from shared.extraction.commands import Command
from shared.language.attributes import read_attribute
from shared.language.scripts import fold
from shared.ltm.edit import StatedMemory, Why, write_memory
from shared.ltm.schema import DEFAULT_SCHEMA
from shared.model.memory import Source
from shared.model.scope import Scope
from shared.ports.ltm import LtmWriter, MemoryFilter
from shared.turn.forgetting import Forgotten, forget_target
from tests.fakes.memory_ltm import MemoryLtm

SCOPE = Scope(tenant_id="t1", scope_id="scp_1", kind="user")
WHY = Why(
    actor="key",
    request_id="req",
    origin="user",
    source=Source(session_id="s"),
    at=datetime(2026, 3, 4, tzinfo=UTC),
)


async def forget(target: str, *stored: str) -> tuple[Forgotten, set[str]]:
    """Return what a forget of these words did, and the memories that are left."""
    ltm = MemoryLtm(Clock())
    command = Command("forget", None, None, target, target, 0, len(target))

    def work(writer: LtmWriter) -> Forgotten:
        for text in stored:
            write_memory(writer, StatedMemory(text=text), why=WHY)
        return forget_target(
            writer,
            command,
            said=command.quote,
            schema=DEFAULT_SCHEMA,
            why=WHY,
            mask=lambda _path, value: value,
        )

    done = await ltm.write(SCOPE, work)
    left = await ltm.read(SCOPE, lambda reader: reader.memories(MemoryFilter()))
    return done, {memory.text for memory in left}


@pytest.mark.parametrize(
    ("target", "meant", "other"),
    [
        ("报销截止日", "报销截止日是每月25号", "报销要贴发票"),
        ("reimbursement deadline", "The reimbursement deadline is the 25th", "Reimbursements need receipts"),
        ("我家猫的名字", "我的猫叫团子", "我的狗叫旺财"),
        ("cat's name", "my cat is called Pebble", "my dog is called Rex"),
        ("猫的名字", "我的猫叫团子", "猫粮叫皇家"),
        ("cat's name", "our cat, who is named Pebble", "the cat food is called Royal"),
        ("报销截止日", "报销每月25号截止", "工资每月10号发"),
        ("expense report deadline", "Expense reports are due on the 25th", "Salaries are paid on the 10th"),
        ("老王的住址", "老王住在朝阳区", "老王喜欢钓鱼"),
        ("Bob's address", "Bob lives in York", "Bob likes fishing"),
        ("团子的生日", "团子是2020年5月出生的", "团子爱吃鱼"),
        ("cats name", "my cat is called Pebble", "my dog is called Rex"),
        ("Pebble's birthday", "Pebble was born in May 2020", "Pebble eats fish"),
        ("报销的期限", "报销截止日是每月25号", "报销要贴发票"),
        (
            "deadline for expense reports",
            "Expense reports close on the 25th",
            "Expense reports need receipts",
        ),
        ("周会时间", "周会每周三上午十点", "周会在三楼开"),
        ("A套餐的价格", "A套餐要99元", "A套餐10人起订"),
        ("plan A's price", "plan A costs 99 euros", "plan A is for ten people"),
        ("花生过敏", "我对花生过敏", "我爱吃花生酱"),
        ("我老婆过敏", "我老婆对坚果过敏", "我老婆爱吃坚果"),
        ("wife's allergy", "my wife has a nut allergy", "my wife likes nuts"),
        ("儿子上学", "儿子九月开始上学", "儿子喜欢踢球"),
        ("龙井茶", "我爱喝龙井茶", "我去龙井村喝井水"),
        ("peanut allergy", "I'm allergic to peanuts", "I like peanut butter"),
        ("老王的电话", "老王的手机是13800001111", "老王每月5号发工资"),
        ("Bob's number", "Bob's number is 555-0100", "Bob likes fishing"),
        ("staff meeting time", "The staff meeting is every Wednesday at ten", "The staff eat at noon"),
    ],
)
async def test_one_that_tells_what_is_named_is_forgotten(target: str, meant: str, other: str) -> None:
    done, left = await forget(target, meant, other)
    assert (done.outcome.outcome, done.outcome.old, left) == ("applied", meant, {other})


@pytest.mark.parametrize(
    ("target", "stored"),
    [
        ("猫的名字", ("我的猫叫团子", "楼下的猫叫咪咪")),
        ("cat's name", ("my cat is called Pebble", "the neighbour's cat is called Tom")),
    ],
)
async def test_of_several_the_user_is_asked_which(target: str, stored: tuple[str, ...]) -> None:
    done, left = await forget(target, *stored)
    assert done.choice is not None
    assert (set(done.choice.texts), left) == (set(stored), set(stored))


@pytest.mark.parametrize(
    ("target", "stored"),
    [
        ("狗的名字", "我的猫叫团子"),
        ("dog's name", "my cat is called Pebble"),
        ("猫的生日", "我的猫叫团子"),
        ("cat's birthday", "my cat is called Pebble"),
        ("猫的名字", "热狗猫粮叫皇家"),
        ("儿子的名字", "我儿子对花生过敏"),
        ("son's name", "my son is allergic to peanuts"),
        ("猫的名字", "我的猫叫得很大声"),
        ("boss's name", "my boss called me yesterday"),
        ("儿子的名字", "儿子叫外卖太多"),
        ("老板的电话", "老板每月5号发工资"),
        ("Bob's number", "Bob is one of the founders"),
        ("周会时间", "周会30人参加"),
        ("staff meeting time", "The staff meeting has thirty people"),
        ("A套餐的价格", "A套餐10人起订"),
        ("plan A's price", "plan A is for ten people"),
        ("老王的工作", "我在老王的店里买菜"),
        ("Bob's job", "Anna works for Bob"),
        ("cat's name", "my category is named Misc"),
    ],
)
async def test_where_nothing_tells_it_nothing_is_forgotten_and_that_is_said(target: str, stored: str) -> None:
    done, left = await forget(target, stored)
    assert (done.outcome.outcome, done.outcome.reason, left) == ("refused", "nothing_found", {stored})


@pytest.mark.parametrize("phrase", ["名字", "name", "", "团子", "pebble", "x" * 200 + "'s name"])
def test_a_phrase_without_a_thing_and_something_known_of_it_names_none(phrase: str) -> None:
    assert read_attribute(fold(phrase)) is None
