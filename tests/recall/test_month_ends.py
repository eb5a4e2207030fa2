"""The end and the start of a month are asked for in one form and were said in the other."""

from __future__ import annotations

import pytest

from tests.recall.world import World, texts

OTHERS = ("我喜欢喝咖啡", "周会在三楼开", "Bob lives in York", "The office is on floor three")


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("3月31日交季度报告", "月底要交什么"),
        ("The quarterly report is due March 31", "What is due at the end of the month?"),
        ("3月31日交季度报告", "三月末有什么事"),
        ("The quarterly report is due March 31", "anything at the end of March?"),
        ("季度报告月末交", "3月31日要交什么"),
        ("The quarterly report is due at month-end", "What is due on March 31?"),
        ("季度报告3月底交", "3月31号有什么事"),
        ("The quarterly report is due at the end of March", "anything on March 31?"),
        ("3月最后一天盘点", "3月31日有什么事"),
        ("We count the stock on the last day of March", "anything on March 31?"),
        ("4月1日开始休假", "下月初有什么安排"),
        ("My leave starts on April 1", "anything at the beginning of next month?"),
        ("下月初开始休假", "4月1日有什么安排"),
        ("My leave starts at the start of next month", "anything on April 1?"),
    ],
)
@pytest.mark.parametrize("as_memory", [True, False])
async def test_a_day_and_the_end_of_its_month_find_each_other(
    said: str, asked: str, *, as_memory: bool
) -> None:
    world = World()
    for text in OTHERS:
        await world.say(text)
    await (world.remember(said) if as_memory else world.say(said))
    assert texts(await world.search(asked, on=3))[:1] == [said]


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("3月31日交季度报告", "月初有什么事"),
        ("The quarterly report is due March 31", "anything at the start of the month?"),
        ("我今年要搬家", "3月31日有什么事"),
        ("I shall move house this year", "anything on March 31?"),
    ],
)
async def test_another_part_of_the_month_and_a_whole_year_do_not_answer(said: str, asked: str) -> None:
    world = World()
    for text in OTHERS:
        await world.say(text, on=10)
    await world.remember(said, on=10)
    assert said not in texts(await world.search(asked, on=12))
