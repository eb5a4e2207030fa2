"""How far `reconcile` looks: at all sessions once an hour and when asked, else at those that owe."""

from __future__ import annotations

from datetime import timedelta

import pytest

from shared.model.job import JobOrder
from shared.services import Services
from workers.jobs import run_reconcile


async def test_every_session_is_looked_at_once_an_hour_and_when_somebody_asks(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[bool] = []
    sum_debts = services.due.sum_debts

    async def look(*, every: bool = True) -> object:
        looked.append(every)
        return await sum_debts(every=every)

    monkeypatch.setattr(services.due, "sum_debts", look)
    periodic = JobOrder(id="job_1", job="reconcile")
    asked = JobOrder(id="job_2", job="reconcile", request_id="req_1")
    for minutes, order, every in [
        (0, periodic, True),
        (1, periodic, False),
        (58, periodic, False),
        (2, periodic, True),
        (59, periodic, False),
        (0, asked, True),
        (59, periodic, False),
        (1, periodic, True),
        (-600, periodic, True),
    ]:
        services.clock.offset += timedelta(minutes=minutes)
        await run_reconcile(services, order)
        assert looked.pop() is every
