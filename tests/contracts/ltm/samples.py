"""Rows made by hand for the contracts of long-term memory, and the two sets of stores they run on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

from shared.clock import Clock
from shared.engines.sqlite.stores import SqliteStores, open_sqlite
from shared.ids import new_id
from shared.model.memory import Episode, Memory, Source
from shared.model.message import Message, MessageBody
from shared.model.recall import RowRecord
from shared.model.scope import Scope
from shared.ports.directory import Directory, JobLedger
from shared.ports.ltm import LongTermMemory
from tests.fakes.memory_directory import MemoryDirectory, MemoryLedger
from tests.fakes.memory_ltm import MemoryLtm

EPOCH = 1_750_000_000_000
EVENT = Source(session_id="s-1", message_ids=("msg_1",), quote="预算上限五十万")


@dataclass
class Stores:
    """A set of stores, and what a contract must do to it that no port offers."""

    ltm: LongTermMemory
    directory: Directory
    ledger: JobLedger
    clock: Clock
    end_scope: Callable[[Scope], None]
    close: Callable[[], None]


def open_stores(name: str, folder: Path) -> Stores:
    clock = Clock()
    if name == "fake":
        ltm = MemoryLtm(clock)
        return Stores(
            ltm,
            MemoryDirectory(ltm, clock),
            MemoryLedger(),
            clock=clock,
            end_scope=lambda scope: ltm.ended.add(scope.scope_id),
            close=lambda: None,
        )
    stores = open_in(folder, clock=clock)
    return Stores(
        stores.ltm,
        stores.directory,
        stores.ledger,
        clock=clock,
        end_scope=lambda scope: end_scope(stores, scope),
        close=stores.close,
    )


def open_in(folder: Path, **changes: Any) -> SqliteStores:
    """Open SQLite stores in a folder, in the environment `test`."""
    given = {"data_dir": folder, "environment": "test", "clock": Clock(), **changes}
    return open_sqlite(folder / "ltm.db", **given)


def end_scope(stores: SqliteStores, scope: Scope) -> None:
    """Do what an erasure does last: destroy the key, mark the scope."""
    names = (scope.tenant_id, scope.scope_id)

    def transaction(connection: apsw.Connection) -> None:
        connection.execute("DELETE FROM scope_keys WHERE tenant_id = ? AND scope_id = ?", names)
        connection.execute(
            "UPDATE scopes SET ended_at_ms = 1, generation = 2 WHERE tenant_id = ? AND scope_id = ?", names
        )

    stores.writes.submit(transaction).result(timeout=10)


def record(text: str, **changes: Any) -> RowRecord:
    """Return the record of a text: its overlapping pairs of characters, or its words."""
    words = text.split() if text.isascii() else [text[i : i + 2] for i in range(len(text) - 1)]
    known: dict[str, Any] = {
        "terms": tuple(words),
        "date_terms": ("d:2025-06-15",),
        "day": 739_417,
        "mentions": (),
        "speaker": "user",
        "ends_with_question": False,
        "has_time_expression": False,
    }
    return RowRecord(**{**known, **changes})


def memory(text: str, **changes: Any) -> Memory:
    known: dict[str, Any] = {
        "id": new_id("mem"),
        "kind": "fact",
        "text": text,
        "importance": 0.5,
        "origin": "user",
        "source": EVENT,
        "valid_from_ms": EPOCH,
        "created_at_ms": EPOCH,
    }
    return Memory(**{**known, **changes})


def episode(text: str, *, session_id: str = "s-1", seq: int = 1, epoch: int = EPOCH, **body: Any) -> Episode:
    return Episode(
        session_id=session_id,
        session_key="",
        epoch=epoch,
        message=Message(
            id=new_id("msg"),
            seq=seq,
            role="user",
            body=MessageBody(content=text, **body),
            tokens=12,
            turn_id=new_id("trn"),
            state="complete",
            created_at_ms=epoch + seq,
            received_at_ms=epoch + seq,
        ),
    )


def pairs(*texts: str, session_id: str = "s-1", epoch: int = EPOCH) -> list[tuple[Episode, RowRecord]]:
    """Return episodes of a session with their records, numbered from 1."""
    return [
        (episode(text, session_id=session_id, seq=number, epoch=epoch), record(text))
        for number, text in enumerate(texts, start=1)
    ]
