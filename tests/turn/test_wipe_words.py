"""A yes in words to the question whether all is to be forgotten."""

from __future__ import annotations

import pytest

from tests.turn.plain_talk import PlainTalk

YES = [
    ("记住我住在北京", "把我的记忆都清空", "对，全部忘掉"),
    ("Remember I live in Leeds", "forget everything you know about me", "yes, delete them all"),
    ("记住我住在北京", "忘掉关于我的一切", "好，都删了吧"),
    ("Remember I live in Leeds", "delete all my memories", "yes, forget it all"),
]
OTHER = [
    ("记住我住在北京", "把我的记忆都清空", "把文件都删了吧"),
    ("Remember I live in Leeds", "delete all my memories", "delete all the rows in the table"),
    ("Remember I live in Leeds", "delete all my memories", "yes, but not all"),
]


@pytest.mark.parametrize(("kept", "wipe", "answer"), YES)
async def test_it_deletes_all(kept: str, wipe: str, answer: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(kept)
    await talk.say(wipe)
    assert len(await talk.memories()) == 1
    outcomes = (await talk.say(answer)).commands
    assert await talk.memories() == []
    assert [outcome.reason for outcome in outcomes] == ["wiped"]


@pytest.mark.parametrize(("kept", "wipe", "answer"), OTHER)
async def test_what_speaks_of_something_else_deletes_nothing(kept: str, wipe: str, answer: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(kept)
    await talk.say(wipe)
    await talk.say(answer)
    assert len(await talk.memories()) == 1
