"""Blocks of records: reading by them yields what reading row by row does, whatever came and went."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import apsw
import pytest

from shared.engines.sqlite import blocks
from shared.engines.sqlite.ltm import SqliteReader
from shared.engines.sqlite.records import RawRows
from shared.engines.sqlite.search import DELETE_ROW
from shared.engines.sqlite.stores import SqliteStores
from shared.errors import Missing
from shared.model.memory import Episode
from shared.model.recall import RowRecord
from shared.model.scope import Scope
from shared.ports.ltm import LtmReader, LtmWriter
from tests.contracts.ltm.samples import open_in, pairs, record

WORDS = ("green", "tea", "sky", "wine", "预算上限", "项目编号")
SPEAKERS = ("user", "assistant", "Ana", "小明")
ALL_ROWS = blocks._Gap(0, blocks._NO_END)


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[SqliteStores]:
    stores = open_in(tmp_path)
    yield stores
    stores.close()


@pytest.fixture
def apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks that grow to 150 rows only, so that a test has several of them."""
    monkeypatch.setattr(blocks, "_MOST_ROWS", 150)


async def _scope(stores: SqliteStores, user: str = "u1") -> Scope:
    return await stores.directory.ensure_scope("t1", "user", outside_id=user)


def _talk(chosen: random.Random, count: int, *, name: str) -> list[tuple[Episode, RowRecord]]:
    texts = [" ".join(chosen.choices(WORDS, k=chosen.randint(1, 6))) for _ in range(count)]
    return [
        (
            episode,
            record(
                text,
                speaker=chosen.choice(SPEAKERS),
                day=chosen.randint(-1, 800_000),
                mentions=tuple((day, day + 3) for day in chosen.choices(range(9), k=chosen.randint(0, 2))),
                ends_with_question=chosen.random() < 0.3,
                has_time_expression=chosen.random() < 0.3,
            ),
        )
        for text, (episode, _) in zip(texts, pairs(*texts, session_id=name), strict=True)
    ]


def _add(batch: list[tuple[Episode, RowRecord]], writer: LtmWriter) -> int:
    return writer.add_episodes(batch)


def _forget(message_id: str, row: RowRecord | None, writer: LtmWriter) -> None:
    writer.forget_span(message_id, "span", record=row)


def _end(session_id: str, writer: LtmWriter) -> int:
    return writer.delete_session(session_id)


def _told(rows: RawRows) -> dict[str, list[object]]:
    """Return all columns as lists, speakers by name: their numbers go by the order of meeting them."""
    columns = {name: getattr(rows, name).tolist() for name in RawRows.__slots__ if name != "speakers"}
    return {**columns, "speaker": [rows.speakers[number] for number in columns["speaker"]]}


def _both(reader: LtmReader, after: int) -> tuple[RawRows, RawRows, int]:
    """Return the rows after one by blocks and row by row, and how many blocks there are."""
    assert isinstance(reader, SqliteReader)
    view = reader._view
    singly = blocks._read_loose(view, ALL_ROWS._replace(after=after), speakers=("Ana",))
    return blocks.read_rows(view, after=after, speakers=("Ana",)), singly, len(view.all(blocks.SELECT_EDGES))


@pytest.mark.usefixtures("apart")
async def test_blocks_hold_what_the_rows_hold_whatever_comes_and_goes(stores: SqliteStores) -> None:
    mine, other = await _scope(stores), await _scope(stores, "u2")
    chosen = random.Random(7)
    held: list[tuple[Episode, RowRecord]] = []
    most = 0
    for step in range(30):
        batch = _talk(chosen, chosen.choice((1, 20, 60, 140, 300)), name=f"s-{step}")
        await stores.ltm.write(mine, partial(_add, batch))
        await stores.ltm.write(other, partial(_add, _talk(chosen, 3, name=f"o-{step}")))
        held += batch
        if step % 4 == 1:
            episode, row = held.pop(chosen.randrange(len(held)))
            kept = row if chosen.random() < 0.5 else None
            await stores.ltm.write(mine, partial(_forget, episode.message.id, kept))
        if step % 7 == 3:
            name = chosen.choice(held)[0].session_id
            await stores.ltm.write(mine, partial(_end, name))
            held = [each for each in held if each[0].session_id != name]
        newest = (await stores.ltm.read(mine, lambda reader: reader.scope_rows())).row_ids.max()
        for after in (0, chosen.randint(0, int(newest)), int(newest)):
            by_blocks, singly, count = await stores.ltm.read(mine, lambda r, a=after: _both(r, a))  # type: ignore[misc]
            assert _told(by_blocks) == _told(singly)
            most = max(most, count)
    assert most > 5


@pytest.mark.usefixtures("apart")
async def test_a_block_goes_with_any_of_its_rows_and_its_neighbours_stay(stores: SqliteStores) -> None:
    scope = await _scope(stores)
    first, second = (_talk(random.Random(seed), 140, name=f"s-{seed}") for seed in (1, 2))
    for batch in (first, second):
        await stores.ltm.write(scope, partial(_add, batch))
    assert (await stores.ltm.read(scope, lambda r: _both(r, 0)))[2] == 2
    await stores.ltm.write(scope, partial(_forget, first[70][0].message.id, None))
    assert (await stores.ltm.read(scope, lambda r: _both(r, 0)))[2] == 1
    # The next archive packs what lies loose, once enough has come.
    await stores.ltm.write(scope, partial(_add, _talk(random.Random(3), 140, name="s-3")))
    assert (await stores.ltm.read(scope, lambda r: _both(r, 0)))[2] == 3
    for name in ("s-1", "s-2", "s-3"):
        await stores.ltm.write(scope, partial(_end, name))
    rows, _, count = await stores.ltm.read(scope, lambda r: _both(r, 0))
    assert (len(rows.row_ids), count) == (0, 0)


async def test_a_block_opens_in_its_own_place_alone(stores: SqliteStores) -> None:
    scope = await _scope(stores)
    await stores.ltm.write(scope, partial(_add, _talk(random.Random(1), 130, name="s-1")))

    def work(reader: LtmReader) -> None:
        assert isinstance(reader, SqliteReader)
        view = reader._view
        ((first, last, sealed),) = view.all(blocks.SELECT_BLOCKS, after=0)
        packed = view.sealer.open(sealed, f"blocks:{first}:{last}")
        assert "小明".encode() in zlib.decompress(packed[13 + 16 * 130 :])
        with pytest.raises(Missing):
            view.sealer.open(sealed, f"blocks:{first}:{last + 1}")

    await stores.ltm.read(scope, work)


def _run(statement: str, values: dict[str, Any], writer: LtmWriter) -> None:
    assert isinstance(writer, SqliteReader)
    writer._view.run(statement, **values)


def _seal_as(form: int, writer: LtmWriter) -> None:
    assert isinstance(writer, SqliteReader)
    view = writer._view
    first, last, sealed = view.all(blocks.SELECT_BLOCKS, after=0)[1]
    name = f"blocks:{first}:{last}"
    packed = bytes([form]) + view.sealer.open(sealed, name)[1:]
    _run(SET_BLOCK, {"last_row": last, "block": view.sealer.seal(packed, name)}, writer)


SET_BLOCK = """
UPDATE blocks SET block = :block
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND last_row >= :last_row
"""
SPOIL_RECORD = """
UPDATE search_rows SET record = :record
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND row_id = (
    SELECT max(row_id) FROM search_rows WHERE tenant_id = :tenant_id AND scope_id = :scope_id)
"""


@pytest.mark.usefixtures("apart")
@pytest.mark.parametrize("how", ["cut off", "another's", "of a later form"])
async def test_a_block_that_does_not_open_costs_no_row(stores: SqliteStores, how: str) -> None:
    scope = await _scope(stores)
    for seed in (1, 2, 3):
        await stores.ltm.write(scope, partial(_add, _talk(random.Random(seed), 130, name=f"s-{seed}")))
    spoil: dict[str, Any] = {"last_row": 200, "block": b"\x01" if how == "cut off" else b"\x01" + bytes(60)}
    work = partial(_seal_as, 3) if how == "of a later form" else partial(_run, SET_BLOCK, spoil)
    await stores.ltm.write(scope, work)
    for after in (0, 140, 200, 300):
        by_blocks, singly, count = await stores.ltm.read(scope, lambda r, a=after: _both(r, a))  # type: ignore[misc]
        assert _told(by_blocks) == _told(singly)
        assert (len(singly.row_ids), count) == (390 - after, 3)


async def test_a_record_that_does_not_open_stops_no_archive(stores: SqliteStores) -> None:
    scope = await _scope(stores)
    await stores.ltm.write(scope, partial(_add, _talk(random.Random(1), 20, name="s-1")))
    await stores.ltm.write(scope, partial(_run, SPOIL_RECORD, {"record": b"\x01" + bytes(60)}))
    batch = _talk(random.Random(2), 140, name="s-2")
    assert await stores.ltm.write(scope, partial(_add, batch)) == 140
    found = await stores.ltm.read(scope, lambda r: r.episodes("s-2", epoch=None, after_seq=0, limit=200))
    assert len(found) == 140


@pytest.mark.usefixtures("apart")
async def test_taking_a_row_out_looks_at_one_block_however_many_there_are(tmp_path: Path) -> None:
    steps = [await _steps_of_a_delete(tmp_path / str(count), batches=count) for count in (2, 12)]
    assert steps[0] == steps[1]


async def _steps_of_a_delete(folder: Path, *, batches: int) -> int:
    stores = open_in(folder)
    steps: list[int] = []

    def work(writer: LtmWriter) -> None:
        assert isinstance(writer, SqliteReader)
        view = writer._view
        first = view.all(blocks.SELECT_EDGES)[0][0]
        view.run(DELETE_ROW, row_id=first)
        view.connection.trace_v2(
            apsw.SQLITE_TRACE_PROFILE,
            lambda event: steps.append(event["stmt_status"]["SQLITE_STMTSTATUS_VM_STEP"]),
        )
        view.run(DELETE_ROW, row_id=first + 1)
        view.connection.trace_v2(0, None)

    try:
        scope = await _scope(stores)
        for seed in range(batches):
            await stores.ltm.write(scope, partial(_add, _talk(random.Random(seed), 130, name=f"s-{seed}")))
        await stores.ltm.write(scope, work)
    finally:
        stores.close()
    return steps[0]


async def test_after_a_restore_blocks_hold_what_the_rows_hold(stores: SqliteStores) -> None:
    scope, other = await _scope(stores), await _scope(stores, "u2")
    talks = [_talk(random.Random(seed), 140, name=f"s-{seed}") for seed in range(4)]
    for batch in talks[:2]:
        await stores.ltm.write(scope, partial(_add, batch))
        await stores.ltm.write(other, partial(_add, batch))
    await stores.snapshots.create("snap_1", tag="daily")
    await stores.ltm.write(scope, partial(_end, "s-0"))
    await stores.ltm.write(scope, partial(_forget, talks[1][9][0].message.id, talks[1][9][1]))
    for batch in talks[2:]:
        await stores.ltm.write(scope, partial(_add, batch))
    await stores.snapshots.restore("snap_1")
    for each in (scope, other):
        by_blocks, singly, _ = await stores.ltm.read(each, lambda r: _both(r, 0))
        assert _told(by_blocks) == _told(singly)
    # What comes after it is packed and read as ever.
    await stores.ltm.write(other, partial(_add, talks[3]))
    by_blocks, singly, count = await stores.ltm.read(other, lambda r: _both(r, 0))
    assert _told(by_blocks) == _told(singly)
    assert (len(singly.row_ids), count) == (420, 1)


async def test_blocks_grow_together_so_that_a_scope_has_a_few(stores: SqliteStores) -> None:
    scope = await _scope(stores)
    counts = []
    for step in range(60):
        await stores.ltm.write(scope, partial(_add, _talk(random.Random(step), 40, name=f"s-{step}")))
        by_blocks, singly, count = await stores.ltm.read(scope, lambda r: _both(r, 0))
        assert _told(by_blocks) == _told(singly)
        counts.append(count)
    assert max(counts) <= 8  # 2,400 rows: 2 full ones, and what has not become one yet


async def test_blocks_stay_apart_where_a_row_lies_between_them(stores: SqliteStores) -> None:
    scope = await _scope(stores)
    await stores.ltm.write(scope, partial(_add, _talk(random.Random(1), 40, name="s-1")))
    await stores.ltm.write(scope, partial(_add, _talk(random.Random(2), 1, name="s-2")))
    await stores.ltm.write(scope, partial(_run, SPOIL_RECORD, {"record": b"\x01" + bytes(60)}))
    await stores.ltm.write(scope, partial(_add, _talk(random.Random(3), 40, name="s-3")))
    by_blocks, singly, count = await stores.ltm.read(scope, lambda r: _both(r, 0))
    assert _told(by_blocks) == _told(singly)
    assert (len(singly.row_ids), count) == (80, 1)  # what comes after the row is read singly


def _find(character: str, reader: LtmReader) -> tuple[set[int], set[int], set[int]]:
    """Return the rows that hold a character, those that cannot by their sketch, and all of them."""
    assert isinstance(reader, SqliteReader)
    without = set(blocks.rows_without(reader._view, character).tolist())
    return set(reader.rows_with_character(character)), without, set(reader.scope_rows().row_ids.tolist())


async def test_a_sketch_tells_rows_without_a_character_and_never_one_that_has_it(
    stores: SqliteStores,
) -> None:
    scope = await _scope(stores)
    texts = ["我喜欢喝绿茶", "合同编号是甲乙丙", "likes green tea", "他住在上海浦东", "茶水费三百元"] * 40
    batch = [(each, record(text)) for text, (each, _) in zip(texts, pairs(*texts), strict=True)]
    await stores.ltm.write(scope, partial(_add, batch[:150]))
    await stores.ltm.write(scope, partial(_add, batch[150:170]))  # too few to be packed
    for character in "茶号海元喝无":
        found, without, rows = await stores.ltm.read(scope, partial(_find, character))
        held = {place + 1 for place, text in enumerate(texts[:170]) if character in text}
        assert found == held
        assert not without & held
        assert without <= rows
        assert max(without, default=0) <= 150
    _, without, _ = await stores.ltm.read(scope, partial(_find, "无"))
    assert len(without) >= 90
