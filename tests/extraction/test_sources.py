"""Questions about where a fact comes from, and those that are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared.extraction.sources import asked_sources
from shared.ltm.schema import DEFAULT_SCHEMA

_ROWS = [
    line.split("\t")
    for line in (Path(__file__).parent / "sources.tsv").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]


@pytest.mark.parametrize(("text", "wanted"), _ROWS)
def test_a_question_of_source_names_its_fields(text: str, wanted: str) -> None:
    found = asked_sources(text, schema=DEFAULT_SCHEMA)
    if wanted == "-":
        assert found is None
    else:
        assert found is not None
        assert [path.rpartition(".")[2] for path in found] == ([] if wanted == "any" else wanted.split("&&"))
