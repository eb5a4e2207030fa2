"""A snapshot or a restore that failed is told as a failure, whatever it failed of."""

from __future__ import annotations

import pytest

from api.routes.snapshots import _check_done
from shared.errors import BilayerError, Conflict, Unavailable
from shared.model.job import JobRecord


def ended(reason: str | None, status: str = "dead") -> JobRecord:
    told = {"id": "job_1", "job": "restore", "status": status, "queued_at_ms": 1, "reason": reason}
    return JobRecord.model_validate(told)


@pytest.mark.parametrize(
    ("reason", "kind", "code"),
    [
        ("snapshot_damaged", Conflict, "snapshot_damaged"),
        ("unreadable", Conflict, "unreadable"),
        ("not_found", Unavailable, "unavailable"),
        ("time_limit", Unavailable, "unavailable"),
        (None, Unavailable, "unavailable"),
    ],
)
def test_a_dead_job_is_told_by_its_reason(reason: str | None, kind: type[BilayerError], code: str) -> None:
    with pytest.raises(kind) as caught:
        _check_done(ended(reason))
    assert caught.value.code == code


def test_a_job_that_is_through_is_none() -> None:
    _check_done(ended(None, "finished"))
