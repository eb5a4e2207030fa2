"""Without a model, a question that shares no word with standing memory is not told that nothing is known."""

from __future__ import annotations

import pytest

from tests.turn.plain_talk import PlainTalk

ASKED = [
    ("记住我对花生过敏", "我有什么忌口？", "花生过敏", "没有相关的内容"),
    ("Remember I am allergic to peanuts", "what should I avoid eating?", "peanuts", "holds nothing"),
]


@pytest.mark.parametrize(("kept", "asked", "told", "denied"), ASKED)
async def test_what_stands_is_told(kept: str, asked: str, told: str, denied: str) -> None:
    talk = PlainTalk()
    await talk.say(kept)
    reply = await talk.reply(asked, session="b")
    assert told in reply
    assert denied not in reply


@pytest.mark.parametrize(
    ("asked", "denied"), [("我有什么忌口？", "没有"), ("what should I avoid eating?", "othing")]
)
async def test_where_nothing_stands_it_is_said_so(asked: str, denied: str) -> None:
    assert denied in await PlainTalk().reply(asked)
