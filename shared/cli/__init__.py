"""The `bilayer` command line: a command's code is loaded when it is called, so that each starts quickly."""

from importlib import import_module

import click

_MODULES = {
    "api": "programs",
    "chat": "chat",
    "demo": "demo",
    "doctor": "app",
    "key": "keys",
    "recall": "recall",
    "reextract": "reextract",
    "schedule": "programs",
    "show": "show",
    "snapshot": "snapshots",
    "up": "app",
    "worker": "programs",
}


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's
        """Return the names of all commands."""
        return list(_MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's
        """Return a command; None where there is none of this name."""
        if cmd_name not in _MODULES:
            return None
        found: click.Command = getattr(import_module(f"{__name__}.{_MODULES[cmd_name]}"), cmd_name)
        return found


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="bilayer", prog_name="bilayer")
def cli() -> None:
    """A memory backend for LLM chat."""


def main() -> None:
    cli()
