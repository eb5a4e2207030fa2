"""What the user says and does not want kept: off the record, don't store this, 这话别记. Pure.

A lead speaks of the words behind it, a tail clause of those before it, and one that stands alone of the
user's message before. To store is a verb of daily work (don't store this in the fridge, 这个别存冰箱): a
clause counts only where it is nothing but the asking.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from shared.extraction.command import Command
from shared.extraction.daily_saving import is_of_a_document
from shared.extraction.guards import is_barred
from shared.extraction.off_record_words import (
    ASIDE,
    LEAD_EN,
    LEAD_ZH,
    OFF_RECORD_WORDS,
    OWN_WORDS_FOLLOW,
    POINTS_HERE,
    SAVES_OTHER,
    TAIL_EN,
    TAIL_ZH,
)
from shared.extraction.pages import Page, Sentence, Span, read_page, trim_span
from shared.ltm.raw_words import RawWords

MOST_CLAUSES: Final = 200
_MOST_CHARS: Final = 200
"""Characters of a clause that asks for it, and of a lead."""
_MOST_ASIDES: Final = 2
_MARKS: Final = " \t\r\n，,。.；;：:、!！?？~～\"'“”‘’「」『』()（）-—"
_WORDS: Final = RawWords(OFF_RECORD_WORDS)


@dataclass(frozen=True, slots=True)
class OffRecord:
    """A stretch [start:end] of a message that is not to be kept, and the words in it that say something.

    Without words it speaks of the user's message before.
    """

    words: str
    start: int
    end: int


def may_be_off_record(text: str) -> bool:
    """False where no word of keeping stands in a raw text: cheap, folds nothing."""
    return _WORDS.occur_in(text)


def means_former(text: str) -> bool:
    """Whether a message asks that what was said before it is not kept: 刚才那条别存."""
    if len(text) > _MOST_CHARS or not may_be_off_record(text):
        return False
    return any(not each.words for each in read_off_record(read_page(text), ()))


def read_off_record(page: Page, commands: Sequence[Command]) -> tuple[OffRecord, ...]:
    """Return what a message asks not to keep, in order; what its other `commands` say is left to them."""
    if not may_be_off_record(page.text):
        return ()
    found: list[OffRecord] = []
    clauses = ((sentence, clause) for sentence in page.sentences for clause in sentence.clauses)
    for sentence, clause in islice(clauses, MOST_CLAUSES):
        taken = found[-1].end if found else 0
        if clause.start < taken:
            continue
        read = next(_read_clause(page, sentence, clause=clause, commands=commands, taken=taken), None)
        if read is not None:
            found.append(read)
    return tuple(found)


def _read_clause(
    page: Page, sentence: Sentence, *, clause: Span, commands: Sequence[Command], taken: int
) -> Iterator[OffRecord]:
    """What the clause asks not to keep, read as a lead and as a tail; the first of them counts."""
    end = clause.start + _MOST_CHARS
    lead = LEAD_ZH.match(page.open, clause.start, end) or LEAD_EN.match(page.open, clause.start, end)
    if lead is not None and not is_barred(page, sentence, clause=clause):
        yield from _behind(page, clause.start, after=lead.end(), commands=commands)
    for part in _parts(page, clause):
        yield from _trailed(page, sentence, part=part, commands=commands, taken=taken)


def _parts(page: Page, clause: Span) -> Iterator[Span]:
    """The clause, and the ends of it that may be an aside of their own."""
    yield clause
    cuts = list(ASIDE.finditer(page.open, max(clause.start, clause.end - _MOST_CHARS), clause.end))
    yield from (Span(cut.end(), clause.end) for cut in cuts[-_MOST_ASIDES:])


def _behind(page: Page, start: int, *, after: int, commands: Sequence[Command]) -> Iterator[OffRecord]:
    """The rest of the message, up to a later sentence that is a command of memory or asks for it again."""
    here = next((each.end for each in page.sentences if each.end > after), len(page.text))
    later = (each for each in page.sentences if each.start >= here)
    again = next((each.start for each in later if _tail(page, each.start, end=each.end)), len(page.text))
    end = min((each.start for each in commands if each.start >= here), default=len(page.text))
    end = min(end, again)
    words = trim_span(page.text, after, end=end, marks=_MARKS)
    if words.start < words.end:
        whole = trim_span(page.text, start, end=end, marks=" \t\r\n")
        yield OffRecord(page.text[words.start : words.end], whole.start, whole.end)


def _trailed(
    page: Page, sentence: Sentence, *, part: Span, commands: Sequence[Command], taken: int
) -> Iterator[OffRecord]:
    """What stands before a request, back to a command; of one that points at its sentence, just that.

    With nothing before it, what is pointed at follows (不要保存这条消息。我怀孕了) or is the message before.
    """
    asked = page.open[part.start : part.end]
    tail = _tail(page, part.start, end=part.end)
    if tail is None or is_barred(page, sentence, clause=part):
        return
    said = {name for name, words in tail.groupdict().items() if words}
    if sentence.is_marked_question and not any(name.startswith("polite") for name in said):
        return
    after = max(taken, *(each.end for each in commands if each.end <= part.start), 0)
    start = max(after, sentence.start) if "sentence" in said and part.start > sentence.start else after
    words = trim_span(page.text, start, end=part.start, marks=_MARKS)
    if words.start < words.end:
        if is_of_a_document(page.open[_start_of(page, words) : words.end], asked):
            return
        yield OffRecord(page.text[words.start : words.end], words.start, part.end)
    elif POINTS_HERE.match(asked) and OWN_WORDS_FOLLOW.match(page.open, part.end):
        yield from _behind(page, part.start, after=part.end, commands=commands)
    elif not after and not _is_of_a_thing(page, sentence, said=said, after=part.end):
        yield OffRecord("", part.start, part.end)


def _start_of(page: Page, words: Span) -> int:
    """Where the last sentence of some words begins."""
    last = bisect_left(page.sentences, words.end, key=lambda each: each.start) - 1
    return max(words.start, page.sentences[last].start)


def _is_of_a_thing(page: Page, sentence: Sentence, *, said: Collection[str], after: int) -> bool:
    """True where a request may be of a thing of daily work: 别存 alone, "don't save this, save the other"."""
    return (
        any(name.startswith("bare") for name in said)
        or SAVES_OTHER.match(page.open, after, sentence.end) is not None
    )


def _tail(page: Page, start: int, *, end: int) -> re.Match[str] | None:
    """The request that a stretch is, and nothing else."""
    if end - start > _MOST_CHARS:
        return None
    return TAIL_ZH.fullmatch(page.open, start, end) or TAIL_EN.fullmatch(page.open, start, end)
