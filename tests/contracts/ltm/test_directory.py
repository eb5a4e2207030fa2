"""What every directory does."""

from __future__ import annotations

import asyncio
from hashlib import sha256

import pytest

from shared.errors import Missing
from shared.model.memory import AuditFilter
from shared.model.scope import Permission, Scope, ScopeKind
from shared.ports.ltm import LtmWriter
from tests.contracts.ltm.samples import Stores


async def test_a_scope_is_made_once_and_found_again(stores: Stores) -> None:
    assert await stores.directory.find_scope("t1", "user", outside_id="u1") is None
    made = await stores.directory.ensure_scope("t1", "user", outside_id="u1")
    assert made.scope_id.startswith("scp_")
    assert await stores.directory.ensure_scope("t1", "user", outside_id="u1") == made
    assert await stores.directory.find_scope("t1", "user", outside_id="u1") == made
    assert await stores.directory.scope_by_id("t1", made.scope_id) == made


async def test_racing_requests_get_one_scope(stores: Stores) -> None:
    racers = [stores.directory.ensure_scope("t1", "user", outside_id="u1") for _ in range(5)]
    assert len({scope.scope_id for scope in await asyncio.gather(*racers)}) == 1


@pytest.mark.parametrize(
    "other", [("t2", "user", "u1"), ("t1", "agent", "u1"), ("t1", "user", "u10"), ("t1", "user", "U1")]
)
async def test_another_tenant_kind_or_id_is_another_scope(
    stores: Stores, scope: Scope, other: tuple[str, ScopeKind, str]
) -> None:
    tenant_id, kind, outside_id = other
    made = await stores.directory.ensure_scope(tenant_id, kind, outside_id=outside_id)
    assert made.scope_id != scope.scope_id
    assert await stores.directory.scope_by_id("t9", made.scope_id) is None


async def test_the_outside_id_can_be_read_back(stores: Stores) -> None:
    made = await stores.directory.ensure_scope("t1", "user", outside_id="张三@example.com")
    assert await stores.directory.outside_id(made) == "张三@example.com"


async def test_after_the_end_the_same_outside_id_starts_a_new_scope(stores: Stores, scope: Scope) -> None:
    stores.end_scope(scope)
    assert await stores.directory.find_scope("t1", "user", outside_id="u1") is None
    assert await stores.directory.scope_by_id("t1", scope.scope_id) is None
    with pytest.raises(Missing):
        await stores.directory.outside_id(scope)
    again = await stores.directory.ensure_scope("t1", "user", outside_id="u1")
    assert again.scope_id != scope.scope_id


async def test_a_key_is_found_by_the_hash_of_its_secret(stores: Stores) -> None:
    key, secret = await stores.directory.create_key(
        "t1", label="front", permissions=[Permission.CHAT, Permission.MEMORY_READ]
    )
    assert secret.startswith("bl_")
    assert len(secret) >= 40
    assert await stores.directory.find_key(sha256(secret.encode()).hexdigest()) == key
    assert await stores.directory.find_key(sha256(b"bl_other").hexdigest()) is None


async def test_a_revoked_key_is_listed_and_no_longer_found(stores: Stores) -> None:
    key, secret = await stores.directory.create_key("t1", label="old", permissions=[Permission.ADMIN])
    assert not await stores.directory.revoke_key("t2", key.id)
    assert await stores.directory.revoke_key("t1", key.id)
    assert not await stores.directory.revoke_key("t1", key.id)
    assert await stores.directory.find_key(sha256(secret.encode()).hexdigest()) is None
    (listed,) = await stores.directory.list_keys("t1")
    assert listed.id == key.id
    assert listed.revoked_at_ms is not None
    assert await stores.directory.list_keys("t2") == []


async def test_the_tenants_own_audit_holds_no_line_of_a_user(stores: Stores, scope: Scope) -> None:
    def write(writer: LtmWriter) -> None:
        writer.add_audit("set", path="a.b", details={}, actor="key_1", request_id="r")

    await stores.ltm.write(scope, write)
    assert await stores.directory.tenant_audit("t1", AuditFilter()) == []
    assert await stores.directory.tenant_audit("nobody", AuditFilter()) == []


async def test_the_audit_of_nobody_holds(stores: Stores) -> None:
    assert await stores.directory.verify_audit("nobody") == (True, 0, "")
