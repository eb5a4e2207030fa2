"""Stacks that e2e tests share: each module gets its own users, so that one stack serves many tests."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.stack import Stack, User
from tests.fakes.upstream import Upstream, UpstreamThread

CLOCK = {"BILAYER_TEST_CLOCK": "1"}


@pytest.fixture(scope="session")
def plain_stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A stack without a model: replies come from memory."""
    with Stack(tmp_path_factory.mktemp("plain"), environ=CLOCK) as stack:
        yield stack


@pytest.fixture(scope="session")
def upstream() -> Iterator[Upstream]:
    """A scripted model over real HTTP."""
    with UpstreamThread() as running:
        yield running


@pytest.fixture(scope="session")
def model_stack(tmp_path_factory: pytest.TempPathFactory, upstream: Upstream) -> Iterator[Stack]:
    """A stack with the scripted model."""
    environ = {
        **CLOCK,
        "BILAYER_LLM_BASE_URL": upstream.base_url,
        "BILAYER_LLM_FIRST_TOKEN_TIMEOUT_SECONDS": "1",
    }
    with Stack(tmp_path_factory.mktemp("model"), environ=environ) as stack:
        yield stack


@pytest.fixture(params=["plain_stack", "model_stack"])
def stack(request: pytest.FixtureRequest) -> Stack:
    """Both stacks, one after the other."""
    found: Stack = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def user(stack: Stack) -> User:
    """A user whom nobody has seen before."""
    return stack.user(f"user-{uuid.uuid4().hex[:12]}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for a stack of the test's own."""
    return tmp_path / "stack"
