"""A message made ready for reading: folded, quotations and code covered, cut into sentences and clauses.

All offsets are those of the text itself, so that a span found here is verbatim there. `open` is the folded
text in which nothing is left of quotations, code, pasted lines and addresses but a filler: commands and
separators are looked for in it, values in the text. Invariant: text, folded and open have one length;
clauses lie in order inside their sentence and never overlap.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from shared.extraction.command_words_en import FICTION as FICTION_EN
from shared.extraction.command_words_zh import FICTION as FICTION_ZH
from shared.language.scripts import fold_aligned
from shared.language.writing_tasks import document_start

FILLER: Final = "\ufffc"

MAX_CLAUSES: Final = 200
"""Clauses of one sentence that are read for commands; what is beyond is stored whole all the same."""

MAX_CLAUSE_CHARS: Final = 2_000
"""Characters of one clause that are read: as many as a text to remember may have."""

_MARKS: Final = dict(zip("，；：！？", "\x01\x02\x03\x04\x05", strict=True))
_MARK: Final = re.compile("([，；：！？])")
_STAND_IN: Final = re.compile("[\x01-\x05]")
"""Full-width marks are kept as typed (between digits ， separates, and , does not): another character stands
in for each while the rest is folded."""

_COVERED: Final = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]+`"
    r"|“[^”\n]{0,400}”|‘[^’\n]{0,400}’(?![a-z])|「[^」\n]{0,400}」|『[^』\n]{0,400}』|《[^》\n]{0,100}》"
    r"|\"[^\"\n]{0,400}\"|(?<![\w'])'[^'\n]{1,400}'(?!\w)"
    r"|^[ \t]*>[^\n]*"
    r"|(?:https?|ftp)://[\x21-\x7e]*[\w/#=&+~%-]|(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+",
    re.DOTALL | re.MULTILINE | re.ASCII,
)
_MAY_COVER: Final = re.compile("[`“‘「『《\"'>@/]")
_SENTENCE_END: Final = re.compile(
    r"[。！？\n…]+|(?<![!?])[!?]++(?=[\s\u4e00-\u9fff”\"'）)]|$)"
    r"|(?<!\bno)(?<!\bmr)(?<!\bms)(?<!\bdr)(?<!\bmrs)(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\.)"
    r"(?!(?<=\b(?:jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec))\.\s\d)\.++(?=\s|$|[\u4e00-\u9fff])"
)
_VERBS_EN: Final = (
    r"(?:remember|forget|set|save|note|delete|remove|add|don'?t forget|keep in mind|make a note)\b"
)
_IN_A_DATE: Final = (
    r"(?<=[周期拜][一二三四五六日天])[，,]\s?(?:\d{2,4}年)?\d{1,2}(?:[月号日]|\s?/\s?\d)"
    r"|(?:(?<=[a-z][a-z]day)|(?<=\bmon|\btue|\bwed|\bthu|\bfri|\bsat|\bsun)),\s?(?:the\s+\d{1,2}(?:st|nd|rd|th)|\d{1,2}(?:st|nd|rd|th)?\s+[a-z]{3}|[a-z]{3,9}\.?\s\d{1,2}(?!\d))"
    r"|(?<=\d(?:st|nd|rd|th)),\s?(?:19|20)\d\d(?!\d)"
)
"""A comma that parts a weekday from its day, or a day from its year: "Sunday, Feb 28th, 2027"."""
_CLAUSE_END: Final = re.compile(
    rf"(?<!\s)\s*+(?!{_IN_A_DATE})(?:，|；|;(?=[\s\u4e00-\u9fff]|$)|(?<!\d),|,(?!\d|\s?(?:19|20)\d\d(?!\d))|——+|—)\s*+"
    r"|(?<!\s)\s++[-–]\s++"
    rf"|(?<!\s)\s++(?=(?:and|then|but)\s+(?:(?:then|please|also)\s+){{0,4}}{_VERBS_EN})"
    r"|(?=(?:然后|并且|同时|顺便|另外|接着)(?:请|再|也|帮我)*(?:把|将|记|忘|删|设))"
)


_PICTURES: Final = re.compile(
    r"(?:[\s\u200d\ufe0e\ufe0f\u231a-\u23ff\u25aa-\u25fe\u2600-\u27bf\u2b05-\u2b55\U0001f000-\U0001faff]"
    r"|[0-9]\ufe0f?\u20e3)*"
)
"""Emoji and blanks, which say nothing before a sentence."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text, [start:end]."""

    start: int
    end: int


@dataclass(frozen=True)
class Sentence:
    """A sentence of `page` without its end mark; `ending` holds that mark (？, 。, a new line) or nothing."""

    page: str
    start: int
    end: int
    ending: str

    @cached_property
    def clauses(self) -> tuple[Span, ...]:
        """The clauses in order, cut on first use: of most sentences nobody asks."""
        return tuple(_cut_clauses(self.page, self.start, end=self.end))

    @property
    def is_marked_question(self) -> bool:
        return "?" in self.ending or "？" in self.ending


@dataclass(frozen=True)
class Page:
    """A text with its two aligned readings; `sentences` are cut on first use."""

    text: str
    folded: str
    open: str

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences that hold anything, in order."""
        return tuple(_cut_sentences(self.open))

    @cached_property
    def fiction_start(self) -> int:
        """Where a word of fiction or of test data first stands; the text's length where none does."""
        found = (pattern.search(self.open) for pattern in (FICTION_ZH, FICTION_EN))
        return min((match.start() for match in found if match is not None), default=len(self.open))

    @cached_property
    def document_start(self) -> int:
        """Where a pasted document that is not the user's own begins; the text's length without one."""
        found = document_start(self.open)
        return len(self.open) if found is None else found


def read_page(text: str) -> Page:
    """The text made ready for reading."""
    folded = _fold_but_marks(text).replace("’", "'")
    covered = _COVERED.sub(_cover, folded) if _MAY_COVER.search(folded) else folded
    return Page(text, folded, covered)


def _fold_but_marks(text: str) -> str:
    if text.isascii():
        return fold_aligned(text)
    if _STAND_IN.search(text):
        return "".join(part if part in _MARKS else fold_aligned(part) for part in _MARK.split(text))
    for mark, stand_in in _MARKS.items():
        text = text.replace(mark, stand_in)
    folded = fold_aligned(text)
    for mark, stand_in in _MARKS.items():
        folded = folded.replace(stand_in, mark)
    return folded


def trim_span(text: str, start: int, *, end: int, marks: str = " \t\r\n，,。.；;：:、!！~～-—·") -> Span:
    """The span without spaces and marks at its ends."""
    while start < end and text[start] in marks:
        start += 1
    while end > start and text[end - 1] in marks:
        end -= 1
    return Span(start, end)


def _cover(match: re.Match[str]) -> str:
    return FILLER * len(match[0])


def _cut_sentences(text: str) -> Iterator[Sentence]:
    start = 0
    for match in _SENTENCE_END.finditer(text):
        yield from _sentence(text, start, end=match.start(), ending=match[0])
        start = match.end()
    yield from _sentence(text, start, end=len(text), ending="")


def _sentence(text: str, start: int, *, end: int, ending: str) -> Iterator[Sentence]:
    start = _skip_pictures(text, start, end=end)
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield Sentence(text, start, end, ending)


def _skip_pictures(text: str, start: int, *, end: int) -> int:
    """Where a sentence's words begin behind emoji and blanks: 🎂 记住…, "✅ remember …"."""
    match = _PICTURES.match(text, start, end)
    return match.end() if match else start


def _cut_clauses(text: str, start: int, *, end: int) -> Iterator[Span]:
    begin, count = start, 0
    for match in _CLAUSE_END.finditer(text, start, end):
        if match.start() > begin:
            yield Span(begin, min(match.start(), begin + MAX_CLAUSE_CHARS))
            begin, count = match.end(), count + 1
            if count == MAX_CLAUSES:
                return
        elif match.end() > match.start():
            begin = match.end()
    if begin < end:
        yield Span(begin, min(end, begin + MAX_CLAUSE_CHARS))
