"""The `bilayer` command line."""

from shared.cli.app import cli


def main() -> None:
    cli()
