"""Long-term memory of a running stack, read beside the service: the file, not what the API shows of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from shared.clock import Clock
from shared.engines.sqlite.stores import SqliteStores, open_sqlite
from shared.model.memory import Episode
from shared.model.scope import Scope
from shared.ports.ltm import LtmReader
from shared.services import DEFAULT_TENANT
from tests.e2e.stack import Stack

COUNT_EPISODES = "SELECT count(*) FROM episodes WHERE tenant_id = :tenant_id AND scope_id = :scope_id"
_PAGE = 500


@contextmanager
def open_ltm(stack: Stack) -> Iterator[SqliteStores]:
    """Open the stores of a stack with connections of their own; the stack may run or not."""
    environment = "test" if stack.environ.get("BILAYER_TEST_CLOCK") else "production"
    stores = open_sqlite(
        stack.data_dir / "ltm.db", data_dir=stack.data_dir, environment=environment, clock=Clock()
    )
    try:
        yield stores
    finally:
        stores.close()


async def scope_of(stores: SqliteStores, user_id: str) -> Scope:
    """Return the scope of a user who is known."""
    scope = await stores.directory.find_scope(DEFAULT_TENANT, "user", outside_id=user_id)
    assert scope is not None, user_id
    return scope


async def episodes_of(stores: SqliteStores, scope: Scope, session_id: str) -> list[Episode]:
    """Return all archived messages of a session, in order."""

    def read(reader: LtmReader) -> list[Episode]:
        found: list[Episode] = []
        while page := reader.episodes(
            session_id, epoch=None, after_seq=found[-1].message.seq if found else 0, limit=_PAGE
        ):
            found += page
        return found

    return await stores.ltm.read(scope, read)


def count_episodes(stores: SqliteStores, scope: Scope) -> int:
    """Return how many episodes the file holds of a scope, whatever their session."""
    named = {"tenant_id": scope.tenant_id, "scope_id": scope.scope_id}
    with stores.readers.view() as connection:
        return int(connection.execute(COUNT_EPISODES, named).get)
