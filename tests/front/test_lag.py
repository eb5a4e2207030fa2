"""What `/v1/lag` says of the promise that no message is lost: what was counted, and nothing before that."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from api.routes.admin import get_lag
from shared.clock import Clock
from shared.engines.redis_stm.limits import StmLimits
from shared.model.job import LAG_REPORT
from shared.model.scope import Caller
from shared.services import Services
from tests.fakes.memory_due import MemoryDueStore
from tests.fakes.memory_state import MemoryState

CALLER = Caller(tenant_id="t", user_id=None, permissions=frozenset(), key_id="key_1", request_id="req_1")
AT_MS = 1_900_000_000_000


@pytest.mark.parametrize(
    ("report", "invariant"),
    [
        (None, {"ok": False, "nowhere": 0, "checked_at": None}),
        (
            {"nowhere": 0, "checked_at_ms": AT_MS},
            {"ok": True, "nowhere": 0, "checked_at": "2030-03-17T17:46:40.000Z"},
        ),
        (
            {"nowhere": 3, "checked_at_ms": AT_MS},
            {"ok": False, "nowhere": 3, "checked_at": "2030-03-17T17:46:40.000Z"},
        ),
    ],
    ids=["never looked", "all is somewhere", "three had no mark"],
)
async def test_the_invariant_is_what_the_last_look_has_found(
    report: dict[str, int] | None, invariant: dict[str, Any]
) -> None:
    clock = Clock()
    due = MemoryDueStore(MemoryState(), clock=clock, limits=StmLimits())
    if report is not None:
        await due.write_report(LAG_REPORT, report)
    services = cast("Services", SimpleNamespace(due=due, clock=clock))
    assert (await get_lag(CALLER, services))["invariant"] == invariant
