"""The event parser against every way in which bytes may come."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.engines.llm_http.sse import BrokenStreamError, SseParser

STREAM = (
    "\ufeff: a comment\r\n"
    'data: {"text":"预算五十万"}\r\n\r\n'
    "event: message\ndata:no space\ndata: second line 👍🏽\n\n"
    "id: 7\rdata: after a lone return\r\r"
    "garbage without a colon\n"
    "retry: 10\n\n"
    "data\ndata: \n\n"
    "data: [DONE]"
).encode()
EVENTS = [
    '{"text":"预算五十万"}',
    "no space\nsecond line 👍🏽",
    "after a lone return",
    "\n",
    "[DONE]",
]


def parse(*chunks: bytes, max_event_bytes: int = 1_000) -> list[str]:
    parser = SseParser(max_event_bytes=max_event_bytes)
    return [event for chunk in chunks for event in parser.feed(chunk)] + parser.finish()


@pytest.mark.parametrize("cut", range(len(STREAM) + 1))
def test_a_cut_at_any_byte_changes_nothing(cut: int) -> None:
    assert parse(STREAM[:cut], STREAM[cut:]) == EVENTS


def test_single_bytes_make_the_same_events() -> None:
    assert parse(*(bytes([byte]) for byte in STREAM)) == EVENTS


@given(st.lists(st.integers(0, len(STREAM))))
def test_many_cuts_make_the_same_events(cuts: list[int]) -> None:
    bounds = [0, *sorted(cuts), len(STREAM)]
    assert parse(*(STREAM[a:b] for a, b in pairwise(bounds))) == EVENTS


def test_events_come_as_soon_as_their_blank_line_is_there() -> None:
    parser = SseParser(max_event_bytes=1_000)
    assert parser.feed(b"data: one\n") == []
    assert parser.feed(b"\n") == ["one"]
    assert parser.feed(b"data: two\r\n\r") == ["two"]
    assert parser.feed(b"\ndata: three\n\n") == ["three"]


def test_bytes_that_are_no_utf8_become_replacement_characters() -> None:
    assert parse(b"data: a\xff\xfeb\n\n") == ["a\ufffd\ufffdb"]


@pytest.mark.parametrize(
    "stream",
    [
        pytest.param(b"x" * 101, id="a line that never ends"),
        pytest.param(b"data: " + b"x" * 101 + b"\n\n", id="a long line"),
        pytest.param(b"data: 0123456789\n" * 11, id="an event that never ends"),
    ],
)
def test_what_is_over_its_bound_is_refused(stream: bytes) -> None:
    with pytest.raises(BrokenStreamError):
        parse(stream, max_event_bytes=100)


@given(st.binary(max_size=300))
def test_any_bytes_at_all_are_read_to_their_end(noise: bytes) -> None:
    assert all(isinstance(event, str) for event in parse(noise))
