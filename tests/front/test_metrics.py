"""What the front counts of what went wrong: recall that failed, requests over a limit."""

from __future__ import annotations

import pytest
from prometheus_client import REGISTRY

from api.errors import problem, problem_response
from api.metrics import count_notices, observe_recall
from shared.errors import Unavailable
from shared.model.turn import Notice


def counted(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(f"bilayer_{name}_total", labels) or 0.0


def test_a_search_that_a_store_does_not_answer_is_counted_by_its_reason() -> None:
    before = counted("recall_errors", reason="stm_unavailable")
    with observe_recall():
        pass
    with pytest.raises(Unavailable), observe_recall():
        raise Unavailable("away", code="stm_unavailable")
    assert counted("recall_errors", reason="stm_unavailable") == before + 1


def test_a_turn_that_went_on_without_recall_is_counted() -> None:
    before = counted("recall_errors", reason="ltm_unavailable")
    count_notices([Notice(kind="degraded", text="-")])
    count_notices([Notice(kind="recall_unavailable", text="-")])
    assert counted("recall_errors", reason="ltm_unavailable") == before + 1


def test_what_is_over_a_limit_is_counted_by_the_limit() -> None:
    before = counted("limited", limit="message_too_long")
    problem_response(problem(422, "wrong", code="message_too_long"))
    problem_response(problem(413, "too long", code="message_too_long"))
    assert counted("limited", limit="message_too_long") == before + 1
