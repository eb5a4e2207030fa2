"""Key facts: the constraints and numbers of a conversation that outlive the window, word for word.

Prohibitions (不要 / must not), requirements (必须 / must), preferences and labelled values are lifted from
what the *user* said, each a verbatim slice with the message it stands in, and stay until the user revokes
them (可以用短信验证码了 / "you may use red again"). Invariants: nothing is lifted from a question, nothing
that holds a secret is lifted, and only a permission takes back a prohibition: more of the same never flips
it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final

from shared.language.model_orders import is_hijack, is_planted
from shared.language.terms import index_terms
from shared.language.tokens import estimate_tokens
from shared.model.base import Value
from shared.model.message import Message
from shared.model.session_state import FactKind, KeyFact
from shared.stm.clauses import Clause, fold_for_match, join_clauses, split_clauses, split_words
from shared.stm.fact_bars import asks_of_a_case, asks_unmarked, given_texts, is_of_others, tells_or_pleads
from shared.stm.fact_cues import (
    CLOSES_CONDITION,
    CUES,
    IS_ONCE,
    LIMIT,
    OPENS_CONDITION,
    PERMIT,
    RELEASE,
    SOME_CUE,
    is_bare,
    is_bare_reminder,
    is_said_to_memory,
)
from shared.stm.replaced import takes_place
from shared.stm.topics import find_topic_commands
from shared.stm.values import find_values, may_hold_value

__all__ = [
    "KEY_FACTS_SHARE",
    "FindSecrets",
    "KeyFact",
    "KeyFacts",
    "fit_key_facts",
    "lift_key_facts",
    "merge_key_facts",
    "no_secrets",
    "render_key_facts",
    "revoke_key_facts",
]

FindSecrets = Callable[[str], Sequence[tuple[int, int]]]
"""Returns the spans of a text that are secret (numbers of cards and ids, passwords, keys)."""

KEY_FACTS_SHARE: Final = 0.25
"""Key facts and protected spans take at most this share of the prompt's budget (rules.md 4)."""

MAX_FACTS_PER_MESSAGE: Final = 24
_MAX_FACT_CHARS: Final = 240
_FACTS_KEPT: Final = 1_024
_MAX_CONDITIONS: Final = 3
_LINE_TOKENS: Final = 6
_RANK: Final[dict[FactKind, int]] = {"prohibition": 0, "requirement": 0, "value": 1, "preference": 2}
_SAME_SHARE: Final = 0.55
"""Words with this share of a fact's terms speak of the same (the table of summaries beside the test: the same
thing from 0.57 on, another one up to 0.5)."""

_COMMAND_LEAD: Final = re.compile(
    r"^(?:请|麻烦你?|帮我)*(?:记住|记一下|记下来?)了?\s*[:：，,]\s*(?=.)"
    r"|^(?:please\s+)?(?:remember|note)(?:\s+(?:this|that))?\s*[:,]\s*(?=.)",
    re.IGNORECASE,
)
"""记住：… / "Remember: …": what is to be remembered is what follows."""

_LEAD_IN: Final = re.compile(r"^[^:：]{1,12}[:：]\s*")
_COMMA: Final = re.compile("[，,]")
_BINDING: Final[frozenset[FactKind]] = frozenset({"prohibition", "requirement"})
_MOST_CUE_HAN: Final = 4
_MOST_CUE_LETTERS: Final = 24


class KeyFacts(Value):
    """The key facts that fit, oldest first, and how many more there are."""

    facts: tuple[KeyFact, ...] = ()
    overflow: int = 0


def no_secrets(_text: str) -> Sequence[tuple[int, int]]:
    """Return no spans: for texts that were masked before."""
    return ()


def lift_key_facts(message: Message, *, find_secrets: FindSecrets = no_secrets) -> list[KeyFact]:
    """Return the key facts of a user's message in order, at most 24; others say none."""
    if message.role != "user":
        return []
    text = message.text
    folded = fold_for_match(text)
    has_cue = SOME_CUE.may_hold(folded)
    if not has_cue and not may_hold_value(folded):
        return []
    if is_planted(text):
        return []
    barred = [*find_secrets(text), *given_texts(folded)]
    facts: list[KeyFact] = []
    for clause in _standing_clauses(text):
        if any(start < clause.end and clause.start < end for start, end in barred):
            continue
        fact = _lift(clause, message.id, has_cue=has_cue)
        if fact is not None and fact not in facts and not is_hijack(fact.text):
            facts.append(fact)
    return facts[:MAX_FACTS_PER_MESSAGE]


def merge_key_facts(old: Iterable[KeyFact], new: Iterable[KeyFact], *, budget_tokens: int) -> KeyFacts:
    """Return old and new facts without doubles, the newest of a label, within a quarter of the budget.

    `budget_tokens` is the prompt's. Prohibitions and requirements are kept first, then values, then
    preferences, newest first; what does not fit is counted in `overflow`. The order is that of first saying,
    so that the block stays byte-equal while nothing changes.
    """
    facts: list[KeyFact] = []
    said: set[tuple[FactKind, str]] = set()
    for fact in (*old, *new):
        words = (fact.kind, _bare(fact.text))
        if words not in said:
            said.add(words)
            facts = _add(facts, fact)
    chosen = tuple(fit_key_facts(facts, budget_tokens=budget_tokens))
    return KeyFacts(facts=chosen, overflow=len(facts) - len(chosen))


def fit_key_facts(facts: Sequence[KeyFact], *, budget_tokens: int) -> list[KeyFact]:
    """Return the facts that fit a quarter of the prompt's budget, in their order; the gravest go first."""
    room = int(budget_tokens * KEY_FACTS_SHARE)
    kept: set[int] = set()
    for place in sorted(range(len(facts)), key=lambda place: (_RANK[facts[place].kind], -place)):
        cost = estimate_tokens(facts[place].text) + _LINE_TOKENS
        if cost <= room:
            kept.add(place)
            room -= cost
    return [fact for place, fact in enumerate(facts) if place in kept]


def revoke_key_facts(facts: Iterable[KeyFact], message: Message) -> tuple[list[KeyFact], list[KeyFact]]:
    """Return the facts that still stand after a user's message, and those that it takes back.

    A permission takes back prohibitions, a release (不用…了 / "no need to") requirements, of the same thing;
    a denial takes back what it denies, another choice (以后都用中文回答) the one before it.
    """
    remaining = list(facts)
    said = fold_for_match(message.text) if remaining else ""
    revoked: list[KeyFact] = []
    for clause in split_clauses(message.text) if message.role == "user" and remaining else ():
        if clause.is_question:
            continue
        states = not OPENS_CONDITION.search(clause.folded) and not IS_ONCE.search(clause.folded)
        gone = [
            fact
            for fact in remaining
            if fact.message_id != message.id
            and (
                _revokes(clause, fact)
                or (states and takes_place(clause.folded, fold_for_match(fact.text), message=said))
            )
        ]
        remaining = [fact for fact in remaining if fact not in gone]
        revoked += gone
    return remaining, revoked


def render_key_facts(facts: Iterable[KeyFact], language: str) -> str:
    """Return the block for the prompt's head, or the empty text; each line holds the user's own words."""
    lines = [f"- {_TITLES[language][fact.kind]}{fact.text}" for fact in facts]
    return "\n".join([_TITLES[language]["head"], *lines]) if lines else ""


_TITLES: Final[dict[str, dict[str, str]]] = {
    "zh": {
        "head": "用户说过的约束和关键信息（原话，一直有效，除非用户撤销）：",
        "prohibition": "[禁止] ",
        "requirement": "[要求] ",
        "preference": "[偏好] ",
        "value": "[信息] ",
    },
    "en": {
        "head": "Constraints and key facts the user has stated (verbatim; binding until revoked):",
        "prohibition": "[must not] ",
        "requirement": "[must] ",
        "preference": "[preference] ",
        "value": "[fact] ",
    },
}


def kind_of_clause(folded: str) -> FactKind | None:
    """Return what a folded clause is by its cue: prohibition, requirement, preference, or none of them."""
    if not SOME_CUE.may_hold(folded):
        return None
    kind = next((cue.kind for cue in CUES if cue.stands_in(folded)), None)
    if kind in _BINDING and (
        is_said_to_memory(folded) or is_bare_reminder(folded) or tells_or_pleads(folded)
    ):
        return None
    return None if kind in _BINDING and _binds_nothing(folded) else kind


def _binds_nothing(folded: str) -> bool:
    """Return whether a clause only answers: none of its parts that hold a cue says what is bound."""
    parts = [part.strip() for part in _COMMA.split(folded)]
    holding = [part for part in parts if any(cue.stands_in(part) for cue in CUES)]
    return bool(holding) and all(map(is_bare, holding))


def same_subject(words: str, fact: KeyFact) -> bool:
    """Return whether words speak of what a fact is about: most of its terms, its cue left aside."""
    core = _core_terms(_without_cue(fact))
    return bool(core) and len(core & _core_terms(words)) >= _SAME_SHARE * len(core)


def _standing_clauses(text: str) -> list[Clause]:
    """Return the clauses that may be lifted: no questions, conditions joined with what they bind."""
    joined: list[Clause] = []
    waiting: list[Clause] = []
    for clause in split_clauses(text):
        if waiting and (waiting[-1].sentence != clause.sentence or len(waiting) == _MAX_CONDITIONS):
            joined.append(join_clauses(text, waiting))
            waiting = []
        follows = bool(joined) and joined[-1].sentence == clause.sentence
        follows = follows and clause.end - joined[-1].start <= _MAX_FACT_CHARS
        closes = follows and CLOSES_CONDITION.search(clause.folded) is not None
        if not closes and OPENS_CONDITION.search(clause.folded):
            waiting.append(clause)
        elif closes and not waiting:
            joined[-1] = join_clauses(text, [joined[-1], clause])
        else:
            joined.append(join_clauses(text, [*waiting, clause]))
            waiting = []
    if waiting:
        joined.append(join_clauses(text, waiting))
    return [clause for clause in joined if not clause.is_question and len(clause.text) <= _MAX_FACT_CHARS]


_ONE_WORD: Final = re.compile(r"\s*[a-z'-]+[\s.!]*")
"""A cue alone says of nothing that it is so: allergic."""


def _lift(clause: Clause, message_id: str, *, has_cue: bool) -> KeyFact | None:
    kind = _kind_of(clause) if has_cue else None
    values = find_values(clause.text)
    label = values[0].label if values else None
    if kind is None and values and OPENS_CONDITION.search(clause.folded) is None:
        kind = "requirement" if LIMIT.search(clause.folded) else "value"
    if kind is None or is_of_others(clause.folded, kind) or _ONE_WORD.fullmatch(clause.folded):
        return None
    if OPENS_CONDITION.search(clause.folded) and asks_of_a_case(clause.folded):
        return None
    text = _COMMAND_LEAD.sub("", clause.text, count=1)
    return KeyFact(kind=kind, label=label, text=text, message_id=message_id)


def _kind_of(clause: Clause) -> FactKind | None:
    kind = kind_of_clause(clause.folded)
    if kind is not None and asks_unmarked(clause.folded, cue=_cue_of(clause.folded, kind)):
        return None
    if kind == "prohibition" and find_topic_commands(clause.text):
        return None
    return None if kind == "preference" and IS_ONCE.search(clause.folded) else kind


def _cue_of(folded: str, kind: FactKind) -> int:
    """Return where the binding cue begins; what only prefers depends on no word, and its end is returned."""
    cues = (cue.pattern.search(folded) for cue in CUES if cue.kind == kind and kind in _BINDING)
    return min((match.start() for match in cues if match is not None), default=len(folded))


def _add(facts: list[KeyFact], fact: KeyFact) -> list[KeyFact]:
    """Return the facts with one more; a value replaces the one of its label."""
    if fact.label is None:
        return [*facts, fact]
    alike = [other for other in facts if _may_be_older_of(other, fact)]
    labels = _labels(fact) if alike else frozenset()
    older = [other for other in alike if _labels(other) <= labels]
    return [*(other for other in facts if other not in older), fact]


def _may_be_older_of(other: KeyFact, fact: KeyFact) -> bool:
    """Return whether a fact of a later message may set all that the other one says."""
    return other.label == fact.label and other.kind == fact.kind and other.message_id != fact.message_id


def _labels(fact: KeyFact) -> frozenset[str | None]:
    return _labels_of(fact.text)


@lru_cache(maxsize=_FACTS_KEPT)
def _labels_of(text: str) -> frozenset[str | None]:
    """Labels of a fact: facts stand for many messages, and each of these is compared with all of them."""
    return frozenset(value.label for value in find_values(text))


def _bare(text: str) -> str:
    return "".join(ch for ch in fold_for_match(text) if ch.isalnum())


def _revokes(clause: Clause, fact: KeyFact) -> bool:
    pattern = {"prohibition": PERMIT, "requirement": RELEASE}.get(fact.kind)
    match = pattern.search(clause.folded) if pattern else None
    if match is None or fact.text == clause.text:
        return False
    named = _core_terms(" ".join(part for part in match.groupdict().values() if part))
    core = _core_terms(_without_cue(fact))
    shared = named & core
    return bool(shared) and len(shared) >= _SAME_SHARE * min(len(named), len(core))


def _without_cue(fact: KeyFact) -> str:
    """Return a fact without the words that bind and what leads in (规则：, "Rules:").

    A cue that spans its object (对花生过敏) stays.
    """
    folded = _LEAD_IN.sub("", fold_for_match(fact.text))
    for cue in CUES:
        folded = cue.pattern.sub(_blank_if_short, folded)
    return folded


def _blank_if_short(match: re.Match[str]) -> str:
    most = _MOST_CUE_LETTERS if match[0].isascii() else _MOST_CUE_HAN
    return " " if len(match[0]) <= most else match[0]


def _core_terms(words: str) -> set[str]:
    return {term for term in index_terms(words) if term not in _IDLE_TERMS}


_IDLE_TERMS: Final = frozenset(
    split_words(
        "a an the to of in on for my our your it is are be again now any more after all not do don use",
        "please you we can may 了 的 再 用 要 就 也 可以 以用 重新 新用 现在 在可 不要 要用",
    )
)
