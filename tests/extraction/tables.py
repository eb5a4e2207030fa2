r"""Reads the tables of cases beside the tests: one case a line, `text<TAB>want`, `#` begins a comment line.

In `text`, `\n` is a new line. In `want`, `-` is nothing; several commands are joined by ` && `; a path may
be written by its last words (`email`, `budget.ceiling`).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from shared.ltm.schema import DEFAULT_SCHEMA

HERE = Path(__file__).parent


def read_table(name: str) -> list[tuple[str, ...]]:
    rows = []
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        cells = tuple(cell.replace("\\n", "\n") for cell in line.split("\t"))
        assert len(cells) > 1, line
        rows.append(cells)
    return rows


def full_path(words: str) -> str:
    """The one path of the default schema that ends in these words."""
    found = [
        each.path for each in DEFAULT_SCHEMA.paths if each.path == words or each.path.endswith("." + words)
    ]
    assert len(found) == 1, words
    return found[0]


def shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
