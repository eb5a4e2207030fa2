"""The key backup: one file of wrapped keys beside the snapshots, never kept in versions.

A snapshot holds no keys of users, so that erasing a user darkens it; this file holds those that are
alive. A new key is appended, an erasure writes the file anew without the key. Both happen while the
store's write lock is held, so that no two processes write it at once. The master key wraps what it holds.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterable
from pathlib import Path

from shared.engines.private_files import create_private_file, make_private_folder, sync_folder
from shared.errors import Unavailable

FILE_NAME = "keys.backup"
# A tenant's own key stands under an empty scope.
KeyName = tuple[str, str]


class KeyBackup:
    """The file of wrapped keys."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE_NAME

    def append(self, name: KeyName, wrapped: bytes) -> None:
        """Add a key, on the disk when this returns. Raises `Unavailable` where the disk does not take it."""
        try:
            self._ensure_file()
            with self.path.open("r+b") as file:
                end = file.seek(0, os.SEEK_END)
                if end:
                    file.seek(end - 1)
                    # A line that a crash has cut off must not spoil the next one.
                    is_cut = file.read(1) != b"\n"
                    if is_cut:
                        file.write(b"\n")
                file.write(_line(name, wrapped))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise Unavailable(
                f"The key backup cannot be written ({type(error).__name__}).", code="ltm_unavailable"
            ) from error

    def rewrite(self, keys: Iterable[tuple[KeyName, bytes]]) -> None:
        """Put these keys in the place of all that the file holds, on the disk when this returns."""
        make_private_folder(self.path.parent)
        fresh = self.path.with_name(f".{FILE_NAME}")
        fresh.unlink(missing_ok=True)
        create_private_file(fresh)
        with fresh.open("wb") as file:
            for name, wrapped in keys:
                file.write(_line(name, wrapped))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.path)
        sync_folder(self.path.parent)

    def read(self) -> dict[KeyName, bytes]:
        """Return the keys by tenant and scope; empty where there is no file."""
        keys: dict[KeyName, bytes] = {}
        if not self.path.is_file():
            return keys
        for line in self.path.read_bytes().splitlines():
            try:
                tenant_id, scope_id, wrapped = json.loads(line)
            except ValueError:
                continue
            keys[tenant_id, scope_id] = base64.b64decode(wrapped)
        return keys

    def _ensure_file(self) -> None:
        if not self.path.exists():
            make_private_folder(self.path.parent)
            create_private_file(self.path)
            sync_folder(self.path.parent)


def _line(name: KeyName, wrapped: bytes) -> bytes:
    return json.dumps([*name, base64.b64encode(wrapped).decode()]).encode() + b"\n"
