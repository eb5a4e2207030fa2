"""A new master key reaches the key backup too, and an old one is not needed any more."""

from __future__ import annotations

import shutil
from pathlib import Path

from cryptography.fernet import Fernet

from shared.engines.key_backup import KeyBackup
from shared.engines.master_keys import MasterKeys
from shared.ltm.snapshot import make_snapshot
from tests.contracts.ltm.samples import EPOCH, memory, open_in, record
from tests.engines.sqlite.test_snapshots import texts_of


async def test_a_rotation_reaches_the_key_backup(tmp_path: Path) -> None:
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    first = open_in(tmp_path / "first", master_keys=[old])
    scope = await first.directory.ensure_scope("t1", "user", outside_id="u1")
    await first.ltm.write(scope, lambda w: w.add_memory(memory("kept"), record("kept"), normal_text="kept"))
    await make_snapshot("snap_1", tag="", now_ms=EPOCH, snapshots=first.snapshots)
    first.close()
    rotating = open_in(tmp_path / "first", master_keys=[new, old])
    await rotating.rotate_keys()
    rotating.close()
    (tmp_path / "second").mkdir()
    shutil.copytree(tmp_path / "first" / "snapshots", tmp_path / "second" / "snapshots")
    second = open_in(tmp_path / "second", master_keys=[new])
    try:
        await second.snapshots.restore("snap_1")
        found = await second.directory.find_scope("t1", "user", outside_id="u1")
        assert found == scope
        assert await texts_of(second, scope) == ["kept"]
    finally:
        second.close()


async def test_a_rotation_reaches_keys_of_a_lost_store_and_counts_only_what_it_changed(
    tmp_path: Path,
) -> None:
    old, new, unknown = (Fernet.generate_key().decode() for _ in range(3))
    stores = open_in(tmp_path, master_keys=[old])
    await stores.directory.ensure_scope("t1", "user", outside_id="u1")
    lost, closed = (MasterKeys([key]).make_wrapped_key() for key in (old, unknown))
    backup = KeyBackup(tmp_path / "snapshots")
    backup.append(("t9", "scp_lost"), lost)
    backup.append(("t9", "scp_closed"), closed)
    stores.close()
    rotating = open_in(tmp_path, master_keys=[new, old])
    assert await rotating.rotate_keys() == 2
    await rotating.directory.ensure_scope("t1", "user", outside_id="u2")
    assert await rotating.rotate_keys() == 0
    rotating.close()
    kept = backup.read()
    assert kept.pop(("t9", "scp_closed")) == closed
    assert len(kept) == 4
    assert all(len(MasterKeys([new]).unwrap(wrapped)) == 32 for wrapped in kept.values())
    assert MasterKeys([new]).unwrap(kept["t9", "scp_lost"]) == MasterKeys([old]).unwrap(lost)
