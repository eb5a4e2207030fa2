"""Forgetting by name, and memories that a newer word contradicts.

A forget command takes one clear thing: the field it names, or the one memory that holds all its words or
tells what it names. What it calls by its having been said (刚才说的价格, the price I just told you) is what
holds the rest of its words; where it names days (上个月聊的方案), what was kept then, and it asks.
Several matches are listed and asked about, and the answer to that question picks; none changes nothing.
So is one that tells of something else beside (婆婆不吃香菜，爸爸有糖尿病).
What is not to be kept at all (别记我开车, don't remember that I drive) is taken from the proposals too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from shared.extraction.assignments import read_label
from shared.extraction.command import NOT_KEPT
from shared.extraction.commands import Command
from shared.extraction.said_before import SaidBefore, read_said_before
from shared.extraction.spoken import is_person, read_topic
from shared.language.attributes import read_attribute, tells_attribute
from shared.language.dates import DateSpan
from shared.language.scripts import fold, fold_aligned
from shared.language.terms import query_terms
from shared.ltm.confirm import reject_update
from shared.ltm.edit import MaskField, Why, remove_clauses, remove_memory
from shared.ltm.field_edit import forget_field
from shared.ltm.index import normal_text
from shared.ltm.left_standing import halves_of
from shared.ltm.named_in_full import cuts_a_word, holds_words, tells_more_than, uncut_names
from shared.ltm.other_values import PutRight
from shared.ltm.own_clauses import goes_with, tells_more
from shared.ltm.schema import Schema
from shared.ltm.slots import changes_mind, contradicts
from shared.model.base import Value
from shared.model.memory import Memory
from shared.model.turn import CommandOutcome
from shared.ports.ltm import LtmReader, LtmWriter, MemoryFilter, PendingFilter
from shared.stm.topics import clean_topic
from shared.turn.said_of import Redaction

MOST_COMPARED: Final = 500
MOST_ASKED_ABOUT: Final = 50
MOST_LISTED: Final = 5
_PAIR: Final = 2
_JUST_NOW_MS: Final = 1_800_000
SEVERAL: Final = "several"
OF_SYSTEM: Final = "of_system"
"""The reason of a forget whose value a business system had set: that system keeps a record of its own."""
CONFIRM_FORGET: Final = "confirm_forget"
ASKED_ABOUT: Final = frozenset({SEVERAL, CONFIRM_FORGET})
"""Why a forget command waits: which of several is meant, or whether the one thing it names is."""


class ForgetChoice(Value):
    """The memories that a forget command may mean; `texts` are those of the first ones, as listed.

    `is_said` says that messages are among them, which hold what was only said; `rest` is what stays
    of the one memory of which only a part is meant.
    """

    target: str
    ids: tuple[str, ...]
    texts: tuple[str, ...]
    is_said: bool = False
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What became of a forget command, the messages to take out of the tail, and what there is to ask.

    `redaction` is what is to leave the sessions.
    """

    outcome: CommandOutcome
    message_ids: Sequence[str] = ()
    choice: ForgetChoice | None = None
    redaction: Redaction | None = None


def forget_target(
    writer: LtmWriter, command: Command, *, said: str, schema: Schema, why: Why, mask: MaskField
) -> Forgotten:
    """Forget the one thing that a command names, by its words or by when it was said.

    `said` is the whole message: what it quotes in full is meant in full, however many clauses it has.
    """
    matching = memories_named(writer, command.text)
    if not matching and command.path is None:
        before = read_said_before(command.text, today=why.at.date())
        command, matching = _said_before(writer, command, said=before, schema=schema, why=why)
        of_then = matching if before is not None and before.days is not None else []
        asked = of_then or ([] if matching else _telling(writer, command.text, said=before))
        if before is not None and _is_just_said(asked, command, why=why):
            matching, asked = asked, []
        if 0 < len(asked) <= MOST_ASKED_ABOUT:
            return asked_which(command.text, asked, path=None)
    forgotten = _forget_field(writer, command, matching=matching, schema=schema, why=why, mask=mask)
    if forgotten is not None:
        return forgotten
    outcome = CommandOutcome(kind="forget", path=command.path)
    if len(matching) == 1 and (
        normal_text(matching[0].text) in normal_text(said)
        or not (may_be_other(matching[0].text, command) or tells_beside(matching[0].text, command.text))
    ):
        message_ids = remove_memory(writer, matching[0], why=why)
        return Forgotten(outcome.model_copy(update={"old": matching[0].text}), message_ids)
    if command.value == NOT_KEPT and not matching:
        _reject_proposals(writer, command, why=why, mask=mask)
        return Forgotten(outcome.model_copy(update={"reason": NOT_KEPT}))
    if 0 < len(matching) <= MOST_ASKED_ABOUT:
        return asked_which(command.text, matching, path=command.path)
    reason = SEVERAL if matching else "nothing_found"
    refused = {"outcome": "refused", "reason": reason, "new": command.text}
    return Forgotten(outcome.model_copy(update=refused))


def _forget_field(
    writer: LtmWriter,
    command: Command,
    *,
    matching: Sequence[Memory],
    schema: Schema,
    why: Why,
    mask: MaskField,
) -> Forgotten | None:
    """Forget the field that a command names, and the one memory of it; None where there is none."""
    if command.path is None:
        return None
    standing = writer.field(command.path)
    found, of_field = forget_field(writer, schema.find(command.path), why=why, mask=mask)
    if not found:
        return None
    message_ids, choice = [*of_field], None
    if len(matching) == 1 and writer.memory(matching[0].id) is not None:
        if tells_beside(matching[0].text, command.text):
            choice = asked_which(command.text, matching, path=None).choice
        else:
            message_ids += remove_memory(writer, matching[0], why=why)
    old = standing.value if standing else None
    reason = OF_SYSTEM if standing is not None and standing.origin == "system" else None
    outcome = CommandOutcome(kind="forget", path=command.path, old=old, reason=reason)
    return Forgotten(outcome, message_ids, choice=choice)


def _said_before(
    writer: LtmWriter, command: Command, *, said: SaidBefore | None, schema: Schema, why: Why
) -> tuple[Command, list[Memory]]:
    """Return the command with the field it calls by its having been said, or the memories it may mean."""
    if said is None:
        return command, []
    path = read_label(fold_aligned(said.thing), schema) if said.thing else None
    field = writer.field(path.path) if path is not None else None
    if path is not None and field is not None and is_of_days(said.days, field.valid_from_ms, why=why):
        return replace(command, path=path.path, text=said.thing), []
    is_meant = _meant_by(said.thing)
    found = writer.memories(MemoryFilter(limit=MOST_COMPARED))
    of_then = [memory for memory in found if is_of_days(said.days, memory.created_at_ms, why=why)]
    return command, [memory for memory in of_then if not said.thing or is_meant(memory.text)]


def _telling(reader: LtmReader, text: str, *, said: SaidBefore | None) -> list[Memory]:
    """Return the memories that tell what a bare name may mean, to be asked about: 住址 and 我住在北京."""
    if said is not None and said.days is not None:
        return []
    thing = fold(said.thing if said is not None else text)
    memories = reader.memories(MemoryFilter(limit=MOST_COMPARED))
    return [memory for memory in memories if tells_attribute(thing, fold(memory.text))]


def _is_just_said(found: Sequence[Memory], command: Command, *, why: Why) -> bool:
    """Whether one clear thing is meant that was kept in this session just now: 忘了刚才说的价格吧."""
    if len(found) != 1 or found[0].source.session_id != why.source.session_id:
        return False
    is_recent = why.at.timestamp() * 1000 - found[0].created_at_ms <= _JUST_NOW_MS
    return is_recent and not tells_beside(found[0].text, command.text)


def is_of_days(days: DateSpan | None, at_ms: int, *, why: Why) -> bool:
    """Whether a moment lies in the days that are named, in the user's zone; any does where none are."""
    return (
        days is None or days.start <= datetime.fromtimestamp(at_ms / 1000, why.at.tzinfo).date() <= days.end
    )


def _reject_proposals(writer: LtmWriter, command: Command, *, why: Why, mask: MaskField) -> None:
    """Reject what is proposed of the thing: what is not to be kept is not asked about either."""
    is_meant = _meant_by(command.text)
    for update in writer.pending_updates(PendingFilter(limit=MOST_COMPARED)):
        if update.path == command.path if update.path else is_meant(str(update.new)):
            reject_update(writer, update, why=why, mask=mask)


def forget_bare(
    writer: LtmWriter, name: str, *, schema: Schema, why: Why, mask: MaskField
) -> Forgotten | None:
    """Ask about a bare name that may be to be forgotten; None where nothing speaks of it.

    A topic that is banned for good is meant: the reply to the ban says to name it so. So is a field that has
    a value ("can you forget my budget?"): its label names nothing else.
    """
    path = read_label(fold_aligned(name), schema)
    if path is not None and writer.field(path.path) is not None:
        command = Command("forget", path.path, None, name, name, 0, len(name), path_explicit=True)
        return forget_target(writer, command, said=command.text, schema=schema, why=why, mask=mask)
    if any(_bare_topic(each.topic) == _bare_topic(name) for each in writer.topics()):
        command = Command("forget", None, None, name, name, 0, len(name))
        return forget_target(writer, command, said=command.text, schema=schema, why=why, mask=mask)
    matching = memories_named(writer, name)
    if not 0 < len(matching) <= MOST_ASKED_ABOUT:
        return None
    return asked_which(name, matching, path=None)


def _bare_topic(words: str) -> str:
    return normal_text(clean_topic(words) or words)


def asked_which(name: str, matching: Sequence[Memory], *, path: str | None) -> Forgotten:
    choice = ForgetChoice(
        target=name,
        ids=tuple(memory.id for memory in matching),
        texts=tuple(memory.text for memory in matching[:MOST_LISTED]),
        rest=_halves(matching[0].text, name)[1] if len(matching) == 1 else "",
    )
    reason = SEVERAL if len(matching) > 1 else CONFIRM_FORGET
    waits = CommandOutcome(kind="forget", path=path, outcome="pending", reason=reason, new=name)
    return Forgotten(waits, choice=choice)


def forget_chosen(writer: LtmWriter, ids: Sequence[str], *, part: str, why: Why) -> list[Forgotten]:
    """Forget the memories that an answer picked among those asked about; what is gone already is left.

    Of the one memory of which only a `part` was asked about, the rest stays.
    """
    found = [memory for memory in map(writer.memory, ids) if memory is not None and memory.status == "active"]
    return [_forget_chosen(writer, memory, part=part, why=why) for memory in found]


def _forget_chosen(writer: LtmWriter, memory: Memory, *, part: str, why: Why) -> Forgotten:
    gone, rest = _halves(memory.text, part) if part else ([], "")
    if rest:
        outcome = CommandOutcome(
            kind="forget", old="；".join(gone) if not rest.isascii() else "; ".join(gone)
        )
        return Forgotten(outcome, remove_clauses(writer, memory, gone=gone, rest=rest, why=why))
    return Forgotten(CommandOutcome(kind="forget", old=memory.text), remove_memory(writer, memory, why=why))


def _halves(text: str, target: str) -> tuple[list[str], str]:
    """Return what of a memory a target means, and what is left of it."""
    is_meant, topic = _meant_by(target), read_topic(target)
    of_person = topic is not None and is_person(topic.noun)
    if is_meant(text) and not tells_beside(text, target):
        return [text], ""
    return halves_of(text, is_gone=goes_with(text, is_meant=is_meant, of_person=of_person))


def memories_named(reader: LtmReader, text: str) -> list[Memory]:
    """Return the memories that hold all the words of a target; the same words alone win over more.

    Where the target names what is known of a thing (my cat's name), those that tell it, in whatever words;
    one that only speaks of the thing is not meant.
    """
    is_meant = _meant_by(text)
    found = [memory for memory in reader.memories(MemoryFilter(limit=MOST_COMPARED)) if is_meant(memory.text)]
    exact = [memory for memory in found if normal_text(memory.text) == normal_text(text)]
    return exact or found


def as_it_stands(reader: LtmReader, command: Command) -> Command:
    """Return the command with the name that its words have as they stand, where memories hold that.

    忘掉我喜欢冰吧 means 冰吧 before 冰: a last 吧 or "now" is of the request only where none does.
    """
    names = uncut_names(command.text, command.quote)
    name = next((each for each in names if memories_named(reader, each)), command.text)
    return replace(command, text=name)


def may_be_other(text: str, command: Command) -> bool:
    """Whether what a command finds may be another thing that only begins like its name: 冰球 by 冰吧."""
    topic = read_topic(command.text)
    if topic is not None and topic.is_told(text):
        return False
    is_cut = bool(uncut_names(command.text, command.quote)) and fold(command.text) in fold(text)
    return cuts_a_word(text, command.text) or (is_cut and tells_more_than(text, command.text))


def tells_beside(text: str, target: str) -> bool:
    """Whether a text tells, beside what a target means, of something else."""
    topic = read_topic(target)
    of_person = topic is not None and is_person(topic.noun)
    return tells_more(text, target, is_meant=_meant_by(target), of_person=of_person)


def _meant_by(text: str) -> Callable[[str], bool]:
    """Return what tells a text that a target means."""
    terms = [term.term for term in query_terms(text)]
    wanted = {term.term for term in query_terms(text) if not term.single_character} or set(terms)
    folded = normal_text(text)
    attribute = read_attribute(folded)
    # 都 and 吧 are no words to look for, but at the end of a name: 成都, 酒吧.
    ends = folded[-2:] if folded.endswith(("都", "吧")) else ""

    def is_meant(said: str) -> bool:
        words = fold(said)
        held = {term.term for term in query_terms(said)}
        holds = (
            bool(wanted)
            and ends in words
            and wanted - held <= _between_held(terms, held)
            and (attribute is None or attribute.name in words)
        )
        tells = attribute is not None and attribute.is_told_in(words)
        return bool(folded) and (holds_words(words, folded) or holds or tells)

    return is_meant


def _between_held(terms: Sequence[str], held: Collection[str]) -> set[str]:
    """Pairs of Han characters that only join two words which the text holds: 婆过 of 老婆过敏."""
    return {
        joint
        for before, joint, after in zip(terms, terms[1:], terms[2:], strict=False)
        if before in held and after in held and len(joint) == len(before) == len(after) == _PAIR
        if before[-1] + after[0] == joint and not joint.isascii()
    }


def find_contradicted(reader: LtmReader, text: str, *, command: Command) -> list[Memory]:
    """Return the memories that a newly stated one contradicts.

    One slot has one value (my home airport is X); of likings several may stand, unless the same thing is
    now denied, or the user says that they changed their mind. A correction is compared more closely.
    """
    is_change = command.is_correction or changes_mind(command.quote)
    put_right = PutRight(text) if command.is_correction else None
    found = reader.memories(MemoryFilter(limit=MOST_COMPARED))
    return [
        memory
        for memory in found
        if contradicts(memory.text, text, is_change=is_change)
        or (put_right is not None and put_right.differs_from(memory.text))
    ]
