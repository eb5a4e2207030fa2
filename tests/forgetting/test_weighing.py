"""The importance of what is kept spreads over the range, so that forgetting can tell rows apart."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import cast

from shared.extraction.importance import importance_of
from shared.model.memory import MemoryKind

MOST_IN_A_TENTH = 0.30


def test_no_tenth_of_the_range_holds_more_than_three_rows_in_ten() -> None:
    lines = (Path(__file__).parent / "spread.tsv").read_text("utf-8").splitlines()
    rows = list(csv.reader((line for line in lines if not line.startswith("#")), delimiter="\t"))
    tenths = Counter(
        min(int(importance_of(cast("MemoryKind", kind), text, confirmed=confirmed == "yes") * 10 + 1e-9), 9)
        for kind, confirmed, text in rows
    )
    assert max(tenths.values()) / len(rows) <= MOST_IN_A_TENTH
    assert len(tenths) >= 7
