"""Ids sort by the time they were made, and are as long as what they name needs."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from shared.ids import new_id, new_row_id

LONG_AGO_MS = 1_000_000_000_000


@pytest.mark.parametrize(("make", "length"), [(new_id, 26), (new_row_id, 18)])
def test_an_id_is_a_prefix_and_safe_characters(make: Callable[..., str], length: int) -> None:
    assert re.fullmatch(rf"msg_[0-9A-HJKMNP-TV-Z]{{{length}}}", make("msg"))


@pytest.mark.parametrize("make", [new_id, new_row_id])
def test_later_ids_sort_behind_earlier_ones(make: Callable[..., str]) -> None:
    made = [make("x", now_ms=LONG_AGO_MS + later) for later in range(50)]
    assert made == sorted(made)


def test_ids_of_one_millisecond_differ() -> None:
    assert len({new_row_id("x", now_ms=LONG_AGO_MS) for _ in range(2_000)}) == 2_000


def test_short_ids_sort_among_the_long_ones_of_former_versions() -> None:
    earlier, later = new_id("scp", now_ms=LONG_AGO_MS), new_row_id("scp", now_ms=LONG_AGO_MS + 86_400_000)
    assert earlier < later
