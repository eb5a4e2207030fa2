"""The job `embed`: all scopes that lack vectors, a bounded share a run; no model is no failure."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest

from shared.clock import Clock
from shared.engines.embeddings.null import NullEmbedder
from shared.model.job import JobOrder
from shared.model.scope import Scope
from shared.ports.directory import Directory
from shared.ports.embedder import Embedder
from shared.ports.ltm import LongTermMemory
from shared.recall import embed
from shared.services import Services
from tests.contracts.ltm.samples import open_stores, pairs
from tests.fakes.embedder import FakeEmbedder
from workers import life_jobs
from workers.life_jobs import run_embed

ORDER = JobOrder(id="job_embed_1", job="embed")


@dataclass
class Place:
    """What the job needs of the services."""

    ltm: LongTermMemory
    directory: Directory
    embedder: Embedder
    clock: Clock = field(default_factory=Clock)


async def two_users(place: Place) -> list[Scope]:
    scopes = [await place.directory.ensure_scope("t1", "user", outside_id=name) for name in ("u1", "u2")]
    for scope in scopes:
        await place.ltm.write(scope, lambda w: w.add_episodes(pairs("海鲜过敏", "下周看医生", "练钢琴")))
    return scopes


async def lacking(place: Place) -> int:
    return len(await place.directory.scopes_to_embed(model="fake:1", limit=9))


@pytest.mark.parametrize("name", ["sqlite", "fake"])
async def test_every_scope_gets_its_vectors_once(name: str, tmp_path: Path) -> None:
    stores = open_stores(name, tmp_path)
    model = FakeEmbedder()
    place = Place(stores.ltm, stores.directory, model)
    services = cast("Services", place)
    scopes = await two_users(place)
    assert await run_embed(services, ORDER) == {"embedded": 6}
    assert await run_embed(services, ORDER) == {"embedded": 0}
    assert (await lacking(place), len(model.asked)) == (0, 6)
    stores.end_scope(scopes[0])
    await stores.ltm.write(scopes[1], lambda w: w.add_episodes(pairs("又练钢琴", session_id="s-2")))
    assert await run_embed(services, ORDER) == {"embedded": 1}
    stores.close()


async def test_a_run_is_bounded_and_the_next_one_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stores = open_stores("sqlite", tmp_path)
    place = Place(stores.ltm, stores.directory, FakeEmbedder())
    await two_users(place)
    monkeypatch.setattr(life_jobs, "_MOST_EMBEDDED", 4)
    runs = [(await run_embed(cast("Services", place), ORDER))["embedded"] for _ in range(3)]
    assert runs == [4, 2, 0]
    assert await lacking(place) == 0
    stores.close()


async def test_a_model_that_is_away_is_waited_for_and_none_makes_no_work(tmp_path: Path) -> None:
    stores = open_stores("sqlite", tmp_path)
    model = FakeEmbedder()
    place = Place(stores.ltm, stores.directory, model)
    await two_users(place)
    model.is_down = True
    told = await run_embed(cast("Services", place), ORDER)
    assert told == {"embedded": 0, "waits_for_model": True}
    assert await lacking(place) == 2
    place.embedder = NullEmbedder()
    assert await run_embed(cast("Services", place), ORDER) == {"embedded": 0}
    stores.close()


async def test_rows_that_the_model_chokes_on_hold_up_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embed, "MOST_TEXTS", 2)
    stores = open_stores("sqlite", tmp_path)
    model = FakeEmbedder()
    place = Place(stores.ltm, stores.directory, model)
    services = cast("Services", place)
    users = [
        await stores.directory.ensure_scope("t1", "user", outside_id=f"u{number}") for number in range(4)
    ]
    for number, scope in enumerate(users):
        first = "海鲜过敏" if number == 3 else "毒 poison"
        rows = pairs(first, "下周看医生", "练钢琴", "play the piano")
        await stores.ltm.write(scope, lambda w, r=rows: w.add_episodes(r))  # type: ignore[misc]
    model.choking = "poison"
    assert await run_embed(services, ORDER) == {"embedded": 10}
    await stores.ltm.write(users[3], lambda w: w.add_episodes(pairs("又练钢琴", session_id="s-2")))
    for _ in users:
        assert (await run_embed(services, ORDER))["waits_for_model"]
        place.clock.offset += timedelta(minutes=1)
    left = [
        await stores.ltm.read(scope, lambda r: r.rows_to_embed("fake:1", after=0, limit=9)) for scope in users
    ]
    assert [len(rows) for rows in left] == [2, 2, 2, 0]
    model.choking = ""
    assert await run_embed(services, ORDER) == {"embedded": 6}
    assert await lacking(place) == 0
    stores.close()
