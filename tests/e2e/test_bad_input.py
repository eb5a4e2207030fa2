"""Bad input: a 4xx problem that names the field, and nothing stored."""

from __future__ import annotations

import re
import uuid
from typing import Any

import httpx
import pytest

from tests.e2e.stack import NO_TLS, Stack, User
from tests.test_wrong_values import WORDS_OF_PYTHON

pytestmark = pytest.mark.e2e

TURN = "/v1/sessions/s1/turns"
BODIES = [
    pytest.param(TURN, {"message": ""}, 422, "message", id="empty"),
    pytest.param(TURN, {"message": " \n\u3000"}, 422, "message", id="blank"),
    pytest.param("/v1/memories", {"text": " \u200b "}, 422, "text", id="blank memory"),
    pytest.param(TURN, {"message": "x" * 32_001}, 413, "message", id="too long"),
    pytest.param(TURN, {"message": 7}, 422, "message", id="a number"),
    pytest.param(TURN, {"message": ["x"]}, 422, "message", id="a list"),
    pytest.param(TURN, {}, 422, "message", id="missing"),
    pytest.param(TURN, [], 422, "body", id="no object"),
    pytest.param(TURN, {"message": "x", "mesage": "y"}, 422, "mesage", id="unknown field"),
    pytest.param(TURN, {"message": "x", "stream": "yes"}, 422, "stream", id="a word for a flag"),
    pytest.param(TURN, {"message": "x", "timezone": "Mars/Base"}, 422, "timezone", id="unknown zone"),
    pytest.param("/v1/sessions/s%2F1/turns", {"message": "x"}, 422, "session_id", id="slash"),
    pytest.param("/v1/sessions/a%20b/turns", {"message": "x"}, 422, "session_id", id="space"),
    pytest.param("/v1/sessions/%E6%88%BF/turns", {"message": "x"}, 422, "session_id", id="cjk"),
    pytest.param("/v1/sessions/%2E/turns", {"message": "x"}, 422, "session_id", id="one dot"),
    pytest.param("/v1/sessions/%2E%2E/turns", {"message": "x"}, 422, "session_id", id="two dots"),
    pytest.param(f"/v1/sessions/{'s' * 129}/turns", {"message": "x"}, 422, "session_id", id="129"),
    pytest.param("/v1/sessions/s1/messages", {"messages": []}, 422, "messages", id="no messages"),
    pytest.param(
        "/v1/sessions/s1/messages",
        {"messages": [{"role": "wizard", "content": "x"}]},
        422,
        "messages.0.role",
        id="unknown role",
    ),
    *(
        pytest.param(
            "/v1/sessions/s1/messages",
            {"messages": [{"role": role, "content": content}]},
            422,
            "messages.0.content",
            id=f"blank {role} {number}",
        )
        for role in ("user", "assistant", "system")
        for number, content in enumerate(
            (None, "", " \n\u3000\u200b", [{"type": "text", "text": " "}, {"type": "text", "text": ""}])
        )
    ),
    pytest.param(
        "/v1/sessions/s1/messages",
        {"messages": [{"role": "user", "content": "x", "created_at": "2999-01-01T00:00:00Z"}]},
        422,
        "messages.0.created_at",
        id="said in the future",
    ),
    pytest.param("/v1/memories", {"text": ""}, 422, "text", id="empty memory"),
    pytest.param(
        "/v1/memories", {"text": "x", "expires_at": "2001-01-01T00:00:00Z"}, 422, "expires_at", id="past"
    ),
    pytest.param("/v1/memories/search", {"query": ""}, 422, "query", id="empty query"),
    pytest.param("/v1/memories/search", {"query": "x", "limit": 0}, 422, "limit", id="limit 0"),
    pytest.param("/v1/memories/search", {"query": "x", "limit": 10_000}, 422, "limit", id="limit 10000"),
    pytest.param("/v1/memories/search", {"query": "x", "kinds": []}, 422, "kinds", id="no kind"),
    pytest.param("/v1/memories/search", {"query": "x", "kinds": ["fakt"]}, 422, "kinds.0", id="unknown kind"),
    *(
        pytest.param(
            "/v1/memories/search",
            {"query": "x", "since": "2024-03-02T00:00:00+08:00", end: "2024-03-01T15:59:59Z"},
            422,
            "since",
            id=f"since after {end}",
        )
        for end in ("until", "as_of")
    ),
]


@pytest.fixture
def user(plain_stack: Stack) -> User:
    return plain_stack.user(f"bad-{uuid.uuid4().hex[:8]}")


def assert_problem(answer: httpx.Response, status: int, field: str | None) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem: dict[str, Any] = answer.json()
    assert problem["status"] == status
    assert problem["code"]
    assert problem["request_id"] == answer.headers["x-request-id"]
    assert problem.get("field") == field
    assert not WORDS_OF_PYTHON.search(problem["detail"]), problem["detail"]
    return problem


@pytest.mark.parametrize(("path", "body", "status", "field"), BODIES)
def test_a_bad_body_names_its_field_and_stores_nothing(
    user: User, path: str, body: Any, status: int, field: str
) -> None:
    assert_problem(user.client.post(path, json=body), status, field)
    assert user.get("/v1/sessions")["items"] == []
    assert user.get("/v1/memories")["items"] == []


def test_a_body_over_8_mb_is_413(user: User) -> None:
    body = b'{"message": "' + b"x" * (8 * 1024 * 1024) + b'"}'
    answer = user.client.post(TURN, content=body, headers={"Content-Type": "application/json"})
    assert_problem(answer, 413, "body")


KEYS = [None, "Bearer", "Bearer bl_wrong", "Basic abc", "bl_wrong"]


@pytest.mark.parametrize("credential", KEYS)
def test_no_key_or_a_wrong_one_is_401(plain_stack: Stack, credential: str | None) -> None:
    headers = {"Bilayer-User": "u"} | ({"Authorization": credential} if credential else {})
    for path in ("/v1/fields", "/v1/sessions", "/v1/jobs", "/v1/lag"):
        answer = httpx.get(f"{plain_stack.url}{path}", headers=headers, verify=NO_TLS)
        assert answer.status_code == 401
        assert answer.json()["code"] == "unauthenticated"


@pytest.mark.parametrize("body", [b"{not json", b'{"message": 5}', b"x" * 100])
def test_who_has_no_good_key_learns_nothing_of_what_is_wrong_with_the_body(
    plain_stack: Stack, body: bytes
) -> None:
    headers = {"Authorization": "Bearer bl_wrong", "Bilayer-User": "u", "Content-Type": "application/json"}
    answer = httpx.post(f"{plain_stack.url}{TURN}", headers=headers, content=body, verify=NO_TLS)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert answer.headers["X-Request-Id"]


def test_lists_that_are_read_whole_come_in_pages_too(plain_stack: Stack) -> None:
    with plain_stack.admin() as admin:
        labels = [f"page-{number}" for number in range(3)]
        for label in labels:
            assert admin.post("/v1/keys", json={"label": label, "permissions": ["chat"]}).status_code == 201
        seen: list[str] = []
        cursor = None
        while True:
            asked: dict[str, Any] = {"limit": 2, "cursor": cursor} if cursor else {"limit": 2}
            page = admin.get("/v1/keys", params=asked).json()
            assert len(page["items"]) <= 2
            seen += [key["label"] for key in page["items"]]
            cursor = page["next_cursor"]
            if cursor is None:
                break
        assert [label for label in seen if label in labels] == labels
        assert len(seen) == len(admin.get("/v1/keys", params={"limit": 200}).json()["items"])
        for path in ("/v1/keys", "/v1/snapshots"):
            assert_problem(admin.get(path, params={"cursor": "bm9uZQ"}), 422, "cursor")
            assert_problem(admin.get(path, params={"limit": 0}), 422, "limit")


def test_blanks_are_kept_where_they_say_something(user: User) -> None:
    call = {"id": "c1", "function": {"name": "run", "arguments": "{}"}}
    picture = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
    messages = [
        {"role": "user", "content": [{"type": "text", "text": " "}, picture]},
        {"role": "assistant", "content": " ", "tool_calls": [call]},
        {"role": "tool", "content": "\n", "tool_call_id": "c1"},
    ]
    answer = user.client.post("/v1/sessions/s1/messages", json={"messages": messages})
    assert answer.status_code == 201, answer.text


def test_an_unknown_query_parameter_is_refused_by_every_route_that_reads(plain_stack: Stack) -> None:
    with plain_stack.admin() as admin:
        admin.headers["Bilayer-User"] = "queries"
        paths = admin.get("/openapi.json").json()["paths"]
        reads = [path for path, methods in paths.items() if path.startswith("/v1/") and "get" in methods]
        assert len(reads) > 20
        for path in reads:
            answer = admin.get(re.sub(r"\{\w+\}", "x", path), params={"statuss": "all"})
            problem = assert_problem(answer, 422, "statuss")
            taken = [
                each["name"] for each in paths[path]["get"].get("parameters", []) if each["in"] == "query"
            ]
            assert all(name in problem["detail"] for name in taken)
        answer = admin.delete("/v1/memories", params={"confirm": "all", "dry_run": "1"})
        assert_problem(answer, 422, "dry_run")
        assert admin.get("/healthz", params={"at": "1"}).status_code == 200


def test_all_statuses_are_listed_and_an_unknown_one_names_them(user: User) -> None:
    former = user.client.post("/v1/memories", json={"text": "我住在北京"}).json()["id"]
    user.say("s1", "更正：我住在上海")
    listed = {item["id"]: item["status"] for item in user.get("/v1/memories", status="all")["items"]}
    assert listed.pop(former) == "superseded"
    assert set(listed.values()) == {"active"}
    problem = assert_problem(user.client.get("/v1/memories", params={"status": "gone"}), 422, "status")
    assert all(name in problem["detail"] for name in ("active", "superseded", "expired", "faded", "all")), (
        problem["detail"]
    )


def test_a_probe_may_ask_for_the_head_alone(plain_stack: Stack) -> None:
    for path in ("/healthz", "/readyz"):
        answer = httpx.head(f"{plain_stack.url}{path}")
        assert (answer.status_code, answer.content) == (200, b"")
    assert httpx.head(f"{plain_stack.url}/metrics").status_code == 405


def test_who_changed_the_synonyms_is_read_in_the_tenants_audit(plain_stack: Stack) -> None:
    with plain_stack.admin() as admin:
        groups = admin.get("/v1/synonyms").json()["groups"]
        put = admin.put("/v1/synonyms", json={"groups": groups})
        assert put.status_code == 200
        line, *_ = admin.get("/v1/audit", params={"scope": "tenant"}).json()["items"]
        assert (line["action"], line["request_id"]) == ("synonyms.set", put.headers["x-request-id"])
        assert line["actor"].startswith("key_")
        user_required = assert_problem(admin.get("/v1/audit"), 400, "Bilayer-User")
        assert user_required["code"] == "user_required"
        made = admin.post("/v1/keys", json={"label": "reads", "permissions": ["memory:read"]}).json()
    reader = plain_stack.user("audited", key=made["key"])
    assert reader.client.get("/v1/audit", params={"scope": "tenant"}).status_code == 403


def test_a_key_lacks_what_it_was_not_given(plain_stack: Stack) -> None:
    with plain_stack.admin() as admin:
        made = admin.post("/v1/keys", json={"label": "chat", "permissions": ["chat"]}).json()
        chat = plain_stack.user(f"narrow-{uuid.uuid4().hex[:8]}", key=made["key"])
        assert chat.say("s1", "hello")
        assert chat.client.get("/v1/memories").status_code == 403
        assert chat.client.post("/v1/memories", json={"text": "x"}).status_code == 403
        assert chat.client.get("/v1/jobs").status_code == 403
        assert admin.delete(f"/v1/keys/{made['id']}").status_code == 204
        assert chat.client.get("/v1/sessions").status_code == 401


@pytest.mark.parametrize("header", [None, ""])
def test_a_service_key_names_its_user(plain_stack: Stack, header: str | None) -> None:
    with plain_stack.admin() as admin:
        headers = {} if header is None else {"Bilayer-User": header}
        answer = admin.post(TURN, json={"message": "x"}, headers=headers)
        assert_problem(answer, 400, "Bilayer-User")
        assert answer.json()["code"] == "user_required"


@pytest.mark.parametrize("raw", [b"%E5%BC%A0%E4%B8%89", "张三".encode()])
def test_a_user_id_of_any_script_is_the_same_user_in_both_spellings(plain_stack: Stack, raw: bytes) -> None:
    with plain_stack.admin() as admin:
        answer = admin.post(TURN, json={"message": "x"}, headers=[(b"Bilayer-User", raw)])
        assert answer.status_code == 200
        listed = admin.get("/v1/sessions", headers=[(b"Bilayer-User", b"%E5%BC%A0%E4%B8%89")])
        assert [item["session_id"] for item in listed.json()["items"]] == ["s1"]


@pytest.mark.parametrize("user_id", ["x" * 129, "a%00b", "a%0Ab"])
def test_a_bad_user_id_is_422(plain_stack: Stack, user_id: str) -> None:
    with plain_stack.admin() as admin:
        answer = admin.post(TURN, json={"message": "x"}, headers={"Bilayer-User": user_id})
        assert_problem(answer, 422, "Bilayer-User")


def test_an_unknown_path_names_the_nearest_one(user: User) -> None:
    answer = user.client.put("/v1/fields/business_context.budget.cieling", json={"value": 5})
    problem = assert_problem(answer, 422, "path")
    assert "business_context.budget.ceiling" in problem["detail"]


@pytest.mark.parametrize("value", [{"a": 1}, -5_000, "负五千"])
def test_a_value_that_the_field_cannot_have_is_422(user: User, value: object) -> None:
    answer = user.client.put("/v1/fields/business_context.budget.ceiling", json={"value": value})
    assert_problem(answer, 422, "value")


def test_a_stale_version_is_409(user: User) -> None:
    path = "/v1/fields/business_context.budget.ceiling"
    assert user.client.put(path, json={"value": 500_000, "if_version": 0}).json()["version"] == 1
    answer = user.client.put(path, json={"value": 600_000, "if_version": 0})
    assert answer.status_code == 409
    assert answer.json()["code"] == "version_conflict"


@pytest.mark.parametrize(
    "path", ["/v1/nothing", "/v1/sessions/none", "/v1/memories/mem_none", "/v1/jobs/job_none"]
)
def test_what_is_not_there_is_404(user: User, path: str) -> None:
    answer = user.client.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


MESSAGES = "/v1/sessions/s1/messages"
UNSTORABLE = [
    (MESSAGES, r'{"messages":[{"role":"user","content":[{"type":"text","text":"\ud800"}]}]}'),
    (MESSAGES, r'{"messages":[{"role":"user","content":[{"type":"text","text":"a\u0000"}]}]}'),
    (MESSAGES, '{"messages":[{"role":"user","content":[{}]}]}'),
    (MESSAGES, '{"messages":[{"role":"user","content":[{"type":"text","text":5}]}]}'),
    (MESSAGES, '{"messages":[{"role":"assistant","content":null,"tool_calls":[{}]}]}'),
    (MESSAGES, '{"messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":7}]}]}'),
    (
        MESSAGES,
        r'{"messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"a","x":{"y":"\ud800"}}]}]}',
    ),
    (MESSAGES, '{"messages":[{"role":"user","content":"x","created_at":"0001-01-01T00:00:00+14:00"}]}'),
    (TURN, r'{"message":"x","metadata":{"a":"\ud800"}}'),
    (TURN, '{"message":"x","metadata":{"a":NaN}}'),
    (TURN, '{"message":"x","metadata":{"a":' + "[" * 100 + "]" * 100 + "}}"),
    ("/v1/memories", '{"text":"x","expires_at":"9999-12-31T23:59:59-14:00"}'),
]


@pytest.mark.parametrize(("path", "body"), UNSTORABLE)
def test_what_no_store_can_hold_is_422_wherever_it_hides(user: User, path: str, body: str) -> None:
    answer = user.client.post(path, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422, answer.text
    assert answer.json()["field"]
    assert user.get("/v1/sessions")["items"] == []
    assert user.get("/v1/memories")["items"] == []


@pytest.mark.parametrize("value", [r'"a\u0000"', r'"\ud800"', r'["a\u0000"]'])
def test_a_field_takes_no_unstorable_text(user: User, value: str) -> None:
    answer = user.client.put(
        "/v1/fields/user_profile.role",
        content=f'{{"value": {value}}}',
        headers={"Content-Type": "application/json"},
    )
    assert_problem(answer, 422, "value")
    assert user.fields() == {}


def test_a_body_over_8_mb_that_comes_in_chunks_is_413(user: User) -> None:
    chunks = (b"x" * 1024 * 1024 for _ in range(9))
    answer = user.client.post(TURN, content=chunks, headers={"Content-Type": "application/json"})
    assert_problem(answer, 413, "body")


@pytest.mark.parametrize("raw", [b"%FF", b"%e5%bc", b"caf\xe9"])
def test_a_user_id_that_is_no_utf_8_is_nobody(plain_stack: Stack, raw: bytes) -> None:
    with plain_stack.admin() as admin:
        answer = admin.post(TURN, json={"message": "x"}, headers=[(b"Bilayer-User", raw)])
        assert_problem(answer, 422, "Bilayer-User")


def test_a_system_text_over_the_window_is_422_with_both_numbers(user: User) -> None:
    answer = user.client.post(TURN, json={"message": "hi", "system": "x " * 40_000})
    problem = assert_problem(answer, 422, "system")
    assert any(word.isdigit() for word in problem["detail"].split())


QUERIES = [
    '"NEAR(" * OR -',
    "AND OR NOT",
    "😀😀",
    "的了吗",
    "the of and",
    "x" * 10_000,
    "'; DROP TABLE episodes; --",
]


@pytest.mark.parametrize("query", QUERIES)
def test_a_strange_query_finds_nothing_and_breaks_nothing(user: User, query: str) -> None:
    user.client.post("/v1/memories", json={"text": "Rents a cello"})
    assert user.search(query) == []


def test_the_page_of_routes_loads_nothing_from_other_servers(plain_stack: Stack) -> None:
    page = httpx.get(f"{plain_stack.url}/docs", verify=NO_TLS)
    assert page.status_code == 200
    loaded = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert loaded
    assert all(httpx.get(f"{plain_stack.url}{each}", verify=NO_TLS).status_code == 200 for each in loaded)
