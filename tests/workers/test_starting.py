"""A worker that could do no job does not start; a job that cannot even begin is told by a bare code."""

from __future__ import annotations

import asyncio
import os
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

import workers.__main__ as program
from shared.model.job import JobOrder
from shared.services import DEFAULT_TENANT, open_services
from shared.settings import Settings
from tests.conftest import RedisServer
from workers.runner import JobFailed, run_job


class Worker:
    """Stands for RQ's worker."""

    def __init__(self) -> None:
        self.has_worked = False

    def work(self, **_options: str) -> None:
        self.has_worked = True


@pytest.fixture
def worker(redis_server: RedisServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Worker]:
    """A worker of a store that holds a user, as the environment names it."""

    async def fill() -> None:
        settings = Settings(data_dir=tmp_path, redis_url=redis_server.url, environment="test")
        services = await open_services(settings)
        await services.directory.ensure_scope(DEFAULT_TENANT, "user", outside_id="u1")
        await services.close()

    asyncio.run(fill())
    named = {"DATA_DIR": str(tmp_path), "REDIS_URL": redis_server.url, "ENVIRONMENT": "test"}
    for name, value in named.items():
        monkeypatch.setenv(f"BILAYER_{name}", value)
    standing = Worker()
    monkeypatch.setattr(program, "make_worker", lambda *_places, **_options: standing)
    before = os.umask(0o077)
    yield standing
    os.umask(before)


def test_a_worker_whose_services_open_works(worker: Worker) -> None:
    assert program.main([]) == 0
    assert worker.has_worked


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("MASTER_KEY", Fernet.generate_key().decode(), "key"),
        ("ENVIRONMENT", "staging", "environment"),
        ("LLM_BASE_URL", "no address", "BILAYER_LLM_BASE_URL"),
    ],
    ids=["key", "environment", "address"],
)
def test_a_worker_that_could_do_no_job_says_why_and_takes_none(
    worker: Worker, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, name: str,
    value: str, told: str,
) -> None:  # fmt: skip
    monkeypatch.setenv(f"BILAYER_{name}", value)
    assert program.main([]) == 1
    assert told in capsys.readouterr().err
    assert not worker.has_worked


@pytest.mark.usefixtures("worker")
def test_a_job_whose_services_do_not_open_tells_a_bare_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BILAYER_MASTER_KEY", Fernet.generate_key().decode())
    with pytest.raises(JobFailed) as caught:
        run_job(**JobOrder(id="job_1", job="reconcile").model_dump())
    kept = "".join(traceback.format_exception(caught.value))
    assert str(caught.value) == "startup"
    assert "StartupProblem" not in kept
    assert "open_services" not in kept
