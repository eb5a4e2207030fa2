"""What a process keeps of reads: true as soon as anybody has written, whichever process it was."""

from __future__ import annotations

import gc
import random
import weakref
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from shared.clock import Clock
from shared.engines.sqlite.scope_rows import OrderedRows
from shared.engines.sqlite.stores import SqliteStores
from shared.errors import Missing
from shared.model.memory import Episode, Memory
from shared.model.pending import PendingUpdate
from shared.model.recall import RowRecord
from shared.model.scope import Scope
from shared.model.session_state import BannedTopic
from shared.ports.ltm import LtmReader, LtmWriter, MemoryFilter, PendingFilter
from tests.contracts.ltm.samples import EPOCH, EVENT, end_scope, memory, open_in, pairs, record

Two = tuple[SqliteStores, SqliteStores]


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Two]:
    """The stores of two processes over one file, on one clock."""
    clock = Clock()
    first, second = open_in(tmp_path, clock=clock), open_in(tmp_path, clock=clock)
    yield first, second
    second.close()
    first.close()


def _set_to(value: object) -> Callable[[LtmWriter], object]:
    return lambda writer: writer.put_field("a.b", value, origin="user", source=EVENT, at_ms=EPOCH)


def _ban(topic: BannedTopic) -> Callable[[LtmWriter], bool]:
    return lambda writer: writer.ban_topic(topic)


def _count(reader: LtmReader) -> tuple[int, int]:
    return len(reader.memories(MemoryFilter())), len(reader.pending_updates(PendingFilter()))


def _add(batch: list[tuple[Episode, RowRecord]], writer: LtmWriter) -> int:
    return writer.add_episodes(batch)


def _remember(row: Memory, writer: LtmWriter) -> None:
    writer.add_memory(row, record(row.text), normal_text=row.text)


async def _scope(stores: SqliteStores) -> Scope:
    return await stores.directory.ensure_scope("t1", "user", outside_id="u1")


async def test_a_write_of_another_process_is_read_at_once(two: Two) -> None:
    reader, writer = two
    scope = await _scope(reader)
    for number in (1, 2, 3):
        await writer.ltm.write(scope, _set_to(number))
        fields = await reader.ltm.read(scope, lambda r: r.fields())
        assert [field.value for field in fields] == [number]
        topic = BannedTopic(
            topic=f"topic {number}", at_ms=number, message_id=f"msg_{number}", session_id="s-1", quote="q"
        )
        await writer.ltm.write(scope, _ban(topic))
        assert len(await reader.ltm.read(scope, lambda r: r.topics())) == number


async def test_what_was_handed_out_cannot_be_spoiled(two: Two) -> None:
    reader, _ = two
    scope = await _scope(reader)
    await reader.ltm.write(scope, lambda w: w.put_field("a.b", 1, origin="user", source=EVENT, at_ms=EPOCH))
    (await reader.ltm.read(scope, lambda r: r.fields())).clear()
    assert len(await reader.ltm.read(scope, lambda r: r.fields())) == 1


async def test_a_memory_and_a_proposal_end_in_time_though_nobody_writes(two: Two) -> None:
    reader, _ = two
    scope = await _scope(reader)
    now_ms = reader.ltm._clock.now_ms()
    row = memory("stays", expires_at_ms=now_ms + 60_000)
    update = PendingUpdate(
        id="pen_1",
        op="set",
        path="a.b",
        new=1,
        origin="rule",
        confidence=1.0,
        created_at_ms=now_ms,
        expires_at_ms=now_ms + 60_000,
    )
    await reader.ltm.write(scope, lambda w: w.add_memory(row, record("stays"), normal_text="stays"))
    await reader.ltm.write(scope, lambda w: w.add_update(update, key="k", most_open=9))
    assert await reader.ltm.read(scope, _count) == (1, 1)
    reader.ltm._clock.offset += timedelta(seconds=61)
    assert await reader.ltm.read(scope, _count) == (0, 0)


async def test_postings_follow_the_rows_that_come_and_go(two: Two) -> None:
    reader, writer = two
    scope = await _scope(reader)

    async def found() -> list[int]:
        posting = await reader.ltm.read(scope, lambda r: r.postings(["green"])["green"])
        return [int(position) for position in posting.positions]

    first = pairs("green tea", "red wine", session_id="s-1")
    await writer.ltm.write(scope, lambda w: w.add_episodes(first))
    assert await found() == [0]
    await writer.ltm.write(
        scope, lambda w: w.add_episodes(pairs("blue sky", "green grass", session_id="s-2"))
    )
    assert await found() == [0, 3]
    await writer.ltm.write(scope, lambda w: w.delete_session("s-1"))
    assert await found() == [1]


async def test_rows_are_gone_at_once_when_they_are_forgotten(two: Two) -> None:
    reader, writer = two
    scope = await _scope(reader)
    row = memory("green tea")
    await writer.ltm.write(scope, lambda w: w.add_memory(row, record("green tea"), normal_text="green tea"))
    (row_id,) = (await reader.ltm.read(scope, lambda r: r.scope_rows())).row_ids.tolist()
    assert row_id in await reader.ltm.read(scope, lambda r: r.rows([row_id]))
    await writer.ltm.write(scope, lambda w: w.delete_memory(row.id))
    assert await reader.ltm.read(scope, lambda r: r.rows([row_id])) == {}


async def test_nothing_kept_answers_for_a_scope_that_has_ended(two: Two) -> None:
    reader, writer = two
    scope = await _scope(reader)
    await writer.ltm.write(scope, lambda w: w.put_field("a.b", 1, origin="user", source=EVENT, at_ms=EPOCH))
    assert await reader.ltm.read(scope, lambda r: r.fields())
    end_scope(writer, scope)
    with pytest.raises(Missing):
        await reader.ltm.read(scope, lambda r: r.fields())


async def test_one_scope_never_reads_what_another_has_opened(two: Two) -> None:
    reader, _ = two
    mine = await _scope(reader)
    other = await reader.directory.ensure_scope("t1", "user", outside_id="u2")
    for scope, value in ((mine, "mine"), (other, "other")):
        await reader.ltm.write(scope, _set_to(value))
    for scope, value in ((mine, "mine"), (other, "other"), (mine, "mine")):
        assert [field.value for field in await reader.ltm.read(scope, lambda r: r.fields())] == [value]


@pytest.mark.parametrize("budget", [None, 5])
async def test_what_is_kept_of_postings_equals_what_a_fresh_process_reads(
    two: Two, tmp_path: Path, budget: int | None
) -> None:
    reader, writer = two
    scope = await _scope(reader)
    words = ["green", "tea", "sky", "nowhere"]
    numbers = random.Random(5)

    async def postings_of(stores: SqliteStores) -> dict[str, tuple[list[int], list[int]]]:
        found = await stores.ltm.read(scope, lambda r: r.postings(words, budget=budget))
        return {word: (each.positions.tolist(), each.frequencies.tolist()) for word, each in found.items()}

    for step in range(12):
        texts = [" ".join(numbers.choices(words[:3], k=4)) for _ in range(numbers.choice((1, 3, 260)))]
        batch = pairs(*texts, session_id=f"s-{step % 4}-{step}")
        await writer.ltm.write(scope, partial(_add, batch))
        if step % 5 == 3:
            row = memory(f"green {step}", expires_at_ms=reader.ltm._clock.now_ms() + 60_000)
            await writer.ltm.write(scope, partial(_remember, row))
        if step % 5 == 4:
            reader.ltm._clock.offset += timedelta(seconds=61)
        if step == 7:
            await writer.ltm.write(scope, lambda w: w.delete_session("s-1-1"))
        fresh = open_in(tmp_path, clock=reader.ltm._clock)
        assert await postings_of(reader) == await postings_of(fresh)
        fresh.close()


async def test_kept_postings_hold_no_former_order_of_rows_alive(two: Two) -> None:
    reader, writer = two
    scope = await _scope(reader)
    name = (scope.tenant_id, scope.scope_id)
    orders: list[weakref.ref[OrderedRows]] = []
    for word in ("green", "blue", "red"):
        batch = pairs("green blue red", session_id=f"s-{word}")
        await writer.ltm.write(scope, partial(_add, batch))
        await reader.ltm.read(scope, lambda r, term=word: r.postings([term]))  # type: ignore[misc]
        kept = reader.ltm._cache.get(name)
        assert kept is not None
        orders.append(weakref.ref(kept.ordered))
    del kept
    gc.collect()
    assert [each() is not None for each in orders] == [False, False, True]
