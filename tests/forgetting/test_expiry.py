"""What becomes of a memory at a moment, over a table, and which rows the cap takes."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.forgetting.expiry import is_explicit, plan_sweep
from shared.forgetting.score import DAY_MS, ForgetRules, count_idle_days, forget_score
from shared.model.life import AgingMemory
from shared.model.memory import MemoryKind, MemoryStatus, Origin

# Noon, so that whole days lie on both sides.
NOW = 20_000 * DAY_MS + DAY_MS // 2
RULES = ForgetRules()
_ORDINAL_OF_1970 = 719_163


def cases() -> Iterator[Any]:
    lines = (Path(__file__).parent / "expiry.tsv").read_text("utf-8").splitlines()
    for row in csv.reader((line for line in lines if not line.startswith("#")), delimiter="\t"):
        yield pytest.param(row[1:], id=row[0])


def ago(days: str) -> int | None:
    return None if days == "-" else NOW - int(float(days) * DAY_MS)


def aging(name: str, **changes: Any) -> AgingMemory:
    known: dict[str, Any] = {
        "id": name,
        "kind": "fact",
        "status": "active",
        "origin": "model",
        "importance": 0.5,
        "pinned": False,
        "access_count": 0,
        "created_at_ms": NOW - 30 * DAY_MS,
    }
    return AgingMemory(**{**known, **changes})


@pytest.mark.parametrize("row", list(cases()))
def test_each_rule_ends_what_it_should_and_nothing_else(row: list[str]) -> None:
    kind, origin, pinned, importance, accesses, age, used, expires, event, status, ended, idle, want = row
    created = ago(age)
    assert created is not None
    memory = AgingMemory(
        id="mem_1",
        kind=cast("MemoryKind", kind),
        status=cast("MemoryStatus", status),
        origin=cast("Origin", origin),
        importance=float(importance),
        pinned=pinned == "yes",
        access_count=int(accesses),
        created_at_ms=created,
        last_accessed_at_ms=ago(used),
        expires_at_ms=ago(expires),
        ended_at_ms=ago(ended),
        last_day=None if event == "-" else _ORDINAL_OF_1970 + 20_000 - int(event),
    )
    last_use = memory.last_used_at_ms // DAY_MS
    days = [*range(last_use - 50, last_use + 1), *range(last_use + 1, last_use + 1 + int(idle))]
    steps = plan_sweep([memory], active_days=days, rules=RULES, now_ms=NOW)
    told = [f"{step.action}:{step.reason}" for step in steps]
    assert told == ([] if want == "-" else [want])


def test_the_score_is_the_formula() -> None:
    score = forget_score(0.8, idle_days=9, access_count=4, base_ttl_days=45)
    assert score == pytest.approx(0.8 * (1 - 9 / 45) + 4 / 20)
    assert forget_score(1.0, idle_days=1_000, access_count=0, base_ttl_days=45) == 0
    assert forget_score(0.0, idle_days=0, access_count=1_000, base_ttl_days=45) == 0.5


def test_only_the_users_own_days_after_the_last_use_are_idle() -> None:
    memory = aging("a", created_at_ms=100 * DAY_MS + 5, last_accessed_at_ms=110 * DAY_MS + 5)
    assert count_idle_days(memory, active_days=[99, 105, 110, 111, 150]) == 2
    assert count_idle_days(memory, active_days=[]) == 0


def plan(*memories: AgingMemory, cap: int, days: int = 0) -> dict[str, str]:
    rules = RULES.model_copy(update={"max_rows": cap})
    today = NOW // DAY_MS
    steps = plan_sweep(memories, active_days=range(today - days + 1, today + 1), rules=rules, now_ms=NOW)
    return {step.id: step.reason for step in steps}


def test_past_the_cap_the_lowest_scores_fade_and_old_rows_before_young_ones() -> None:
    old = [aging(f"old{n}", importance=0.5 + n / 100) for n in range(4)]
    young = [aging(f"new{n}", importance=0.2 + n / 100, created_at_ms=NOW - DAY_MS) for n in range(4)]
    assert plan(*old, *young, cap=8) == {}
    assert plan(*old, *young, cap=6) == {"old0": "over_cap", "old1": "over_cap"}
    assert plan(*old, *young, cap=3) == dict.fromkeys([*(o.id for o in old), "new0"], "over_cap")
    assert plan(*old, *young, cap=0) == {}


def test_explicit_rows_neither_count_nor_go_and_constraints_count_but_stay() -> None:
    said = [aging(f"said{n}", origin="user", importance=0.01) for n in range(50)]
    pinned = [aging(f"pin{n}", pinned=True, importance=0.01) for n in range(50)]
    rules = [aging(f"rule{n}", kind="constraint", importance=0.01) for n in range(5)]
    facts = [aging(f"fact{n}", importance=0.9) for n in range(3)]
    assert plan(*said, *pinned, *rules, *facts, cap=8) == {}
    assert plan(*said, *pinned, *rules, *facts, cap=7) == {"fact0": "over_cap"}
    assert plan(*said, *pinned, *rules, *facts, cap=1) == dict.fromkeys(
        ("fact0", "fact1", "fact2"), "over_cap"
    )


MEMORIES = st.lists(
    st.builds(
        aging,
        st.uuids().map(str),
        kind=st.sampled_from(["fact", "constraint", "event", "preference"]),
        status=st.sampled_from(["active", "faded", "expired"]),
        origin=st.sampled_from(["user", "system", "api", "rule", "model", "import"]),
        importance=st.floats(0, 1),
        pinned=st.booleans(),
        access_count=st.integers(0, 30),
        created_at_ms=st.integers(0, 1_000).map(lambda day: NOW - day * DAY_MS),
        expires_at_ms=st.none() | st.integers(-100, 100).map(lambda day: NOW + day * DAY_MS),
        ended_at_ms=st.none() | st.integers(0, 30).map(lambda day: NOW - day * DAY_MS),
        last_day=st.none() | st.integers(-100, 100).map(lambda day: _ORDINAL_OF_1970 + 20_000 + day),
    ),
    max_size=30,
    unique_by=lambda memory: memory.id,
)


@given(MEMORIES, st.integers(0, 10), st.integers(0, 200))
def test_no_explicit_or_pinned_row_ends_but_by_its_own_time(
    memories: list[AgingMemory], cap: int, days: int
) -> None:
    by_id = {memory.id: memory for memory in memories}
    today = NOW // DAY_MS
    rules = RULES.model_copy(update={"max_rows": cap})
    steps = plan_sweep(memories, active_days=range(today - days, today), rules=rules, now_ms=NOW)
    assert len({step.id for step in steps}) == len(steps)
    for step in steps:
        memory = by_id[step.id]
        if step.action == "purge":
            assert memory.status in {"faded", "expired"}
            assert not memory.pinned
        elif is_explicit(memory):
            assert step.reason == "expires_at"
