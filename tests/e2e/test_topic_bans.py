"""Topics that the user wants left alone, in both languages. Names in brackets are the stories'."""

from __future__ import annotations

import re

import pytest

from tests.e2e.stack import User

pytestmark = pytest.mark.e2e

BANS = [
    pytest.param(
        "最近在办离婚手续",
        "以后别再提离婚的事了",
        "给我一些周末放松的建议",
        "重新可以聊离婚的事了，律师费怎么算？",
        "(不要|别|避免).*离婚",
        id="zh-lifted",
    ),
    pytest.param(
        "最近在办离婚手续",
        "离婚的事，不要再提了",
        "给我一些周末放松的建议",
        "离婚的律师费一般怎么算？",
        "(不要|别|避免).*离婚",
        id="zh-returned-to",
    ),
    pytest.param(
        "We are filing for divorce",
        "Never bring up my divorce again",
        "Any ideas for a relaxing weekend?",
        "You can talk about my divorce again. What do lawyers cost?",
        "(do not|never|avoid).*divorce",
        id="en-lifted",
    ),
    pytest.param(
        "We are filing for divorce",
        "My divorce: don't mention it ever again",
        "Any ideas for a relaxing weekend?",
        "What do lawyers charge for a divorce?",
        "(do not|never|avoid).*divorce",
        id="en-returned-to",
    ),
]


@pytest.mark.parametrize(("kept", "ban", "other", "back", "rule"), BANS)
def test_a_ban_holds_everywhere_and_leaves_no_rule_behind_when_lifted(
    user: User, kept: str, ban: str, other: str, back: str, rule: str
) -> None:
    """The story of CMD-11: the memory itself is never deleted, and is recalled again once the ban is gone."""
    user.client.post("/v1/memories", json={"text": kept}).raise_for_status()
    user.turn("s1", ban)
    for session in ("s1", "s2"):
        prompt = user.prompt(session, other)
        assert re.search(rule, prompt)
        assert kept not in prompt
    assert [item["text"] for item in user.get("/v1/memories")["items"]] == [kept]
    assert not re.search(rule, user.prompt("s1", back))
    user.turn("s1", back)
    assert user.get("/v1/topics")["items"] == []
    assert not re.search(rule, user.prompt("s2", other))
    assert kept in user.prompt("s2", kept)


@pytest.mark.parametrize(
    ("said", "asked", "words", "shown"),
    [
        ("我对花生过敏，别提我前男友的事", "我对什么过敏？", "花生过敏", "我对花生过敏"),
        (
            "I am allergic to peanuts. Never mention my divorce.",
            "What am I allergic to?",
            "allergic to peanuts",
            "I am allergic to peanuts",
        ),
    ],
)
def test_what_was_said_beside_a_ban_is_recalled_without_it(
    user: User, said: str, asked: str, words: str, shown: str
) -> None:
    user.turn("s1", said)
    user.flush("s1")
    assert shown in user.texts(words)
    assert said not in user.texts(words)
    turn = user.turn("s2", asked)
    assert turn["recalled"]
    prompt = user.prompt("s2", asked)
    assert shown in prompt
    assert said not in prompt


@pytest.mark.parametrize(
    ("stored", "ban", "forget", "topic", "told"),
    [
        ("记住我正在办离婚手续", "以后别再提离婚的事了", "忘掉离婚", "离婚", "没有找到"),
        (
            "remember that I filed for divorce",
            "stop bringing up my divorce",
            "forget divorce",
            "divorce",
            "No mem",
        ),
    ],
)
def test_what_the_reply_to_a_ban_advises_deletes_what_is_kept_and_leaves_the_ban(
    user: User, stored: str, ban: str, forget: str, topic: str, told: str
) -> None:
    user.turn("s1", stored)
    assert forget in user.turn("s1", ban)["reply"]["content"]
    done = user.turn("s1", forget)
    assert [(each["kind"], each["outcome"]) for each in done["commands"]] == [("forget", "applied")]
    assert user.get("/v1/memories")["items"] == []
    again = user.turn("s2", forget)
    assert [(each["kind"], each["reason"]) for each in again["commands"]] == [("forget", "nothing_found")]
    assert told in again["reply"]["content"]
    assert [each["topic"] for each in user.get("/v1/topics")["items"]] == [topic]


@pytest.mark.parametrize(
    ("stored", "ban", "forget", "answer"),
    [
        (("记住我正在办离婚手续", "记住离婚律师姓陈"), "以后别再提离婚的事了", "忘掉离婚", "都删"),
        (
            ("remember that I filed for divorce", "remember that my divorce lawyer is Chen"),
            "stop bringing up my divorce",
            "forget divorce",
            "both",
        ),
    ],
)
def test_several_memories_of_a_banned_topic_are_asked_about(
    user: User, stored: tuple[str, ...], ban: str, forget: str, answer: str
) -> None:
    for text in (*stored, ban):
        user.turn("s1", text)
    asked = user.turn("s1", forget)
    assert [(each["outcome"], each["reason"]) for each in asked["commands"]] == [("pending", "several")]
    user.turn("s1", answer)
    assert user.get("/v1/memories")["items"] == []
    assert len(user.get("/v1/topics")["items"]) == 1
