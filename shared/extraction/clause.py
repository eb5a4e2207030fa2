"""One clause of a page, as the rules of commands see it. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from shared.extraction.assignments import Reader, read_label
from shared.extraction.command import Command
from shared.extraction.forget_words import TOPIC_FRAME
from shared.extraction.pages import Page, Sentence, Span, trim_span
from shared.ltm.schema import SchemaPath
from shared.model.turn import CommandKind

MARKS: Final = " \t\r\n，,。.；;：:、!！~～\"'“”‘’「」『』"
"""What no command's words begin or end with."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of a page, as a rule sees it."""

    page: Page
    span: Span
    sentence: Sentence
    reader: Reader

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        return pattern.match(self.page.open, self.span.start, self.span.end)

    @property
    def folded(self) -> str:
        return self.page.folded[self.span.start : self.span.end]

    @property
    def before(self) -> Span | None:
        """The clause right before this one in its sentence."""
        earlier = [span for span in self.sentence.clauses if span.end <= self.span.start]
        return earlier[-1] if earlier else None

    @property
    def field_before(self) -> SchemaPath | None:
        """The field that the clause before names and no more: 截止日期这一项，… / the deadline - …."""
        if self.before is None:
            return None
        words = self.page.folded[self.before.start : self.before.end]
        return read_label(TOPIC_FRAME.sub("", words), self.reader.schema)

    def words(self, match: re.Match[str], group: str) -> str:
        """What a group matched, with quotations uncovered, folded."""
        return self.page.folded[match.start(group) : match.end(group)]

    def command(
        self, kind: CommandKind, *, text: str = "", value: object = None, path: str | None = None
    ) -> Command:
        span = trim_span(self.page.text, self.span.start, end=self.span.end, marks=" \t\r\n，,")
        quote = self.page.text[span.start : span.end]
        return Command(kind, path, value, text, quote, span.start, span.end, path_explicit=path is not None)

    def verbatim(self, start: int, end: int) -> str:
        span = trim_span(self.page.text, start, end=end, marks=MARKS)
        return self.page.text[span.start : span.end]
