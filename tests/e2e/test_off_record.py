"""What the user says off the record over HTTP: no other session hears of it."""

from __future__ import annotations

import pytest

from tests.e2e.stack import User

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize(
    ("said", "other", "word", "asked", "told"),
    [
        (
            ("以下内容不要保存：我必须每周去看心理医生",),
            "我必须每天早上六点起床",
            "心理医生",
            "我每周去看什么医生？",
            "不会记入记忆",
        ),
        (
            ("Please don't store this: I must see my therapist every week",),
            "I must get up at six every morning",
            "therapist",
            "Who do I see every week?",
            "will not be kept",
        ),
        (
            ("我必须每周去看心理医生，这句别存",),
            "我必须每天早上六点起床",
            "心理医生",
            "我每周去看什么医生？",
            "不会记入记忆",
        ),
        (
            ("I must see my therapist every week. Don't save that.",),
            "I must get up at six every morning",
            "therapist",
            "Who do I see every week?",
            "will not be kept",
        ),
        (
            ("我必须每周去看心理医生", "刚才那条别存"),
            "我必须每天早上六点起床",
            "心理医生",
            "我每周去看什么医生？",
            "不会记入记忆",
        ),
        (
            ("Remember that I must see my therapist every week", "Don't save that."),
            "I must get up at six every morning",
            "therapist",
            "Who do I see every week?",
            "will not be kept",
        ),
    ],
)
def test_what_is_off_the_record_is_kept_nowhere_that_is_looked_in(
    user: User, said: tuple[str, ...], other: str, word: str, asked: str, told: str
) -> None:
    for text in said:
        turn = user.turn("s1", text)
    assert told in turn["reply"]["content"]
    assert [each["reason"] for each in turn["commands"]] == ["not_kept"]
    assert word not in "".join(user.texts(word))
    user.turn("s1", other)
    user.flush("s1")
    assert word not in "".join(user.texts(word))
    assert user.texts(other)
    assert word not in user.prompt("s2", asked).replace(asked, "")
    assert word not in str(user.get("/v1/memories")["items"])
    assert word not in str(user.get("/v1/pending")["items"])


@pytest.mark.parametrize(
    ("kept", "taken", "told"),
    [
        ("记住，预算是55万", "刚才那条别存", "不会记入记忆"),
        ("Remember: my email is dev@abc.com", "don't save that", "will not be kept"),
    ],
)
def test_a_field_that_is_not_to_be_kept_after_all_is_taken_back(
    user: User, kept: str, taken: str, told: str
) -> None:
    user.turn("s1", kept)
    assert len(user.get("/v1/fields")["items"]) == 1
    turn = user.turn("s1", taken)
    assert told in turn["reply"]["content"]
    assert [(each["kind"], each["reason"]) for each in turn["commands"]] == [
        ("forget", "not_kept"),
        ("undo", None),
    ]
    assert user.get("/v1/fields")["items"] == []
