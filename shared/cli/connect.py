"""Which front the client commands speak to, and with which key: their options, in one place."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from shared.cli.front import address_of
from shared.cli.remote import Refused, Remote
from shared.settings import load_settings

F = TypeVar("F", bound=Callable[..., Any])


def front_options(command: F) -> F:
    """Give a command `--url` and `--key`."""
    url = click.option("--url", help="Address of the front.  [default: as the settings say]")
    key = click.option("--key", envvar="BILAYER_KEY", help="Service key; better in BILAYER_KEY.")
    return url(key(command))


def connect(url: str | None, key: str | None, *, user: str) -> Remote:
    """Return the front to speak to; nothing is sent yet.

    Raises:
        Refused: no key is given, or it cannot be one.
        Unreachable: the address cannot be one.
    """
    if not key:
        raise Refused(
            "No key is given: set BILAYER_KEY to one, and `bilayer key create` makes one.",
            status=401,
            code="unauthenticated",
        )
    return Remote(url or address_of(load_settings()), key=key.strip(), user=user)
