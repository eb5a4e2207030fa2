"""What the user says and does not want kept: off the record, don't store this, 这话别记. Pure.

A lead speaks of the words behind it, a tail clause of those before it, and one that stands alone of the
user's message before, or of several (刚才说的都不要记). In the midst of a sentence it speaks of what follows
where only a frame stands before it (跟你说个事，别记，…), and of the whole message where that is not plain:
what is promised must hold. To store is a verb of daily work (don't store this in the fridge, 这个别存冰箱): a
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
from shared.extraction.off_record_loose import EXPLAINS, NEXT, POINTS, is_set, loosely_asked
from shared.extraction.off_record_words import (
    ASIDE,
    BRACKET,
    COUNTED,
    FRAME_EN,
    FRAME_ZH,
    INTRODUCES,
    LEAD_EN,
    LEAD_ZH,
    MEANS_ALL,
    NEXT_ONLY_EN,
    NEXT_ONLY_ZH,
    OFF_RECORD_WORDS,
    OWN_WORDS_FOLLOW,
    POINTS_HERE,
    REST_EN,
    REST_ZH,
    SAVES_OTHER,
    SO_MANY,
    TAG,
    TAIL_EN,
    TAIL_ZH,
)
from shared.extraction.pages import Page, Sentence, Span, trim_span
from shared.ltm.raw_words import RawWords

MOST_CLAUSES: Final = 200
ALL_BEFORE: Final = 20
"""So many messages before are at most meant by "all of that"."""
_MOST_CHARS: Final = 200
"""Characters of a clause that asks for it, of a lead, and of a frame."""
_MOST_ASIDES: Final = 2
_MARKS: Final = " \t\r\n，,。.；;：:、!！?？~～\"'“”‘’「」『』()（）-—"
_WORD: Final = re.compile(r"[\w\ufffc]")
_WORDS: Final = RawWords(OFF_RECORD_WORDS)


@dataclass(frozen=True, slots=True)
class OffRecord:
    """A stretch [start:end] of a message that is not to be kept, and the words in it that say something.

    Without words it speaks of the user's messages before, `back` of them; `announces` says that it speaks of
    messages to come, of which nobody can promise anything. `is_of_kept` says that it counts only where
    memory has carried something out of the message before, or has asked about it.
    """

    words: str
    start: int
    end: int
    back: int = 0
    announces: bool = False
    is_of_kept: bool = False


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request in a sentence: its place with a tag ("…, ok?"), its words, the names of what it says."""

    sentence: Sentence
    span: Span
    words: str
    said: Collection[str]
    is_aside: bool


def may_be_off_record(text: str) -> bool:
    """False where no word of keeping stands in a raw text: cheap, folds nothing."""
    return _WORDS.occur_in(text)


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
    return tuple(found) or tuple(islice(_loosely(page, commands), 1))


def _loosely(page: Page, commands: Sequence[Command]) -> Iterator[OffRecord]:
    """What a clause of nothing but asking speaks of: what follows it, else what stands before it."""
    clauses = ((sentence, clause) for sentence in page.sentences for clause in sentence.clauses)
    for sentence, clause in islice(clauses, MOST_CLAUSES):
        end = loosely_asked(page.open, clause.start, end=clause.end)
        if end is None or is_barred(page, sentence, clause=clause):
            continue
        if sentence.is_marked_question and clause.end == sentence.clauses[-1].end:
            continue
        asked = page.open[clause.start : end]
        begin = max([0, *(each.end for each in commands if each.end <= clause.start)])
        before = trim_span(page.text, begin, end=clause.start, marks=_MARKS)
        is_first = before.start == before.end or _is_frame(page, before.start, end=before.end)
        yield from _spoken_of(page, Span(clause.start, end), before=None if is_first else before, asked=asked)


def _spoken_of(page: Page, part: Span, *, before: Span | None, asked: str) -> Iterator[OffRecord]:
    follows = OWN_WORDS_FOLLOW.match(page.open, part.end) and not EXPLAINS.match(page.open, part.end)
    is_led = NEXT.search(asked) or follows or is_set(asked)
    behind = list(_behind(page, part.start, after=part.end, commands=())) if is_led else []
    if behind and (before is None or NEXT.search(asked)):
        yield from behind
    elif before is not None:
        if not is_of_a_document(page.open[_start_of(page, before) : before.end], asked):
            yield OffRecord(page.text[before.start : before.end], before.start, part.end)
    elif NEXT.search(asked):
        yield OffRecord("", part.start, part.end, announces=True)
    elif POINTS.search(asked) and not SAVES_OTHER.match(page.open, part.end):
        yield OffRecord("", part.start, part.end, back=_how_many(asked))


def _read_clause(
    page: Page, sentence: Sentence, *, clause: Span, commands: Sequence[Command], taken: int
) -> Iterator[OffRecord]:
    """What the clause asks not to keep, read as a lead and as a tail; the first of them counts."""
    if not sentence.is_marked_question:
        yield from _to_come(page, sentence, clause=clause, commands=commands)
    end = clause.start + _MOST_CHARS
    lead = LEAD_ZH.match(page.open, clause.start, end) or LEAD_EN.match(page.open, clause.start, end)
    if lead is not None and not is_barred(page, sentence, clause=clause):
        yield from _behind(page, clause.start, after=lead.end(), commands=commands)
    for part in _parts(page, clause):
        asked = _ask(page, sentence, part=part)
        if asked is not None:
            yield from _trailed(page, asked, commands=commands, taken=taken)


def _parts(page: Page, clause: Span) -> Iterator[Span]:
    """The clause, and the ends of it that may be an aside of their own."""
    yield clause
    cuts = list(ASIDE.finditer(page.open, max(clause.start, clause.end - _MOST_CHARS), clause.end))
    yield from (Span(cut.end(), clause.end) for cut in cuts[-_MOST_ASIDES:])


def _to_come(
    page: Page, sentence: Sentence, *, clause: Span, commands: Sequence[Command]
) -> Iterator[OffRecord]:
    """What a clause asks of words to come: those behind it, or of messages that are not there yet."""
    if clause.end - clause.start > _MOST_CHARS:
        return
    place = (page.open, clause.start, clause.end)
    is_rest = bool(REST_ZH.fullmatch(*place) or REST_EN.fullmatch(*place))
    if not is_rest and not (NEXT_ONLY_ZH.fullmatch(*place) or NEXT_ONLY_EN.fullmatch(*place)):
        return
    if is_barred(page, sentence, clause=clause):
        return
    said = list(_behind(page, clause.start, after=clause.end, commands=commands))
    if said and not is_rest:
        yield said[0]
    elif said:
        yield OffRecord(said[0].words, said[0].start, said[0].end, announces=True)
    else:
        yield OffRecord("", clause.start, clause.end, announces=True)


def _behind(page: Page, start: int, *, after: int, commands: Sequence[Command]) -> Iterator[OffRecord]:
    """The rest of the message, up to a later sentence that is a command of memory or asks for it again."""
    end = _end_behind(page, after, commands=commands)
    words = trim_span(page.text, after, end=end, marks=_MARKS)
    if words.start < words.end:
        whole = trim_span(page.text, start, end=end, marks=" \t\r\n")
        yield OffRecord(page.text[words.start : words.end], whole.start, whole.end)


def _end_behind(page: Page, after: int, *, commands: Sequence[Command]) -> int:
    here = next((each.end for each in page.sentences if each.end > after), len(page.text))
    later = (each for each in page.sentences if each.start >= here)
    again = next((each.start for each in later if _tail(page, each.start, end=each.end)), len(page.text))
    return min([again, *(each.start for each in commands if each.start >= here)])


def _ask(page: Page, sentence: Sentence, *, part: Span) -> _Asked | None:
    """The request that a part of a clause is; None where it is none of the user's own."""
    tail = _tail(page, part.start, end=part.end)
    if tail is None:
        return None
    said = {name for name, words in tail.groupdict().items() if words}
    # the pattern may be empty, so that it always matches
    tag = TAG.match(page.open, part.end)
    is_tagged = tag is not None and tag["asks"] is not None and tag[0].strip(" ?？") != ""
    is_polite = is_tagged or any(name.startswith("polite") for name in said)
    is_last = part.end == sentence.clauses[-1].end
    if sentence.is_marked_question and is_last and not is_polite:
        return None
    end = tag.end() if tag is not None and is_tagged else part.end
    is_aside = BRACKET.search(page.open, max(part.start - 2, 0), part.start) is not None
    return _Asked(sentence, Span(part.start, end), page.open[part.start : part.end], said, is_aside)


def _trailed(page: Page, asked: _Asked, *, commands: Sequence[Command], taken: int) -> Iterator[OffRecord]:
    """What a request speaks of: the words before it, back to a command, those behind it, or both.

    With nothing before it, what is pointed at follows (不要保存这条消息。我怀孕了) or is a message before.
    """
    sentence, part = asked.sentence, asked.span
    after = max(taken, *(each.end for each in commands if each.end <= part.start), 0)
    is_framed = _is_frame(page, after, end=part.start)
    if is_barred(page, sentence, clause=part) and not is_framed:
        return
    is_of_sentence = "sentence" in asked.said and part.start > sentence.start
    start = max(after, sentence.start) if is_of_sentence else after
    words = trim_span(page.text, start, end=part.start, marks=_MARKS)
    if words.start < words.end and is_of_a_document(
        page.open[_start_of(page, words) : words.end], asked.words
    ):
        return
    if words.start == words.end or is_framed:
        yield from _bare(page, asked, commands=commands, after=after)
        return
    end = part.end
    if not asked.is_aside and _is_unclear(page, asked):
        end = _end_behind(page, part.end, commands=commands)
        yield OffRecord(page.text[words.start : end].rstrip(_MARKS), words.start, end)
    yield OffRecord(page.text[words.start : words.end], words.start, end)


def _start_of(page: Page, words: Span) -> int:
    """Where the last sentence of some words begins."""
    last = bisect_left(page.sentences, words.end, key=lambda each: each.start) - 1
    return max(words.start, page.sentences[last].start)


def _is_frame(page: Page, start: int, *, end: int) -> bool:
    """Whether words lead to others and say nothing themselves: 跟你说个事儿."""
    if end - start > _MOST_CHARS or not _WORD.search(page.open, start, end):
        return False
    return any(frame.fullmatch(page.open, start, end) for frame in (FRAME_ZH, FRAME_EN))


def _is_unclear(page: Page, asked: _Asked) -> bool:
    """Whether a request in the midst of a sentence may mean what follows as well as what stands before."""
    if not _WORD.search(page.open, asked.span.end, max(asked.sentence.end, asked.span.end)):
        return False
    return any(name.startswith("bare") for name in asked.said) or bool(POINTS_HERE.match(asked.words))


def _bare(page: Page, asked: _Asked, *, commands: Sequence[Command], after: int) -> Iterator[OffRecord]:
    """What a request without words before it speaks of."""
    part = asked.span
    is_framed = _is_frame(page, after, end=part.start)
    own = OWN_WORDS_FOLLOW.match(page.open, part.end) is not None
    is_note = any(name.startswith("bare") for name in asked.said) and "记" in asked.words
    if is_framed or (own and (is_note or POINTS_HERE.match(asked.words))):
        start = after if is_framed else part.start
        yield from _behind(page, start, after=part.end, commands=commands)
    is_led = is_framed and INTRODUCES.search(page.open, after, part.start) is not None
    if is_led or ("bare_off" in asked.said and (is_framed or not after)):
        yield OffRecord("", part.start, part.end, announces=True)
    elif (is_framed or not after) and not _is_of_a_thing(page, asked):
        yield OffRecord("", part.start, part.end, back=_how_many(asked.words))


def _how_many(words: str) -> int:
    counted = COUNTED.search(words)
    if counted is not None:
        return SO_MANY[counted["zh"] or counted["en"]]
    return ALL_BEFORE if MEANS_ALL.search(words) else 1


def _is_of_a_thing(page: Page, asked: _Asked) -> bool:
    """True where a request may be of a thing of daily work: 别存 alone, "don't save this, save the other"."""
    return (
        any(name.startswith("bare") for name in asked.said)
        or SAVES_OTHER.match(page.open, asked.span.end, max(asked.sentence.end, asked.span.end)) is not None
    )


def _tail(page: Page, start: int, *, end: int) -> re.Match[str] | None:
    """The request that a stretch is, and nothing else."""
    if end - start > _MOST_CHARS:
        return None
    return TAIL_ZH.fullmatch(page.open, start, end) or TAIL_EN.fullmatch(page.open, start, end)
