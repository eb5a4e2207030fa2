"""Sealed messages of short-term memory: one that does not open is left out and named in the log."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import pytest
import structlog

from api.metrics import render_counts
from shared.engines.recent import RecentlyUsed
from shared.engines.redis_stm.frames import Frames, Seals
from shared.engines.vault import ScopeSealer
from shared.errors import Missing
from shared.model.message import MessageBody, NewMessage, SessionNotes
from shared.model.scope import Scope
from shared.stm.quiet import is_quiet
from shared.unreadable import unreadable_counts

SCOPE = Scope(tenant_id="ten_1", scope_id="scp_1")
NOW_MS = 1_750_000_000_000


def seals(key: bytes = bytes(32)) -> Seals:
    opened: RecentlyUsed[Any] = RecentlyUsed()
    return Seals(SCOPE, ScopeSealer(SCOPE, key), opened=opened)


def framed(parts: Sequence[bytes]) -> Frames:
    return Frames(b"".join(struct.pack(">I", len(part)) + part for part in parts))


def packed(number: int, text: str) -> bytes:
    message = NewMessage(id=f"msg_{number}", role="user", body=MessageBody(content=text), tokens=3)
    return struct.pack(">Q", number) + seals().pack_message(message, now_ms=NOW_MS)[2]


THREE = [packed(1, "红茶"), packed(2, "绿茶")[:-1] + b"\x00\x00", packed(3, "white tea")]


def test_a_window_is_read_without_a_message_that_does_not_open() -> None:
    reader = seals()
    with structlog.testing.capture_logs() as logs:
        for _ in range(2):
            found = reader.read_messages(framed([b"3", *THREE]))
            assert [(each.seq, each.text) for each in found] == [(1, "红茶"), (3, "white tea")]
    assert [(each["event"], each["message_id"]) for each in logs] == [("unreadable_message", "msg_2")]


def test_a_tail_is_read_without_a_message_that_does_not_open() -> None:
    reader = seals()
    named = seals().seal_id("key", "s-1")
    entries = [part for frame in THREE for part in (b"key", b"7", named, frame)]
    found = reader.read_tail(framed([b"3", *entries]))
    assert [(each.session_id, each.message.text) for each in found] == [("s-1", "红茶"), ("s-1", "white tea")]


def test_with_another_key_a_session_is_no_empty_one() -> None:
    with pytest.raises(Missing) as caught:
        seals(bytes(31) + b"\x01").read_session(framed([seals().seal_id("key", "s-1")]), "key")
    assert caught.value.code == "unreadable"


def session_parts(*, notes: bytes, summary: bytes) -> list[bytes]:
    counts = [b"7", b"4", b"0", b"0", b"0", b"9", b"1", b"9", b"7", b"8"]
    return [seals().seal_id("key", "s-1"), notes, summary, *counts]


@pytest.mark.parametrize("system", ["说中文", "speak English"])
def test_a_session_goes_on_without_the_state_that_does_not_open(system: str) -> None:
    whole = seals().seal_notes("key", SessionNotes(system=system))
    reader, before = seals(), dict(unreadable_counts())
    with structlog.testing.capture_logs() as logs:
        for _ in range(2):
            parts = session_parts(notes=whole[:-1] + b"\x00\x00", summary=b"\x00" * 60)
            session = reader.read_session(framed(parts), "key")
            assert (session.id, session.notes.system, session.summary) == ("s-1", None, None)
    assert [each["event"] for each in logs] == ["unreadable_notes", "unreadable_summary"]
    assert system not in str(logs)
    for kind in ("notes", "summary"):
        assert unreadable_counts()[kind] == before.get(kind, 0) + 1
        assert f'bilayer_unreadable_total{{kind="{kind}"}}' in render_counts({})
    sound = reader.read_session(framed(session_parts(notes=whole, summary=b"")), "key")
    assert (sound.notes.system, sound.notes.is_quiet_at(1)) == (system, False)


def test_with_lost_notes_nothing_of_the_session_is_kept() -> None:
    parts = session_parts(notes=b"\x00" * 60, summary=b"")
    notes = seals().read_session(framed(parts), "key").notes
    assert all(notes.is_quiet_at(seq) for seq in (1, 4, 5))
    assert is_quiet(notes)
