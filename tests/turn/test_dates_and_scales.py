"""A day with its weekday is one day, and an amount keeps its scale."""

from __future__ import annotations

import pytest

from tests.turn.plain_talk import PlainTalk

DAYS = [
    ("Remember the deadline is Sunday, Feb 28, 2027", "2027-02-28"),
    ("记住截止日是周日，2027年2月28日", "2027-02-28"),
    ("Remember the deadline is Monday, March 1st, 2027", "2027-03-01"),
    ("记住截止日是周一（2027年3月1日）", "2027-03-01"),
    ("Remember the deadline is Friday (Dec 18, 2026)", "2026-12-18"),
    ("Remember the deadline is Friday 18 December 2026", "2026-12-18"),
    ("记住截止日是周五2026年12月18日", "2026-12-18"),
    ("Remember the deadline is Feb 28th, 2027", "2027-02-28"),
    ("Remember the deadline is Mon Mar 1 2027", "2027-03-01"),
    ("Remember the deadline is Mon, Mar 1, 2027", "2027-03-01"),
    ("记住截止日是2027年3月1日周一", "2027-03-01"),
    ("记住截止日是2027年3月1日（周一）", "2027-03-01"),
    ("Remember the deadline is Mar 1, 2027, Monday", "2027-03-01"),
    ("记住截止日是2028年元旦", "2028-01-01"),
    ("Remember the deadline is Christmas 2027", "2027-12-25"),
]


@pytest.mark.parametrize(("said", "day"), DAYS)
async def test_a_weekday_beside_a_day_changes_nothing(said: str, day: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(said)
    assert await talk.fields() == {"deadline": day}
    assert await talk.memories() == []


async def test_a_month_cut_short_ends_no_sentence() -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say("remember the deadline is Dec. 18")
    assert str((await talk.fields())["deadline"]).endswith("-12-18")
    assert await talk.memories() == []


@pytest.mark.parametrize(
    "said", ["记住截止日是周五，预算30万", "Remember the deadline is Friday, the budget is 300k"]
)
async def test_a_weekday_alone_is_a_day_and_the_rest_is_read(said: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(said)
    assert (await talk.fields()).keys() == {"deadline", "ceiling"}


SCALES = [
    ("set the budget to 1.5m", 1_500_000),
    ("remember the budget is 1.05m, tax included", 1_050_000),
    ("记住预算是1.5m", 1_500_000),
    ("remember the budget is 2b", 2_000_000_000),
    ("set the budget to 1.5 m", 1_500_000),
    ("set the budget to 20 grand", 20_000),
    ("set the budget to 3 lakh", 300_000),
    ("set the budget to 1 200 000", 1_200_000),
    ("记住预算是一个亿", 100_000_000),
    ("记住预算由30万提到45万", 450_000),
    ("remember the budget went from 30k up to 45k", 45_000),
]


@pytest.mark.parametrize(("said", "amount"), SCALES)
async def test_a_small_letter_scales_an_amount(said: str, amount: int) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(said)
    assert (await talk.fields())["ceiling"] == amount
