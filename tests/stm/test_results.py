"""Results of the assistant: typed, the last of a label, and never a fact of the user's."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.stm.results import MAX_RESULTS, find_results, merge_results, render_results
from tests.stm.messages import make_message

ROWS = [
    [*line.split("\t"), "", ""][:4]
    for line in (Path(__file__).parent / "results.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(("reply", "label", "value", "unit"), ROWS, ids=[row[0] for row in ROWS])
def test_a_reply_yields_the_value_it_works_out(reply: str, label: str, value: str, unit: str) -> None:
    found = [(r.label, r.value, r.unit or "") for r in find_results(make_message(1, "assistant", reply))]
    assert found == ([] if label == "none" else [(label, Decimal(value), unit)])


def test_what_a_user_says_is_no_result() -> None:
    assert find_results(make_message(1, "user", "B 方案总成本为 85 万元")) == []


def test_the_last_value_of_a_label_stands() -> None:
    first = find_results(make_message(1, "assistant", "B 方案总成本为 85 万元；A 方案总成本为 70 万元"))
    second = find_results(make_message(2, "assistant", "修正：B 方案总成本为 90 万元"))
    merged = merge_results(first, second)
    assert (merged[0].label, merged[0].value, merged[0].message_id) == (
        "a 方案总成本",
        Decimal(700000),
        "msg_1",
    )
    block = render_results(merged, "zh")
    assert "助手此前计算得出" in block
    assert "900000 CNY" in block
    assert "850000" not in block
    assert "Computed earlier by the assistant" in render_results(merged, "en")
    assert render_results([], "en") == ""


@settings(deadline=None)
@given(st.lists(st.tuples(st.text("abcdef", min_size=2, max_size=3), st.integers(1, 10**9)), max_size=60))
def test_however_many_results_come_the_number_kept_is_bounded(said: list[tuple[str, int]]) -> None:
    results = merge_results((), ())
    for seq, (label, value) in enumerate(said):
        results = merge_results(
            results, find_results(make_message(seq, "assistant", f"{label} costs ${value}"))
        )
    assert len(results) <= MAX_RESULTS
    assert len({result.label for result in results}) == len(results)
