"""`bilayer show`: what is held of one user, in plain form, read over HTTP with an admin key."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import click

from shared.cli.connect import connect, front_options
from shared.cli.plain import plain_line, plain_text
from shared.cli.told import told

ROWS = 200
NEXT_LINE, INDENT = "\n", "\n      "


@click.command()
@front_options
@click.option("--user", required=True, help="Whose memory to show.")
@click.option("--session", help="A session whose window to show as well.")
@click.option("--json", "as_json", is_flag=True, help="The answer as it came, as JSON.")
def show(url: str | None, key: str | None, *, user: str, session: str | None, as_json: bool) -> None:
    """Show what is held of one user; the audit notes who looked."""
    with told(), connect(url, key, user=user) as remote:
        named = {"session_id": session} if session else {}
        held = remote.get("/v1/show", **named)
    if as_json:
        click.echo(json.dumps(held, ensure_ascii=False, indent=2))
        return
    for line in describe_held(held):
        click.echo(line)


def describe_held(held: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines that tell what is held."""
    yield f"User {plain_line(held['user'])}"
    yield from describe_part("Fields", (describe_field(field) for field in held["fields"]))
    yield from describe_part("Memories", (describe_memory(memory) for memory in held["memories"]))
    yield from describe_part("Waiting for the user", (describe_update(one) for one in held["pending"]))
    yield from describe_part("Sessions", (describe_session(one) for one in held["sessions"]))
    if held["session"]:
        window = (describe_message(message) for message in held["session"]["window"])
        yield from describe_part(f"Window of session {held['session']['session_id']}", window)
    yield from describe_part("Audit, newest first", (describe_entry(entry) for entry in held["audit"]))
    for name in held["cut"]:
        yield f"Of the {name} only the newest {ROWS} are shown."


def describe_part(title: str, rows: Iterator[str]) -> Iterator[str]:
    """Yield a part's title and its rows; further lines of a row stand deeper."""
    yield f"\n{title}"
    found = [f"  {plain_text(row).replace(NEXT_LINE, INDENT)}" for row in rows]
    yield from found or ["  none"]


_DELETED = ", from a session that was deleted"


def describe_field(field: Mapping[str, Any]) -> str:
    source = field["source"]
    quote = f', said as "{source["quote"]}"' if source["quote"] else ""
    quote += _DELETED if source.get("deleted") else ""
    value = json.dumps(field["value"], ensure_ascii=False)
    return f"{field['path']} = {value}  (version {field['version']}, by {field['origin']}{quote})"


def describe_memory(memory: Mapping[str, Any]) -> str:
    status = "" if memory["status"] == "active" else f", {memory['status']}"
    status += _DELETED if memory.get("source_deleted") else ""
    made = day_of(memory["created_at"])
    return f"{memory['text']}  ({memory['kind']}, {made}, by {memory['origin']}{status})"


def describe_update(update: Mapping[str, Any]) -> str:
    value = json.dumps(update["new"], ensure_ascii=False)
    quote = f', said as "{update["quote"]}"' if update["quote"] else ""
    what = update["path"] or "memory"
    return f"{update['op']} {what} = {value}  (until {day_of(update['expires_at'])}{quote})"


def describe_session(session: Mapping[str, Any]) -> str:
    messages, last = session["messages"], minute_of(session["last_at"])
    return f"{session['session_id']}  {messages} messages, the last {last}"


def describe_message(message: Mapping[str, Any]) -> str:
    state = "" if message["state"] == "complete" else f" ({message['state']})"
    content = message["content"]
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    return f"{message['seq']} {message['role']}{state}: {text}"


def describe_entry(entry: Mapping[str, Any]) -> str:
    details = entry["details"] or {}
    change = f": {details.get('old')} -> {details.get('new')}" if "new" in details else ""
    path = f" {entry['path']}" if entry["path"] else ""
    return f"{minute_of(entry['at'])}  {entry['action']}{path}{change}  by {entry['actor']}"


def day_of(moment: str) -> str:
    return moment[:10]


def minute_of(moment: str) -> str:
    return moment[:16].replace("T", " ")
