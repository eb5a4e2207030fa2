"""What was deleted, forgotten or rejected is in no later session's prompt, whenever it was said and left."""

from __future__ import annotations

import pytest

from tests.e2e.stack import User
from tests.e2e.test_stm_dialogues import append

pytestmark = pytest.mark.e2e
ASKED = "How are you?"


def left_prompt(user: User, session_id: str) -> str:
    """Return the prompt of a new session, its first message asking nothing of what was said."""
    return user.prompt(session_id, ASKED)


def delete(user: User, path: str, **params: str) -> None:
    answer = user.client.delete(path, params=params)
    assert answer.is_success, answer.text


FACTS = pytest.mark.parametrize(
    ("said", "secret", "forget"),
    [
        pytest.param("记住我的储物柜是7719号", "7719", "忘记我的储物柜", id="zh"),
        pytest.param("Remember my locker is number 7719", "7719", "forget my locker", id="en"),
    ],
)


@FACTS
@pytest.mark.parametrize("how", ["api", "chat", "wipe"])
def test_a_memory_that_went_is_in_no_digest(
    user: User, said: str, secret: str, *, forget: str, how: str
) -> None:
    user.turn("a", said)
    user.flush("a")
    user.turn("b", said)
    assert secret in left_prompt(user, "before")
    session_id = "a"
    if how == "api":
        (memory,) = user.get("/v1/memories")["items"]
        delete(user, f"/v1/memories/{memory['id']}")
    elif how == "chat":
        session_id = "c"
        user.turn("c", forget)
    else:
        session_id = "c"
        user.turn("c", "delete all my memories")
        user.turn("c", "yes, delete everything")
    assert user.get("/v1/memories")["items"] == []
    assert secret not in left_prompt(user, "new1")
    for left in ("a", "b", session_id):
        user.flush(left)
        assert secret not in left_prompt(user, f"new-{left}")
    assert not [text for text in user.texts(secret) if secret in text]


@pytest.mark.parametrize(
    ("said", "secret"),
    [
        pytest.param("昨天我在储物柜7719里放了相机", "7719", id="zh"),
        pytest.param("Yesterday I put the camera into locker 7719", "7719", id="en"),
    ],
)
def test_a_message_that_was_deleted_is_in_no_digest(user: User, said: str, secret: str) -> None:
    user.turn("a", said)
    user.flush("a")
    assert secret in left_prompt(user, "before")
    (found,) = [each for each in user.history("a") if each["role"] == "user"]
    delete(user, f"/v1/memories/{found['id']}")
    assert secret not in left_prompt(user, "new1")
    user.flush("a")
    assert secret not in left_prompt(user, "new2")


FIELDS = pytest.mark.parametrize(
    ("first", "then", "forget", "asks"),
    [
        pytest.param(
            "我的预算是9137元", "更正：我的预算是7531元", "忘记我的预算", "我的预算是多少？", id="zh"
        ),
        pytest.param(
            "my budget is 9137",
            "Actually my budget is 7531",
            "forget my budget",
            "what is my budget?",
            id="en",
        ),
    ],
)


@FIELDS
@pytest.mark.parametrize("how", ["api", "chat"])
def test_a_field_takes_the_words_of_its_former_values_along(
    user: User, first: str, then: str, *, forget: str, asks: str, how: str
) -> None:
    user.turn("a", first)
    user.turn("a", then)
    user.turn("a", "是的" if not first.isascii() else "yes")
    user.flush("a")
    if how == "api":
        (path,) = user.fields()
        delete(user, f"/v1/fields/{path}")
    else:
        user.turn("b", forget)
    assert user.fields() == {}
    for left in ("a", "b", "a"):
        told = left_prompt(user, f"new-{left}") + user.prompt(f"asks-{left}", asks)
        assert "9137" not in told
        assert "7531" not in told
        if how == "chat" or left == "a":
            user.flush(left)
    assert not [text for text in user.texts(asks) if "9137" in text or "7531" in text]


@pytest.mark.parametrize(
    ("said", "word", "no"),
    [
        pytest.param("我喜欢吃榴莲", "榴莲", "不用", id="zh"),
        pytest.param("I like eating durian", "durian", "no", id="en"),
    ],
)
def test_a_rejected_proposal_is_in_no_digest(user: User, said: str, word: str, no: str) -> None:
    user.turn("a", said)
    user.flush("a")
    (waiting,) = user.get("/v1/pending")["items"]
    assert word in left_prompt(user, "before")
    user.client.post("/v1/pending/resolve", json={"reject": [waiting["id"]]}).raise_for_status()
    assert word not in left_prompt(user, "new1")
    user.flush("a")
    assert word not in left_prompt(user, "new2"), no


@pytest.mark.parametrize(
    ("said", "value", "stale", "now"),
    [
        pytest.param("我的预算是五十万", 600_000, "五十万", "60", id="zh"),
        pytest.param("My budget is $500,000", 600_000, "500,000", "600", id="en"),
    ],
)
def test_a_value_that_a_field_answers_otherwise_is_not_told(
    user: User, said: str, *, value: int, stale: str, now: str
) -> None:
    append(user, "a", ("user", said))
    user.flush("a")
    told = left_prompt(user, "before")
    assert stale in told
    assert "已确认：预算" not in told
    assert "Confirmed: budget" not in told
    path = user.get("/v1/pending")["items"][0]["path"]
    user.client.put(f"/v1/fields/{path}", json={"value": value}).raise_for_status()
    told = left_prompt(user, "new")
    assert stale not in told
    assert now in told


@pytest.mark.parametrize(
    ("said", "forget", "then", "words"),
    [
        pytest.param(
            ("今天聊聊周末", "记住：钓竿坏了，需要修理"),
            "忘掉钓竿坏了，需要修理",
            "周末去爬山吧",
            ("钓竿", "修理"),
            id="zh",
        ),
        pytest.param(
            ("Let us talk about the weekend", "Remember: the kayak is broken, it needs repair"),
            "forget that the kayak is broken, it needs repair",
            "We could go hiking on Saturday",
            ("kayak", "repair"),
            id="en",
        ),
    ],
)
def test_the_request_to_forget_is_in_no_digest(
    user: User, said: tuple[str, ...], forget: str, *, then: str, words: tuple[str, ...]
) -> None:
    for text in said:
        user.turn("a", text)
    done = user.turn("a", forget)
    assert [(each["kind"], each["outcome"]) for each in done["commands"]] == [("forget", "applied")]
    user.turn("a", then)
    user.flush("a")
    told = left_prompt(user, "new")
    assert then in told
    assert [word for word in words if word in told] == []
