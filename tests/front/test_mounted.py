"""The front behind a prefix: routes and credentials are found below whatever it is mounted at."""

from __future__ import annotations

from typing import NoReturn

import httpx
import pytest

from api.app import create_app


async def _open_nothing() -> NoReturn:
    raise AssertionError("nobody without a credential gets as far as the services")


@pytest.mark.parametrize("root", ["", "/", "/memory", "/v1"])
@pytest.mark.parametrize(("path", "status"), [("/v1/memories", 401), ("/v1/nothing", 401), ("/healthz", 200)])
async def test_who_has_no_credential_is_refused_under_any_prefix(root: str, path: str, status: int) -> None:
    transport = httpx.ASGITransport(create_app(_open_nothing), root_path=root, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://front") as client:
        answer = await client.get(root.rstrip("/") + path)
    assert answer.status_code == status
