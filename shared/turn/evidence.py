"""What is held of what the user asks about: where a fact comes from, and all that is known of them. Pure.

A question of source (你怎么知道我对花生过敏, "how do you know that I live in Porto?") is answered with the
quote, date and session of the field or the memory that it names, or with the word that there is none; never
with another one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from shared.extraction.known_questions import asks_all_known
from shared.extraction.sources import asked_fact, asked_sources, asks_source
from shared.language.attributes import read_attribute
from shared.language.scripts import fold
from shared.language.terms import index_terms, query_terms
from shared.ltm.field_values import show_value
from shared.ltm.schema import Schema
from shared.model.memory import FieldVersion, Memory, Source
from shared.model.moment import from_ms
from shared.prompts.load import Language, fill_prompt, load_prompt
from shared.turn.standing import is_banned

MOST_SHOWN: Final = 5
MOST_FIELDS: Final = 20
MOST_MEMORIES: Final = 20
MOST_COMPARED: Final = 500
LEAST_SHARE: Final = 0.6
"""The share of a question's words that a memory must say to be what it asks about."""

LEAST_TOLD: Final = 0.5
"""The share of a memory's words that a reply says which tells it."""

MOST_CHARS: Final = 4_000
"""Characters of a reply that are read."""

_OPEN: Final = ("哪", "什么", "谁", "几", "多少", "where ", "what ", "who ", "which ", "when ", "how ")


@dataclass(frozen=True, slots=True)
class Held:
    """What long-term memory holds, for a turn that asks about it; `topics` are not spoken of.

    `last_reply` is the assistant's right before the message: a bare "how do you know?" is about it.
    """

    fields: Sequence[FieldVersion]
    memories: Sequence[Memory]
    schema: Schema
    language: Language
    now: datetime
    topics: Sequence[str] = ()
    last_reply: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What answers the question: lines, a title for a reply without a model, and a note for the model."""

    lines: tuple[str, ...] = ()
    title: str = ""
    note: str = ""

    @property
    def paragraph(self) -> str:
        """The answer where no model gives one; empty where nothing was asked, or nothing is known of it."""
        return "\n".join([self.title, *(f"- {line}" for line in self.lines)]) if self.lines else self.title


NOT_ASKED: Final = Evidence()


def asks_what_is_held(text: str) -> bool:
    """True where a message asks what memory holds, or how it came to; costs a look for their words."""
    return asks_source(text) or asks_all_known(text)


def find_evidence(text: str, held: Held) -> Evidence:
    """Return what is held of what a message asks about; empty for a message that asks for none of it."""
    language = held.language
    if asks_all_known(text):
        lines = _all_lines(held)
        if not lines:
            return NOT_ASKED
        title, note = load_prompt(language, "known"), load_prompt(language, "known_note")
        return Evidence(tuple(lines), title, note)
    paths = asked_sources(text, schema=held.schema)
    if paths is None:
        return NOT_ASKED
    fact = asked_fact(text)
    fields = [field for field in held.fields if field.path in paths or not (paths or fact)]
    meant = [] if paths or fact else told_in(held.last_reply, held)
    if meant:
        fields = [field for field in fields if _value(field, held) in held.last_reply]
    elif fact and not fields:
        meant = find_meant(fact, held.memories)
    lines = [_field_evidence(field, held) for field in fields]
    lines += [_evidence(each.text, each.source, at_ms=each.created_at_ms, held=held) for each in meant]
    lines = lines[:MOST_SHOWN]
    if lines:
        title = load_prompt(language, "fallback_facts")
        return Evidence(tuple(lines), title, load_prompt(language, "evidence_note"))
    if not fact or any(word in f"{fold(fact)} " for word in _OPEN):
        return NOT_ASKED
    unheld = fill_prompt(language, "evidence_none", gaps={"asked": fact})
    return Evidence((), unheld, unheld)


def find_meant(fact: str, memories: Sequence[Memory]) -> list[Memory]:
    """Return the memories that tell a fact, those that share most of its words first."""
    asked = {term.term for term in query_terms(fact)}
    attribute = read_attribute(fold(fact))
    shares: list[tuple[float, Memory]] = []
    for memory in memories:
        said = set(index_terms(memory.text))
        share = sum(_is_said(term, said) for term in asked) / len(asked) if asked else 0.0
        if attribute is not None and attribute.is_told_in(fold(memory.text)):
            share = 1.0
        if share >= LEAST_SHARE:
            shares.append((share, memory))
    best = max((share for share, _ in shares), default=0.0)
    return [memory for share, memory in shares if share == best]


def told_in(reply: str, held: Held) -> list[Memory]:
    """Return the memories that a reply tells, at least in half of their words; of banned topics none."""
    said = set(index_terms(reply[:MOST_CHARS]))
    return [
        memory
        for memory in held.memories
        if _share_said(memory.text, said) >= LEAST_TOLD and not is_banned(memory.text, held.topics)
    ]


def _share_said(text: str, said: set[str]) -> float:
    terms = {term.term for term in query_terms(text)}
    return len(terms & said) / len(terms) if terms else 0.0


def _is_said(term: str, said: set[str]) -> bool:
    return term in said or (len(term) == 1 and any(term in each for each in said))


def _all_lines(held: Held) -> list[str]:
    fields = [_dated(_shown(field, held), field.valid_from_ms, held=held) for field in held.fields]
    fields = [line for line in fields if not is_banned(line, held.topics)]
    memories = [memory for memory in held.memories if not is_banned(memory.text, held.topics)]
    lines = [_dated(memory.text, memory.created_at_ms, held=held) for memory in memories[:MOST_MEMORIES]]
    left = max(0, len(fields) - MOST_FIELDS) + max(0, len(memories) - MOST_MEMORIES)
    more = fill_prompt(held.language, "known_more", gaps={"count": str(left)})
    return [*fields[:MOST_FIELDS], *lines, *([more] if left else [])]


def _dated(line: str, at_ms: int, *, held: Held) -> str:
    gaps = {"line": line, "date": _day(at_ms, held)}
    return fill_prompt(held.language, "known_line", gaps=gaps)


def _day(at_ms: int, held: Held) -> str:
    return from_ms(at_ms).astimezone(held.now.tzinfo).date().isoformat()


def _shown(field: FieldVersion, held: Held) -> str:
    colon = "：" if held.language == "zh" else ": "
    return f"{held.schema.find(field.path).label(held.language)}{colon}{_value(field, held)}"


def _value(field: FieldVersion, held: Held) -> str:
    return show_value(held.schema.find(field.path), field.value, language=held.language)


def _field_evidence(field: FieldVersion, held: Held) -> str:
    return _evidence(_shown(field, held), field.source, at_ms=field.valid_from_ms, held=held)


def _evidence(line: str, source: Source, *, at_ms: int, held: Held) -> str:
    session = source.session_id or "-"
    if source.is_deleted:
        session = fill_prompt(held.language, "deleted_session", gaps={"session": session})
    gaps = {
        "line": line,
        "date": _day(at_ms, held),
        "session": session,
        "quote": source.quote or "-",
    }
    return fill_prompt(held.language, "evidence", gaps=gaps)
