"""Commands through whole turns: how answers are wanted stands in the next head, and nothing said is lost."""

from __future__ import annotations

import pytest

from tests.turn.plain_talk import PlainTalk

ORDERS = [
    ("from now on answer in Chinese", "hello"),
    ("from now on use British spelling", "hello"),
    ("remember that I want answers in French", "hello"),
    ("以后都用英文回答我", "你好"),
    ("以后回答简短点", "你好"),
    ("记住我想要你用法语回答", "你好"),
]


@pytest.mark.parametrize(("said", "greeting"), ORDERS)
async def test_how_to_answer_stands_in_the_next_sessions_head(said: str, greeting: str) -> None:
    talk = PlainTalk(reply="ok")
    await talk.say(said)
    await talk.say(greeting, session="b")
    kept = (await talk.memories())[0]
    assert f"- {kept}" in talk.model.prompt


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ("以后都用英文回答我", "from now on answer in Chinese"),
        ("from now on answer in English", "以后都用中文回答我"),
        ("from now on keep answers short", "from now on give detailed answers"),
        ("以后回答简短点", "以后回答详细一点"),
    ],
)
async def test_the_later_order_alone_stands(first: str, later: str) -> None:
    talk = PlainTalk(reply="ok")
    await talk.say(first)
    await talk.say(later)
    assert await talk.memories() == [later]
    await talk.say("hello", session="b")
    assert later in talk.model.prompt
    assert f"- {first}" not in talk.model.prompt


@pytest.mark.parametrize(
    ("own", "others", "kept"),
    [
        ("记住我的手机号是13900001111", "记住房东姓李，手机号13712345678", "房东姓李，手机号13712345678"),
        (
            "remember my phone is 555-010-9999",
            "remember my plumber is Bob, phone 555-019-2233",
            "my plumber is Bob, phone 555-019-2233",
        ),
    ],
)
async def test_somebody_elses_telephone_leaves_the_users_own_alone(own: str, others: str, kept: str) -> None:
    talk = PlainTalk()
    await talk.say(own)
    before = await talk.fields()
    assert kept in await talk.reply(others)
    assert await talk.fields() == before
    assert await talk.memories() == [kept]


@pytest.mark.parametrize(
    ("own", "others"),
    [
        ("记住我的邮箱是me@x.com", "我妹妹的邮箱是sis@x.com"),
        ("remember my email is me@x.com", "my sister's email is sis@x.com"),
    ],
)
async def test_somebody_elses_address_is_no_conflict(own: str, others: str) -> None:
    talk = PlainTalk()
    await talk.say(own)
    result = await talk.say(others)
    assert not result.pending
    assert not result.asks_pending


@pytest.mark.parametrize(
    ("said", "lines"),
    [
        ("帮我记一下购物清单：\n1. 牛奶\n2. 鸡蛋", ("牛奶", "鸡蛋")),
        ("记一下：\n1. 牛奶\n2. 鸡蛋", ("牛奶", "鸡蛋")),
        ("remember my shopping list:\n- milk\n- eggs", ("milk", "eggs")),
        ("Remember these rules:\n1. no meat\n2. no fish", ("no meat", "no fish")),
    ],
)
async def test_the_reply_names_every_line_that_it_kept(said: str, lines: tuple[str, ...]) -> None:
    talk = PlainTalk()
    reply = await talk.reply(said)
    kept = " ".join(await talk.memories())
    assert [line for line in lines if line not in reply or line not in kept] == []
