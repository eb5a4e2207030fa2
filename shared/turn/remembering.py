"""Keeping a free text on the user's word: what it contradicts gives way, a proposal of it is confirmed.

记住我住在上海 / "remember that I live in Denver". A correction (更正：… / "Correction: …") commands where it
contradicts a memory; where it contradicts none the reply asks whether it is to be kept, and an "Update: …" is
then nothing but news.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from typing import Any, Final

from shared.extraction.command import NOTHING_TO_CORRECT, Command
from shared.extraction.kinds import settle_kind
from shared.extraction.said_field import said_field
from shared.language.awaited_days import names_no_day
from shared.language.model_orders import is_hijack
from shared.language.numbers import find_numbers
from shared.language.scripts import fold, fold_aligned
from shared.ltm.confirm import confirm_update
from shared.ltm.edit import StatedMemory, Why, end_memory, write_memory
from shared.ltm.overtaken import end_rivals
from shared.ltm.proposals import Proposal, find_open, propose_update
from shared.ltm.schema_path import SchemaPath
from shared.ltm.tombstones import text_keys
from shared.model.memory import Memory
from shared.model.turn import CommandOutcome
from shared.ports.ltm import LtmWriter
from shared.turn.applying import Applying, Done, refused
from shared.turn.forgetting import find_contradicted

_NEWS: Final = re.compile(
    r"[^:：,，]{0,24}?(?:更新|\bupdate\b|\bedit\b|\bamendment\b|\bchange of plans?\b)", re.IGNORECASE
)
"""A lead that tells what is new (项目有更新：…, "Update: …"), and puts nothing right by itself."""

_MOST_UNREAD_CHARS: Final = 60
_TYPED: Final = frozenset({"date", "datetime", "number", "integer"})
_OWN_LEAD: Final = re.compile(r"\s*(?:我们?的?|项目的?|(?:the|our|my)\s+)?\s*", re.IGNORECASE)
_LINK: Final = re.compile(
    r"\s*(?:现在)?(?:是|为|改[到成为]|推迟到|提前到|延到|定在|:|：|is\b|(?:is\s+|was\s+|has\s+)?(?:now|moved|changed)\s+(?:to\b|at\b)?)"
    r"\s*(?!很|太|非常|(?:very\s+|so\s+)?(?:important|tight|hard)\b)\S",
    re.IGNORECASE,
)


def remember(writer: LtmWriter, command: Command, *, applying: Applying) -> Done:
    """Keep a text, or ask about it where the command may not, or corrects nothing that is held."""
    text = applying.mask_text(command.text)
    if is_hijack(text):
        return refused(command, "instruction")
    outcome = CommandOutcome(kind="remember", new=text)
    if not applying.may_resolve:
        command = replace(command, text=text, value=text)
        return wait_for_user(writer, command, outcome=outcome, applying=applying)
    unread = _unread_field(writer, text, applying=applying)
    if unread is not None:
        return refused(replace(command, path=unread), "unreadable")
    why = applying.quoting(command.quote)
    contradicted = find_contradicted(writer, text, command=command)
    if command.is_correction and not contradicted:
        return _ask_whether(writer, command, outcome=outcome, applying=applying)
    memory = _keep(writer, text, why=why, applying=applying)
    for former in contradicted:
        end_memory(writer, former.id, replaced_by=memory.id, why=why)
    end_rivals(writer, memory.text)
    old = [former.text for former in contradicted] or None
    return Done(outcome.model_copy(update={"new": memory.text, "old": old}))


def _unread_field(writer: LtmWriter, text: str, *, applying: Applying) -> str | None:
    """Return the path that a text means to give a value that nobody can read, beside one that stands.

    截止日改到下次评审 beside a deadline that stands would be a second truth; a value that cannot be
    (截止日是2月30日) is none, whether one stands or not.
    """
    if len(text) > _MOST_UNREAD_CHARS:
        return None
    for label in applying.schema.find_folded_labels(fold_aligned(text)):
        link = _LINK.match(text, label.end)
        is_typed = label.path.type in _TYPED and _OWN_LEAD.fullmatch(text[: label.start]) is not None
        if (
            is_typed
            and link is not None
            and (
                writer.field(label.path.path) is not None
                or _cannot_be(label.path, text[link.end() - 1 :], today=applying.today)
            )
        ):
            said = said_field(text, schema=applying.schema, today=applying.today, zone=applying.zone)
            return label.path.path if said.value is None else None
    return None


def _cannot_be(path: SchemaPath, said: str, *, today: date) -> bool:
    """Whether words give what no such field can hold, whatever stands in it: 2月30日, a budget below zero."""
    if path.type in {"date", "datetime"}:
        return names_no_day(said, today=today)
    return not path.may_be_negative and any(each.value < 0 for each in find_numbers(said))


def _keep(writer: LtmWriter, text: str, *, why: Why, applying: Applying) -> Memory:
    """Write the memory; an open proposal of the same text is confirmed by it, with all that it replaces."""
    waiting = find_open(writer, path=None, op="remember", value=text)
    if waiting is not None:
        made = confirm_update(writer, waiting, why=why, mask=applying.mask)
        if isinstance(made, Memory):
            return made
    said = said_field(text, schema=applying.schema, today=applying.today, zone=applying.zone)
    stated = StatedMemory(text=text, kind=settle_kind("fact", text), path=said.path, value=said.value)
    return write_memory(writer, stated, why=why)[0]


def _ask_whether(writer: LtmWriter, command: Command, *, outcome: CommandOutcome, applying: Applying) -> Done:
    """Ask whether what corrects nothing is to be kept; the command lifts the tombstone of its words."""
    if _NEWS.match(fold(command.quote)):
        return Done(None)
    text = str(outcome.new)
    proposal = Proposal(
        op="remember",
        path=None,
        new=text,
        text=text,
        quote=applying.mask_text(command.quote),
        origin="rule",
        confidence=1.0,
        is_restated=True,
        kind=settle_kind("fact", text),
    )
    why = applying.quoting(command.quote)
    writer.lift_tombstones(text_keys(text))
    update, _ = propose_update(writer, proposal, why=why, keep_days=applying.keep_days)
    if update is None:
        return Done(outcome.model_copy(update={"outcome": "refused", "reason": "nothing_new"}))
    waits = {"outcome": "pending", "reason": NOTHING_TO_CORRECT}
    return Done(outcome.model_copy(update=waits), pending=[update])


def wait_for_user(
    writer: LtmWriter, command: Command, *, outcome: CommandOutcome, applying: Applying
) -> Done:
    """Propose what an agent's key commands: only the user may make a fact of it."""
    proposal = Proposal(
        op="remember" if command.path is None else _op_of(command),
        path=command.path,
        new=command.value,
        text=applying.mask_text(command.text),
        quote=applying.mask_text(command.quote),
        origin="api",
        confidence=1.0,
    )
    why = applying.quoting(command.quote)
    update, is_new = propose_update(writer, proposal, why=why, keep_days=applying.keep_days)
    waits = {"outcome": "pending", "reason": "permission"}
    if update is None:
        waits = {"outcome": "refused", "reason": "nothing_new"}
    return Done(outcome.model_copy(update=waits), pending=[update] if update and is_new else [])


def _op_of(command: Command) -> Any:
    return command.kind if command.kind in {"append", "remove"} else "set"
