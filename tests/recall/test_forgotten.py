"""What was forgotten, in other words: the echo and the question of before are gone, later words are not."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import pytest

from shared.model.pending import Tombstone
from shared.recall.collect import open_message
from shared.recall.forgotten import forgotten_of, speaks_of_forgotten
from shared.recall.said import without_forgotten
from tests.recall.world import World, texts

AT_MS: Final = 1_000
PICTURE: Final = {"type": "image_url", "image_url": {"url": "data:,x"}}


def _stone(value: object, **changes: object) -> Tombstone:
    known = {"id": "tmb_1", "path": None, "value": value, "cause": "forgotten", "at_ms": AT_MS, **changes}
    return Tombstone.model_validate(known)


CASES = [
    ("报销截止日是25号", "报销截止日是哪天？", True),
    ("报销截止日是25号", "好的，记住了：报销截止日是25号。", True),
    ("报销截止日是25号", "报销要带发票原件吗？", False),
    ("报销截止日是25号", "今天去报销了", False),
    ("报销截止日是25号", "？", False),
    ("the expense deadline is the 25th", "When is the expense deadline?", True),
    ("the expense deadline is the 25th", "Noted: The expense deadline is the 25th.", True),
    ("the expense deadline is the 25th", "Do expense reports need receipts?", False),
    ("the expense deadline is the 25th", "I filed my expense report", False),
    ("我在Acme的月薪是4200", "好的，您在Acme的月薪是4200。", True),
    ("我在Acme的月薪是4200", "记住了。你每个月在Acme挣4200，对吧？", True),
    ("我在Acme的月薪是4200", "Acme下周开放日。", False),
    ("我妈妈生日是3月18号", "不对，妈妈生日是3月18号", True),
    ("我妈妈生日是3月18号", "我妈妈的生日是3月8号", True),
    ("我妈妈生日是3月18号", "3月18号要交房租", False),
    ("我妈妈生日是3月18号", "我妈妈喜欢看京剧", False),
    ("my salary is 4200 a month at Acme", "Your salary is 4200 a month at Acme.", True),
    ("my salary is 4200 a month at Acme", "Got it: you earn 4200 a month at Acme.", True),
    ("my salary is 4200 a month at Acme", "Acme holds its open day next month.", False),
    ("my mother's birthday is March 18", "No, mother's birthday is on March 18", True),
    ("my mother's birthday is March 18", "Mother's birthday is on March 8, I think.", True),
    ("my mother's birthday is March 18", "The rent is due on March 18", False),
    ("my mother's birthday is March 18", "My mother loves the opera", False),
]

OTHER_THINGS = [
    ("我周五要去体检", "我周三要去体检"),
    ("I have a meeting with Bob on Monday", "I have a meeting with Anna on Monday"),
    ("客户B要求先付50%定金", "客户A要求先付30%定金"),
    ("客户B要求先付30%定金", "客户A要求先付30%定金"),
    ("customer Beta wants a 30% deposit", "customer Alpha wants a 30% deposit"),
    ("我妈妈有糖尿病", "我爸爸有糖尿病"),
    ("My mother has diabetes", "My father has diabetes"),
    ("我在上海有一套房", "我在北京有一套房"),
    ("The office in Madrid closes at six", "The office in Berlin closes at six"),
    ("the office in madrid closes at six", "the office in berlin closes at six"),
    ("李四欠我500元", "张三欠我500元"),
    ("Jerry owes me 500", "Tom owes me 500"),
    ("张三欠我500元", "张三欠我5000元"),
    ("Tom owes me 500", "Tom owes me 5000"),
    ("咖啡机坏了，需要修理", "割草机坏了，需要修理"),
    ("The drill is broken and needs repair", "The kayak is broken and needs repair"),
    ("我打算把吉他卖掉", "我打算把钓竿卖掉"),
    ("I plan to sell the drill", "I plan to sell the kayak"),
    ("我不吃牛肉", "我吃牛肉"),
    ("I don't eat beef", "I eat beef"),
    ("我女儿的老师姓陈", "我儿子的老师姓陈"),
    ("My daughter's teacher is Mr Chen", "My son's teacher is Mr Chen"),
    ("家财险六月到期", "车险五月到期"),
    ("My home insurance ends in June", "My car insurance ends in May"),
    ("周二和小李开会", "周一和小王开会"),
    ("I meet Bob in Oslo at 10", "I meet Anna in Oslo at 10"),
]
SAME_THINGS = [
    ("我妈妈有糖尿病", "好的，你妈妈有糖尿病，我会注意"),
    ("my mother has diabetes", "Noted, your mother has diabetes."),
    ("咖啡机坏了，需要修理", "记下了：咖啡机坏了需要修理"),
    ("The drill is broken and needs repair", "So your drill is broken, it needs repair"),
    ("我周五要去体检", "你周五去体检"),
    ("I have a meeting with Bob on Monday", "On Monday you have a meeting with Bob"),
    ("我不吃牛肉", "好的，你不吃牛肉"),
    ("I don't eat beef", "Noted: you do not eat beef"),
    ("客户B要求先付50%定金", "明白，客户B要先付50%的定金"),
    ("customer Beta wants a 30% deposit", "Customer Beta wants the 30% deposit"),
    ("我打算把客厅的吉他卖掉", "好的，你计划把客厅的吉他卖掉"),
    ("I plan to sell the guitar", "You intend to sell the guitar"),
    ("备用钥匙藏在蓝色花盆下面", "备用钥匙放在蓝色花盆下面"),
    ("the spare key is under the blue pot", "Your spare key is hidden under the blue pot"),
    ("我每天吃两片降压药", "你每天要吃两片降压药"),
    ("I take two pills for blood pressure every day", "You take 2 blood pressure pills a day"),
    ("我储物柜的密码是7719", "我储物柜的密码是7718"),
    ("my locker code is 7719", "My locker code is 7718"),
]


@pytest.mark.parametrize(("forgotten", "kept"), OTHER_THINGS)
def test_another_thing_in_like_words_is_still_found(forgotten: str, kept: str) -> None:
    for gone, said in ((forgotten, kept), (kept, forgotten)):
        assert not speaks_of_forgotten(said, AT_MS, forgotten=forgotten_of([_stone(gone)]))


@pytest.mark.parametrize(("forgotten", "said"), SAME_THINGS)
def test_the_same_thing_in_other_words_is_gone(forgotten: str, said: str) -> None:
    assert speaks_of_forgotten(said, AT_MS, forgotten=forgotten_of([_stone(forgotten)]))


@pytest.mark.parametrize(("stated", "text", "is_gone"), CASES)
def test_a_message_of_before_is_left_out_where_it_says_or_asks_only_that(
    stated: str, text: str, *, is_gone: bool
) -> None:
    forgotten = forgotten_of([_stone(stated)])
    assert speaks_of_forgotten(text, AT_MS, forgotten=forgotten) is is_gone
    assert not speaks_of_forgotten(text, AT_MS + 1, forgotten=forgotten)


def test_only_texts_that_were_forgotten_count() -> None:
    stones = [_stone("a tea"), _stone("500000", path="a.b"), _stone("a cake", cause="rejected")]
    assert [each.words for each in forgotten_of(stones)] == ["a tea"]


@pytest.mark.parametrize(
    ("value", "text", "is_gone"),
    [
        (600_000, "预算改成60万吧", True),
        (600_000, "预算改成50万吧", False),
        (9_500, "I decided to raise the budget to 9,500.", True),
        (9_500, "I decided to raise the budget to 9,000.", False),
        (7, "seven of us came, 7 in all", False),
        (True, "1 of us came", False),
        (5_000, "我的月薪是5000元", False),
        (1_200, "Tom owes me 1200 dollars", False),
        (2_021, "The apartment I rented in 2021 was cold", False),
        (2_021, "我2021年租的房子很冷", False),
        (5_000, "预算已经定了。一共是5000元", True),
        (1_200, "The budget is fixed!\nIt comes to 1200 dollars", True),
        (5_000, "改成5000吧", True),
        (1_200, "Noted: 1,200", True),
    ],
)
def test_the_number_of_a_forgotten_field_is_not_found_in_what_was_said_before(
    value: object, text: str, *, is_gone: bool
) -> None:
    forgotten = forgotten_of([_stone(value, path="business_context.budget.ceiling")])
    assert speaks_of_forgotten(text, AT_MS, forgotten=forgotten) is is_gone
    assert not speaks_of_forgotten(text, AT_MS + 1, forgotten=forgotten)


@pytest.mark.parametrize(
    ("text", "is_gone"),
    [
        ("经费是5000元，我们先定下来", True),
        ("Our spend cap is 5000 dollars for now", True),
        ("预算是5000元，我们先定下来", False),
        ("My salary is 5000 dollars for now", False),
    ],
)
def test_the_number_is_looked_for_beside_the_names_that_the_field_had(text: str, is_gone: bool) -> None:
    stone = _stone(5_000, path="business_context.budget.ceiling")
    forgotten = forgotten_of([stone.model_copy(update={"names": ("经费", "Spend cap")})])
    assert speaks_of_forgotten(text, AT_MS, forgotten=forgotten) is is_gone


PARTLY = [
    (
        "备用钥匙藏在蓝色花盆下面。我周末学拉丁语。",
        "备用钥匙藏在蓝色花盆下面。",
        "钥匙位置：蓝色花盆",
        "我周末学什么语言",
    ),
    (
        "The spare key is under the blue pot. I study Latin on Saturdays.",
        "The spare key is under the blue pot.",
        "Key: blue pot",
        "when do I study Latin",
    ),
]


@pytest.mark.parametrize(("said", "quote", "memory", "question"), PARTLY)
async def test_a_message_answers_without_what_was_forgotten_of_it(
    said: str, quote: str, memory: str, question: str
) -> None:
    world = World()
    kept = await world.remember(memory, source=await world.say(said), quote=quote)
    assert quote in texts(await world.search(question))[0]
    await world.forget(kept)
    assert texts(await world.search(question)) == [said.replace(quote, " ").strip()]
    assert await world.search(quote) == []


def _part(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


@pytest.mark.parametrize(
    ("content", "left"),
    [
        ("tea and cake", "and cake"),
        ("tea", ""),
        ([_part("绿茶tea"), PICTURE], [_part("绿茶"), PICTURE]),
        ([_part("tea"), PICTURE], ""),
        ([_part("tea"), PICTURE, _part("cake")], [_part("cake"), PICTURE]),
    ],
)
async def test_what_is_left_of_a_message_holds_its_other_words_alone(content: Any, left: Any) -> None:
    world = World()
    name = await world.say(content)
    row = await world.ltm.read(world.scope, lambda reader: reader.episode(name))
    assert row is not None
    assert without_forgotten(row, forgotten={"msg_other": ("tea",)}) is row
    found = without_forgotten(row, forgotten={name: ("tea", "never said")})
    assert found.message.body.content == left


async def test_a_message_that_is_forgotten_altogether_is_not_there() -> None:
    world = World()
    some, whole, other = [await world.say(text) for text in ("tea and cake", "绿茶", "红茶")]
    for name, span in ((some, "tea"), (whole, "绿茶")):
        await world.ltm.write(world.scope, lambda w, n=name, s=span: w.forget_span(n, s, record=None))  # type: ignore[misc]
    left = [
        await world.ltm.read(world.scope, partial(open_message, message_id=name))
        for name in (some, whole, other)
    ]
    assert [row and row.message.text for row in left] == ["and cake", None, "红茶"]
    assert await world.ltm.read(world.scope, partial(open_message, message_id="msg_none")) is None
