"""The services as a worker opens them: Redis and SQLite are real."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from shared.model.scope import Scope
from shared.services import DEFAULT_TENANT, Services, open_services
from shared.settings import Settings
from tests.conftest import RedisServer


@pytest.fixture
async def services(redis_server: RedisServer, tmp_path: Path) -> AsyncIterator[Services]:
    settings = Settings(data_dir=tmp_path, redis_url=redis_server.url, environment="test")
    opened = await open_services(settings)
    yield opened
    await opened.close()


@pytest.fixture
async def scope(services: Services) -> Scope:
    return await services.directory.ensure_scope(DEFAULT_TENANT, "user", outside_id="u1")
