"""Figures of a run: percentiles, rows of a table, and the same as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: what was measured, its figures by name, and what they are to be read with."""

    part: str
    figures: Mapping[str, float]
    note: str = ""


@dataclass(slots=True)
class Table:
    """The lines of one run, in order."""

    rows: list[Row] = field(default_factory=list)

    def add(self, part: str, figures: Mapping[str, float], *, note: str = "") -> None:
        """Append a line."""
        self.rows.append(Row(part, figures, note))

    def as_json(self) -> list[dict[str, object]]:
        """Return the lines as plain values."""
        return [{"part": row.part, "figures": dict(row.figures), "note": row.note} for row in self.rows]

    def as_text(self) -> str:
        """Return the table for the terminal."""
        width = max(len(row.part) for row in self.rows)
        lines = []
        for row in self.rows:
            figures = "  ".join(f"{name} {_show(value)}" for name, value in row.figures.items())
            lines.append(f"{row.part.ljust(width)}  {figures}" + (f"  ({row.note})" if row.note else ""))
        return "\n".join(lines) + "\n"


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which this share of the values lies (the next one up)."""
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def times(values: Sequence[float], *names: int) -> dict[str, float]:
    """Return percentiles in milliseconds, by names such as `p50 ms`."""
    return {f"p{name} ms": round(percentile(values, name / 100), 3) for name in names}


def _show(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) or abs(value) >= 1_000 else f"{value:.2f}"
