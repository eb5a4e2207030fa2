"""The table of synonyms: numbered, a tenant's own, in the audit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.engines.sqlite.stores import SqliteStores
from shared.errors import Conflict
from shared.model.memory import AuditFilter
from tests.contracts.ltm.samples import open_in

GROUPS = [["报表", "报告", "report"], ["星火", "CRM"]]


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[SqliteStores]:
    opened = open_in(tmp_path)
    yield opened
    opened.close()


async def put(stores: SqliteStores, tenant_id: str, *, read_version: int | None = None) -> int:
    return await stores.synonyms.put_synonyms(
        tenant_id, GROUPS, read_version=read_version, actor="key_1", request_id="req_1"
    )


async def test_a_table_is_its_tenants_and_numbered(stores: SqliteStores) -> None:
    assert await stores.synonyms.synonyms("t1") is None
    assert await put(stores, "t1", read_version=0) == 1
    assert await put(stores, "t1") == 2
    assert await stores.synonyms.synonyms("t1") == (2, GROUPS)
    assert await stores.synonyms.synonyms("t2") is None
    assert await stores.schemas.versions("t1") == (0, 2)
    assert await stores.schemas.versions("t2") == (0, 0)


async def test_a_table_that_has_moved_is_not_put(stores: SqliteStores) -> None:
    await put(stores, "t1")
    with pytest.raises(Conflict) as refused:
        await put(stores, "t1", read_version=0)
    assert refused.value.code == "version_conflict"
    assert await stores.schemas.versions("t1") == (0, 1)


async def test_who_changed_the_table_stands_in_the_audit(stores: SqliteStores) -> None:
    await stores.directory.create_key("t1", label="admin", permissions=[])
    before = await stores.directory.verify_audit("t1")
    await put(stores, "t1")
    holds, count, _ = await stores.directory.verify_audit("t1")
    assert (holds, count) == (True, before[1] + 1)


async def test_the_tenants_own_lines_are_read_newest_first_and_in_pages(stores: SqliteStores) -> None:
    await stores.directory.create_key("t1", label="admin", permissions=[])
    for _ in range(3):
        await put(stores, "t1")
    lines = await stores.directory.tenant_audit("t1", AuditFilter(limit=2))
    assert [(line.action, line.actor, line.request_id) for line in lines] == [
        ("synonyms.set", "key_1", "req_1")
    ] * 2
    rest = await stores.directory.tenant_audit("t1", AuditFilter(before_seq=lines[-1].seq))
    assert [line.seq for line in (*lines, *rest)] == [3, 2, 1]
    assert await stores.directory.tenant_audit("t1", AuditFilter(actor="key_2")) == []
    assert await stores.directory.tenant_audit("t2", AuditFilter()) == []
