"""The reply when no model answers: what memory holds, in the user's language, and nothing more. Pure.

It says first that no model is reachable, then names what this turn has stored, what the user has
confirmed, and what was said before, word for word with its date. It never infers and never invents.
Users' words are joined as they are: no template runs over them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, Protocol

from shared.language.terms import QueryTerm, index_terms, query_terms
from shared.prompts.load import load_prompt
from shared.text import ends_of

Language = Literal["zh", "en"]

MAX_RECALLED = 5
MAX_FACTS = 8
_READ_CHARS = 4_000

_ASKS = re.compile(r"([?？]|[吗呢么])[\s)）”」\"']*$")
_COLONS: dict[Language, str] = {"zh": "：", "en": ": "}


class RecalledLine(Protocol):
    """A recalled row as a reply shows it: its words, the day, who said them, what became of them since."""

    @property
    def text(self) -> str: ...

    @property
    def day(self) -> str: ...

    @property
    def speaker(self) -> str: ...

    @property
    def note(self) -> str: ...


def fallback_reply(
    message: str,
    *,
    language: Language,
    facts: Sequence[str],
    recalled: Sequence[RecalledLine],
    applied: Sequence[str] | None,
    question: str | None,
) -> str:
    """Return the reply to `message` from memory alone.

    `facts` and `applied` are lines of label and value; of `facts` those that share a word with the message
    come first, at most 8; `applied` is None where the message commanded something that stores nothing ("can
    you forget …?"): that is told elsewhere, and asks nothing. `recalled` is best first, of which 5 are
    quoted. `question` is a question of ours and becomes the last paragraph; None for none.
    """
    stored = applied or ()
    known = [fact for fact in _related_first(message, facts) if fact not in stored][:MAX_FACTS]
    quotes = [_quote(line, language) for line in recalled[:MAX_RECALLED]]
    sections = [
        load_prompt(language, "fallback_intro"),
        _listed(load_prompt(language, "stored"), stored),
        _listed(load_prompt(language, "fallback_facts"), known),
        _listed(load_prompt(language, "fallback_recalled"), quotes),
    ]
    if not (stored or known or quotes):
        if applied is not None and _ASKS.search(message):
            sections.append(load_prompt(language, "fallback_nothing"))
        sections.append(load_prompt(language, "fallback_kept"))
    sections.append(question or "")
    return "\n\n".join(section for section in sections if section)


def answer_reply(answer: str, *, language: Language, recalled: Sequence[RecalledLine]) -> str:
    """Return the reply to a question of what is held: its answer, and of `recalled`, best first, 5 quotes.

    Also the one to what is not to be kept, with an empty answer: it says nothing of the message.
    """
    quotes = [_quote(line, language) for line in recalled[:MAX_RECALLED]]
    sections = [
        load_prompt(language, "fallback_intro"),
        answer,
        _listed(load_prompt(language, "fallback_recalled"), quotes),
    ]
    return "\n\n".join(section for section in sections if section)


def related_to(message: str, lines: Sequence[str]) -> list[str]:
    """Return the lines that share a word with the message."""
    asked = query_terms(ends_of(message, _READ_CHARS))
    return [line for line in lines if any(_holds(index_terms(line), term) for term in asked)]


def _holds(terms: Sequence[str], asked: QueryTerm) -> bool:
    return any(asked.term == term or (asked.single_character and asked.term in term) for term in terms)


def _listed(title: str, lines: Sequence[str]) -> str:
    return "\n".join([title, *(f"- {line}" for line in lines)]) if lines else ""


def _quote(line: RecalledLine, language: Language) -> str:
    note = f" ({line.note})" if line.note else ""
    return f"[{line.day}] {line.speaker}{_COLONS[language]}“{line.text}”{note}"


def _related_first(message: str, facts: Sequence[str]) -> list[str]:
    asked = {term.term: term.weight for term in query_terms(ends_of(message, _READ_CHARS))}
    shared = [sum(asked.get(term, 0.0) for term in set(index_terms(fact))) for fact in facts]
    order = sorted(range(len(facts)), key=lambda place: -shared[place])
    return [facts[place] for place in order]
