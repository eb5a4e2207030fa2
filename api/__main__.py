"""`python -m api`: the front on the address that the settings name."""

from __future__ import annotations

import os
import sys
from functools import partial

import uvicorn

from api.app import create_app
from api.garbage import take_over_collector
from api.metrics import observe_llm
from shared.errors import StartupProblem, Unavailable
from shared.log import configure_logs, warn_of_names
from shared.services import check_start, open_services
from shared.settings import load_settings, unknown_settings


def main() -> int:
    """Serve until told to stop; returns the exit code."""
    os.umask(0o077)
    try:
        settings = load_settings()
        configure_logs(settings.log_level)
        warn_of_names(unknown_settings(os.environ))
        check_start(settings)
    except (StartupProblem, Unavailable) as problem:
        sys.stderr.write(f"bilayer: {problem.detail}\n")
        return 1
    app = create_app(
        partial(open_services, settings, observe_llm=observe_llm), test_clock=settings.test_clock
    )
    take_over_collector()
    uvicorn.run(
        app,
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=10,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
