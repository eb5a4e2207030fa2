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
