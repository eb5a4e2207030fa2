"""A payload's value that is taken back in the same breath: 是M，等等说错了，是L; "14A. No, 15C." Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from shared.extraction import command_words_en as en
from shared.extraction import command_words_zh as zh
from shared.extraction.assignments import MAX_LABELS, Assignment, Reader, read_assignment
from shared.extraction.pages import Page, Span, read_page
from shared.extraction.repairs import EXPLICIT, WEAK, is_only_repair, next_repairs
from shared.extraction.value_swaps import swap_shaped

MAX_REPAIRS: Final = 4
"""Values of one payload that are taken back, one after the other."""

_COPULA: Final = re.compile(
    r"(?:是|为|叫|在|住|有|成|到|[:：=])\s*(?=[^是为叫在住有成到:：=]*$)|\b(?:is|are|at|on|to|'s|'m|as|in|am|in)\s+(?=\S*$|\S+\s+\S*$)"
)
OWN_CLAUSE: Final = re.compile(r"\s*(?:我|咱|公司|本|my\b|our\b|the\b|i\b|i'm\b|we\b)")
"""What opens a sentence of its own."""

_PREPOSITION: Final = re.compile(
    r"[对在去从给跟](?![了吧的啊呀吗不你])"
    r"|(?:to|in|at|on|for|with|from|by|about)\s(?!\s*(?:an?|the|my|your|this|that|it|you|me|all|once|least|advance|time|any|now)\b)",
    re.IGNORECASE,
)
_PREPOSITION_INSIDE: Final = re.compile(
    r"[对在去从给跟]|(?<=\s)(?:to|in|at|on|for|with|from|by|about)\s", re.IGNORECASE
)
_PAUSE: Final = re.compile(r"[\s,，]*(?:等等|等一下|等下)[\s,，…]*")
_LEAD_NEW: Final = re.compile(r"^\s*(?:是|为|应该是|it's|is|it is|make it)\s*")


def repair(page: Page, pieces: tuple[Span, ...], *, reader: Reader) -> tuple[Page, tuple[Span, ...]]:
    """The pieces with each value taken back replaced by the one that follows, and their page."""
    for _ in range(MAX_REPAIRS):
        composed = _repair_first(page, pieces, reader=reader)
        if composed is None:
            break
        page = read_page(composed)
        pieces = all_clauses(page)
    return page, pieces


def repair_over_end(
    page: Page, pieces: tuple[Span, ...], *, source: Page | None, start: int, reader: Reader
) -> tuple[Page, int] | None:
    """The payload with the value that the sentences behind it put in its place, and where that ends.

    Such a sentence begins with words of taking back and the value: "Remember my seat is 14A. No, 15C."

    Args:
        page: the message.
        pieces: the clauses of the payload.
        source: the page that the pieces lie on where it is not the message.
        start: where the payload's sentence ends in the message.
        reader: schema and day.

    Returns:
        A page of the whole payload, and the end of the last clause of it; None where nothing is put right.
    """
    mended: tuple[Page, int] | None = None
    before, first = "", 0
    for sentence in next_repairs(page, start):
        if not before:
            before = _joined(*repair(source or page, pieces, reader=reader))
            first = len(all_clauses(read_page(before)))
        found = _repair_by(page, sentence.clauses[:MAX_REPAIRS], before=before, first=first, reader=reader)
        if found is not None:
            before, end = found
            mended = read_page(before), end
            first = len(all_clauses(mended[0]))
        if found is not None and end < sentence.clauses[-1].end:
            break
        if found is None:
            if not all(is_only_repair(page, each) for each in sentence.clauses):
                break
            before = f"{before}，{_joined(page, sentence.clauses)}"
    return mended


def _repair_by(
    page: Page, said: Sequence[Span], *, before: str, first: int, reader: Reader
) -> tuple[str, int] | None:
    """The text `before` put right by the fewest of the clauses said, and where that ends."""
    for count in range(1, len(said) + 1):
        whole = read_page(f"{before}，{_joined(page, said[:count])}")
        strict = EXPLICIT.search(whole.folded, len(before)) is None
        composed = _repair_first(whole, all_clauses(whole), reader=reader, first=first, strict=strict)
        if composed is not None:
            return composed, said[count - 1].end
    return None


def all_clauses(page: Page) -> tuple[Span, ...]:
    """The clauses of all sentences, in order."""
    return tuple(span for sentence in page.sentences for span in sentence.clauses)


def _joined(page: Page, pieces: Sequence[Span]) -> str:
    return "，".join(page.text[span.start : span.end] for span in pieces)


def _repair_first(
    page: Page, pieces: tuple[Span, ...], *, reader: Reader, first: int = 1, strict: bool = False
) -> str | None:
    """The text with the first value that was taken back replaced; None where none is.

    Args:
        page: where the pieces lie.
        pieces: the clauses of a payload.
        reader: schema and day.
        first: the piece from which on words of taking back are looked for.
        strict: true where like gives way to like only.
    """
    for index in range(first, len(pieces)):
        start, end = pieces[index].start, pieces[index].end
        match = zh.REPAIR.match(page.folded, start, end) or en.REPAIR.match(page.folded, start, end)
        weak = WEAK.match(page.folded, start, end)
        if match is None and weak is None:
            continue
        is_weak = strict or match is None or _PAUSE.fullmatch(page.folded, start, end) is not None
        later = Span(match.end() if match else weak.end() if weak else end, end)
        rest = pieces[index + 1 :]
        while not page.text[later.start : later.end].strip() and rest:
            later, rest = _after_repair(page, rest[0]), rest[1:]
        if not page.text[later.start : later.end].strip():
            continue
        before = [piece for piece in pieces[:index] if not _is_filler(page, piece)]
        text = _replace_value(page, before, later=later, is_weak=is_weak, reader=reader)
        if text is not None:
            return text + "".join("，" + page.text[span.start : span.end] for span in rest)
    return None


def _after_repair(page: Page, piece: Span) -> Span:
    match = zh.REPAIR.match(page.folded, piece.start, piece.end) or en.REPAIR.match(
        page.folded, piece.start, piece.end
    )
    return Span(match.end(), piece.end) if match else piece


def _is_filler(page: Page, piece: Span) -> bool:
    return zh.EMPTY.fullmatch(page.folded, piece.start, piece.end) is not None or (
        en.EMPTY.fullmatch(page.folded, piece.start, piece.end) is not None
    )


def _replace_value(
    page: Page, before: Sequence[Span], *, later: Span, is_weak: bool, reader: Reader
) -> str | None:
    """What was said with its last value replaced; a weak sign (no, 不, 等等) replaces like by like only."""
    new = _LEAD_NEW.sub("", page.text[later.start : later.end])
    if not before:
        return None if is_weak else new
    kept = [page.text[span.start : span.end] for span in before[:-1]]
    last = before[-1]
    mended = _replace_field(page, last, new=new, reader=reader)
    if mended is None and not OWN_CLAUSE.match(page.folded, later.start, later.end):
        match = None if is_weak else _COPULA.search(page.folded, last.start, last.end)
        if match is not None:
            mended = page.text[last.start : match.end()] + new.removeprefix(match[0].strip()).lstrip()
        else:
            mended = swap_shaped(page.text[last.start : last.end], new) or _same_lead(
                page.text[last.start : last.end], new
            )
    if mended is None and is_weak:
        return None
    return "，".join([*kept, mended or new])


def _same_lead(text: str, new: str) -> str | None:
    """The text from the new words' own preposition on said anew: 我对花生过敏, 对虾过敏 -> 我对虾过敏."""
    lead = _PREPOSITION.match(new)
    if lead is None:
        return None
    word = lead[0].strip().lower()
    places = [each.start() for each in _PREPOSITION_INSIDE.finditer(text) if each[0].strip().lower() == word]
    return text[: places[-1]] + new if places and places[-1] > 0 else None


def _replace_field(page: Page, last: Span, *, new: str, reader: Reader) -> str | None:
    """The clause that gives a field its value (预算50万, the deadline is May 1) with another value of it."""
    made = read_assignment(page, last, reader=reader)
    if made is None or not made.is_labelled:
        return None
    again = _read_alone(new, reader=reader)
    if again is not None and again.is_labelled and again.path == made.path:
        return new
    for label in reader.schema.find_folded_labels(page.folded[last.start : last.end])[:MAX_LABELS]:
        if label.path == made.path:
            head = page.text[last.start : last.start + label.end]
            mended = f"{head} is {new}" if head.isascii() else f"{head}是{new}"
            again = _read_alone(mended, reader=reader)
            return mended if again is not None and again.path == made.path else None
    return None


def _read_alone(text: str, *, reader: Reader) -> Assignment | None:
    return read_assignment(read_page(text), Span(0, len(text)), reader=reader)
