"""Indexing anew: in slices, in place, to be taken up again, and never bringing back what was forgotten."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from shared.ltm.edit import StatedMemory, Why, add_memory
from shared.ltm.index import INDEX_VERSION, describe_row
from shared.ltm.reindex import SLICE_CHARS, SLICE_ROWS, reindex_scope
from shared.model.scope import Scope
from shared.ports.ltm import LtmReader
from tests.contracts.ltm.samples import EPOCH, Stores, episode, record
from tests.contracts.ltm.test_long_term_memory import texts_found

NEXT = INDEX_VERSION + 1
WHY = Why(actor="key_1", request_id="req_1", origin="user", at=datetime(2025, 6, 15, 12, tzinfo=UTC))


async def archive(stores: Stores, scope: Scope, *texts: str) -> list[str]:
    """Archive messages under other terms than today's rules would give; returns their ids."""
    pairs = [
        (episode(text, session_id="s-1", seq=number), record(f"stale{number}", day=739_417))
        for number, text in enumerate(texts, start=1)
    ]
    await stores.ltm.write(scope, lambda w: w.add_episodes(pairs))
    return [said.message.id for said, _ in pairs]


async def found(stores: Stores, scope: Scope, term: str) -> list[str]:
    return await stores.ltm.read(scope, lambda r: texts_found(r, term))


async def test_rows_are_indexed_by_the_rules_of_today_in_their_place(stores: Stores, scope: Scope) -> None:
    await archive(stores, scope, "预算上限五十万", "the budget cap")
    memory, _ = await add_memory(scope, StatedMemory(text="reports go to WeCom"), why=WHY, ltm=stores.ltm)
    before = await stores.ltm.read(scope, lambda r: r.scope_rows().row_ids.tolist())
    done = await reindex_scope(scope, version=NEXT, most_rows=100, ltm=stores.ltm)
    assert (done.rows, done.changed, done.is_done) == (3, 2, True)
    assert await found(stores, scope, "预算") == ["预算上限五十万"]
    assert await found(stores, scope, "budget") == ["the budget cap"]
    assert await found(stores, scope, "wecom") == [memory.text]
    assert await found(stores, scope, "stale1") == []
    rows = await stores.ltm.read(scope, lambda r: r.scope_rows())
    assert rows.row_ids.tolist() == before
    assert rows.day.tolist() == [739_417, 739_417, WHY.at.date().toordinal()]


async def test_a_second_run_finds_nothing_to_do(stores: Stores, scope: Scope) -> None:
    await archive(stores, scope, "预算上限五十万")
    await reindex_scope(scope, version=NEXT, most_rows=100, ltm=stores.ltm)
    done = await reindex_scope(scope, version=NEXT, most_rows=100, ltm=stores.ltm)
    assert (done.rows, done.changed, done.is_done) == (0, 0, True)
    assert await found(stores, scope, "预算") == ["预算上限五十万"]


async def test_a_run_that_ended_early_is_taken_up_by_the_next(stores: Stores, scope: Scope) -> None:
    texts = [f"message number{number} about rowing" for number in range(SLICE_ROWS + 5)]
    await archive(stores, scope, *texts)
    first = await reindex_scope(scope, version=NEXT, most_rows=1, ltm=stores.ltm)
    assert (first.rows, first.is_done) == (SLICE_ROWS, False)
    assert len(await found(stores, scope, "row")) == SLICE_ROWS  # and the others answer as they did before
    assert await found(stores, scope, f"stale{SLICE_ROWS + 1}") == texts[SLICE_ROWS : SLICE_ROWS + 1]
    second = await reindex_scope(scope, version=NEXT, most_rows=100, ltm=stores.ltm)
    assert (second.rows, second.is_done) == (5, True)
    assert sorted(await found(stores, scope, "row")) == sorted(texts)


async def test_long_texts_end_a_slice(stores: Stores, scope: Scope) -> None:
    await archive(stores, scope, *(["rowing " * (SLICE_CHARS // 7 + 1)] * 3))
    done = await reindex_scope(scope, version=NEXT, most_rows=1, ltm=stores.ltm)
    assert (done.rows, done.is_done) == (1, False)


async def test_what_was_forgotten_stays_out_of_the_index(stores: Stores, scope: Scope) -> None:
    text = "the door code is 4471 and rent is due"
    (message_id,) = await archive(stores, scope, text)
    kept = describe_row("and rent is due", speaker="user", said_at=WHY.at)
    await stores.ltm.write(scope, lambda w: w.forget_span(message_id, "the door code is 4471", record=kept))
    await reindex_scope(scope, version=NEXT, most_rows=100, ltm=stores.ltm)
    assert await found(stores, scope, "4471") == []
    assert await found(stores, scope, "rent") == [text]


async def test_what_was_deleted_does_not_come_back(stores: Stores, scope: Scope) -> None:
    kept, gone = await archive(stores, scope, "rowing on Sunday", "rowing on Monday")
    memory, _ = await add_memory(scope, StatedMemory(text="likes rowing"), why=WHY, ltm=stores.ltm)
    await stores.ltm.write(scope, lambda w: w.delete_episodes([gone]))
    await stores.ltm.write(scope, lambda w: w.supersede_memory(memory.id, at_ms=EPOCH))
    done = await reindex_scope(scope, version=NEXT, most_rows=100, ltm=stores.ltm)
    assert done.rows == 1, kept
    assert await found(stores, scope, "row") == ["rowing on Sunday"]


async def test_searches_answer_between_the_slices(stores: Stores, scope: Scope) -> None:
    texts = [f"rowing number{number}" for number in range(SLICE_ROWS * 2)]
    await archive(stores, scope, *texts)
    for done in range(1, 4):
        await reindex_scope(scope, version=NEXT, most_rows=1, ltm=stores.ltm)

        def count(reader: LtmReader) -> tuple[int, int]:
            rows = reader.scope_rows()
            terms = ["row", *(f"stale{number}" for number in range(1, len(texts) + 1))]
            return len(rows), sum(len(each.positions) for each in reader.postings(terms).values())

        assert await stores.ltm.read(scope, count) == (len(texts), len(texts)), done


async def test_a_scope_is_waiting_until_all_its_rows_are_done(stores: Stores, scope: Scope) -> None:
    await archive(stores, scope, "rowing")

    async def waiting(version: int) -> list[Scope]:
        return await stores.directory.scopes_to_reindex(version=version, limit=10)

    assert await waiting(INDEX_VERSION) == []
    assert await waiting(NEXT) == [scope]
    done = await reindex_scope(scope, version=NEXT, most_rows=1, ltm=stores.ltm)
    assert not done.is_done
    assert await waiting(NEXT) == [scope]
    await reindex_scope(scope, version=NEXT, most_rows=100, ltm=stores.ltm)
    assert await waiting(NEXT) == []
    assert await waiting(INDEX_VERSION) == [scope]


@pytest.mark.parametrize("text", ["", "的", "🙂"])
async def test_rows_without_words_are_indexed_too(stores: Stores, scope: Scope, text: str) -> None:
    await archive(stores, scope, text)
    done = await reindex_scope(scope, version=NEXT, most_rows=100, ltm=stores.ltm)
    assert (done.rows, done.is_done) == (1, True)
