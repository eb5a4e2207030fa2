"""Failure stories of other systems about structured state. Names in brackets are the stories'."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.e2e.stack import Stack, User

pytestmark = pytest.mark.e2e

BUDGET = "business_context.budget.ceiling"
DEADLINE = "business_context.deadline"


@pytest.fixture
def someone(plain_stack: Stack) -> User:
    return plain_stack.user(f"state-{uuid.uuid4().hex[:10]}")


def fresh(stack: Stack) -> User:
    return stack.user(f"state-{uuid.uuid4().hex[:10]}")


def memories(user: User, **wanted: Any) -> list[str]:
    return [item["text"] for item in user.get("/v1/memories", **wanted)["items"]]


def remember(user: User, *texts: str) -> None:
    for text in texts:
        user.client.post("/v1/memories", json={"text": text}).raise_for_status()


SAVES = [
    ("记住我对青霉素过敏", "青霉素过敏"),
    ("帮我记一下，车停在B2层36号", "B2层36号"),
    ("记得我不吃牛肉", "不吃牛肉"),
    ("别忘了我周三要去体检", "体检"),
    ("请把我的收货地址记下来：临江路8号", "临江路8号"),
    ("以后叫我阿越", "阿越"),
    ("你给我记好了，报价有效期是15天", "15天"),
    ("麻烦备注一下：客户只接受增值税专票", "专票"),
    ("Please remember that I park on level B2", "level B2"),
    ("Don't forget I'm vegan", "vegan"),
]


@pytest.mark.parametrize(("said", "kept"), SAVES)
def test_an_explicit_wish_to_keep_is_kept(plain_stack: Stack, said: str, kept: str) -> None:
    """The story of CMD-01."""
    user = fresh(plain_stack)
    assert [each["outcome"] for each in user.turn("s1", said)["commands"]] == ["applied"]
    values = [str(field["value"]) for field in user.fields().values()]
    assert any(kept in text for text in (*memories(user), *values))
    assert kept in user.prompt("s2", said)


NOT_SAVES = [
    "不用记住这个，我只是随口一说",
    "别记，这是我朋友的电话",
    "你记住了吗？",
    "你还记得我叫什么吗",
    "我记得昨天说过预算的事",
    "记住密码功能怎么做？",
    "老师让我们记住这首诗",
    "“请记住我的话”这句怎么翻译",
    "Do you remember my birthday?",
    "I remember that the meeting was long",
    "假设我有五百万，应该怎么投资？",
    "Would Obsidian be useful for a team like ours?",
    "写个小说：主角叫陆沉，三十岁，是外科医生",
    "Pretend you are my boss and I earn 90k",
    "测试数据：手机号 13900000000，预算 1 元",
    "如果下周去不了北京怎么办",
    "跑了5万公里",
    "万分之三的手续费",
    "粉丝涨到20万",
    "第3万名",
    "三亿人看过这部剧",
    "10086打不通",
    "版本 2.5.1",
    "一五一十地说",
    "预算大概几十万",
    "上周五说的",
]


@pytest.mark.parametrize("said", NOT_SAVES)
def test_what_is_no_wish_to_keep_leaves_nothing(plain_stack: Stack, said: str) -> None:
    """The stories of CMD-03, FAB-01 and AMT-03."""
    user = fresh(plain_stack)
    turn = user.turn("s1", said)
    assert (turn["commands"], turn["pending"]) == ([], [])
    assert (memories(user), user.fields(), user.get("/v1/pending", status="all")["items"]) == ([], {}, [])


FORGETS = [
    ("忘掉我的旧地址", "旧地址是临江路8号"),
    ("把我的手机号删了", "我的手机号是13812345678"),
    ("别再记着我前公司的事了", "前公司是远景科技"),
    ("关于体检的那条记忆去掉吧", "周三上午去体检"),
    ("Forget my old employer", "My old employer was Acme"),
    ("Delete what you know about my diet", "My diet is vegetarian"),
]


@pytest.mark.parametrize(("said", "kept"), FORGETS)
def test_a_forget_takes_what_is_meant_and_nothing_else(plain_stack: Stack, said: str, kept: str) -> None:
    """The story of CMD-05."""
    user = fresh(plain_stack)
    others = ["喜欢乌龙茶", "Plays the piano on Sundays", "报表用企业微信接收"]
    remember(user, kept, *others)
    turn = user.turn("s1", said)
    assert [(each["kind"], each["outcome"]) for each in turn["commands"]] == [("forget", "applied")]
    assert sorted(memories(user)) == sorted(others)
    assert user.get("/v1/audit")["items"][0]["action"] == "memory.delete"


SEVERAL = {
    "zh": ("忘掉我的旧地址", ["旧地址是临江路8号", "旧地址的邮编是200000"]),
    "en": ("Forget my old address", ["My old address is 8 River Road", "The old address has postcode 2000"]),
}
ANSWERS = [
    ("zh", "第一个", 1),
    ("zh", "忘掉第2条", 1),
    ("zh", "第一个不对，第二个对", 1),
    ("zh", "都忘掉吧", 2),
    ("zh", "是的", 2),
    ("zh", "不用了", 0),
    ("zh", "好的，谢谢", 0),
    ("zh", "我住在哪里？", 0),
    ("en", "the first one", 1),
    ("en", "delete number 2 please", 1),
    ("en", "both", 2),
    ("en", "yes", 2),
    ("en", "no", 0),
    ("en", "ok thanks", 0),
]


@pytest.mark.parametrize(("language", "answer", "taken"), ANSWERS)
def test_a_forget_that_matches_several_lists_them_and_the_answer_picks(
    someone: User, language: str, answer: str, taken: int
) -> None:
    """Nothing goes before the answer, and an acknowledgement or another question takes nothing."""
    said, kept = SEVERAL[language]
    remember(someone, *kept, "喜欢乌龙茶")
    turn = someone.turn("s1", said)
    assert [(each["outcome"], each["reason"]) for each in turn["commands"]] == [("pending", "several")]
    asked = turn["reply"]["content"].rpartition("\n\n")[2]
    assert all(text in asked for text in ("1. ", "2. ", *kept))
    assert len(memories(someone)) == 3
    listed = [line[3:] for line in asked.splitlines() if line[:2] in {"1.", "2."}]
    done = someone.turn("s1", answer)
    assert [each["old"] for each in done["commands"] if each["kind"] == "forget"] == (
        [listed[1]] if "2" in answer or "二" in answer else listed[:taken]
    )
    assert len(memories(someone)) == 3 - taken
    someone.turn("s1", "是的" if language == "zh" else "yes")
    assert len(memories(someone)) == 3 - taken


def test_an_answer_in_another_place_forgets_nothing(someone: User) -> None:
    said, kept = SEVERAL["zh"]
    remember(someone, *kept)
    someone.turn("s1", said)
    someone.turn("s2", "第一个")
    someone.turn("s1", "今天天气不错")
    someone.turn("s1", "第一个")
    assert len(memories(someone)) == 2


NOT_FORGETS = [
    "别忘了我对花生过敏",
    "我忘记密码了怎么办",
    "我差点忘了说，谢谢你",
    "怎么用SQL删除一行记录",
    "“忘记”的英文是什么",
    "Don't forget my allergy",
]


@pytest.mark.parametrize("said", NOT_FORGETS)
def test_talk_of_forgetting_forgets_nothing(plain_stack: Stack, said: str) -> None:
    """The story of CMD-07."""
    user = fresh(plain_stack)
    remember(user, "花生 peanut allergy")
    user.turn("s1", said)
    assert "花生 peanut allergy" in memories(user)


def test_a_wipe_asks_first_names_the_count_and_takes_an_explicit_yes(someone: User) -> None:
    """The story of CMD-09."""
    remember(someone, *(f"事项{number}" for number in range(30)))
    asked = someone.turn("s1", "把我的记忆都清空")
    assert "30" in asked["reply"]["content"]
    assert len(memories(someone, limit=200)) == 30
    assert someone.turn("s1", "好的")["commands"] == []
    assert len(memories(someone, limit=200)) == 30
    assert [each["outcome"] for each in someone.turn("s1", "确认清空")["commands"]] == ["refused"]
    someone.turn("s1", "把我的记忆都清空")
    done = someone.turn("s1", "确认清空")
    assert "30" in done["reply"]["content"]
    assert memories(someone, limit=200) == []


AMOUNTS = [
    ("预算五十万", 500000),
    ("预算50万", 500000),
    ("预算一百八十六萬", 1860000),
    ("总预算350万元", 3500000),
    ("预算大概十二点六万", 126000),
    ("预算最多80万，不能再多", 800000),
    ("预算是¥500,000", 500000),
    ("预算1.2亿", 120000000),
    ("预算两千九百万", 29000000),
    ("预算捌佰叁拾元伍角", 830.5),
    ("预算是七元四角二分", 7.42),
    ("my budget is USD 30k", 30000),
]


@pytest.mark.parametrize(("said", "value"), AMOUNTS)
def test_an_amount_is_proposed_as_one_exact_number(plain_stack: Stack, said: str, value: float) -> None:
    """The story of AMT-01."""
    (update,) = fresh(plain_stack).turn("s1", said)["pending"]
    assert (update["new"], update["status"]) == (value, "open")
    assert update["quote"] in said


ZONES = [
    ("提醒我明天交押金", "2026-03-04T16:30:00Z", "Asia/Shanghai", "2026-03-06"),
    ("the report is due tomorrow", "2026-03-05T04:30:00Z", "America/Los_Angeles", "2026-03-05"),
    ("下周五交稿", "2026-03-04T02:00:00Z", "Asia/Shanghai", "2026-03-13"),
    ("3月底前完成", "2026-03-04T02:00:00Z", "Asia/Shanghai", "2026-03-31"),
]


@pytest.mark.parametrize(("said", "now", "zone", "day"), ZONES)
def test_relative_days_are_those_of_the_user(
    plain_stack: Stack, said: str, now: str, zone: str, day: str
) -> None:
    """The stories of DATE-01 and DATE-03."""
    user = fresh(plain_stack)
    body = {"messages": [{"role": "user", "content": said, "created_at": now}], "timezone": zone}
    answer = user.client.post("/v1/sessions/s1/messages", json=body).json()
    assert [update["new"] for update in answer["pending"]] == [day]


def test_ok_to_something_else_confirms_nothing(someone: User) -> None:
    """The story of PEND-01."""
    (update,) = someone.turn("s1", "我们的订单号应该是 AB-5521")["pending"]

    def say(role: str, content: str, **more: Any) -> None:
        body = {"messages": [{"role": role, "content": content, **more}]}
        someone.client.post("/v1/sessions/s1/messages", json=body).raise_for_status()

    say("assistant", "今天北京有小雨，建议带伞")
    say("user", "好的")
    assert someone.fields() == {}
    say("assistant", "你之前提到订单号 AB-5521，要保存吗？", asks_pending=[update["id"]])
    say("user", "那是什么意思？")
    say("assistant", "就是把它存进你的资料")
    say("user", "哦，知道了")
    say("user", "确认")
    assert someone.fields() == {}
    say("assistant", "要保存吗？", asks_pending=[update["id"]])
    say("user", "确认")
    assert someone.fields()["business_context.order_id"]["value"] == "AB-5521"


def test_a_proposal_that_nobody_answers_expires(plain_stack: Stack, someone: User) -> None:
    """The story of PEND-01, its end."""
    (update,) = someone.turn("s1", "我们的订单号应该是 AB-5521")["pending"]
    with plain_stack.admin() as admin:
        later = datetime.now(UTC) + timedelta(days=7, hours=1)
        admin.post("/v1/test/clock", json={"now": later.isoformat()}).raise_for_status()
        try:
            assert someone.get("/v1/pending")["items"] == []
            answer = someone.client.post(f"/v1/pending/{update['id']}/confirm")
            assert (answer.status_code, answer.json()["code"]) == (409, "not_open")
        finally:
            now = datetime.now(UTC).isoformat()
            admin.post("/v1/test/clock", json={"now": now}).raise_for_status()


PICKS = [
    ("My budget is 9000 and the deadline is 2099-05-01", "yes for the deadline, not the budget"),
    ("预算是9000元，截止日是2099年5月1日", "截止日对，预算不对"),
]


@pytest.mark.parametrize(("said", "answer"), PICKS)
def test_an_answer_picks_among_what_was_asked(plain_stack: Stack, said: str, answer: str) -> None:
    """The story of PEND-03."""
    user = fresh(plain_stack)
    assert len(user.turn("s1", said)["asks_pending"]) == 2
    user.turn("s1", answer)
    assert {path: field["value"] for path, field in user.fields().items()} == {DEADLINE: "2099-05-01"}
    rejected = user.get("/v1/pending", status="rejected")["items"]
    assert [update["new"] for update in rejected] == [9000]


ORDINALS = [
    ("第一个对，第二个不对", 1),
    ("第一个不对，第二个对", 2),
    ("yes to the first one, no to the second", 1),
]


@pytest.mark.parametrize(("answer", "kept"), ORDINALS)
def test_an_ordinal_picks_by_the_order_of_the_question(plain_stack: Stack, answer: str, kept: int) -> None:
    user = fresh(plain_stack)
    asked = user.turn("s1", "预算是9000元，截止日是2099年5月1日")["asks_pending"]
    user.turn("s1", answer)
    confirmed = user.get("/v1/pending", status="confirmed")["items"]
    assert [update["id"] for update in confirmed] == [asked[kept - 1]]


NEGATIVES = [
    "I can't stand durian",
    "I hate early meetings",
    "I don't like pop-up windows",
    "I never drink milk",
    "I like rye bread",
    "I can not bear perfume",
]


@pytest.mark.parametrize("said", NEGATIVES)
def test_nothing_is_stored_with_the_opposite_meaning(plain_stack: Stack, said: str) -> None:
    """The story of NEG-01."""
    user = fresh(plain_stack)
    user.turn("s1", f"Remember that {said}")
    assert memories(user) == [said]
    other = fresh(plain_stack)
    other.turn("s1", said)
    assert memories(other) == []


REPAIRS = [
    ("Remember my seat is 14A - actually scratch that, 15C", "15C", "14A"),
    ("记住我的尺码是M，等等说错了，是L", "L", "M"),
    ("Save my budget as 900. On second thought, forget I said that.", None, "900"),
]


@pytest.mark.parametrize(("said", "kept", "gone"), REPAIRS)
def test_the_last_valid_word_of_a_message_counts(
    plain_stack: Stack, said: str, kept: str | None, gone: str
) -> None:
    """The story of NEG-05."""
    user = fresh(plain_stack)
    user.turn("s1", said)
    stored = [*memories(user), *(str(field["value"]) for field in user.fields().values())]
    assert not any(gone in text for text in stored)
    assert kept is None or any(kept in text for text in stored)


def test_an_update_replaces_what_it_contradicts(someone: User) -> None:
    """The story of STALE-01."""
    someone.turn("s1", "Remember: my home airport is Porto")
    someone.turn("s1", "Update: my home airport is now Bilbao")
    assert memories(someone) == ["my home airport is now Bilbao"]
    assert memories(someone, status="superseded") == ["my home airport is Porto"]
    found = [hit["memory"]["text"] for hit in someone.search("airport", include_episodes=False)]
    assert found == ["my home airport is now Bilbao"]


def test_the_last_word_wins_however_often_a_mind_changes(someone: User) -> None:
    """The story of STALE-06."""
    someone.turn("s1", "记住我喜欢喝乌龙茶")
    someone.turn("s1", "改一下，我现在喜欢喝美式")
    assert [text for text in memories(someone) if "乌龙" in text] == []
    someone.turn("s1", "算了，还是记成我喜欢喝乌龙茶")
    assert memories(someone) == ["我喜欢喝乌龙茶"]
    someone.turn("s1", "记住我不喜欢爵士乐")
    someone.turn("s1", "我最近改主意了，记住我喜欢爵士乐")
    assert sorted(memories(someone)) == ["我喜欢喝乌龙茶", "我喜欢爵士乐"]


def test_a_value_that_stands_is_never_proposed_or_written_again(someone: User) -> None:
    """The story of DUP-03."""
    for number in range(6):
        turn = someone.turn(f"s{number}", f"我叫林溪，第{number}次来咨询")
        for update in turn["pending"]:
            someone.client.post(f"/v1/pending/{update['id']}/confirm").raise_for_status()
    name = someone.fields()["user_profile.name"]
    assert (name["value"], name["version"]) == ("林溪", 1)
    assert someone.get("/v1/pending")["items"] == []
