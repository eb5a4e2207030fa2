"""Each contract runs on the real engine and on its fake."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from shared.model.scope import Scope
from tests.contracts.ltm.samples import Stores, open_stores


@pytest.fixture(params=["sqlite", "fake"])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stores]:
    opened = open_stores(request.param, tmp_path)
    yield opened
    opened.close()


@pytest_asyncio.fixture
async def scope(stores: Stores) -> AsyncIterator[Scope]:
    yield await stores.directory.ensure_scope("t1", "user", outside_id="u1")
