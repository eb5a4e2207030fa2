"""Figures of an evaluation as text: one table a set, for the terminal and, as Markdown, for the page.

A page keeps the sections of sets that a run did not measure; each section says when and how it was measured.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from tests.evals.asking import DEPTHS, Figures
from tests.evals.playing import Played

Categories = Mapping[str, Figures]
Rows = Sequence[Sequence[str]]

_HEAD: Final = (
    "questions",
    *(f"R@{depth}" for depth in DEPTHS),
    *(f"hit@{depth}" for depth in DEPTHS),
    "MRR",
    "current",
    "silent",
    "forbidden",
    "p50 ms",
    "p95 ms",
    "p99 ms",
)
_TASK_HEAD: Final = ("dialogues", "turns", "that need", "lack %", "contradict %", "asked again")
TITLE: Final = "# Evaluation\n"
NOTE: Final = """
Measured over HTTP on a real stack: every conversation is taken in, archived and asked about by search, sealed
and without a model. `make eval` measures our own sets, `make eval ARGS="--data FOLDER"` the public ones too
(the guide says where they are published); both write this page. Its tables read:

- **R@k**: the share of *all* pieces of evidence among the first k hits. **hit@k**: *any* of them is.
  MemoryBank's pieces are alternatives. **MRR**: 1 / rank of the first. All in percent.
- **current**: the evidence stands before what was true once. **silent**: a question without evidence got no
  hit.
- **forbidden**: hits of another user, of a deleted message, of an expired memory. There may be none.
- **lack**, **contradict**: the share of turns that need something confirmed earlier whose prompt does not
  hold it, or holds only its former value. **asked again**: questions for what had been confirmed.
- Differences under 2 points are no progress. `--against FILE` compares with a former result by question.
- Times depend on the machine and on what else runs there: compare within a run.
"""


def as_table(name: str, categories: Categories) -> Rows:
    """Return one set's figures as rows, the head first."""
    return [[name, *_HEAD], *([category, *_cells(each)] for category, each in categories.items())]


def as_task_table(played: Mapping[str, Played]) -> Rows:
    """Return what came of the task dialogues as rows, the head first."""
    return [["tasks", *_TASK_HEAD], *([way, *_task_cells(each)] for way, each in played.items())]


def as_text(rows: Rows) -> str:
    """Return a table for the terminal."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    )
    return "\n".join(lines) + "\n"


def as_section(rows: Rows, *, how: str) -> str:
    """Return a section of the page: a heading, how it was measured, the table in Markdown."""
    name, *head = rows[0]
    ruled = [["", *head], ["---", *("---:" for _ in head)], *rows[1:]]
    table = "\n".join(f"| {' | '.join(row)} |" for row in ruled)
    return f"## {name}\n\n{how}\n\n{table}\n"


def renew_page(page: str, sections: Mapping[str, str]) -> str:
    """Return the page with these sections in the place of the former ones, new ones at its end."""
    former = {
        part.partition("\n")[0]: f"## {part}" for part in re.split(r"^## ", page, flags=re.MULTILINE)[1:]
    }
    kept = {**former, **sections}
    return "\n".join([TITLE + NOTE, *(section.rstrip("\n") + "\n" for section in kept.values())])


def as_json(report: Mapping[str, Categories]) -> dict[str, Any]:
    """Return the figures as plain values, set by set."""
    return {
        name: {category: asdict(figures) for category, figures in categories.items()}
        for name, categories in report.items()
    }


def _cells(figures: Figures) -> list[str]:
    shares = (*figures.recall, *figures.hit, figures.mrr, figures.current, figures.silent)
    return [
        str(figures.questions),
        *("–" if value is None else f"{value:.1f}" for value in shares),
        str(figures.forbidden),
        *(f"{value:.1f}" for value in (figures.p50_ms, figures.p95_ms, figures.p99_ms)),
    ]


def _task_cells(played: Played) -> list[str]:
    needing = max(played.needing, 1)
    return [
        str(played.dialogues),
        str(played.turns),
        str(played.needing),
        f"{100 * played.lacking / needing:.1f}",
        f"{100 * played.contradicting / needing:.1f}",
        str(played.asked_again),
    ]
