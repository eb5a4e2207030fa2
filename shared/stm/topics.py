"""Topics: what the user wants left alone, and what lifts that again.

换个话题，别再提我孩子的事 / "stop bringing up my divorce" bans a topic. 可以聊离婚的事了 / "you can talk
about my divorce again" lifts it, and so does the user who returns to it. A ban of 先别, 今天 or "for now"
holds for the session; one of 以后, 再提 or "never again", and any of a sensitive topic, holds for good.
Invariant: a message that bans a topic, asks to forget it, or denies anything beside its name (没必要再提离婚,
"my divorce is off limits") is never itself taken for a return to it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Final, Literal

from shared.model.base import Value
from shared.stm.ban_bars import is_barred, refuses, refuses_talk
from shared.stm.clauses import Clause, fold_for_match, split_clauses
from shared.stm.forget_clauses import without_forgets
from shared.stm.topic_patterns import (
    ABOUT_TALK_EN,
    BAN_EN_LAST,
    BAN_ZH,
    BAN_ZH_LAST,
    BANS,
    BARE,
    BRING_UP,
    COMMANDS,
    FILLER,
    FOR_GOOD,
    FOR_NOW,
    HEAD_EN,
    HEAD_ZH,
    IN_A_TEXT,
    IS_NO_TOPIC,
    IS_NOUN,
    LASTS,
    LIFT_EN,
    LIFT_ZH,
    MOVES_ON,
    NAMED_BEFORE,
    NAMED_FIRST,
    NO_NAME,
    OF_THIS_TALK,
    OWN_THING,
    PERSON,
    PERSON_NAMED,
    TAIL_EN,
    TAIL_ZH,
    TALKED_OF,
    TELLS_OF,
)
from shared.stm.topic_words import find_sensitive_word, is_sensitive_topic, matches_topic, names_topic

_MAX_TOPIC_CHARS: Final = 40
MAX_READ_CHARS: Final = 4_000


class TopicCommand(Value):
    """A ban or its lifting; `lasting` says that a ban holds over all sessions; `quote` is the clause."""

    action: Literal["ban", "lift"]
    topic: str
    lasting: bool
    quote: str


def find_topic_commands(text: str) -> list[TopicCommand]:
    """Return the bans and liftings that a user's message states, in order.

    A question states none, but for one that asks it as a favour (能不能别再提…, "can we not talk about …?").
    """
    if not COMMANDS.may_hold(text):
        return []
    clauses = split_clauses(text)
    commands = [_read_clause(clause, clauses) for clause in clauses]
    return [command for command in commands if command is not None]


def find_returns(text: str, topics: Iterable[str]) -> list[str]:
    """Return the banned topics that the user lifts in this message, in words or by returning to them.

    A return names the topic by its own words, in a sentence that denies nothing. Who asks to forget a topic,
    or refuses to talk of what was named before, does not return to it.
    """
    commands = find_topic_commands(text)
    banned = [command.topic for command in commands if command.action == "ban"]
    lifted = [command.topic for command in commands if command.action == "lift"]
    said = _said_freely(text, commands)
    return [
        topic
        for topic in topics
        if not any(matches_topic(topic, other) or matches_topic(other, topic) for other in banned)
        and (
            any(names_topic(topic, other) or names_topic(other, topic) for other in lifted)
            or names_topic(said, topic)
        )
    ]


def bans_unnamed(text: str) -> bool:
    """Whether a message asks to leave alone for good what nothing in it names: 以后别再提这件事了.

    It is to be told so: a wish that is passed over looks like one that is kept.
    """
    if not COMMANDS.may_hold(text):
        return False
    clauses = split_clauses(text)
    if any(MOVES_ON.search(clause.folded) for clause in clauses):
        return False
    return any(_is_unnamed_ban(clause, clauses) for clause in clauses if not clause.is_question)


def _is_unnamed_ban(clause: Clause, clauses: Sequence[Clause]) -> bool:
    if FOR_GOOD.search(clause.folded) is None or IN_A_TEXT.search(clause.folded):
        return False
    for pattern in BANS:
        match = pattern.search(clause.folded)
        if match is None:
            continue
        start, end = match.end("head"), match.start("topic")
        words = fold_for_match(_without_up(match, clause.text[slice(*match.span("topic"))]))
        is_named_first = match.re in NAMED_FIRST
        barred = is_barred(clause, clauses, start=start, end=start if is_named_first else end)
        return not barred and (not words.strip() or NO_NAME.match(words) is not None)
    return False


def _said_freely(text: str, commands: Sequence[TopicCommand]) -> str:
    """Return the sentences of a text by which a user may return to a topic."""
    clauses = split_clauses(without_forgets(text))
    bans = {command.quote for command in commands if command.action == "ban"}
    if any(refuses_talk(clause.folded) and clause.text not in bans for clause in clauses):
        return ""
    denied = {clause.sentence for clause in clauses if refuses(clause.folded)}
    return " ".join(clause.text for clause in clauses if clause.sentence not in denied)


def render_topic_bans(topics: Collection[str], language: str) -> str:
    """Return the line for the prompt's head that keeps the model from banned topics, or the empty text."""
    if not topics:
        return ""
    if language == "zh":
        return f"用户不想谈以下话题，不要主动提起：{'、'.join(topics)}"
    return f"The user does not want to talk about these topics; do not bring up: {', '.join(topics)}"


def _read_clause(clause: Clause, clauses: Sequence[Clause]) -> TopicCommand | None:
    for pattern in BANS:
        match = pattern.search(clause.folded)
        if match is not None:
            ban = _read_ban(match, clause, clauses=clauses)
            if ban is not None or pattern not in NAMED_FIRST:
                return ban
    if clause.is_question:
        return None
    for pattern in (LIFT_ZH, LIFT_EN):
        match = pattern.search(clause.folded)
        if match is not None and match.lastgroup is not None and not refuses(clause.folded[: match.start()]):
            topic = clean_topic(clause.text[slice(*match.span(match.lastgroup))])
            return (
                TopicCommand(action="lift", topic=topic, lasting=False, quote=clause.text) if topic else None
            )
    return None


def _read_ban(match: re.Match[str], clause: Clause, *, clauses: Sequence[Clause]) -> TopicCommand | None:
    start, end = match.end("head"), match.start("topic")
    is_named_first = match.re in NAMED_FIRST
    if is_barred(clause, clauses, start=start, end=start if is_named_first else end):
        return None
    words = _without_up(match, clause.text[slice(*match.span("topic"))])
    named = None if NO_NAME.match(fold_for_match(words)) else clean_topic(words)
    topic = named or _topic_before(clause, clauses, head=clause.folded[:start])
    if topic is None or IS_NO_TOPIC.search(fold_for_match(topic)) or not _is_meant(match, topic=topic):
        return None
    return _ban(clause, topic) if _is_about_talk(clause.folded, topic) else None


def _without_up(match: re.Match[str], words: str) -> str:
    """Return the words of a topic without the end of its verb: bring my ex up."""
    verb = match.string[: match.start("topic")]
    return BRING_UP.sub("", words) if verb.endswith(("bring ", "bringing ")) else words


def _is_meant(match: re.Match[str], *, topic: str) -> bool:
    """Return whether what has another sense too is a ban: 别再说离婚了 is, and 别再说谎了 is none."""
    if match.re is BAN_ZH and match["bare"]:
        return is_sensitive_topic(topic)
    if match.re is BAN_EN_LAST:
        return is_sensitive_topic(topic) or ABOUT_TALK_EN.search(match[0]) is not None
    if match.re is not BAN_ZH_LAST:
        return True
    words = match["topic"].strip()
    if is_sensitive_topic(topic) or OWN_THING.match(words):
        return True
    return LASTS.search(match[0]) is not None and len(topic) > 1 and not FILLER.search(words)


def _topic_before(clause: Clause, clauses: Sequence[Clause], *, head: str) -> str | None:
    """Return what 别再提了 or "never bring it up" speaks of, where it was named just before.

    他 / "him" is the one whom the clause before names as the user's own: 我爸去世了，别再提他.
    """
    named = NAMED_BEFORE.match(head)
    if named is not None:
        return clean_topic(clause.text[slice(*named.span("topic"))])
    before = next((each for each in reversed(clauses) if each.start < clause.start), None)
    if before is None or before.is_question:
        return None
    person = PERSON.search(before.folded) if PERSON_NAMED.search(clause.folded) else None
    if person is not None:
        return before.text[slice(*_named_span(person))]
    thing = _thing_before(before) if before.sentence == clause.sentence else None
    return thing or _matter_before(before)


def _thing_before(before: Clause) -> str | None:
    """Return what a clause only names (离婚的事，…), or speaks of speaking of (我讨厌聊离婚，…)."""
    if IS_NOUN.search(before.folded):
        said = TELLS_OF.search(before.folded)
        return clean_topic(before.text[: said.start()] if said is not None else before.text)
    spoken = TALKED_OF.search(before.folded)
    return clean_topic(before.text[slice(*_named_span(spoken))]) if spoken is not None else None


def _matter_before(before: Clause) -> str | None:
    """Return what a clause tells that 别再提了 / "don't bring that up" is about: the sensitive word in it.

    I got divorced last month, don't ever bring that up. Of what is not sensitive the clause is no topic.
    """
    return find_sensitive_word(before.folded)


def _named_span(match: re.Match[str]) -> tuple[int, int]:
    """Return where the one named group that took part in a match stands."""
    return match.span(match.lastgroup or 0)


def _is_about_talk(folded: str, topic: str) -> bool:
    """Return whether a ban is about this conversation: 文案里别提竞品 and "never mention rivals" are not."""
    if IN_A_TEXT.search(folded):
        return False
    return OF_THIS_TALK.search(folded) is not None or is_sensitive_topic(topic)


def _ban(clause: Clause, topic: str) -> TopicCommand:
    for_now = FOR_NOW.search(clause.folded) is not None
    for_good = FOR_GOOD.search(clause.folded) is not None and not for_now
    lasting = for_good or is_sensitive_topic(topic)
    return TopicCommand(action="ban", topic=topic, lasting=lasting, quote=clause.text)


def clean_topic(words: str) -> str | None:
    """Return the noun of a topic without what stands around it; None where nothing is named."""
    folded = fold_for_match(words)
    end = len(folded)
    for tail in (TAIL_EN, TAIL_ZH, TAIL_EN):
        match = tail.search(folded, 0, end)
        end = match.start() if match else end
    # both patterns may be empty, so that they always match
    head = max(pattern.match(folded, 0, end).end() for pattern in (HEAD_ZH, HEAD_EN))  # type: ignore[union-attr]
    topic = words[head:end].strip(" 的\t")
    return None if fold_for_match(topic) in BARE or len(topic) > _MAX_TOPIC_CHARS else topic


class TopicPlan(Value):
    """What one message does to the bans: those it sets, and the topics whose ban it lifts.

    `is_unnamed` says that it asks for one of what it does not name.
    """

    banned: tuple[TopicCommand, ...] = ()
    lifted: tuple[str, ...] = ()
    is_unnamed: bool = False


def decide_topics(text: str, *, session: Iterable[str], standing: Iterable[str]) -> TopicPlan:
    """Return what a user's message does to the bans of its session and to the standing ones."""
    if len(text) > MAX_READ_CHARS:
        return TopicPlan()
    known = [*session, *standing]
    banned = tuple(command for command in find_topic_commands(text) if command.action == "ban")
    lifted = tuple(find_returns(text, known)) if known else ()
    return TopicPlan(banned=banned, lifted=lifted, is_unnamed=not banned and bans_unnamed(text))
