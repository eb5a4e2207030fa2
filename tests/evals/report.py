"""Figures of an evaluation as text: one table a set, for the terminal and, as Markdown, for a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from tests.evals.asking import DEPTHS, Figures

Report = Mapping[str, Mapping[str, Figures]]
_HEAD = (
    "questions",
    *(f"R@{depth}" for depth in DEPTHS),
    *(f"hit@{depth}" for depth in DEPTHS),
    "MRR",
    "forbidden",
    "p50 ms",
    "p95 ms",
    "p99 ms",
)
NOTE = (
    "R@k: share of all pieces of evidence among the first k hits. hit@k: any of them is. "
    "MemoryBank's pieces are alternatives. Differences under 2 points are not progress."
)


def as_markdown(report: Report) -> str:
    """Return a table for each set."""
    parts = [NOTE]
    for name, categories in report.items():
        rows = [[name, *_HEAD], ["---", *("---:" for _ in _HEAD)]]
        rows += [[category, *_cells(figures)] for category, figures in categories.items()]
        parts.append("\n".join(f"| {' | '.join(row)} |" for row in rows))
    return "\n\n".join(parts) + "\n"


def as_text(name: str, categories: Mapping[str, Figures]) -> str:
    """Return one set's table for the terminal."""
    rows = [[name, *_HEAD], *([category, *_cells(figures)] for category, figures in categories.items())]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    )
    return "\n".join(lines) + "\n"


def as_json(report: Report) -> dict[str, Any]:
    """Return the figures as plain values, set by set."""
    return {
        name: {category: asdict(figures) for category, figures in categories.items()}
        for name, categories in report.items()
    }


def _cells(figures: Figures) -> list[str]:
    return [
        str(figures.questions),
        *(f"{value:.1f}" for value in (*figures.recall, *figures.hit, figures.mrr)),
        str(figures.forbidden),
        *(f"{value:.1f}" for value in (figures.p50_ms, figures.p95_ms, figures.p99_ms)),
    ]
