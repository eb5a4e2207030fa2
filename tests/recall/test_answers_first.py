"""What answers stands before what does not, whatever the scores and however few are asked for."""

from __future__ import annotations

import pytest

from shared.language.synonyms import DEFAULT_SYNONYMS
from tests.recall.world import World, texts

CASES = [
    pytest.param("我住在杭州", "我现在住在成都", "我住哪", "我以前住哪", id="zh"),
    pytest.param(
        "I live in Dublin", "I live in Cork now", "Where do I live?", "Where did I live before?", id="en"
    ),
]


@pytest.mark.parametrize("limit", [1, 10])
@pytest.mark.parametrize(("before", "after", "asks_now", "asks_past"), CASES)
async def test_what_holds_comes_first_and_to_a_question_for_the_past_what_held(
    *, before: str, after: str, asks_now: str, asks_past: str, limit: int
) -> None:
    world = World()
    source = await world.say(before)
    former = await world.remember(before, source=source, quote=before)
    await world.remember(after, on=5, replaces=former)
    assert texts(await world.search(asks_now, limit=limit))[0] == after
    assert texts(await world.search(asks_past, limit=limit))[0] == before


@pytest.mark.parametrize("limit", [1, 10])
@pytest.mark.parametrize(
    ("before", "after", "asks_now", "asks_past"),
    [
        ("我住在杭州西湖区", "我搬到宁波了", "我现在住哪个城市？", "我以前住哪？"),
        (
            "I live in Cardiff",
            "I moved to Bristol",
            "Where do I live now?",
            "where did I live before Bristol?",
        ),
    ],
)
async def test_what_was_only_said_is_told_apart_like_what_was_confirmed(
    *, before: str, after: str, asks_now: str, asks_past: str, limit: int
) -> None:
    world = World()
    await world.say(before, session="s1")
    await world.say(after, on=5, session="s2")
    asked = {
        question: await world.search(question, limit=limit, synonyms=DEFAULT_SYNONYMS)
        for question in (asks_now, asks_past)
    }
    assert texts(asked[asks_now])[0] == after
    assert texts(asked[asks_past])[0] == before


@pytest.mark.parametrize("limit", [1, 10])
@pytest.mark.parametrize(
    ("fact", "question"),
    [
        ("会议室在三楼", "会议室在哪里？"),
        ("我的生日是3月2号", "我的生日是哪天？"),
        ("my sister lives in Bergen", "Where does my sister live?"),
        ("the reports go out on Fridays", "When do the reports go out?"),
    ],
)
async def test_the_question_said_earlier_is_no_answer_to_itself(
    *, fact: str, question: str, limit: int
) -> None:
    world = World()
    await world.say(fact, session="s1")
    await world.say(question, on=2, session="s2")
    assert texts(await world.search(question, limit=limit))[0] == fact


@pytest.mark.parametrize("words", ["会议室在三楼", "the reports go out on Fridays"])
async def test_a_statement_looked_for_in_its_own_words_is_found_first(words: str) -> None:
    world = World()
    await world.say(words)
    await world.say(f"{words}，对吧" if not words.isascii() else f"{words}, I think", on=2, session="s2")
    assert texts(await world.search(words))[0] == words
