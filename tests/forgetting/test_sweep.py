"""The sweep on a real store: a year day by day, dry and wet alike, and the way back."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from shared.clock import Clock
from shared.engines.sqlite.stores import SqliteStores
from shared.errors import Conflict, Missing
from shared.extraction.importance import importance_of
from shared.forgetting.score import DAY_MS, ForgetRules
from shared.forgetting.sweep import revive_memory, sweep_scope
from shared.forgetting.weigh import weigh_memories
from shared.language.terms import index_terms
from shared.ltm.edit import StatedMemory, Why, add_memory
from shared.model.life import SweepStep
from shared.model.memory import Memory, Source
from shared.model.moment import to_ms
from shared.model.scope import Scope
from shared.ports.ltm import MemoryFilter
from tests.contracts.ltm.samples import episode, memory, open_in, pairs, record

START = datetime(2031, 3, 3, 12, tzinfo=UTC)  # a Monday, at noon
RULES = ForgetRules()


class Life:
    """One user of a store, and a clock that a test moves from day to day."""

    def __init__(self, folder: Path) -> None:
        self.clock = Clock()
        self.stores: SqliteStores = open_in(folder, clock=self.clock)
        self.scope = Scope(tenant_id="", scope_id="")
        self.go_to(0)

    async def begin(self) -> None:
        self.scope = await self.stores.directory.ensure_scope("t1", "user", outside_id="u1")

    def go_to(self, day: float) -> None:
        self.day = day
        self.clock.offset = timedelta(0)
        self.clock.offset = START + timedelta(days=day) - self.clock.now()

    @property
    def now_ms(self) -> int:
        """Noon of the day, whatever the clock has ticked on since."""
        return to_ms(START + timedelta(days=self.day))

    async def remember(self, text: str, **changes: Any) -> None:
        known = {"origin": "model", "created_at_ms": self.now_ms, "source": Source(), "id": f"mem_{text}"}
        row = memory(text, **{**known, **changes})
        index = record(text, day=START.date().toordinal(), mentions=())
        await self.stores.ltm.write(self.scope, lambda w: w.add_memory(row, index, normal_text=text))

    async def say(self, text: str, *, session_id: str = "s-1") -> None:
        said = episode(text, session_id=session_id, epoch=self.now_ms)
        await self.stores.ltm.write(self.scope, lambda w: w.add_episodes([(said, record(text))]))

    async def sweep(self, *, dry_run: bool = False, rules: ForgetRules = RULES) -> list[SweepStep]:
        return await sweep_scope(
            self.scope, rules=rules, now_ms=self.now_ms, dry_run=dry_run, ltm=self.stores.ltm
        )

    async def statuses(self) -> dict[str, str]:
        wanted = MemoryFilter(status=None, limit=10_000)
        found = await self.stores.ltm.read(self.scope, lambda r: r.memories(wanted))
        return {kept.text: kept.status for kept in found}

    async def recall(self, text: str) -> None:
        """Count a recall of a memory now."""
        rows = await self.stores.ltm.read(self.scope, lambda r: r.rows(r.scope_rows().row_ids.tolist()))
        (row_id,) = [number for number, row in rows.items() if isinstance(row, Memory) and row.text == text]
        await self.stores.ltm.write(self.scope, lambda w: w.count_accesses({row_id: 1}, at_ms=self.now_ms))

    async def finds(self, term: str) -> int:
        postings = await self.stores.ltm.read(self.scope, lambda r: r.postings([term]))
        return len(postings[term].positions)


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    opened = Life(tmp_path)
    asyncio.run(opened.begin())
    yield opened
    opened.stores.close()


def is_active_day(day: int) -> bool:
    """The user speaks on weekdays, and is away for two months from day 100 on."""
    return day % 7 < 5 and not 100 <= day < 160


def nth_active_day(after: int, count: int) -> int:
    days = (day for day in range(after + 1, 400) if is_active_day(day))
    return next(day for number, day in enumerate(days, start=1) if number == count)


async def test_a_year_day_by_day_ends_each_row_by_its_rule(life: Life) -> None:
    await life.remember("explicit", origin="user", importance=0.05)
    await life.remember("confirmed-rule", origin="user", kind="constraint", importance=0.05)
    await life.remember("pinned", origin="api", pinned=True, importance=0.05)
    await life.remember("rule", kind="constraint", importance=0.2)
    await life.remember("worthless", importance=0.1)
    await life.remember("middling", importance=0.5)
    await life.remember("recalled", importance=0.5)
    await life.remember("dear", importance=0.5, access_count=3)
    await life.remember("ending", importance=0.9, expires_at_ms=life.now_ms + 40 * DAY_MS)
    await life.remember("own-end", origin="user", expires_at_ms=life.now_ms + 60 * DAY_MS)
    await life.remember("meeting", kind="event", importance=0.9)
    ended: dict[str, tuple[str, int]] = {}
    purged: dict[str, int] = {}
    for day in range(366):
        life.go_to(day)
        if day == 99:
            await life.remember("before-leaving", importance=0.5)
        if day == 30:
            await life.recall("recalled")
        if is_active_day(day):
            await life.say(f"hello {day}")
        planned = await life.sweep(dry_run=True)
        done = await life.sweep()
        assert sorted(done, key=lambda step: step.id) == sorted(planned, key=lambda step: step.id)
        for step in done:
            name = step.id.removeprefix("mem_")
            if step.action == "purge":
                purged[name] = day
            else:
                ended[name] = (f"{step.action}:{step.reason}", day)
                assert await life.finds(name) == 0
        if day in (50, 365):
            assert await life.sweep() == []
    faded = "fade:low_score"
    assert ended == {
        "worthless": (faded, 7),
        # 0.5 * (1 - 32/45) is the first score below 0.15.
        "middling": (faded, nth_active_day(0, 32)),
        # One recall adds 0.05: 0.5 * (1 - 37/45) + 0.05 < 0.15.
        "recalled": (faded, nth_active_day(30, 37)),
        "before-leaving": (faded, nth_active_day(99, 32)),
        "ending": ("expire:expires_at", 40),
        "own-end": ("expire:expires_at", 60),
        "meeting": ("expire:event_over", 31),
    }
    assert ended["before-leaving"][1] > 160 + 31
    assert purged == {name: day + 7 for name, (_, day) in ended.items()}
    left = await life.statuses()
    assert left == dict.fromkeys(("explicit", "confirmed-rule", "pinned", "rule", "dear"), "active")
    for name in left:
        assert await life.finds(name) == 1
    assert await life.finds("hello") == sum(map(is_active_day, range(366)))


async def test_after_two_years_episodes_go_and_what_was_never_explicit(life: Life) -> None:
    await life.say("first words")
    await life.remember("rule", kind="constraint")
    await life.remember("explicit", origin="user")
    life.go_to(729)
    assert await life.sweep() == []
    life.go_to(731)
    assert {(step.reason, step.action) for step in await life.sweep()} == {
        ("episode_age", "purge"),
        ("idle_calendar_days", "fade"),
    }
    assert await life.statuses() == {"rule": "faded", "explicit": "active"}
    assert await life.finds("words") == 0


async def test_what_was_imported_from_long_ago_is_kept_by_its_arrival(life: Life) -> None:
    old = episode("words of three years ago", epoch=life.now_ms)
    message = old.message.model_copy(update={"created_at_ms": life.now_ms - 3 * 365 * DAY_MS})
    pair = (old.model_copy(update={"message": message}), record("words of three years ago"))
    await life.stores.ltm.write(life.scope, lambda w: w.add_episodes([pair]))
    assert await life.sweep() == []
    life.go_to(729)
    assert await life.sweep() == []
    assert await life.finds("words") == 1


async def test_past_the_cap_of_episodes_sources_of_what_stands_go_last(life: Life) -> None:
    said = pairs(*(f"word{number} tea" for number in range(6)), epoch=life.now_ms)
    await life.stores.ltm.write(life.scope, lambda w: w.add_episodes(said))
    source = Source(session_id="s-1", message_ids=(said[0][0].message.id,), quote="word0")
    await life.remember("kept", origin="user", source=source)
    rules = RULES.model_copy(update={"max_episodes": 3})
    steps = await life.sweep(dry_run=True, rules=rules)
    assert [step.id for step in steps] == [said[number][0].message.id for number in (1, 2, 3)]
    assert await life.sweep(rules=rules) == steps
    assert await life.finds("tea") == 3
    assert await life.sweep(rules=rules) == []


async def test_a_faded_memory_comes_back_within_its_week_and_stays(life: Life) -> None:
    why = Why(actor="key_1", request_id="req_1", origin="api", at=life.clock.now())
    await life.remember("kettle", importance=0.1)
    life.go_to(8)
    await life.sweep()
    assert await life.statuses() == {"kettle": "faded"}
    why = why.model_copy(update={"at": life.clock.now()})
    revived: Memory = await revive_memory(life.scope, "mem_kettle", why=why, ltm=life.stores.ltm)
    assert (revived.status, revived.last_accessed_at_ms) == ("active", to_ms(why.at))
    (term,) = index_terms("kettle")
    assert await life.finds(term) == 1
    with pytest.raises(Conflict) as caught:
        await revive_memory(life.scope, "mem_kettle", why=why, ltm=life.stores.ltm)
    assert caught.value.code == "not_ended"
    for day in range(9, 40):
        life.go_to(day)
        await life.say(f"hello {day}")
        assert await life.sweep() == []
    life.go_to(40)
    await life.say("hello")
    assert [step.reason for step in await life.sweep()] == ["low_score"]
    life.go_to(47)
    await life.sweep()
    with pytest.raises(Missing):
        await revive_memory(life.scope, "mem_kettle", why=why, ltm=life.stores.ltm)


async def test_a_row_that_was_used_between_plan_and_deed_stays(life: Life) -> None:
    """Another process recalls the row while the sweep has its plan already."""
    await life.remember("kettle", importance=0.5)
    for day in range(1, 40):
        life.go_to(day)
        await life.say(f"hello {day}")
    other = open_in(Path(life.stores.readers._path).parent, clock=life.clock)
    read = life.stores.ltm.read

    async def read_then_use(scope: Scope, work: Any) -> Any:
        planned = await read(scope, work)
        await other.ltm.write(scope, lambda w: w.count_accesses({1: 1}, at_ms=life.now_ms))
        return planned

    life.stores.ltm.read = read_then_use  # type: ignore[method-assign]
    try:
        assert await life.sweep() == []
    finally:
        life.stores.ltm.read = read  # type: ignore[method-assign]
        other.close()
    assert await life.statuses() == {"kettle": "active"}


async def test_the_rule_weighs_new_memories_once_and_leaves_a_callers_number(life: Life) -> None:
    why = Why(actor="key_1", request_id="req_1", origin="user", at=life.clock.now())
    for stated in (
        StatedMemory(text="prices must include tax, at most 500 EUR", kind="constraint"),
        StatedMemory(text="maybe tea", kind="fact"),
        StatedMemory(text="a number of its own", importance=0.33),
    ):
        await add_memory(life.scope, stated, why=why, ltm=life.stores.ltm)

    def weigh(kept: Memory) -> float:
        return importance_of(kept.kind, kept.text, confirmed=kept.origin == "user")

    for wanted in (2, 0):
        assert await weigh_memories(life.scope, weigh=weigh, version=1, ltm=life.stores.ltm) == wanted
    found = await life.stores.ltm.read(life.scope, lambda r: r.memories(MemoryFilter()))
    weights = {kept.text.split()[0]: kept.importance for kept in found}
    assert weights == {"prices": 1.0, "maybe": 0.4, "a": 0.33}
