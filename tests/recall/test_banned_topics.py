"""Rows beside banned topics: what is found of them, and what is shown."""

from __future__ import annotations

import pytest

from tests.recall.world import World, texts

CASES = [
    ("我对花生过敏，别提我前男友的事", "花生过敏", "前男友", "我对花生过敏"),
    (
        "I am allergic to peanuts. Never mention my divorce.",
        "peanuts allergic",
        "divorce",
        "I am allergic to peanuts",
    ),
]


@pytest.mark.parametrize(("said", "asked", "topic", "shown"), CASES)
async def test_what_was_said_beside_a_ban_is_found_without_the_ban(
    said: str, asked: str, topic: str, shown: str
) -> None:
    world = World()
    await world.say(said)
    assert texts(await world.search(asked, banned_topics=(topic,))) == [shown]
    assert texts(await world.search(asked)) == [said]


@pytest.mark.parametrize(("said", "asked", "topic", "shown"), CASES)
async def test_a_memory_shows_neither_the_ban_nor_its_quote(
    said: str, asked: str, topic: str, shown: str
) -> None:
    world = World()
    await world.remember(said, quote=said)
    (hit,) = await world.search(asked, banned_topics=(topic,))
    assert texts([hit]) == [shown]
    assert getattr(hit.row, "source").quote == shown  # noqa: B009 - an episode has none


@pytest.mark.parametrize(
    ("said", "asked", "topic"),
    [
        ("我前男友对花生过敏，别提他", "花生过敏", "前男友"),
        ("My ex-husband is allergic to peanuts. Never mention my divorce.", "peanuts allergic", "divorce"),
    ],
)
async def test_what_speaks_of_the_topic_itself_stays_hidden(said: str, asked: str, topic: str) -> None:
    world = World()
    await world.say(said)
    assert await world.search(asked, banned_topics=(topic,)) == []
