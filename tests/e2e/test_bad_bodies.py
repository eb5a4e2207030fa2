"""Bodies that are none, or that nobody would read: every route that writes refuses them alike."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.e2e.stack import Stack
from tests.e2e.test_bad_input import assert_problem

pytestmark = pytest.mark.e2e

JSON = {"Content-Type": "application/json"}


@pytest.fixture
def admin(plain_stack: Stack) -> Iterator[httpx.Client]:
    with plain_stack.admin() as client:
        client.headers["Bilayer-User"] = "bodies"
        yield client


def writing_routes(client: httpx.Client) -> list[tuple[str, str, dict[str, Any]]]:
    """Return method, address and description of all that is no GET; an address names nothing that is."""
    document = client.get("/openapi.json").json()
    found = [
        (method, re.sub(r"\{\w+\}", "none", path), described)
        for path, methods in document["paths"].items()
        for method, described in methods.items()
        if path.startswith("/v1/") and method != "get"
    ]
    assert len(found) > 25
    return found


def test_an_unknown_name_is_refused_by_every_route_that_writes(admin: httpx.Client) -> None:
    for method, address, described in writing_routes(admin):
        answer = admin.request(method, address, content=b'{"no_such_name": 1}', headers=JSON)
        if "requestBody" in described:  # what is missing may be told first
            assert answer.status_code == 422, (address, answer.text)
        else:
            problem = assert_problem(answer, 422, "no_such_name")
            assert "takes no body" in problem["detail"]


def test_what_is_no_json_is_400_at_every_route_that_writes(admin: httpx.Client) -> None:
    for method, address, described in writing_routes(admin):
        bodies = [b"{", b"\xff\xfe", b'{"a": }']
        bodies += [b""] if described.get("requestBody", {}).get("required") else []
        for body in bodies:
            answer = admin.request(method, address, content=body, headers=JSON)
            assert assert_problem(answer, 400, None)["code"] == "malformed_json", (address, body)


@pytest.mark.parametrize("body", [b"null", b"[]", b'"x"', b"7"])
def test_json_that_is_no_object_is_422(admin: httpx.Client, body: bytes) -> None:
    for address in ("/v1/memories", "/v1/sessions/s1/turns", "/v1/sessions/s1/flush"):
        if (address, body) != ("/v1/sessions/s1/flush", b"null"):
            assert_problem(admin.post(address, content=body, headers=JSON), 422, "body")


@pytest.mark.parametrize("body", [b"", b"{}", b"null", b" \n"])
def test_a_route_without_a_body_takes_an_empty_one(admin: httpx.Client, body: bytes) -> None:
    admin.post("/v1/sessions/flushed/turns", json={"message": "你好 hello"}).raise_for_status()
    answer = admin.post("/v1/sessions/flushed/flush", content=body, headers=JSON)
    assert answer.status_code == 202, answer.text


@pytest.mark.parametrize("name", [r"\ud800", r"a\u0000", "x" * 5_000])
def test_a_strange_name_is_no_error_of_ours(admin: httpx.Client, name: str) -> None:
    for address in ("/v1/sessions/s1/flush", "/v1/sessions/s1/turns"):
        body = f'{{"message": "x", "{name}": 1}}' if address.endswith("turns") else f'{{"{name}": 1}}'
        answer = admin.post(address, content=body, headers=JSON)
        assert answer.status_code == 422, answer.text
        assert len(answer.json()["field"]) <= 200


@pytest.mark.parametrize(
    ("address", "body", "field"),
    [
        ("/v1/snapshots", r'{"tag": "\ud800"}', "tag"),
        ("/v1/jobs/run", r'{"job": "\ud800"}', "job"),
        ("/v1/sessions/s1/turns", r'{"message": "x", "timezone": "\ud800"}', "timezone"),
        ("/v1/memories", r'{"text": "x", "expires_at": "\ud800"}', "expires_at"),
        ("/v1/pending/resolve", r'{"confirm": ["\ud800"]}', "confirm.0"),
    ],
)
def test_half_of_a_pair_is_told_as_such(admin: httpx.Client, address: str, body: str, field: str) -> None:
    problem = assert_problem(admin.post(address, content=body, headers=JSON), 422, field)
    assert "surrogate" in problem["detail"]
