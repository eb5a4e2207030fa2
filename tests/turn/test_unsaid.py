"""What was just said is taken back in a few words: it leaves memory, and what it replaced stands again."""

from __future__ import annotations

import pytest

from tests.turn.plain_talk import PlainTalk


@pytest.mark.parametrize(
    ("said", "taken_back"),
    [
        ("记住我喜欢爬山", "忘掉我刚才说的"),
        ("remember that I like hiking", "forget what I just said"),
        ("记住我喜欢爬山", "算了，还是别记了"),
        ("remember that I like hiking", "on second thought, don't remember that"),
        ("记住我喜欢爬山", "刚刚记的那个不要留着"),
        ("remember that I like hiking", "actually, don't keep that"),
        ("记住我喜欢爬山", "刚才说的当我没说"),
        ("remember that I like hiking", "take that back"),
    ],
)
async def test_what_was_just_kept_is_kept_no_more(said: str, taken_back: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(said)
    assert len(await talk.memories()) == 1
    result = await talk.say(taken_back)
    assert [(each.kind, each.outcome) for each in result.commands] == [("forget", "applied")]
    assert await talk.memories() == []


@pytest.mark.parametrize(
    ("set_to", "corrected", "taken_back"),
    [
        ("预算上限设为50万", "预算上限设为60万", "收回刚才那句"),
        ("set the budget to 500k", "set the budget to 600k", "scratch that"),
    ],
)
async def test_a_field_has_its_value_of_before(set_to: str, corrected: str, taken_back: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(set_to)
    await talk.say(corrected)
    await talk.say(taken_back)
    assert await talk.fields() == {"ceiling": 500_000}


@pytest.mark.parametrize(
    ("said", "taken_back"),
    [("预算是50万", "还是别记了"), ("our budget is 500k", "don't keep that after all")],
)
async def test_what_was_asked_about_is_asked_about_no_more(said: str, taken_back: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(said)
    await talk.say(taken_back)
    assert [update.status for update in await talk.updates()] == ["rejected"]
    assert await talk.fields() == {}


@pytest.mark.parametrize(
    ("kept", "said", "taken_back"),
    [
        ("记住我喜欢爬山", "今天天气真好", "收回刚才那句"),
        ("remember that I like hiking", "lovely weather today", "take that back"),
        ("记住我喜欢爬山", "帮我存一下这个文件", "算了，不用存了"),
        ("remember that I like hiking", "save this draft as PDF", "actually, don't keep that"),
    ],
)
async def test_after_plain_talk_a_bare_word_takes_nothing_back(kept: str, said: str, taken_back: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(kept)
    await talk.say(said)
    result = await talk.say(taken_back)
    assert result.commands == ()
    assert len(await talk.memories()) == 1
