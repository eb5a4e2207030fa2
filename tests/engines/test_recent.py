"""What a process keeps for a while: bounded by size, gone when unused, never of another key."""

from __future__ import annotations

from shared.engines.recent import RecentlyUsed


class _Time:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_what_is_used_stays_and_what_is_not_goes() -> None:
    time = _Time()
    kept: RecentlyUsed[str] = RecentlyUsed(lifetime_seconds=30, monotonic=time)
    kept.put("used", "a", size=1)
    kept.put("left", "b", size=1)
    for _ in range(5):
        time.now += 29
        assert kept.get("used") == "a"
    assert kept.get("left") is None


def test_after_a_long_silence_nothing_is_left() -> None:
    time = _Time()
    kept: RecentlyUsed[str] = RecentlyUsed(lifetime_seconds=30, monotonic=time)
    kept.put("one", "a", size=1)
    time.now += 61
    assert kept.get("one") is None
    assert kept.get("other") is None


def test_its_size_is_bounded_by_two_generations() -> None:
    kept: RecentlyUsed[int] = RecentlyUsed(most_bytes=100_000)
    for number in range(1_000):
        kept.put(number, number, size=1_000)
    held = [number for number in range(1_000) if kept.get(number) is not None]
    assert held
    assert held[-1] == 999
    assert len(held) <= 2 * 51


def test_what_goes_is_taken_down_a_few_at_a_time_and_answers_no_more() -> None:
    gone: list[int] = []

    class Value:
        def __init__(self, number: int) -> None:
            self.number = number

        def __del__(self) -> None:
            gone.append(self.number)

    kept: RecentlyUsed[Value] = RecentlyUsed(most_bytes=100_000)
    most_at_once = 0
    for number in range(1_000):
        before = len(gone)
        kept.put(number, Value(number), size=1_000)
        most_at_once = max(most_at_once, len(gone) - before)
        assert len(gone) + 999 - number >= 1_000 - 3 * 51
        assert all(kept.get(each) is None for each in gone[before:])
    assert 1 < most_at_once <= 8


def test_nothing_is_kept_after_a_clear() -> None:
    kept: RecentlyUsed[str] = RecentlyUsed()
    kept.put("one", "a", size=1)
    kept.clear()
    assert kept.get("one") is None


def test_what_is_dropped_is_gone_from_both_generations_and_the_rest_stays() -> None:
    time = _Time()
    kept: RecentlyUsed[str] = RecentlyUsed(lifetime_seconds=30, monotonic=time)
    kept.put("old", "a", size=1)
    time.now += 31
    kept.put("young", "b", size=1)
    kept.put("other", "c", size=1)
    for key in ("old", "young", "never"):
        kept.drop(key)
    assert [kept.get(key) for key in ("old", "young", "other")] == [None, None, "c"]
