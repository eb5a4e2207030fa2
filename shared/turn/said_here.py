"""What the user has said in this session itself, for a reply without a model. Pure.

Recall leaves out what stands in the window, since the model reads it there. Where no model answers, what is
asked is looked for in the window and among the key facts here; nothing of this runs in any other turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC
from typing import Final
from zoneinfo import ZoneInfo

from shared.extraction import command_words_en as en
from shared.extraction import command_words_zh as zh
from shared.extraction.bare_forgets import read_bare_forget
from shared.extraction.pages import read_page
from shared.language.terms import QueryTerm, index_terms, query_terms
from shared.model.message import Message
from shared.model.moment import from_ms
from shared.prompts.load import Language
from shared.stm.clauses import split_clauses
from shared.stm.forget_clauses import only_asks_to_forget
from shared.stm.gone import gone_of, tells_gone
from shared.turn.context import Record
from shared.turn.plan import TurnPlan
from shared.turn.records import SPEAKERS
from shared.turn.settled import settle
from shared.turn.standing import Standing, is_banned, shown_window

MOST_QUOTED: Final = 3
MOST_READ: Final = 200
"""User messages of the window that are looked at, newest first."""


def quotes_here(plan: TurnPlan, window: Sequence[Message]) -> list[Record]:
    """Return what the user said earlier in this session that answers the question, best first, at most 3.

    Only statements answer; what is banned or forgotten is left out. A message that asks nothing is answered
    with nothing.
    """
    if not _asks(plan.message):
        return []
    asked, gone = query_terms(plan.message), gone_of(plan.view.tombstones)
    shown = shown_window(window, notes=plan.notes, topics=plan.view.topics)[:-1]
    said = [message for message in shown if message.role == "user"][-MOST_READ:]
    found: list[tuple[float, int, Message]] = []
    for message in said:
        share = 0.0 if _only_asks_to_forget(message.said) else _share(message.said, asked)
        if share and not tells_gone(message.said, gone, said_at_ms=message.received_at_ms):
            found.append((share, message.seq, message))
    best = max((share for share, _, _ in found), default=0.0)
    found = sorted((each for each in found if each[0] == best), key=lambda each: -each[1])
    return [_record(message, plan) for _, _, message in found[:MOST_QUOTED]]


def _only_asks_to_forget(said: str) -> bool:
    return only_asks_to_forget(said) or bool(read_bare_forget(read_page(said)))


def facts_here(plan: TurnPlan, quoted: Sequence[Record]) -> list[str]:
    """Return the key facts of this session that share a word with the question and are not quoted already."""
    if not _asks(plan.message):
        return []
    values = {field.path: field.value for field in plan.view.fields}
    standing = settle(
        Standing(notes=plan.notes),
        tombstones=plan.view.tombstones,
        values=values,
        schema=plan.schema,
        ended=plan.view.ended,
    )
    asked = query_terms(plan.message)
    return [
        fact.text
        for fact in standing.notes.key_facts
        if _share(fact.text, asked)
        and not is_banned(fact.text, plan.view.topics)
        and not any(fact.text in line.text for line in quoted)
    ]


def _asks(text: str) -> bool:
    return any(clause.is_question or _is_asked(clause.folded) for clause in split_clauses(text))


def _is_asked(folded: str) -> bool:
    return zh.ASKS.search(folded) is not None or en.ASKS.search(folded) is not None


def _share(text: str, asked: Sequence[QueryTerm]) -> float:
    """Return the weight of the asked terms that a text states; what it only asks does not count."""
    clauses = [each for each in split_clauses(text) if not each.is_question and not _is_asked(each.folded)]
    terms = {term for clause in clauses for term in index_terms(clause.text)}
    return sum(each.weight for each in asked if _holds(terms, each))


def _holds(terms: set[str], asked: QueryTerm) -> bool:
    return asked.term in terms or (asked.single_character and any(asked.term in term for term in terms))


def _record(message: Message, plan: TurnPlan) -> Record:
    zone = ZoneInfo(plan.notes.timezone) if plan.notes.timezone else UTC
    day = from_ms(message.created_at_ms).astimezone(zone).date().isoformat()
    language: Language = plan.language
    return Record(message.said, day, SPEAKERS[language].get("user", "user"))
