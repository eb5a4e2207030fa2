"""From the words after a command's verb to what is stored: set, append or remember.

One payload may give several values (我的邮箱是…，预算50万); what gives none is remembered as free text.
A value that the user takes back in the same breath (是M，等等说错了，是L; "14A, scratch that, 15C") gives way
to the later one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from shared.extraction import command_words_en as en
from shared.extraction import command_words_zh as zh
from shared.extraction.assignments import Assignment, Reader, read_assignment, split_clause
from shared.extraction.command import Command
from shared.extraction.corrections import find_mended, may_deny
from shared.extraction.evidence_words import FIRST_PERSON
from shared.extraction.field_shapes import value_shape
from shared.extraction.filler import is_filler
from shared.extraction.owners import Owner, is_given_to_other, is_personal, speaks_of
from shared.extraction.pages import Page, Span, read_page, trim_span
from shared.extraction.payload_repairs import OWN_CLAUSE, repair
from shared.language.bare_nouns import is_bare_noun

MAX_REMEMBERED_CHARS: Final = 2000
MIN_SENTENCE_WORDS: Final = 5
_MOST_BEFORE: Final = 4
MIN_AFTER_VALUE_CHARS: Final = 4
"""What follows a value and is shorter (谢谢你, ok?) is an aside."""
_POINTER: Final = re.compile(
    r"\s*(?:我的|你的|我们的|这个|那个|他的|她的)[^是为有在不没爱喜要用住叫吃喝对会能每:：\d]{1,5}\s*$"
)
_TAIL_ZH: Final = re.compile(
    r"(?:吧|啊|哦|喔|呀|哈|噢|啦|，?谢谢你?|，?多谢|，?拜托了?|，?麻烦了|，?好吗|，?可以吗|，?行吗|，?好不好)++$"
)
_TAIL_EN: Final = re.compile(
    r"(?:[\s,]*\b(?:please|pls|thanks|thank\s+you|thx|ok|okay|will\s+you|would\s+you|if\s+you\s+can|if\s+possible))++$"
)
_LEAD_FREE: Final = re.compile(
    r"[\s，,：:。.、\-—]*(?:(?:that|the\s+fact\s+that)\s*[:,]?\s+|this\s*:\s*|(?:就是|一下|是说|说)\s*[:：,，]?\s*)?"
)
_ASIDE: Final = re.compile(
    r"\s*(?:而?不是|别(?:记|弄|搞|写)错|not\b|rather\s+than\b|instead\s+of\b|don't\s+(?:mix|get)"
    r"|.{0,8}(?:那儿|那里|那边|这儿|这边)|(?:请|都|就|以后)*(?:用|发|打|寄|按|找)(?:它|这个|那个)|(?:please\s+)?(?:use|call|send)\s+(?:it|that|this)\b)"
)
_JOINED: Final = frozenset({"name", "role"})


_OF_US: Final = re.compile(
    r"\s*你(?:就|只|不过|也)*是(?:个|一个|一台)?(?:ai|人工智能|助手|机器人?|程序|模型)|\s*you(?:'re|\s+are)\s+(?:just\s+|only\s+|nothing\s+but\s+)*(?:an?\s+)?(?:ai|assistant|robot|bot|machine|program|model)\b"
)
"""What is said of the assistant is nothing about the user."""


@dataclass(frozen=True, slots=True)
class Payload:
    """The pieces (clauses) after a verb, and the place of the whole command on `page`.

    `source` is the page that the pieces lie on where they had to be put together: 把X记下来：Y -> X：Y.
    """

    page: Page
    pieces: tuple[Span, ...]
    quote: Span
    is_correction: bool = False
    must_assign: bool = False
    needs_verb: bool = False
    source: Page | None = None


def read_payload(page: Page, payload: Payload, *, reader: Reader) -> list[Command]:
    """The commands of one payload, in order; empty where it holds nothing to store."""
    source, pieces = _put_right(
        *repair(payload.source or payload.page, payload.pieces, reader=reader), reader=reader
    )
    segments = [segment for piece in pieces for segment in split_clause(source, piece, reader=reader)]
    found: list[Command] = []
    loose: list[Span] = []
    earlier, owner = _owner_before(payload)
    index = 0
    while index < len(segments):
        words = source.text[segments[index].start : segments[index].end]
        assignment = read_assignment(source, segments[index], reader=reader)
        if assignment is not None and _is_others(source, segments[index:], of=assignment, owner=owner):
            assignment, payload = None, replace(payload, must_assign=False, needs_verb=False)
            loose = loose or (earlier if source is page and not found else loose)
        if assignment is None:
            loose.append(segments[index])
            owner = speaks_of(words) or owner
            index += 1
            continue
        found.extend(_remember(page, source, loose=loose, payload=payload))
        loose = []
        owner = "user" if is_personal(assignment.path) else owner
        assignment, index = _widen(source, segments, index=index, assignment=assignment, reader=reader)
        found.extend(_store(page, assignment, payload=payload, is_first=not found, is_same=source is page))
    found.extend(_remember(page, source, loose=loose, payload=payload, is_after=bool(found)))
    return found


def _owner_before(payload: Payload) -> tuple[list[Span], Owner | None]:
    """The last clauses of the sentence before the command, and of whom they speak: 房东姓李。记住手机号…."""
    page, owner = payload.page, None
    index = bisect_right(page.sentences, payload.quote.start, key=lambda each: each.start) - 1
    clauses = [*page.sentences[index - 1].clauses[-_MOST_BEFORE:]] if index > 0 else []
    for clause in clauses:
        owner = speaks_of(page.text[clause.start : clause.end]) or owner
    return clauses, owner


def _is_others(page: Page, segments: Sequence[Span], *, of: Assignment, owner: Owner | None) -> bool:
    """True where the first segment gives what is somebody else's, by those before it or behind it."""
    first = segments[0]
    if not is_personal(of.path) or FIRST_PERSON.search(page.folded, first.start, first.end):
        return False
    return owner == "other" or is_given_to_other(page.text[each.start : each.end] for each in segments[1:])


def is_content(text: str, *, needs_verb: bool) -> bool:
    """True where the words say something that can be remembered, and do not merely point at something."""
    if zh.EMPTY.fullmatch(text) or en.EMPTY.fullmatch(text) or is_filler(text) or _OF_US.match(text):
        return False
    if text.isascii():
        return not needs_verb or _says_something(text)
    points = _POINTER.fullmatch(text) or zh.UI_TALK.match(text)
    return len(text.strip()) > 1 and not points and not is_bare_noun(text)


def cut_repairs(page: Page, pieces: Sequence[Span]) -> tuple[Span, ...] | None:
    """The pieces, or None where a later one takes all of them back (算了，不用记了; never mind)."""
    for index, piece in enumerate(pieces):
        folded = page.folded[piece.start : piece.end]
        takes_back = zh.RETRACT.fullmatch(folded) or en.RETRACT.fullmatch(folded)
        if index and takes_back and index == len(pieces) - 1:
            return None
    return tuple(pieces)


def _says_something(text: str) -> bool:
    if (
        len(text.split()) >= MIN_SENTENCE_WORDS
        or en.FINITE.search(text)
        or any(ch.isdigit() for ch in text)
        or re.search(r"[\ufffc\\^$*{}<>|=@/]", text)
    ):
        return True
    return re.match(r"\s*(?:to|no|not|never|only|always|nothing)\b", text) is not None


def _put_right(page: Page, pieces: tuple[Span, ...], *, reader: Reader) -> tuple[Page, tuple[Span, ...]]:
    """The payload of 记住，预算不是55万，是60万 as 预算是60万, where that gives a field its value."""
    text = page.text[pieces[0].start : pieces[-1].end].strip() if pieces else ""
    mended = next(find_mended(read_page(text)), None) if may_deny(text) else None
    if mended is None or mended.span != Span(0, len(text)):
        return page, pieces
    composed = read_page(mended.whole)
    if read_assignment(composed, Span(0, len(mended.whole)), reader=reader) is None:
        return page, pieces
    return composed, tuple(span for sentence in composed.sentences for span in sentence.clauses)


def _widen(
    page: Page, segments: Sequence[Span], *, index: int, assignment: Assignment, reader: Reader
) -> tuple[Assignment, int]:
    """The assignment with the clauses that still belong to its list or its sentence-long text."""
    path = assignment.path
    takes_more = path.is_list or (
        path.type == "string" and not value_shape(path) and path.leaf not in _JOINED
    )
    after = index + 1
    while takes_more and after < len(segments) and not OWN_CLAUSE.match(page.folded, segments[after].start):
        if read_assignment(page, segments[after], reader=reader) is not None:
            break
        wider = read_assignment(page, Span(assignment.start, segments[after].end), reader=reader)
        if wider is None:
            break
        assignment, after = wider, after + 1
    return assignment, after


def _store(
    page: Page, assignment: Assignment, *, payload: Payload, is_first: bool, is_same: bool
) -> Iterator[Command]:
    quote = payload.quote
    if is_same:
        quote = Span(quote.start if is_first else assignment.start, assignment.end)
    quote = trim_span(page.text, quote.start, end=quote.end, marks=" \t\r\n，,")
    appends = assignment.path.is_list and assignment.verb not in {"set", "change"}
    for value in assignment.value if appends else [assignment.value]:
        yield Command(
            kind="append" if appends else "set",
            path=assignment.path.path,
            value=value,
            text=str(value),
            quote=page.text[quote.start : quote.end],
            start=quote.start,
            end=quote.end,
            path_explicit=assignment.is_labelled,
            is_correction=payload.is_correction,
        )


def _remember(
    page: Page, source: Page, *, loose: Sequence[Span], payload: Payload, is_after: bool = False
) -> Iterator[Command]:
    if not loose or payload.must_assign:
        return
    span = _free_text(source, Span(loose[0].start, loose[-1].end))
    text, folded = source.text[span.start : span.end], source.open[span.start : span.end]
    if not is_content(folded, needs_verb=payload.needs_verb) or len(text) > MAX_REMEMBERED_CHARS:
        return
    if is_after and (len(text) < MIN_AFTER_VALUE_CHARS or _ASIDE.match(folded)):
        return
    quote = payload.quote
    if is_after and source is page:
        quote = span
    quote = trim_span(page.text, quote.start, end=quote.end, marks=" \t\r\n")
    yield Command(
        kind="remember",
        path=None,
        value=None,
        text=text,
        quote=page.text[quote.start : quote.end],
        start=quote.start,
        end=quote.end,
        is_correction=payload.is_correction,
    )


def _free_text(page: Page, span: Span) -> Span:
    lead = _LEAD_FREE.match(page.folded, span.start, span.end)
    start, end = (lead.end() if lead else span.start), span.end
    for pattern in (_TAIL_EN, _TAIL_ZH):
        tail = pattern.search(page.folded[:end].rstrip(" 。.!！~～"), start)
        end = tail.start() if tail and tail.start() > start else end
    return trim_span(page.text, start, end=end)
