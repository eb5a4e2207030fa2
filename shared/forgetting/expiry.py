"""What becomes of each memory at a moment, by which rule. Pure; a dry run and a sweep ask the same.

`expires_at` passed: expires, whoever set it. An event over for 30 days: expires. Not used for 730 calendar
days: fades. A low forget score, but not in the first 7 days: fades. Past the cap of derived rows the excess
fades, rows over 7 days first, the lowest score first. What has ended for 7 days (the undo window) is purged.

Pinned memories and what the user stated or confirmed (`origin` user, or a business system) end by their own
`expires_at` alone. No constraint fades by score or cap, whoever wrote it: losing one may do harm.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from shared.forgetting.score import DAY_MS, ForgetRules, score_of
from shared.model.life import AgingMemory, SweepReason, SweepStep

_EXPLICIT: Final = frozenset({"user", "system"})
_ORDINAL_OF_1970: Final = 719_163


def plan_sweep(
    memories: Sequence[AgingMemory], *, active_days: Sequence[int], rules: ForgetRules, now_ms: int
) -> list[SweepStep]:
    """Return what becomes of which memory now, each row at most once."""
    steps: list[SweepStep] = []
    staying: list[AgingMemory] = []
    for memory in memories:
        if memory.status != "active":
            steps += _purge_of(memory, rules=rules, now_ms=now_ms)
            continue
        by_time = _end_by_time(memory, rules=rules, now_ms=now_ms)
        if by_time is not None:
            fades = by_time == "idle_calendar_days"
            steps.append(SweepStep(id=memory.id, action="fade" if fades else "expire", reason=by_time))
        elif _has_low_score(memory, active_days=active_days, rules=rules, now_ms=now_ms):
            steps.append(SweepStep(id=memory.id, action="fade", reason="low_score"))
        else:
            staying.append(memory)
    over = _excess(staying, active_days=active_days, rules=rules, now_ms=now_ms)
    return [*steps, *(SweepStep(id=memory.id, action="fade", reason="over_cap") for memory in over)]


def is_explicit(memory: AgingMemory) -> bool:
    """Whether the user stated or confirmed it, or a business system set it, or it is pinned."""
    return memory.pinned or memory.origin in _EXPLICIT


def _fades(memory: AgingMemory) -> bool:
    return not is_explicit(memory) and memory.kind != "constraint"


def _is_young(memory: AgingMemory, *, rules: ForgetRules, now_ms: int) -> bool:
    return now_ms < memory.created_at_ms + rules.young_days * DAY_MS


def _end_by_time(memory: AgingMemory, *, rules: ForgetRules, now_ms: int) -> SweepReason | None:
    if memory.expires_at_ms is not None and memory.expires_at_ms <= now_ms:
        return "expires_at"
    if is_explicit(memory):
        return None
    if memory.expires_at_ms is None and memory.last_day is not None:
        over_at_ms = (memory.last_day - _ORDINAL_OF_1970 + 1 + rules.event_days) * DAY_MS
        if now_ms >= over_at_ms:
            return "event_over"
    if now_ms >= memory.last_used_at_ms + rules.idle_calendar_days * DAY_MS:
        return "idle_calendar_days"
    return None


def _has_low_score(
    memory: AgingMemory, *, active_days: Sequence[int], rules: ForgetRules, now_ms: int
) -> bool:
    if not _fades(memory) or _is_young(memory, rules=rules, now_ms=now_ms):
        return False
    return score_of(memory, active_days=active_days, rules=rules) < rules.min_score


def _excess(
    staying: Sequence[AgingMemory], *, active_days: Sequence[int], rules: ForgetRules, now_ms: int
) -> list[AgingMemory]:
    """Return the rows past the cap that fade: those over 7 days first, of these the lowest scores."""
    counted = [memory for memory in staying if not is_explicit(memory)]
    excess = len(counted) - rules.max_rows
    if not rules.max_rows or excess <= 0:
        return []

    def rank(memory: AgingMemory) -> tuple[bool, float, str]:
        score = score_of(memory, active_days=active_days, rules=rules)
        return _is_young(memory, rules=rules, now_ms=now_ms), score, memory.id

    return sorted((memory for memory in counted if _fades(memory)), key=rank)[:excess]


def _purge_of(memory: AgingMemory, *, rules: ForgetRules, now_ms: int) -> list[SweepStep]:
    """Return the purge of a memory whose undo window is over; a pinned one stays as it ended."""
    if memory.pinned or memory.ended_at_ms is None:
        return []
    if now_ms < memory.ended_at_ms + rules.undo_days * DAY_MS:
        return []
    return [SweepStep(id=memory.id, action="purge", reason="undo_over")]
