"""A snapshot on the disk: a folder with one file a table and a manifest, which is written last.

A table's file has one JSON array a line: first the names of the columns, then the rows; bytes stand as
`{"b64": ...}`. No engine's own format is in it, so any engine can read it. A folder that is still being
written begins with a dot, and counts as none.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import time
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from shared.engines.private_files import create_private_file, make_private_folder, sync_folder
from shared.errors import Missing
from shared.model.snapshot import Snapshot, TableFile, Verification

FORMAT = "bilayer-snapshot/1"
_MANIFEST = "manifest.json"
_STALE_SECONDS = 86_400.0
Row = Sequence[Any]


class SnapshotFolder:
    """The folder in which the snapshots of a deployment lie."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def begin(self, snapshot_id: str) -> SnapshotWriter:
        """Return the writer of a new snapshot; what earlier tries left is thrown away."""
        make_private_folder(self.path)
        self._sweep()
        partial = self.path / f".{snapshot_id}"
        shutil.rmtree(partial, ignore_errors=True)
        make_private_folder(partial)
        return SnapshotWriter(partial, self.path / snapshot_id)

    def find(self, snapshot_id: str) -> Snapshot:
        """Return a snapshot. Raises `Missing` where there is none."""
        found = _read_manifest(self.path / snapshot_id)
        if found is None or found.id != snapshot_id:
            raise Missing("There is no such snapshot.")
        return found

    def list(self) -> list[Snapshot]:
        """Return the snapshots, newest first."""
        if not self.path.is_dir():
            return []
        folders = [path for path in self.path.iterdir() if path.is_dir() and not path.name.startswith(".")]
        found = [snapshot for folder in folders if (snapshot := _read_manifest(folder)) is not None]
        return sorted(found, key=lambda snapshot: (snapshot.created_at_ms, snapshot.id), reverse=True)

    def drop(self, snapshot_id: str) -> None:
        """Delete a snapshot; the manifest goes first, so that half of one is none."""
        folder = self.path / self.find(snapshot_id).id
        (folder / _MANIFEST).unlink()
        gone = self.path / f".{folder.name}"
        folder.rename(gone)
        shutil.rmtree(gone)

    def _sweep(self) -> None:
        """Throw away what killed processes left: half a snapshot that nobody has written to for a day."""
        for path in self.path.glob(".*/"):
            if path.is_dir() and time.time() - path.stat().st_mtime > _STALE_SECONDS:
                shutil.rmtree(path, ignore_errors=True)

    def verify(self, snapshot_id: str) -> Verification:
        """Read all files of a snapshot again and compare them with the manifest."""
        snapshot, rows = self.find(snapshot_id), 0
        for name, table in snapshot.tables.items():
            problem = _check_table(self._file(snapshot_id, name), table)
            if problem is not None:
                return Verification(ok=False, rows=rows, detail=f"{name}: {problem}")
            rows += table.rows
        return Verification(ok=True, rows=rows)

    def rows(self, snapshot_id: str, table: str) -> Iterator[dict[str, Any]]:
        """Yield the rows of a table by column; none where the snapshot has no such table."""
        file = self._file(snapshot_id, table)
        if not file.is_file():
            return
        with file.open("r", encoding="utf-8") as lines:
            columns: list[str] = json.loads(next(lines))
            for line in lines:
                yield dict(zip(columns, map(_from_json, json.loads(line)), strict=True))

    def _file(self, snapshot_id: str, table: str) -> Path:
        return self.path / snapshot_id / f"{table}.jsonl"


class SnapshotWriter:
    """Writes one snapshot; nothing of it counts before `finish`."""

    def __init__(self, partial: Path, final: Path) -> None:
        self._partial = partial
        self._final = final
        self._tables: dict[str, TableFile] = {}

    def write_table(self, name: str, columns: Sequence[str], *, rows: Iterable[Row]) -> None:
        """Write a table's file, to the disk."""
        digest, count, size = sha256(), -1, 0
        path = self._partial / f"{name}.jsonl"
        create_private_file(path)
        with path.open("wb") as file:
            for row in _with_head(columns, rows):
                line = json.dumps([_to_json(value) for value in row], ensure_ascii=False).encode() + b"\n"
                digest.update(line)
                file.write(line)
                count, size = count + 1, size + len(line)
            file.flush()
            os.fsync(file.fileno())
        self._tables[name] = TableFile(rows=count, bytes=size, sha256=digest.hexdigest())

    def finish(self, snapshot: Snapshot) -> Snapshot:
        """Write the manifest and give the folder its name; return what stands there now."""
        whole = snapshot.model_copy(update={"tables": self._tables})
        text = json.dumps({"format": FORMAT, **whole.model_dump()}, indent=1) + "\n"
        create_private_file(self._partial / _MANIFEST, text.encode())
        sync_folder(self._partial)
        self._partial.rename(self._final)
        sync_folder(self._final.parent)
        return whole

    def give_up(self) -> None:
        """Throw away what was written."""
        shutil.rmtree(self._partial, ignore_errors=True)


def _with_head(columns: Sequence[str], rows: Iterable[Row]) -> Iterator[Row]:
    yield columns
    yield from rows


def _to_json(value: Any) -> Any:
    return {"b64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def _from_json(value: Any) -> Any:
    return base64.b64decode(value["b64"]) if isinstance(value, dict) else value


def _read_manifest(folder: Path) -> Snapshot | None:
    try:
        told = json.loads((folder / _MANIFEST).read_text("utf-8"))
        return Snapshot(**told) if told.pop("format", None) == FORMAT else None
    except (OSError, ValueError, TypeError, AttributeError, ValidationError):
        return None


def _check_table(file: Path, table: TableFile) -> str | None:
    if not file.is_file():
        return "the file is missing"
    digest, lines = sha256(), -1
    with file.open("rb") as content:
        for line in content:
            digest.update(line)
            lines += 1
    if digest.hexdigest() != table.sha256:
        return "the file was altered"
    return None if lines == table.rows else f"{lines} rows instead of {table.rows}"
