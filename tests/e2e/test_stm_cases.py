"""Failure stories about the prompt and its window, each played as it is told."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.stack import Stack, User
from tests.fakes.upstream import Script, Upstream

pytestmark = pytest.mark.e2e

THOUGHT = "private chain about salary"


def thinking(text: str) -> Script:
    """Return a reply that thinks aloud before it speaks."""
    events = [
        {"choices": [{"index": 0, "delta": {"reasoning_content": THOUGHT, "content": None}}]},
        {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": "stop"}]},
    ]
    lines = [f"data: {json.dumps(event)}\n\n" for event in events]
    return Script(raw="".join([*lines, "data: [DONE]\n\n"]).encode())


def newcomer(stack: Stack, name: str) -> User:
    return stack.user(f"{name}-{uuid.uuid4().hex[:8]}")


def held_anywhere(user: User, session_id: str) -> str:
    """Return everything that a reader of the API may see of a session and of memory."""
    return json.dumps(
        [
            user.history(session_id),
            user.get(f"/v1/sessions/{session_id}"),
            user.get("/v1/memories"),
            user.get("/v1/pending"),
            user.search("salary chain"),
        ],
        ensure_ascii=False,
    )


def test_reasoning_is_no_part_of_the_reply_and_never_leaves_the_turn(
    model_stack: Stack, upstream: Upstream
) -> None:
    """The story of SSE-06: nor do jobs or other requests see it; by default it is not even kept."""
    user = newcomer(model_stack, "sse6")
    upstream.play(thinking("42"))
    turn = user.turn("s1", "q1")
    assert turn["reply"]["content"] == "42"
    user.turn("s1", "q2")
    user.flush("s1")
    assert THOUGHT not in held_anywhere(user, "s1")
    assert THOUGHT not in user.prompt("s1", "q3")
    mine = [body for body in upstream.requests if "q1" in json.dumps(body)]
    assert mine
    assert all(THOUGHT not in json.dumps(body) for body in mine)


@pytest.fixture
def thinkers(folder: Path, upstream: Upstream, request: pytest.FixtureRequest) -> Iterator[User]:
    environ = {"BILAYER_LLM_BASE_URL": upstream.base_url, "BILAYER_LLM_ECHO_REASONING": request.param}
    with Stack(folder, environ=environ) as stack:
        yield newcomer(stack, "sse6")


def echoed(user: User) -> list[Any]:
    """Return what of each assistant message's reasoning a turn would give back."""
    answer = user.client.post("/v1/sessions/s1/context", json={"message": "q9"}).json()
    return [item.get("reasoning_content") for item in answer["messages"] if item["role"] == "assistant"]


CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}


@pytest.mark.parametrize(
    ("thinkers", "kept"), [("always", [THOUGHT, "of a call"]), ("tool_turns", [None, "of a call"])],
    indirect=["thinkers"],
)  # fmt: skip
def test_reasoning_goes_back_to_a_model_that_demands_it(
    thinkers: User, upstream: Upstream, kept: list[Any]
) -> None:
    """The switch of SSE-06: it goes back to the model, and is no part of what is shown or recalled."""
    upstream.play(thinking("42"))
    assert thinkers.turn("s1", "q1")["reply"]["content"] == "42"
    messages = [
        {"role": "user", "content": "q2"},
        {"role": "assistant", "content": None, "tool_calls": [CALL], "reasoning_content": "of a call"},
        {"role": "tool", "content": "r", "tool_call_id": "c1"},
    ]
    thinkers.client.post("/v1/sessions/s1/messages", json={"messages": messages}).raise_for_status()
    assert echoed(thinkers) == kept
    thinkers.turn("s1", "q3")
    sent = [item.get("reasoning_content") for item in upstream.requests[-1]["messages"]]
    assert [thought for thought in sent if thought] == [thought for thought in kept if thought]
    thinkers.flush("s1")
    for thought in (THOUGHT, "of a call"):
        assert thought not in held_anywhere(thinkers, "s1")


def append(user: User, session_id: str, *messages: tuple[str, str]) -> None:
    """Append messages as a front with its own model does."""
    body = {"messages": [{"role": role, "content": content} for role, content in messages]}
    answer = user.client.post(f"/v1/sessions/{session_id}/messages", json=body)
    assert answer.status_code == 201, answer.text


def small_talk(said: str, answered: str, *, turns: int = 30, start: int = 0) -> list[tuple[str, str]]:
    numbers = range(start, start + turns)
    return [pair for n in numbers for pair in (("user", said.format(n)), ("assistant", answered.format(n)))]


CONSTRAINTS = [
    (
        "先说好：总价不能超过18万，工期6周内，孩子对甲醛敏感",
        "聊点别的{}", "好{}", "推荐一套方案", ("18万", "6周", "甲醛"),
    ),
    (
        "First: the total price must not exceed 180k, duration within 6 weeks, my son is allergic to latex",
        "something else {}", "ok {}", "Suggest a plan", ("180k", "6 weeks", "latex"),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("said", "filler", "answer", "asked", "words"), CONSTRAINTS, ids=["zh", "en"])
def test_constraints_of_the_first_minute_outlive_a_small_window(
    plain_stack: Stack, said: str, filler: str, *, answer: str, asked: str, words: tuple[str, ...]
) -> None:
    """The story of WIN-04."""
    user = newcomer(plain_stack, "win4")
    user.turn("s1", said)
    append(user, "s1", *small_talk(filler, answer, turns=80))
    body = {"message": asked, "token_budget": 4_096 - 1_024}
    context = user.client.post("/v1/sessions/s1/context", json=body).json()
    prompt = "\n".join(str(item["content"]) for item in context["messages"])
    assert context["tokens"]["prompt"] <= body["token_budget"]
    assert all(word in prompt for word in words)
    narrow = user.client.post("/v1/sessions/s1/context", json={"message": asked, "token_budget": 900}).json()
    assert all(word in narrow["messages"][0]["content"] for word in words)


HAN = "这一段是纯中文内容用来测试长度估计" * 4


def test_chinese_never_overflows_the_window(plain_stack: Stack) -> None:
    """The story of SIZE-01; the table of counted samples holds the estimate to real tokenizers."""
    user = newcomer(plain_stack, "size1")
    for start in range(0, 200, 50):
        append(user, "s1", *small_talk(HAN, "明白", turns=50, start=start))
    budget = 8_192 - 2_000
    body = {"message": "继续", "token_budget": budget}
    context = user.client.post("/v1/sessions/s1/context", json=body).json()
    assert context["tokens"]["prompt"] <= budget
    chars = sum(len(str(item["content"])) for item in context["messages"])
    assert chars < budget * 1.2  # no tokenizer made for several languages does better than that
    assert user.turn("s1", "继续")["usage"]["prompt_tokens"] <= 4_500


def test_a_message_larger_than_the_window_is_cut_in_the_prompt_and_stays_whole(stack: Stack) -> None:
    """The story of SIZE-03."""
    user = newcomer(stack, "size3")
    answer = user.client.post("/v1/sessions/s1/turns", json={"message": "中" * 60_000})
    assert (answer.status_code, answer.json()["code"]) == (413, "message_too_long")
    assert user.client.get("/v1/sessions/s1").status_code == 404
    pasted = "第一句是开头。" + "中" * 31_900 + "。最后一句是结尾"
    assert user.turn("s1", pasted)["usage"]["prompt_tokens"] <= 4_500
    for then in ("刚才那段大概说了什么", "再说一遍"):
        prompt = user.prompt("s1", then)
        assert "第一句是开头" in prompt
        assert "最后一句是结尾" in prompt
        assert "此处省略约" in prompt
        assert user.turn("s1", then)["usage"]["prompt_tokens"] <= 4_500
    assert user.history("s1")[0]["content"] == pasted
    answer = user.client.post("/v1/sessions/s1/turns", json={"message": "x" * 6_000_000})
    assert answer.status_code == 413
    assert user.get("/v1/sessions/s1")["messages"] == 6


WISHES = [
    (
        "Prefers answers in French",
        "For this message only, answer in English please", "current request wins", "Speak kindly",
    ),
    ("喜欢用法语回答", "就这一条消息，请用中文回答", "以当前要求为准", "说话和气"),
]  # fmt: skip


@pytest.mark.parametrize(("preference", "wish", "rule", "system"), WISHES, ids=["en", "zh"])
def test_the_current_request_outranks_a_stored_preference(
    stack: Stack, preference: str, wish: str, *, rule: str, system: str
) -> None:
    """The story of STALE-08."""
    user = newcomer(stack, "stale8")
    user.client.post("/v1/memories", json={"text": preference, "kind": "preference"}).raise_for_status()
    user.client.patch("/v1/sessions/s1", json={"system": system}).raise_for_status()
    prompt = user.prompt("s1", wish)
    assert prompt.index(system) < prompt.index(rule) < prompt.index(preference) < prompt.index(wish)
    user.turn("s1", wish)
    assert [memory["text"] for memory in user.get("/v1/memories")["items"]] == [preference]
    assert user.get("/v1/pending")["items"] == []
    assert user.get("/v1/sessions/s1")["key_facts"] == []


def test_a_tool_output_of_200_kilobytes_is_cut_in_the_prompt_and_a_message_of_that_size_is_refused(
    plain_stack: Stack,
) -> None:
    user = newcomer(plain_stack, "tool")
    output = "row 7, value 42\n" * 12_500
    assert user.client.post("/v1/sessions/s1/turns", json={"message": output}).status_code == 413
    messages = [
        {"role": "user", "content": "look it up"},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "content": output, "tool_call_id": "c1"},
    ]
    user.client.post("/v1/sessions/s1/messages", json={"messages": messages}).raise_for_status()
    context = user.client.post("/v1/sessions/s1/context", json={"message": None}).json()
    assert context["tokens"]["prompt"] <= 4_500
    assert [item["role"] for item in context["messages"][-3:]] == ["user", "assistant", "tool"]
    assert context["messages"][-1]["content"].startswith("row 7")
    assert "left out here" in context["messages"][-1]["content"]
    assert user.history("s1")[2]["content"] == output
    append(user, "s1", ("assistant", "42 rows"))
    assert user.turn("s1", "and now?")["usage"]["prompt_tokens"] <= 4_500
