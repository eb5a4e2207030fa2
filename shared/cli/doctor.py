"""`bilayer doctor`: every check, in one list a person can act on."""

import sys
from collections.abc import Callable, Iterable, Mapping

from shared.cli import checks
from shared.cli.checks import Check
from shared.cli.config import LaunchSettings
from shared.cli.front import address_of, front_answers
from shared.engines.redis_server import running_url
from shared.settings import unknown_settings


def examine(
    settings: LaunchSettings, *, environ: Mapping[str, str], inspect: Callable[[], str | None]
) -> list[Check]:
    """All checks, cheapest first; each is independent of the others.

    `inspect` looks at the database without changing it and returns what it saw, None where there is none;
    it raises `StartupProblem` where that cannot be read.
    """
    python = (sys.version_info.major, sys.version_info.minor)
    return [
        checks.check_python(python),
        checks.check_setting_names(unknown_settings(environ)),
        checks.check_data_folder(settings.data_dir),
        checks.check_file_system(settings),
        checks.check_disk_space(settings.data_dir),
        checks.check_master_key(settings),
        checks.check_database(inspect),
        checks.check_redis_binary(settings, environ=environ, python=python),
        checks.check_redis_server(settings.redis_url or running_url(settings.data_dir)),
        checks.check_upstream(settings.llm_base_url),
        check_front(settings),
    ]


def check_front(settings: LaunchSettings) -> Check:
    """The port is free, or it is Bilayer itself that listens there."""
    if front_answers(f"{address_of(settings)}/healthz"):
        return Check("port", ok=True, detail=f"Bilayer answers on {address_of(settings)}")
    return checks.check_port(settings.host, settings.port)


def describe(found: Iterable[Check]) -> str:
    """One line a check, the way out below each that failed."""
    lines = []
    for check in found:
        mark = "ok  " if check.ok else "warn" if check.is_warning else "FAIL"
        lines.append(f"{mark}  {check.name}: {check.detail}")
        if check.way_out:
            lines.append(f"      {check.way_out}")
    return "\n".join(lines)


def is_fit(found: Iterable[Check]) -> bool:
    """Whether Bilayer can run here; warnings do not count."""
    return all(check.ok or check.is_warning for check in found)
