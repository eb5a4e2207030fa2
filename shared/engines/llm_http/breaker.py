"""The circuit breaker of the chat upstream: a pure state machine that is handed the time.

    closed ── five failures in a row ──> open ── its pause is over ──> half open
      ^                                   ^                              │
      └────────── the probe answers ──────┼───── the probe fails ────────┘

While half open, one probe at a time goes through and all others are refused. The pause starts at
10 s and doubles with each failed probe up to 60 s. A report that belongs to an earlier state (a
request that was let in before the breaker opened) changes nothing.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

BreakerState = Literal["closed", "open", "half_open"]


class Permit(NamedTuple):
    """Leave to send one request; it is handed back with exactly one final report."""

    generation: int
    probe: bool


class CircuitBreaker:
    """Lets requests through while the upstream answers. All times are seconds on one clock.

    Final reports are `succeeded`, `failed` and `released` (nothing was learnt: the caller left, or
    the request itself was bad). `answered` may come before: a probe whose first token is there has
    shown enough, and nobody waits for the end of its reply.
    """

    def __init__(
        self,
        *,
        failures_to_open: int = 5,
        first_pause_seconds: float = 10.0,
        longest_pause_seconds: float = 60.0,
    ) -> None:
        self._failures_to_open = failures_to_open
        self._first_pause = first_pause_seconds
        self._longest_pause = longest_pause_seconds
        self._pause = first_pause_seconds
        self._failures = 0
        self._opened_at: float | None = None
        self._probing = False
        self._generation = 0

    def state(self, now: float) -> BreakerState:
        """Return the state at `now`; it is half open from the moment a probe may go."""
        if self._opened_at is None:
            return "closed"
        return "open" if self.remaining_seconds(now) > 0 else "half_open"

    def remaining_seconds(self, now: float) -> float:
        """Return how long no probe may go, 0 when one may.

        A clock that was set back before the opening ends the pause: better a probe too early than
        an upstream shut out until the clock has caught up.
        """
        if self._opened_at is None or now < self._opened_at:
            return 0.0
        return max(0.0, self._opened_at + self._pause - now)

    def admit(self, now: float) -> Permit | None:
        """Return a permit, or None where the request must not be sent."""
        if self._opened_at is None:
            return Permit(self._generation, probe=False)
        if self._probing or self.remaining_seconds(now) > 0:
            return None
        self._probing = True
        return Permit(self._generation, probe=True)

    def answered(self, permit: Permit) -> Permit:
        """Note the first token. Returns the permit to go on with: a probe becomes a plain request."""
        if not self._is_current(permit) or not permit.probe:
            return permit
        self._close()
        return Permit(self._generation, probe=False)

    def succeeded(self, permit: Permit) -> None:
        """Note a whole reply: the failures in a row are forgotten, and a probe closes the breaker."""
        if self._is_current(permit):
            self.answered(permit)
            self._failures = 0

    def failed(self, permit: Permit, now: float) -> None:
        """Note a failure: the fifth in a row opens the breaker, a failed probe doubles its pause."""
        if not self._is_current(permit):
            return
        self._failures += 1
        if permit.probe:
            self._open(now, min(self._pause * 2, self._longest_pause))
        elif self._failures >= self._failures_to_open:
            self._open(now, self._first_pause)

    def released(self, permit: Permit) -> None:
        """Note that nothing was learnt; the place of a probe is free again."""
        if self._is_current(permit) and permit.probe:
            self._probing = False

    def _is_current(self, permit: Permit) -> bool:
        return permit.generation == self._generation

    def _open(self, now: float, pause: float) -> None:
        self._generation += 1
        self._opened_at, self._pause, self._probing = now, pause, False

    def _close(self) -> None:
        self._generation += 1
        self._opened_at, self._pause, self._probing = None, self._first_pause, False
        self._failures = 0
