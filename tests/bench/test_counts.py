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
    assert done == [Counted(round_trips=2, commits=0)] * 4


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

    assert counter.count(keyed) == Counted(round_trips=2, commits=0)
    assert counter.count(streamed) == Counted(round_trips=2, commits=0)


def test_the_counter_sees_what_other_requests_do(counted: tuple[User, Counter]) -> None:
    user, counter = counted
    assert counter.count(lambda: user.prompt("s", "bicycle")) == Counted(round_trips=1, commits=0)
    assert counter.count(lambda: user.search("bicycle")) == Counted(round_trips=1, commits=0)
    assert counter.count(lambda: user.turn("s", "记住：车棚的钥匙在门后")).commits == 1


@pytest.mark.parametrize(
    "message",
    [
        "记住：会议室在三楼",
        "Remember that the shed key hangs behind the door",
        "把预算上限设为50万，记住我的邮箱是dev@abc.com，忘掉我的手机号",
        "Set the deadline to 2030-05-01 and remember that the office closes at six. Undo that.",
        "总预算控制在九十万以内",
        "The order number is PO-77213",
        "预算改成60万",
        "确认",
        "以后别再提加班的事了",
    ],
)
def test_a_turn_with_commands_or_a_proposal_pays_one_transaction(
    counted: tuple[User, Counter], message: str
) -> None:
    """However much one message says: several commands, a proposal, a contradiction, a confirmation, a ban."""
    user, counter = counted
    done = counter.count(lambda: user.turn("writes", message))
    assert done.commits == 1
