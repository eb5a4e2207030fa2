"""The `bilayer` command line."""

from shared.cli.app import cli as cli  # with all commands
from shared.cli.chat import chat
from shared.cli.demo import demo
from shared.cli.keys import key
from shared.cli.recall import recall
from shared.cli.reextract import reextract
from shared.cli.show import show
from shared.cli.snapshots import snapshot

for command in (chat, demo, key, recall, reextract, show, snapshot):
    cli.add_command(command)


def main() -> None:
    cli()
