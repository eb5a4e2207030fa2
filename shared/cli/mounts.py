"""Which file system lies under a folder: SQLite's write-ahead log needs one host's shared memory."""

import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

NETWORK_TYPES = frozenset(
    [
        *["nfs", "nfs4", "cifs", "smb3", "smbfs", "afpfs", "webdav", "davfs", "9p", "afs", "ceph", "lustre"],
        *[
            "glusterfs",
            "beegfs",
            "gpfs",
            "ocfs2",
            "gfs2",
            "orangefs",
            "fuse.sshfs",
            "fuse.s3fs",
            "fuse.rclone",
        ],
        *["fuse.glusterfs", "fuse.ceph", "fuse.davfs2", "fuse.gcsfuse", "macfuse", "sshfs"],
    ]
)
MAC_LINE = re.compile(r"^.* on (?P<point>.+) \((?P<type>[^,)]+)")
OCTAL = re.compile(r"\\([0-7]{3})")


def file_system_of(folder: Path) -> str:
    """Its type, asked of the folder or of its nearest existing parent; `unknown` if nothing tells."""
    existing = next(path for path in [folder.absolute(), *folder.absolute().parents] if path.exists())
    return type_under(existing.resolve(), mounts=read_mounts())


def type_under(folder: Path, *, mounts: Iterable[tuple[Path, str]]) -> str:
    """The deepest mount point that holds the folder decides; of two on one point the later one."""
    found = (Path(), "unknown")
    for point, kind in mounts:
        if folder.is_relative_to(point) and len(point.parts) >= len(found[0].parts):
            found = (point, kind)
    return found[1]


def read_mounts() -> list[tuple[Path, str]]:
    if sys.platform == "linux":
        return parse_linux(Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace"))
    try:
        listing = subprocess.run(["/sbin/mount"], capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.SubprocessError):
        return []
    return parse_mac(listing.stdout)


def parse_linux(text: str) -> list[tuple[Path, str]]:
    """Lines of `device point type options ...`, a blank in a point is written in octal."""
    rows = (line.split(" ") for line in text.splitlines())
    # PLR2004: a line of the mount table names at least device, folder and type.
    return [(Path(OCTAL.sub(lambda m: chr(int(m[1], 8)), row[1])), row[2]) for row in rows if len(row) > 2]  # noqa: PLR2004


def parse_mac(text: str) -> list[tuple[Path, str]]:
    """Lines of `device on point (type, options)`."""
    matches = (MAC_LINE.match(line) for line in text.splitlines())
    return [(Path(match["point"]), match["type"]) for match in matches if match]
