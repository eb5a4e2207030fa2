"""Corrections: 不对，是60万 / "no, it's 8000"; 预算不是55万，是60万 / "the budget isn't 550k but 600k". Pure.

A correction is a short message that takes something back and puts something in its place, and nothing else.
What it corrects is not said by it: that is for the caller, who knows what was kept last, and to whom the
words are read as a value of just that. Questions, quotations and what others said correct nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from shared.extraction import correction_words as words
from shared.extraction.guards import asks, is_barred
from shared.extraction.led_statements import led_statement
from shared.extraction.pages import Page, Sentence, Span, read_page
from shared.language.scripts import fold_aligned
from shared.ltm.raw_words import RawWords
from shared.ltm.tombstones import is_denied

MAX_CHARS: Final = 160
MAX_CLAUSES: Final = 5
_OLD_AND_NEW: Final = 2
_RAW: Final = RawWords(words.CUES)
_FIGURE: Final = re.compile(r"[\d$¥￥€£]")
_SHORT_DENIAL: Final = re.compile(r"n't\b|'s not\b")


@dataclass(frozen=True, slots=True)
class Correction:
    """What a message puts in place of what stands.

    `new`: the new value's words; `old`: those of the value it takes back, empty where it names none;
    `is_worded`: it says "it is" or names the old value, as a free text needs; `whole` and `denied`: the
    statements that it makes and takes back, where they stand by themselves (我不住在北京，我住在上海);
    `told`: a statement said to put something right ("Actually Clara moved to Porto"), whatever that is;
    `withdrawn`: one that takes back what was to hold (我现在不吃素了), whatever says so.
    """

    new: str = ""
    old: str = ""
    is_worded: bool = False
    whole: str = ""
    denied: str = ""
    told: str = ""
    withdrawn: str = ""

    def masked(self, mask: Callable[[str], str]) -> Correction:
        """Return the correction with secrets masked in what it would put in place."""
        return replace(
            self,
            new=mask(self.new),
            whole=mask(self.whole),
            told=mask(self.told),
            withdrawn=mask(self.withdrawn),
        )


@dataclass(frozen=True, slots=True)
class Mended:
    """A statement put together: `whole` is 预算是60万, of 预算不是55万，是60万, which stands at `span`."""

    whole: str
    denied: str
    span: Span
    sentence: Sentence
    clause: Span


def read_correction(text: str) -> Correction | None:
    """What a message corrects, if it is a correction and nothing else; None for most, at little cost."""
    if len(text) > MAX_CHARS or not _RAW.occur_in(text):
        return None
    page = read_page(text)
    clauses = [(sentence, clause) for sentence in page.sentences for clause in sentence.clauses]
    if not 0 < len(clauses) <= MAX_CLAUSES:
        return None
    if any(_is_no_statement(page, sentence, clause=clause) for sentence, clause in clauses):
        return None
    spans, is_led = _without_leads(page, [clause for _, clause in clauses])
    takes_back = is_led and not _only_hesitates(page, clauses[0][1].start, end=spans[0].start if spans else 0)
    while len(spans) > 1 and words.TAGS.fullmatch(page.open, spans[-1].start, spans[-1].end):
        spans = spans[:-1]
    found: Correction | None = None
    if len(spans) == 1:
        found = _read_one(page, spans[0], is_led=is_led, takes_back=takes_back)
    elif len(spans) == _OLD_AND_NEW:
        found = _read_two(page, spans[0], second=spans[1])
    if found is not None and not (found.new or found.whole):
        found = None
    told = led_statement(page, [clause for _, clause in clauses], left=spans)
    return replace(found or Correction(), told=told) if told else found


def may_deny(text: str) -> bool:
    """False where a text says of nothing that it is not so: a cheap look before `find_mended`."""
    return words.MAY_DENY.search(fold_aligned(text)) is not None


def find_mended(page: Page) -> Iterator[Mended]:
    """The statements that deny one value and give another, in order."""
    if not words.MAY_DENY.search(page.open):
        return
    clauses = [(sentence, clause) for sentence in page.sentences for clause in sentence.clauses]
    for place, (sentence, clause) in enumerate(clauses):
        if not words.MAY_DENY.search(page.open, clause.start, clause.end):
            continue
        following, after = clauses[place + 1] if place + 1 < len(clauses) else (None, None)
        goes_on = following is not None and _goes_on(page, sentence, after=following)
        mended = _mend(page, clause, after=after if goes_on else None)
        if mended is not None:
            whole, denied, end = mended
            yield Mended(whole, denied, Span(clause.start, end), sentence, clause)


def _is_no_statement(page: Page, sentence: Sentence, *, clause: Span) -> bool:
    if sentence.is_marked_question or is_barred(page, sentence, clause=clause):
        return True
    return asks(page, sentence, clause=clause)


def _goes_on(page: Page, sentence: Sentence, *, after: Sentence) -> bool:
    """True where the next clause states something on the same line."""
    if after.is_marked_question or sentence.is_marked_question:
        return False
    return sentence is after or "\n" not in page.text[sentence.end : after.start]


def _without_leads(page: Page, spans: Sequence[Span]) -> tuple[list[Span], bool]:
    """The clauses after what takes back, and whether anything did."""
    left, is_led = list(spans), False
    while left:
        end = _lead_end(page, left[0])
        if end is None:
            break
        is_led = True
        rest = Span(end, left[0].end)
        if page.text[rest.start : rest.end].strip():
            return [rest, *left[1:]], True
        left = left[1:]
    return left, is_led


def _lead_end(page: Page, span: Span) -> int | None:
    """Where what takes back ends; 不是55万 takes nothing back but 55万."""
    for pattern in words.LEADS:
        match = pattern.match(page.open, span.start, span.end)
        if match is None:
            continue
        if match.end() < span.end and match[0].endswith(("不是", "not", "it's", "isn't")):
            return None
        return match.end()
    return None


def _only_hesitates(page: Page, start: int, *, end: int) -> bool:
    return words.HESITATES.fullmatch(page.open, start, end) is not None


def _read_one(page: Page, span: Span, *, is_led: bool, takes_back: bool) -> Correction | None:
    for pattern in words.BOTH:
        match = pattern.fullmatch(page.open, span.start, span.end)
        if match is not None and not words.NO_OLD.fullmatch(match["old"]):
            return _pair(page, Span(*match.span("old")), new=Span(*match.span("new")))
    mended = _mend(page, span, after=None)
    if mended is not None:
        return Correction(whole=mended[0], denied=mended[1])
    stating = ((words.EDIT, takes_back), (words.SAID, True), (words.IS if is_led else (), takes_back))
    for patterns, is_worded in stating:
        new = _group(patterns, page, span=span, name="new")
        if new is not None:
            return _plain(page, new, whole=span if is_led else None, is_worded=is_worded)
    return _plain(page, span, whole=span, is_worded=False) if takes_back else None


def _read_two(page: Page, first: Span, *, second: Span) -> Correction | None:
    for denying, stating in ((first, second), (second, first)):
        old = _group(words.NOT, page, span=denying, name="old")
        if old is not None:
            new = _group(words.IS, page, span=stating, name="new")
            whole = _without_tail(page.text[stating.start : stating.end]) if new is None else ""
            return _pair(page, old, new=new or stating, is_worded=new is not None, whole=whole)
    mended = _mend(page, first, after=second)
    if mended is not None:
        return Correction(whole=mended[0], denied=mended[1])
    whole, denied = page.text[second.start : second.end], page.text[first.start : first.end]
    if not is_denied(denied) or is_denied(whole):
        return None
    return Correction(whole=_without_tail(whole), denied=_plainly(denied))


def _group(patterns: Sequence[re.Pattern[str]], page: Page, *, span: Span, name: str) -> Span | None:
    for pattern in patterns:
        match = pattern.fullmatch(page.open, span.start, span.end)
        if match is not None:
            return Span(*match.span(name))
    return None


def _pair(page: Page, old: Span, *, new: Span, is_worded: bool = True, whole: str = "") -> Correction | None:
    words_new = _without_tail(page.text[new.start : new.end])
    words_old = _without_tail(page.text[old.start : old.end])
    if not words_new or not words_old:
        return None
    if words.NO_NEW.match(fold_aligned(words_new)):
        return Correction(old=words_old, whole=whole) if whole else None
    is_worded = is_worded or _FIGURE.match(words_new) is not None
    return Correction(words_new, words_old, is_worded=is_worded, whole=whole)


def _plain(page: Page, new: Span, *, whole: Span | None, is_worded: bool) -> Correction | None:
    said = _without_tail(page.text[new.start : new.end])
    stated = _without_tail(page.text[whole.start : whole.end]) if whole else ""
    if words.NO_NEW.match(fold_aligned(said)):
        return Correction(whole=stated) if stated and not is_worded else None
    return Correction(said, is_worded=is_worded, whole=stated)


def _without_tail(text: str) -> str:
    folded = fold_aligned(text)
    tail = words.TAIL.search(folded)
    return text[: tail.start()].strip() if tail else text.strip()


def _mend(page: Page, clause: Span, *, after: Span | None) -> tuple[str, str, int] | None:
    """The statement with the new value, the one it takes back, and where both end; None where it is none."""
    for pattern in words.DENIED_BOTH:
        match = pattern.fullmatch(page.open, clause.start, clause.end)
        if match is not None:
            denied = page.text[clause.start : match.end("old")]
            return _whole(page, match, new=Span(*match.span("new"))), _plainly(denied), clause.end
    if after is None:
        return None
    for pattern in words.DENIED:
        match = pattern.fullmatch(page.open, clause.start, clause.end)
        if match is None:
            continue
        new = _group(words.IS, page, span=after, name="new")
        if new is None and not _FIGURE.match(page.open, after.start):
            return None
        denied = page.text[clause.start : clause.end]
        return _whole(page, match, new=new or after), _plainly(denied), after.end
    return None


def _whole(page: Page, match: re.Match[str], *, new: Span) -> str:
    head = page.text[match.start("head") : match.end("head")]
    value = _without_tail(page.text[new.start : new.end])
    if match.groupdict().get("short"):
        return f"{head}'s {value}"
    verb = match["verb"]
    return f"{head} {verb} {value}" if verb.isascii() else f"{head}{verb}{value}"


def _plainly(denied: str) -> str:
    """A denial without short forms: isn't -> is not."""
    return _SHORT_DENIAL.sub(lambda match: " not" if match[0][0] == "n" else " is not", denied).strip()
