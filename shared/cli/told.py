"""What went wrong, as the command line tells it: one sentence with the way out, and exit code 1."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from shared.errors import BilayerError


@contextmanager
def told() -> Iterator[None]:
    """Turn an error of ours into one sentence and exit code 1."""
    try:
        yield
    except BilayerError as error:
        raise click.ClickException(error.detail) from None
