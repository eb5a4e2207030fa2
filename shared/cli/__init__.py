"""The `bilayer` command line."""

from shared.cli.app import cli
from shared.cli.keys import key

for command in (key,):
    cli.add_command(command)


def main() -> None:
    cli()
