"""Statements that say the same but for one value, side by side in both languages."""

from __future__ import annotations

import pytest

from shared.recall.same_frame import frame_tokens, is_same_frame
from tests.recall.world import World, texts

SAME = [
    ("我的车停在B2", "我的车停在B3了"),
    ("我儿子6岁", "我儿子7岁了"),
    ("我体重70公斤", "我体重68公斤了"),
    ("我老板是张三", "我新老板是李四"),
    ("我对花生过敏", "原来我对花生不过敏"),
    ("會議室在三樓", "會議室現在在五樓"),
    ("My car is on level B2", "My car is on level B3 now"),
    ("My son is 6", "My son's 7 already"),
    ("My weight is 70 kg", "My weight is 68 kg"),
    ("My boss is Tom", "My new boss is Ann"),
    ("I am allergic to nuts", "Turns out I'm not allergic to nuts"),
    ("The meeting room is on the third floor", "The meeting room is now on the fifth floor"),
]
APART = [
    ("我儿子6岁", "我女儿6岁的时候会骑车"),
    ("我喜欢喝茶", "周末打算去看展览"),
    ("我买了牛奶", "我买了鸡蛋和面包"),
    ("我老板是张三", "我老板是张三"),
    ("My son is 6", "My sister has a new car"),
    ("I like tea", "I like coffee"),
    ("I bought milk", "I bought eggs"),
    ("It is on the table", "It is on a plane"),
    ("My boss is Tom", "My boss is a very nice person who has helped me a lot since spring"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_statements_of_one_frame(one: str, other: str) -> None:
    assert is_same_frame(frame_tokens(one), frame_tokens(other))
    assert is_same_frame(frame_tokens(other), frame_tokens(one))


@pytest.mark.parametrize(("one", "other"), APART)
def test_statements_of_two(one: str, other: str) -> None:
    assert not is_same_frame(frame_tokens(one), frame_tokens(other))


QUESTIONS = [
    ("我的车停在B2", "我的车停在B3了", "我的车停在哪"),
    ("我儿子6岁", "我儿子7岁了", "我儿子几岁"),
    ("我老板是张三", "我新老板是李四", "我老板是谁"),
    ("My boss is Tom", "My new boss is Ann", "Who is my boss?"),
    ("My rent is 3000", "My rent is 3500 now", "What is my rent?"),
    ("I am allergic to nuts", "Turns out I'm not allergic to nuts", "Am I allergic to nuts?"),
]


@pytest.mark.parametrize(("former", "later", "question"), QUESTIONS)
async def test_the_newer_statement_of_a_frame_comes_first(former: str, later: str, question: str) -> None:
    world = World()
    await world.say(former, session="s1")
    await world.say(later, on=5, session="s2")
    assert texts(await world.search(question)) == [later, former]


@pytest.mark.parametrize(("former", "later", "question"), QUESTIONS)
async def test_whoever_said_it_before_or_elsewhere_changes_nothing(
    former: str, later: str, question: str
) -> None:
    advised = World()
    await advised.say(former, session="s1")
    await advised.say(later, on=5, session="s2", role="assistant")
    assert texts(await advised.search(question))[0] == former
