"""The job `embed`: all scopes that lack vectors, a bounded share a run; no model is no failure."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest

from shared.engines.embeddings.null import NullEmbedder
from shared.model.job import JobOrder
from shared.model.scope import Scope
from shared.ports.directory import Directory
from shared.ports.embedder import Embedder
from shared.ports.ltm import LongTermMemory
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
