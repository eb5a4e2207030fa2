"""What it costs, in one run: `python -m tests.bench [--quick] [--only PART] [--data PATH] [--json FILE]`.

Read the figures as ratios: the floor, which is the same front without memory, runs beside the turns, and
everything shares one machine. Counts (round trips, writes) are exact anywhere.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import sys
import tempfile
from collections import Counter as Tally
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tests.bench.background import count_model_calls
from tests.bench.counts import counting
from tests.bench.figures import Table
from tests.bench.front import (
    fill_front,
    measure_many,
    measure_memory,
    measure_requests,
    measure_turns,
    open_fronts,
    program,
)
from tests.bench.growth import measure_growth
from tests.bench.prompts import measure_assembly, measure_saving
from tests.bench.scale import measure_scale
from tests.bench.sentences import make_sentences

PARTS = ("counts", "jobs", "front", "scale", "prompts", "growth")
_COUNTED_TURNS = 50


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the parts and print the table."""
    options = _options(arguments)
    table = Table()
    with (
        tempfile.TemporaryDirectory(prefix="bilayer-bench-") as folder,
        program("tests.fakes.upstream") as model,
    ):
        assert model.stdout is not None
        upstream_url = model.stdout.readline().strip()
        if "front" in options.only:
            _measure_front(Path(folder) / "front", table, upstream_url=upstream_url, quick=options.quick)
        if "counts" in options.only:
            _count(Path(folder) / "counts", table, upstream_url=upstream_url)
        if "jobs" in options.only:
            count_model_calls(Path(folder) / "jobs", table)
        if "scale" in options.only:
            (Path(folder) / "scale").mkdir(mode=0o700)
            asyncio.run(
                measure_scale(
                    Path(folder) / "scale",
                    table,
                    rows=options.rows or (20_000 if options.quick else 100_000),
                    users=options.users,
                    one_user=options.one_user,
                    searches=400 if options.quick else 1_000,
                )
            )
        if "prompts" in options.only:
            measure_assembly(table, quick=options.quick)
            asyncio.run(measure_saving(table, data=options.data, quick=options.quick))
        if "growth" in options.only:
            asyncio.run(measure_growth(table, turns=options.turns or (400 if options.quick else 2_000)))
    machine = f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    sys.stdout.write(f"{table.as_text()}{machine}\n")
    if options.json is not None:
        document = {"machine": machine, "rows": table.as_json()}
        options.json.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("--quick", action="store_true", help="fewer turns, searches and rows")
    parser.add_argument("--rows", type=int, default=None, help="rows of the part scale (100,000)")
    parser.add_argument("--users", type=int, default=1_000, help="users of the part scale (1,000)")
    parser.add_argument(
        "--one-user", type=int, nargs="*", default=[10_000], help="rows of single users in the part scale"
    )
    parser.add_argument("--turns", type=int, default=None, help="turns of the part growth (2,000)")
    parser.add_argument(
        "--data", type=Path, default=None, help="folder of the public sets, for tokens a turn"
    )
    parser.add_argument("--only", choices=PARTS, nargs="+", default=PARTS, help="only these parts")
    parser.add_argument("--json", type=Path, default=None, help="file for the figures")
    return parser.parse_args(arguments)


def _measure_front(folder: Path, table: Table, *, upstream_url: str, quick: bool) -> None:
    with open_fronts(folder, upstream_url=upstream_url) as fronts:
        asyncio.run(fill_front(fronts))
        measure_turns(fronts, table, turns=100 if quick else 400)
        measure_requests(fronts, table, requests=60 if quick else 200)
        measure_many(fronts, table, seconds=3.0 if quick else 8.0)
        measure_memory(fronts, table)


def _count(folder: Path, table: Table, *, upstream_url: str) -> None:
    with counting(folder, upstream_url=upstream_url) as (user, counter):
        said = make_sentences(_COUNTED_TURNS, seed=21)
        turns = [counter.count(partial(user.turn, "s", text)) for text in said]
        command = counter.count(lambda: user.turn("s", "记住：车棚的密码在门后"))
    trips = Tally(turn.round_trips for turn in turns)
    figures = {f"turns with {number} round trips": count for number, count in sorted(trips.items())}
    writes = sum(turn.commits for turn in turns)
    note = "counted; a third where the session's archive falls due" if len(trips) > 1 else "counted"
    table.add("plain turn: Redis", figures, note=note)
    table.add("plain turn: long-term memory", {"turns that wrote": writes}, note="counted")
    table.add("turn with a command: long-term memory", {"transactions": command.commits})


if __name__ == "__main__":
    sys.exit(main())
