"""Short-term memory as a user sees it: constraints, results, the card, topics, wishes, the last session."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.e2e.stack import Stack, User
from tests.e2e.test_dialogues import take
from tests.fakes.summaries import asks_for_summary
from tests.fakes.upstream import Upstream

pytestmark = pytest.mark.e2e
STREAMS = pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])


def head_of(user: User, session_id: str, message: str) -> str:
    """Return the first message of the prompt that a turn would send."""
    answer = user.client.post(f"/v1/sessions/{session_id}/context", json={"message": message})
    assert answer.status_code == 200, answer.text
    first = answer.json()["messages"][0]
    assert first["role"] == "system"
    return str(first["content"])


def append(user: User, session_id: str, *messages: tuple[str, str]) -> dict[str, Any]:
    """Append messages of a front with its own model."""
    body = {"messages": [{"role": role, "content": content} for role, content in messages]}
    answer = user.client.post(f"/v1/sessions/{session_id}/messages", json=body)
    assert answer.status_code == 201, answer.text
    result: dict[str, Any] = answer.json()
    return result


RESULTS = [
    pytest.param(
        "对比一下三个方案",
        "经过测算，B 方案总成本为 85 万。",
        "B 方案成本是多少？",
        "助手此前计算得出",
        id="zh",
    ),
    pytest.param(
        "Compare the three plans",
        "I worked it out: the total cost of plan B is $850,000.",
        "What does plan B cost?",
        "Computed earlier by the assistant",
        id="en",
    ),
]


@pytest.mark.parametrize(("asked", "reply", "then", "title"), RESULTS)
def test_d8_a_result_of_the_assistant_is_used_and_is_no_fact_of_the_user(
    user: User, asked: str, reply: str, then: str, title: str
) -> None:
    append(user, "a", ("user", asked), ("assistant", reply))
    head = head_of(user, "a", then)
    assert title in head
    assert "850000" in head
    user.turn("a", then)
    assert user.fields() == {}
    session = user.get("/v1/sessions/a")
    assert [result["value"] for result in session["results"]] == ["850000"]


CONSTRAINTS = [
    pytest.param(
        "不要用短信验证码，价格必须含税；手续费率是0.6%",
        ("不要用短信验证码", "价格必须含税", "手续费率是0.6%"),
        "第{}轮普通讨论，内容随意填充一些字，今天天气怎么样",
        "登录用什么方式验证？报价要注意什么？",
        id="zh",
    ),
    pytest.param(
        "Do not use SMS codes, prices must include tax; the fee rate is 0.6%",
        ("Do not use SMS codes", "prices must include tax", "the fee rate is 0.6%"),
        "Round {} of an ordinary talk about nothing in particular, what is the weather like",
        "How do users log in? What about our quote?",
        id="en",
    ),
]


@pytest.mark.parametrize(("said", "words", "filler", "asked"), CONSTRAINTS)
def test_d9_constraints_outlive_sixty_turns_and_hostile_summaries(
    user: User, said: str, words: tuple[str, ...], *, filler: str, asked: str
) -> None:
    take(user, "a", "你好", stream=False)
    take(user, "a", said, stream=True)
    for number in range(60):
        pair = (("user", filler.format(number)), ("assistant", "嗯嗯，" + filler.format(number) * 2))
        append(user, "a", *pair)
    session = wait_for_summary(user, "a")
    assert session["summary"] is not None
    assert session["compacted_to"] == session["summary"]["to_seq"] > 0
    head = head_of(user, "a", asked)
    for word in words:
        assert word in head
    for softened in ("最好", "SMS codes are fine", "可以使用", "HT-999999"):
        assert softened not in head
    assert [fact["text"] for fact in session["key_facts"]] == list(words)
    assert user.turn("a", asked)["reply"]["content"]


def wait_for_summary(user: User, session_id: str, *, seconds: float = 80.0) -> dict[str, Any]:
    """Return the session once it has been summarised."""
    deadline = time.monotonic() + seconds
    while True:
        session: dict[str, Any] = user.get(f"/v1/sessions/{session_id}")
        if session["summary"] is not None or time.monotonic() > deadline:
            return session
        time.sleep(0.2)


CARDS = [
    pytest.param(
        {"intent": "会员登记", "done": {"姓名": "李雷", "电话": "13800138000"}, "waiting": ["地址"]},
        "继续刚才的登记",
        "地址",
        "不要再问",
        id="zh",
    ),
    pytest.param(
        {"intent": "registration", "done": {"name": "Lee", "phone": "555-0100"}, "waiting": ["address"]},
        "Let's go on with the registration, please",
        "address",
        "do not ask again",
        id="en",
    ),
]


@STREAMS
@pytest.mark.parametrize(("card", "then", "waiting", "rule"), CARDS)
def test_d10_the_card_survives_ten_turns_and_only_what_waits_is_asked(
    user: User, card: dict[str, Any], then: str, *, waiting: str, rule: str, stream: bool
) -> None:
    answer = user.client.patch("/v1/sessions/a", json={"task_card": card})
    assert answer.status_code == 200, answer.text
    assert answer.json()["task_card"] == card
    for number in range(10):
        append(user, "a", ("user", f"{then[:2]} {number} …"), ("assistant", f"ok {number}"))
    head = head_of(user, "a", then)
    assert f"{waiting}: UNFILLED" in head
    assert rule in head
    for label, value in card["done"].items():
        assert f"{label}: {value}" in head
    turn = take(user, "a", then, stream=stream)
    if turn["degraded"]:
        assert waiting in turn["reply"]["content"].split("\n\n")[-1]
        assert all(label not in turn["reply"]["content"].split("\n\n")[-1] for label in card["done"])
    assert user.get("/v1/sessions/a")["task_card"] == card
    answer = user.client.patch("/v1/sessions/a", json={"task_card": None})
    assert "UNFILLED" not in head_of(user, "a", then)


def test_d7_a_task_type_fills_the_card_from_the_schema(user: User) -> None:
    path = "/v1/fields/current_task.type"
    assert user.client.put(path, json={"value": "contract_review"}).status_code in {200, 201}
    head = head_of(user, "a", "帮我看看这份合同")
    assert head.count("UNFILLED") >= 2
    assert "项目编号: UNFILLED" in head


TOPICS = [
    pytest.param(
        "我孩子最近总发烧，很愁",
        "换个话题，别再提我孩子的事",
        "周末有什么放松的建议？",
        "我孩子今天上学了",
        "孩子",
        id="zh",
    ),
    pytest.param(
        "My son has had a fever for days, I worry",
        "Let's change the subject, stop bringing up my son",
        "Any ideas for a relaxing weekend?",
        "My son went to school today",
        "son",
        id="en",
    ),
]


@STREAMS
@pytest.mark.parametrize(("said", "ban", "other", "back", "word"), TOPICS)
def test_d13_a_banned_topic_is_skipped_until_the_user_returns_to_it(
    user: User, said: str, ban: str, *, other: str, back: str, word: str, stream: bool
) -> None:
    take(user, "a", said, stream=stream)
    turn = take(user, "a", ban, stream=stream)
    assert [(each["kind"], each["outcome"]) for each in turn["commands"]] == [("ban_topic", "applied")]
    assert word in turn["commands"][0]["new"]
    assert word in turn["reply"]["content"].split("\n\n")[-1]
    assert "topic" in {notice["kind"] for notice in turn["notices"]}
    assert any(word in topic for topic in user.get("/v1/sessions/a")["banned_topics"])
    prompt = user.prompt("a", other)
    assert said not in prompt
    assert "不要主动提起" in prompt or "do not bring up" in prompt
    for session_id in ("a", "b"):
        assert said not in [row["text"] for row in take(user, session_id, other, stream=stream)["recalled"]]
        assert said not in user.prompt(session_id, other)
    assert said not in user.texts(said)
    assert [topic["quote"] in ban for topic in user.get("/v1/topics")["items"]] == [True]
    turn = take(user, "a", back, stream=stream)
    assert [each["kind"] for each in turn["commands"]] == ["lift_topic"]
    assert user.get("/v1/topics")["items"] == []
    assert said in user.texts(said)
    prompt = user.prompt("a", other)
    assert said in prompt
    assert "不要主动提起" not in prompt
    assert "do not bring up" not in prompt


def test_a_ban_for_now_is_of_its_session_and_the_api_lifts_bans(user: User) -> None:
    turn = user.turn("a", "今天先别聊装修的事")
    assert [(each["kind"], each["reason"]) for each in turn["commands"]] == [("ban_topic", "this_session")]
    assert user.get("/v1/topics")["items"] == []
    assert "装修" in head_of(user, "a", "说点别的")
    assert "装修" not in head_of(user, "b", "说点别的")
    user.client.patch("/v1/sessions/a", json={"banned_topics": []}).raise_for_status()
    assert "装修" not in head_of(user, "a", "说点别的")
    user.turn("a", "以后别再提离婚的事了")
    (topic,) = user.get("/v1/topics")["items"]
    assert user.client.delete("/v1/topics", params={"topic": "x"}).status_code == 404
    lifted = user.client.delete("/v1/topics", params={"topic": topic["topic"]}).json()["lifted"]
    assert lifted == [topic["topic"]]
    assert "离婚" not in head_of(user, "b", "说点别的")


WISHES = [
    pytest.param("回答尽量简短", "这次请详细展开", "以当前要求为准", id="zh"),
    pytest.param(
        "Prefers concise answers", "Please go into detail this time", "current request wins", id="en"
    ),
]


@STREAMS
@pytest.mark.parametrize(("preference", "wish", "rule"), WISHES)
def test_d15_the_current_request_beats_a_stored_preference(
    user: User, preference: str, wish: str, *, rule: str, stream: bool
) -> None:
    body = {"text": preference, "kind": "preference"}
    user.client.post("/v1/memories", json=body).raise_for_status()
    take(user, "a", wish, stream=stream)
    head = head_of(user, "a", wish)
    assert preference in head
    assert rule in head
    kept = user.get("/v1/memories")["items"]
    assert [memory["text"] for memory in kept] == [preference]
    assert user.get("/v1/sessions/a")["key_facts"] == []


REFUNDS = [
    pytest.param(
        "我要申请退款，订单号 RF-20931，还没收到钱",
        {"intent": "退款", "done": {"订单号": "RF-20931"}, "waiting": ["退款原因"]},
        "昨天申请的退款到哪一步了？",
        "退款原因",
        id="zh",
    ),
    pytest.param(
        "I want to request a refund, order RF-20931, the money has not come",
        {"intent": "refund", "done": {"order": "RF-20931"}, "waiting": ["reason"]},
        "Where were we with yesterday's refund?",
        "reason",
        id="en",
    ),
]


@pytest.mark.parametrize(("said", "card", "then", "waiting"), REFUNDS)
def test_d17_the_next_session_carries_the_last_digest_and_its_open_card(
    stack: Stack, user: User, said: str, *, card: dict[str, Any], then: str, waiting: str
) -> None:
    user.turn("yesterday", said)
    user.client.patch("/v1/sessions/yesterday", json={"task_card": card}).raise_for_status()
    user.flush("yesterday")
    with stack.admin() as admin:
        try:
            now = datetime.now(UTC) + timedelta(days=1)
            admin.post("/v1/test/clock", json={"now": now.isoformat()}).raise_for_status()
            head = head_of(user, "today", then)
            assert "RF-20931" in head
            assert f"{waiting}: UNFILLED" in head
            later = datetime.now(UTC) + timedelta(days=8)
            admin.post("/v1/test/clock", json={"now": later.isoformat()}).raise_for_status()
            assert user.client.get("/v1/sessions/yesterday").status_code == 404
            head = head_of(user, "today", then)
            assert "RF-20931" in head
            turn = user.turn("today", then)
            assert turn["reply"]["content"]
            user.client.patch("/v1/sessions/today", json={"task_card": None}).raise_for_status()
            assert "UNFILLED" not in head_of(user, "other", then)
            user.client.delete("/v1/sessions/yesterday").raise_for_status()
            assert "RF-20931" not in head_of(user, "today2", "hello")
        finally:
            real = {"now": datetime.now(UTC).isoformat()}
            admin.post("/v1/test/clock", json=real).raise_for_status()


def test_p13_the_head_is_byte_identical_while_nothing_of_it_changes(
    model_stack: Stack, upstream: Upstream
) -> None:
    user = model_stack.user(f"head-{time.time_ns()}")
    user.client.patch("/v1/sessions/a", json={"system": "你说话要像老北京"}).raise_for_status()
    user.client.put("/v1/fields/business_context.phase", json={"value": "设计" * 500}).raise_for_status()
    user.client.put("/v1/fields/business_context.deadline", json={"value": "2090-01-01"}).raise_for_status()
    user.client.post("/v1/memories", json={"text": "喜欢简短", "kind": "preference"}).raise_for_status()
    user.turn("a", "不要用红色，预算是 46,500 元")
    heads = []
    for number in range(8):
        user.turn("a", f"第{number}轮，随便聊聊")
        chats = [body for body in upstream.requests if not asks_for_summary(body)]
        heads.append(chats[-1]["messages"][0]["content"])
    assert len(set(heads)) == 1
    assert heads[0].startswith("你说话要像老北京")
    assert "不要用红色" in heads[0]
    assert "喜欢简短" in heads[0]
    assert heads[0].index("[重要] 截止日") < heads[0].index("项目阶段：设计设计")
    assert "…（共 1,000 字）" in heads[0]


def test_sum_07_the_system_message_stands_once_then_the_summary_then_recent_turns(user: User) -> None:
    append(user, "a", ("system", "你说话要像老北京"))
    for number in range(40):
        append(user, "a", ("user", f"聊装修厨房{number}"), ("assistant", f"得嘞{number}" * 40))
    assert wait_for_summary(user, "a")["summary"] is not None
    prompt = user.prompt("a", "接着说")
    assert prompt.count("老北京") == 1
    assert prompt.count("【摘要】") == 1
    assert prompt.index("老北京") < prompt.index("【摘要】") < prompt.index("接着说")


ORPHAN = {"role": "tool", "content": "y", "tool_call_id": "c"}
BAD = [
    ({"messages": [{"role": "robot", "content": "x"}]}, "messages.0.role"),
    (
        {
            "messages": [
                {"role": "user", "content": "x"},
                {"role": "tool", "content": "y", "tool_call_id": "c"},
            ]
        },
        "messages.1.tool_call_id",
    ),
    ({"messages": [{"role": "system", "content": "规则" * 9_000}]}, "messages.0.content"),
]


@pytest.mark.parametrize(("body", "field"), BAD, ids=["role", "orphan", "system"])
def test_bad_messages_are_refused_by_name_and_nothing_is_stored(
    plain_stack: Stack, body: dict[str, Any], field: str
) -> None:
    user = plain_stack.user(f"bad-{time.time_ns()}")
    answer = user.client.post("/v1/sessions/a/messages", json=body)
    assert (answer.status_code, answer.json().get("field")) == (422, field)
    assert user.client.get("/v1/sessions/a").status_code == 404


def test_a_system_text_over_the_budget_is_refused_with_both_numbers(plain_stack: Stack) -> None:
    user = plain_stack.user(f"system-{time.time_ns()}")
    body = {"message": "hi", "system": "规则" * 9_000}
    answer = user.client.post("/v1/sessions/a/turns", json=body)
    assert (answer.status_code, answer.json()["field"]) == (422, "system")
    assert len(re.findall(r"\d{4,}", answer.json()["detail"])) >= 2
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    with_call = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
    ]
    user.client.post("/v1/sessions/a/messages", json={"messages": with_call}).raise_for_status()
    result = [{"role": "tool", "content": "r", "tool_call_id": "c1"}]
    user.client.post("/v1/sessions/a/messages", json={"messages": result}).raise_for_status()
