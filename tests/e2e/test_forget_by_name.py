"""A plain forget over HTTP: what it names is gone, several are asked about, none is told."""

from __future__ import annotations

import pytest

from tests.e2e.stack import User

pytestmark = pytest.mark.e2e


def memories(user: User) -> list[str]:
    return [memory["text"] for memory in user.get("/v1/memories")["items"]]


@pytest.mark.parametrize(
    ("stored", "forget", "kept"),
    [
        ("记住：报销截止日是每月25号", "忘记报销截止日", "报销截止日是每月25号"),
        (
            "Remember: the reimbursement deadline is the 25th",
            "Forget the reimbursement deadline",
            "the reimbursement deadline is the 25th",
        ),
        ("记住我的猫叫团子", "忘记我家猫的名字", "我的猫叫团子"),
        ("Remember my cat is called Pebble", "forget my cat's name", "my cat is called Pebble"),
    ],
)
def test_one_match_is_forgotten_and_a_second_try_finds_none(
    user: User, stored: str, forget: str, kept: str
) -> None:
    user.turn("s1", stored)
    assert memories(user) == [kept]
    done = user.turn("s1", forget)
    assert [(each["kind"], each["outcome"]) for each in done["commands"]] == [("forget", "applied")]
    assert memories(user) == []
    again = user.turn("s1", forget)
    assert [each["reason"] for each in again["commands"]] == ["nothing_found"]
    told = "没有找到" if not forget.isascii() else "No memory matches"
    assert told in again["reply"]["content"]


@pytest.mark.parametrize(
    ("stored", "forget", "answer", "left"),
    [
        (("记住我的猫叫团子", "记住楼下的猫叫咪咪"), "忘记猫的名字吧", "第一个", 1),
        (
            ("Remember my cat is called Pebble", "Remember the neighbour's cat is called Tom"),
            "forget the cat's name",
            "the first",
            1,
        ),
    ],
)
def test_several_are_listed_and_the_answer_picks(
    user: User, stored: tuple[str, ...], forget: str, answer: str, left: int
) -> None:
    for text in stored:
        user.turn("s1", text)
    asked = user.turn("s1", forget)
    assert [(each["outcome"], each["reason"]) for each in asked["commands"]] == [("pending", "several")]
    assert "1. " in asked["reply"]["content"]
    user.turn("s1", answer)
    assert len(memories(user)) == left


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        ("记住：报销截止日是每月25号", "忘记报销截止日了"),
        ("记住：报销截止日是每月25号", "你忘了报销截止日吗？"),
        ("记住：报销截止日是每月25号", "要是我说忘记报销截止日呢"),
        ("Remember: the reimbursement deadline is the 25th", "I forgot the reimbursement deadline"),
        ("Remember: the reimbursement deadline is the 25th", "Did you forget the reimbursement deadline?"),
        (
            "Remember: the reimbursement deadline is the 25th",
            "What if I said forget the reimbursement deadline",
        ),
    ],
)
def test_what_only_speaks_of_forgetting_forgets_nothing(user: User, stored: str, said: str) -> None:
    user.turn("s1", stored)
    assert [each for each in user.turn("s1", said)["commands"] if each["kind"] == "forget"] == []
    assert len(memories(user)) == 1


@pytest.mark.parametrize(
    ("stored", "said", "answer"),
    [
        ("记住我的猫叫团子", "忘记团子", "是的"),
        ("Remember my cat is called Pebble", "Forget Pebble", "yes"),
        ("记住我的猫叫团子", "你能忘掉我的猫吗？", "是的"),
        ("Remember my cat is called Pebble", "Can you forget my cat?", "yes"),
    ],
)
def test_a_bare_name_is_asked_about_where_a_memory_speaks_of_it(
    user: User, stored: str, said: str, answer: str
) -> None:
    assert user.turn("s1", said)["commands"] == []
    user.turn("s1", stored)
    asked = user.turn("s1", said)
    assert [(each["kind"], each["outcome"]) for each in asked["commands"]] == [("forget", "pending")]
    assert asked["reply"]["content"].rstrip().endswith(("？", "?"))
    assert len(memories(user)) == 1
    user.turn("s1", answer)
    assert memories(user) == []


@pytest.mark.parametrize(
    ("field", "stored", "forget", "undo", "told"),
    [
        ("记住，预算是50万", "记住：我的猫叫团子", "忘记我家猫的名字", "撤销刚才的修改", "无法恢复"),
        (
            "Set the budget to 500k",
            "Remember my cat is called Pebble",
            "forget my cat's name",
            "undo that",
            "cannot be brought back",
        ),
    ],
)
def test_a_forgotten_memory_does_not_come_back_and_no_earlier_change_is_undone(
    user: User, field: str, stored: str, forget: str, undo: str, told: str
) -> None:
    user.turn("s1", field)
    before = user.fields()
    user.turn("s1", stored)
    user.turn("s1", forget)
    turn = user.turn("s1", undo)
    assert [(each["outcome"], each["reason"]) for each in turn["commands"]] == [("refused", "gone_for_good")]
    assert told in turn["reply"]["content"]
    assert user.fields() == before
    assert memories(user) == []


@pytest.mark.parametrize(
    ("field", "forget", "undo"),
    [
        ("记住，预算是50万", "忘掉预算", "撤销刚才的修改"),
        ("Set the budget to 500k", "forget my budget", "undo that"),
    ],
)
def test_a_forgotten_field_comes_back(user: User, field: str, forget: str, undo: str) -> None:
    user.turn("s1", field)
    before = {path: field["value"] for path, field in user.fields().items()}
    assert before
    user.turn("s1", forget)
    assert user.fields() == {}
    user.turn("s1", undo)
    assert {path: field["value"] for path, field in user.fields().items()} == before


@pytest.mark.parametrize(
    ("stored", "said", "told"),
    [
        ("记住我开特斯拉", "别记我开特斯拉这件事", "不会记入记忆"),
        ("记住我老婆的生日是5月6日", "不用记我老婆生日了", "不会记入记忆"),
        ("Remember that I drive a Tesla", "please don't remember that I drive a Tesla", "will not be kept"),
        (
            "Remember that my wife's birthday is May 6",
            "no need to remember my wife's birthday",
            "will not be kept",
        ),
    ],
)
def test_what_is_not_to_be_kept_is_forgotten_or_never_proposed(
    user: User, stored: str, said: str, told: str
) -> None:
    user.turn("s1", stored)
    assert len(memories(user)) == 1
    done = user.turn("s1", said)
    assert [(each["kind"], each["outcome"]) for each in done["commands"]] == [("forget", "applied")]
    assert memories(user) == []
    again = user.turn("s2", said)
    assert [(each["outcome"], each["reason"]) for each in again["commands"]] == [("applied", "not_kept")]
    assert told in again["reply"]["content"]
    user.flush("s2")
    assert memories(user) == []
    assert user.get("/v1/pending")["items"] == []
