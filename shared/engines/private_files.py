"""Folders and files that only their owner may read: 0700 and 0600 whatever the umask.

Also the lock that makes the first start happen once: `locked` holds an flock'd file, which the system
lets go of when its process dies.
"""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_FILE_MODE = 0o600
_FOLDER_MODE = 0o700


def make_private_folder(folder: Path) -> None:
    """Make `folder` and its missing parents; a folder that stands already keeps its mode (`close_folder`)."""
    for missing in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
        missing.mkdir(mode=_FOLDER_MODE, exist_ok=True)
        missing.chmod(_FOLDER_MODE)


def close_folder(folder: Path) -> None:
    """Keep others out of a folder of ours that was made by somebody else, such as an operator or a container.

    One of another owner stays as it is, and so does one that all may write into by design (the sticky bit).
    """
    found = folder.stat()
    if found.st_uid == os.geteuid() and not found.st_mode & stat.S_ISVTX:
        folder.chmod(_FOLDER_MODE)


def create_private_file(path: Path, content: bytes = b"") -> None:
    """Create `path` with `content`, on the disk when this returns.

    Raises:
        FileExistsError: something stands there already.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE_MODE)
    try:
        os.fchmod(descriptor, _FILE_MODE)
        os.write(descriptor, content)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Have the names in `folder` on the disk when this returns: files that were made, replaced or removed."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock file at `path`, waiting for whoever holds it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, _FILE_MODE)
    try:
        os.fchmod(descriptor, _FILE_MODE)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
