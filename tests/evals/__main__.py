"""What memory is worth, over HTTP: `python -m tests.evals [--data PATH] [--set NAME] [--against FILE]`.

A real stack on a temporary folder takes every conversation of a set, archives it, and answers the set's
questions by search; the task dialogues are played as turns. Before a question is asked, long-term memory must
hold each message exactly once.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from tests.evals.ageing import EMBEDDINGS
from tests.evals.asking import by_category, summarise
from tests.evals.compare import as_records, compare, describe, incomparable
from tests.evals.own import load_cross_lingual, load_own
from tests.evals.playing import Played, play
from tests.evals.report import (
    Categories,
    Rows,
    as_json,
    as_section,
    as_table,
    as_task_table,
    as_text,
    renew_page,
)
from tests.evals.running import evaluate
from tests.evals.sets import SETS, Conversation, load_set
from tests.evals.tasks import load_tasks
from tests.evals.traditional import in_traditional

OWN: Final = "own"
TASKS: Final = "tasks"
CROSS_LINGUAL: Final = "cross-lingual"
ALL: Final = (OWN, TASKS, CROSS_LINGUAL, *SETS)
TRADITIONAL: Final = " in traditional characters"
WITH_EMBEDDINGS: Final = " with embeddings"
PUBLISHED: Final = {
    "locomo": "https://github.com/snap-research/LoCoMo",
    "memorybank-zh": "https://github.com/zhongwanjun/MemoryBank-SiliconFriend",
    "memorybank-en": "https://github.com/zhongwanjun/MemoryBank-SiliconFriend",
    "lifebench": "https://github.com/1754955896/LifeBench",
}


@dataclass(slots=True)
class Results:
    """What a run found; `records` are the questions one by one, `tables` what is shown."""

    figures: dict[str, Categories] = field(default_factory=dict)
    records: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    played: dict[str, Played] = field(default_factory=dict)
    tables: dict[str, Rows] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def show(self, name: str, rows: Rows) -> None:
        """Keep a table and print it."""
        self.tables[name] = rows
        _say(as_text(rows))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the sets asked for; 1 where a message or a search was wrong, whatever the figures."""
    options = _options(arguments)
    results = Results()
    for name in options.sets or ALL:
        if name == TASKS:
            if not (options.traditional or options.embeddings):
                _play(results, limit=options.limit)
        else:
            _measure(results, name, options=options)
    document = {
        "machine": _machine(),
        "figures": as_json(results.figures),
        "tasks": {way: each.as_json() for way, each in results.played.items()},
        "questions": results.records,
    }
    if options.json is not None:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    if options.page is not None and options.limit is None:
        _write_page(options.page, results)
    if options.against is not None:
        _compare(json.loads(options.against.read_text(encoding="utf-8")), results)
    for fault in results.faults[:50]:
        _say(f"WRONG: {fault}")
    return 1 if results.faults else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.evals", description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=None, help="folder that holds the public sets")
    parser.add_argument(
        "--set",
        choices=ALL,
        action="append",
        dest="sets",
        help="only this set (repeatable)",
    )
    parser.add_argument("--limit", type=int, default=None, help="only the first N conversations of each set")
    parser.add_argument("--traditional", action="store_true", help="ask in traditional characters")
    parser.add_argument(
        "--embeddings", action="store_true", help="with the local model of the extra `embeddings`"
    )
    parser.add_argument(
        "--reranker", action="store_true", help="search with the reranker that the environment sets"
    )
    parser.add_argument("--json", type=Path, default=None, help="file for the results")
    parser.add_argument("--page", type=Path, default=None, help="page whose sections a whole run writes anew")
    parser.add_argument("--against", type=Path, default=None, help="results of a former run to compare with")
    options = parser.parse_args(arguments)
    if options.reranker and not os.environ.get("BILAYER_RERANKER_BASE_URL"):
        parser.error("--reranker needs one: set BILAYER_RERANKER_BASE_URL")
    return options


def _measure(results: Results, name: str, *, options: argparse.Namespace) -> None:
    conversations = _load(name, options.data)[: options.limit]
    if not conversations:
        _say(f"{name}: skipped, {_why_missing(name, options.data)}\n")
        return
    if options.traditional:
        asked = [each.questions for each in conversations]
        conversations = [replace(each, questions=in_traditional(each.questions)) for each in conversations]
        if [each.questions for each in conversations] == asked:
            _say(f"{name}: skipped, it asks nothing in Chinese\n")
            return
        name += TRADITIONAL
    if options.embeddings:
        name += WITH_EMBEDDINGS
    with tempfile.TemporaryDirectory(prefix="bilayer-eval-") as folder:
        answered, wrong = evaluate(
            Path(folder) / "stack",
            name,
            conversations=conversations,
            say=_say,
            environ={
                **(_reranker() if options.reranker else {}),
                **(EMBEDDINGS if options.embeddings else {}),
            },
        )
    results.faults += wrong
    results.records[name] = as_records(answered)
    results.figures[name] = {category: summarise(group) for category, group in by_category(answered)}
    results.show(name, as_table(name, results.figures[name]))


def _reranker() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.startswith("BILAYER_RERANKER_")}


def _why_missing(name: str, data: Path | None) -> str:
    if name == CROSS_LINGUAL:
        return "this checkout does not hold it"
    where = "no --data FOLDER was given" if data is None else f"it is not in {data}"
    return f"{where}; it is published at {PUBLISHED[name]}"


def _load(name: str, data: Path | None) -> list[Conversation]:
    if name == OWN:
        return load_own()
    if name == CROSS_LINGUAL:
        return load_cross_lingual()
    return [] if data is None else load_set(data, name)


def _play(results: Results, *, limit: int | None) -> None:
    tasks = load_tasks()[:limit]
    with tempfile.TemporaryDirectory(prefix="bilayer-eval-") as folder:
        results.played = play(tasks, Path(folder) / "stack")
    results.show(TASKS, as_task_table(results.played))


def _write_page(page: Path, results: Results) -> None:
    how = f"{datetime.now(UTC):%Y-%m-%d}, {_machine()}."
    sections = {name: as_section(rows, how=how) for name, rows in results.tables.items()}
    former = page.read_text(encoding="utf-8") if page.exists() else ""
    page.write_text(renew_page(former, sections), encoding="utf-8")


def _compare(before: Mapping[str, Any], results: Results) -> None:
    _say(describe(list(compare(before["questions"], results.records))))
    for name in incomparable(before["questions"], results.records):
        _say(f"{name}: the former run did not ask the same questions, so nothing is compared")


def _machine() -> str:
    return f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
