"""What the front counts of its limits and of recall that fails."""

from __future__ import annotations

import pytest
from prometheus_client import REGISTRY, generate_latest

from api.errors import problem_of
from api.metrics import count_recall, count_unrecalled, observe_llm, render_counts
from shared.errors import Conflict, Missing, TooLarge, Unavailable
from shared.model.turn import Notice
from shared.ports.llm import LlmUse

SHARED = {"jobs_total:archive:finished": 1.0, "erasures_total": 2.0}


def counted(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(f"bilayer_{name}_total", labels) or 0.0


@pytest.mark.parametrize(
    ("error", "limit", "more"),
    [
        (TooLarge("x", code="message_too_long"), "message_too_long", 1),
        (TooLarge("x", code="body_too_large"), "body_too_large", 1),
        (Conflict("x", code="session_busy"), "session_busy", 1),
        (Missing("x"), "not_found", 0),
    ],
)
def test_a_refusal_by_a_limit_is_counted(error: TooLarge | Conflict | Missing, limit: str, more: int) -> None:
    before = counted("limited", limit=limit)
    problem_of(error)
    assert counted("limited", limit=limit) == before + more


def test_a_recall_that_fails_is_counted_by_its_reason() -> None:
    before = counted("recall_errors", reason="busy"), counted("recall_errors", reason="unavailable")
    with pytest.raises(Unavailable), count_recall():
        raise Unavailable("x", code="busy")
    with count_recall():
        pass
    count_unrecalled([Notice(kind="recall_unavailable", text="x"), Notice(kind="topic", text="y")])
    count_unrecalled([Notice(kind="topic", text="y")])
    after = counted("recall_errors", reason="busy"), counted("recall_errors", reason="unavailable")
    assert after == (before[0] + 1, before[1] + 1)


def test_requests_to_the_model_are_counted_for_the_front_and_the_workers_together() -> None:
    use = LlmUse(purpose="both", outcome="ok", prompt_tokens=5, completion_tokens=3)
    observe_llm(use)
    shared = {"llm_requests_total:both:ok": 2.0, "llm_requests_total:extraction:ok": 4.0, **SHARED}
    lines = render_counts(shared).splitlines()
    assert lines.count("# TYPE bilayer_llm_requests_total counter") == 1
    assert 'bilayer_llm_requests_total{outcome="ok",purpose="both"} 3.0' in lines
    assert 'bilayer_llm_requests_total{outcome="ok",purpose="extraction"} 4.0' in lines
    assert 'bilayer_llm_tokens_total{direction="prompt",purpose="both"} 5.0' in lines
    assert 'bilayer_jobs_total{job="archive",outcome="finished"} 1.0' in lines
    assert "bilayer_erasures_total 2.0" in lines
    assert "bilayer_llm_requests" not in generate_latest().decode()
    names = [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert len(names) == len(set(names))
