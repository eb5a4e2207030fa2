"""The story of GROW-01: turns about nothing leave little behind, in Redis, in memory and on the disk."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from shared.clock import Clock
from shared.engines.sqlite.stores import open_sqlite
from shared.ports.ltm import MemoryFilter, PendingFilter
from tests.bench.filling import make_scope
from tests.conftest import RedisServer
from tests.turn.conversation import ChattyModel, Conversation, percentile

MOST_STM_BYTES = 300_000
MOST_MEMORIES = 200
MOST_PENDING = 50
MOST_BYTES_A_TURN = 1_500


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_turns_about_nothing_leave_little_behind(redis_server: RedisServer, tmp_path: Path) -> None:
    """300 turns, or with BILAYER_LONG the 3,000 of the story; times are printed (`-s`), asserted nowhere."""
    turns = 3_000 if os.environ.get("BILAYER_LONG") else 300
    database = tmp_path / "ltm.db"
    stores = open_sqlite(database, data_dir=tmp_path, environment="test", clock=Clock())
    scope = await make_scope(stores, "u1")
    talk = Conversation(redis_server, ChattyModel(), ltm=stores.ltm, scope=scope)
    try:
        await stores.checkpoint()
        before = database.stat().st_size
        for number in range(turns):
            await talk.turn(f"everyday remark number {number} about nothing in particular")
            if number % 10 == 9:
                await talk.run_due()
        while await talk.run_due():
            pass
        session = await talk.stm.read_session(scope, "room", window_tokens=0)
        await talk.archive(session.key)
        await stores.checkpoint()
        memories = await stores.ltm.read(scope, lambda reader: reader.memories(MemoryFilter(limit=1_000)))
        pending = await stores.ltm.read(scope, lambda reader: reader.pending_updates(PendingFilter()))
        bytes_a_turn = (database.stat().st_size - before) / turns
        first, last = talk.seconds[:100], talk.seconds[-100:]
        print(  # noqa: T201
            f"{turns} turns: {talk.measure_bytes()} bytes in Redis, {len(memories)} memories,"
            f" {len(pending)} proposals, {bytes_a_turn:.0f} bytes on disk a turn,"
            f" p95 first {percentile(first, 0.95) * 1e3:.1f} ms, last {percentile(last, 0.95) * 1e3:.1f} ms"
        )
        assert talk.measure_bytes() <= MOST_STM_BYTES
        assert len(memories) <= MOST_MEMORIES
        assert len(pending) <= MOST_PENDING
        assert bytes_a_turn <= MOST_BYTES_A_TURN
        session = await talk.stm.read_session(scope, "room", window_tokens=0)
        assert session.last_seq == 2 * turns
        assert session.archived_to == session.last_seq
    finally:
        await talk.link.close()
        stores.close()
