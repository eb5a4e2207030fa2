"""Structured logs that cannot hold user text.

An event has a static name and keywords. A value passes only if it is a number, a flag, or a short
ASCII word of the kind that ids, codes and names of routes are made of; anything else is replaced by
its type, so that a careless `log.info("x", text=text)` leaks nothing.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any

import structlog

_SAFE = re.compile(r"[A-Za-z0-9_.:/{}+\-]{1,120}")


class _Redaction:
    """The last processor of an event; structlog calls it with the logger, the method and the event."""

    def __call__(
        self, _logger: object, _name: str, event: MutableMapping[str, Any]
    ) -> MutableMapping[str, Any]:
        for key, value in event.items():
            if value is None or isinstance(value, bool | int | float):
                continue
            if not (isinstance(value, str) and _SAFE.fullmatch(value)):
                event[key] = f"<{type(value).__name__}>"
        return event


class _NamesOnly(logging.Formatter):
    """Lines of the libraries under us: who spoke and how loudly, never what, and no traceback."""

    def format(self, record: logging.LogRecord) -> str:
        return f'{{"event":"{record.name}","level":"{record.levelname.lower()}"}}'


def configure_logs(level: str = "INFO") -> None:
    """Send JSON lines to standard error, from our own code and from the libraries under it."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            _Redaction(),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_NamesOnly())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)


def get_logger() -> Any:
    """Return a logger; bind ids to it, never text."""
    return structlog.get_logger()


def warn_of_names(unknown: Mapping[str, str]) -> None:
    """Log each name that sets nothing beside the setting that was most likely meant; never a value."""
    for name, nearest in unknown.items():
        get_logger().warning("unknown_setting", name=name, nearest=nearest or None)
