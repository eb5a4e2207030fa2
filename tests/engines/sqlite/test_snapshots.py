"""Snapshots of a store: whole under load, equal when restored, and nothing that went comes back by them."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from shared.clock import Clock
from shared.engines.key_backup import KeyBackup
from shared.engines.redis_stm.limits import StmLimits
from shared.engines.sqlite.stores import SqliteStores
from shared.errors import Conflict, Missing, StartupProblem, Unavailable
from shared.ltm.edit import StatedMemory, Why, add_memory, delete_memory
from shared.ltm.field_edit import delete_field
from shared.ltm.schema import DEFAULT_SCHEMA
from shared.ltm.snapshot import make_snapshot, restore_snapshot
from shared.model.memory import Source
from shared.model.moment import from_ms
from shared.model.scope import Scope
from shared.model.session_state import BannedTopic
from shared.ports.ltm import LtmWriter, MemoryFilter
from tests.contracts.ltm.samples import EPOCH, episode, memory, open_in, pairs, record
from tests.engines.sqlite.tables import read_tables
from tests.engines.sqlite.test_erasing import run_to_the_key, write_rows
from tests.fakes.memory_state import MemoryState
from tests.fakes.memory_stm import MemoryShortTermMemory

WHY = Why(actor="key_1", request_id="req_1", origin="user", at=from_ms(EPOCH))
STM = MemoryShortTermMemory(MemoryState(), clock=Clock(), limits=StmLimits())


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[SqliteStores]:
    opened = open_in(tmp_path / "first")
    yield opened
    opened.close()


@pytest.fixture
async def scope(stores: SqliteStores) -> Scope:
    return await stores.directory.ensure_scope("t1", "user", outside_id="u1")


async def texts_of(stores: SqliteStores, scope: Scope) -> list[str]:
    found = await stores.ltm.read(scope, lambda r: r.memories(MemoryFilter(limit=1_000)))
    return sorted(memory.text for memory in found)


async def found_by(stores: SqliteStores, scope: Scope, term: str) -> int:
    postings = await stores.ltm.read(scope, lambda r: r.postings([term]))
    return len(postings[term].positions)


def copy_to_empty_folder(source: Path, target: Path) -> Path:
    """Take what a restore into an empty folder takes: the snapshots, the key backup, the master key."""
    target.mkdir()
    shutil.copytree(source / "snapshots", target / "snapshots")
    shutil.copytree(source / "keys", target / "keys")
    return target


@pytest.fixture
async def copied(stores: SqliteStores, scope: Scope, tmp_path: Path) -> AsyncIterator[SqliteStores]:
    """An empty store beside the snapshot `snap_1` of the first one, which has rows in every table."""
    await stores.ltm.write(scope, write_rows)
    await make_snapshot("snap_1", tag="", now_ms=EPOCH, snapshots=stores.snapshots)
    opened = open_in(copy_to_empty_folder(tmp_path / "first", tmp_path / "second"))
    yield opened
    opened.close()


async def test_a_restore_into_an_empty_folder_gives_equal_rows(
    stores: SqliteStores, copied: SqliteStores
) -> None:
    report = await copied.snapshots.restore("snap_1")
    assert (report.dark_rows, report.withheld_rows) == (0, 0)
    assert read_tables(copied) == read_tables(stores)
    scope = await copied.directory.find_scope("t1", "user", outside_id="u1")
    assert scope is not None
    assert await copied.directory.outside_id(scope) == "u1"
    assert await texts_of(copied, scope) == await texts_of(stores, scope) != []
    assert await found_by(copied, scope, "episode") == await found_by(stores, scope, "episode") == 145
    ok, entries, detail = await copied.directory.verify_audit("t1")
    assert (ok, entries, detail) == (True, 2, "")
    with copied.readers.view() as connection:
        assert connection.execute("PRAGMA integrity_check").get == "ok"
    copied.writes.submit(
        lambda c: c.execute("INSERT INTO search_index (search_index) VALUES ('integrity-check')")
    ).result(timeout=10)
    # It lives: rows come and go as anywhere.
    await copied.ltm.write(scope, lambda w: w.add_episodes(pairs("episode anew", session_id="s-new")))
    assert await found_by(copied, scope, "episode") == 146


async def test_a_snapshot_holds_no_key_of_a_user_and_no_word(
    stores: SqliteStores, copied: SqliteStores, tmp_path: Path
) -> None:
    del copied
    folder = tmp_path / "first" / "snapshots"
    with stores.readers.view() as connection:
        wrapped = connection.execute("SELECT wrapped FROM scope_keys").get
    files = list((folder / "snap_1").iterdir())
    assert "scope_keys.jsonl" not in {path.name for path in files}
    content = b"".join(path.read_bytes() for path in files)
    for secret in (wrapped, b"xylophone", "预算上限".encode(), b'"u1"', b"session-outside-7"):
        assert secret not in content
    assert all(path.stat().st_mode & 0o077 == 0 for path in [folder, *folder.rglob("*")])


async def test_a_snapshot_taken_while_others_write_is_of_one_moment(
    stores: SqliteStores, scope: Scope, tmp_path: Path
) -> None:
    """A writer adds a memory with its audit entry in one transaction: neither is ever without the other."""
    stop = asyncio.Event()

    async def write_on() -> int:
        number = 0
        while not stop.is_set():
            await add_memory(scope, StatedMemory(text=f"note {number}"), why=WHY, ltm=stores.ltm)
            number += 1
            await asyncio.sleep(0)
        return number

    writing = asyncio.create_task(write_on())
    await asyncio.sleep(0.2)
    for number in range(4):
        made = await make_snapshot(
            f"snap_{number}", tag="", now_ms=EPOCH + number, snapshots=stores.snapshots
        )
        assert made.tables["memories"].rows == made.tables["audit"].rows > 0
        assert made.tables["memories"].rows == made.tables["search_rows"].rows
    stop.set()
    assert await writing > made.tables["memories"].rows > 0
    elsewhere = open_in(copy_to_empty_folder(tmp_path / "first", tmp_path / "second"))
    try:
        report = await restore_snapshot("snap_3", safety_id="snap_safe", snapshots=elsewhere.snapshots)
        assert (report.rows > 0, report.safety_id) == (True, "")
        kept = await elsewhere.directory.find_scope("t1", "user", outside_id="u1")
        assert kept is not None
        assert len(await texts_of(elsewhere, kept)) == made.tables["memories"].rows
    finally:
        elsewhere.close()


async def test_a_live_restore_brings_back_what_stood_and_keeps_a_copy_of_what_stands(
    stores: SqliteStores, scope: Scope, tmp_path: Path
) -> None:
    await stores.ltm.write(scope, lambda w: w.add_memory(memory("before"), record("before"), normal_text="b"))
    await make_snapshot("snap_1", tag="", now_ms=EPOCH, snapshots=stores.snapshots)
    await stores.ltm.write(scope, lambda w: w.add_memory(memory("after"), record("after"), normal_text="a"))
    late = await stores.directory.ensure_scope("t1", "user", outside_id="late")
    await stores.ltm.write(late, lambda w: w.add_memory(memory("late"), record("late"), normal_text="l"))
    elsewhere = open_in(tmp_path / "first")
    assert await found_by(elsewhere, scope, "after") == 1  # and so its caches are warm
    report = await restore_snapshot("snap_1", safety_id="snap_safe", snapshots=stores.snapshots)
    assert report.safety_id == "snap_safe"
    for each in (stores, elsewhere):
        assert await texts_of(each, scope) == ["before"]
        assert (await found_by(each, scope, "before"), await found_by(each, scope, "after")) == (1, 0)
    # Who came since is still there, without what they said since.
    assert await stores.directory.find_scope("t1", "user", outside_id="late") == late
    assert await texts_of(stores, late) == []
    await restore_snapshot("snap_safe", safety_id="snap_safe_2", snapshots=stores.snapshots)
    assert await texts_of(elsewhere, scope) == ["after", "before"]
    assert await texts_of(stores, late) == ["late"]
    assert (await stores.directory.verify_audit("t1"))[0]
    elsewhere.close()


async def test_an_erased_user_stays_dark(stores: SqliteStores, scope: Scope, tmp_path: Path) -> None:
    await stores.ltm.write(scope, write_rows)
    other = await stores.directory.ensure_scope("t1", "user", outside_id="u2")
    await stores.ltm.write(other, lambda w: w.add_memory(memory("stays"), record("stays"), normal_text="s"))
    await make_snapshot("snap_2", tag="", now_ms=EPOCH, snapshots=stores.snapshots)
    await run_to_the_key(stores, scope)
    assert ("t1", scope.scope_id) not in KeyBackup(tmp_path / "first" / "snapshots").read()
    third = open_in(copy_to_empty_folder(tmp_path / "first", tmp_path / "third"))
    try:
        for each in (stores, third):
            report = await each.snapshots.restore("snap_2")
            assert report.dark_rows > 90
            assert await each.directory.find_scope("t1", "user", outside_id="u1") is None
            assert await each.directory.scope_by_id("t1", scope.scope_id) is None
            assert await texts_of(each, other) == ["stays"]
            assert (await each.directory.verify_audit("t1"))[0]
            await each.checkpoint()
            with each.readers.view() as connection:
                count = "SELECT count(*) FROM episodes WHERE scope_id = ?"
                assert connection.execute(count, (scope.scope_id,)).get == 0
                details = "SELECT count(*) FROM audit WHERE scope_id = ? AND details IS NOT NULL"
                assert connection.execute(details, (scope.scope_id,)).get == 0
    finally:
        third.close()


async def test_what_was_forgotten_since_does_not_come_back(stores: SqliteStores, scope: Scope) -> None:
    """One row of each kind is there, is forgotten after the snapshot, and stays forgotten."""
    said = episode("my xylophone is blue", session_id="s-1")
    source = Source(session_id="s-1", message_ids=(said.message.id,), quote="xylophone")

    def fill(writer: LtmWriter) -> None:
        writer.add_episodes([(said, record("my xylophone is blue"))])
        writer.add_episodes(pairs("gone session", session_id="s-2"))
        note = memory("xylophone", id="mem_1", source=source)
        writer.add_memory(note, record("xylophone"), normal_text="xylophone")
        kept = memory("kept", id="mem_2")
        writer.add_memory(kept, record("kept"), normal_text="kept")
        writer.put_field("user_profile.name", "Lan", origin="user", source=Source(), at_ms=EPOCH)
        writer.put_field("user_profile.role", "chef", origin="user", source=Source(), at_ms=EPOCH)

    await stores.ltm.write(scope, fill)
    before = stores.snapshots._clock.now_ms() - 1
    await make_snapshot("snap_1", tag="", now_ms=before, snapshots=stores.snapshots)
    now = WHY.model_copy(update={"at": Clock().now()})
    await delete_memory(scope, "mem_1", why=now, ltm=stores.ltm, stm=STM)
    await stores.ltm.write(scope, lambda w: w.delete_session("s-2"))
    name = DEFAULT_SCHEMA.find("user_profile.name")
    await delete_field(scope, name, why=now, mask=lambda _path, value: value, ltm=stores.ltm, stm=STM)
    ban = BannedTopic(topic="children", quote="", session_id=None, message_id=None, at_ms=EPOCH)
    await stores.ltm.write(scope, lambda w: w.ban_topic(ban))
    report = await stores.snapshots.restore("snap_1")
    assert report.withheld_rows >= 2
    assert await texts_of(stores, scope) == ["kept"]
    assert await found_by(stores, scope, "xylophone") == 0
    assert await found_by(stores, scope, "blue") == 1
    assert await found_by(stores, scope, "session") == 0
    fields = await stores.ltm.read(scope, lambda r: [field.path for field in r.fields()])
    assert fields == ["user_profile.role"]
    assert await stores.ltm.read(scope, lambda r: len(r.tombstones())) == 2
    assert await stores.ltm.read(scope, lambda r: [topic.topic for topic in r.topics()]) == ["children"]


async def test_a_damaged_snapshot_is_named_and_changes_nothing(
    stores: SqliteStores, scope: Scope, tmp_path: Path
) -> None:
    await stores.ltm.write(scope, lambda w: w.add_memory(memory("one"), record("one"), normal_text="one"))
    await make_snapshot("snap_1", tag="", now_ms=EPOCH, snapshots=stores.snapshots)
    file = tmp_path / "first" / "snapshots" / "snap_1" / "memories.jsonl"
    whole = file.read_bytes()
    for damaged in (whole[:-20], whole.replace(b"fact", b"fakt"), b"", None):
        file.unlink(missing_ok=True)
        if damaged is not None:
            file.write_bytes(damaged)
        seen = await stores.snapshots.verify("snap_1")
        assert not seen.ok
        assert seen.detail.startswith("memories: ")
        with pytest.raises(Conflict) as caught:
            await restore_snapshot("snap_1", safety_id="snap_safe", snapshots=stores.snapshots)
        assert caught.value.code == "snapshot_damaged"
    assert [each.id for each in await stores.snapshots.list()] == ["snap_1"]
    assert await texts_of(stores, scope) == ["one"]


async def test_a_snapshot_of_another_store_or_environment_is_refused(
    stores: SqliteStores, scope: Scope, tmp_path: Path
) -> None:
    await add_memory(scope, StatedMemory(text="mine"), why=WHY, ltm=stores.ltm)
    await make_snapshot("snap_1", tag="", now_ms=EPOCH, snapshots=stores.snapshots)
    other = open_in(tmp_path / "other")
    foreign = open_in(tmp_path / "foreign", environment="staging")
    try:
        own = await other.directory.ensure_scope("t1", "user", outside_id="u1")
        await add_memory(own, StatedMemory(text="theirs"), why=WHY, ltm=other.ltm)
        for each, folder in ((other, "other"), (foreign, "foreign")):
            target = tmp_path / folder / "snapshots" / "snap_1"
            shutil.copytree(tmp_path / "first" / "snapshots" / "snap_1", target)
            with pytest.raises(Conflict) as caught:
                await each.snapshots.restore("snap_1")
            assert caught.value.code == "snapshot_foreign"
        assert await texts_of(other, own) == ["theirs"]
    finally:
        other.close()
        foreign.close()


async def test_a_restore_that_fails_on_its_way_leaves_everything_as_it_was(
    stores: SqliteStores, scope: Scope, tmp_path: Path
) -> None:
    await stores.ltm.write(scope, lambda w: w.add_memory(memory("one"), record("one"), normal_text="one"))
    await make_snapshot("snap_1", tag="", now_ms=EPOCH, snapshots=stores.snapshots)
    await stores.ltm.write(scope, lambda w: w.add_memory(memory("two"), record("two"), normal_text="two"))
    before = read_tables(stores)
    # Of the last table to be read the second half is missing, which a restore without a check would meet.
    file = tmp_path / "first" / "snapshots" / "snap_1" / "search_rows.jsonl"
    file.write_bytes(file.read_bytes()[:-30])
    with pytest.raises((ValueError, Missing)):
        await stores.snapshots.restore("snap_1")
    assert read_tables(stores) == before
    assert (await found_by(stores, scope, "one"), await found_by(stores, scope, "two")) == (1, 1)


async def test_a_restore_brings_rows_back_where_none_is_left(stores: SqliteStores, scope: Scope) -> None:
    rows = pairs("green tea", "red wine", session_id="s-1")
    await stores.ltm.write(scope, lambda w: w.add_episodes(rows))
    await stores.ltm.write(scope, lambda w: w.forget_span(rows[0][0].message.id, "green", record=None))
    await stores.snapshots.create("snap_1", tag="daily")
    stores.writes.submit(lambda c: c.execute("DELETE FROM episodes; DELETE FROM search_rows").get).result()
    await stores.snapshots.restore("snap_1")
    assert len((await stores.ltm.read(scope, lambda r: r.postings(["wine"])["wine"])).positions) == 1


@pytest.mark.parametrize("snapshot_id", ["snap_none", "../snap_1", ".snap_1", "a/b", "", "\0", "x" * 300])
async def test_what_is_no_snapshot_is_missing(stores: SqliteStores, snapshot_id: str) -> None:
    for ask in (stores.snapshots.verify, stores.snapshots.restore):
        with pytest.raises(Missing):
            await ask(snapshot_id)


async def test_the_key_backup_is_whole_after_every_new_scope_and_after_a_torn_line(
    stores: SqliteStores, scope: Scope, tmp_path: Path
) -> None:
    backup = KeyBackup(tmp_path / "first" / "snapshots")
    with backup.path.open("ab") as file:
        file.write(b'["t1", "scp_cut", "abc')
    second = await stores.directory.ensure_scope("t1", "user", outside_id="u2")
    names = set(backup.read())
    assert names == {("t1", ""), ("t1", scope.scope_id), ("t1", second.scope_id)}
    await stores.snapshots.back_up_keys()
    assert b"scp_cut" not in backup.path.read_bytes()
    assert set(backup.read()) == names


async def test_a_damaged_database_names_the_last_good_copy_and_the_way_back(
    tmp_path: Path, scope: Scope, stores: SqliteStores
) -> None:
    await stores.ltm.write(scope, lambda w: w.add_memory(memory("one"), record("one"), normal_text="one"))
    await make_snapshot("snap_old", tag="", now_ms=EPOCH, snapshots=stores.snapshots)
    await make_snapshot("snap_new", tag="", now_ms=EPOCH, snapshots=stores.snapshots)
    stores.close()
    database = tmp_path / "first" / "ltm.db"
    database.write_bytes(b"no database" * 1_000)
    with pytest.raises(StartupProblem) as caught:
        open_in(tmp_path / "first")
    assert "The last good copy is snap_new" in caught.value.detail
    assert "`bilayer snapshot restore snap_new`" in caught.value.detail
    for file in database.parent.glob("ltm.db*"):
        file.rename(tmp_path / file.name)
    mended = open_in(tmp_path / "first")
    try:
        await mended.snapshots.restore("snap_new")
        assert await texts_of(mended, scope) == ["one"]
    finally:
        mended.close()


def test_a_full_disk_is_told_as_not_now(tmp_path: Path) -> None:
    (tmp_path / "snapshots").write_text("in the way")
    with pytest.raises(Unavailable):
        KeyBackup(tmp_path / "snapshots").append(("t1", ""), b"x")
