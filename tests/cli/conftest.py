"""The stack that the client commands are tried on."""

from collections.abc import Iterator

import pytest

from tests.e2e.stack import Stack


@pytest.fixture(scope="session")
def plain_stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A front without a model and without workers: replies come from memory."""
    with Stack(tmp_path_factory.mktemp("cli"), workers=0) as stack:
        yield stack
