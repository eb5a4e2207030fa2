"""What held before, a team's own words, and why a row was found: recall as the API shows it."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import httpx
import pytest

from tests.e2e.stack import Stack, User

pytestmark = pytest.mark.e2e

CONTRACT = {"terms", "neighbour", "date", "embedding", "importance", "recency", "access"}


class Move(NamedTuple):
    """Dialogue D12 in one language."""

    before: str
    after: str
    old: str
    new: str
    asks_now: str
    asks_past: str
    order: str


ZH = Move("我住北京", "我搬到上海了", "北京", "上海", "我住在哪里？", "我以前住哪？", "记住：")
EN = Move(
    "I live in York",
    "I moved to Leeds",
    "York",
    "Leeds",
    "Where do I live?",
    "Where did I live before?",
    "Remember: ",
)
MOVES = [pytest.param(ZH, id="zh"), pytest.param(EN, id="en")]


def lines_with(prompt: str, word: str) -> list[str]:
    return [line for line in prompt.splitlines() if word in line]


def past_of(user: User, query: str, text: str, **more: Any) -> dict[str, Any]:
    (hit,) = [hit for hit in user.search(query, **more) if hit["memory"]["text"] == text]
    past: dict[str, Any] = hit["past"]
    return past


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("move", MOVES)
def test_d12_the_newer_place_is_current_where_it_was_stored(user: User, move: Move, *, stream: bool) -> None:
    user.client.post("/v1/sessions/s1/turns", json={"message": move.order + move.before, "stream": stream})
    user.client.post("/v1/sessions/s2/turns", json={"message": move.order + move.after, "stream": stream})
    prompt = user.prompt("s3", move.asks_now)
    assert move.new in prompt
    for line in lines_with(prompt, move.old):
        assert move.new in line, line
    turn = user.turn("s3", move.asks_now)
    if turn["degraded"]:
        assert move.new in turn["reply"]["content"]
        for line in lines_with(turn["reply"]["content"], move.old):
            assert move.new in line, line


@pytest.mark.parametrize("is_archived", [False, True], ids=["tail", "archived"])
@pytest.mark.parametrize("move", MOVES)
def test_d12_holds_where_nothing_was_ever_confirmed(user: User, move: Move, *, is_archived: bool) -> None:
    user.turn("s1", move.before)
    user.turn("s2", move.after)
    if is_archived:
        for session in ("s1", "s2"):
            user.flush(session)
    lines = [line for line in user.prompt("s3", move.asks_now).splitlines() if line.startswith("- [")]
    assert any(move.after in line for line in lines), lines
    for line in lines_with("\n".join(lines), move.before):
        assert move.after in line, line


@pytest.mark.parametrize("move", MOVES)
def test_where_i_lived_before_is_found_with_its_dates(user: User, move: Move) -> None:
    user.turn("s1", move.order + move.before)
    user.turn("s2", move.order + move.after)
    past = past_of(user, move.asks_past, move.before)
    assert past["from"] < past["until"]
    assert (past["newer"], past["confirmed"]) == (move.after, True)
    (line,) = lines_with(user.prompt("s3", move.asks_past), f": {move.before} (")
    assert past["until"][:10] in line
    assert move.after in line
    assert move.before not in user.texts(move.asks_now)


@pytest.mark.parametrize("move", MOVES)
def test_a_search_as_of_a_moment_sees_what_held_then(user: User, move: Move) -> None:
    user.turn("s1", move.order + move.before)
    user.turn("s2", move.order + move.after)
    said = datetime.fromisoformat(past_of(user, move.asks_past, move.before)["from"])
    then = (said + timedelta(milliseconds=1)).isoformat()
    asked = f"{move.before} {move.after}"
    assert past_of(user, asked, move.before, as_of=then) is None
    assert not any(move.new in text for text in user.texts(asked, as_of=then))
    assert user.texts(asked, as_of="2001-01-01T00:00:00Z") == []


@pytest.mark.parametrize(
    ("stated", "changed", "asked"),
    [
        ("把预算上限设为50万", "把预算上限设为60万", "预算上限"),
        ("Set the budget ceiling to 500k", "Set the budget ceiling to 600k", "budget ceiling"),
    ],
)
def test_the_message_of_a_fields_former_value_says_what_took_its_place(
    user: User, stated: str, changed: str, asked: str
) -> None:
    user.turn("s1", stated)
    user.turn("s2", changed)
    assert user.fields()["business_context.budget.ceiling"]["value"] == 600_000
    assert past_of(user, asked, stated)["newer"] == "600000"
    assert past_of(user, asked, changed) is None


def test_a_hit_says_why_whose_and_where_from(user: User) -> None:
    user.turn("s1", "记住：报销截止日是25号")
    user.client.post("/v1/memories", json={"text": "Reports go out on Fridays"})
    for query in ("报销截止日", "when do reports go out"):
        hit = user.search(query, explain=True, scopes=["user"])[0]
        assert hit["why"].keys() >= CONTRACT
        assert all(isinstance(part, float | int) for part in hit["why"].values())
        assert hit["why"]["terms"] > 0
        assert hit["scope"] == "user"
        assert hit["source"].keys() == {"session_id", "message_ids", "quote", "said_at"}
        assert "why" not in user.search(query)[0]
    spoken = user.search("报销截止日")[0]["source"]
    assert spoken["session_id"] == "s1"
    assert "报销截止日是25号" in spoken["quote"]
    said = {message["id"] for message in user.history("s1")}
    assert set(spoken["message_ids"]) <= said


def test_a_memory_and_its_message_are_one_answer(user: User) -> None:
    user.turn("s1", "记住：报销截止日是25号")
    user.turn("s2", "Remember: rent is due on the 3rd")
    for query in ("报销截止日", "when is rent due"):
        kinds = [hit["memory"]["kind"] for hit in user.search(query) if hit["source"]["quote"]]
        spoken = [hit for hit in user.search(query) if hit["memory"]["origin"] == "user"]
        assert len(spoken) == 1, kinds


BAD_QUERIES = [
    pytest.param("", 422, id="empty"),
    pytest.param("   ", None, id="blank"),
    pytest.param("x" * 10_000, None, id="10,000 characters"),
    pytest.param("报" * 10_000, None, id="10,000 Chinese characters"),
    pytest.param("x" * 10_001, 422, id="too long"),
    pytest.param("the of and to", None, id="stop words"),
    pytest.param("的 了 吗 什么", None, id="Chinese stop words"),
    pytest.param("😀🎉👍", None, id="emoji"),
    pytest.param('"NEAR(" * OR -', None, id="operators"),
    pytest.param('NEAR("a" "b", 3) AND ^c* : {d e} NOT f', None, id="all operators"),
    pytest.param("terms : secret", None, id="a column"),
    pytest.param("' OR 1=1 --", None, id="SQL"),
    pytest.param("\ufeff\u200b", None, id="nothing visible"),
    pytest.param("a\u0000b", 422, id="NUL"),
    pytest.param("。，！？", None, id="punctuation"),
]


@pytest.mark.parametrize(("query", "status"), BAD_QUERIES)
def test_any_query_has_a_defined_answer(plain_stack: Stack, query: str, status: int | None) -> None:
    mine, other = (plain_stack.user(f"q-{uuid.uuid4().hex[:8]}") for _ in range(2))
    for user in (mine, other):
        user.turn("s1", "记住：报销截止日是25号 NEAR OR terms secret x 😀")
    ours = {item["id"] for item in mine.get("/v1/memories")["items"]}
    ours |= {message["id"] for message in mine.history("s1")}
    for more in ({}, {"limit": 100}, {"explain": True, "limit": 1}):
        answer = mine.client.post("/v1/memories/search", json={"query": query, **more})
        assert answer.status_code in {200, status or 422}, answer.text
        if answer.status_code == 200:
            assert {hit["memory"]["id"] for hit in answer.json()["items"]} <= ours
        else:
            assert answer.json()["field"] == "query"


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"limit": 0}, "limit"),
        ({"limit": 10_000}, "limit"),
        ({"limit": "5"}, "limit"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["team:x"]}, "scopes.0"),
        ({"as_of": "yesterday"}, "as_of"),
        ({"explain": "yes"}, "explain"),
    ],
)
def test_a_bad_search_names_its_field(plain_stack: Stack, more: dict[str, Any], field: str) -> None:
    user = plain_stack.user(f"q-{uuid.uuid4().hex[:8]}")
    answer = user.client.post("/v1/memories/search", json={"query": "x", **more})
    assert (answer.status_code, answer.json()["field"]) == (422, field), answer.text


@pytest.fixture
def admin(plain_stack: Stack) -> Iterator[httpx.Client]:
    """An admin who leaves the table of synonyms as it was."""
    with plain_stack.admin() as client:
        before = client.get("/v1/synonyms").json()["groups"]
        yield client
        client.put("/v1/synonyms", json={"groups": before})


def test_a_team_finds_its_own_words_from_the_next_query_on(plain_stack: Stack, admin: httpx.Client) -> None:
    user = plain_stack.user(f"words-{uuid.uuid4().hex[:8]}")
    user.turn("s1", "星火系统周五停机")
    assert user.texts("CRM什么时候维护") == []
    table = admin.get("/v1/synonyms").json()
    groups = [["星火", "CRM"], ["停机", "维护"]]
    put = admin.put("/v1/synonyms", json={"groups": groups, "version": table["version"]})
    assert put.json() == {"version": table["version"] + 1, "groups": groups}
    assert admin.get("/v1/synonyms").json() == put.json()
    assert "星火系统周五停机" in user.texts("CRM什么时候维护")
    assert "星火系统周五停机" in user.prompt("s2", "CRM什么时候维护")
    moved = admin.put("/v1/synonyms", json={"groups": [], "version": table["version"]})
    assert (moved.status_code, moved.json()["code"]) == (409, "version_conflict")
    assert admin.put("/v1/synonyms", json={"groups": []}).json()["groups"] == []
    assert user.texts("CRM什么时候维护") == []
    assert admin.get("/v1/audit/verify").json()["ok"] is True


@pytest.mark.parametrize(
    ("groups", "field"),
    [
        ([["报表"]], "groups.0"),
        ([["报表", "报表"]], "groups.0"),
        ([["a", "b"], ["报表", "！！"]], "groups.1"),
        ([["报表", "x" * 41]], "groups.0.1"),
        ([["报表", ""]], "groups.0.1"),
        ([[str(number) for number in range(21)]], "groups.0"),
        ([["a", "b"]] * 501, "groups"),
        ("报表", "groups"),
    ],
)
def test_a_bad_table_is_refused_by_name(admin: httpx.Client, groups: Any, field: str) -> None:
    before = admin.get("/v1/synonyms").json()
    answer = admin.put("/v1/synonyms", json={"groups": groups})
    assert (answer.status_code, answer.json()["field"]) == (422, field), answer.text
    assert admin.get("/v1/synonyms").json() == before


def test_only_an_admin_sees_and_puts_the_table(plain_stack: Stack, admin: httpx.Client) -> None:
    made = admin.post("/v1/keys", json={"permissions": ["chat", "memory:read"]}).json()
    narrow = plain_stack.user("narrow", key=made["key"])
    assert narrow.client.get("/v1/synonyms").status_code == 403
    assert narrow.client.put("/v1/synonyms", json={"groups": []}).status_code == 403


def test_reindex_runs_on_demand_and_says_that_nothing_waits(plain_stack: Stack, admin: httpx.Client) -> None:
    order = admin.post("/v1/jobs/run", json={"job": "reindex"}).json()
    done = plain_stack.user("anybody").job(order["job_id"])
    assert done["status"] == "finished", done
    assert (done["result"]["is_done"], done["result"]["changed"]) == (True, 0)


@pytest.mark.parametrize(
    ("stated", "asked", "related"),
    [
        ("记住：回复尽量简短", "今天天气怎么样？", "我说过回复要简短吗？"),
        ("Remember: keep your answers short", "How is the weather?", "Did I ask for short answers?"),
    ],
)
def test_standing_memory_is_in_the_prompt_whatever_is_asked_and_once(
    user: User, stated: str, asked: str, related: str
) -> None:
    user.turn("s1", stated)
    (memory,) = user.get("/v1/memories", kind="preference")["items"]
    assert f"- {memory['text']}" in user.prompt("s2", asked).splitlines()
    assert user.prompt("s2", related).count(memory["text"]) == 1
    recalled = user.turn("s3", related)["recalled"]
    assert memory["id"] in {row["id"] for row in recalled}
