"""A row that does not open is left out and named in the log, the rest is read; a wrong key is an error."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import pytest
import structlog

from shared.engines.sqlite.stores import SqliteStores
from shared.errors import Unavailable
from shared.ltm.edit import Why
from shared.ltm.index import describe_row
from shared.ltm.wipe import wipe_memories
from shared.model.extraction import ExtractionStep, Habit
from shared.model.meaning import RowMeaning
from shared.model.memory import Episode, Memory
from shared.model.pending import PendingUpdate, Tombstone
from shared.model.scope import Scope
from shared.model.session_state import BannedTopic, Digest, Summary
from shared.ports.ltm import LtmReader, LtmWriter, MemoryFilter, PendingFilter
from shared.recall.find import SearchQuery, find_in
from tests.contracts.ltm.samples import EPOCH, EVENT, episode, memory, open_in

Read = Callable[[LtmReader], Sequence[Any]]
WORDS = ("红茶 assam", "绿茶 sencha", "白茶 yinzhen")
ZERO, ONE, TWO = WORDS


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[SqliteStores]:
    opened = open_in(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
async def scope(stores: SqliteStores) -> Scope:
    made = await stores.directory.ensure_scope("t1", "user", outside_id="u1")
    await stores.ltm.write(made, write_three)
    return made


def write_three(writer: LtmWriter) -> None:
    """Write three rows of each kind; the first one's words are `ZERO`."""
    day = datetime(2026, 1, 1, tzinfo=UTC)
    for number, words in enumerate(WORDS):
        record = describe_row(words, speaker="user", said_at=day)
        said = episode(words, seq=number + 1, session_id="s-1")
        writer.add_episodes([(said, record)])
        writer.forget_span(said.message.id, f"span {number}", record=record)
        noted = f"{words} 很好喝"
        described = describe_row(noted, speaker="user", said_at=day)
        writer.add_memory(memory(noted, kind="event"), described, normal_text=words)
        old = memory(f"旧 {words}", status="superseded", valid_to_ms=EPOCH + 1)
        writer.add_memory(old, record, normal_text=old.text)
        for value in (f"旧 {words}", words):
            writer.put_field(f"a.f{number}", value, origin="user", source=EVENT, at_ms=EPOCH)
        update = PendingUpdate(
            id=f"pen_{number}", op="remember", new=words, text=words, origin="rule", confidence=0.5,
            created_at_ms=EPOCH, expires_at_ms=EPOCH * 2,
        )  # fmt: skip
        writer.add_update(update, key=words, most_open=50)
        stone = Tombstone(id=f"tmb_{number}", path=None, value=f"墓 {number}", cause="forgotten", at_ms=EPOCH)
        writer.add_tombstone(stone, keys=[words])
        topic = f"禁 {number}"
        writer.ban_topic(
            BannedTopic(topic=topic, quote=topic, session_id=None, message_id=None, at_ms=EPOCH + number)
        )
        writer.put_digest(
            Digest(session_id=words, session_key=f"k{number}", at_ms=EPOCH * 2 - number, summary=Summary())
        )
        writer.put_habit(Habit(name=f"h{number}", count=3, quotes=(words,)))
        writer.add_audit("set", path=None, details={"new": words}, actor="key_1", request_id="r")
    for row_id in writer.rows_to_embed("m", after=0, limit=99):
        writer.put_vectors("m", [RowMeaning(row_id, np.ones(2, dtype=np.float32), is_han=True)])
    writer.note_archived(
        ExtractionStep(
            session_key="", epoch=EPOCH, from_seq=1, to_seq=3, tokens=9, version=1, oldest_at_ms=EPOCH
        )
    )


WHICH = {
    "episodes": "seq = 1",
    "forgotten": "message_id IN (SELECT message_id FROM episodes WHERE seq = 1)",
    "memories": "row_id = (SELECT min(row_id) FROM memories)",
    "search_rows": "row_id = (SELECT min(row_id) FROM memories)",
    "vectors": "row_id = (SELECT min(row_id) FROM vectors)",
    "fields": "path = 'a.f0'",
    "pending_updates": "update_id = 'pen_0'",
    "tombstones": "tombstone_id = 'tmb_0'",
    "topics": f"at_ms = {EPOCH}",
    "digests": f"at_ms = {EPOCH * 2}",
    "audit": "seq = (SELECT min(seq) FROM audit WHERE details IS NOT NULL)",
}
"""The first row of each kind; of a table that is not named here, all."""


def spoil(stores: SqliteStores, scope: Scope, table: str, column: str) -> None:
    """Let bytes of a table's row be others than they were."""
    statement = (
        f"UPDATE {table} SET "  # noqa: S608
        f"{column} = CAST({column} || x'00' AS BLOB) "
        f"WHERE scope_id = ? AND {WHICH.get(table, '1')}"
    )

    def transaction(connection: apsw.Connection) -> None:
        connection.execute(statement, (scope.scope_id,))
        assert connection.changes()

    stores.writes.submit(transaction).result(timeout=10)


def _texts(rows: Sequence[Memory | Episode | None]) -> list[str]:
    return [row.text if isinstance(row, Memory) else row.message.text for row in rows if row is not None]


def _search(reader: LtmReader) -> list[str]:
    query = SearchQuery(text="assam sencha yinzhen 茶", asked_at=datetime(2026, 2, 1, tzinfo=UTC))
    return _texts([hit.row for hit in find_in(reader, query, tail=())])


def _find_character(reader: LtmReader) -> list[str]:
    return _texts(list(reader.rows(reader.rows_with_character("茶")).values()))


def _session(reader: LtmReader) -> list[str]:
    return _texts(reader.episodes("s-1", epoch=None, after_seq=0, limit=9))


def _read_on(reader: LtmReader) -> list[str]:
    key = reader.episodes("s-1", epoch=None, after_seq=1, limit=9)[0].session_key
    return _texts(reader.archived_after(key, epoch=EPOCH, after_seq=0, limit=9))


def _events(reader: LtmReader) -> list[str]:
    return _texts(reader.memories(MemoryFilter(kinds=("event",))))


def _sweep(reader: LtmReader) -> list[str]:
    return [each.id for each in reader.aging()]


CASES: list[tuple[str, str, Read, int, int]] = [
    # table, column, what is read, how much of it there is, and how much is left
    ("episodes", "body", _search, 6, 5),
    ("episodes", "body", _session, 3, 2),
    ("episodes", "body", _read_on, 3, 3),
    ("sessions", "session_id", _search, 6, 3),
    ("forgotten", "span", _search, 6, 5),
    ("memories", "content", _search, 6, 5),
    ("memories", "content", _events, 3, 2),
    ("memories", "content", lambda r: [each for each in [r.memory_with_text(ZERO)] if each], 1, 0),
    ("search_rows", "record", _search, 6, 5),
    ("search_rows", "record", _sweep, 3, 3),
    ("search_rows", "terms", _search, 6, 6),
    ("search_rows", "terms", _find_character, 6, 5),
    ("vectors", "vector", lambda r: r.row_vectors("m", width=2).row_ids.tolist(), 6, 6),
    ("fields", "content", lambda r: r.field_history("a.f0"), 2, 0),
    ("fields", "content", lambda r: r.fields(), 3, 2),
    ("fields", "content", lambda r: list(r.evidence_ids()), 1, 1),
    ("memories", "content", lambda r: list(r.evidence_ids()), 1, 1),
    ("pending_updates", "content", lambda r: r.pending_updates(PendingFilter()), 3, 2),
    ("pending_updates", "content", lambda r: [e for e in [r.open_update_like(ZERO)] if e], 1, 0),
    ("tombstones", "content", lambda r: r.tombstones(), 3, 2),
    ("tombstones", "content", lambda r: r.tombstones([ZERO]), 1, 1),
    ("topics", "content", lambda r: r.topics(), 3, 2),
    ("digests", "content", lambda r: [e for e in [r.digest("k0")] if e], 1, 0),
    ("digests", "content", lambda r: [e for e in [r.newest_digest(without_key="", since_ms=0)] if e], 1, 0),
    ("habits", "content", lambda r: r.habit("h0").quotes, 1, 0),
    ("audit", "details", lambda r: r.audit(limit=9), 3, 3),
]


@pytest.mark.parametrize(("table", "column", "read", "whole", "left"), CASES)
async def test_one_row_that_does_not_open_is_left_out_and_named_once(
    stores: SqliteStores,
    scope: Scope,
    tmp_path: Path,
    *,
    table: str,
    column: str,
    read: Any,
    whole: int,
    left: int,
) -> None:
    assert len(await stores.ltm.read(scope, read)) == whole
    spoil(stores, scope, table, column)
    fresh = open_in(tmp_path)
    with structlog.testing.capture_logs() as logs:
        for _ in range(2):
            assert len(await fresh.ltm.read(scope, read)) == left
        await fresh.ltm.write(scope, read)
    fresh.close()
    named = [each["row"] for each in logs if each["event"] == "unreadable_row"]
    assert named
    assert len(named) == len(set(named))
    assert not [word for word in ZERO.split() if word in str(logs)]


async def test_a_page_is_filled_with_the_rows_behind_the_one_that_does_not_open(
    stores: SqliteStores, scope: Scope
) -> None:
    spoil(stores, scope, "pending_updates", "content")
    spoil(stores, scope, "episodes", "body")
    update = PendingUpdate(
        id="pen_", op="remember", origin="rule", confidence=0.5, created_at_ms=1, expires_at_ms=EPOCH * 2
    )
    await stores.ltm.write(scope, lambda w: w.add_update(update, key="k", most_open=50))
    wanted = PendingFilter(after_id="pen_1", limit=1)
    (found,) = await stores.ltm.read(scope, lambda r: r.pending_updates(wanted))
    assert found.id == "pen_"
    said = await stores.ltm.read(scope, lambda r: r.episodes("s-1", epoch=None, after_seq=0, limit=2))
    assert _texts(said) == [ONE, TWO]


async def test_a_field_that_does_not_open_can_be_set_anew(stores: SqliteStores, scope: Scope) -> None:
    statement = "UPDATE fields SET content = zeroblob(60) WHERE path = 'a.f0'"
    stores.writes.submit(lambda connection: connection.execute(statement)).result(timeout=10)
    assert await stores.ltm.write(scope, lambda w: w.field("a.f0")) is None
    made = await stores.ltm.write(
        scope, lambda w: w.put_field("a.f0", "新", origin="user", source=EVENT, at_ms=EPOCH)
    )
    assert made.version == 3
    assert (await stores.ltm.read(scope, lambda r: r.field("a.f0"))) == made


async def test_a_wipe_takes_the_memory_that_does_not_open_too(stores: SqliteStores, scope: Scope) -> None:
    spoil(stores, scope, "memories", "content")
    why = Why(actor="key_1", request_id="r", origin="user", at=datetime(2026, 2, 1, tzinfo=UTC))
    assert await wipe_memories(scope, why=why, ltm=stores.ltm) == 5
    with stores.readers.view() as connection:
        assert connection.execute("SELECT count(*) FROM memories").get == 0


async def test_a_row_whose_terms_do_not_open_leaves_no_hash_when_it_goes(
    stores: SqliteStores, scope: Scope
) -> None:
    spoil(stores, scope, "search_rows", "terms")
    count = "SELECT count(*) FROM search_terms WHERE doc = (SELECT min(row_id) FROM memories)"
    with stores.readers.view() as connection:
        assert connection.execute(count).get > 0
        (memory_id, row_id) = next(
            connection.execute("SELECT memory_id, row_id FROM memories ORDER BY row_id NULLS LAST LIMIT 1")
        )
    assert await stores.ltm.write(scope, lambda w: w.delete_memory(memory_id))
    with stores.readers.view() as connection:
        assert connection.execute("SELECT count(*) FROM search_terms WHERE doc = ?", (row_id,)).get == 0
    assert len(await stores.ltm.read(scope, _search)) == 5


@pytest.mark.parametrize(
    "read",
    [
        _search,
        _events,
        lambda r: r.fields(),
        lambda r: r.pending_updates(PendingFilter()),
        lambda r: r.tombstones(),
        lambda r: r.topics(),
        lambda r: r.audit(limit=9),
    ],
)
async def test_a_wrong_key_of_a_scope_is_no_empty_memory(
    stores: SqliteStores, scope: Scope, tmp_path: Path, read: Read
) -> None:
    other = await stores.directory.ensure_scope("t1", "user", outside_id="u2")
    taken = "SELECT wrapped FROM scope_keys WHERE scope_id = ?"
    swap = f"UPDATE scope_keys SET wrapped = ({taken}) WHERE scope_id = ?"  # noqa: S608

    def transaction(connection: apsw.Connection) -> None:
        connection.execute(swap, (other.scope_id, scope.scope_id))

    stores.writes.submit(transaction).result(timeout=10)
    fresh = open_in(tmp_path)
    try:
        with pytest.raises(Unavailable, match="key backup"):
            await fresh.ltm.read(scope, read)
    finally:
        fresh.close()
