"""A correction of one value in a remembered sentence, in whole turns: one yes stores just what was said."""

from __future__ import annotations

import pytest

from tests.turn.plain_talk import PlainTalk


@pytest.mark.parametrize(
    ("kept", "said", "yes", "new"),
    [
        ("记住我的航班是18:05起飞", "不对，是19:20", "对，改吧", "我的航班是19:20起飞"),
        ("remember my flight leaves at 18:05", "no, it's 19:20", "yes", "my flight leaves at 19:20"),
        ("记住我坐7点15分的高铁上班", "不对，是7点45分的", "对", "我坐7点45分的高铁上班"),
        (
            "remember I take the 7:15 train to work",
            "no, the 7:45 train",
            "yes",
            "I take the 7:45 train to work",
        ),
        ("记住我妹妹住在罗马，有两个孩子", "不对，是米兰", "是的", "我妹妹住在米兰，有两个孩子"),
        (
            "remember my sister lives in Rome with her kids",
            "no, it's Milan",
            "yes",
            "my sister lives in Milan with her kids",
        ),
    ],
)
async def test_the_sentence_is_asked_about_whole_and_a_yes_stores_it(
    kept: str, said: str, yes: str, new: str
) -> None:
    talk = PlainTalk()
    await talk.say(kept)
    asked = await talk.say(said)
    assert [each.new for each in asked.pending] == [new]
    await talk.say(yes)
    assert await talk.memories() == [new]


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ("记住我们5月3日到5月5日放假", "不对，是5月6日"),
        ("remember we are off from May 3 to May 5", "no, it's May 6"),
        ("记住我的航班是18:05起飞", "不对，是850欧元"),
        ("remember my flight leaves at 18:05", "no, it's 850 euros"),
    ],
)
async def test_nothing_is_put_forward_where_it_is_not_clear_what_is_meant(kept: str, said: str) -> None:
    talk = PlainTalk()
    await talk.say(kept)
    before = await talk.memories()
    turn = await talk.say(said)
    assert turn.asks_pending == ()
    assert await talk.memories() == before


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ("记住我的猫叫团子", "其实我的猫叫得很大声"),
        ("remember I live in Leeds", "Actually I live in fear"),
        ("记住我的猫叫团子", "不对，我的猫叫得很大声"),
        ("remember I live in Leeds", "No, I live in fear"),
        ("记住我老板是张三", "其实我老板是高手"),
        ("remember my boss is Tom", "Actually my boss is annoying"),
    ],
)
@pytest.mark.parametrize("between", [None, "你好", "hello"])
async def test_another_thing_said_of_it_is_no_other_value(kept: str, said: str, between: str | None) -> None:
    talk = PlainTalk()
    await talk.say(kept)
    if between:
        await talk.say(between)
    assert (await talk.say(said)).pending == ()
