"""What a user expects of a memory, as whole dialogues over HTTP: zh and en, whole and streamed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.e2e.stack import User

pytestmark = pytest.mark.e2e


def take(user: User, session_id: str, message: str, *, stream: bool) -> dict[str, Any]:
    """Take a turn, streamed or not; a stream's pieces must be the reply that `done` holds."""
    if not stream:
        return user.turn(session_id, message)
    pieces, done = [], None
    body = {"message": message, "stream": True}
    with user.client.stream("POST", f"/v1/sessions/{session_id}/turns", json=body) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        name = ""
        for line in answer.iter_lines():
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                payload = json.loads(line.removeprefix("data: "))
                if name == "delta":
                    pieces.append(payload["content"])
                elif name == "done":
                    done = payload
    assert done is not None
    assert "".join(pieces) == done["reply"]["content"]
    result: dict[str, Any] = done
    return result


PROJECT = [
    pytest.param(
        "你好，我是张工，负责ABC项目", "项目编号是PROJ-2024-001", "项目编号", "我的项目编号是多少？", id="zh"
    ),
    pytest.param(
        "Hi, I'm Mr Zhang and I run the ABC project",
        "The project id is PROJ-2024-001",
        "project id",
        "What is my project number?",
        id="en",
    ),
]


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(("hello", "answer", "label", "question"), PROJECT)
def test_d1_an_answer_to_our_question_is_stored_at_once(
    user: User, hello: str, answer: str, label: str, question: str, *, stream: bool
) -> None:
    first = take(user, "a", hello, stream=stream)
    assert label in first["reply"]["content"].split("\n\n")[-1].lower()
    assert [notice["kind"] for notice in first["notices"]][:1] == ["missing"]
    assert user.fields() == {}
    second = take(user, "a", answer, stream=stream)
    assert "PROJ-2024-001" in second["reply"]["content"]
    field = user.fields()["business_context.project_id"]
    assert field["value"] == "PROJ-2024-001"
    assert field["origin"] == "user"
    assert "PROJ-2024-001" in field["source"]["quote"]
    assert len(field["source"]["message_ids"]) == 2
    assert "PROJ-2024-001" in user.prompt("b", question)


def test_d1_the_question_is_asked_once_a_session(user: User) -> None:
    assert "项目编号" in user.say("a", "我负责ABC项目")
    assert user.turn("a", "这个项目很大")["notices"] == [
        notice for notice in user.turn("a", "这个项目很忙")["notices"] if notice["kind"] != "missing"
    ]


EMAIL = [
    pytest.param("记住我的邮箱是dev@abc.com", ["你记住了吗？", "不用记住我的邮箱"], id="zh"),
    pytest.param(
        "Remember my email is dev@abc.com", ["Did you remember it?", "No need to remember my email"], id="en"
    ),
]


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(("command", "others"), EMAIL)
def test_d4_a_command_takes_effect_in_its_turn(
    user: User, command: str, others: list[str], *, stream: bool
) -> None:
    turn = take(user, "a", command, stream=stream)
    assert [(item["kind"], item["outcome"]) for item in turn["commands"]] == [("set", "applied")]
    before = user.fields()
    assert before["user_profile.contact.email"]["value"] == "dev@abc.com"
    audit = user.get("/v1/audit")["items"]
    assert audit[0]["path"] == "user_profile.contact.email"
    assert "dev@abc.com" not in json.dumps(audit)
    for other in others:
        assert take(user, "a", other, stream=stream)["commands"] == []
    assert user.fields() == before


REPORTS = [
    pytest.param("所有报表用企业微信接收", "我上次说过报告怎么接收？", "企业微信", id="zh"),
    pytest.param(
        "Send all my reports through WeCom", "How did I say I receive my reports?", "WeCom", id="en"
    ),
]


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(("said", "asked", "wanted"), REPORTS)
def test_d11_the_next_session_knows_what_the_last_one_said(
    user: User, said: str, asked: str, wanted: str, *, stream: bool
) -> None:
    take(user, "monday", said, stream=stream)
    turn = take(user, "tuesday", asked, stream=stream)
    assert any(wanted in row["text"] for row in turn["recalled"])
    assert wanted in user.prompt("wednesday", asked)
    if turn["degraded"]:
        assert wanted in turn["reply"]["content"]


@pytest.mark.parametrize("after", ["flush"])
def test_d11_holds_after_the_archive(user: User, after: str) -> None:
    user.turn("monday", "所有报表用企业微信接收")
    assert [job["status"] for job in user.flush("monday")] == ["finished", "finished"], after
    turn = user.turn("tuesday", "我上次说过报告怎么接收？")
    assert any("企业微信" in row["text"] for row in turn["recalled"])


@pytest.mark.parametrize(
    ("said", "kind", "held", "asked"),
    [
        ("记住，价格必须含税", "constraint", "价格必须含税", "第二轮要怎么谈？"),
        ("Remember, prices must include tax", "constraint", "prices must include tax", "How do we open?"),
        ("记住：我喜欢靠窗的座位", "preference", "我喜欢靠窗的座位", "周末天气怎么样？"),
        ("Remember: I like the window seat", "preference", "I like the window seat", "How is the weather?"),
    ],
)
def test_what_is_remembered_stands_in_every_prompt_where_it_binds(
    user: User, said: str, kind: str, held: str, asked: str
) -> None:
    user.turn("a", said)
    assert [item["kind"] for item in user.get("/v1/memories")["items"]] == [kind]
    assert held in user.prompt("b", asked)
