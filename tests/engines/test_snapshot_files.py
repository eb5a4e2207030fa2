"""The folder of snapshots: half of one is none, and nothing that was cut off stays for ever."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from shared.engines.snapshot_files import SnapshotFolder
from shared.model.snapshot import Snapshot
from tests.contracts.ltm.samples import EPOCH


def test_what_killed_processes_left_is_swept_once_it_is_old(tmp_path: Path) -> None:
    folder = SnapshotFolder(tmp_path)
    for name in ("snap_killed", "snap_running"):
        folder.begin(name).write_table("fields", ["a"], rows=[[1]])
    a_day_ago = time.time() - 90_000
    os.utime(tmp_path / ".snap_killed", (a_day_ago, a_day_ago))
    (tmp_path / ".keys.backup").write_text("kept")
    folder.begin("snap_new")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".keys.backup", ".snap_new", ".snap_running"]


def test_a_deletion_that_was_cut_off_leaves_nothing_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = SnapshotFolder(tmp_path)
    made = Snapshot(id="snap_1", tag="", created_at_ms=EPOCH, environment="test", schema_version=1, tables={})
    folder.begin("snap_1").finish(made)
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", lambda *_, **__: None)
        folder.drop("snap_1")
    left = tmp_path / ".snap_1"
    os.utime(left, (0, 0))
    folder.begin("snap_2")
    assert not left.exists()


def test_a_snapshot_that_was_cut_off_is_none(tmp_path: Path) -> None:
    folder = SnapshotFolder(tmp_path)
    writer = folder.begin("snap_1")
    writer.write_table("memories", ["a"], rows=[("x",)])
    assert folder.list() == []
    again = folder.begin("snap_1")
    again.give_up()
    assert list(tmp_path.iterdir()) == []
