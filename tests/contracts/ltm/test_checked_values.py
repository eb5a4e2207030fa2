"""What a store reads without checking it equals what checking it would give."""

from __future__ import annotations

from shared.model.scope import Scope
from tests.contracts.ltm.samples import Stores, pairs


async def test_episodes_equal_values_that_were_checked_field_by_field(stores: Stores, scope: Scope) -> None:
    await stores.ltm.write(scope, lambda w: w.add_episodes(pairs("tea", "茶")))
    rows = await stores.ltm.read(scope, lambda r: r.rows(r.scope_rows().row_ids.tolist()))
    said = await stores.ltm.read(scope, lambda r: r.episodes("s-1", epoch=None, after_seq=0, limit=9))
    one = await stores.ltm.read(scope, lambda r: r.episode(said[0].message.id))
    found = [each for each in (*rows.values(), *said, one) if each is not None]
    assert len(found) == 5
    for value in found:
        checked = type(value).model_validate(value.model_dump())
        assert value == checked
        assert value.model_dump(mode="json") == checked.model_dump(mode="json")
