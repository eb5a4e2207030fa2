"""The breaker, step by step and under any order of events."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from shared.engines.llm_http.breaker import CircuitBreaker, Permit


def fail(breaker: CircuitBreaker, now: float, times: int = 1) -> None:
    for _ in range(times):
        permit = breaker.admit(now)
        assert permit is not None
        breaker.failed(permit, now)


def test_opens_after_exactly_five_failures_in_a_row() -> None:
    breaker = CircuitBreaker()
    fail(breaker, 0.0, times=4)
    assert breaker.state(0.0) == "closed"
    fail(breaker, 0.0)
    assert breaker.state(0.0) == "open"
    assert breaker.admit(9.9) is None


def test_a_success_starts_the_count_anew() -> None:
    breaker = CircuitBreaker()
    fail(breaker, 0.0, times=4)
    permit = breaker.admit(0.0)
    assert permit is not None
    breaker.succeeded(permit)
    fail(breaker, 0.0, times=4)
    assert breaker.state(0.0) == "closed"


def test_half_open_admits_one_probe_and_refuses_the_others_meanwhile() -> None:
    breaker = CircuitBreaker()
    fail(breaker, 0.0, times=5)
    assert breaker.state(10.0) == "half_open"
    assert breaker.admit(10.0) is not None
    assert breaker.admit(10.0) is None
    assert breaker.admit(1_000.0) is None


def test_a_released_probe_frees_its_place() -> None:
    breaker = CircuitBreaker()
    fail(breaker, 0.0, times=5)
    probe = breaker.admit(10.0)
    assert probe is not None
    breaker.released(probe)
    assert breaker.state(10.0) == "half_open"
    assert breaker.admit(10.0) is not None


def test_the_first_token_of_a_probe_closes_the_breaker() -> None:
    breaker = CircuitBreaker()
    fail(breaker, 0.0, times=5)
    probe = breaker.admit(10.0)
    assert probe is not None
    going_on = breaker.answered(probe)
    assert breaker.state(10.0) == "closed"
    breaker.failed(going_on, 11.0)
    assert breaker.state(11.0) == "closed"
    fail(breaker, 11.0, times=4)
    assert breaker.state(11.0) == "open"


def test_a_failed_probe_doubles_the_pause_up_to_a_minute_and_a_success_resets_it() -> None:
    breaker = CircuitBreaker()
    fail(breaker, 0.0, times=5)
    now = 0.0
    for pause in (10.0, 20.0, 40.0, 60.0, 60.0):
        assert breaker.remaining_seconds(now) == pause
        now += pause
        fail(breaker, now)
    probe = breaker.admit(now + 60.0)
    assert probe is not None
    breaker.succeeded(probe)
    fail(breaker, now + 61.0, times=5)
    assert breaker.remaining_seconds(now + 61.0) == 10.0


def test_late_reports_of_earlier_requests_change_nothing() -> None:
    breaker = CircuitBreaker()
    late = [breaker.admit(0.0) for _ in range(3)]
    fail(breaker, 0.0, times=5)
    probe = breaker.admit(10.0)
    for permit, report in zip(late, (breaker.succeeded, breaker.released, breaker.answered), strict=True):
        assert permit is not None
        report(permit)
    assert probe is not None
    assert breaker.admit(10.0) is None
    breaker.failed(probe, 10.0)
    assert late[0] is not None
    breaker.failed(late[0], 29.0)
    assert breaker.state(30.0) == "half_open"


def test_a_clock_set_back_does_not_shut_the_upstream_out() -> None:
    breaker = CircuitBreaker()
    fail(breaker, 1_000_000.0, times=5)
    assert breaker.state(5.0) == "half_open"
    assert breaker.admit(5.0) is not None


@given(st.lists(st.tuples(st.sampled_from(["admit", "answer", "succeed", "fail", "release"]), st.integers())))
def test_any_order_of_events_keeps_the_promises(steps: list[tuple[str, int]]) -> None:
    """Never two probes out; nothing passes while open; opened only by five in a row or a probe."""
    breaker = CircuitBreaker()
    out: list[Permit] = []
    now = 0.0
    for name, number in steps:
        now += abs(number) % 7
        before = breaker.state(now)
        if name == "admit":
            permit = breaker.admit(now)
            assert (permit is None) <= (before != "closed")
            if permit is not None:
                assert before != "open"
                assert not (permit.probe and any(p.probe and p[0] == permit[0] for p in out))
                out.append(permit)
            continue
        if not out:
            continue
        permit = out.pop(number % len(out))
        if name == "answer":
            out.append(breaker.answered(permit))
        elif name == "succeed":
            breaker.succeeded(permit)
            assert before == breaker.state(now) or permit.probe
        elif name == "fail":
            breaker.failed(permit, now)
        else:
            breaker.released(permit)
            assert breaker.state(now) == before


@given(st.lists(st.booleans(), max_size=40))
def test_plain_requests_open_it_at_the_fifth_failure_in_a_row_and_not_before(results: list[bool]) -> None:
    breaker = CircuitBreaker()
    in_a_row = 0
    for succeeded in results:
        permit = breaker.admit(0.0)
        assert permit is not None
        if succeeded:
            breaker.succeeded(permit)
        else:
            breaker.failed(permit, 0.0)
        in_a_row = 0 if succeeded else in_a_row + 1
        assert breaker.state(0.0) == ("open" if in_a_row == 5 else "closed")
        if in_a_row == 5:
            return
