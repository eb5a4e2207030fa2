"""The whole path on real conversations: `python -m tests.evals --data PATH [--set NAME] [--limit N]`.

A real stack on a temporary folder takes every conversation over HTTP, archives it, and answers the set's
questions by search. Before a question is asked, long-term memory must hold each message exactly once.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.e2e.stack import Stack
from tests.evals.asking import Answered, Figures, ask, by_category, count_foreign, summarise
from tests.evals.ingest import Ingested, find_faults, ingest, wait_archived
from tests.evals.report import as_json, as_markdown, as_text
from tests.evals.sets import SETS, Conversation, load_set

_WORKERS = 2
_AT_ONCE = 4
_ARCHIVE_SECONDS = 1_200.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the sets asked for; 1 where a message or a search was wrong, whatever the figures."""
    options = _options(arguments)
    if not options.data.is_dir():
        _say(f"{options.data} is no folder, so nothing is evaluated: give the sets' folder with --data PATH.")
        return 0
    report: dict[str, dict[str, Figures]] = {}
    faults: list[str] = []
    for name in options.sets or SETS:
        conversations = load_set(options.data, name)[: options.limit]
        if not conversations:
            _say(f"{name}: not in {options.data}, skipped")
            continue
        with tempfile.TemporaryDirectory(prefix="bilayer-eval-") as folder:
            answered, wrong = _evaluate(Path(folder) / "stack", name, conversations)
        faults += wrong
        report[name] = {category: summarise(group) for category, group in by_category(answered)}
        _say(as_text(name, report[name]))
    if options.out is not None and report:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "evals.json").write_text(
            json.dumps(as_json(report), indent=2) + "\n", encoding="utf-8"
        )
        (options.out / "evals.md").write_text(as_markdown(report), encoding="utf-8")
    for fault in faults[:50]:
        _say(f"WRONG: {fault}")
    return 1 if faults else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.evals", description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder that holds the sets")
    parser.add_argument(
        "--set", choices=SETS, action="append", dest="sets", help="only this set (repeatable)"
    )
    parser.add_argument("--limit", type=int, default=None, help="only the first N conversations of each set")
    parser.add_argument("--out", type=Path, default=None, help="folder for evals.json and evals.md")
    return parser.parse_args(arguments)


def _evaluate(
    folder: Path, name: str, conversations: Sequence[Conversation]
) -> tuple[list[Answered], list[str]]:
    """Ingest, prove, ask. Returns the answers and what was wrong."""
    with Stack(folder, workers=_WORKERS) as stack:
        started = time.monotonic()
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            taken = list(pool.map(lambda each: _ingest(stack, each), conversations))
        seconds = time.monotonic() - started
        messages = sum(len(each.set_ids) for each in taken)
        sessions = sum(len(each.sessions) for each in taken)
        faults = find_faults(stack, taken)
        _say(
            f"{name}: {len(taken)} users, {sessions} sessions, {messages} messages in {seconds:.0f} s, "
            + (
                f"{len(faults)} faults"
                if faults
                else "each an episode once, in order, with its session and time"
            )
        )
        answered = [
            ask(user, each, question)
            for each in taken
            for user in [stack.user(each.user_id)]
            for question in each.conversation.questions
        ]
        foreign = sum(count_foreign(stack.user(each.user_id), each, taken) for each in taken)
        foreign += sum(each.forbidden for each in answered)
        if foreign:
            faults.append(f"{name}: {foreign} hits of other users")
        return answered, faults


def _ingest(stack: Stack, conversation: Conversation) -> Ingested:
    user = stack.user(conversation.name)
    taken = ingest(user, conversation.name, conversation)
    wait_archived(user, taken, seconds=_ARCHIVE_SECONDS)
    return taken


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
