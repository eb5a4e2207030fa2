"""What every long-term memory keeps of meaning: a vector goes with its row, a model with the next one."""

from __future__ import annotations

import numpy as np

from shared.model.meaning import RowMeaning, RowVectors
from shared.model.scope import Scope
from tests.contracts.ltm.samples import EPOCH, Stores, memory, pairs, record
from tests.contracts.ltm.test_long_term_memory import archive, remember


def meaning(row_id: int, *numbers: float, is_han: bool = False) -> RowMeaning:
    return RowMeaning(row_id, np.array(numbers, dtype=np.float32), is_han)


async def missing(stores: Stores, scope: Scope, model: str = "m:1") -> list[int]:
    return await stores.ltm.read(scope, lambda r: r.rows_to_embed(model, after=0, limit=99))


async def vectors(stores: Stores, scope: Scope, model: str = "m:1") -> RowVectors:
    return await stores.ltm.read(scope, lambda r: r.row_vectors(model, width=2))


async def embed_all(stores: Stores, scope: Scope, model: str = "m:1") -> list[int]:
    row_ids = await missing(stores, scope, model)
    made = [meaning(row_id, 0.6, -0.8) for row_id in row_ids]
    await stores.ltm.write(scope, lambda w: w.put_vectors(model, made))
    await stores.ltm.write(scope, lambda w: w.note_embedded(model))
    return row_ids


async def test_vectors_come_back_as_they_were_kept_with_their_language(stores: Stores, scope: Scope) -> None:
    await archive(stores, scope, "green tea", "绿茶真好", "")
    first, second, third = await missing(stores, scope)
    made = [meaning(first, 0.6, -0.8), meaning(second, 0.0, 1.0, is_han=True), meaning(third, 0.0)]
    await stores.ltm.write(scope, lambda w: w.put_vectors("m:1", made))
    found = await vectors(stores, scope)
    assert found.row_ids.tolist() == [first, second, third]
    assert np.allclose(found.values, [[0.6, -0.8], [0.0, 1.0], [0.0, 0.0]], atol=0.005)
    assert found.is_han.tolist() == [False, True, False]
    assert len(await vectors(stores, scope, "m:2")) == 0
    assert await missing(stores, scope) == []


async def test_one_vector_of_another_width_says_nothing_and_the_others_stay(
    stores: Stores, scope: Scope
) -> None:
    await archive(stores, scope, "green tea", "绿茶", "black tea", "红茶")
    row_ids = await missing(stores, scope)
    wide, *others, short = row_ids
    made = [meaning(row_id, 0.6, -0.8) for row_id in others]
    made += [meaning(wide, 0.1, 0.2, 0.3), meaning(short, 1.0, is_han=True)]
    await stores.ltm.write(scope, lambda w: w.put_vectors("m:1", made))
    found = await vectors(stores, scope)
    assert found.row_ids.tolist() == row_ids
    assert np.allclose(found.values, [[0.0, 0.0], [0.6, -0.8], [0.6, -0.8], [0.0, 0.0]], atol=0.005)
    asked = await stores.ltm.read(scope, lambda r: r.row_vectors("m:1", width=3))
    assert asked.values.any(axis=1).tolist() == [True, False, False, False]


async def test_rows_without_a_vector_are_told_in_order_and_in_pages(stores: Stores, scope: Scope) -> None:
    await archive(stores, scope, "one", "two", "three")
    row_ids = await missing(stores, scope)
    assert row_ids == sorted(row_ids)
    page = await stores.ltm.read(scope, lambda r: r.rows_to_embed("m:1", after=row_ids[0], limit=1))
    assert page == [row_ids[1]]


async def test_a_model_answers_once_its_set_is_whole_and_the_former_one_till_then(
    stores: Stores, scope: Scope
) -> None:
    await archive(stores, scope, "one", "two")
    assert await stores.ltm.read(scope, lambda r: r.embedded_model("m:1")) is None
    await embed_all(stores, scope)
    assert await stores.ltm.read(scope, lambda r: r.embedded_model("m:1")) == "m:1"
    half = (await missing(stores, scope, "m:2"))[:1]
    await stores.ltm.write(scope, lambda w: w.put_vectors("m:2", [meaning(half[0], 1.0)]))
    assert await stores.ltm.read(scope, lambda r: r.embedded_model("m:2")) == "m:1"
    assert len(await vectors(stores, scope)) == 2
    await embed_all(stores, scope, "m:2")
    assert await stores.ltm.read(scope, lambda r: r.embedded_model("m:2")) == "m:2"
    assert len(await vectors(stores, scope)) == 0


async def test_a_scope_is_to_be_embedded_until_nothing_lacks_a_vector(stores: Stores, scope: Scope) -> None:
    async def waiting(model: str = "m:1") -> list[Scope]:
        return await stores.directory.scopes_to_embed(model=model, limit=9)

    assert await waiting() == []
    await archive(stores, scope, "one")
    assert await waiting() == [scope]
    (row_id,) = await embed_all(stores, scope)
    assert await waiting() == []
    assert await stores.ltm.read(scope, lambda r: r.embedded_to("m:1")) == row_id
    assert await waiting("m:2") == [scope]
    await remember(stores, scope, memory("two"))
    assert await waiting() == [scope]
    assert await stores.ltm.read(scope, lambda r: r.embedded_model("m:1")) == "m:1"  # it answers all the same


async def test_vectors_of_rows_that_came_since_are_found_beside_the_former_ones(
    stores: Stores, scope: Scope
) -> None:
    await archive(stores, scope, "one")
    await embed_all(stores, scope)
    assert len(await vectors(stores, scope)) == 1
    await archive(stores, scope, "two", session_id="s-2")
    await embed_all(stores, scope)
    assert len(await vectors(stores, scope)) == 2


async def test_a_forgotten_span_takes_the_vector_and_the_row_gets_a_new_one(
    stores: Stores, scope: Scope
) -> None:
    (said, _) = await archive(stores, scope, "my pin is 1234", "tea")
    first, second = await embed_all(stores, scope)
    before = await stores.ltm.read(scope, lambda r: r.row_edits())
    await stores.ltm.write(
        scope, lambda w: w.forget_span(said.message.id, "1234", record=record("my pin is"))
    )
    assert await stores.ltm.read(scope, lambda r: r.row_edits()) != before
    assert (await vectors(stores, scope)).row_ids.tolist() == [second]
    assert await missing(stores, scope) == [first]
    assert await stores.directory.scopes_to_embed(model="m:1", limit=9) == [scope]
    await stores.ltm.write(scope, lambda w: w.put_vectors("m:1", [meaning(first, 1.0, 0.0)]))
    assert (await vectors(stores, scope)).row_ids.tolist() == [first, second]


async def test_vectors_go_with_rows_however_they_go(stores: Stores, scope: Scope) -> None:
    said = await archive(stores, scope, "one", "two", session_id="s-1")
    await archive(stores, scope, "three", session_id="s-2")
    for name in ("mem_1", "mem_2", "mem_3"):
        await remember(stores, scope, memory(name, id=name))
    row_ids = await embed_all(stores, scope)
    assert len(await vectors(stores, scope)) == len(row_ids) == 6
    await stores.ltm.write(scope, lambda w: w.delete_episodes([said[0].message.id]))
    assert len(await vectors(stores, scope)) == 5
    await stores.ltm.write(scope, lambda w: w.delete_session("s-2"))
    assert len(await vectors(stores, scope)) == 4
    await stores.ltm.write(scope, lambda w: w.delete_memory("mem_1"))
    await stores.ltm.write(scope, lambda w: w.supersede_memory("mem_2", at_ms=EPOCH))
    await stores.ltm.write(scope, lambda w: w.end_memory("mem_3", status="faded", at_ms=EPOCH))
    assert (await vectors(stores, scope)).row_ids.tolist() == [row_ids[1]]


async def test_a_row_that_went_meanwhile_gets_no_vector(stores: Stores, scope: Scope) -> None:
    await remember(stores, scope, memory("gone", id="mem_1"))
    (row_id,) = await missing(stores, scope)
    await stores.ltm.write(scope, lambda w: w.delete_memory("mem_1"))
    await stores.ltm.write(scope, lambda w: w.put_vectors("m:1", [meaning(row_id, 1.0)]))
    assert len(await vectors(stores, scope)) == 0


async def test_one_user_has_nothing_of_another(stores: Stores, scope: Scope) -> None:
    other = await stores.directory.ensure_scope("t1", "user", outside_id="u2")
    await stores.ltm.write(other, lambda w: w.add_episodes(pairs("theirs")))
    await archive(stores, scope, "mine")
    await embed_all(stores, scope)
    assert len(await vectors(stores, other)) == 0
    assert await stores.ltm.read(other, lambda r: r.embedded_model("m:1")) is None
    assert await stores.directory.scopes_to_embed(model="m:1", limit=9) == [other]
