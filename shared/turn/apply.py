"""What a user's words change: commands, answers and consent, statements to propose, in one transaction.

Everything that one message changes is applied once: the transaction notes the message's id, and a retry
reads what was done. Secrets are masked before anything is kept. Where the caller is an agent's key
(`may_resolve` is False), commands are only proposed and nothing is resolved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from shared.extraction.assignments import Reader
from shared.extraction.command import ALL_BUT, NEEDS_TIME, NOT_KEPT
from shared.extraction.commands import Command
from shared.extraction.session_bound import is_for_session, sentences_around
from shared.language.model_orders import gives_orders
from shared.ltm.authority import is_outranked
from shared.ltm.confirm import confirm_update, reject_update
from shared.ltm.field_edit import change_items, write_field
from shared.ltm.proposals import find_open
from shared.model.base import Value
from shared.model.memory import FieldVersion, Memory
from shared.model.message import Message
from shared.model.pending import PendingUpdate
from shared.model.turn import CommandOutcome
from shared.ports.ltm import LtmWriter, PendingFilter
from shared.turn.applying import Applying, Done, refused
from shared.turn.correcting import find_corrected, propose_corrected
from shared.turn.forget_said import ask_said, forget_chosen_said, forget_said, means_everything
from shared.turn.forgetting import (
    ForgetChoice,
    Forgotten,
    as_it_stands,
    forget_bare,
    forget_chosen,
    forget_target,
)
from shared.turn.hidden_requests import hide_requests
from shared.turn.mixed_answers import Mixed, read_mixed
from shared.turn.off_record import leave_off_record, leave_out
from shared.turn.offer import offer_statements
from shared.turn.reading import Reading, edited_value, picked
from shared.turn.reckoning import reckoned
from shared.turn.remembering import remember, wait_for_user
from shared.turn.said_of import Redaction
from shared.turn.taking_back import withdraw_asked
from shared.turn.undoing import undo
from shared.turn.wiping import asked_to_wipe, may_wipe


class Applied(Value):
    """What a message did: outcomes, new proposals, those it could not move, and messages to forget.

    `redactions` are what is to leave the sessions.
    """

    outcomes: tuple[CommandOutcome, ...] = ()
    pending: tuple[PendingUpdate, ...] = ()
    outranked: tuple[str, ...] = ()
    forgotten_ids: tuple[str, ...] = ()
    wipe_count: int | None = None
    sealed: bool = False
    choice: ForgetChoice | None = None
    redactions: tuple[Redaction, ...] = ()


def apply_message(
    writer: LtmWriter,
    reading: Reading,
    *,
    message: Message,
    applying: Applying,
    wiped: int | None = None,
) -> Applied:
    """Apply what a message says, once for this message; `wiped` memories went before, on its word."""
    key = f"turn:{message.id}"
    done = writer.applied(key)
    if done is not None:
        return Applied.model_validate(done)
    reading, outcomes = _withdraw_or_resolve(writer, reading, applying=applying)
    settled = frozenset(outcome.path for outcome in outcomes)
    outcomes += _store_answers(writer, reading, applying=applying)
    pending: list[PendingUpdate] = []
    gone = _forget_chosen_and_private(writer, reading, applying=applying)
    gone += _forget_bare(writer, reading, applying=applying)
    outcomes += [each.outcome for each in gone]
    done_all: list[Forgotten | Done] = [*gone]
    sealed = False
    wipe_count: int | None = None
    for command in reading.commands:
        if command.is_wipe and applying.may_resolve:
            wipe_count = may_wipe(writer)
            outcomes.append(asked_to_wipe(wipe_count))
            continue
        if wiped is not None and command.kind == "confirm":
            outcomes.append(CommandOutcome(kind="confirm", new=wiped, reason="wiped"))
            continue
        secret = applying.mask_text(command.text) != command.text
        done_now = _carry_out(writer, command, reading=reading, applying=applying)
        if done_now.outcome is None:
            continue
        outcomes.append(done_now.outcome)
        pending += done_now.pending
        done_all.append(done_now)
        sealed = sealed or (secret and done_now.outcome.outcome != "refused")
    hidden = hide_requests(writer, reading, done=done_all, applying=applying)
    mended, kept_by_others = _apply_correction(writer, reading, outcomes=outcomes, applying=applying)
    offers = offer_statements(
        writer,
        reckoned(writer, reading, today=applying.today).without(settled),
        schema=applying.schema,
        why_of=applying.quoting,
        keep_days=applying.keep_days,
        mask=applying.mask,
    )
    applied = Applied(
        outcomes=(*outcomes, *offers.outcomes),
        pending=(*pending, *mended, *offers.pending),
        outranked=(*kept_by_others, *offers.outranked),
        forgotten_ids=_all_ids(hidden, done_all),
        wipe_count=wipe_count,
        sealed=sealed,
        choice=next((each.choice for each in done_all if each.choice), None),
        redactions=tuple(each.redaction for each in done_all if each.redaction),
    )
    writer.mark_applied(key, applied.model_dump(mode="json"))
    return applied


def _all_ids(hidden: Sequence[str], done: Sequence[Forgotten | Done]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*hidden, *(name for each in done for name in each.message_ids)]))


def _forget_chosen_and_private(writer: LtmWriter, reading: Reading, *, applying: Applying) -> list[Forgotten]:
    """Forget the memories that an answer picked, and what is off the record."""
    private = leave_off_record(writer, reading, applying=applying)
    if not (reading.chosen and applying.may_resolve):
        return private
    why = applying.quoting(reading.text)
    if reading.chosen_of and reading.heard is not None:
        said = forget_chosen_said(
            writer,
            reading.chosen_of,
            chosen=reading.chosen,
            heard=reading.heard,
            why=why,
            mask_text=applying.mask_text,
        )
        return [*([said] if said else []), *private]
    return [*forget_chosen(writer, reading.chosen, part=reading.chosen_part, why=why), *private]


def _apply_correction(
    writer: LtmWriter, reading: Reading, *, outcomes: Sequence[CommandOutcome], applying: Applying
) -> tuple[Sequence[PendingUpdate], Sequence[str]]:
    """Put forward what a correction says, and name the path that it may not change.

    A message that has answered our question corrects nothing else.
    """
    if reading.correction is None or outcomes:
        return (), ()
    corrected = find_corrected(
        writer,
        reading.correction.masked(applying.mask_text),
        former_id=reading.former_id,
        reading=Reader(applying.schema, applying.today, applying.zone),
    )
    if corrected is None or corrected.outranked:
        return (), corrected.outranked if corrected else ()
    why = applying.quoting(reading.text)
    update = propose_corrected(writer, corrected, why=why, keep_days=applying.keep_days)
    return (update,) if update else (), ()


def _withdraw_or_resolve(
    writer: LtmWriter, reading: Reading, *, applying: Applying
) -> tuple[Reading, list[CommandOutcome]]:
    """Withdraw what was asked, on an undo that means it, or resolve it; the reading has what is left."""
    undoing = next((command for command in reading.commands if command.kind == "undo"), None)
    if undoing is not None and applying.may_resolve:
        withdrawn = withdraw_asked(writer, undoing, reading=reading, applying=applying)
        if withdrawn:
            left = tuple(command for command in reading.commands if command is not undoing)
            return replace(reading, commands=left), withdrawn
    outcomes = _resolve_asked(writer, reading, applying=applying)
    if any(outcome.kind == "confirm" for outcome in outcomes):
        # 对的，记下来 and 记成49万 answer what was asked about: neither is a sentence to keep beside it.
        reading = replace(reading, commands=tuple(each for each in reading.commands if not _is_bare(each)))
    return reading, outcomes


def _is_bare(command: Command) -> bool:
    return command.kind == "remember" and command.path is None


def _resolve_asked(writer: LtmWriter, reading: Reading, *, applying: Applying) -> list[CommandOutcome]:
    """Confirm or reject exactly what the message before asked."""
    if not reading.asked or not applying.may_resolve:
        return []
    found = [writer.pending_update(update_id) for update_id in reading.asked]
    asked = [update for update in found if update is not None]
    decided = picked(reading.consent, asked, schema=applying.schema)
    outcomes: list[CommandOutcome] = []
    waiting = [update for update in asked if update.status == "open"]
    if not decided and all(map(_is_bare, reading.commands)):
        mixed = _values_given(reading.text, waiting, applying=applying)
        decided, edited = mixed.decided, replace(applying, why=applying.quoting(reading.text))
        outcomes += [
            _confirm(writer, update, value=mixed.values[update.id], applying=edited)
            for update in waiting
            if update.id in mixed.values
        ]
    for update in waiting:
        if update.id not in decided or not _is_open(writer, update):
            continue
        if decided[update.id]:
            outcomes.append(_confirm(writer, update, value=None, applying=applying))
        else:
            reject_update(writer, update, why=applying.quoting(reading.text), mask=applying.mask)
            outcomes.append(CommandOutcome(kind="reject", path=update.path, old=update.old, new=update.new))
    return outcomes


def _values_given(text: str, waiting: Sequence[PendingUpdate], *, applying: Applying) -> Mixed:
    """Return the values that an answer gives instead of those asked about, and what it says of the rest."""
    schema, today, zone = applying.schema, applying.today, applying.zone
    if len(waiting) != 1:
        return read_mixed(text, waiting, schema=schema, today=today, zone=zone)
    value = edited_value(text, waiting[0], schema=schema, today=today, zone=zone)
    return Mixed(values={} if value is None else {waiting[0].id: value})


def _is_open(writer: LtmWriter, update: PendingUpdate) -> bool:
    """Whether a proposal waits still: one that was confirmed before it may have overtaken it."""
    now = writer.pending_update(update.id)
    return now is not None and now.status == "open"


def _confirm(writer: LtmWriter, update: PendingUpdate, *, value: Any, applying: Applying) -> CommandOutcome:
    standing = writer.field(update.path) if update.path is not None else None
    outcome = CommandOutcome(
        kind="confirm", path=update.path, old=standing.value if standing else None, new=update.new
    )
    if update.path is not None and is_outranked("user", standing):
        return outcome.model_copy(update={"outcome": "refused", "reason": "outranked"})
    if update.op != "remove" and gives_orders(update.new if value is None else value):
        return outcome.model_copy(update={"outcome": "refused", "reason": "instruction"})
    made = confirm_update(writer, update, value=value, why=applying.why, mask=applying.mask)
    new = made.value if isinstance(made, FieldVersion) else update.new
    return outcome.model_copy(update={"new": made.text if isinstance(made, Memory) else new})


def _store_answers(writer: LtmWriter, reading: Reading, *, applying: Applying) -> list[CommandOutcome]:
    """Store what was asked for: an answer to our own question is consent."""
    outcomes = []
    for path, value in (reading.answers or {}).items():
        command = Command("set", path, value, reading.text, reading.text, 0, len(reading.text))
        outcomes.append(_set(writer, command, applying=applying).outcome)
    return [outcome for outcome in outcomes if outcome is not None]


def _carry_out(writer: LtmWriter, command: Command, *, reading: Reading, applying: Applying) -> Done:
    """Apply a command, but for what its sentence binds to this conversation."""
    stores = command.kind in {"set", "append", "remember"}
    if stores and is_for_session(sentences_around(reading.text, command.start, end=command.end)):
        return refused(command, "session_only")
    return _apply_command(writer, command, reading=reading, applying=applying)


def _apply_command(writer: LtmWriter, command: Command, *, reading: Reading, applying: Applying) -> Done:
    if command.kind in {"set", "append", "remove"} and command.path is not None:
        return _set(writer, command, applying=applying)
    if command.kind == "remember":
        return remember(writer, command, applying=applying)
    if not applying.may_resolve:
        return refused(command, "permission")
    if command.kind == "forget":
        return _forget(writer, command, reading=reading, applying=applying)
    if command.kind == "undo":
        return undo(writer, command, reading=reading, applying=applying)
    waits = bool(reading.asked) or bool(writer.pending_updates(PendingFilter(limit=1)))
    return refused(command, "unclear" if waits else "nothing_asked")


def _set(writer: LtmWriter, command: Command, *, applying: Applying) -> Done:
    path = command.path or ""
    if command.value == NEEDS_TIME and applying.schema.find(path).type == "datetime":
        return Done(
            CommandOutcome(kind="set", path=path, new=command.text, outcome="pending", reason=NEEDS_TIME)
        )
    standing = writer.field(path)
    old = standing.value if standing else None
    value = applying.mask_text(command.value) if isinstance(command.value, str) else command.value
    why = applying.quoting(command.quote)
    outcome = CommandOutcome(kind=command.kind, path=path, old=old, new=value)
    if command.kind != "remove" and gives_orders(value):
        return refused(command, "instruction")
    if not applying.may_resolve:
        return wait_for_user(writer, replace(command, value=value), outcome=outcome, applying=applying)
    if is_outranked("user", standing):
        return Done(outcome.model_copy(update={"outcome": "refused", "reason": "outranked"}))
    items = value if isinstance(value, list) else [value]
    if command.kind == "append":
        changed = change_items(writer, path, add=items, why=why, mask=applying.mask)
    elif command.kind == "remove":
        changed = change_items(writer, path, drop=items, why=why, mask=applying.mask)
    else:
        waiting = find_open(writer, op="set", path=path, value=value)
        if waiting is not None:
            writer.close_update(waiting.id, status="confirmed")
            why = why.model_copy(update={"pending_id": waiting.id})
        changed = write_field(writer, path, value=value, why=why, mask=applying.mask)
    return Done(outcome.model_copy(update={"new": changed.value if changed else None}))


def _forget(writer: LtmWriter, command: Command, *, reading: Reading, applying: Applying) -> Done:
    if command.value == ALL_BUT:
        return refused(command, ALL_BUT)
    why, heard = applying.quoting(command.quote), reading.heard
    said, command = None, as_it_stands(writer, command)
    may_be_said = heard is not None and command.path is None and command.value != NOT_KEPT
    if heard is not None and may_be_said and means_everything(command):
        said = forget_said(writer, command, heard=heard, why=why, mask_text=applying.mask_text)
    found = said or forget_target(
        writer, command, said=reading.text, schema=applying.schema, why=why, mask=applying.mask
    )
    if heard is not None and may_be_said and not said and found.outcome.reason == "nothing_found":
        said = forget_said(writer, command, heard=heard, why=why, mask_text=applying.mask_text)
        found = said or found
    message_ids = list(found.message_ids)
    if found.outcome.reason == NOT_KEPT:
        quote = applying.mask_text(command.quote)
        words = applying.mask_text(command.text) if command.path is None else ""  # 邮箱 alone tells nothing
        message_ids.append(leave_out(writer, why.source.message_ids[0], said=quote, words=words, why=why))
    return Done(
        found.outcome,
        message_ids=message_ids,
        choice=found.choice,
        redaction=found.redaction,
        request=command.quote if found.outcome.outcome == "applied" and command.value != NOT_KEPT else "",
    )


def _forget_bare(writer: LtmWriter, reading: Reading, *, applying: Applying) -> list[Forgotten]:
    if not reading.may_forget or not applying.may_resolve:
        return []
    why = applying.quoting(reading.text)
    found = forget_bare(writer, reading.may_forget, schema=applying.schema, why=why, mask=applying.mask)
    if found is None and reading.heard is not None:
        found = ask_said(
            writer, reading.may_forget, heard=reading.heard, why=why, mask_text=applying.mask_text
        )
    return [found] if found else []
