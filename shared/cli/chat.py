"""`bilayer chat`: a conversation in the terminal, over the HTTP API like any other front.

What was recalled for a turn and what was noticed stands below its reply. Lines come from the prompt, or
from a pipe; Ctrl-C and Ctrl-D leave.
"""

import io
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from shared.cli.connect import connect, front_options
from shared.cli.plain import plain_line, plain_text
from shared.cli.remote import Refused, Remote
from shared.cli.told import told

SHOWN_ROWS = 5
SHOWN_CHARS = 160
# A turn refused for one of these would be refused whatever the message.
ENDING_CODES = frozenset({"unauthenticated", "forbidden"})
ENDING_FIELDS = frozenset({"session_id", "Bilayer-User"})


@click.command()
@front_options
@click.option("--user", default="me", show_default=True, help="Whose memory it is.")
@click.option("--session", help="A session to go on with.  [default: a new one]")
def chat(url: str | None, key: str | None, *, user: str, session: str | None) -> None:
    """Talk to a running Bilayer."""
    console = Console(highlight=False, soft_wrap=True)
    named = session or f"chat-{datetime.now(UTC):%Y%m%d-%H%M%S}"
    try:
        with told(), connect(url, key, user=user) as remote:
            remote.get("/v1/sessions", limit=1)
            is_clean = Conversation(remote, console, session=named).run(is_typed=sys.stdin.isatty())
    except KeyboardInterrupt:
        console.print()
        return
    if not is_clean:
        raise SystemExit(1)


@dataclass(frozen=True)
class Turn:
    """A turn's whole answer, and the rows that were recalled for it."""

    done: Mapping[str, Any]
    recalled: Sequence[Mapping[str, Any]]


class Conversation:
    """One session on one console."""

    def __init__(self, remote: Remote, console: Console, *, session: str) -> None:
        self.remote = remote
        self.console = console
        self.session = session

    def run(self, *, is_typed: bool) -> bool:
        """Take a turn for every line; returns whether none was refused.

        Raises:
            Refused: the key is wrong, so that no line would do.
            Unreachable: the front is gone.
        """
        self.say(f"Session {self.session} at {self.remote.url}. Ctrl-D ends it.", style="dim")
        is_clean = True
        for line in typed_lines(self.console) if is_typed else piped_lines():
            if not is_typed:
                self.say(f"> {line}", style="bold")
            try:
                self.take(line)
            except Refused as error:
                if error.code in ENDING_CODES or error.field in ENDING_FIELDS:
                    raise
                self.say(f"\n{error.detail}", style="red")
                is_clean = False
        return is_clean

    def take(self, message: str) -> Turn:
        """Take one turn and print it as it comes. Raises `Refused` or `Unreachable`."""
        recalled: Sequence[Mapping[str, Any]] = []
        done: Mapping[str, Any] = {}
        for name, event in self.remote.stream_turn(self.session, message):
            if name == "recalled":
                recalled = event["items"]
            elif name == "delta":
                self.console.print(Text(plain_text(event["content"])), end="")
            elif name == "done":
                done = event
        self.console.print()
        turn = Turn(done=done, recalled=recalled)
        self.show_turn(turn)
        return turn

    def show_turn(self, turn: Turn) -> None:
        """Print what stands behind a reply: commands, notices, recalled rows."""
        for command in turn.done.get("commands", []):
            name = command["path"] or "memory"
            new = "" if command["new"] is None else f" = {command['new']}"
            self.say(f"  {command['outcome']}: {command['kind']} {name}{new}", style="green")
        for notice in turn.done.get("notices", []):
            self.say(f"  {notice['kind']}: {notice['text']}", style="yellow")
        for row in turn.recalled[:SHOWN_ROWS]:
            self.say(f"  recalled {row['score']:.2f}: {shorten(row['text'])}", style="cyan")
        if len(turn.recalled) > SHOWN_ROWS:
            self.say(f"  and {len(turn.recalled) - SHOWN_ROWS} more recalled", style="cyan")
        self.console.print()

    def say(self, text: str, *, style: str) -> None:
        self.console.print(Text(plain_text(text), style=style))


def typed_lines(console: Console) -> Iterator[str]:
    """Yield what is typed at the prompt, until Ctrl-D."""
    while True:
        try:
            line = console.input(Text("> ", style="bold"))
        except EOFError:
            console.print()
            return
        if line.strip():
            yield line.strip()


def piped_lines() -> Iterator[str]:
    """Yield the lines of a pipe or a file, whatever the locale says of their encoding."""
    for line in io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace"):
        if line.strip():
            yield line.strip()


def shorten(text: str) -> str:
    """Return a row on one line, cut where it is long."""
    line = plain_line(text)
    return line if len(line) <= SHOWN_CHARS else f"{line[: SHOWN_CHARS - 1]}…"
