"""What lies on the disk: no word of a user's, and after a deletion no hash of one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw
import numpy as np
import pytest

from shared.engines.sqlite.stores import SqliteStores
from shared.model.meaning import RowMeaning
from shared.model.memory import Source
from shared.model.scope import Scope
from shared.ports.ltm import LtmWriter, MemoryFilter
from tests.contracts.ltm.samples import episode, memory, open_in, pairs, record

SECRETS = (
    "zhangsan@example.com",
    "session-outside-7",
    "client-outside-8",
    "xylophone",
    "预算上限",
    "quotedwords",
    "normalform",
    "forgottenspan",
    "spokenname",
    "auditeddetail",
    "appliedresult",
    "fieldvalue",
    "toolargument",
)

VECTOR = bytes([127, *range(1, 40)])


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[SqliteStores]:
    opened = open_in(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
async def scope(stores: SqliteStores) -> Scope:
    return await stores.directory.ensure_scope("t1", "user", outside_id="zhangsan@example.com")


def raw_bytes(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.glob("ltm.db*")))


def write_everything(writer: LtmWriter) -> None:
    source = Source(session_id="session-outside-7", message_ids=("msg_1",), quote="quotedwords")
    said = episode(
        "xylophone 预算上限",
        session_id="session-outside-7",
        client_id="client-outside-8",
        tool_calls=[{"function": {"arguments": "toolargument"}}],
    )
    writer.add_episodes([(said, record("xylophone 预算上限", speaker="spokenname"))])
    noted = memory("xylophone", path="a.b", value="fieldvalue", source=source)
    writer.add_memory(noted, record("xylophone"), normal_text="normalform")
    writer.put_field("a.b", {"x": "fieldvalue"}, origin="user", source=source, at_ms=1)
    writer.forget_span(said.message.id, "forgottenspan", record=record("xylophone 预算上限"))
    writer.mark_applied("turn:session-outside-7:client-outside-8", "appliedresult")
    writer.add_audit("set", path="a.b", details={"new": "auditeddetail"}, actor="key_1", request_id="r")
    vector = np.array(list(VECTOR), dtype=np.float32)
    for row_id in writer.rows_to_embed("model:1", after=0, limit=99):
        writer.put_vectors("model:1", [RowMeaning(row_id, vector, is_han=True)])
    writer.note_embedded("model:1")


async def test_no_word_and_no_outside_id_lies_in_plain_text(
    tmp_path: Path, stores: SqliteStores, scope: Scope
) -> None:
    await stores.ltm.write(scope, write_everything)
    in_wal = raw_bytes(tmp_path)
    await stores.checkpoint()
    for found in (in_wal, raw_bytes(tmp_path)):
        assert b"search_index" in found
        assert VECTOR not in found
        for secret in SECRETS:
            for encoding in ("utf-8", "utf-16-le", "gb18030"):
                assert secret.encode(encoding) not in found, secret


async def test_a_deletion_leaves_no_hash_of_the_row(
    tmp_path: Path, stores: SqliteStores, scope: Scope
) -> None:
    words = [f"word{number}" for number in range(30)]
    kept = memory(" ".join(words))
    gone = pairs(*(f"episode{number} {' '.join(words)}" for number in range(25)))
    await stores.ltm.write(scope, lambda w: w.add_memory(kept, record(kept.text), normal_text="x"))
    await stores.ltm.write(scope, lambda w: w.add_episodes(gone))
    await stores.ltm.write(scope, lambda w: w.add_episodes(pairs("others stay", session_id="s-2")))
    await stores.checkpoint()
    blind = stores.vault.sealer(scope).blind
    # The index writes what a hash shares with the one before it only once: look for the rest.
    hashes = [blind(term).encode()[4:] for term in (*words, "episode3")]
    before = raw_bytes(tmp_path)
    assert [found for found in hashes if found not in before] == []
    await stores.ltm.write(scope, lambda w: w.delete_memory(kept.id))
    await stores.ltm.write(scope, lambda w: w.delete_session("s-1"))
    await stores.checkpoint()
    left = raw_bytes(tmp_path)
    assert [found for found in hashes if found in left] == []
    assert blind("others").encode()[4:] in left
    # Its id alone stays, in the ledger that keeps a restore from bringing the row back.
    assert left.count(kept.id.encode()) == 1


async def test_the_index_stays_whole_after_deletions(
    stores: SqliteStores, scope: Scope, tmp_path: Path
) -> None:
    for number in range(6):
        episodes = pairs("tea one", "tea two", "cake", session_id=f"s-{number}")
        await stores.ltm.write(scope, lambda w, e=episodes: w.add_episodes(e))  # type: ignore[misc]
    for number in (0, 3, 5):
        await stores.ltm.write(scope, lambda w, n=number: w.delete_session(f"s-{n}"))  # type: ignore[misc]
    postings = await stores.ltm.read(scope, lambda r: r.postings(["tea", "cake"]))
    assert len(postings["tea"].positions) == 6
    assert len(postings["cake"].positions) == 3
    connection = apsw.Connection(str(tmp_path / "ltm.db"))
    connection.execute("INSERT INTO search_index (search_index) VALUES ('integrity-check')")
    assert connection.execute("PRAGMA integrity_check").get == "ok"
    connection.close()


async def test_a_sealed_value_moved_to_another_row_does_not_open(
    stores: SqliteStores, scope: Scope, tmp_path: Path
) -> None:
    first, second = memory("one", id="mem_1"), memory("two", id="mem_2")
    for kept in (first, second):
        await stores.ltm.write(
            scope,
            lambda w, m=kept: w.add_memory(m, record(m.text), normal_text=m.text),  # type: ignore[misc]
        )
    connection = apsw.Connection(str(tmp_path / "ltm.db"))
    connection.execute(
        "UPDATE memories SET content = (SELECT content FROM memories WHERE memory_id = 'mem_2') "
        "WHERE memory_id = 'mem_1'"
    )
    connection.close()
    assert await stores.ltm.read(scope, lambda r: r.memory("mem_1")) is None
    assert await stores.ltm.read(scope, lambda r: r.memories(MemoryFilter())) == [second]
