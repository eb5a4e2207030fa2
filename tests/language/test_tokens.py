"""The estimate of tokens against a table of counted samples, and what must hold for any text."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.language.tokens import MESSAGE_OVERHEAD_TOKENS, estimate_tokens, message_tokens

_PROSE = frozenset({"zh", "zh-traditional", "en", "mixed"})
_SHORT_TOKENS = 10


class Sample(NamedTuple):
    """A text with what each vocabulary counts."""

    kind: str
    counts: tuple[int, ...]
    text: str


def read_samples() -> list[Sample]:
    lines = (Path(__file__).parent / "token_counts.tsv").read_text("utf-8").splitlines()[2:]
    cells = [line.split("\t") for line in lines]
    return [Sample(kind, tuple(map(int, counts)), json.loads(text)) for kind, *counts, text in cells]


SAMPLES = read_samples()


def test_the_table_holds_at_least_sixty_samples_of_every_kind() -> None:
    assert len(SAMPLES) >= 60
    assert {"zh", "en", "code", "emoji", "mixed", "digits", "url"} <= {sample.kind for sample in SAMPLES}


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.kind}: {sample.text[:24]!r}")
def test_the_estimate_never_falls_under_ninety_percent_of_any_vocabulary(sample: Sample) -> None:
    assert estimate_tokens(sample.text) >= 0.9 * max(sample.counts)


@pytest.mark.parametrize(
    "sample",
    [sample for sample in SAMPLES if sample.kind in _PROSE and max(sample.counts) >= _SHORT_TOKENS],
    ids=lambda sample: sample.text[:24],
)
def test_ordinary_prose_is_not_counted_wildly_over(sample: Sample) -> None:
    assert estimate_tokens(sample.text) <= 1.4 * max(sample.counts)


def test_a_conversation_is_estimated_within_a_fifth() -> None:
    prose = [sample for sample in SAMPLES if sample.kind in _PROSE]
    counted = sum(max(sample.counts) for sample in prose)
    assert counted <= sum(estimate_tokens(sample.text) for sample in prose) <= 1.2 * counted


def test_four_thousand_characters_take_well_under_a_millisecond() -> None:
    for unit in (
        "今天下午和客户开会，预算不能再增加了。",
        "We met the client this afternoon. ",
        "x=(a+b)*7; ",
    ):
        text = (unit * 400)[:4_000]
        best = min(_seconds(text) for _ in range(20))
        assert best < 0.001


def _seconds(text: str) -> float:
    start = time.perf_counter()
    estimate_tokens(text)
    return time.perf_counter() - start


@settings(deadline=None)
@given(st.text(st.characters(codec=None)))
def test_any_text_has_an_estimate_and_only_the_empty_one_has_none(text: str) -> None:
    tokens = estimate_tokens(text)
    assert tokens == 0 if not text else 1 <= tokens <= 2 + 4 * len(text)


@settings(deadline=None)
@given(st.text(), st.text())
def test_joining_texts_costs_about_the_sum(left: str, right: str) -> None:
    joined = estimate_tokens(left + right)
    assert joined <= estimate_tokens(left) + estimate_tokens(right) + 9


def test_a_message_costs_its_words_and_a_frame() -> None:
    assert message_tokens("user", "好的") == estimate_tokens("好的") + MESSAGE_OVERHEAD_TOKENS
    assert message_tokens("assistant", None) == MESSAGE_OVERHEAD_TOKENS


def test_tool_calls_and_parts_count() -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "find", "arguments": '{"q": "天气"}'}}
    bare = message_tokens("assistant", None)
    assert message_tokens("assistant", None, tool_calls=[call]) > bare + 15
    assert message_tokens("tool", "晴", tool_call_id="call_1") > message_tokens("tool", "晴")
    words: list[dict[str, object]] = [{"type": "text", "text": "看这张图"}]
    image: list[dict[str, object]] = [
        *words,
        {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}},
    ]
    assert message_tokens("user", image) > message_tokens("user", words) + 500
