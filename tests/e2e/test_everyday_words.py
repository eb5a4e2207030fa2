"""What users say in everyday words to what is kept, over HTTP: one story each, zh and en."""

from __future__ import annotations

import pytest

from tests.e2e.stack import User
from tests.e2e.test_dialogues import take

pytestmark = pytest.mark.e2e

BUDGET = "business_context.budget.ceiling"
both_ways = pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])


def memories(user: User) -> list[str]:
    return [memory["text"] for memory in user.get("/v1/memories")["items"]]


@both_ways
@pytest.mark.parametrize(
    ("kept", "said", "yes", "question"),
    [
        ("记住Clara住在里斯本", "其实Clara搬到波尔图了", "是的", "Clara住在哪"),
        (
            "Remember that Clara lives in Lisbon",
            "Actually Clara moved to Porto",
            "yes",
            "where does Clara live",
        ),
    ],
)
def test_what_puts_a_memory_right_is_asked_about_and_search_shows_the_new_one(
    user: User, kept: str, said: str, yes: str, question: str, *, stream: bool
) -> None:
    take(user, "a", kept, stream=stream)
    (old,) = memories(user)
    take(user, "a", "hm", stream=stream)
    turn = take(user, "a", said, stream=stream)
    assert [(update["old"], update["path"]) for update in turn["pending"]] == [(old, None)]
    new = turn["pending"][0]["new"]
    assert old in turn["reply"]["content"]
    assert new in turn["reply"]["content"]
    take(user, "a", yes, stream=stream)
    assert memories(user) == [new]
    found = user.search(question, include_episodes=False)
    assert [row["memory"]["text"] for row in found if row["memory"]["status"] == "active"] == [new]
    former = user.get("/v1/memories", status="superseded")["items"]
    assert [memory["text"] for memory in former] == [old]


@pytest.mark.parametrize(
    ("kept", "said", "old", "new"),
    [
        ("记住我老板是张三", "更正：我老板是李四", "我老板是张三", "我老板是李四"),
        ("Remember my boss is Tom", "Correction: my boss is Jerry", "my boss is Tom", "my boss is Jerry"),
    ],
)
def test_a_correction_commands_and_the_reply_names_both(
    user: User, kept: str, said: str, old: str, new: str
) -> None:
    user.turn("a", kept)
    turn = user.turn("a", said)
    assert [(each["old"], each["new"], each["outcome"]) for each in turn["commands"]] == [
        ([old], new, "applied")
    ]
    assert memories(user) == [new]


@pytest.mark.parametrize(
    ("said", "yes", "text"),
    [
        ("更正：我对花生过敏", "是的", "我对花生过敏"),
        ("Correction: my dentist is Dr Ho", "yes", "my dentist is Dr Ho"),
    ],
)
def test_a_correction_of_nothing_is_asked_about(user: User, said: str, yes: str, text: str) -> None:
    turn = user.turn("a", said)
    assert turn["asks_pending"] == [update["id"] for update in turn["pending"]]
    assert memories(user) == []
    user.turn("a", yes)
    assert memories(user) == [text]


@pytest.mark.parametrize(
    ("said", "proposed"),
    [
        ("确认，记住我住在波尔图", "我住在波尔图"),
        ("yes, remember I live in Porto", "I live in Porto"),
    ],
)
def test_spelled_out_consent_resolves_the_proposal_it_names(user: User, said: str, proposed: str) -> None:
    lead = "更正：" if not proposed.isascii() else "Correction: "
    asked = user.turn("a", f"{lead}{proposed}")["asks_pending"]
    user.turn("a", "hm")
    user.turn("a", said)
    assert memories(user) == [proposed]
    confirmed = user.get("/v1/pending", status="confirmed")["items"]
    assert [update["id"] for update in confirmed] == asked


@pytest.mark.parametrize(
    ("kept", "question", "source", "unheld"),
    [
        ("记住我对花生过敏", "你都知道我什么", "你怎么知道我对花生过敏", "你怎么知道我养猫"),
        (
            "Remember I live in Porto",
            "What do you know about me?",
            "How do you know that I live in Porto?",
            "How do you know that I have a cat?",
        ),
    ],
)
def test_what_is_held_and_where_it_comes_from_stand_in_the_prompt_and_in_the_reply(
    user: User, kept: str, question: str, source: str, unheld: str
) -> None:
    user.turn("monday", kept)
    user.turn("monday", "记住预算是55万" if not kept.isascii() else "Remember my budget is 550k")
    (text,) = memories(user)
    turn = user.turn("tuesday", question)
    assert all(part in user.prompt("friday", question) for part in (text, "550,000"))
    if turn["degraded"]:
        assert all(part in turn["reply"]["content"] for part in (text, "550,000"))
    turn = user.turn("tuesday", source)
    assert all(part in user.prompt("friday", source) for part in (kept, "monday"))
    if turn["degraded"]:
        assert all(part in turn["reply"]["content"] for part in (kept, "monday"))
        assert "550,000" not in user.turn("tuesday", unheld)["reply"]["content"]


@pytest.mark.parametrize(
    ("first", "second", "undo", "question"),
    [
        ("记住我住在北京", "记住我住在上海", "撤销", "我住在哪"),
        ("Remember I live in Boston", "Remember I live in Denver", "undo that", "where do I live"),
    ],
)
def test_undo_takes_back_what_was_remembered_and_what_it_replaced_stands_again(
    user: User, first: str, second: str, undo: str, question: str
) -> None:
    user.turn("a", first)
    (old,) = memories(user)
    user.turn("a", second)
    (new,) = memories(user)
    turn = user.turn("a", undo)
    assert [(each["kind"], each["old"], each["new"]) for each in turn["commands"]] == [("undo", [new], [old])]
    assert new in turn["reply"]["content"]
    assert memories(user) == [old]
    assert new not in user.texts(question)
    assert old in user.texts(question)
    turn = user.turn("a", undo)
    assert [each["outcome"] for each in turn["commands"]] == ["refused"]
    assert memories(user) == [old]


@pytest.mark.parametrize(
    ("kept", "said"),
    [("记住预算是55万", "能把我的预算忘掉吗"), ("Remember my budget is 550k", "Can you forget my budget?")],
)
def test_a_polite_question_forgets_a_field(user: User, kept: str, said: str) -> None:
    user.turn("a", kept)
    assert BUDGET in user.fields()
    turn = user.turn("a", said)
    assert [(each["kind"], each["outcome"]) for each in turn["commands"]] == [("forget", "applied")]
    assert user.fields() == {}


@pytest.mark.parametrize(
    ("said", "yes"),
    [
        ("删除你知道的关于我的所有事情", "确认清空"),
        ("Delete everything you know about me", "yes, delete everything"),
    ],
)
def test_all_that_is_known_is_deleted_once_it_is_confirmed(user: User, said: str, yes: str) -> None:
    user.turn("a", "Remember I like tea")
    turn = user.turn("a", said)
    assert [each["reason"] for each in turn["commands"]] == ["confirm_wipe"]
    assert memories(user) == ["I like tea"]
    user.turn("a", yes)
    assert memories(user) == []
