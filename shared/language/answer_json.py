"""JSON as models write it: in fences, in prose, after thinking, with trailing commas or the wrong quotes.

The first value that fits what was asked for counts; what stands in a think block is no answer, and a block
that is never closed has none. A value that breaks off is closed where it breaks, its last, half written part
left out, and says so. Invariants: nothing here raises; the work grows with the text's length and no faster.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

MAX_ANSWER_CHARS: Final = 200_000
MAX_DEPTH: Final = 16
MAX_STARTS: Final = 40
"""Places at which a value is looked for: prose may hold braces of its own."""

_THINKING: Final = re.compile(r"<(think(?:ing)?|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_START: Final = re.compile(r"[{\[]")
_BLANK: Final = re.compile(r"\s*+(?:(?://[^\n]*+|/\*[^*]*+\*/)\s*+)*+")
_WORD: Final = re.compile(r"-?[\w.+-]++")
_CLOSES: Final = {'"': '"', "'": "'", "“": '”“"', "”": '”“"', "‘": "’‘'", "’": "’‘'"}
_AFTER_STRING: Final = re.compile(r"\s*+(?:[,:}\]，：]|\Z)")
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_WORDS: Final = {"true": True, "false": False, "null": None, "none": None}
_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?")
_DECODER: Final = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True)
class JsonAnswer:
    """A value found in an answer; `is_whole` is False where the answer broke off inside it."""

    value: Any
    is_whole: bool


def read_json_answer(text: str, *, fits: Callable[[Any], bool]) -> JsonAnswer | None:
    """Return the first value of a model's answer that fits, or None; 200,000 characters are read."""
    text = _THINKING.sub(" ", text[:MAX_ANSWER_CHARS])
    place = 0
    for _ in range(MAX_STARTS):
        start = _START.search(text, place)
        if start is None:
            return None
        found, end = _read_at(text, start.start())
        if found is not None and fits(found.value):
            return found
        place = end if found is not None else start.end()
    return None


def _read_at(text: str, start: int) -> tuple[JsonAnswer | None, int]:
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        reader = _Reader(text, start)
        try:
            value = reader.value(0)
        except _NoValueError:
            return None, start
        return JsonAnswer(value, is_whole=not reader.is_cut), reader.place
    return JsonAnswer(value, is_whole=True), end


class _NoValueError(Exception):
    """What stands here is no JSON, however leniently read."""


class _Missing:
    """A value that was cut off before it was whole."""


_MISSING: Final = _Missing()


class _Reader:
    """Reads one value leniently; `is_cut` once the text has ended inside of it."""

    def __init__(self, text: str, start: int) -> None:
        self.text, self.place, self.is_cut = text, start, False

    def value(self, depth: int) -> Any:
        mark = self.peek()
        if mark == "":
            self.is_cut = True
            return _MISSING
        if mark in "{[":
            if depth >= MAX_DEPTH:
                raise _NoValueError
            self.place += 1
            return self.object(depth + 1) if mark == "{" else self.array(depth + 1)
        if mark in _CLOSES:
            return self.string()
        return self.word()

    def peek(self) -> str:
        blank = _BLANK.match(self.text, self.place)
        self.place = blank.end() if blank else self.place
        return self.text[self.place : self.place + 1]

    def object(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while self.goes_on("}"):
            key = self.string() if self.peek() in _CLOSES else self.word()
            if self.peek() not in {":", "："}:
                if self.peek() == "":
                    self.is_cut = True
                    break
                raise _NoValueError
            self.place += 1
            value = self.value(depth)
            if value is not _MISSING and key is not _MISSING:
                found[str(key)] = value
        return found

    def array(self, depth: int) -> list[Any]:
        found: list[Any] = []
        while self.goes_on("]"):
            cut_before = self.is_cut
            value = self.value(depth)
            # A half written item of a list is none: what it lacks may be what mattered.
            if value is not _MISSING and (cut_before or not self.is_cut):
                found.append(value)
        return found

    def goes_on(self, closing: str) -> bool:
        """Whether another member follows; commas are stepped over, the closing mark is taken."""
        while self.peek() in {",", "，"}:
            self.place += 1
        mark = self.peek()
        if mark == closing:
            self.place += 1
            return False
        if mark == "":
            self.is_cut = True
        elif mark in "}]":
            raise _NoValueError
        return mark != ""

    def string(self) -> Any:
        opening = self.text[self.place]
        closing, pieces = _CLOSES[opening], []
        place = begin = self.place + 1
        while place < len(self.text):
            ch = self.text[place]
            if ch == "\\":
                pieces += [self.text[begin:place], self._escaped(place)]
                place += 6 if self.text[place + 1 : place + 2] == "u" else 2
                begin = place
            elif ch in closing and _AFTER_STRING.match(self.text, place + 1):
                self.place = place + 1
                return "".join([*pieces, self.text[begin:place]])
            else:
                place += 1
        self.place, self.is_cut = len(self.text), True
        return _MISSING

    def _escaped(self, place: int) -> str:
        ch = self.text[place + 1 : place + 2]
        if ch != "u":
            return _ESCAPES.get(ch, ch)
        digits = self.text[place + 2 : place + 6]
        code = int(digits, 16) if re.fullmatch(r"[0-9a-fA-F]{4}", digits) else 0xFFFD
        return "\ufffd" if 0xD800 <= code < 0xE000 else chr(code)  # noqa: PLR2004 - half a pair

    def word(self) -> Any:
        match = _WORD.match(self.text, self.place)
        if match is None:
            raise _NoValueError
        self.place = match.end()
        word = match[0]
        if self.place == len(self.text):
            self.is_cut = True
            return _MISSING
        if word.lower() in _WORDS:
            return _WORDS[word.lower()]
        if _NUMBER.fullmatch(word):
            return float(word) if re.search(r"[.eE]", word) else int(word)
        return word
