"""What only asks what is asked now, and what says more than that."""

from __future__ import annotations

import pytest

from shared.recall.asked import Asked, only_asks
from shared.recall.fuse import DEFAULT_CUT
from tests.recall.world import World, texts

ASKED_AGAIN = [
    ("我的预算是多少？", "预算是多少来着"),
    ("我的预算是多少？", "我的預算到底是多少"),
    ("我现在住在哪？", "我住哪里"),
    ("我现在住在哪？", "你知道我住哪吗"),
    ("我的猫叫什么名字？", "我家猫叫什么名字来着"),
    ("报告什么时候交？", "报告是哪天交"),
    ("给王总的报告什么时候交？", "报告什么时候交？"),
    ("what is my budget?", "What was my budget again"),
    ("Where do I live now?", "do you know where I live"),
    ("what is my cat's name?", "what's my cat called"),
    ("When is the report due?", "ok, which day is the report due"),
    ("When is the report for Ana due?", "When is the report due?"),
    ("Is the pool open?", "is the pool open"),
]
SAYS_MORE = [
    ("我的预算是多少？", "我的预算是60万"),
    ("我的预算是多少？", "预算60万够不够？"),
    ("我住在杭州吗？", "我住在杭州"),
    ("我有几个孩子？", "我有几个孩子，三个"),
    ("我的航班是几点？", "我的航班是周五下午5点吗？"),
    ("我的猫叫什么？", "我的狗叫什么？"),
    ("谁负责报表？", "小王负责报表，谁都知道"),
    ("what is my budget?", "my budget is 8000"),
    ("what is my budget?", "is a budget of 8000 enough?"),
    ("Do I live in Cork?", "I live in Cork"),
    ("is my cat called Pebble?", "my cat is called Pebble"),
    ("When is my flight?", "Is my flight at 5pm on Friday?"),
    ("What is my cat's name?", "What is my dog's name?"),
    ("what do I love?", "what I love is tea"),
    ("thanks", "what about it?"),
]


@pytest.mark.parametrize(("question", "text"), ASKED_AGAIN)
def test_a_question_for_the_same_or_for_some_of_it_says_nothing_more(question: str, text: str) -> None:
    assert Asked(question).is_asked_by(text)


@pytest.mark.parametrize(("question", "text"), SAYS_MORE)
def test_what_states_or_asks_something_else_is_none(question: str, text: str) -> None:
    assert not Asked(question).is_asked_by(text)


ANSWERED = [
    ("我的猫叫团子，今年三岁", ["我的猫叫什么", "我家猫叫什么名字来着"], "我的猫叫什么名字？"),
    ("报告要在下周三之前交给王总", ["报告什么时候交", "报告是哪天交"], "报告什么时候交？"),
    ("my budget is 8000 dollars", ["what was my budget again", "whats my budget?"], "What is my budget?"),
    (
        "my cat is called Pebble and she is three",
        ["what's my cat called", "what was my cat's name again"],
        "what is my cat's name?",
    ),
]


@pytest.mark.parametrize("limit", [1, 10])
@pytest.mark.parametrize(("fact", "asked", "question"), ANSWERED)
async def test_an_answer_comes_before_all_ways_of_asking_for_it(
    *, fact: str, asked: list[str], question: str, limit: int
) -> None:
    world = World()
    await world.say(fact, session="s1")
    for place, text in enumerate(asked):
        await world.say(text, on=2 + place, session=text)
    found = texts(await world.search(question, limit=limit))
    assert found[0] == fact
    assert set(found[1:]) <= set(asked)
    assert texts(await world.search(question, limit=limit, cut=DEFAULT_CUT)) == [fact]


OPEN = [
    (
        ["我女儿的学校叫什么", "女儿学校几点放学"],
        "我女儿在育才学校上二年级",
        "学校",
        "我问过学校的什么",
    ),
    (
        ["what time is my Oslo flight", "how do I get to the Oslo flight?"],
        "the flight to Oslo leaves at 17:40",
        "the Oslo flight",
        "what did I ask about Oslo?",
    ),
]


@pytest.mark.parametrize(("asked", "fact", "looked_for", "asked_for"), OPEN)
async def test_a_statement_comes_before_questions_unless_these_are_looked_for(
    asked: list[str], fact: str, looked_for: str, asked_for: str
) -> None:
    world = World()
    for place, text in enumerate(asked):
        await world.say(text, on=2 + place, session=text)
    await world.say(fact, session="s1")
    assert texts(await world.search(looked_for))[0] == fact
    assert texts(await world.search(asked_for))[0] in asked


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("我女儿的学校叫什么", True),
        ("你能推荐一本书吗？", True),
        ("航班是17:40吗？", False),
        ("我不知道去哪。我想去大理。", False),
        ("我喜欢看海，你呢？", False),
        ("what time is my flight", True),
        ("Could you recommend a book?", True),
        ("Is the flight at 17:40?", False),
        ("I have no idea where to go. I like the sea.", False),
        ("I like the sea.", False),
    ],
)
def test_what_only_asks_states_nothing(text: str, *, asks: bool) -> None:
    assert only_asks(text) is asks
