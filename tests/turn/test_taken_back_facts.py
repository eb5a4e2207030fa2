"""What the user takes back, denies or undoes stands in no prompt's head."""

from __future__ import annotations

import pytest

from tests.turn.plain_talk import PlainTalk


@pytest.mark.parametrize(
    ("said", "gone", "stays"),
    [
        (("以后都用英文回答", "以后都用中文回答"), "以后都用英文回答", "以后都用中文回答"),
        (("Always answer in English", "Always answer in German"), "in English", "in German"),
        (("我喜欢喝咖啡", "我不喜欢喝咖啡了"), "我喜欢喝咖啡", "我不喜欢喝咖啡"),
        (("I like coffee", "I don't like coffee anymore"), "I like coffee", "I don't like coffee"),
        (("预算上限是50万", "是的", "把预算改回去"), "50万", ""),
        (("the budget is 500k", "yes", "undo the budget change"), "500k", ""),
        (("记住预算上限是40万", "预算上限是50万", "是的", "把预算改回去"), "50万", "400,000"),
        (
            ("remember the budget is 400k", "the budget is 500k", "yes", "undo the budget change"),
            "500k",
            "400,000",
        ),
    ],
)
async def test_the_head_tells_only_what_holds(said: tuple[str, ...], gone: str, stays: str) -> None:
    talk = PlainTalk(reply="ok")
    for words in said:
        await talk.say(words)
    await talk.say("你好" if not said[0].isascii() else "hello")
    facts = [line for line in talk.model.prompt.splitlines() if line.startswith("- [")]
    assert not any(gone in line for line in facts)
    assert not stays or any(stays in line for line in facts)
