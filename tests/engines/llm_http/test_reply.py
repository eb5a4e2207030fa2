"""What a reader makes of the dialects and of the garbage that upstreams send."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.engines.llm_http.reply import ReplyBounds, ReplyReader
from shared.engines.llm_http.sse import BrokenStreamError
from shared.ports.llm import ChatPiece


def chunk(content: Any = None, *, stop: bool = False, **more: Any) -> str:
    choice = {"index": 0, "delta": {"content": content}, "finish_reason": "stop" if stop else None}
    return json.dumps({"model": "m", "choices": [choice], **more})


def sse(*events: str) -> bytes:
    return "".join(f"data: {event}\n\n" for event in events).encode()


def read(body: bytes, *, step: int = 10_000, bounds: ReplyBounds | None = None) -> tuple[str, ReplyReader]:
    reader = ReplyReader(bounds or ReplyBounds())
    pieces: list[ChatPiece] = []
    for start in range(0, len(body), step):
        pieces += reader.feed(body[start : start + step])
    pieces += reader.finish()
    assert all(piece.text for piece in pieces)
    return "".join(piece.text for piece in pieces), reader


WHOLE = sse(chunk("你"), chunk("好"), chunk(stop=True), "[DONE]")
USAGE = {"prompt_tokens": 7, "completion_tokens": 2}
DOCUMENT = {
    "model": "m",
    "choices": [{"message": {"role": "assistant", "content": "你好"}, "finish_reason": "stop"}],
    "usage": USAGE,
}


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(WHOLE, id="the rule"),
        pytest.param(WHOLE.replace(b"\n", b"\r\n"), id="CRLF"),
        pytest.param(b"\xef\xbb\xbf\r\n\r\n" + WHOLE, id="a mark and blank lines first"),
        pytest.param(b": ping\n\n" + WHOLE, id="a comment first"),
        pytest.param(sse(chunk("你"), chunk("好"), "[DONE]"), id="no finish reason"),
        pytest.param(sse(chunk("你"), chunk("好", stop=True)), id="no [DONE]"),
        pytest.param(sse(chunk(""), chunk(None), chunk("你好"), " [DONE] "), id="empty and null deltas"),
        pytest.param(sse("{broken", "[]", "7", "null", '"x"', chunk("你好"), "[DONE]"), id="no chunks"),
        pytest.param(
            sse('{"choices":null}', '{"choices":[7]}', '{"choices":[{"delta":7}]}', chunk("你好", stop=True)),
            id="chunks of wrong types",
        ),
        pytest.param(b"<html>\nnonsense\n\n" + WHOLE, id="nonsense lines"),
        pytest.param(sse(chunk([{"type": "text", "text": "你好"}, 7]), "[DONE]"), id="content as parts"),
        pytest.param(sse(chunk("你好"), "[DONE]", chunk("more")), id="after [DONE] nothing counts"),
        pytest.param(json.dumps(DOCUMENT).encode(), id="plain JSON"),
        pytest.param(
            json.dumps(DOCUMENT, indent=2, ensure_ascii=False).encode("utf-8-sig"), id="pretty JSON"
        ),
        pytest.param(sse("[" * 100_000, chunk("你好"), "[DONE]"), id="deep nesting"),
    ],
)
@pytest.mark.parametrize("step", [1, 2, 7, 10_000])
def test_the_text_is_read_in_every_dialect(body: bytes, step: int) -> None:
    text, reader = read(body, step=step)
    assert text == "你好"
    assert reader.finished


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(sse(chunk("你"), chunk(stop=True), chunk("", usage=USAGE)), id="with the last chunk"),
        pytest.param(
            sse(chunk("你"), json.dumps({"choices": [], "usage": USAGE}), "[DONE]"), id="without choices"
        ),
        pytest.param(
            sse(
                chunk("你", usage={"prompt_tokens": 7, "completion_tokens": 1}), chunk(stop=True, usage=USAGE)
            ),
            id="with every chunk",
        ),
        pytest.param(
            sse(
                chunk("你", usage=None), json.dumps({"choices": [{"usage": USAGE, "finish_reason": "stop"}]})
            ),
            id="inside the choice",
        ),
        pytest.param(json.dumps(DOCUMENT).encode(), id="plain JSON"),
    ],
)
def test_the_usage_is_found_wherever_it_stands(body: bytes) -> None:
    _, reader = read(body)
    assert reader.counts() == ChatPiece(model="m", prompt_tokens=7, completion_tokens=2)


@pytest.mark.parametrize("usage", [None, 7, {}, {"prompt_tokens": "7", "completion_tokens": True}])
def test_a_usage_that_is_none_counts_nothing(usage: Any) -> None:
    _, reader = read(sse(chunk("a", usage=usage), "[DONE]"))
    assert reader.counts() is None


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        pytest.param(b"", "cut_off", id="nothing"),
        pytest.param(sse(chunk("你")), "cut_off", id="no end"),
        pytest.param(sse(chunk("你")) + b'data: {"choi', "cut_off", id="cut in a chunk"),
        pytest.param(b'{"choices": [{"mess', "cut_off", id="cut in plain JSON"),
        pytest.param(b"<html>busy</html>", "cut_off", id="a web page"),
        pytest.param(
            sse(chunk("你"), '{"error":{"message":"x"}}', "[DONE]"), "error_object", id="error in it"
        ),
        pytest.param(b'{"error":{"message":"x"}}', "error_object", id="error as plain JSON"),
        pytest.param(sse(chunk("x" * 101), "[DONE]"), "reply_too_large", id="long text"),
        pytest.param(sse(*["[]"] * 2_000), "reply_too_large", id="long body"),
        pytest.param(sse("x" * 2_001), "event_too_large", id="long event"),
        pytest.param(b"{" + b" " * 2_001, "reply_too_large", id="long document"),
    ],
)
def test_what_is_no_whole_reply_is_refused(body: bytes, reason: str) -> None:
    bounds = ReplyBounds(max_chars=100, max_bytes=10_000, max_event_bytes=2_000)
    with pytest.raises(BrokenStreamError) as caught:
        read(body, bounds=bounds)
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    ("contents", "text"),
    [
        (["\\ud83d", "\\udc4d ok"], "👍 ok"),
        (["a\\ud83d", "b"], "a\ufffdb"),
        (["a\\ud83d"], "a\ufffd"),
        (["\\udc4d"], "\ufffd"),
        (["a\\u0000b"], "ab"),
        (["预\\ud83d\\udc4d"], "预👍"),
    ],
)
def test_no_half_character_and_no_nul_comes_out(contents: list[str], text: str) -> None:
    events = [chunk("@").replace("@", content) for content in contents]
    assert read(sse(*events, "[DONE]"))[0] == text


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")), min_size=1))
def test_any_text_comes_out_as_it_was_sent(texts: list[str]) -> None:
    body = sse(*(chunk(text) for text in texts), "[DONE]")
    assert read(body, step=13)[0] == "".join(texts)


@given(st.binary(max_size=300))
def test_noise_is_either_read_or_refused(noise: bytes) -> None:
    """Only the words that end a stream make a whole reply of noise, and then an empty one."""
    try:
        text = read(noise)[0]
    except BrokenStreamError:
        return
    assert text == ""
    assert b"[DONE]" in noise


def thought(text: Any, name: str = "reasoning_content") -> str:
    return json.dumps({"choices": [{"index": 0, "delta": {name: text, "content": None}}]})


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
def test_what_a_model_thinks_is_kept_apart_from_what_it_says(name: str) -> None:
    body = sse(thought("先想想", name), thought(" about it", name), chunk("42", stop=True), "[DONE]")
    text, reader = read(body, step=7)
    assert text == "42"
    assert reader.reasoning == "先想想 about it"


def test_thinking_counts_as_life_and_not_as_text() -> None:
    reader = ReplyReader(ReplyBounds())
    assert reader.feed(sse(thought("hm"))) == []
    assert (reader.thought_chars, reader.has_text) == (2, False)


@pytest.mark.parametrize("given_reasoning", [None, 7, [], {"a": 1}, ""])
def test_reasoning_of_a_wrong_type_is_none(given_reasoning: Any) -> None:
    _, reader = read(sse(thought(given_reasoning), chunk("a", stop=True)))
    assert reader.reasoning is None


def test_more_thoughts_than_are_ever_given_back_are_let_go() -> None:
    _, reader = read(sse(*[thought("x" * 1_000)] * 17, chunk("a", stop=True)))
    assert reader.reasoning is None


@pytest.mark.parametrize(("named", "shown"), [("", "asked-for"), (',"model":"answering"', "answering")])
def test_a_reply_is_of_the_model_that_was_asked_for_unless_the_upstream_names_another(
    named: str, shown: str
) -> None:
    reader = ReplyReader(ReplyBounds(), model="asked-for")
    event = f'data: {{"choices":[{{"delta":{{"content":"hi"}}}}]{named}}}\n\n'
    assert [piece.model for piece in reader.feed(event.encode())] == [shown]
