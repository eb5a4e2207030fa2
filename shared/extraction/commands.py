"""Commands in a user's message, in Chinese and English.

A command is a verb of memory at the start of a clause (记住, 设为, 忘掉; remember, set, forget), told to
the assistant and not asked, quoted, reported, denied or supposed: 你记住了吗, 不用记住…, 老师让我们记住…
and how-to talk are none. Invariant: every quote is verbatim.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from datetime import date, tzinfo
from typing import Final

from shared.extraction import command_words_en as en
from shared.extraction import command_words_zh as zh
from shared.extraction.assignments import Reader, read_assignment
from shared.extraction.blocks import Block, block_before, read_block
from shared.extraction.clause import Clause
from shared.extraction.command import EVERYTHING, SESSION, STANDING, Command
from shared.extraction.filler import is_filler
from shared.extraction.forget_rules import read_confirmation, take_away
from shared.extraction.guards import asks, asks_to_keep, asks_to_take, is_barred, states_nothing
from shared.extraction.keep_rules import Keep, Opening, is_trailing, keep
from shared.extraction.kept_blocks import keep_block
from shared.extraction.pages import Page, Sentence, Span, read_page, trim_span
from shared.extraction.payload_repairs import all_clauses, repair_over_end
from shared.extraction.payloads import Payload, cut_repairs, read_payload
from shared.extraction.spared import read_all_but
from shared.extraction.trigger_words import TRIGGERS_EN, TRIGGERS_ZH
from shared.ltm.raw_words import RawWords
from shared.ltm.schema import Schema

__all__ = [
    "EVERYTHING",
    "SESSION",
    "STANDING",
    "Command",
    "holds_one",
    "may_command",
    "parse_commands",
]

MAX_PARSED_CHARS: Final = 32_000

MAX_READ_CLAUSES: Final = 200
"""Clauses of one message that are read for commands, of those that hold a verb of memory or a label."""

_TRIGGERS: Final = RawWords(TRIGGERS_ZH + TRIGGERS_EN)
_TAG_INSIDE: Final = re.compile(
    r"(?:[,，\s]*(?:好吗|好不好|可以吗|可以么|行吗|行不行|成吗|好嘛"
    r"|,?\s+(?:ok|okay|please|alright|got it|thanks)))$"
)
_POLITE_TAG: Final = re.compile(r"[,，\s]*吗$")
_QUESTION_ITSELF: Final = re.compile(
    r"\s*(?:这|那|下面|以下|如下)?(?:个|的|几个)?问题|\s*(?:(?:this|the\s+following|a|my|these)\s+)?questions?\b"
)
"""A question that is itself to be kept: 记下这个问题：… / note this question: …"""


def parse_commands(
    text: str, *, schema: Schema, today: date, zone: tzinfo | None = None, page: Page | None = None
) -> list[Command]:
    """The commands of a user's message, in order.

    Only the first 200 clauses that may hold one are read, and no message over 32,000 characters.

    Args:
        text: the message, cleaned (`shared.text.clean_text`), as typed.
        schema: the fields that may be named.
        today: the day relative dates are read against, in the user's zone.
        zone: that zone; a moment said without one is of it.
        page: `read_page(text)`, where the caller has it already.
    """
    if len(text) > MAX_PARSED_CHARS or not (page or may_command(text, schema)):
        return []
    page, reader = page or read_page(text), Reader(schema, today, zone)
    places = _TRIGGERS.places_in(page.folded) + [
        each.start for each in schema.find_folded_labels(page.folded)
    ]
    if not places:
        return []
    spares = read_all_but(page)
    confirmed = read_confirmation(page) if spares is None else [spares]
    return confirmed if confirmed is not None else _Parse(page, reader, places=sorted(places)).run()


def may_command(text: str, schema: Schema) -> bool:
    """False where no verb of memory and no label stands in the text; costs a fraction of a millisecond."""
    return _TRIGGERS.occur_in(text) or schema.may_hold_label(text)


def holds_one(places: list[int], span: Span | Sentence) -> bool:
    """True where one of the places, which are in order, lies in the span."""
    return bisect_left(places, span.start) < bisect_left(places, span.end)


class _Parse:
    """One reading of a page: sentences in order, each clause by the first rule that knows it."""

    def __init__(self, page: Page, reader: Reader, *, places: list[int]) -> None:
        self._page = page
        self._reader = reader
        self._places = places
        self._found: list[Command] = []
        self._skip_to = 0
        self._left = MAX_READ_CLAUSES

    def run(self) -> list[Command]:
        for index, sentence in enumerate(self._page.sentences):
            if self._left <= 0:
                break
            if sentence.end > self._skip_to:
                self._read_sentence(index, sentence)
        return self._found

    def _may_command(self, start: int, end: int) -> bool:
        """True where a verb of memory or a label stands in the stretch."""
        return holds_one(self._places, Span(start, end))

    def _read_sentence(self, index: int, sentence: Sentence) -> None:
        if not self._found and not self._may_command(sentence.start, sentence.end):
            return
        if self._takes_back(Span(sentence.start, sentence.end)):
            return
        position = 0
        while position < len(sentence.clauses):
            is_read = sentence.clauses[position].start < self._skip_to
            position = position + 1 if is_read else self._read_clause(index, sentence, position=position)

    def _takes_back(self, span: Span) -> bool:
        """不用记了 / "forget I said that": what was kept right before it is kept no longer."""
        words = self._page.folded[span.start : span.end]
        if not (zh.RETRACT.fullmatch(words) or en.RETRACT.fullmatch(words)):
            return False
        if self._found and self._found[-1].kind in {"set", "append", "remember"}:
            between = self._page.open[self._found[-1].end : span.start]
            if not any(character.isalnum() for character in between):
                self._found.pop()
        return True

    def _read_clause(self, index: int, sentence: Sentence, *, position: int) -> int:
        span = sentence.clauses[position]
        start = sentence.clauses[position - 1].start if position else span.start
        if self._left <= 0 or self._takes_back(span) or not self._may_command(start, span.end):
            return position + 1
        self._left -= 1
        clause = Clause(self._page, span, sentence, self._reader)
        if (
            self._ends_here(sentence, position)
            and is_trailing(clause)
            and self._keep_before(index, sentence, position=position)
        ):
            return position + 1
        if position == index == 0 and self._keep_next(sentence):
            return len(sentence.clauses)
        taken = take_away(clause)
        if taken is None:
            kept = keep(clause)
            return position + 1 if kept is None else self._keep(sentence, position=position, kept=kept)
        asked = asks(self._page, sentence, clause=span) and not asks_to_take(self._page, span, commands=taken)
        if taken and not asked and not is_barred(self._page, sentence, clause=span):
            self._found.extend(taken)
        return position + 1

    def _keep(self, sentence: Sentence, *, position: int, kept: Keep) -> int:
        span = sentence.clauses[position]
        if is_barred(self._page, sentence, clause=span):
            return position + 1
        if isinstance(kept, list):
            if asks_to_keep(self._page, span) or not asks(self._page, sentence, clause=span):
                self._found.extend(kept)
                self._skip_to = max([self._skip_to, *(each.end for each in kept)])
            return position + 1
        verb = Span(span.start, max(span.start, kept.start))
        block = None
        if kept.takes_lines:
            weak = kept.must_assign
            block = read_block(self._page, kept.start, verb=verb, skip=kept.skip, is_weak=weak)
        if self._keep_block(block, span.start):
            return len(sentence.clauses)
        after = self._end_of_payload(sentence, position, kept=kept)
        pieces = [Span(max(each.start, kept.start), each.end) for each in sentence.clauses[position:after]]
        pieces = [each for each in pieces if self._page.text[each.start : each.end].strip(" ，,：:。.-")]
        if not pieces:
            return after
        kept_pieces = self._drop_questions(
            sentence, pieces, kept=kept, is_last=after == len(sentence.clauses)
        )
        if kept_pieces:
            self._store(kept_pieces, Span(span.start, kept_pieces[-1].end), kept=kept)
        return after

    def _end_of_payload(self, sentence: Sentence, position: int, *, kept: Opening) -> int:
        after = position + 1
        while after < len(sentence.clauses) and self._left > 0:
            span = sentence.clauses[after]
            clause = Clause(self._page, span, sentence, self._reader)
            if span.start >= kept.start and not is_trailing(clause) and self._opens(clause):
                break
            after += 1
        return after

    def _opens(self, clause: Clause) -> bool:
        if not self._may_command(clause.span.start, clause.span.end):
            return False
        self._left -= 1
        words = self._page.folded[clause.span.start : clause.span.end]
        if zh.RETRACT.fullmatch(words) or en.RETRACT.fullmatch(words):
            return False
        kept = keep(clause)
        return (kept is not None and kept != []) or bool(take_away(clause))

    def _drop_questions(
        self, sentence: Sentence, pieces: list[Span], *, kept: Opening, is_last: bool
    ) -> list[Span]:
        """The pieces without tags (好吗, ok?) and without a question that follows the command."""
        if _QUESTION_ITSELF.match(self._page.open, pieces[0].start, pieces[0].end):
            return pieces
        asked = is_last and sentence.is_marked_question
        while len(pieces) > 1:
            words = self._page.open[pieces[-1].start : pieces[-1].end]
            clause = Clause(self._page, pieces[-1], sentence, self._reader)
            if (
                zh.TAG_QUESTION.fullmatch(words)
                or en.TAG_QUESTION.fullmatch(words)
                or is_trailing(clause)
                or asked
                or zh.ASKS.search(words)
                or en.ASKS.search(words)
            ):
                asked = False
            else:
                break
            pieces = pieces[:-1]
        words = self._page.open[pieces[0].start : pieces[0].end]
        tag = _TAG_INSIDE.search(words) if asked or zh.ASKS.search(words) else None
        if tag is None and (kept.is_polite or kept.is_favour):
            tag = _POLITE_TAG.search(words)
        if tag is not None and len(pieces) == 1:
            pieces = [Span(pieces[0].start, pieces[0].start + tag.start())]
            asked = False
            words = words[: tag.start()]
        states = en.FINITE.search(words) or zh.STATES.match(words) or self._assigns(pieces[0])
        if kept.is_polite and (kept.is_favour or states):
            return pieces
        asked = asked or zh.ASKS.search(words) is not None or en.ASKS_HOW.match(words) is not None
        return [] if kept.is_polite or asked else pieces

    def _assigns(self, span: Span) -> bool:
        return read_assignment(self._page, span, reader=self._reader) is not None

    def _store(self, pieces: list[Span], quote: Span, *, kept: Opening) -> None:
        left = cut_repairs(self._page, pieces)
        if not left:
            return
        source = None if kept.skip is None else self._without_verb(kept, left[-1].end)
        if source is not None:
            left = all_clauses(source)
        later = repair_over_end(self._page, left, source=source, start=quote.end, reader=self._reader)
        if later is not None:
            source, self._skip_to = later
            left, quote = all_clauses(source), Span(quote.start, self._skip_to)
        payload = Payload(
            self._page,
            left,
            quote,
            is_correction=kept.is_correction,
            must_assign=kept.must_assign,
            needs_verb=kept.needs_verb,
            source=source,
        )
        self._found.extend(read_payload(self._page, payload, reader=self._reader))

    def _without_verb(self, kept: Opening, end: int) -> Page | None:
        """The page of 把X记下来：Y as X：Y."""
        if kept.skip is None:
            return None
        before, after = self._page.text[kept.start : kept.skip.start], self._page.text[kept.skip.end : end]
        after = after.strip(" ，,：:")
        return read_page(f"{before}：{after}" if after else before)

    def _keep_block(self, block: Block | None, start: int) -> bool:
        """Keep the lines of a block, all of them; False where there is none."""
        if block is None:
            return False
        quote = trim_span(self._page.text, start, end=max(start, block.end), marks=" \t\r\n")
        self._found.extend(keep_block(self._page, block, quote=quote, reader=self._reader))
        self._skip_to = max(self._skip_to, block.end)
        return True

    def _ends_here(self, sentence: Sentence, position: int) -> bool:
        """True where nothing but tags (谢谢, ok?) follows the clause in its sentence."""
        later = (self._page.open[each.start : each.end] for each in sentence.clauses[position + 1 :])
        return all(zh.TAG_QUESTION.fullmatch(words) or en.TAG_QUESTION.fullmatch(words) for words in later)

    def _is_filler(self, span: Span) -> bool:
        return is_filler(self._page.text[span.start : span.end])

    def _keep_next(self, sentence: Sentence) -> bool:
        """What stands behind 能麻烦你记一下吗？ at the head of a message."""
        first = sentence.clauses[0]
        words = self._page.open[first.start : first.end]
        if not (zh.ASKS_TO_NOTE.fullmatch(words) or en.ASKS_TO_NOTE.fullmatch(words)):
            return False
        source, pieces = sentence, list(sentence.clauses[1:])
        if not pieces and len(self._page.sentences) > 1:
            source = self._page.sentences[1]
            pieces = list(source.clauses)
        if not pieces or self._is_filler(Span(pieces[0].start, pieces[-1].end)):
            return False
        if any(states_nothing(self._page, source, clause=each) for each in pieces):
            return False
        if any(self._opens(Clause(self._page, each, source, self._reader)) for each in pieces):
            return False
        self._store(pieces, Span(first.start, pieces[-1].end), kept=Opening(pieces[0].start))
        self._skip_to = max(self._skip_to, pieces[-1].end)
        return True

    def _keep_before(self, index: int, sentence: Sentence, *, position: int) -> bool:
        """What stands before …，帮我记一下 in its sentence, or the sentence before where it stands alone."""
        pieces = [each for each in sentence.clauses[:position] if not self._is_filler(each)]
        source = sentence
        if not pieces and index:
            source = self._page.sentences[index - 1]
            pieces = list(source.clauses)
            if self._keep_block(block_before(self._page, sentence.start), source.start):
                return True
        quote_end = sentence.clauses[position].end
        if not pieces or any(each.end > pieces[0].start for each in self._found):
            return False
        if self._is_filler(Span(pieces[0].start, pieces[-1].end)):
            return False
        if source.is_marked_question or any(zh.ASKS.search(self._page.open[p.start : p.end]) for p in pieces):
            return False
        if is_barred(self._page, source, clause=pieces[0]) or is_barred(
            self._page, sentence, clause=sentence.clauses[position]
        ):
            return False
        self._store(pieces, Span(pieces[0].start, quote_end), kept=Opening(pieces[0].start))
        return True
