"""A message without its bans: what else it says may be found and shown while the topic is left alone.

我对花生过敏，别提我前男友的事 says something of peanuts. Cut are the words that ban, from where they begin in
their clause, and a clause that only names the topic before 别提了. Invariant: what is left stands in the text
as it was, in its order.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from shared.language.scripts import HAN
from shared.stm.clauses import fold_for_match, split_clauses
from shared.stm.topic_patterns import BAN_EN, BAN_ZH
from shared.stm.topic_words import matches_topic
from shared.stm.topics import MAX_READ_CHARS, TopicCommand, clean_topic, find_topic_commands

_MARGIN: Final = " \t\r\n，,。.；;!！?？、"
_CHANGES_SUBJECT: Final = frozenset(
    {"换个话题", "换个话题吧", "换一个话题", "let's change the subject", "change the subject", "please"}
)
_JOINT: Final = re.compile(
    rf"\s(?:and|but|so|also)\s|但是?|不过|可是|而且|另外|还有|所以|然后|(?<=[{HAN}])\s"
)


def cut_bans(text: str) -> str:
    """Return a text without the words that ban a topic; empty where it says nothing else.

    The ban itself stands in the prompt's head for as long as it holds.
    """
    if len(text) > MAX_READ_CHARS:
        return text
    bans = [command for command in find_topic_commands(text) if command.action == "ban"]
    if not bans:
        return text
    for ban in bans:
        text = _without(text, ban)
    left = text.strip(_MARGIN)
    return left if any(ch.isalnum() for ch in left) and fold_for_match(left) not in _CHANGES_SUBJECT else ""


def speaks_of_any(text: str, topics: Collection[str]) -> bool:
    """Return whether a text speaks of one of the topics."""
    return any(matches_topic(text, topic) for topic in topics)


def without_banned(text: str, topics: Collection[str]) -> str:
    """Return what may be shown of a text: all of it, what stands beside its bans of the topics, or nothing.

    The words of a ban do not speak of the topic themselves; whatever else does hides the whole text.
    """
    if not speaks_of_any(text, topics):
        return text
    left = cut_bans(text)
    return "" if left == text or speaks_of_any(left, topics) else left


def _without(text: str, command: TopicCommand) -> str:
    """Return a text without one ban, and without the clause right before it that only names its topic."""
    start = text.find(command.quote)
    if start < 0:
        return text
    end = start + len(command.quote)
    named = [clause for clause in split_clauses(text[:start]) if clause.end <= start]
    if named and command.topic not in command.quote and clean_topic(named[-1].text) == command.topic:
        start = named[-1].start
    else:
        start += _begins_at(command)
    before, after = text[:start], text[end:]
    return before + (after.lstrip(_MARGIN) if before.rstrip()[-1:] in _MARGIN else after)


def _begins_at(command: TopicCommand) -> int:
    """Return where a ban begins in its clause: after what a joint parts from it."""
    folded = fold_for_match(command.quote)
    for pattern in (BAN_ZH, BAN_EN):
        match = pattern.search(folded)
        if match is None:
            continue
        if clean_topic(command.quote[slice(*match.span("topic"))]) != command.topic:
            break
        joints = list(_JOINT.finditer(folded, 0, match.end("head")))
        return joints[-1].start() if joints else 0
    return 0
