"""Clauses: the smallest pieces of a message that are lifted or carried word for word.

A sentence ends at 。！？；, a line break, or a full stop that is not part of a number; a clause also at a
comma that does not stand between digits. Invariant: a clause is a slice of its text, and slices do not
overlap.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from shared.language.scripts import HAN, fold_aligned

_SENTENCE: Final = re.compile(r"(?:[^。！？!?；;\n.]++|\.(?=\S))++(?:[。！？!?；;\n]|\.(?=\s|$))*+")
_CLAUSE: Final = re.compile(r"(?:[^，,]++|(?<=\d),(?=\d))++")
_ENDS_AS_QUESTION: Final = re.compile(r"[?？]|(?:吗|么|呢)[。.!！~～\s]*$")
_HAN: Final = re.compile(f"[{HAN}]")
_MARGIN: Final = " \t\r\n，,。.；;!！?？、~～"
_MAX_READ_CHARS: Final = 12_000
_HEAD_CHARS: Final = 8_000
_TAIL_CHARS: Final = 4_000
_MAX_CLAUSE_CHARS: Final = 400
_SENTENCE_END: Final = re.compile(r"[。！？!?；;\n]|\.(?=\s)")
_QUOTES: Final = (("’", "'"), ("‘", "'"), ("“", '"'), ("”", '"'))


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause: `text` as written, `folded` at the same places for matching, and where its sentence starts.

    Of a Chinese question only the last clause is one (价格必须含税，对吗？ states, then asks); of an English
    one all clauses are.
    """

    text: str
    folded: str
    start: int
    sentence: int
    is_question: bool

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def split_words(*lines: str) -> tuple[str, ...]:
    """Return the words of a table that is written with blanks between them."""
    return tuple(" ".join(lines).split())


def fold_for_match(text: str) -> str:
    """Return the text folded place by place, with straight quotation marks."""
    folded = fold_aligned(text)
    for curved, straight in () if folded.isascii() else _QUOTES:
        folded = folded.replace(curved, straight)
    return folded


def split_clauses(text: str) -> list[Clause]:
    """Return the clauses of a text in order, without the marks around them.

    Of a text over 12,000 characters only the first 8,000 and the last 4,000 are read, to a sentence's end; a
    clause over 400 characters is none. That bounds the work of a turn, whatever is pasted into it.
    """
    return [clause for first, last in _stretches(text) for clause in _split_stretch(text, first, last=last)]


def _stretches(text: str) -> list[tuple[int, int]]:
    """Return the parts of a text that are read, each from the beginning of a sentence to the end of one."""
    if len(text) <= _MAX_READ_CHARS:
        return [(0, len(text))]
    ends = [match.end() for match in _SENTENCE_END.finditer(text, 0, _HEAD_CHARS)]
    begin = _SENTENCE_END.search(text, len(text) - _TAIL_CHARS)
    return [(0, ends[-1] if ends else 0), (begin.end() if begin else len(text), len(text))]


def _split_stretch(text: str, first: int, *, last: int) -> Iterator[Clause]:
    for sentence in _SENTENCE.finditer(text, first, last):
        folded = fold_for_match(sentence[0])
        asks = _ENDS_AS_QUESTION.search(folded) is not None
        pieces = [_trim(text, piece.span()) for piece in _CLAUSE.finditer(text, *sentence.span())]
        spans = [(start, end) for start, end in pieces if 0 < end - start <= _MAX_CLAUSE_CHARS]
        for start, end in spans:
            is_question = asks and (end == spans[-1][1] or _HAN.search(text, start, end) is None)
            own = folded[start - sentence.start() : end - sentence.start()]
            yield Clause(text[start:end], own, start, sentence.start(), is_question)


def _trim(text: str, span: tuple[int, int]) -> tuple[int, int]:
    start, end = span
    words = text[start:end].strip(_MARGIN)
    start += text[start:end].index(words) if words else 0
    return start, start + len(words)


def join_clauses(text: str, clauses: list[Clause]) -> Clause:
    """Return neighbouring clauses as one slice of the text they come from."""
    first, last = clauses[0], clauses[-1]
    if first is last:
        return first
    words = text[first.start : last.end]
    return Clause(words, fold_for_match(words), first.start, first.sentence, last.is_question)
