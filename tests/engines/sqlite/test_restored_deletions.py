"""What was deleted, of any table, does not come back by a restore; what was made since under its name may."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from shared.clock import Clock
from shared.engines.redis_stm.limits import StmLimits
from shared.engines.sqlite.dumping import plain_tables
from shared.engines.sqlite.erasing import scoped_tables
from shared.engines.sqlite.stores import SqliteStores
from shared.ltm.edit import StatedMemory, Why, write_memory
from shared.ltm.proposals import propose_update
from shared.ltm.wipe import wipe_all
from shared.model.extraction import ExtractionStep, Habit
from shared.model.memory import Source
from shared.model.moment import to_ms
from shared.model.scope import Scope
from shared.model.session_state import BannedTopic, Digest, Summary
from shared.ports.ltm import LtmWriter, PendingFilter
from shared.turn.history import delete_session
from tests.contracts.ltm.samples import EPOCH, open_in, pairs
from tests.engines.sqlite.tables import read_tables
from tests.fakes.memory_state import MemoryState
from tests.fakes.memory_stm import MemoryShortTermMemory
from tests.ltm.test_proposals import proposal, why

STM = MemoryShortTermMemory(MemoryState(), clock=Clock(), limits=StmLimits())


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[SqliteStores]:
    opened = open_in(tmp_path / "first")
    yield opened
    opened.close()


@pytest.fixture
async def scope(stores: SqliteStores) -> Scope:
    return await stores.directory.ensure_scope("t1", "user", outside_id="u1")


def say(writer: LtmWriter, session_id: str) -> None:
    """Leave of a session what a conversation can leave: a row in each table of what was said."""
    writer.add_episodes(pairs(f"my boat is called amethyst {session_id}", session_id=session_id))
    (said,) = writer.episodes(session_id, epoch=None, after_seq=0, limit=2)
    step = ExtractionStep(
        session_key=said.session_key, epoch=said.epoch, from_seq=1, to_seq=1, tokens=9, oldest_at_ms=EPOCH
    )
    writer.note_archived(step)
    source = Source(session_id=session_id, message_ids=(said.message.id,), quote="amethyst")
    text = f"the boat of {session_id}"
    made = proposal(text, path=None, op="remember", text=text, quote="amethyst")
    reason = why().model_copy(update={"source": source})
    propose_update(writer, made, why=reason, keep_days=3_650)
    write_memory(writer, StatedMemory(text=f"kept of {session_id}"), why=reason)
    writer.put_habit(Habit(name=f"format:{session_id}", count=1, quotes=("amethyst",), message_ids=("m",)))
    summary = Summary(goal="name the boat amethyst")
    now_ms = to_ms(Clock().now())
    left = Digest(session_id=session_id, session_key=said.session_key, at_ms=now_ms, summary=summary)
    writer.put_digest(left)
    writer.ban_topic(BannedTopic(topic=session_id, quote="", session_id=None, message_id=None, at_ms=EPOCH))
    writer.put_field("user_profile.name", session_id, origin="user", source=source, at_ms=EPOCH)


async def wipe(stores: SqliteStores, scope: Scope) -> None:
    reason = Why(actor="k", request_id="r", origin="user", at=Clock().now())
    await wipe_all(scope, why=reason, ltm=stores.ltm, stm=STM)


async def test_a_restore_after_a_wipe_changes_no_table(stores: SqliteStores, scope: Scope) -> None:
    for name in ("s-1", "s-2"):
        await stores.ltm.write(scope, lambda w, name=name: say(w, name))  # type: ignore[misc]
    with stores.readers.view() as connection:
        scoped = set(scoped_tables(connection)) & set(plain_tables(connection))
    empty = {name for name, rows in read_tables(stores).items() if not rows and name in scoped}
    # Of these a conversation leaves nothing; a new table must stand in one list or the other.
    assert empty == {
        *("applied_jobs", "deleted_sessions", "erasures", "jobs"),
        *("forgotten", "forgotten_rows", "tombstones", "tombstone_keys"),
    }
    await stores.snapshots.create("snap_1", tag="daily")
    await wipe(stores, scope)
    wiped = read_tables(stores)
    left = {"episodes", "sessions", "search_rows", "memories", "habits", "digests", "extractions"}
    assert {name for name in left if wiped[name]} <= {"sessions"}
    await stores.snapshots.restore("snap_1")
    restored = read_tables(stores)
    assert {name for name in restored if restored[name] != wiped[name]} <= {"sessions"}
    assert restored["sessions"] == []


async def test_a_restore_brings_back_nothing_of_a_deleted_session(stores: SqliteStores, scope: Scope) -> None:
    for name in ("s-1", "s-2"):
        await stores.ltm.write(scope, lambda w, name=name: say(w, name))  # type: ignore[misc]
    await stores.snapshots.create("snap_1", tag="daily")
    await delete_session(scope, "s-1", actor="k", request_id="r", stm=STM, ltm=stores.ltm)
    deleted = read_tables(stores)
    report = await stores.snapshots.restore("snap_1")
    assert report.withheld_rows >= 4
    assert read_tables(stores) == deleted
    wanted = PendingFilter(limit=9)
    found = await stores.ltm.read(scope, lambda r: [each.session_id for each in r.pending_updates(wanted)])
    assert found == ["s-2"]


async def test_what_was_made_under_the_name_of_something_deleted_comes_back(
    stores: SqliteStores, scope: Scope
) -> None:
    await stores.ltm.write(scope, lambda w: say(w, "s-1"))
    await wipe(stores, scope)
    stores.snapshots._clock.offset += timedelta(minutes=1)
    await stores.ltm.write(scope, lambda w: say(w, "s-1"))
    await stores.snapshots.create("snap_1", tag="daily")
    made = read_tables(stores)
    assert (len(made["habits"]), len(made["digests"])) == (1, 1)
    stores.writes.submit(lambda c: c.execute("DELETE FROM habits; DELETE FROM digests").get).result()
    await stores.snapshots.restore("snap_1")
    restored = read_tables(stores)
    assert (restored["habits"], restored["digests"]) == (made["habits"], made["digests"])
