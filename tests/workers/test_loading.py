"""A worker loads what its jobs run before it forks: else each job would load it anew, for half a second."""

from __future__ import annotations

import workers.__main__ as program
from shared.engines import rq_queue
from shared.engines.llm_http.opening import tls_context
from shared.services import load_for_forks
from shared.settings import Settings
from workers.runner import run_job


def test_a_worker_has_loaded_what_its_queue_calls() -> None:
    assert f"{run_job.__module__}.{run_job.__name__}" == rq_queue._ENTRY
    assert vars(program)["run_job"] is run_job


def test_the_certificates_are_read_once_where_an_upstream_is_named() -> None:
    tls_context.cache_clear()
    load_for_forks(Settings())
    assert tls_context.cache_info().currsize == 0
    load_for_forks(Settings(llm_base_url="https://models.example.com/v1"))
    assert tls_context.cache_info().currsize == 1
