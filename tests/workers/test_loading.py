"""A worker loads what its jobs run before it forks: else each job would load it anew, for half a second."""

from __future__ import annotations

import workers.__main__ as program
from shared.engines import rq_queue
from workers.runner import run_job


def test_a_worker_has_loaded_what_its_queue_calls() -> None:
    assert f"{run_job.__module__}.{run_job.__name__}" == rq_queue._ENTRY
    assert vars(program)["run_job"] is run_job
