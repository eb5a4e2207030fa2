"""Forgetting what was only said and never kept: 把我前妻的事全部忘掉, "forget everything about my ex-wife".

The sentences of the user's messages that speak of the topic, and of the replies that echo it, leave index and
recall; they and its names leave tombstones, so that no summary, digest or proposal tells them. One message is
forgotten at once, several are counted, listed and asked about. What sessions hold is `redact`'s.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

from shared.extraction.commands import Command
from shared.extraction.said_before import read_said_before
from shared.extraction.spoken import Topic, read_topic
from shared.ltm.edit import Why, bury_text, forget_quotes, remove_memory
from shared.ltm.field_edit import bury
from shared.model.memory import Memory, Source
from shared.model.turn import CommandOutcome
from shared.ports.ltm import LtmWriter, MemoryFilter, PendingFilter
from shared.stm.ban_cuts import cut_bans
from shared.turn.forgetting import (
    CONFIRM_FORGET,
    MOST_ASKED_ABOUT,
    MOST_COMPARED,
    MOST_LISTED,
    SEVERAL,
    ForgetChoice,
    Forgotten,
    asked_which,
    is_of_days,
    may_be_other,
    memories_named,
    tells_beside,
)
from shared.turn.said_of import Heard, Redaction, Utterance, find_said, spans_of

MOST_BURIED: Final = 30
_MOST_SHOWN_CHARS: Final = 80
_EVERYTHING: Final = re.compile(
    r"全部|所有|一切|彻底|全都|都|的事|有关|关于|\b(?:everything|anything|all|whatever)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Found:
    """What there is of a topic: memories, and what was said of it; on named days where `is_dated`."""

    topic: Topic
    memories: Sequence[Memory]
    said: Sequence[Utterance]
    is_dated: bool = False

    @property
    def stated(self) -> list[Utterance]:
        """The user's messages that tell something of it, but those that a memory of it came from."""
        sources = {message_id for memory in self.memories for message_id in memory.source.message_ids}
        said = [each for each in self.said if each.is_user and each.message_id not in sources]
        return [each for each in said if self.told_by(each)]

    def told_by(self, said: Utterance) -> list[str]:
        """Return what a message of the user's tells of it; that it be left alone tells nothing."""
        return self.topic.states(cut_bans(said.text), goes_on=said.goes_on)

    @property
    def ids(self) -> tuple[str, ...]:
        return (*(memory.id for memory in self.memories), *(each.message_id for each in self.stated))

    @property
    def whole(self) -> list[str]:
        """All that would go with it: the memories, and what its messages tell of it."""
        told = ("".join(self.told_by(each)).strip() for each in self.stated)
        return [*(memory.text for memory in self.memories), *told]

    @property
    def texts(self) -> list[str]:
        """What it would forget, one line each."""
        kept = len(self.memories)
        shown = (
            text if len(text) <= _MOST_SHOWN_CHARS else f"{text[:_MOST_SHOWN_CHARS]}…"
            for text in self.whole[kept:]
        )
        return [*self.whole[:kept], *shown]


def means_everything(command: Command) -> bool:
    """Whether a command asks to forget all there is of a thing, not one memory of it."""
    return _EVERYTHING.search(command.quote) is not None


def forget_said(
    writer: LtmWriter, command: Command, *, heard: Heard, why: Why, mask_text: Callable[[str], str]
) -> Forgotten | None:
    """Forget what was said of the thing that a command names, or ask about it; None where nothing was."""
    found = _find(writer, command.text, heard=heard, why=why, mask_text=mask_text)
    if found is None or not found.ids:
        return None
    if len(found.ids) > MOST_ASKED_ABOUT:
        refused = {"outcome": "refused", "reason": SEVERAL, "new": command.text}
        return Forgotten(CommandOutcome(kind="forget").model_copy(update=refused))
    if len(found.ids) > 1 or found.is_dated or any(_asks_first(text, command) for text in found.whole):
        return _asked(command.text, found)
    return _forget(writer, found, target=command.text, chosen=found.ids, heard=heard, why=why)


def _asks_first(text: str, command: Command) -> bool:
    return tells_beside(text, command.text) or may_be_other(text, command)


def ask_said(
    writer: LtmWriter, name: str, *, heard: Heard, why: Why, mask_text: Callable[[str], str]
) -> Forgotten | None:
    """Ask about a bare name that may be to be forgotten; None where nothing was said of it."""
    found = _find(writer, name, heard=heard, why=why, mask_text=mask_text)
    return _asked(name, found) if found is not None and 0 < len(found.ids) <= MOST_ASKED_ABOUT else None


def forget_chosen_said(
    writer: LtmWriter,
    target: str,
    *,
    chosen: Collection[str],
    heard: Heard,
    why: Why,
    mask_text: Callable[[str], str],
) -> Forgotten | None:
    """Forget what an answer picked of what was listed for a target; None where nothing of it is left."""
    found = _find(writer, target, heard=heard, why=why, mask_text=mask_text)
    if found is None or not set(found.ids) & set(chosen):
        return None
    return _forget(writer, found, target=target, chosen=chosen, heard=heard, why=why)


def _find(
    writer: LtmWriter, target: str, *, heard: Heard, why: Why, mask_text: Callable[[str], str]
) -> _Found | None:
    """Return what there is of a target; where it is called by when it was said, what is of those days."""
    before = read_said_before(target, today=why.at.date())
    thing, days = (before.thing, before.days) if before is not None else (target, None)
    topic = read_topic(thing)
    if topic is None:
        return None
    named, said = find_said(writer, topic, heard=heard, mask_text=mask_text)
    meant = {memory.id for memory in memories_named(writer, target)}
    found = writer.memories(MemoryFilter(limit=MOST_COMPARED))
    memories = [each for each in found if each.id in meant or named.is_told(each.text)]
    return _Found(
        named,
        [each for each in memories if is_of_days(days, each.created_at_ms, why=why)],
        [each for each in said if is_of_days(days, each.at_ms, why=why)],
        is_dated=days is not None,
    )


def _asked(target: str, found: _Found) -> Forgotten:
    of_one = (
        asked_which(target, found.memories, path=None) if len(found.ids) == len(found.memories) == 1 else None
    )
    if of_one is not None and of_one.choice is not None and of_one.choice.rest:
        return of_one
    choice = ForgetChoice(target=target, ids=found.ids, texts=tuple(found.texts[:MOST_LISTED]), is_said=True)
    reason = SEVERAL if len(found.ids) > 1 else CONFIRM_FORGET
    waits = CommandOutcome(kind="forget", outcome="pending", reason=reason, new=target)
    return Forgotten(waits, choice=choice)


def _forget(
    writer: LtmWriter, found: _Found, *, target: str, chosen: Collection[str], heard: Heard, why: Why
) -> Forgotten:
    is_whole = set(found.ids) <= set(chosen)
    message_ids: list[str] = []
    for memory in found.memories:
        if memory.id in chosen:
            message_ids += remove_memory(writer, memory, why=why)
    said = [each for each in found.said if is_whole or each.message_id in chosen]
    for each in said:
        _forget_in(writer, each, topic=found.topic, why=why)
    told = [sentence.strip() for each in said if each.is_user for sentence in found.told_by(each)]
    for text in (*told[:MOST_BURIED], *(found.topic.names if is_whole else ())):
        bury_text(writer, text, why=why)
    if is_whole:
        _end_rest(writer, found.topic, why=why)
    writer.delete_digests()
    message_ids += [each.message_id for each in said]
    sessions = dict.fromkeys((heard.session_id, *(each.session_id for each in said)))
    redaction = Redaction(
        topic=found.topic,
        session_ids=tuple(sessions),
        message_ids=() if is_whole else tuple(each.message_id for each in said),
        following=tuple(each.message_id for each in said if each.goes_on),
    )
    return Forgotten(CommandOutcome(kind="forget", old=target), message_ids, redaction=redaction)


def _forget_in(writer: LtmWriter, said: Utterance, *, topic: Topic, why: Why) -> None:
    """Take what a message says of the topic out of the index and the archive, with an audit entry."""
    first, *rest = spans = spans_of(topic, said)
    episode = writer.episode(said.message_id)
    if episode is not None:
        writer.rewrite_episode(episode.message.without(spans))
    source = Source(session_id=said.session_id, message_ids=(said.message_id,), quote=first)
    forget_quotes(writer, [source], why=why, also=rest)
    details = {"message_id": said.message_id, "kind": "episode", "session_id": said.session_id, **why.marks}
    writer.add_audit("memory.delete", path=None, details=details, actor=why.actor, request_id=why.request_id)


def _end_rest(writer: LtmWriter, topic: Topic, *, why: Why) -> None:
    """Reject the proposals that speak of the topic, and remove memories of it that ended before."""
    for update in writer.pending_updates(PendingFilter(limit=MOST_COMPARED)):
        new = str(update.new) if update.path is None else ""
        if topic.is_told(update.quote) or topic.is_told(new):
            writer.close_update(update.id, status="rejected")
            bury(writer, update.path, value=update.new, cause="forgotten", why=why)
    for memory in writer.memories(MemoryFilter(status=None, limit=MOST_COMPARED)):
        if memory.status != "active" and topic.is_told(memory.text):
            remove_memory(writer, memory, why=why)
