"""What answers stands before what does not, whatever the scores and however few are asked for."""

from __future__ import annotations

import pytest

from shared.language.synonyms import DEFAULT_SYNONYMS
from shared.recall.fuse import DEFAULT_CUT, PromptCut
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


NOISE_ZH = [f"我现在喜欢第{n}种住法" for n in "一二三四五六七八"]
NOISE_EN = [
    f"I live for hobby number {n} now" for n in ["one", "two", "three", "four", "five", "six", "seven"]
]


@pytest.mark.parametrize("cut", [None, DEFAULT_CUT])
@pytest.mark.parametrize(
    ("before", "after", "asked", "noise"),
    [
        (
            "我住在杭州西湖区文三路，房子是租的。",
            "上周末我们搬到苏州了，房子带个小院子。",
            "我住在哪里？",
            NOISE_ZH,
        ),
        (
            "I live in a small flat in Leeds, near the station.",
            "We moved to York last weekend, the house has a garden.",
            "Where do I live?",
            NOISE_EN,
        ),
    ],
)
async def test_a_prompt_never_shows_the_former_home_alone(
    before: str, after: str, asked: str, noise: list[str], cut: PromptCut | None
) -> None:
    world = World()
    await world.say(before, session="s1")
    for number, text in enumerate(noise):
        await world.say(text, on=2, session=f"n{number}")
    await world.say(after, on=5, session="s2")
    hits = await world.search(asked, cut=cut)
    found = texts(hits)
    assert found.index(after) < found.index(before)
    assert hits[found.index(before)].past is not None


@pytest.mark.parametrize(("before", "after", "asks_now", "asks_past"), CASES)
async def test_scores_fall_in_the_order_of_the_answers(
    *, before: str, after: str, asks_now: str, asks_past: str
) -> None:
    world = World()
    await world.say(before, session="s1")
    await world.say(asks_now, on=2, session="s2")
    await world.say(after, on=5, session="s3")
    for question in (asks_now, asks_past):
        scores = [hit.score for hit in await world.search(question)]
        assert len(scores) >= 2
        assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("cut", [None, DEFAULT_CUT])
@pytest.mark.parametrize(
    ("said", "asked", "answer"),
    [
        (
            ("我住在苏州", "我又搬到成都了", "我姐搬到青岛了", "我老板搬到大连了"),
            "我现在住在哪里？",
            "我又搬到成都了",
        ),
        (
            ("I live in Leeds", "I moved to Porto", "My sister moved to Oslo", "My boss moved to Rome"),
            "where do I live now?",
            "I moved to Porto",
        ),
        (
            (
                "I live in Bristol",
                "We moved to Leeds last week, into a flat",
                "Big news: I just moved to Porto!",
            ),
            "what city do I live in?",
            "Big news: I just moved to Porto!",
        ),
        (("我住北京", "我搬到上海了", "我又搬回北京了"), "我住在哪里？", "我又搬回北京了"),
        (
            ("I live in Leeds", "I moved to Porto", "I moved back to Leeds", "I moved to the next item"),
            "Where do I live?",
            "I moved back to Leeds",
        ),
    ],
)
async def test_where_i_live_is_not_where_others_moved(
    said: tuple[str, ...], asked: str, answer: str, cut: PromptCut | None
) -> None:
    world = World()
    for number, text in enumerate(said):
        await world.say(text, on=number, session=f"s{number}")
    hits = await world.search(asked, cut=cut)
    assert texts(hits)[0] == answer
    assert all(hit.past is not None for hit in hits if texts([hit])[0] == said[0])


@pytest.mark.parametrize(
    ("said", "asked", "answer"),
    [
        (("我的牙医是吴医生", "确认", "忘掉我的牙医"), "我的牙医是谁？", ["我的牙医是吴医生"]),
        (
            ("my dentist is Dr Hill", "correct", "forget my dentist"),
            "who is my dentist?",
            ["my dentist is Dr Hill"],
        ),
        (("我忘掉带伞了，在公司", "好的"), "我的伞在哪", ["我忘掉带伞了，在公司"]),
    ],
)
async def test_neither_a_bare_yes_nor_a_request_to_forget_is_an_answer(
    said: tuple[str, ...], asked: str, answer: list[str]
) -> None:
    world = World()
    for text in said:
        await world.say(text)
    assert texts(await world.search(asked)) == answer
