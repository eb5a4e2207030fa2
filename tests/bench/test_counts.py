"""P6: a turn makes two round trips to Redis, whatever it recalls, and writes to the file only on command."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.bench.counts import Counted, Counter, counting
from tests.e2e.stack import User
from tests.fakes.upstream import UpstreamThread

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[User, Counter]]:
    with (
        UpstreamThread() as upstream,
        counting(tmp_path_factory.mktemp("counted") / "stack", upstream_url=upstream.base_url) as both,
    ):
        yield both


@pytest.mark.parametrize("message", ["Where is the bicycle?", "自行车放在哪里？", "Nothing much happened"])
def test_a_plain_turn_makes_two_round_trips_and_writes_nothing(
    counted: tuple[User, Counter], message: str
) -> None:
    """The archive's mark, which comes once in 50 messages, is not reached in these."""
    user, counter = counted
    done = [counter.count(lambda: user.turn("s", message)) for _ in range(4)]
    assert done == [Counted(round_trips=2, has_written=False)] * 4


def test_a_turn_with_a_key_and_a_streamed_one_cost_no_more(counted: tuple[User, Counter]) -> None:
    user, counter = counted

    def keyed() -> None:
        headers = {"Idempotency-Key": "once"}
        user.client.post(
            "/v1/sessions/s/turns", json={"message": "It snowed"}, headers=headers
        ).raise_for_status()

    def streamed() -> None:
        body = {"message": "It thawed", "stream": True}
        user.client.post("/v1/sessions/s/turns", json=body).raise_for_status()

    assert counter.count(keyed) == Counted(round_trips=2, has_written=False)
    assert counter.count(streamed) == Counted(round_trips=2, has_written=False)


def test_the_counter_sees_what_other_requests_do(counted: tuple[User, Counter]) -> None:
    user, counter = counted
    assert counter.count(lambda: user.prompt("s", "bicycle")) == Counted(round_trips=1, has_written=False)
    assert counter.count(lambda: user.search("bicycle")) == Counted(round_trips=1, has_written=False)
    assert counter.count(lambda: user.turn("s", "记住：车棚的密码在门后")).has_written
