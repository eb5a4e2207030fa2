"""Answers to our own questions: a value for a path we asked for, and yes or no to what we proposed.

An answer is consent only while it is nothing else: 不知道, a counter-question or another request is no value,
and a yes is bare or picks among what was asked (第一个对，第二个不对; yes for the deadline, not the budget).
好的, 嗯, ok and thanks acknowledge and consent to nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, tzinfo
from functools import lru_cache
from typing import Any, Final, Literal

from shared.extraction import consent_words as words
from shared.extraction.assignments import Reader, read_assignment, read_value
from shared.extraction.field_shapes import find_shape, value_shape
from shared.extraction.guards import asks, is_barred
from shared.extraction.pages import Page, Span, read_page, trim_span
from shared.extraction.picks import Pick, place_of, places_to_forget, read_picks
from shared.language.scripts import fold_aligned
from shared.ltm.raw_words import RawWords
from shared.ltm.schema import Schema, SchemaPath, normalise_value

MAX_ANSWER_CHARS: Final = 200
MAX_CONSENT_CHARS: Final = 80
MAX_PLAIN_CHARS: Final = 40

Answer = Literal["yes", "no", "acknowledge", "none"]


@dataclass(frozen=True, slots=True)
class Consent:
    """What a message answers to a question; with `picks` (then "yes" or "no"), only to those."""

    answer: Answer
    picks: tuple[Pick, ...] = ()


def answer_for(
    path: str, text: str, *, schema: Schema, today: date, zone: tzinfo | None = None
) -> Any | None:
    """The value that a message gives right after just this path was asked for; None where it gives none.

    `today` and `zone` are the user's day and zone.

    Raises:
        InvalidInput: the schema has no such path.
    """
    wanted, reader = schema.find(path), Reader(schema, today, zone)
    if len(text) > MAX_ANSWER_CHARS:
        return None
    page = read_page(text)
    for sentence in page.sentences:
        for clause in sentence.clauses:
            if asks(page, sentence, clause=clause) or is_barred(page, sentence, clause=clause):
                return None
            value = _answer_in(page, clause, path=wanted, reader=reader)
            if value is not None:
                return value
            if not words.FILLER.fullmatch(page.folded, clause.start, clause.end):
                return _sole_shape(page, wanted, reader=reader)
    return None


def mentions_noun(path: str, text: str, *, schema: Schema) -> bool:
    """True where a user speaks of the thing that the path identifies: 项目 / project, for `project_id`.

    Raises:
        InvalidInput: the schema has no such path.
    """
    nouns = _nouns(schema.find(path))
    if not _raw_nouns(nouns).occur_in(text):
        return False
    folded = fold_aligned(text)
    return any(_noun_pattern(noun).search(folded) for noun in nouns)


@lru_cache(maxsize=64)
def _raw_nouns(nouns: frozenset[str]) -> RawWords:
    plurals = {f"{noun}s" for noun in nouns if noun.isascii()}
    return RawWords(nouns | plurals)


def read_consent(text: str) -> Consent:
    """What a message that is nothing but an answer says: 确认 / yes, 不对 / no, 好的 / ok, or picks."""
    span = trim_span(text, 0, end=len(text))
    if span.end - span.start > MAX_CONSENT_CHARS or span.start == span.end or _is_question(text):
        return Consent("none")
    folded = _counted(read_page(text[span.start : span.end]).folded)
    for answer, pattern in _ANSWERS:
        if pattern.fullmatch(folded):
            return Consent(answer)
    goes_on = words.GOES_ON.search(folded)
    if goes_on is not None and words.YES.fullmatch(folded, 0, goes_on.start()):
        return Consent("yes")
    picks = read_picks(folded)
    if not picks:
        return Consent("none")
    return Consent("yes" if any(pick.accepts for pick in picks) else "no", picks)


def read_choice(text: str, *, count: int) -> tuple[int, ...]:
    """The places, from 0, that an answer picks among `count` things it may have all or some of.

    A yes means all: 第二个, "the first and the third", 都忘掉, yes. Empty where it picks none.
    """
    consent = read_consent(text)
    if consent.picks:
        return places_to_forget(consent.picks, count=count)
    if consent.answer == "yes":
        return tuple(range(count))
    folded = _counted(read_page(text[:MAX_CONSENT_CHARS]).folded)
    if words.ALL_OF_THEM.fullmatch(folded):
        return tuple(range(count))
    if len(text) > MAX_CONSENT_CHARS or not words.CHOOSING.fullmatch(words.ORDINAL.sub("", folded)):
        return ()
    named = (place_of(words.ORDINALS[each], count=count) for each in words.ORDINAL.findall(folded))
    return tuple(dict.fromkeys(place for place in named if place is not None))


_ANSWERS: Final[tuple[tuple[Answer, re.Pattern[str]], ...]] = (
    ("acknowledge", words.ACKNOWLEDGE),
    ("yes", words.YES),
    ("no", words.NO),
)


def _is_question(text: str) -> bool:
    """Whether a text asks, or is only half sure: 对不对, 没错吧, 应该对."""
    return (
        text.rstrip().endswith(("?", "？", "吗", "吗？", "呢", "嘛")) or words.UNSURE.search(text) is not None
    )


def _counted(folded: str) -> str:
    """Return an answer with "the first two" and 前两个 as the places they mean."""
    return words.FIRST_TWO.sub(lambda found: "第一个和第二个" if found["zh"] else "first and second", folded)


def _answer_in(page: Page, clause: Span, *, path: SchemaPath, reader: Reader) -> Any | None:
    if words.NO_ANSWER.search(page.folded, clause.start, clause.end):
        return None
    made = read_assignment(page, clause, reader=reader)
    if made is not None:
        return made.value if made.path.path == path.path else None
    lead = words.ANSWER_LEAD.match(page.folded, clause.start, clause.end)
    start = lead.end() if lead else clause.start
    if start == clause.end or (path.type in {"string", "string[]"} and not value_shape(path)):
        return _plain_answer(
            page, Span(start, clause.end), path=path, reader=reader, is_led=start > clause.start
        )
    return read_value(page, Span(start, clause.end), path=path, reader=reader)


def _plain_answer(page: Page, span: Span, *, path: SchemaPath, reader: Reader, is_led: bool) -> Any | None:
    """A free text counts as an answer while it is short and asks for nothing: 设计评审, "design review"."""
    folded = page.folded[span.start : span.end].strip()
    if not folded or len(folded) > MAX_PLAIN_CHARS or words.NOT_PLAIN.match(folded):
        return None
    if words.FILLER.fullmatch(folded) or (not is_led and words.SENTENCE_LIKE.search(folded)):
        return None
    return read_value(page, span, path=path, reader=reader)


def _sole_shape(page: Page, path: SchemaPath, *, reader: Reader) -> Any | None:
    """The one identifier, address or number in an answer that says a little more: 哦，应该是 PROJ-7 那个."""
    if value_shape(path) is None or words.NO_ANSWER.search(page.folded) or len(page.text) > MAX_PLAIN_CHARS:
        return None
    found = find_shape(page.folded, path)
    if found is None or find_shape(page.folded[found.end :], path) is not None:
        return None
    made = [
        read_assignment(page, clause, reader=reader) for each in page.sentences for clause in each.clauses
    ]
    if any(each is not None and each.path.path != path.path for each in made):
        return None
    if not words.NEAR_SHAPE.fullmatch(page.folded[: found.start] + page.folded[found.end :]):
        return None
    return normalise_value(path, page.text[found.start : found.end], today=reader.today)


def _nouns(path: SchemaPath) -> frozenset[str]:
    """The labels of a path without what makes them identifiers: 项目编号 -> 项目, project id -> project."""
    found = set()
    for label in (*path.labels.zh, *path.labels.en):
        noun = words.IDENTIFIER_TAIL.sub("", label.lower()).strip()
        found.add(noun or label.lower())
    return frozenset(found)


def _noun_pattern(noun: str) -> re.Pattern[str]:
    if noun.isascii():
        return re.compile(rf"(?<![a-z0-9_]){re.escape(noun)}s?(?![a-z0-9_])")
    return re.compile(rf"{re.escape(noun)}(?!符号|管理软件|经验)")
