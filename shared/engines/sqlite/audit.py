"""The audit: a chain of HMACs over a tenant's entries, and an authenticated head.

code(n) = HMAC(tenant's key, code(n-1) + public part of n); the public part holds the hash of the sealed
details, so that erasing them leaves the chain whole. The head (newest number and code, with an HMAC of
its own) shows a tail that was cut off.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

import apsw

from shared.engines.sqlite.connections import Row
from shared.engines.sqlite.view import View
from shared.engines.vault import TenantKeys
from shared.errors import Unavailable
from shared.model.memory import AuditEntry, AuditFilter

_FIRST_CODE = bytes(32)

SELECT_HEAD = "SELECT audit_seq, audit_code, audit_head_mac FROM tenants WHERE tenant_id = :tenant_id"
WRITE_HEAD = """
UPDATE tenants SET audit_seq = :seq, audit_code = :code, audit_head_mac = :head_mac
WHERE tenant_id = :tenant_id
"""
INSERT_ENTRY = """
INSERT INTO audit (
    tenant_id, scope_id, seq, at_ms, action, path, actor, request_id, details_hash, details, code)
VALUES (
    :tenant_id, :scope_id, :seq, :at_ms, :action, :path, :actor, :request_id, :details_hash, :details, :code)
"""
SELECT_ENTRIES = """
SELECT seq, at_ms, action, path, scope_id, actor, request_id, details FROM audit
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND (:before_seq IS NULL OR seq < :before_seq)
  AND (:path IS NULL OR path = :path) AND (:actor IS NULL OR actor = :actor)
  AND (:since_ms IS NULL OR at_ms >= :since_ms)
ORDER BY seq DESC LIMIT :limit
"""
# The chain runs over all scopes of the tenant.
SELECT_CHAIN = """
SELECT seq, at_ms, action, path, scope_id, actor, request_id, details_hash, details, code FROM audit
WHERE tenant_id = :tenant_id ORDER BY seq
"""


def first_head(keys: TenantKeys) -> dict[str, Any]:
    """Return the head of an empty chain, which comes with its tenant."""
    return _head(keys, seq=0, code=_FIRST_CODE)


def add_entry(
    view: View, action: str, *, path: str | None, details: Mapping[str, Any], actor: str, request_id: str
) -> None:
    """Append an entry to the tenant's chain."""
    keys = view.keys_of_tenant()
    head = view.one(SELECT_HEAD)
    if head is None or not _is_head(keys, head):
        raise Unavailable(
            "The audit chain's head is missing or forged; verify the audit before writing on.",
            code="ltm_unavailable",
        )
    seq = head[0] + 1
    sealed = view.seal_json(dict(details), f"audit:{seq}")
    details_hash = sha256(sealed).digest()
    public = (seq, view.now_ms, action, path, view.scope.scope_id, actor, request_id)
    code = _sign_entry(keys, public, before=head[1], details_hash=details_hash)
    view.run(
        INSERT_ENTRY,
        seq=seq,
        at_ms=view.now_ms,
        action=action,
        path=path,
        actor=actor,
        request_id=request_id,
        details_hash=details_hash,
        details=sealed,
        code=code,
    )
    view.run(WRITE_HEAD, **_head(keys, seq=seq, code=code))


def add_public_entry(
    connection: apsw.Connection,
    tenant_id: str,
    *,
    keys: TenantKeys,
    public: tuple[str, str, str],
    now_ms: int,
) -> None:
    """Append an entry of no scope, without sealed details; `public` is action, actor, request id."""
    head = connection.execute(SELECT_HEAD, {"tenant_id": tenant_id}).fetchone()
    if head is None or not _is_head(keys, head):
        raise Unavailable(
            "The audit chain's head is missing or forged; verify the audit before writing on.",
            code="ltm_unavailable",
        )
    action, actor, request_id = public
    seq, details_hash = head[0] + 1, sha256(b"").digest()
    signed = (seq, now_ms, action, None, "", actor, request_id)
    code = _sign_entry(keys, signed, before=head[1], details_hash=details_hash)
    named = {"tenant_id": tenant_id, "scope_id": "", "seq": seq, "at_ms": now_ms, "action": action}
    named |= {"path": None, "actor": actor, "request_id": request_id, "details": None, "code": code}
    connection.execute(INSERT_ENTRY, {**named, "details_hash": details_hash})
    connection.execute(WRITE_HEAD, {"tenant_id": tenant_id, **_head(keys, seq=seq, code=code)})


def read_entries(
    view: View,
    *,
    limit: int,
    before_seq: int | None,
    path: str | None,
    actor: str | None,
    since_ms: int | None,
) -> list[AuditEntry]:
    """Return the scope's entries that a filter lets through, newest first."""
    return [
        AuditEntry(
            seq=seq,
            at_ms=at_ms,
            action=action,
            path=path,
            scope_id=scope_id,
            actor=actor,
            request_id=request_id,
            details=view.open_row(None if sealed is None else (seq, sealed), _details, table="audit"),
        )
        for seq, at_ms, action, path, scope_id, actor, request_id, sealed in view.all(
            SELECT_ENTRIES, limit=limit, before_seq=before_seq, path=path, actor=actor, since_ms=since_ms
        )
    ]


def _details(view: View, row: Row) -> dict[str, Any]:
    seq, sealed = row
    details: dict[str, Any] = view.open_json(sealed, f"audit:{seq}")
    return details


def read_public_entries(
    connection: apsw.Connection, tenant_id: str, *, wanted: AuditFilter
) -> list[AuditEntry]:
    """Return the tenant's entries of no scope that a filter lets through, newest first, without details."""
    asked = {"tenant_id": tenant_id, "scope_id": "", **wanted.model_dump()}
    names = ("seq", "at_ms", "action", "path", "scope_id", "actor", "request_id", "details")
    return [
        AuditEntry(**dict(zip(names, row, strict=True))) for row in connection.execute(SELECT_ENTRIES, asked)
    ]


def verify_chain(connection: apsw.Connection, tenant_id: str, *, keys: TenantKeys) -> tuple[bool, int, str]:
    """Return whether the chain holds, how many entries it has, and what is wrong with the first bad one."""
    head = connection.execute(SELECT_HEAD, {"tenant_id": tenant_id}).fetchone()
    if head is None or not _is_head(keys, head):
        return False, 0, "the head of the chain is missing or forged"
    before, count = _FIRST_CODE, 0
    for *public, details_hash, details, code in connection.execute(SELECT_CHAIN, {"tenant_id": tenant_id}):
        if public[0] != count + 1:
            return False, count, f"entry {count + 1} is missing"
        if details is not None and not hmac.compare_digest(sha256(details).digest(), details_hash):
            return False, count, f"the details of entry {public[0]} were altered"
        if not hmac.compare_digest(code, _sign_entry(keys, public, before=before, details_hash=details_hash)):
            return False, count, f"entry {public[0]} was altered or moved"
        before, count = code, count + 1
    if (count, before) != (head[0], head[1]):
        return False, count, f"entries after {count} are missing; the newest was {head[0]}"
    return True, count, ""


def _head(keys: TenantKeys, *, seq: int, code: bytes) -> dict[str, Any]:
    return {"seq": seq, "code": code, "head_mac": keys.sign(b"head" + seq.to_bytes(8, "big") + code)}


def _is_head(keys: TenantKeys, head: Row) -> bool:
    seq, code, head_mac = head
    return hmac.compare_digest(head_mac, _head(keys, seq=seq, code=code)["head_mac"])


def _sign_entry(keys: TenantKeys, public: Sequence[Any], *, before: bytes, details_hash: bytes) -> bytes:
    written = json.dumps(list(public), ensure_ascii=False).encode()
    return keys.sign(b"entry" + before + details_hash + written)
