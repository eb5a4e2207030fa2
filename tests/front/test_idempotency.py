"""One `Idempotency-Key`, one effect, one reply, whatever fails; and what deletions do to kept replies."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import inspect
import pkgutil
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import APIRouter
from fastapi.routing import APIRoute

import api.routes
from api.app import create_app
from shared.engines.redis_stm.store import RedisShortTermMemory
from shared.errors import Unavailable
from shared.model.job import JobOrder
from shared.model.scope import Permission
from shared.services import DEFAULT_TENANT, FIRST_PERMISSIONS, Services, open_services
from shared.settings import Settings
from tests.conftest import RedisServer
from tests.test_docs import ASKING, open_nothing
from workers.runner import run_order

BOAT = {"message": "Remember: my boat is called amethyst"}


@pytest.fixture
async def services(redis_server: RedisServer, tmp_path: Path) -> AsyncIterator[Services]:
    opened = await open_services(Settings(data_dir=tmp_path, redis_url=redis_server.url, environment="test"))
    yield opened
    await opened.close()


@pytest.fixture
async def client(services: Services) -> AsyncIterator[httpx.AsyncClient]:
    _, secret = await services.directory.create_key(
        DEFAULT_TENANT, label="k", permissions=[*FIRST_PERMISSIONS]
    )

    async def opened() -> Services:
        return services

    app = create_app(opened)
    app.state.services = services
    headers = {"Authorization": f"Bearer {secret}", "Bilayer-User": "u1"}
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://front", headers=headers) as opened_one:
        yield opened_one


async def post(client: httpx.AsyncClient, path: str, body: Any, key: str, **headers: str) -> httpx.Response:
    return await client.post(path, json=body, headers={"Idempotency-Key": key, **headers})


async def texts(client: httpx.AsyncClient, session: str) -> list[str]:
    found = await client.get(f"/v1/sessions/{session}/messages")
    return [message["content"] for message in found.json()["items"]]


async def test_an_append_whose_reply_could_not_be_kept_happens_once(
    client: httpx.AsyncClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    hurried = services.stm._limits.model_copy(update={"request_lease_seconds": 0.0})  # type: ignore[attr-defined]
    monkeypatch.setattr(services.stm, "_limits", hurried)
    path = "/v1/sessions/s1/messages"
    body = {"messages": [{"role": "user", "content": "记住，预算50万"}]}

    async def fail(*_args: Any, **_named: Any) -> None:
        raise Unavailable("gone", code="stm_unavailable")

    with monkeypatch.context() as broken:
        broken.setattr(RedisShortTermMemory, "settle_request", fail)
        assert (await post(client, path, body, "k")).status_code == 503
    again = await post(client, path, body, "k")
    assert (again.status_code, await texts(client, "s1")) == (201, ["记住，预算50万"])
    assert [command["outcome"] for command in again.json()["commands"]] == ["applied"]
    replayed = await post(client, path, body, "k")
    assert (replayed.status_code, replayed.json()) == (201, again.json())
    history = await client.get("/v1/fields/business_context.budget.ceiling/history")
    assert len(history.json()["items"]) == 1


async def test_an_append_goes_on_once_long_term_memory_is_back(
    client: httpx.AsyncClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = "/v1/sessions/s1/messages"
    body = {"messages": [{"role": "user", "content": "Remember: my boat is called amethyst"}]}

    async def locked(*_args: Any, **_named: Any) -> None:
        raise Unavailable("locked", code="ltm_unavailable")

    with monkeypatch.context() as broken:
        broken.setattr(type(services.ltm), "write", locked)
        assert (await post(client, path, body, "k")).status_code == 503
    again = await post(client, path, body, "k")
    assert (again.status_code, len(again.json()["commands"])) == (201, 1)
    assert await texts(client, "s1") == [body["messages"][0]["content"]]


async def test_a_replay_has_the_status_of_the_first_reply(
    client: httpx.AsyncClient, services: Services
) -> None:
    agents = [Permission.CHAT, Permission.MEMORY_READ, Permission.MEMORY_WRITE]
    _, agent = await services.directory.create_key(DEFAULT_TENANT, label="a", permissions=agents)
    as_agent = {"Authorization": f"Bearer {agent}"}
    await client.post("/v1/memories", json={"text": "I like coffee"})
    flushed = "/v1/sessions/s1/flush"
    message = {"messages": [{"id": "c1", "role": "user", "content": "hi"}]}
    asked: list[tuple[str, Any, int, dict[str, str]]] = [
        ("/v1/memories", {"text": "I like tea"}, 202, as_agent),
        ("/v1/memories", {"text": "I like coffee"}, 200, {}),
        ("/v1/memories", {"text": "I like jam"}, 201, {}),
        ("/v1/sessions/s1/messages", message, 201, {}),
        ("/v1/sessions/s1/messages", message, 200, {}),
        (flushed, None, 202, {}),
        ("/v1/fields/current_task.constraints/items", {"value": "no night work"}, 201, {}),
        ("/v1/fields/current_task.constraints/items", {"value": "no night work"}, 200, {}),
    ]
    for number, (path, body, status, headers) in enumerate(asked):
        first = await post(client, path, body, f"k{number}", **headers)
        again = await post(client, path, body, f"k{number}", **headers)
        assert (first.status_code, again.status_code) == (status, status), path
        assert first.json() == again.json()


async def test_one_key_makes_one_service_key_and_no_store_tells_its_secret(
    client: httpx.AsyncClient, services: Services, redis_server: RedisServer, tmp_path: Path
) -> None:
    body = {"label": "x", "permissions": ["chat"]}
    first, again = [await post(client, "/v1/keys", body, "kk") for _ in range(2)]
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    made = [key for key in (await client.get("/v1/keys")).json()["items"] if key["label"] == "x"]
    assert len(made) == 1
    secret = first.json()["key"]
    works = await client.get("/v1/sessions", headers={"Authorization": f"Bearer {secret}"})
    assert works.status_code == 200
    _, other = await services.directory.create_key(DEFAULT_TENANT, label="o", permissions=[Permission.ADMIN])
    theirs = await post(client, "/v1/keys", body, "kk", Authorization=f"Bearer {other}")
    assert theirs.json()["id"] != first.json()["id"]
    names: Any = redis_server.command("KEYS", "*")
    kept: list[Any] = [redis_server.command("DUMP", name) for name in names]
    kept += _files_in(tmp_path)
    assert len(kept) > 2
    assert not [each for each in kept if each and secret.encode() in each]


async def test_one_key_runs_one_job_and_makes_one_snapshot(
    client: httpx.AsyncClient, services: Services
) -> None:
    async def work() -> None:
        while True:
            for job in await services.ledger.jobs(DEFAULT_TENANT, status="queued", limit=9, after_id=None):
                await services.queue.remove([job.id])
                await run_order(services, JobOrder(id=job.id, job=job.job, options=job.options))
            await asyncio.sleep(0.05)

    working = asyncio.create_task(work())
    try:
        for path, body in (("/v1/jobs/run", {"job": "reconcile"}), ("/v1/snapshots", {"tag": "pre_deploy"})):
            first, again = [await post(client, path, body, "k") for _ in range(2)]
            assert (first.status_code, again.status_code) == (first.status_code, first.status_code)
            assert first.json() == again.json()
        made = (await client.get("/v1/snapshots")).json()["items"]
        assert len(made) == 1
        restore = f"/v1/snapshots/{made[0]['id']}/restore"
        first, again = [await post(client, restore, None, "r") for _ in range(2)]
        assert first.json() == again.json()
        jobs = (await client.get("/v1/jobs")).json()["items"]
        assert sorted(job["job"] for job in jobs) == ["reconcile", "restore", "snapshot"]
    finally:
        working.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await working


@pytest.mark.parametrize("deletion", ["/v1/memories?confirm=all", "/v1/sessions/s9"])
async def test_a_kept_reply_goes_with_what_it_tells(
    client: httpx.AsyncClient, services: Services, deletion: str
) -> None:
    first = await post(client, "/v1/sessions/s9/turns", BOAT, "w1")
    assert "amethyst" in first.text
    message = (await client.get("/v1/sessions/s9/messages")).json()["items"][0]
    scope = await services.directory.find_scope(DEFAULT_TENANT, "user", outside_id="u1")
    assert scope is not None
    key = f"turn:{message['id']}"
    assert await services.ltm.read(scope, lambda reader: reader.applied(key)) is not None
    assert (await client.delete(deletion)).status_code == 200
    assert await services.ltm.read(scope, lambda reader: reader.applied(key)) is None
    again = await post(client, "/v1/sessions/s9/turns", BOAT, "w1")
    assert (again.status_code, again.json()["code"]) == (409, "reply_forgotten")
    assert "amethyst" not in again.text
    assert (await post(client, "/v1/sessions/s9/turns", BOAT, "w2")).status_code == 200


async def test_a_kept_reply_is_not_told_again_once_its_memory_was_deleted(client: httpx.AsyncClient) -> None:
    made = await post(client, "/v1/memories", {"text": "my boat is called amethyst"}, "m1")
    said = await post(client, "/v1/sessions/s9/turns", BOAT, "w1")
    other = await post(client, "/v1/memories", {"text": "I like jam"}, "m2")
    assert (await client.delete(f"/v1/memories/{made.json()['id']}")).status_code == 204
    again = await post(client, "/v1/memories", {"text": "my boat is called amethyst"}, "m1")
    assert (again.status_code, again.json()["code"]) == (409, "reply_forgotten")
    message = (await client.get("/v1/sessions/s9/messages")).json()["items"][0]
    assert (await client.delete(f"/v1/memories/{message['id']}")).status_code == 204
    again = await post(client, "/v1/sessions/s9/turns", BOAT, "w1")
    assert (said.status_code, again.status_code, again.json()["code"]) == (200, 409, "reply_forgotten")
    assert (await post(client, "/v1/memories", {"text": "I like jam"}, "m2")).json() == other.json()


def test_every_route_that_names_the_key_honours_it() -> None:
    posts = {
        route.path: route.endpoint
        for module in pkgutil.iter_modules(api.routes.__path__)
        for route in _router_of(module.name).routes
        if isinstance(route, APIRoute) and "POST" in (route.methods or ())
    }
    documented = {
        path for path, methods in create_app(open_nothing).openapi()["paths"].items() if "post" in methods
    }
    assert set(posts) == documented
    assert {path for path, endpoint in posts.items() if _honours(endpoint)} == documented - ASKING


def _router_of(name: str) -> APIRouter:
    router = getattr(importlib.import_module(f"api.routes.{name}"), "router", None)
    return router if isinstance(router, APIRouter) else APIRouter()


def _honours(endpoint: Any) -> bool:
    source = inspect.getsource(endpoint)
    return re.search(r"\b(?:answer_once|answer_operator_once|claim_of|_turn_request)\(", source) is not None


def _files_in(folder: Path) -> list[bytes]:
    return [file.read_bytes() for file in folder.rglob("*") if file.is_file()]


@pytest.mark.parametrize("values", [("红茶号", "绿茶号", "白茶号"), ("Amber", "Basalt", "Cobalt")])
async def test_an_undo_whose_answer_was_lost_undoes_no_second_change(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, values: tuple[str, ...]
) -> None:
    async def lose(*_: Any, **__: Any) -> None:
        raise Unavailable("gone")

    path = "/v1/fields/user_profile.name"
    for value in values:
        assert (await client.put(path, json={"value": value})).status_code == 200
    monkeypatch.setattr(RedisShortTermMemory, "settle_request", lose)
    assert (await post(client, f"{path}/undo", {}, "k")).status_code == 503
    monkeypatch.undo()

    async def claim_anew(*_: Any, **__: Any) -> None:
        """The lease of the front that died has run out."""

    monkeypatch.setattr(RedisShortTermMemory, "claim_request", claim_anew)
    answered = await post(client, f"{path}/undo", {}, "k")
    assert (answered.status_code, answered.json()["value"]) == (200, values[1])
    assert (await client.get(path)).json()["value"] == values[1]
    assert (await post(client, f"{path}/undo", {}, "k2")).json()["value"] == values[0]
