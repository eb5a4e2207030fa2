"""Whole answers to the service's own requests: the schema goes along, half an answer is none."""

from __future__ import annotations

import json

import pytest

from shared.engines.llm_http.null import NullChatModel
from shared.errors import Unavailable
from shared.ports.llm import AnswerSchema, CompletionRequest
from tests.engines.llm_http.conftest import Rig
from tests.fakes.upstream import Body, Script

REQUEST = CompletionRequest(
    messages=({"role": "system", "content": "Summarise."}, {"role": "user", "content": "预算五十万"}),
    max_tokens=99,
    purpose="summary",
    answer=AnswerSchema(name="summary", document={"type": "object"}),
)


def answer(text: str, *, finish: str = "stop") -> Script:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    document = {"choices": [choice], "model": "m", "usage": {"prompt_tokens": 3, "completion_tokens": 2}}
    return Script(raw=json.dumps(document).encode())


async def test_the_schema_goes_along_and_the_purpose_is_reported(rig: Rig) -> None:
    rig.upstream.play(answer('{"text": "ok"}'))
    assert await rig.model.complete(REQUEST) == '{"text": "ok"}'
    (body,) = rig.upstream.requests
    assert "stream" not in body
    assert body["response_format"]["json_schema"]["name"] == "summary"
    assert [(use.purpose, use.outcome) for use in rig.reports] == [("summary", "ok")]


async def test_an_upstream_that_refuses_the_schema_gets_it_in_the_prompt(rig: Rig) -> None:
    def refuse(body: Body) -> int | None:
        return 400 if "response_format" in body else None

    rig.upstream.default = Script(refuse=refuse, pieces=('{"text": "ok"}',))
    assert await rig.model.complete(REQUEST) == '{"text": "ok"}'
    assert '{"type": "object"}' in rig.upstream.requests[-1]["messages"][0]["content"]
    await rig.model.complete(REQUEST)
    assert len(rig.upstream.requests) == 3


@pytest.mark.parametrize(
    ("script", "is_outage"),
    [
        (answer("half", finish="length"), False),
        (answer(""), False),
        (Script(status=413), False),
        (Script(status=500), True),
        (Script(status=401), True),
        (Script(raw=b"not json"), True),
    ],
    ids=["cut", "empty", "413", "500", "401", "no_json"],
)
async def test_what_is_no_whole_answer_is_unavailable(rig: Rig, script: Script, *, is_outage: bool) -> None:
    """And whether it tells of the upstream's health is reported."""
    rig.upstream.play(script)
    with pytest.raises(Unavailable) as caught:
        await rig.model.complete(REQUEST)
    assert caught.value.code == "llm_unavailable"
    assert [(use.outcome, use.is_outage) for use in rig.reports] == [("unavailable", is_outage)]


async def test_answers_and_replies_share_the_breaker(rig: Rig) -> None:
    rig.upstream.default = Script(status=500)
    for _ in range(5):
        with pytest.raises(Unavailable):
            await rig.model.complete(REQUEST)
    assert rig.model.breaker_state() == "open"
    before = len(rig.upstream.requests)
    with pytest.raises(Unavailable):
        await rig.ask()
    assert len(rig.upstream.requests) == before


async def test_without_an_upstream_there_is_no_answer() -> None:
    with pytest.raises(Unavailable):
        await NullChatModel().complete(REQUEST)
