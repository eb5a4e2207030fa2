"""The evidence gate: what a model proposes passes only if the user said it. Pure.

The quote stands word for word in a *user's* message of the batch; what the text claims stands there too:
numbers, days, names, whom it speaks of, denial and doubt. The clause as a whole must be a statement of the
user's own: no question, supposition, fiction, hearsay, pasted text, order to the model, or word taken back.
Each failure has a name. Invariant: a model decides nothing here; what passes can be read in the quote.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from shared.extraction.evidence_checks import TEXT_CHECKS, Case, Reason
from shared.extraction.evidence_values import read_item_value
from shared.extraction.filler import is_filler
from shared.extraction.items import Item
from shared.extraction.kinds import settle_kind
from shared.extraction.pages import FILLER, Span
from shared.extraction.polarity import pick_clauses
from shared.extraction.quotes import Clause, Said, clauses_of, find_quote
from shared.extraction.small_talk import is_small_talk
from shared.language.model_orders import is_hijack, is_standing_order
from shared.language.scripts import detect_language
from shared.ltm.schema import Schema

FindSecrets = Callable[[str], Sequence[tuple[int, int]]]
MASK_MARK: Final = "****"
_ADDRESS: Final = re.compile(
    r"(?:https?|ftp)://[\x21-\x7e]+|(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+", re.ASCII
)
MAX_CLAUSES: Final = 30
"""A quote of more clauses is no statement, but something that was pasted."""

_LOOSE: Final = frozenset({"fact", "event"})


@dataclass(frozen=True, slots=True)
class Batch:
    """What is extracted from: the messages, and the fields that may be proposed."""

    messages: Sequence[Said]
    schema: Schema
    find_secrets: FindSecrets

    def users(self) -> list[Said]:
        """The user's messages, in order."""
        return [said for said in self.messages if said.role == "user"]


@dataclass(frozen=True, slots=True)
class Grounded:
    """An item that passed: the value to store, the verbatim quote, the message it stands in.

    `is_flagged`: a standing order, never stored without the user; `place` orders items as they were said.
    """

    item: Item
    value: Any
    text: str
    quote: str
    said: Said
    place: tuple[int, int]
    is_flagged: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """An item that did not pass, and why."""

    item: Item
    reason: Reason


def check_evidence(item: Item, batch: Batch) -> Grounded | Refused:
    """Return the item as it may be proposed, or the first reason why it may not."""
    found = _locate(item, batch)
    if isinstance(found, str):
        return Refused(item, found)
    said, span = found
    clauses = clauses_of(said, span)
    reason = _find_foreign(item, batch, said=said, span=span, clauses=clauses)
    if reason is not None:
        return Refused(item, reason)
    item = _in_the_users_words(item, said.text[span.start : span.end])
    return _check_claims(item, batch, said=said, span=span, clauses=clauses)


def _find_foreign(
    item: Item, batch: Batch, *, said: Said, span: Span, clauses: Sequence[Clause]
) -> Reason | None:
    """Why the quote is no word of the user's about anything: an order, a secret, a courtesy, a paste."""
    quote = said.text[span.start : span.end]
    if any(is_hijack(text) for text in (quote, item.text, said.text)):
        return "order"
    if _holds_secret(item, quote, find_secrets=batch.find_secrets):
        return "secret"
    if is_filler(quote):
        return "filler"
    if not 0 < len(clauses) <= MAX_CLAUSES or _is_covered(said, span):
        return "pasted"
    words = said.text[min(span.start, clauses[0].span.start) : max(span.end, clauses[-1].span.end)]
    return "small_talk" if item.op == "remember" and _is_chatter(item, words) else None


def _check_claims(
    item: Item, batch: Batch, *, said: Said, span: Span, clauses: list[Clause]
) -> Grounded | Refused:
    quote = said.text[span.start : span.end]
    value, reason = read_item_value(item, quote, clauses=clauses, schema=batch.schema, day=said.day)
    if reason is not None:
        return Refused(item, reason)
    held = frozenset().union(*(other.units for other in batch.users() if other.number <= said.number))
    case = Case(item, said, span, clauses, pick_clauses(item, clauses), held, batch.schema)
    for check in TEXT_CHECKS:
        reason = check(case)
        if reason is not None:
            return Refused(item, reason)
    return Grounded(
        item=item,
        value=value,
        text=item.text,
        quote=quote,
        said=said,
        place=(said.number, span.start),
        is_flagged=is_standing_order(case.words) or is_standing_order(item.text),
    )


def _locate(item: Item, batch: Batch) -> tuple[Said, Span] | Reason:
    """Where the quote stands; without a number the newest message of the user's that holds it."""
    if item.message is None:
        for said in reversed(batch.users()):
            span = find_quote(said, item.quote)
            if span is not None:
                return said, span
        others = (find_quote(said, item.quote) for said in batch.messages if said.role != "user")
        return "not_user" if any(others) else "not_verbatim"
    named = next((each for each in batch.messages if each.number == item.message), None)
    if named is None:
        return "unknown_message"
    if named.role != "user":
        return "not_user"
    span = find_quote(named, item.quote)
    return "not_verbatim" if span is None else (named, span)


def _holds_secret(item: Item, quote: str, *, find_secrets: FindSecrets) -> bool:
    texts = [quote, item.text, *([item.value] if isinstance(item.value, str) else [])]
    return any(MASK_MARK in text or find_secrets(text) for text in texts)


def _is_chatter(item: Item, words: str) -> bool:
    """Whether a fact or event is claimed of mere courtesies; a wish or a rule among them is none."""
    return item.kind in _LOOSE and settle_kind(item.kind, words) in _LOOSE and is_small_talk(words)


def _is_covered(said: Said, span: Span) -> bool:
    """Whether most of the quote lies in a quotation, in code or in pasted lines."""
    kept = said.page.open[span.start : span.end].replace(FILLER, "")
    addresses = sum(len(match[0]) for match in _ADDRESS.finditer(said.text, span.start, span.end))
    return (len(kept.strip(" ，,。.:：")) + addresses) * 2 < span.end - span.start


def _in_the_users_words(item: Item, quote: str) -> Item:
    """A text in another language than the quote gives way to the quote: names stay as they were said."""
    if item.op != "remember" or detect_language(item.text) == detect_language(quote):
        return item
    return Item(
        op=item.op, quote=item.quote, kind=item.kind, value=quote, text=quote, message=item.message,
        subject=item.subject, confidence=item.confidence, origin=item.origin,
    )  # fmt: skip
