"""What a user's message says to memory: commands, answers, consent, statements. Pure.

A value given right after we asked for just that path is an answer (consent, at once); a bare yes or a pick
resolves exactly what the message before asked; what is said of a field otherwise is compared, or proposed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, tzinfo
from functools import partial
from typing import Any, Final

from shared.extraction.answers import MAX_ANSWER_CHARS, Consent, answer_for, read_choice, read_consent
from shared.extraction.assignments import Reader
from shared.extraction.bare_forgets import read_bare_forget
from shared.extraction.changed_by import ChangedBy, find_changed_by
from shared.extraction.commands import (
    MAX_PARSED_CHARS,
    Command,
    parse_commands,
)
from shared.extraction.corrections import Correction, read_correction
from shared.extraction.kept_before import keeps_former
from shared.extraction.off_record import OffRecord
from shared.extraction.pages import read_page
from shared.extraction.patterns import Candidate, find_candidates
from shared.extraction.picks import Pick, places_meant
from shared.extraction.speaking import may_speak
from shared.extraction.statements import Statement, find_statements
from shared.extraction.unsaid import read_not_kept
from shared.extraction.withdrawals import read_withdrawal
from shared.language.clock_times import find_clock_time
from shared.language.dates import find_dates
from shared.language.scripts import fold
from shared.ltm.schema import Schema, SchemaPath
from shared.model.message import Message
from shared.model.pending import PendingUpdate
from shared.stm.quiet import Turns, read_quiet
from shared.turn.said_of import Heard

_APPLIED: Final = frozenset({"set", "append", "remove", "remember", "forget", "undo", "confirm", "reject"})
_EDIT_LEAD: Final = re.compile(
    r"^\s*(?:不对|不是|不(?=[，,\s])|错了?|对|是的?|没错|可以|好的?|差不多|差一点|接近"
    r"|not\s+quite|wrong|nearly|close|nope|no|yes|yeah|yep|almost|right)[，,。.；;\s]*"
    r"(?:不过|但是?|应该|而?是|改成|记成|记为|要|but|it's|it\s+is|make\s+(?:it|that)|put\s+it\s+down\s+as|should\s+be"
    r"|the\s+(?:number|figure|amount|cap|limit|value|date|day)\s+is|rather)?[，,\s]*",
    re.IGNORECASE,
)
_EDIT_TAIL: Final = re.compile(
    r"(?:\s+is\s+(?:the\s+)?(?:right|correct)(?:\s+(?:one|value|number|figure))?|才(?:是)?对的?)[\s.。!！]*$",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(r"[?？]")
_PARTS: Final = re.compile(r"[，；;、\n]|,(?=\s)|,(?!\d)|\band\b|和|还有", re.IGNORECASE)
"""What stands between the values of an answer to several questions at once."""
_MOST_PARTS: Final = 5
_NOUN_JOIN: Final = re.compile(r"\s*(?:[和跟与、&]|\band\b(?:\s+(?:the|my|our)\b)?)\s*")
_SAYS_WIPE: Final = re.compile(
    r"(?:对的?|是的?|好的?|嗯|没错|确认|确定|请|就|那就|[\s,，])*(?:把它们?|把记忆|这些|它们)?(?:全部?|都|统统|通通)++(?:给我|帮我)?(?:忘掉|忘了|忘记|忘光|删掉|删了|删除|删光|清空|清掉)(?:吧|了|掉)*[\s.。!！]*"
    r"|(?:(?:yes|yeah|yep|ok|okay|sure|please|go\s+ahead|do\s+it)(?:\s+and)?[\s,]+)*(?:please\s+)?(?:delete|forget|erase|clear|wipe|remove)\s+(?:them\s+all|it\s+all|everything|all(?:\s+of\s+(?:them|it))?|them|all\s+memories)(?:\s+please)?[\s.!]*"
)
"""A yes in words to the question whether all is to be deleted."""
_NO_CONSENT: Final = Consent("none")


@dataclass(frozen=True, slots=True)
class Reading:
    """What one message says; `asked` are the ids of pending updates that the message before asked about.

    `asks_wipe` and `asks_forget` say that it asked what to forget; `chosen` are the ids of the memories to
    forget, picked among those that it listed, `chosen_of` the thing they are of where that was only said, and
    `chosen_part` what of the one memory was asked about where only a part of it was;
    `answers` maps paths that were asked for (missing or expired) to the values given; `may_forget` is a bare
    name that the user may want forgotten; `correction` is read where nothing else is, and `former_id` is the
    user's message before this one. `off_record` is not to be kept; where it is what was said before, that
    lies in `exchange`: all of the window that stands before the message. `heard` is what else was said of
    late; without it nothing that was only said is forgotten. `keeps_former` is a request to keep what the
    user's message before says; `changed_by` says by how much fields change.
    """

    text: str
    commands: tuple[Command, ...] = ()
    consent: Consent = _NO_CONSENT
    asked: tuple[str, ...] = ()
    answers: Mapping[str, Any] | None = None
    statements: tuple[Statement, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    asks_wipe: bool = False
    asks_forget: bool = False
    chosen: tuple[str, ...] = ()
    chosen_of: str = ""
    chosen_part: str = ""
    may_forget: str = ""
    correction: Correction | None = None
    former_id: str = ""
    off_record: tuple[OffRecord, ...] = ()
    exchange: tuple[Message, ...] = ()
    heard: Heard | None = None
    turns: Turns = ""
    keeps_former: bool = False
    changed_by: tuple[ChangedBy, ...] = ()

    def hushed(self, *, was_quiet: bool) -> Reading:
        """Return the reading in a session that was off the record, or of words that take it off or back on.

        What is stated is not taken up, an answer is no consent; what is commanded is.
        """
        turns = read_quiet(self.text)
        if turns == "on":
            kept_out = tuple(each for each in self.off_record if not each.announces)
            return replace(self._unstated(), turns="on", off_record=kept_out)
        if not was_quiet:
            return self
        return replace(self, turns="off") if turns == "off" else self._unstated()

    def _unstated(self) -> Reading:
        return replace(self, statements=(), candidates=(), answers=None, correction=None, changed_by=())

    def without(self, paths: Collection[str | None]) -> Reading:
        """Return the reading without what it states of these paths."""
        return replace(
            self,
            statements=tuple(each for each in self.statements if each.path not in paths),
            candidates=tuple(each for each in self.candidates if each.path not in paths),
        )

    @property
    def confirms_wipe(self) -> bool:
        """True where the message before asked whether to delete everything and this one says so in words."""
        return self.asks_wipe and any(command.kind == "confirm" for command in self.commands)

    @property
    def changes_nothing(self) -> bool:
        """True where no transaction is needed."""
        return self.is_plain and self.correction is None

    @property
    def is_plain(self) -> bool:
        """True where a message says nothing to memory, but that it may correct what was kept."""
        return self.asks_nothing and not (self.statements or self.candidates or self.changed_by)

    @property
    def asks_nothing(self) -> bool:
        """True of talk: it asks memory to do nothing, whatever may be proposed of it."""
        consents = self.consent.answer in {"yes", "no"} or bool(self.asked and self.text)
        resolves = bool(self.asked) and consents
        return not (
            self.commands
            or self.chosen
            or self.answers
            or self.off_record
            or self.turns
            or resolves
            or self.may_forget
            or self.keeps_former
        )


def read_message(
    message: Message, question: Message | None, *, schema: Schema, today: date, zone: tzinfo | None = None
) -> Reading:
    """Read a message; `question` is the assistant's message right before it, None where there is none.

    `today` and `zone` are the user's day and zone.
    """
    text = message.text
    said = _read_said(text, schema=schema, today=today, zone=zone)
    chosen = _chosen(text, question) if question is not None else ()
    kinds = _APPLIED - {"forget"} if chosen else _APPLIED
    kept_out = said.off_record
    commands = tuple(
        command for command in said.commands if command.kind in kinds and not _lies_in(command, kept_out)
    )
    if question is not None and question.body.asks_wipe and _SAYS_WIPE.fullmatch(fold(text.strip())):
        commands = (Command("confirm", None, text, text, text, 0, len(text)),)
    taken = {command.path for command in commands if command.path is not None}
    asks_paths = question.body.asks_paths if question is not None and not kept_out else ()
    read = partial(answer_for, schema=schema, today=today, zone=zone)
    asked = [each for each in schema.paths if each.path in asks_paths and each.path not in taken]
    day = _day_asked_about(question, today=today)
    answers = _answers(text, asked, day=day, read=read)
    taken |= set(answers)
    is_read = commands or answers or chosen or said.statements or kept_out
    correction = None if is_read else _read_correction(text)
    proposable = {path.path for path in schema.paths if path.policy != "never"} - taken
    return Reading(
        text=text,
        commands=commands,
        consent=_consent(said, question),
        asked=question.body.asks_pending if question is not None else (),
        answers=answers,
        statements=tuple(
            each for each in said.statements if each.path in proposable and not _lies_in(each, kept_out)
        ),
        candidates=tuple(
            each
            for each in said.candidates
            if each.path in proposable and not _lies_in(each, (*commands, *kept_out))
        ),
        asks_wipe=question is not None and question.body.asks_wipe,
        asks_forget=question is not None and bool(question.body.asks_forget),
        chosen=chosen,
        chosen_of=question.body.asks_topic if chosen and question is not None else "",
        chosen_part=question.body.asks_part if chosen and question is not None else "",
        may_forget=said.may_forget,
        correction=correction,
        off_record=kept_out,
        keeps_former=said.keeps_former and not (is_read or correction),
        changed_by=said.changed_by if not (commands or answers or kept_out) else (),
    )


def _read_correction(text: str) -> Correction | None:
    withdrawn = read_withdrawal(text)
    found = read_correction(text)
    return replace(found or Correction(), withdrawn=withdrawn) if withdrawn else found


@dataclass(frozen=True, slots=True)
class _Said:
    text: str
    commands: Sequence[Command] = ()
    statements: Sequence[Statement] = ()
    candidates: Sequence[Candidate] = ()
    may_forget: str = ""
    off_record: tuple[OffRecord, ...] = ()
    keeps_former: bool = False
    changed_by: tuple[ChangedBy, ...] = ()


def _read_said(text: str, *, schema: Schema, today: date, zone: tzinfo | None) -> _Said:
    """Return what the text says by itself; most texts hold no word of any of it and are never read."""
    if len(text) > MAX_PARSED_CHARS or not may_speak(text, schema):
        return _Said(text)
    page = read_page(text)
    commands = parse_commands(text, schema=schema, today=today, zone=zone, page=page)
    statements = find_statements(text, schema=schema, today=today, zone=zone, page=page, commands=commands)
    candidates = find_candidates(text, schema=schema, today=today, zone=zone, page=page)
    commands = [each for each in commands if not _puts_right(each, [*statements, *candidates])]
    may_forget = "" if commands else read_bare_forget(page)
    kept_out = read_not_kept(page, commands)
    keeps = not (commands or may_forget or kept_out) and keeps_former(page, Reader(schema, today, zone))
    changed_by = find_changed_by(page, schema)
    return _Said(text, commands, statements, candidates, may_forget, kept_out, keeps, changed_by)


def _consent(said: _Said, question: Message | None) -> Consent:
    """What a message answers to the one before; "remember that" says yes to what we asked to keep."""
    if question is None:
        return _NO_CONSENT
    return Consent("yes") if said.keeps_former and question.body.asks_pending else read_consent(said.text)


def _puts_right(command: Command, said: Sequence[Statement | Candidate]) -> bool:
    """Return True for the last words of a value: 预算是50万。更正：60万 / "… is 500k. Correction: 600k"."""
    if command.kind != "remember" or not command.is_correction:
        return False
    return any(each.start < command.start and command.end <= each.end for each in said)


def _chosen(text: str, question: Message) -> tuple[str, ...]:
    ids = question.body.asks_forget
    return tuple(ids[place] for place in read_choice(text, count=len(ids)) if place < len(ids)) if ids else ()


def _answers(
    text: str, asked: Sequence[SchemaPath], *, day: str, read: Callable[[str, str], Any | None]
) -> dict[str, Any]:
    """Return the values an answer gives what was asked for; of several, each part one: P-77 and Dec 25."""
    found = {
        path.path: value for path in asked if (value := _answer(text, path, day=day, read=read)) is not None
    }
    if len(asked) == 1 or len(found) == len(asked) or len(text) > MAX_ANSWER_CHARS or _ASKS.search(text):
        return found
    parts = [part for part in _PARTS.split(text) if part.strip()]
    if not 1 < len(parts) <= _MOST_PARTS:
        return found
    for path in sorted(asked, key=lambda each: each.type == "string"):
        values = ((part, _answer(part, path, day=day, read=read)) for part in parts)
        part, value = next(((part, value) for part, value in values if value is not None), ("", None))
        if value is not None:
            found[path.path] = value
            parts.remove(part)
    return found


def _answer(text: str, path: SchemaPath, *, day: str, read: Callable[[str, str], Any | None]) -> Any | None:
    """Return the value that an answer gives a path; a clock time alone is one of the day asked about."""
    value = read(path.path, text)
    if value is None and path.type == "datetime" and day and find_clock_time(text) is not None:
        return read(path.path, f"{day} {text}")
    return value


def _day_asked_about(question: Message | None, *, today: date) -> str:
    """Return the one day that the last line of a question names, in ISO form; empty where it names none."""
    if question is None or not question.body.asks_paths:
        return ""
    days = find_dates(question.text.rstrip().rpartition("\n")[2], today=today)
    return days[0].end.isoformat() if len(days) == 1 and days[0].start == days[0].end else ""


def _lies_in(
    found: Command | Statement | Candidate, others: Sequence[Command] | Sequence[OffRecord | Command]
) -> bool:
    return any(each.start < found.end and found.start < each.end for each in others)


def picked(consent: Consent, asked: Sequence[PendingUpdate], *, schema: Schema) -> dict[str, bool]:
    """Return which of the updates asked about are accepted (True) or refused; the others stay open."""
    if consent.answer not in {"yes", "no"}:
        return {}
    if not consent.picks:
        return {update.id: consent.answer == "yes" for update in asked}
    named = {
        update.id: pick.accepts
        for pick in consent.picks
        if pick.noun
        for update in _named(pick, asked, schema=schema)
    }
    by_noun = [place for place, update in enumerate(asked) if update.id in named]
    by_place = places_meant(consent.picks, count=len(asked), by_noun=by_noun)
    return named | {asked[place].id: pick.accepts for place, pick in by_place}


def _named(pick: Pick, asked: Sequence[PendingUpdate], *, schema: Schema) -> list[PendingUpdate]:
    """Return the updates that a pick names: 预算 is one, 预算和截止日 / "budget and deadline" are two."""
    noun = pick.noun.strip().lower()
    nouns = [noun] if schema.path_for_label(noun) else [each for each in _NOUN_JOIN.split(noun) if each]
    return [
        update
        for update in asked
        if update.path is not None and any(_names(each, update.path, schema=schema) for each in nouns)
    ]


def _names(noun: str, path: str, *, schema: Schema) -> bool:
    named = schema.path_for_label(noun)
    if named is not None:
        return named.path == path
    return any(noun in name.lower() for name in schema.find(path).names)


def edited_value(
    text: str, update: PendingUpdate, *, schema: Schema, today: date, zone: tzinfo | None = None
) -> Any | None:
    """Return the value that an answer gives instead of the one asked about: 不对，是55万 / "yes, but 550k".

    A path that takes free text needs its label or an edit said as such; 哦，知道了 is no phase.
    """
    if update.path is None or update.op != "set":
        return None
    path = schema.find(update.path)
    for statement in find_statements(text, schema=schema, today=today, zone=zone):
        if statement.path == update.path:
            return statement.value
    lead, text = _EDIT_LEAD.match(text), _EDIT_TAIL.sub("", text)
    if path.type in {"string", "string[]", "object"} and not (lead and lead.end()):
        return None
    if path.type == "string" and lead is not None and not re.search(r"[是要成]|it's|make|be", lead[0]):
        return None
    rest = text[lead.end() :] if lead else text
    return answer_for(update.path, rest, schema=schema, today=today, zone=zone) if rest.strip() else None
