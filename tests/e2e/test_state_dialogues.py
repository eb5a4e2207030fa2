"""Structured state as whole dialogues over HTTP: zh and en, whole and streamed, with a model and without."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.e2e.stack import Stack, User
from tests.e2e.test_dialogues import take
from tests.fakes.upstream import Upstream

pytestmark = pytest.mark.e2e

BUDGET = "business_context.budget.ceiling"
PHASE = "business_context.phase"
DEADLINE = "business_context.deadline"
both_ways = pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])


def last_paragraph(turn: dict[str, Any]) -> str:
    text: str = turn["reply"]["content"]
    return text.rsplit("\n\n", maxsplit=1)[-1]


def put(user: User, path: str, value: Any) -> dict[str, Any]:
    answer = user.client.put(f"/v1/fields/{path}", json={"value": value})
    assert answer.status_code == 200, answer.text
    result: dict[str, Any] = answer.json()
    return result


def pending(user: User, status: str = "open") -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = user.get("/v1/pending", status=status)["items"]
    return items


@pytest.fixture
def clock(stack: Stack) -> Iterator[Any]:
    """Moves the stack's clock, and moves it back."""
    with stack.admin() as admin:

        def move(moment: str) -> None:
            admin.post("/v1/test/clock", json={"now": moment}).raise_for_status()

        yield move
        move(datetime.now(UTC).isoformat())


PROPOSED = [
    pytest.param("总预算控制在五十万以内", "确认", "预算", id="zh"),
    pytest.param("Our total budget is half a million", "yes", "budget", id="en"),
]


@both_ways
@pytest.mark.parametrize(("said", "yes", "label"), PROPOSED)
def test_d2_a_statement_waits_and_a_bare_yes_confirms_it(
    user: User, said: str, yes: str, label: str, *, stream: bool
) -> None:
    turn = take(user, "a", said, stream=stream)
    (update,) = turn["pending"]
    assert (update["path"], update["new"], update["quote"]) == (BUDGET, 500000, said)
    assert (update["status"], update["old"]) == ("open", None)
    assert turn["asks_pending"] == [update["id"]]
    assert label in last_paragraph(turn)
    assert "500,000" in last_paragraph(turn)
    assert said in last_paragraph(turn)
    assert last_paragraph(turn).endswith(("?", "？"))
    assert user.fields() == {}
    assert "500" not in user.prompt("b", "hello there")
    assert user.history("a")[-1]["asks_pending"] == [update["id"]]
    done = take(user, "a", yes, stream=stream)
    assert [(each["kind"], each["outcome"], each["new"]) for each in done["commands"]] == [
        ("confirm", "applied", 500000)
    ]
    field = user.fields()[BUDGET]
    assert field["value"] == 500000
    assert field["confirmed_at"] is not None
    assert (field["origin"], field["source"]["quote"]) == ("user", said)
    entry = user.get("/v1/audit", path=BUDGET)["items"][0]
    assert entry["details"]["quote"] == said
    assert [each["id"] for each in pending(user, "confirmed")] == [update["id"]]
    assert "500,000" in user.prompt("b", "hello there")


CHANGED = [
    pytest.param("预算改成60万", "对，改吧", "好的，谢谢", id="zh"),
    pytest.param("change the budget to 600k", "yes, go ahead", "ok, thanks", id="en"),
]


@both_ways
@pytest.mark.parametrize(("said", "yes", "thanks"), CHANGED)
def test_d3_a_contradiction_stops_and_asks_and_can_be_undone(
    request: pytest.FixtureRequest, user: User, said: str, yes: str, thanks: str, *, stream: bool
) -> None:
    del thanks
    before = put(user, BUDGET, 500000)
    upstream: Upstream = request.getfixturevalue("upstream")
    asked_before = len(upstream.requests)
    turn = take(user, "a", said, stream=stream)
    assert len(upstream.requests) == asked_before
    assert "500,000" in turn["reply"]["content"]
    assert "600,000" in turn["reply"]["content"]
    assert [notice["kind"] for notice in turn["notices"]] == ["conflict"]
    assert not turn["degraded"]
    assert user.fields()[BUDGET]["value"] == 500000
    done = take(user, "a", yes, stream=stream)
    assert done["commands"][0]["old"] == 500000
    field = user.fields()[BUDGET]
    assert (field["value"], field["version"]) == (600000, 2)
    earlier = user.get("/v1/fields", as_of=before["valid_from"])["items"]
    assert [item["value"] for item in earlier] == [500000]
    undone = user.client.post(f"/v1/fields/{BUDGET}/undo")
    assert (undone.status_code, undone.json()["value"], undone.json()["version"]) == (200, 500000, 3)


@both_ways
@pytest.mark.parametrize(("said", "yes", "thanks"), CHANGED)
def test_d3_thanks_change_nothing_and_the_proposal_stays(
    user: User, said: str, yes: str, thanks: str, *, stream: bool
) -> None:
    del yes
    put(user, BUDGET, 500000)
    turn = take(user, "a", said, stream=stream)
    answer = take(user, "a", thanks, stream=stream)
    assert answer["commands"] == []
    assert answer["asks_pending"] == []
    assert user.fields()[BUDGET]["value"] == 500000
    assert [update["id"] for update in pending(user)] == turn["asks_pending"]


PHASES = [
    pytest.param("项目阶段是设计评审", "没错", "取消记住项目阶段", "设计评审", id="zh"),
    pytest.param(
        "The project phase is design review", "correct", "Forget the project phase", "design review", id="en"
    ),
]


@both_ways
@pytest.mark.parametrize(("said", "yes", "forget", "value"), PHASES)
def test_d5_what_was_confirmed_and_forgotten_stays_gone(
    user: User, said: str, yes: str, forget: str, value: str, *, stream: bool
) -> None:
    put(user, "business_context.project_id", "PROJ-7")
    take(user, "a", said, stream=stream)
    take(user, "a", yes, stream=stream)
    assert user.fields()[PHASE]["value"] == value
    turn = take(user, "a", forget, stream=stream)
    assert [(each["kind"], each["path"], each["outcome"]) for each in turn["commands"]] == [
        ("forget", PHASE, "applied")
    ]
    assert PHASE not in user.fields()
    versions = user.get(f"/v1/fields/{PHASE}/history")["items"]
    assert [version["value"] for version in versions] == [value, None]
    again = take(user, "a", said, stream=stream)
    assert again["pending"] == []
    assert pending(user) == []
    assert PHASE not in user.fields()


PROGRESS = [
    pytest.param("项目进度如何？", "4月10日", "截止日", id="zh"),
    pytest.param("How is the project going?", "April 10", "deadline", id="en"),
]


@both_ways
@pytest.mark.parametrize(("asked", "answer", "label"), PROGRESS)
def test_d6_a_passed_deadline_is_told_once_a_day_and_a_new_one_is_asked_for(
    user: User, clock: Any, asked: str, answer: str, label: str, *, stream: bool
) -> None:
    clock("2024-03-01T02:00:00Z")
    put(user, "business_context.project_id", "PROJ-7")
    put(user, DEADLINE, "2024-03-15")
    clock("2024-03-20T02:00:00Z")
    turn = take(user, "a", asked, stream=stream)
    assert [notice["kind"] for notice in turn["notices"] if notice["kind"] != "degraded"] == ["expired"]
    assert label in last_paragraph(turn)
    assert last_paragraph(turn).endswith(("?", "？"))
    done = take(user, "a", answer, stream=stream)
    assert "expired" not in [notice["kind"] for notice in done["notices"]]
    assert user.fields()[DEADLINE]["value"] == "2024-04-10"


def test_d6_the_next_day_tells_again_and_another_session_does_not(user: User, clock: Any) -> None:
    clock("2024-03-01T02:00:00Z")
    put(user, DEADLINE, "2024-03-15")
    clock("2024-03-20T02:00:00Z")

    def told(session_id: str) -> int:
        return [notice["kind"] for notice in user.turn(session_id, "你好")["notices"]].count("expired")

    kinds = [told(session_id) for session_id in ("a", "b", "a")]
    assert user.get("/v1/heartbeat", session_id="a")["notices"] == []
    clock("2024-03-21T02:00:00Z")
    heard = user.get("/v1/heartbeat", session_id="a")["notices"]
    assert [notice["kind"] for notice in heard] == ["expired"]
    assert [*kinds, told("a")] == [1, 0, 0, 1]


CONTRACTS = [
    pytest.param("帮我看看这份合同", "项目编号", "PROJ-2024-001", id="zh"),
    pytest.param("Please look at this contract", "project id", "PROJ-2024-001", id="en"),
]


@both_ways
@pytest.mark.parametrize(("said", "label", "answer"), CONTRACTS)
def test_d7_what_a_task_requires_is_asked_for_before_working(
    user: User, said: str, label: str, answer: str, *, stream: bool
) -> None:
    put(user, "current_task.type", "contract_review")
    put(user, DEADLINE, "2099-01-01")
    turn = take(user, "a", said, stream=stream)
    missing = [notice for notice in turn["notices"] if notice["kind"] == "missing"]
    assert [notice["path"] for notice in missing] == ["business_context.project_id"]
    assert label in last_paragraph(turn).lower()
    assert turn["reply"]["content"].lower().count(label) == 1
    assert f"{label}: UNFILLED" in user.prompt("a", said)
    take(user, "a", answer, stream=stream)
    assert user.fields()["business_context.project_id"]["value"] == answer
    assert "UNFILLED" not in user.prompt("a", said)


SOURCES = [
    pytest.param("记住，预算上限是50万", "你怎么知道我的预算？", id="zh"),
    pytest.param("Remember, the budget is 500k", "How do you know my budget?", id="en"),
]


@both_ways
@pytest.mark.parametrize(("said", "asked"), SOURCES)
def test_d16_how_do_you_know_answers_with_quote_date_and_session(
    user: User, said: str, asked: str, *, stream: bool
) -> None:
    take(user, "first-talk", said, stream=stream)
    day = user.fields()[BUDGET]["valid_from"][:10]
    prompt = user.prompt("b", asked)
    quote = user.fields()[BUDGET]["source"]["quote"]
    assert quote in said
    note = next(line for line in prompt.splitlines() if "first-talk" in line)
    assert quote in note
    assert day in note
    turn = take(user, "b", asked, stream=stream)
    if turn["degraded"]:
        assert quote in turn["reply"]["content"]
        assert day in turn["reply"]["content"]
        assert "first-talk" in turn["reply"]["content"]


IDENTITIES = [
    pytest.param("我的身份证号是110101199003071234，记住", id="zh"),
    pytest.param("Remember my id number is 110101199003071234", id="en"),
]


@both_ways
@pytest.mark.parametrize("said", IDENTITIES)
def test_d18_only_the_masked_form_of_a_secret_is_kept(
    stack: Stack, user: User, said: str, *, stream: bool
) -> None:
    secret, masked = "110101199003071234", "110101********1234"
    turn = take(user, "a", said, stream=stream)
    assert "sealed" in [notice["kind"] for notice in turn["notices"]]
    assert "打码" in turn["reply"]["content"] or "masked" in turn["reply"]["content"]
    memories = json.dumps(user.get("/v1/memories")["items"], ensure_ascii=False)
    assert masked in memories
    assert secret not in memories
    assert secret not in json.dumps(user.get("/v1/audit")["items"])
    assert secret not in user.prompt("b", "身份证 id number")
    user.flush("a")
    assert secret not in json.dumps(user.search("身份证号 id number"))
    assert any(masked in text for text in user.texts("身份证号 id number"))
    assert secret not in json.dumps(user.history("a")[0])
    for log in stack.logs.iterdir():
        assert secret not in log.read_text("utf-8")


TRIPS = [
    pytest.param(
        "北京到上海机票多少钱", "1,180 元", "本次差旅按1200元/人", "记住，本次差旅按1200元/人", id="zh"
    ),
    pytest.param(
        "What is the flight from Beijing to Shanghai?",
        "1,180 yuan",
        "The travel budget is 1200 per person",
        "Remember, the travel budget is 1200 per person",
        id="en",
    ),
]


@both_ways
@pytest.mark.parametrize(("asked", "result", "said", "command"), TRIPS)
def test_d19_a_tools_number_is_no_fact_and_the_users_own_waits(
    user: User, asked: str, result: str, said: str, command: str, *, stream: bool
) -> None:
    path = "business_context.budget.per_person"
    assert take(user, "a", asked, stream=stream)["pending"] == []
    calls = [{"id": "c1", "type": "function", "function": {"name": "fares", "arguments": "{}"}}]
    appended = user.client.post(
        "/v1/sessions/a/messages",
        json={
            "messages": [
                {"role": "assistant", "content": None, "tool_calls": calls},
                {"role": "tool", "content": result, "tool_call_id": "c1"},
            ]
        },
    ).json()
    assert appended["pending"] == []
    assert pending(user) == []
    (update,) = take(user, "a", said, stream=stream)["pending"]
    assert (update["path"], update["new"]) == (path, 1200)
    assert user.fields() == {}
    take(user, "b", command, stream=stream)
    assert user.fields()[path]["value"] == 1200


INDUSTRIES = [
    pytest.param("我司主营SaaS服务", "记住：公司所属行业是SaaS", id="zh"),
    pytest.param("We mainly sell SaaS", "Remember: our company industry is SaaS", id="en"),
]


@both_ways
@pytest.mark.parametrize(("said", "command"), INDUSTRIES)
def test_d20_what_would_have_to_be_inferred_is_not_stored(
    user: User, said: str, command: str, *, stream: bool
) -> None:
    turn = take(user, "a", said, stream=stream)
    assert turn["pending"] == []
    assert user.fields() == {}
    take(user, "a", command, stream=stream)
    assert user.fields()["user_profile.company.industry"]["value"] == "SaaS"
