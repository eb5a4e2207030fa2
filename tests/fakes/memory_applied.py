"""What was done already, in a dictionary: a part of the fake of long-term memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_APPLIED_KEPT_MS = 7 * 86_400_000


class AppliedReader:
    """Reads of one scope."""

    _applied: dict[str, tuple[int, Any]]
    _now_ms: int

    def applied(self, key: str) -> Any | None:
        at_ms, result = self._applied.get(key, (0, None))
        return result if at_ms > self._now_ms - _APPLIED_KEPT_MS else None


class AppliedWriter(AppliedReader):
    """Writes of one scope."""

    def mark_applied(self, key: str, result: Any) -> None:
        self._applied[key] = (self._now_ms, result)

    def drop_applied(self, keys: Sequence[str] | None) -> None:
        for key in list(self._applied) if keys is None else keys:
            self._applied.pop(key, None)
