"""Answers of models, as they come: what is read of them, and what is none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.language.answer_json import read_json_answer

ONE = {"items": [{"op": "remember", "quote": "I play the oboe"}]}
TEXT = json.dumps(ONE)


def fits(value: Any) -> bool:
    if isinstance(value, list):
        return all(isinstance(item, dict) for item in value)
    return isinstance(value, dict) and (not value or "items" in value)


WHOLE = {
    "bare": TEXT,
    "fenced": f"```json\n{TEXT}\n```",
    "prose around": f"Here you go:\n{TEXT}\nAnything else?",
    "braces in prose": f"About {{music habits}}, result: {TEXT}",
    "a list in prose": f"Choose one of [a] or (b). {TEXT}",
    "a think block": f'<think>maybe {{"items":[]}} first</think>{TEXT}',
    "an upper-case think block": f'<THINK>\n{{"items": []}}\n</THINK>\n\n{TEXT}',
    "a reasoning block": f"<reasoning>[1]</reasoning>{TEXT}",
    "trailing commas": TEXT.replace("}]", "},]").replace('oboe"', 'oboe",'),
    "single quotes": str(ONE),
    "smart quotes": TEXT.replace('"', "“"),
    "paired smart quotes": "{“items”: [{“op”: “remember”, “quote”: “I play the oboe”}]}",
    "full-width commas": TEXT.replace(", ", "，"),
    "two values": f'{TEXT}\n{{"items": []}}',
    "a value that does not fit first": f'{{"thought": "x"}} {TEXT}',
    "bare keys": "{items: [{op: 'remember', quote: 'I play the oboe'}]}",
    "comments": f"{{ // the answer\n{TEXT[1:]}",
    "a byte order mark": f"\ufeff{TEXT}",
    "line breaks in a string": TEXT,
}


@pytest.mark.parametrize("name", WHOLE)
def test_an_answer_is_found_however_it_is_wrapped(name: str) -> None:
    found = read_json_answer(WHOLE[name], fits=fits)
    assert found is not None
    assert (found.value, found.is_whole) == (ONE, True)


@pytest.mark.parametrize(
    "answer",
    ["", "   ", "null", "no json", "{", f"<think>never closed {TEXT}", "{not json}", '{"other": 1}', "42"],
)
def test_what_holds_no_answer_is_none(answer: str) -> None:
    found = read_json_answer(answer, fits=fits)
    assert found is None or not found.is_whole


@pytest.mark.parametrize(("answer", "value"), [("{}", {}), ("[]", []), ("{'items': []}", {"items": []})])
def test_an_empty_answer_is_an_answer(answer: str, value: Any) -> None:
    found = read_json_answer(answer, fits=fits)
    assert found is not None
    assert found.is_whole
    assert found.value == value


def test_words_inside_a_string_stand() -> None:
    said = {"items": [{"quote": 'it\'s "fine", {ok}: 好的，[真的]'}]}
    for text in (json.dumps(said), json.dumps(said, ensure_ascii=False)):
        found = read_json_answer(text, fits=fits)
        assert found is not None
        assert found.value == said
    found = read_json_answer("{'items': [{'quote': 'I don't know'}]}", fits=fits)
    assert found is not None
    assert found.value == {"items": [{"quote": "I don't know"}]}


def test_an_answer_that_breaks_off_keeps_its_whole_items_and_says_so() -> None:
    two = json.dumps({"items": [{"quote": "a b"}, {"quote": "c d"}]})
    for cut in range(len('{"items": [{"quote": "a b"}'), len(two) - 3):
        found = read_json_answer(two[:cut], fits=fits)
        assert found is not None, cut
        assert not found.is_whole, cut
        assert found.value["items"] == [{"quote": "a b"}], cut


@settings(max_examples=200, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=20),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
        max_leaves=12,
    ),
    st.text(max_size=60),
)
def test_valid_json_is_read_as_it_is_and_no_text_raises(value: Any, noise: str) -> None:
    answer = {"items": [value]}
    found = read_json_answer(json.dumps(answer), fits=fits)
    assert found is not None
    assert found.value == answer
    read_json_answer(noise, fits=fits)
    read_json_answer('{"items": [' + noise, fits=fits)
