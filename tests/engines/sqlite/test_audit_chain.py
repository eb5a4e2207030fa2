"""Whatever is done to the audit behind our back shows."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from shared.engines.sqlite.stores import SqliteStores
from shared.errors import Unavailable
from shared.model.scope import Scope
from shared.ports.ltm import LtmWriter
from tests.contracts.ltm.samples import open_in

TAMPERED = [
    ("an altered line", "UPDATE audit SET action = 'other' WHERE seq = 3"),
    ("an altered time", "UPDATE audit SET at_ms = at_ms + 1 WHERE seq = 3"),
    ("another scope", "UPDATE audit SET scope_id = 'scp_other' WHERE seq = 3"),
    ("altered details", "UPDATE audit SET details = zeroblob(40) WHERE seq = 3"),
    (
        "details and hash altered",
        "UPDATE audit SET details = NULL, details_hash = zeroblob(32) WHERE seq = 3",
    ),
    ("a dropped line", "DELETE FROM audit WHERE seq = 3"),
    ("the first line dropped", "DELETE FROM audit WHERE seq = 1"),
    ("a cut tail", "DELETE FROM audit WHERE seq >= 5"),
    ("all lines gone", "DELETE FROM audit"),
    (
        "two lines exchanged",
        (
            "UPDATE audit SET seq = 99 WHERE seq = 2; UPDATE audit SET seq = 2 WHERE seq = 3; "
            "UPDATE audit SET seq = 3 WHERE seq = 99"
        ),
    ),
    (
        "a cut tail and a head set back",
        (
            "DELETE FROM audit WHERE seq >= 5; "
            "UPDATE tenants SET audit_seq = 4, audit_code = (SELECT code FROM audit WHERE seq = 4)"
        ),
    ),
]


async def chain(folder: Path) -> tuple[SqliteStores, Scope]:
    stores = open_in(folder)
    scope = await stores.directory.ensure_scope("t1", "user", outside_id="u1")

    def write(writer: LtmWriter) -> None:
        for number in range(6):
            writer.add_audit(
                "set", path="a.b", details={"new": number}, actor="key_1", request_id=f"req_{number}"
            )

    await stores.ltm.write(scope, write)
    return stores, scope


def run(folder: Path, statements: str) -> None:
    connection = apsw.Connection(str(folder / "ltm.db"))
    connection.execute(statements).fetchall()
    connection.close()


@pytest.mark.parametrize(("what", "statements"), TAMPERED, ids=[what for what, _ in TAMPERED])
async def test_tampering_shows(tmp_path: Path, what: str, statements: str) -> None:
    stores, _ = await chain(tmp_path)
    assert await stores.directory.verify_audit("t1") == (True, 6, "")
    run(tmp_path, statements)
    holds, _, problem = await stores.directory.verify_audit("t1")
    assert not holds, what
    assert problem
    stores.close()


async def test_erased_details_leave_the_chain_whole(tmp_path: Path) -> None:
    stores, scope = await chain(tmp_path)
    run(tmp_path, "UPDATE audit SET details = NULL")
    assert await stores.directory.verify_audit("t1") == (True, 6, "")
    lines = await stores.ltm.read(scope, lambda r: r.audit(limit=1))
    assert lines[0].details is None
    stores.close()


async def test_nothing_is_appended_to_a_forged_head(tmp_path: Path) -> None:
    stores, scope = await chain(tmp_path)
    run(tmp_path, "UPDATE tenants SET audit_seq = 2")
    with pytest.raises(Unavailable):
        await stores.ltm.write(
            scope, lambda w: w.add_audit("set", path=None, details={}, actor="k", request_id="r")
        )
    stores.close()
