"""The sweep of one scope: rows end softly, may be brought back for a week, and then go.

A dry run reads the same rows and asks the same rules; it changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from shared.errors import Conflict, Missing
from shared.forgetting.expiry import plan_sweep
from shared.forgetting.score import DAY_MS, ForgetRules
from shared.ltm.edit import Why
from shared.ltm.index import describe_row, normal_text
from shared.model.life import SweepStep
from shared.model.memory import Memory
from shared.model.moment import from_ms, to_ms
from shared.model.scope import Scope
from shared.ports.life import LifeReader
from shared.ports.ltm import LongTermMemory, LtmWriter

SLICE: Final = 20
REVIVED_IMPORTANCE: Final = 0.5
_OF_EPISODES: Final = frozenset({"episode_age", "episode_cap"})


def plan_scope(reader: LifeReader, *, rules: ForgetRules, now_ms: int) -> list[SweepStep]:
    """Return what becomes of a scope's memories and episodes now."""
    steps = plan_sweep(reader.aging(), active_days=reader.active_days(), rules=rules, now_ms=now_ms)
    return [*steps, *_plan_episodes(reader, rules=rules, now_ms=now_ms)]


def _plan_episodes(reader: LifeReader, *, rules: ForgetRules, now_ms: int) -> list[SweepStep]:
    """Return the episodes that go: by age, then past the cap the oldest, sources of what stands last."""
    count = reader.count_episodes()
    aged = reader.oldest_episodes(before_ms=now_ms - rules.episode_days * DAY_MS, limit=count)
    steps = [SweepStep(id=name, action="purge", reason="episode_age") for name in aged]
    excess = count - len(aged) - rules.max_episodes
    if excess <= 0:
        return steps
    sources = reader.evidence_ids()
    oldest = reader.oldest_episodes(before_ms=None, limit=len(aged) + excess + len(sources))[len(aged) :]
    in_order = sorted(oldest, key=lambda name: name in sources)
    return [*steps, *(SweepStep(id=name, action="purge", reason="episode_cap") for name in in_order[:excess])]


async def sweep_scope(
    scope: Scope, *, rules: ForgetRules, now_ms: int, dry_run: bool = False, ltm: LongTermMemory
) -> list[SweepStep]:
    """Sweep a scope, in short transactions; returns what became of which row, or would have."""
    steps = await ltm.read(scope, lambda reader: plan_scope(reader, rules=rules, now_ms=now_ms))
    if dry_run:
        return steps
    done: list[SweepStep] = []
    for start in range(0, len(steps), SLICE):
        part = steps[start : start + SLICE]

        def work(writer: LtmWriter, part: Sequence[SweepStep] = part) -> list[SweepStep]:
            return _carry_out(writer, part, rules=rules, now_ms=now_ms)

        done += await ltm.write(scope, work)
    before_ms = now_ms - rules.idle_calendar_days * DAY_MS
    await ltm.write(scope, lambda writer: _tidy(writer, before_ms=before_ms))
    return done


def _carry_out(
    writer: LtmWriter, steps: Sequence[SweepStep], *, rules: ForgetRules, now_ms: int
) -> list[SweepStep]:
    """Carry out the steps that still hold in this transaction: a row may have been used meanwhile."""
    memories = writer.aging([step.id for step in steps if step.reason not in _OF_EPISODES])
    uncapped = rules.model_copy(update={"max_rows": 0})
    still = plan_sweep(memories, active_days=writer.active_days(), rules=uncapped, now_ms=now_ms)
    capped = [step for step in steps if step.reason == "over_cap" or step.reason in _OF_EPISODES]
    done = [step for step in (*still, *capped) if _end_row(writer, step, now_ms=now_ms)]
    if done:
        ended = {step.id: f"{step.action}:{step.reason}" for step in done}
        writer.add_audit("sweep", path=None, details={"rows": ended}, actor="sweep", request_id="")
    return done


def _end_row(writer: LtmWriter, step: SweepStep, *, now_ms: int) -> bool:
    if step.reason in _OF_EPISODES:
        return writer.delete_episodes([step.id]) > 0
    if step.action == "purge":
        return writer.delete_memory(step.id)
    return writer.end_memory(step.id, status="faded" if step.action == "fade" else "expired", at_ms=now_ms)


def _tidy(writer: LtmWriter, *, before_ms: int) -> None:
    writer.expire_updates()
    writer.prune_ledgers(before_ms=before_ms)


async def revive_memory(scope: Scope, memory_id: str, *, why: Why, ltm: LongTermMemory) -> Memory:
    """Bring a faded or expired memory back, without an end of its own.

    It counts as used now and weighs at least as much as a plain fact, or the next sweep would undo it.

    Raises:
        Missing: there is no such memory (any more).
        Conflict: it is neither faded nor expired, or the same text stands already (`not_ended`).
    """

    def work(writer: LtmWriter) -> Memory:
        memory = writer.memory(memory_id)
        if memory is None:
            raise Missing("There is no such memory.")
        standing = writer.memory_with_text(normal_text(memory.text))
        record = describe_row(memory.text, speaker="user", said_at=from_ms(memory.created_at_ms))
        if standing is not None or not writer.revive_memory(memory_id, record=record, at_ms=to_ms(why.at)):
            told = memory.status if standing is None else f"there already, as {standing.id}"
            raise Conflict(
                f"This memory is {told}; only one that faded or expired comes back.", code="not_ended"
            )
        importance = max(memory.importance, REVIVED_IMPORTANCE)
        writer.weigh_memory(memory_id, importance=importance, version=None)
        details = {"memory_id": memory.id, "kind": memory.kind}
        writer.add_audit(
            "memory.restore", path=None, details=details, actor=why.actor, request_id=why.request_id
        )
        return writer.memory(memory_id) or memory

    return await ltm.write(scope, work)
