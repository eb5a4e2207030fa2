"""The single checks of the evidence gate, each with the name of its failure. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from shared.extraction import evidence_words as words
from shared.extraction.guards import asks, goes_on_given, is_for_others
from shared.extraction.items import Item
from shared.extraction.owners import is_owned_by_other
from shared.extraction.pages import Span
from shared.extraction.polarity import plain, rests_on_denied, same_bounds, same_polarity
from shared.extraction.quotes import Clause, Said
from shared.extraction.subjects import is_said_of_subject, speaks_for_user
from shared.extraction.support import all_units, content_units, digit_tokens, people_in, share_held, tokens_in
from shared.extraction.unmeant import asks_to_agree, is_called_false, is_made_up
from shared.language.dates import DateSpan, find_dates
from shared.language.numbers import PERCENT, NumberSpan, find_numbers
from shared.language.scripts import HAN, fold
from shared.ltm.schema import Schema

Reason = Literal[
    "malformed", "surplus", "unknown_message", "not_user", "not_verbatim",
    "pasted", "order", "secret", "filler", "small_talk",
    "path", "value", "label", "number", "date", "identifier", "unsupported", "subject", "negation", "doubt",
    "past", "question", "supposed", "fiction", "reported", "retracted", "once",
    "duplicate", "tombstone", "contradicted", "outranked",
]  # fmt: skip
"""Why an item is dropped; the last four are found against what is known already."""

LEAST_QUOTED: Final = 0.5
"""Share of a text's content words and numbers that stand in the quoted clauses; the rest was said
before. Half is enough only where a number of the text stands there: 最后定8套, of samples named earlier."""

_TENSES: Final = re.compile(r"了|过")
_HAN: Final = re.compile(f"[{HAN}]")


@dataclass(frozen=True)
class Case:
    """An item beside what was said: the quoted clauses, those that speak of it, the user's words so far."""

    item: Item
    said: Said
    span: Span
    clauses: Sequence[Clause]
    near: Sequence[Clause]
    held: frozenset[str]
    schema: Schema

    @cached_property
    def words(self) -> str:
        """The words of the clauses that speak of the item, folded."""
        return plain(" ， ".join(clause.text for clause in self.near))

    @cached_property
    def quote(self) -> str:
        """The quoted clauses, whole."""
        return self.said.text[
            min(self.span.start, self.clauses[0].span.start) : max(self.span.end, self.clauses[-1].span.end)
        ]


def find_question(case: Case) -> Reason | None:
    """A question states nothing; of a Chinese one only its last clause asks.

    A rule put to us with a tag (报价必须含税，对吧) is the user's rule all the same.
    """
    for clause in case.near:
        if asks(clause.page, clause.sentence, clause=clause.span):
            return "question"
        if case.item.kind != "constraint" and asks_to_agree(clause.page, clause.span):
            return "question"
        if clause.sentence.is_marked_question and not _HAN.search(clause.text):
            return "question"
    return None


def find_supposition(case: Case) -> Reason | None:
    """如果下周去不了, "suppose I earn 90k": what is supposed is not so."""
    for clause in case.near:
        sentence = clause.page.open[max(clause.sentence.start, clause.span.end - 400) : clause.span.end]
        if words.SUPPOSES.search(plain(_HALVES.split(sentence)[-1])):
            return "supposed"
    return None


def find_fiction(case: Case) -> Reason | None:
    """写个小说：主角…, test data, a text to translate: what follows is nobody's fact."""
    if any(is_made_up(each.page, each.sentence, clause=each.span) for each in case.near):
        return "fiction"
    before = plain(case.said.page.open[: case.near[-1].span.end])
    return "fiction" if words.FICTION.search(before) else None


def find_document(case: Case) -> Reason | None:
    """A pasted document is nobody's word: what follows 原文如下：, the middle of a long text."""
    text, start = case.said.text, case.near[0].span.start
    if len(text) > MAX_SPOKEN_CHARS and SPOKEN_EDGE_CHARS < start < len(text) - SPOKEN_EDGE_CHARS:
        return "pasted"
    if case.said.page.document_start < case.near[0].span.end:
        return "pasted"
    return "pasted" if words.HANDS_OVER.search(plain(text[:start])) else None


MAX_SPOKEN_CHARS: Final = 3_000
SPOKEN_EDGE_CHARS: Final = 600


def find_hearsay(case: Case) -> Reason | None:
    """听说…, "he said that": another's word, not the user's."""
    for clause in case.near:
        if is_for_others(clause.page, clause.sentence, clause=Span(clause.span.end, clause.span.end)):
            return "reported"
        if goes_on_given(clause.page, clause.sentence):
            return "reported"
        own = plain(clause.page.open[clause.span.start : clause.span.end])
        before = plain(
            clause.page.open[max(clause.sentence.start, clause.span.start - 80) : clause.span.start]
        )
        starts_anew = words.OWN_WORD.match(own) is not None and not words.ENDS_IN_SAYING.search(
            before.rstrip(" ，,：:“\"'")
        )
        if words.REPORTED.search(own) or (not starts_anew and words.REPORTED.search(before)):
            return "reported"
    return None


def find_retraction(case: Case) -> Reason | None:
    """14A, scratch that, 15C: what is taken back later in the message is not said."""
    later = fold(case.said.text[case.span.end : case.span.end + 200]).replace("’", "'")
    if words.TAKES_BACK.match(later) or _is_called_false(case):
        return "retracted"
    quote = fold(case.said.text[case.span.start : case.span.end]).replace("’", "'")
    repaired = list(words.REPAIRS.finditer(quote))
    if not repaired:
        return None
    kept = {number.canonical for number in find_numbers(quote[repaired[-1].end() :])}
    gone = {number.canonical for number in find_numbers(quote[: repaired[-1].start()])} - kept
    ours = {number.canonical for number in find_numbers(case.item.text)}
    return "retracted" if kept and ours & gone else None


def _is_called_false(case: Case) -> bool:
    """Whether the clause of the quote, or what follows, says that it is not so."""
    ends = {case.span.end, *(each.span.end for each in case.near)}
    return any(
        is_called_false(each.page, each.sentence, clause=each.span, end=end)
        for each in case.near
        for end in ends
    )


_HALVES: Final = re.compile("[;；]")


def find_other_subject(case: Case) -> Reason | None:
    """My colleague is allergic says nothing of the user; their own field is said in the first person."""
    item = case.item
    if people_in(item.text) - people_in(case.said.text):
        return "subject"
    if item.op != "remember":
        is_own = speaks_for_user(case.near, path=item.path or "") and not _is_owned_by_other(case)
        return None if is_own else "subject"
    if item.subject != "user" and not is_said_of_subject(item.subject, case.said.text):
        return "subject"
    return None if is_said_of_subject_of(case) else "subject"


def _is_owned_by_other(case: Case) -> bool:
    """Whether the words before a label of the path make its value somebody else's: 我哥的预算."""
    return any(
        label.path.path == case.item.path and is_owned_by_other(clause.text[: label.start])
        for clause in case.near
        for label in case.schema.find_folded_labels(clause.folded)
    )


def is_said_of_subject_of(case: Case) -> bool:
    """Whether every clause that speaks of the item has the subject that the item's text names."""
    return all(
        speaks_for_user([clause], of=case.item.text) or _names_subject(case, clause) for clause in case.near
    )


def _names_subject(case: Case, clause: Clause) -> bool:
    people = people_in(clause.text)
    if people:
        return bool(people & people_in(case.item.text)) or _named(case, clause)
    return _named(case, clause)


def _named(case: Case, clause: Clause) -> bool:
    """Whether the text names the one who opens the clause: "Omar can't eat shellfish"."""
    first = re.match(r"\W*([A-Z][\w'-]+)", clause.text)
    return first is not None and fold(first[1]) in fold(case.item.text)


def find_number(case: Case) -> Reason | None:
    """Every number of the text stands in the quoted clauses, with the same kind of unit."""
    if case.item.op != "remember":
        return None
    said = find_numbers(case.quote)
    return None if all(_has_number(number, said) for number in find_numbers(case.item.text)) else "number"


def _has_number(number: NumberSpan, said: Sequence[NumberSpan]) -> bool:
    return any(
        other.canonical == number.canonical and _class_of(number) in {None, _class_of(other)} | (
            {_class_of(number)} if _class_of(other) is None and not _is_money(number) else set()
        )
        for other in said
    )  # fmt: skip


_MONEY: Final = frozenset({"CNY", "USD", "EUR", "GBP", "JPY", "HKD", "TWD"})
_CLASSES: Final = {
    **dict.fromkeys(("天", "day", "days", "工作日", "日"), "day"),
    **dict.fromkeys(("周", "week", "weeks"), "week"),
    **dict.fromkeys(("个月", "month", "months"), "month"),
    **dict.fromkeys(("年", "year", "years", "岁"), "year"),
    **dict.fromkeys(("小时", "hour", "hours", "hrs"), "hour"),
    **dict.fromkeys(("分钟", "minute", "minutes", "min", "mins"), "minute"),
    **dict.fromkeys(("公斤", "千克", "斤", "kg", "kgs", "lb", "lbs", "吨", "克"), "weight"),
    **dict.fromkeys(("人", "位", "名", "people", "person", "persons", "users", "kids", "children"), "people"),
    **dict.fromkeys(("公里", "千米", "km", "mile", "miles"), "way"),
}


def _is_money(number: NumberSpan) -> bool:
    return number.unit in _MONEY


def _class_of(number: NumberSpan) -> str | None:
    """What a number measures: its currency, a share, a kind of time or weight; None for mere counts."""
    if number.unit is None:
        return None
    return number.unit if number.unit in _MONEY or number.unit == PERCENT else _CLASSES.get(number.unit)


def find_day(case: Case) -> Reason | None:
    """Every day of the text is one that the quoted clauses name, as resolved on the day of the message."""
    if case.item.op != "remember":
        return None
    said = find_dates(case.quote, today=case.said.day)
    return (
        None
        if all(_has_day(day, said) for day in find_dates(case.item.text, today=case.said.day))
        else "date"
    )


def _has_day(day: DateSpan, said: Sequence[DateSpan]) -> bool:
    return any(
        (day.start, day.end) == (other.start, other.end)
        or (
            (day.start.month, day.start.day, day.end.month, day.end.day)
            == (other.start.month, other.start.day, other.end.month, other.end.day)
            and str(day.start.year) not in day.quote
        )
        for other in said
    )


def find_identifier(case: Case) -> Reason | None:
    """Every token with digits (G102, v2.3, room B-12) stands in the quoted clauses."""
    new = digit_tokens(case.item.text) - digit_tokens(case.quote) - tokens_in(case.quote)
    return "identifier" if new else None


def find_invention(case: Case) -> Reason | None:
    """What the text claims was said: no content word of it is new, and enough of it stands in the quote."""
    claims = content_units(case.item.text)
    if claims - case.held:
        return "unsupported"
    numbers = {number.canonical for number in find_numbers(case.item.text)}
    quoted = all_units(case.quote) | content_units(case.quote) | numbers
    held = share_held(claims | numbers, quoted)
    said = plain(case.quote)
    points_back = bool(numbers) or words.POINTS_BACK.search(said) is not None
    if held < LEAST_QUOTED or (held == LEAST_QUOTED and not points_back):
        return "unsupported"
    text = plain(case.item.text)
    pairs = ((words.LIKES, words.CARES), (words.NEEDS, words.NEEDED), (words.USES, words.USED))
    if any(claim.search(text) and not cue.search(said) for claim, cue in pairs):
        return "unsupported"
    if words.NAMED.search(text) and not words.NAMED.search(said) and not words.NAMES_SELF.search(said):
        return "unsupported"
    return None


def find_denial(case: Case) -> Reason | None:
    """Yes stays yes, no stays no, and a limit stays on its side."""
    if case.item.op == "remove":
        return None
    text = case.item.text if case.item.op == "remember" else ""
    if not text:
        return None
    if words.EXCEPTS.search(case.words) and not words.EXCEPTS.search(plain(text)):
        return "negation"
    is_same = same_polarity(text, case.quote) and same_bounds(text, case.quote)
    return None if is_same and not rests_on_denied(text, plain(case.quote)) else "negation"


def find_doubt(case: Case) -> Reason | None:
    """Maybe does not become certainly, a plan not a deed, what used to be not what is."""
    text = plain(case.item.text) if case.item.op == "remember" else ""
    if words.PAST.search(case.words) and not words.PAST.search(text):
        return "past"
    if words.WAS.search(case.words) and words.IS.search(text) and not words.WAS.search(text):
        return "past"
    if words.HEDGES.search(case.words) and not words.HEDGES.search(text):
        return "doubt"
    is_plan = words.INTENDS.search(case.words) is not None
    if is_plan and words.COMPLETED.search(text) and not words.COMPLETED.search(case.words):
        return "doubt"
    is_new_plan = not is_plan and words.INTENDS.search(text) is not None
    return "doubt" if is_new_plan and words.COMPLETED.search(case.words) else None


def find_single_wish(case: Case) -> Reason | None:
    """A wish for one reply is no preference: 这次用英文回答, "just this once"."""
    if case.item.kind not in {"preference", "constraint"} or case.item.op != "remember":
        return None
    if words.USUAL.search(case.words):
        return None
    sentences = {clause.sentence.start: clause for clause in case.near}
    texts = (each.page.folded[each.sentence.start : each.sentence.end] for each in sentences.values())
    return "once" if any(words.ONCE.search(plain(text)) for text in texts) else None


TEXT_CHECKS: Final[tuple[Callable[[Case], Reason | None], ...]] = (
    find_document, find_question, find_fiction, find_supposition, find_hearsay, find_retraction,
    find_number, find_day, find_identifier, find_other_subject, find_invention,
    find_denial, find_doubt, find_single_wish,
)  # fmt: skip
