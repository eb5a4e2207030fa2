"""Wishes to have something forgotten, and answers that pick, in whole turns without a model."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from shared.ltm.edit import Why, delete_memory
from shared.ltm.proposals import Proposal, propose_update
from shared.model.memory import Source
from shared.ports.ltm import LtmWriter
from tests.turn.plain_talk import SCOPE, PlainTalk


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ("记住我的邮箱是 lan@example.com", "我不想让你记住我的邮箱"),
        ("remember my email is lan@example.com", "I don't want you to remember my email"),
        ("记住我的邮箱是 lan@example.com", "请别保留我的邮箱"),
        ("remember my email is lan@example.com", "please don't keep my email"),
    ],
)
async def test_what_the_user_does_not_want_kept_is_forgotten(kept: str, said: str) -> None:
    talk = PlainTalk()
    await talk.say(kept)
    turn = await talk.say(said)
    assert [(each.kind, each.outcome) for each in turn.commands] == [("forget", "applied")]
    assert await talk.fields() == {}


@pytest.mark.parametrize("said", ["我不想让你记住我的邮箱", "I don't want you to remember my email"])
async def test_where_nothing_is_held_it_is_not_kept(said: str) -> None:
    turn = await PlainTalk().say(said)
    assert [(each.outcome, each.reason) for each in turn.commands] == [("applied", "not_kept")]


@pytest.mark.parametrize(
    ("kept", "said", "yes"),
    [
        ("记住我喜欢乌龙茶", "把我忘了", "确认清空"),
        ("记住我喜欢乌龙茶", "都忘了吧", "确认清空"),
        ("remember I like oolong", "forget me", "yes, delete everything"),
        ("remember I like oolong", "forget everything you know about me", "yes, delete everything"),
    ],
)
async def test_to_be_forgotten_altogether_is_asked_about_once_and_done(
    kept: str, said: str, yes: str
) -> None:
    talk = PlainTalk()
    await talk.say(kept)
    turn = await talk.say(said)
    assert [(each.outcome, each.reason) for each in turn.commands] == [("pending", "confirm_wipe")]
    assert len(await talk.memories()) == 1
    await talk.say(yes)
    assert await talk.memories() == []


@pytest.mark.parametrize(("kept", "said"), [("记住我喜欢乌龙茶", "你把我忘了"), ("记住你喜欢猫", "把你忘了")])
async def test_a_complaint_takes_nothing(kept: str, said: str) -> None:
    talk = PlainTalk()
    await talk.say(kept)
    turn = await talk.say(said)
    assert turn.commands == ()
    assert len(await talk.memories()) == 1


@pytest.mark.parametrize(
    ("kept", "forget", "said", "left"),
    [
        (("记住茉莉花茶在柜子里", "记住我喜欢茉莉花茶"), "忘记茉莉花茶", "保留第一个，删掉另一个", 1),
        (("记住茉莉花茶在柜子里", "记住我喜欢茉莉花茶"), "忘记茉莉花茶", "保留第一个", 2),
        (
            ("remember jasmine tea is in the cupboard", "remember I like jasmine tea"),
            "forget jasmine tea",
            "keep the first, drop the rest",
            1,
        ),
        (
            ("remember jasmine tea is in the cupboard", "remember I like jasmine tea"),
            "forget jasmine tea",
            "save the first one, not the other",
            2,
        ),
    ],
)
async def test_what_an_answer_keeps_is_not_forgotten(
    kept: tuple[str, ...], forget: str, said: str, left: int
) -> None:
    talk = PlainTalk()
    for text in kept:
        await talk.say(text)
    turn = await talk.say(forget)
    first = next(line for line in turn.reply["content"].splitlines() if line.startswith("1. "))[3:]
    await talk.say(said)
    memories = await talk.memories()
    assert first in memories
    assert len(memories) == left


@pytest.mark.parametrize(
    ("said", "statuses"),
    [
        ("第一个对，另一个不对", ["confirmed", "rejected"]),
        ("保留第一个，其余的不要", ["confirmed", "rejected"]),
        ("the first one yes, the other one no", ["confirmed", "rejected"]),
        ("keep the first, drop the rest", ["confirmed", "rejected"]),
        ("all but the first", ["rejected", "confirmed"]),
    ],
)
async def test_the_rest_is_resolved_with_what_is_named(said: str, statuses: list[str]) -> None:
    talk = PlainTalk()
    texts = ("我喜欢乌龙茶", "我住在杭州") if not said.isascii() else ("I like oolong", "I live in Lyon")
    for text in texts:
        await talk.propose(text)
    asked = (await talk.say("今天真热" if not said.isascii() else "it is hot today")).asks_pending
    assert len(asked) == 2
    await talk.say(said)
    found = {each.id: each.status for each in await talk.updates()}
    assert [found[each] for each in asked] == statuses


@pytest.mark.parametrize("said", ["另一个对", "the other one is right"])
async def test_the_other_one_alone_resolves_nothing(said: str) -> None:
    talk = PlainTalk()
    for text in ("我喜欢乌龙茶", "我住在杭州"):
        await talk.propose(text)
    await talk.say("今天真热")
    await talk.say(said)
    assert {each.status for each in await talk.updates()} == {"open"}


@pytest.mark.parametrize(
    ("told", "more", "forget"),
    [
        ("我前妻是苏禾", "苏禾喜欢爬山", "忘掉我前妻"),
        ("My ex-wife is Suhe", "Suhe likes hiking", "forget my ex-wife"),
    ],
)
async def test_who_somebody_is_gives_the_name(told: str, more: str, forget: str) -> None:
    talk = PlainTalk()
    await talk.say(told)
    await talk.say(more)
    turn = await talk.say(forget)
    assert more in turn.reply["content"]


@pytest.mark.parametrize("what", ["白领", "温州人", "高中老师", "金牛座", "房东"])
async def test_what_somebody_is_gives_none(what: str) -> None:
    talk = PlainTalk()
    await talk.say(f"我前妻是{what}")
    await talk.say(f"{what}最近很忙")
    turn = await talk.say("忘掉我前妻")
    assert [(each.kind, each.outcome) for each in turn.commands] == [("forget", "applied")]
    assert f"{what}最近很忙" not in turn.reply["content"]


@pytest.mark.parametrize("said", ["我喜欢乌龙茶", "I like oolong"])
async def test_a_deleted_message_takes_the_proposals_that_rest_on_it_along(said: str) -> None:
    talk = PlainTalk()
    await talk.say(said)
    [tail] = await talk.stm.read_tail(SCOPE)
    source = Source(session_id="a", message_ids=(tail.message.id,), quote=said)
    why = Why(actor="worker", request_id="r", origin="rule", source=source, at=datetime.now(UTC))

    def propose(writer: LtmWriter) -> None:
        made = Proposal("remember", None, f"{said}!", said, said, "model", 0.9)
        propose_update(writer, made, why=why, keep_days=7)

    await talk.ltm.write(SCOPE, propose)
    await talk.propose("别的" if not said.isascii() else "something else")
    await delete_memory(SCOPE, tail.message.id, why=why, ltm=talk.ltm, stm=talk.stm)
    assert sorted(each.status for each in await talk.updates()) == ["open", "rejected"]
