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


@pytest.mark.parametrize(
    ("said", "words", "asked", "told"),
    [
        (("跟你说个秘密，别记，我必须每周看心理医生",), ("心理医生",), "我看什么医生？", "不会记入记忆"),
        (
            ("I'll tell you something, don't write it down, I must see my therapist weekly",),
            ("therapist",),
            "Who do I see?",
            "will not be kept",
        ),
        (
            ("我工资是28000元", "我奖金是5万元", "刚才说的都不要记"),
            ("28000", "5万"),
            "我的工资和奖金是多少？",
            "- 我工资是28000元\n- 我奖金是5万元",
        ),
        (
            ("my salary is 28000", "my bonus is 77000", "don't save any of that"),
            ("28000", "77000"),
            "What are my salary and bonus?",
            "- my salary is 28000\n- my bonus is 77000",
        ),
    ],
)
def test_all_that_the_reply_promises_is_left_out(
    user: User, said: tuple[str, ...], words: tuple[str, ...], *, asked: str, told: str
) -> None:
    for text in said:
        reply = user.say("s1", text)
    assert told in reply
    user.turn("s1", "今天天气不错" if not asked.isascii() else "Nice weather today")
    user.flush("s1")
    kept = user.prompt("s2", asked) + str(user.get("/v1/pending")) + str(user.texts(asked))
    assert [word for word in words if word in kept] == []


def _delete_all(user: User) -> None:
    for memory in user.get("/v1/memories")["items"]:
        user.client.delete(f"/v1/memories/{memory['id']}").raise_for_status()


@pytest.mark.parametrize(
    ("said", "other", "value", "asked", "is_deleted"),
    [
        (("记住：给Acme的报价不能低于90万", "忘掉Acme的报价"), "今天天气不错", "90万", "报价", False),
        (("这话别记：我在字节跳动上海办公室的年薪是80万",), "今天天气不错", "80万", "年薪", False),
        (("我在字节跳动上海办公室的年薪是80万，别记",), "今天天气不错", "80万", "年薪", False),
        (("我在字节跳动上海办公室的年薪是80万", "刚才那条别存"), "今天天气不错", "80万", "年薪", False),
        (("记住：柏林的Acme每月付我们45000欧元的服务费",), "今天天气不错", "45000", "服务费", True),
        (
            ("Remember: the quote for Acme must not be below 900,000", "Forget the quote for Acme"),
            "Nice weather today",
            "900,000",
            "quote",
            False,
        ),
        (
            ("Off the record: as a senior engineer at the Acme office in Berlin my salary is 128000",),
            "Nice weather today",
            "128000",
            "salary",
            False,
        ),
        (
            ("Off the record: for the Globex merger our lawyer's phone number: 555-019-2233",),
            "Nice weather today",
            "2233",
            "phone number",
            False,
        ),
        (
            ("Remember: Acme in Berlin pays us a monthly retainer of 45,000 euros",),
            "Nice weather today",
            "45,000",
            "retainer",
            True,
        ),
    ],
)
def test_no_head_tells_a_value_that_was_forgotten_or_off_the_record(
    user: User, said: tuple[str, ...], other: str, *, value: str, asked: str, is_deleted: bool
) -> None:
    for text in said:
        user.turn("s1", text)
    if is_deleted:
        _delete_all(user)
    user.turn("s1", other)
    user.flush("s1")
    told = user.prompt("s2", asked)
    assert value not in told
    assert not [text for text in user.texts(asked) if value in text]
    assert value not in str(user.get("/v1/sessions/s1")["summary"])
