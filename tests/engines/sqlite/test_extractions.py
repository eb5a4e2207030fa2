"""What is not extracted, counted over all scopes, and history that is read again."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from shared.clock import Clock
from shared.engines.sqlite.stores import SqliteStores
from shared.model.extraction import ExtractionStep
from shared.model.scope import Scope
from shared.ports.ltm import LtmWriter
from tests.contracts.ltm.samples import open_in


def archived(key: str, last: int, *, version: int = 1) -> ExtractionStep:
    return ExtractionStep(
        session_key=key, epoch=1, from_seq=1, to_seq=last, tokens=last, version=version, oldest_at_ms=last
    )


@pytest.fixture
def stores(tmp_path: Path) -> SqliteStores:
    return open_in(tmp_path, clock=Clock())


async def _scopes(stores: SqliteStores) -> tuple[Scope, Scope]:
    return (
        await stores.directory.ensure_scope("t1", "user", outside_id="u1"),
        await stores.directory.ensure_scope("t2", "user", outside_id="u1"),
    )


async def test_debts_are_summed_over_tenants_and_those_without_a_model_apart(stores: SqliteStores) -> None:
    one, two = await _scopes(stores)
    await stores.ltm.write(one, lambda w: w.note_archived(archived("a", 5)))
    await stores.ltm.write(two, lambda w: w.note_archived(archived("b", 3)))
    await stores.ltm.write(two, lambda w: w.note_archived(archived("c", 4)))
    (found,) = await stores.ltm.read(two, lambda r: r.extractions("c"))
    await stores.ltm.write(two, lambda w: w.note_asked(found, awaits_model=True))
    debt = await stores.extractions.sum_debts()
    assert (debt.count, debt.oldest_ms, debt.awaiting_model) == (8, 3, 4)
    open_ones = await stores.extractions.open_works(with_awaiting=False, limit=10)
    assert {(work.tenant_id, work.session_key) for work in open_ones} == {("t1", "a"), ("t2", "b")}
    everything = await stores.extractions.open_works(with_awaiting=True, limit=2)
    rest = await stores.extractions.open_works(with_awaiting=True, limit=2, after=everything[-1])
    assert {work.session_key for work in (*everything, *rest)} == {"a", "b", "c"}
    assert {work.job for work in everything} == {"extract"}
    stores.close()


def _read_whole(writer: LtmWriter, *, step: ExtractionStep) -> None:
    writer.note_archived(step)
    assert writer.note_extracted(step)


async def test_only_what_an_older_prompt_has_read_is_read_again(stores: SqliteStores) -> None:
    one, two = await _scopes(stores)
    for scope, step in ((one, archived("old", 5)), (two, archived("new", 5, version=2))):
        await stores.ltm.write(scope, partial(_read_whole, step=step))
    assert await stores.extractions.count_outdated(version=2) == (1, 5)
    assert await stores.extractions.count_outdated(version=1) == (0, 0)
    assert await stores.extractions.reset_outdated(version=2) == 1
    assert [
        work.session_key for work in await stores.extractions.open_works(with_awaiting=True, limit=9)
    ] == ["old"]
    stores.close()


async def test_a_deleted_session_owes_nothing(stores: SqliteStores) -> None:
    one, _ = await _scopes(stores)
    sealer = stores.vault.sealer(one)
    key = sealer.blind_id("session", "room")
    await stores.ltm.write(one, lambda w: w.note_archived(archived(key, 5)))
    await stores.ltm.write(one, lambda w: w.delete_session("room"))
    assert (await stores.extractions.sum_debts()).count == 0
    stores.close()
