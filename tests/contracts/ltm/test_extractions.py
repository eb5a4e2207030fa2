"""How far sessions were read for proposals, and habits, on every engine."""

from __future__ import annotations

from shared.model.extraction import Extraction, ExtractionStep, Habit
from shared.model.message import SessionEpoch
from shared.model.scope import Scope
from tests.contracts.ltm.samples import EPOCH, Stores, pairs


def step(first: int, last: int, *, epoch: int = 1, version: int = 1, key: str = "k1") -> ExtractionStep:
    return ExtractionStep(
        session_key=key,
        epoch=epoch,
        from_seq=first,
        to_seq=last,
        tokens=10 * (last - first + 1),
        version=version,
        oldest_at_ms=last * 1_000,
    )


async def read(stores: Stores, scope: Scope, key: str = "k1") -> list[Extraction]:
    return await stores.ltm.read(scope, lambda r: r.extractions(key))


async def test_what_is_archived_waits_until_it_is_extracted(stores: Stores, scope: Scope) -> None:
    await stores.ltm.write(scope, lambda w: w.note_archived(step(1, 4)))
    await stores.ltm.write(scope, lambda w: w.note_archived(step(5, 6)))
    (found,) = await read(stores, scope)
    assert (found.archived_to, found.extracted_to, found.waiting, found.tokens) == (6, 0, 6, 60)
    assert found.oldest_at_ms == 4_000
    assert await stores.ltm.write(scope, lambda w: w.note_extracted(step(1, 4))) is True
    (found,) = await read(stores, scope)
    assert (found.extracted_to, found.waiting, found.tokens, found.version) == (4, 2, 20, 1)


async def test_a_range_that_does_not_begin_where_the_last_one_ended_moves_nothing(
    stores: Stores, scope: Scope
) -> None:
    await stores.ltm.write(scope, lambda w: w.note_archived(step(1, 9)))
    assert await stores.ltm.write(scope, lambda w: w.note_extracted(step(3, 4))) is False
    assert await stores.ltm.write(scope, lambda w: w.note_extracted(step(1, 4))) is True
    assert await stores.ltm.write(scope, lambda w: w.note_extracted(step(1, 4))) is False
    assert await stores.ltm.write(scope, lambda w: w.note_extracted(step(1, 2, key="none"))) is False
    (found,) = await read(stores, scope)
    assert found.extracted_to == 4


async def test_the_oldest_prompt_of_a_session_is_remembered(stores: Stores, scope: Scope) -> None:
    await stores.ltm.write(scope, lambda w: w.note_archived(step(1, 9)))
    await stores.ltm.write(scope, lambda w: w.note_extracted(step(1, 4, version=2)))
    await stores.ltm.write(scope, lambda w: w.note_extracted(step(5, 6, version=3)))
    (found,) = await read(stores, scope)
    assert found.version == 2


async def test_rules_and_models_read_at_their_own_pace(stores: Stores, scope: Scope) -> None:
    await stores.ltm.write(scope, lambda w: w.note_archived(step(1, 9)))
    (found,) = await read(stores, scope)
    await stores.ltm.write(scope, lambda w: w.note_ruled(found, to_seq=9))
    await stores.ltm.write(scope, lambda w: w.note_ruled(found, to_seq=3))
    await stores.ltm.write(scope, lambda w: w.note_asked(found, awaits_model=True))
    (found,) = await read(stores, scope)
    assert (found.ruled_to, found.extracted_to, found.awaits_model, found.asked_at_ms) == (9, 0, True, 0)
    await stores.ltm.write(scope, lambda w: w.note_asked(found, awaits_model=False))
    await stores.ltm.write(scope, lambda w: w.note_extracted(step(1, 9)))
    (found,) = await read(stores, scope)
    assert found.awaits_model is False
    assert found.asked_at_ms > 0


async def test_epochs_and_scopes_are_kept_apart(stores: Stores, scope: Scope) -> None:
    other = await stores.directory.ensure_scope("t1", "user", outside_id="u2")
    await stores.ltm.write(scope, lambda w: w.note_archived(step(1, 3, epoch=7)))
    await stores.ltm.write(scope, lambda w: w.note_archived(step(1, 2, epoch=9)))
    assert [(found.epoch, found.archived_to) for found in await read(stores, scope)] == [(7, 3), (9, 2)]
    assert await read(stores, other) == []
    assert await read(stores, scope, "k2") == []


async def test_a_habit_is_counted_in_its_scope(stores: Stores, scope: Scope) -> None:
    other = await stores.directory.ensure_scope("t1", "user", outside_id="u2")
    habit = Habit(name="format:table", count=2, quotes=("用表格", "a table"), message_ids=("m1", "m2"))
    assert await stores.ltm.read(scope, lambda r: r.habit("format:table")) == Habit(name="format:table")
    await stores.ltm.write(scope, lambda w: w.put_habit(habit))
    await stores.ltm.write(scope, lambda w: w.put_habit(habit.model_copy(update={"count": 3})))
    assert (await stores.ltm.read(scope, lambda r: r.habit("format:table"))).count == 3
    assert (await stores.ltm.read(other, lambda r: r.habit("format:table"))).count == 0
    await stores.ltm.write(scope, lambda w: w.delete_habits())
    assert await stores.ltm.read(scope, lambda r: r.habit("format:table")) == Habit(name="format:table")


async def test_an_epoch_that_was_deleted_is_known_and_no_other(stores: Stores, scope: Scope) -> None:
    gone = [SessionEpoch(session_key="k1", epoch=3), SessionEpoch(session_key="k2", epoch=4)]
    await stores.ltm.write(scope, lambda w: w.note_deleted(gone))
    await stores.ltm.write(scope, lambda w: w.note_deleted(gone[:1]))
    asked = [("k1", 3), ("k2", 4), ("k1", 4), ("k2", 3), ("k", 13)]
    found = await stores.ltm.read(scope, lambda r: [r.is_deleted(key, epoch) for key, epoch in asked])
    assert found == [True, True, False, False, False]
    other = await stores.directory.ensure_scope("t1", "user", outside_id="u2")
    assert await stores.ltm.read(other, lambda r: r.is_deleted("k1", 3)) is False


async def test_a_reading_without_an_episode_is_forgotten(stores: Stores, scope: Scope) -> None:
    await stores.ltm.write(scope, lambda w: w.add_episodes(pairs("one", "two", session_id="s-1")))
    (episode,) = await stores.ltm.read(scope, lambda r: r.episodes("s-1", epoch=None, after_seq=1, limit=9))
    held = step(1, 2, key=episode.session_key, epoch=EPOCH)
    for each in (held, step(1, 2, key=episode.session_key, epoch=EPOCH + 1), step(1, 2, key="bare")):
        await stores.ltm.write(scope, lambda w, each=each: w.note_archived(each))  # type: ignore[misc]
    await stores.ltm.write(scope, lambda w: w.delete_bare_extractions())
    assert [each.epoch for each in await read(stores, scope, episode.session_key)] == [EPOCH]
    assert await read(stores, scope, "bare") == []
    await stores.ltm.write(
        scope, lambda w: w.note_ruled(Extraction(session_key="bare", epoch=1, archived_to=2), to_seq=2)
    )
    assert await read(stores, scope, "bare") == []
