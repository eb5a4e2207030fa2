"""What a model's summary must stand up to before it is stored.

Every number, date, id and proper name of it stands in what was summarised or in the former summary, and a
constraint or preference stands there with most of its words; lengths are bounded; no prohibition or
requirement in it is softened, negated or left out. What fails is cut out or put back word for word (a
repair); a summary of which nothing is left is refused, and the messages stay where they are. Invariant:
what passes holds every span word for word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Final, Literal

from shared.language.dates import DateSpan, find_dates
from shared.language.model_orders import claims_memory_work, is_hijack, is_planted
from shared.language.names import COMMON_WORDS, find_names
from shared.language.numbers import find_numbers
from shared.language.terms import index_terms
from shared.model.base import Value
from shared.model.message import Message
from shared.model.session_state import LISTS, KeyFact, Summary
from shared.stm.clauses import fold_for_match, split_clauses
from shared.stm.gone import cut_summary
from shared.stm.key_facts import (
    FindSecrets,
    kind_of_clause,
    lift_key_facts,
    merge_key_facts,
    no_secrets,
    same_subject,
)
from shared.stm.polarity import Claim, is_turned_round, read_claims
from shared.stm.summary import bound_summary
from shared.stm.values import find_spans, find_values

Repair = Literal["number", "date", "id", "name", "softened", "negated", "unsaid", "span", "length"]
Refusal = Literal["empty", "refused", "unsupported"]

SAID_SHARE: Final = 0.3
"""A constraint or preference stands only where this share of its terms was said (the table beside the test:
honest ones from 0.33 on, invented ones up to 0.25)."""

_SOFTENS: Final = re.compile(
    r"最好|尽量|可以|可能|考虑|建议|倾向|希望|也许|或许|应该|视情况"
    r"|\b(?:may|might|could|can|should|ideally|prefer(?:s|red|ably)?|consider|try|possibly|perhaps|fine|ok|okay"
    r"|allowed|optional|suggest(?:s|ed)?|likes?)\b"
)
_UNBOUND: Final = tuple(name for name in LISTS if name != "constraints")
_YEAR: Final = re.compile(r"\d{4}|年")
_LONG_DIGITS: Final = re.compile(r"\d{40,}")
_MAX_SOURCE_CHARS: Final = 20_000
_EPOCH: Final = date(2000, 1, 1)
_REFUSES: Final = re.compile(
    r"^(?:抱歉|对不起|很遗憾|我无法|我不能|作为(?:一个)?(?:ai|人工智能|语言模型)|无法(?:提供|总结|完成))"
    r"|^(?:i'm sorry|sorry|i am sorry|i cannot|i can't|i am unable|i'm unable|as an ai|unfortunately)"
)
_PIECE: Final = re.compile(r"[^。！？!?；;\n]+?(?:[。！？!?；;\n]+|\.(?=\s|$)|$)")


class SummaryCheck(Value):
    """A summary that may be stored, or None with the reasons; `repairs` has an entry for each mend."""

    summary: Summary | None
    repairs: tuple[Repair, ...] = ()
    refusals: tuple[Refusal, ...] = ()


@dataclass(frozen=True)
class _Sources:
    """What a summary may name: the folded texts, and (read when first asked for) their numbers and days."""

    texts: tuple[str, ...]
    text: str

    @cached_property
    def numbers(self) -> frozenset[str]:
        return frozenset(number.canonical for text in self.texts for number in find_numbers(text))

    @cached_property
    def claims(self) -> list[Claim]:
        return read_claims(self.texts)

    @cached_property
    def days(self) -> frozenset[tuple[date, date]]:
        found = (day for text in self.texts for day in find_dates(text, today=_EPOCH))
        return frozenset((day.start, day.end) for day in found)

    @cached_property
    def yearless(self) -> frozenset[tuple[int, int, int, int]]:
        return frozenset(_without_year(days) for days in self.days)


def protected_spans(
    messages: Iterable[Message], *, budget_tokens: int, find_secrets: FindSecrets = no_secrets
) -> list[KeyFact]:
    """Return what of the messages must be carried word for word: constraints and labelled values, bounded.

    The bound is that of key facts: a quarter of `budget_tokens`, the prompt's.
    """
    lifted = [fact for message in messages for fact in lift_key_facts(message, find_secrets=find_secrets)]
    return list(merge_key_facts((), lifted, budget_tokens=budget_tokens).facts)


def check_summary(
    summary: Summary, sources: Sequence[Message], *, spans: Sequence[KeyFact], former: Summary | None = None
) -> SummaryCheck:
    """Return the summary with what is unsupported cut out and every span put in, or why it is refused."""
    if summary.is_empty:
        return SummaryCheck(summary=None, refusals=("empty",))
    if any(_REFUSES.search(fold_for_match(words)) for words in (summary.text, summary.goal)):
        return SummaryCheck(summary=None, refusals=("refused",))
    mender = _Mender(_read_sources(sources, spans=spans, former=former), spans)
    mended = cut_summary(_without_planted(mender.mend(summary)), _is_no_record)
    if mended.is_empty:
        return SummaryCheck(summary=None, repairs=tuple(mender.repairs), refusals=("unsupported",))
    bounded = bound_summary(mended)
    repairs = list(mender.repairs)
    if bounded.text != mended.text:
        repairs.append("length")
    carried = _carry(bounded, spans, repairs=repairs)
    return SummaryCheck(summary=carried, repairs=tuple(repairs))


def _without_planted(summary: Summary) -> Summary:
    """Return a summary without a text that plants an answer: its clauses say it only together."""
    return summary.model_copy(update={"text": ""}) if is_planted(summary.text) else summary


def _is_no_record(text: str) -> bool:
    return is_hijack(text) or claims_memory_work(text)


def _read_sources(
    messages: Sequence[Message], *, spans: Sequence[KeyFact], former: Summary | None
) -> _Sources:
    texts = [message.said for message in messages] + [span.text for span in spans]
    texts += former.phrases() if former else []
    short = tuple(_LONG_DIGITS.sub(" ", text[:_MAX_SOURCE_CHARS]) for text in texts)
    return _Sources(texts=short, text=fold_for_match("\n".join(texts)))


class _Mender:
    """Cuts out of a summary what its sources do not bear, and notes each repair."""

    def __init__(self, sources: _Sources, spans: Sequence[KeyFact]) -> None:
        self.sources = sources
        self.binding = [span for span in spans if span.kind in {"prohibition", "requirement"}]
        self.repairs: list[Repair] = []

    def mend(self, summary: Summary) -> Summary:
        pairs = {
            label: value for label, value in summary.confirmed.items() if self.stands(f"{label} {value}")
        }
        lists = {name: tuple(filter(self.stands, getattr(summary, name))) for name in _UNBOUND}
        lists["constraints"] = tuple(filter(self.binds, summary.constraints))
        for name in ("constraints", "preferences"):
            lists[name] = tuple(filter(self.was_said, lists[name]))
        goal = summary.goal if self.stands(summary.goal) else ""
        text = "".join(piece[0] for piece in _PIECE.finditer(summary.text) if self.stands(piece[0]))
        return summary.model_copy(update={"goal": goal, "confirmed": pairs, "text": text.strip(), **lists})

    def stands(self, phrase: str, *, in_constraints: bool = False) -> bool:
        """Return whether the sources bear what a phrase says, and note the repair where they do not."""
        fault = _find_fault(phrase, self.sources)
        if fault is None and self.softens(phrase, in_constraints=in_constraints):
            fault = "softened"
        if fault is None and any(
            is_turned_round(claim, self.sources.claims) for claim in read_claims([phrase])
        ):
            fault = "negated"
        if fault is not None:
            self.repairs.append(fault)
        return fault is None

    def binds(self, phrase: str) -> bool:
        """Return whether a phrase stands among the constraints: there it binds without a word for it."""
        return self.stands(phrase, in_constraints=True)

    def was_said(self, item: str) -> bool:
        """Return whether enough of an item's terms stands in the sources, and note it if not."""
        terms = set(index_terms(item))
        said = sum(term in self.sources.text for term in terms)
        if said < SAID_SHARE * len(terms):
            self.repairs.append("unsaid")
            return False
        return True

    def softens(self, phrase: str, *, in_constraints: bool) -> bool:
        """Return whether a phrase speaks of what a span binds, without binding as that does."""
        for clause in split_clauses(phrase):
            kind = kind_of_clause(clause.folded)
            if in_constraints and kind is None and not _SOFTENS.search(clause.folded):
                kind = "requirement"
            if any(span.kind != kind and same_subject(clause.text, span) for span in self.binding):
                return True
        return False


def _find_fault(phrase: str, sources: _Sources) -> Repair | None:
    """Return the first kind of thing that a phrase names and the sources do not."""
    for number in find_numbers(phrase):
        if not _stands_whole(number.quote, sources.text) and number.canonical not in sources.numbers:
            return "number"
    for day in find_dates(phrase, today=_EPOCH):
        if not _bears_day(day, sources):
            return "date"
    for quote, kind in find_spans(phrase):
        if kind == "id" and not _stands_whole(quote, sources.text):
            return "id"
    return "name" if any(not _bears_name(name, sources.text) for name in find_names(phrase)) else None


def _bears_day(day: DateSpan, sources: _Sources) -> bool:
    """Return whether the sources name a day: as written, as the same days, or without the year."""
    days = (day.start, day.end)
    if fold_for_match(day.quote) in sources.text or days in sources.days:
        return True
    return _YEAR.search(day.quote) is None and _without_year(days) in sources.yearless


def _without_year(days: tuple[date, date]) -> tuple[int, int, int, int]:
    first, last = days
    return first.month, first.day, last.month, last.day


def _stands_whole(quote: str, text: str) -> bool:
    """Return whether a quote stands in a text and is not a part of a longer number or word there."""
    return re.search(rf"(?<![\da-z]){re.escape(fold_for_match(quote))}(?![\da-z])", text) is not None


def _bears_name(name: str, text: str) -> bool:
    folded = fold_for_match(name)
    return folded in text or all(word in COMMON_WORDS or _stands_whole(word, text) for word in folded.split())


def _carry(summary: Summary, spans: Sequence[KeyFact], *, repairs: list[Repair]) -> Summary:
    """Return the summary with every span in it word for word; what says the same in other words gives way."""
    held = {"constraints": list(summary.constraints), "preferences": list(summary.preferences)}
    confirmed = dict(summary.confirmed)
    before = len(repairs)
    for span in spans:
        if span.kind == "value":
            for value in find_values(span.text):
                label = value.label or value.quote
                repairs += ["span"] if confirmed.get(label) != value.quote else []
                confirmed[label] = value.quote
            continue
        items = held["preferences" if span.kind == "preference" else "constraints"]
        if span.text not in items:
            items[:] = [item for item in items if not same_subject(item, span)]
            items.append(span.text)
            repairs.append("span")
    if len(repairs) == before:
        return summary
    lists = {name: tuple(items) for name, items in held.items()}
    return summary.model_copy(update={**lists, "confirmed": confirmed})
