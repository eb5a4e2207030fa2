"""The chat model against a real server on loopback: what it sends, and what it makes of answers."""

from __future__ import annotations

import importlib.util
import sys
import time
from datetime import timedelta
from typing import Any

import pytest
import structlog
from pydantic import SecretStr

from shared.clock import Clock
from shared.engines.llm_http.client import HttpChatModel, UpstreamBounds
from shared.engines.llm_http.null import NullChatModel
from shared.errors import StartupProblem, Unavailable
from shared.ports.llm import ChatModel, ChatPiece, LlmUse
from shared.settings import Settings
from tests.engines.llm_http.conftest import QUICK, REQUEST, Rig, open_rig, settle
from tests.fakes.upstream import Script

REPLY = "You said: 预算控制在五十万以内"


async def refused(rig: Rig) -> Unavailable:
    with pytest.raises(Unavailable) as caught:
        await rig.ask()
    return caught.value


async def test_a_reply_comes_in_pieces_and_its_counts_come_last(rig: Rig) -> None:
    pieces = await rig.ask()
    assert [piece.text for piece in pieces[:-1]] == ["You said", ": 预算控制在五", "十万以内"]
    assert pieces[-1] == ChatPiece(model="scripted", prompt_tokens=10, completion_tokens=3)
    assert rig.reports == [LlmUse(purpose="reply", outcome="ok", prompt_tokens=10, completion_tokens=3)]


async def test_the_request_is_what_the_protocol_asks_for(rig: Rig) -> None:
    await rig.ask()
    assert rig.upstream.requests[0] == {
        "model": "scripted",
        "messages": [{"role": "user", "content": "预算控制在五十万以内"}],
        "max_tokens": 64,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    assert rig.upstream.headers[0]["authorization"] == "Bearer sk-secret"


async def test_a_module_that_is_not_installed_is_not_looked_for_at_each_event(rig: Rig) -> None:
    await rig.ask()
    assert ("sniffio" in sys.modules) == (importlib.util.find_spec("sniffio") is None)


async def test_requests_one_after_the_other_share_a_connection(rig: Rig) -> None:
    for _ in range(5):
        await rig.ask()
    assert rig.upstream.connections == 1


@pytest.mark.parametrize("tail", ["", "/"])
async def test_the_base_address_may_end_with_a_slash(tail: str) -> None:
    async with open_rig() as rig:
        settings = Settings(llm_base_url=rig.upstream.base_url + tail)
        model = HttpChatModel(settings, Clock())
        assert "".join([piece.text async for piece in model.stream(REQUEST)]) == REPLY
        await model.aclose()


async def test_without_a_key_no_credential_is_sent() -> None:
    async with open_rig(llm_api_key=None) as rig:
        await rig.ask()
        assert "authorization" not in rig.upstream.headers[0]


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"llm_base_url": None}, "BILAYER_LLM_BASE_URL"),
        ({"llm_base_url": "127.0.0.1:8000"}, "llm_base_url"),
        ({"llm_base_url": "http://[::1"}, "llm_base_url"),
        ({"llm_base_url": "http://host", "llm_api_key": SecretStr("sk-密")}, "BILAYER_LLM_API_KEY"),
    ],
)
def test_a_setting_that_cannot_work_is_told_at_the_start(settings: dict[str, Any], named: str) -> None:
    with pytest.raises((StartupProblem, ValueError), match=named):
        HttpChatModel(Settings(**settings), Clock())


@pytest.mark.parametrize("status", [400, 422])
async def test_an_upstream_that_refuses_stream_options_is_asked_without_them_ever_after(status: int) -> None:
    def refuse(body: dict[str, Any]) -> int | None:
        return status if "stream_options" in body else None

    async with open_rig() as rig:
        rig.upstream.default = Script(refuse=refuse)
        assert await rig.text() == REPLY
        assert await rig.text() == REPLY
        assert ["stream_options" in body for body in rig.upstream.requests] == [True, False, False]
        assert rig.reports[0] == LlmUse(purpose="reply", outcome="ok", prompt_tokens=0, completion_tokens=0)


async def test_an_upstream_with_the_new_name_of_the_limit_gets_it_and_keeps_its_counts(rig: Rig) -> None:
    rig.upstream.default = Script(
        refuse=lambda body: 400 if "max_tokens" in body else None,
        refusal="Unsupported parameter: use 'max_completion_tokens' instead.",
    )
    await rig.ask()
    await rig.ask()
    assert [body.get("max_completion_tokens") for body in rig.upstream.requests] == [None, 64, 64]
    assert rig.reports[1] == LlmUse(purpose="reply", outcome="ok", prompt_tokens=10, completion_tokens=3)


async def test_a_request_that_is_bad_in_any_dialect_teaches_nothing(rig: Rig) -> None:
    rig.upstream.play(Script(status=400), Script(status=400))
    assert (await refused(rig)).code == "llm_unavailable"
    await rig.ask()
    assert "stream_options" in rig.upstream.requests[-1]


@pytest.mark.parametrize("status", [401, 403, 404, 429, 500, 503, 302])
async def test_a_status_that_is_no_answer_is_unavailable_and_logged_without_words(status: int) -> None:
    async with open_rig() as rig:
        rig.upstream.default = Script(status=status)
        with structlog.testing.capture_logs() as logs:
            assert (await refused(rig)).code == "llm_unavailable"
        assert logs == [
            {
                "event": "llm_failed",
                "log_level": "warning",
                "outcome": "unavailable",
                "reason": "status",
                "status": status,
            }
        ]
        assert len(rig.upstream.requests) == 1


@pytest.mark.parametrize("status", [401, 404, 500])
async def test_failures_of_the_upstream_open_the_breaker_and_then_nothing_is_sent(status: int) -> None:
    async with open_rig() as rig:
        rig.upstream.default = Script(status=status)
        for _ in range(5):
            await refused(rig)
        assert rig.model.breaker_state() == "open"
        assert 1 <= (await refused(rig)).retry_after_seconds <= 10
        assert len(rig.upstream.requests) == 5
        assert rig.outcomes == ["unavailable"] * 5 + ["refused"]


async def test_what_is_wrong_with_one_request_does_not_shut_out_the_others(rig: Rig) -> None:
    rig.upstream.default = Script(status=413)
    for _ in range(6):
        await refused(rig)
    assert rig.model.breaker_state() == "closed"


async def test_the_breaker_follows_the_services_clock_and_heals_without_a_restart(rig: Rig) -> None:
    await rig.upstream.stop()
    for _ in range(5):
        await refused(rig)
    assert rig.model.breaker_state() == "open"
    await rig.upstream.start()
    assert (await refused(rig)).code == "llm_unavailable"
    rig.clock.offset = timedelta(seconds=11)
    assert rig.model.breaker_state() == "half_open"
    assert await rig.text() == REPLY
    assert rig.model.breaker_state() == "closed"


async def test_a_refused_connection_is_tried_once_more(rig: Rig) -> None:
    await rig.upstream.stop()
    started = time.monotonic()
    assert (await refused(rig)).code == "llm_unavailable"
    assert time.monotonic() - started < 1.0
    assert rig.outcomes == ["unavailable"]


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize("after", ["0", "0.1"])
async def test_a_busy_upstream_that_says_in_a_moment_is_asked_once_more(status: int, after: str) -> None:
    async with open_rig() as rig:
        rig.upstream.play(Script(status=status, headers={"retry-after": after}))
        assert await rig.text() == REPLY
        assert len(rig.upstream.requests) == 2


@pytest.mark.parametrize("after", ["2", "-1", "nan", "Wed, 21 Oct 2026 07:28:00 GMT"])
async def test_a_busy_upstream_that_says_later_is_left_alone(after: str) -> None:
    async with open_rig() as rig:
        rig.upstream.default = Script(status=503, headers={"retry-after": after})
        await refused(rig)
        assert len(rig.upstream.requests) == 1


async def test_a_busy_upstream_is_asked_once_more_and_not_twice(rig: Rig) -> None:
    rig.upstream.default = Script(status=503, headers={"retry-after": "0"})
    await refused(rig)
    assert len(rig.upstream.requests) == 2


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(Script(first_delay_seconds=5), id="no headers"),
        pytest.param(Script(hang_after=0), id="headers and no token"),
        pytest.param(Script(pieces=("",) * 40, piece_delay_seconds=0.05), id="empty deltas only"),
        pytest.param(Script(status=503, headers={"retry-after": "1"}), id="a pause over the time"),
    ],
)
async def test_the_first_token_has_its_time_and_no_more(script: Script) -> None:
    async with open_rig() as rig:
        rig.upstream.default = script
        started = time.monotonic()
        assert (await refused(rig)).code == "llm_unavailable"
        assert 0.3 < time.monotonic() - started < 2.0
        await settle(lambda: rig.connections == [])


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(Script(cut_after=2), id="cut off"),
        pytest.param(Script(hang_after=2), id="gone silent"),
        pytest.param(Script(pieces=("a", "", "", "", "", "", "b"), piece_delay_seconds=0.1), id="idle on"),
        pytest.param(Script(pieces=("a" * 60_001,) * 4), id="too long"),
    ],
)
async def test_a_reply_that_breaks_off_keeps_what_came_and_is_not_asked_for_again(script: Script) -> None:
    async with open_rig() as rig:
        rig.upstream.default = script
        texts: list[str] = []
        with pytest.raises(Unavailable) as caught:
            await rig.ask(into=texts)
        assert caught.value.code == "llm_interrupted"
        assert texts
        assert len(rig.upstream.requests) == 1
        assert rig.outcomes == ["interrupted"]
        await settle(lambda: rig.connections == [])


async def test_replies_that_always_break_off_open_the_breaker(rig: Rig) -> None:
    rig.upstream.default = Script(cut_after=1)
    for _ in range(5):
        assert (await refused(rig)).code == "llm_interrupted"
    assert rig.model.breaker_state() == "open"


async def test_a_reply_has_a_longest_time_as_a_whole() -> None:
    bounds = QUICK.model_copy(update={"reply_seconds": 0.3})
    async with open_rig(bounds=bounds) as rig:
        rig.upstream.default = Script(pieces=("a",) * 100, piece_delay_seconds=0.05)
        started = time.monotonic()
        assert (await refused(rig)).code == "llm_interrupted"
        assert time.monotonic() - started < 2.0


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(Script(say_done=False), id="no [DONE]"),
        pytest.param(Script(as_json=True), id="plain JSON"),
        pytest.param(Script(piece_delay_seconds=0.02, first_delay_seconds=0.1), id="slow"),
        pytest.param(
            Script(
                raw='data: {"choices":[{"delta":{"content":"%s"}}]}\n\ndata: [DONE]'.replace(
                    "%s", REPLY
                ).encode()
            ),
            id="no blank line at the end",
        ),
    ],
)
async def test_other_manners_give_the_same_text(script: Script) -> None:
    async with open_rig() as rig:
        rig.upstream.default = script
        assert await rig.text() == REPLY
        assert rig.outcomes == ["ok"]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\x00\xff garbage",
        b"<html>busy</html>",
        b"data: {}\n\ndata: nonsense\n\n",
        b'data: {"error":{"message":"overloaded"}}\n\n',
        b'{"error":"overloaded"}',
        b"data: [DONE]\n\n",
    ],
)
async def test_garbage_is_unavailable_and_never_a_reply(raw: bytes) -> None:
    async with open_rig() as rig:
        rig.upstream.default = Script(raw=raw)
        assert (await refused(rig)).code == "llm_unavailable"


async def test_an_upstream_that_ends_the_text_and_stays_open_is_not_waited_for(rig: Rig) -> None:
    rig.upstream.default = Script(
        raw=b'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\n\n',
        headers={"content-length": "1000"},
    )
    started = time.monotonic()
    assert await rig.text() == "a"
    assert time.monotonic() - started < 1.0
    assert rig.outcomes == ["ok"]


async def test_a_full_pool_is_no_failure_of_the_upstream() -> None:
    bounds = QUICK.model_copy(update={"connections": 1, "pool_seconds": 0.05})
    async with open_rig(bounds=bounds) as rig:
        rig.upstream.play(Script(pieces=("a", "b"), piece_delay_seconds=0.2))
        first = rig.model.stream(REQUEST)
        await anext(first)
        for _ in range(5):
            assert (await refused(rig)).code == "llm_unavailable"
        assert rig.model.breaker_state() == "closed"
        assert [piece.text async for piece in first] == ["b", ""]


def as_port(model: ChatModel) -> ChatModel:
    """Return the model as the port, which holds its shape to the contract."""
    return model


async def test_both_models_are_the_port(rig: Rig) -> None:
    assert as_port(rig.model).breaker_state() == "closed"
    assert as_port(NullChatModel()).breaker_state() == "off"


async def test_no_upstream_is_never_there() -> None:
    model = NullChatModel()
    with pytest.raises(Unavailable) as caught:
        await anext(model.stream(REQUEST))
    assert caught.value.code == "llm_unavailable"
    await model.aclose()


def test_bounds_are_those_of_the_design() -> None:
    bounds = UpstreamBounds()
    assert (bounds.connect_seconds, bounds.idle_seconds, bounds.reply_seconds) == (3.0, 30.0, 600.0)
