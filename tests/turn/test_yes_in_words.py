"""A yes in the words of our own question resolves it, and a request to forget is none of what it lists."""

from __future__ import annotations

import pytest

from tests.turn.plain_talk import PlainTalk

YES = [
    ("记住我喜欢爬山", "记住我喜欢爬楼", "忘掉我喜欢爬", "对，全部忘掉"),
    ("记住我喜欢爬山", "记住我喜欢爬楼", "忘掉我喜欢爬", "没错，都删光吧"),
    ("Remember I like tea hot", "Remember I like tea iced", "forget that I like tea", "yes, forget it all"),
    ("Remember I like tea hot", "Remember I like tea iced", "forget I like tea", "Sure, delete everything"),
    ("Remember I like tea hot", "Remember I like tea iced", "forget I like tea", "yes please, drop them all"),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second", "forget", "yes"), YES)
async def test_it_forgets_all_that_was_listed(first: str, second: str, forget: str, yes: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(first)
    await talk.say(second)
    assert [each.outcome for each in (await talk.say(forget)).commands] == ["pending"]
    await talk.say(yes)
    assert await talk.memories() == []


@pytest.mark.parametrize(
    ("said", "forget", "yes"),
    [
        ("我前妻叫苏禾，住在杭州", "把我前妻的事全忘了", "对，全部忘掉"),
        ("我女儿叫朵拉", "我女儿的事都别留了", "对，全部忘掉"),
        ("My ex-wife is called Sue", "forget everything about my ex-wife", "yes, forget it all"),
    ],
)
async def test_the_request_itself_is_not_listed(said: str, forget: str, yes: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(said)
    reply = await talk.reply(forget)
    assert forget not in reply
    await talk.say(yes)
    assert [each.reason for each in (await talk.say(forget)).commands] == ["nothing_found"]


@pytest.mark.parametrize("said", ["我把前妻的生日忘了", "把前妻送的表忘了"])
async def test_what_slipped_the_mind_is_still_told(said: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say("我前妻叫苏禾")
    await talk.say(said)
    assert [each.reason for each in (await talk.say("把我前妻的事全忘了")).commands] == ["several"]
