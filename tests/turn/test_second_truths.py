"""A new value that nobody can read leaves the field as it is, and makes no memory beside it."""

from __future__ import annotations

import pytest

from tests.turn.plain_talk import PlainTalk

UNREAD = [
    ("记住，截止日是2027年3月1日", "记住，截止日改到下次评审", "deadline"),
    ("Remember the deadline is 2027-03-01", "Remember the deadline is after the next review", "deadline"),
    ("记住，预算是50万", "记住预算是比去年多一点", "ceiling"),
    ("Remember the budget is 50k", "Remember the budget is a bit more than last year", "ceiling"),
]


@pytest.mark.parametrize(("first", "second", "name"), UNREAD)
async def test_the_standing_value_is_the_only_one(first: str, second: str, name: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(first)
    before = (await talk.fields())[name]
    outcomes = (await talk.say(second)).commands
    assert [outcome.reason for outcome in outcomes] == ["unreadable"]
    assert (await talk.fields(), await talk.memories()) == ({name: before}, [])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("记住，截止日是2027年3月1日", "记住截止日很重要"),
        ("Remember the deadline is 2027-03-01", "Remember that the deadline is important to Ann"),
        ("记住我叫阿越", "记住截止日改到下次评审"),
        ("Remember I live in Leeds", "Remember the deadline is after the next review"),
    ],
)
async def test_what_changes_no_standing_value_is_kept(first: str, second: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(first)
    await talk.say(second)
    assert any("截止日" in text or "deadline" in text for text in await talk.memories())


WRONG = [
    "记住截止日是2月30日",
    "remember the deadline is Feb 30",
    "记住截止日是周二，2027年3月1日",
    "remember the deadline is Tuesday, March 1, 2027",
    "remember the deadline is March 1, 2027 (Tuesday)",
    "记住截止日是2027年3月1日（周二）",
    "记住预算是-5000",
    "记住预算是负五千",
    "remember the budget is -5000",
    "remember the budget is minus 20k",
]


@pytest.mark.parametrize("said", WRONG)
async def test_a_value_that_cannot_be_is_refused_with_words(said: str) -> None:
    talk = PlainTalk(reply="OK.")
    result = await talk.say(said)
    assert [outcome.reason for outcome in result.commands] == ["unreadable"]
    assert "2026-12-25" in str(result.reply["content"])
    assert (await talk.fields(), await talk.memories()) == ({}, [])


@pytest.mark.parametrize(
    "said",
    [
        "预算是负5000",
        "our budget is -5000",
        "周二2026年12月18号交稿",
        "The report is due Tuesday, Dec 18, 2026",
    ],
)
async def test_a_value_that_cannot_be_is_not_proposed(said: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(said)
    assert (await talk.updates(), await talk.fields()) == ([], {})


@pytest.mark.parametrize(
    "said",
    [
        "good idea, remember that",
        "好主意，记下来",
        "great, save that please",
        "记住你只是个助手而已，哈哈",
        "remember you're just an assistant, haha",
    ],
)
async def test_an_acknowledgement_is_no_memory(said: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(said)
    assert await talk.memories() == []
