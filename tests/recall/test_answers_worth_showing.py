"""What is no answer, and which of two answers that are even comes first."""

from __future__ import annotations

import pytest

from shared.model.moment import to_ms
from tests.recall.world import World, day, texts

YES = [
    pytest.param("我的预算是多少？", ["预算改成60万", "是的", "好的"], id="zh"),
    pytest.param("What is my budget?", ["the budget is now 600k", "yes", "ok, thanks"], id="en"),
]
LAST_DAY = 30
"""The world begins on 1 March: everything is said, and asked, on the 31st."""
EVEN = [
    pytest.param("月底", ["月底之前要交房租", "我喜欢绿茶", "孩子学会了骑车"], id="zh"),
    pytest.param(
        "end of the month",
        ["rent is due by the end of the month", "I like green tea", "the kid learned to ride"],
        id="en",
    ),
]
EXACT = [
    pytest.param("上周五", ["我上周五买了显示器", "下旬要交房租"], id="zh"),
    pytest.param("last Friday", ["I bought a desk last Friday", "rent is due in late March"], id="en"),
]


@pytest.mark.parametrize(("question", "said"), YES)
async def test_a_bare_yes_is_no_answer_whatever_stands_beside_it(question: str, said: list[str]) -> None:
    world = World()
    for text in said:
        await world.say(text)
    assert texts(await world.search(question)) == said[:1]


@pytest.mark.parametrize(("question", "said"), EVEN)
async def test_of_rows_of_the_asked_day_the_one_that_names_it_comes_first(
    question: str, said: list[str]
) -> None:
    world = World()
    for text in reversed(said):
        await world.say(text, on=LAST_DAY, session=text)
    found = texts(await world.search(question, on=LAST_DAY))
    assert (found[0], sorted(found)) == (said[0], sorted(said))


@pytest.mark.parametrize(("question", "said"), EXACT)
async def test_a_row_that_means_just_that_day_comes_before_one_of_a_stretch(
    question: str, said: list[str]
) -> None:
    world = World()
    for text in reversed(said):
        await world.say(text, on=LAST_DAY, session=text)
    assert texts(await world.search(question, on=LAST_DAY))[0] == said[0]


ENDED = [
    pytest.param("后门的门码是多少？", "后门的门码是二号楼那个", "后门旁边有家花店，门口总是排队", id="zh"),
    pytest.param(
        "What is the code of the back door?",
        "the code of the back door is the old one",
        "There is a shop by the back gate, always a queue at its door",
        id="en",
    ),
]


@pytest.mark.parametrize(("question", "ended", "beside"), ENDED)
async def test_what_has_ended_goes_behind_better_answers_and_not_behind_any(
    question: str, ended: str, beside: str
) -> None:
    world = World()
    source = await world.say(ended, session="s1")
    await world.remember(ended, source=source, quote=ended, expires_at_ms=to_ms(day(7)))
    await world.say(beside, on=8, session="s2")
    hits = await world.search(question)
    assert texts(hits)[:2] == [ended, beside]
    assert hits[0].past is not None
    await world.say(f"{ended}!", on=9, session="s3")
    assert texts(await world.search(question))[0] == f"{ended}!"


@pytest.mark.parametrize("turn_budget", [None, 4_000])
@pytest.mark.parametrize(
    ("question", "answer"),
    [("猫呢？", "我家养了一只橘猫"), ("茶？", "她最爱喝龙井茶"), ("我的猫", "我家养了一只橘猫")],
)
async def test_one_character_is_enough_to_ask_by(question: str, answer: str, turn_budget: int | None) -> None:
    world = World()
    for text in ("我家养了一只橘猫", "她最爱喝龙井茶", "会议改到周五", "房租涨了"):
        await world.say(text, session=text)
    assert texts(await world.search(question, turn_budget=turn_budget)) == [answer]
