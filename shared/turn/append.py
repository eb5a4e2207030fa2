"""Messages of a front that runs its own model: appended without a reply, commands applied.

Sending the same messages again appends nothing (by their `id`) and applies nothing twice, so a front that
got an error in the middle just sends them again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from shared.errors import InvalidInput, TooLarge
from shared.extraction.corrections import read_correction
from shared.extraction.unsaid import means_former
from shared.ids import new_row_id
from shared.language.scripts import follow_language
from shared.language.tokens import estimate_tokens, message_tokens
from shared.model.base import Value
from shared.model.message import EchoReasoning, Message, MessageBody, NewMessage
from shared.model.moment import from_ms, to_ms
from shared.model.pending import PendingUpdate
from shared.model.scope import Scope
from shared.model.turn import CommandOutcome, Notice
from shared.ports.ltm import LongTermMemory, LtmWriter
from shared.ports.stm import Appended, ShortTermMemory
from shared.stm.forget_clauses import may_ask_to_forget
from shared.stm.lift import lift_messages
from shared.stm.quiet import is_quiet
from shared.turn.apply import Applied, apply_message
from shared.turn.attend import Scene, attend
from shared.turn.calls import check_system_messages
from shared.turn.followups import notice_text
from shared.turn.forgetting import ASKED_ABOUT
from shared.turn.keeping import check_asked, check_calls, lift_appended
from shared.turn.redact import redact_sessions
from shared.turn.request import AppendRequest, TurnRules
from shared.turn.said_of import Heard
from shared.turn.state import NOTHING_EARLIER, Earlier, Speaking, earlier_than, read_and_prepare

MAX_MESSAGE_CHARS = 200_000
MAX_TOOL_CHARS = 1_000_000


class AppendAnswer(Value):
    """What an append did, and which of the new proposals the front should ask about.

    `is_new` is False where every message stood there already.
    """

    message_ids: tuple[str, ...]
    is_new: bool = True
    commands: tuple[CommandOutcome, ...] = ()
    pending: tuple[PendingUpdate, ...] = ()
    asks_pending: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()


def read_new_messages(
    given: Sequence[Mapping[str, Any]],
    *,
    now_ms: int,
    mask: Callable[[str], str],
    echo: EchoReasoning = "never",
) -> list[NewMessage]:
    """Return messages ready to append; `mask` masks the secrets in what the tail keeps.

    `echo` says whether what a model thought is kept beside its words, to go back to it.

    Raises:
        TooLarge: a message is over its limit (200,000 characters; a tool's 1,000,000).
        InvalidInput: `created_at` lies in the future.
    """
    return [
        _new_message(message, place, now_ms=now_ms, mask=mask, echo=echo)
        for place, message in enumerate(given)
    ]


def _new_message(
    given: Mapping[str, Any], place: int, *, now_ms: int, mask: Callable[[str], str], echo: EchoReasoning
) -> NewMessage:
    content = given["content"]
    chars = len(content) if isinstance(content, str) else len(str(content or ""))
    most = MAX_TOOL_CHARS if given["role"] == "tool" else MAX_MESSAGE_CHARS
    if chars > most:
        raise TooLarge(
            f"messages.{place}.content has {chars} characters; at most {most} are taken.",
            code="message_too_long",
            field=f"messages.{place}.content",
        )
    created_at: datetime | None = given["created_at"]
    created_at_ms = to_ms(created_at) if created_at else None
    if created_at_ms is not None and created_at_ms > now_ms:
        raise InvalidInput(
            f"messages.{place}.created_at lies in the future; leave it out, or send when it was said.",
            field=f"messages.{place}.created_at",
        )
    body = MessageBody(
        content=content,
        name=given["name"],
        tool_calls=given["tool_calls"],
        tool_call_id=given["tool_call_id"],
        client_id=given["id"],
        asks_pending=tuple(given["asks_pending"] or ()),
    ).with_reasoning(given.get("reasoning_content") if given["role"] == "assistant" else None, echo)
    kept = body.masked(mask) if given["role"] == "user" else body
    return NewMessage(
        id=new_row_id("msg"),
        role=given["role"],
        body=body,
        kept_body=kept if kept is not body else None,
        tokens=message_tokens(
            given["role"],
            content,
            name=given["name"],
            tool_calls=given["tool_calls"],
            tool_call_id=given["tool_call_id"],
        )
        + estimate_tokens(body.reasoning or ""),
        created_at_ms=created_at_ms,
    )


async def append_messages(
    scope: Scope,
    request: AppendRequest,
    *,
    rules: TurnRules,
    now: datetime,
    stm: ShortTermMemory,
    ltm: LongTermMemory,
) -> AppendAnswer:
    """Append messages and apply what the user's among them command."""
    client_ids = [message.body.client_id for message in request.messages if message.body.client_id]
    archived: dict[str, str] = {}
    if client_ids:
        archived = await ltm.read(
            scope, lambda reader: reader.messages_of_clients(request.session_id, client_ids)
        )
    fresh = [message for message in request.messages if message.body.client_id not in archived]
    check_system_messages(request.messages, prompt_tokens=rules.limits.prompt_tokens)
    await check_calls(scope, request, fresh=fresh, rules=rules, stm=stm)
    await check_asked(scope, request, fresh=fresh, ltm=ltm)
    appended = await stm.append_messages(scope, request.session_id, messages=fresh, claim=request.claim)
    topics = await lift_appended(scope, request, appended=appended, rules=rules, now=now, stm=stm, ltm=ltm)
    ids = _ids_in_order(request.messages, fresh=fresh, appended=appended, archived=archived)
    is_new = bool(appended.new)
    said = _said(request, ids=ids, appended=appended, now=now)
    quiet_ids = _quiet_ids(appended, rules=rules)
    said = await _after_earlier(scope, said, request=request, rules=rules, stm=stm)
    said = [replace(each, is_quiet=each.message.id in quiet_ids) for each in said]
    applied = await _apply_all(scope, said, request=request, rules=rules, ltm=ltm)
    await stm.forget_in_tail(scope, sorted(quiet_ids)) if quiet_ids else None
    if applied is not None and applied.forgotten_ids:
        await stm.forget_in_tail(scope, applied.forgotten_ids)
        await redact_sessions(scope, applied.redactions, stm=stm)
    if applied is None:
        return AppendAnswer(message_ids=tuple(ids), is_new=is_new, commands=tuple(topics))
    fields = await ltm.read(scope, lambda reader: reader.fields())
    last = said[-1].message
    scene = Scene(
        text=last.text,
        seq=appended.session.last_seq,
        session_id=request.session_id,
        language=follow_language(appended.session.notes.language, last.text),
        schema=rules.schema,
        policy=rules.heartbeat,
        now=said[-1].at,
        notes=appended.session.notes,
        fields=fields,
    )
    found = attend(scene, applied)
    has_secret = any(message.kept_body is not None for message in request.messages)
    text = notice_text(scene.language, "sealed")
    sealed = (Notice(kind="sealed", text=text),) if has_secret else ()
    return AppendAnswer(
        message_ids=tuple(ids),
        is_new=is_new,
        commands=(*applied.outcomes, *topics),
        pending=applied.pending,
        asks_pending=found.questions.asks_pending,
        notices=(*found.notices, *sealed),
    )


def _quiet_ids(appended: Appended, *, rules: TurnRules) -> frozenset[str]:
    """Return the ids of new messages that were said while the session was off the record."""
    notes, found = appended.session.notes, []
    for message in appended.new:
        was_quiet = is_quiet(notes)
        notes = lift_messages(notes, [message], rules=rules.lift)
        found += [message.id] if was_quiet else []
    return frozenset(found)


def _ids_in_order(
    messages: Sequence[NewMessage],
    *,
    fresh: Sequence[NewMessage],
    appended: Appended,
    archived: Mapping[str, str],
) -> list[str]:
    by_new_id = {message.id: known for message, known in zip(fresh, appended.message_ids, strict=True)}
    return [by_new_id.get(message.id) or archived[message.body.client_id or ""] for message in messages]


@dataclass(frozen=True, slots=True)
class _Said:
    """A user's message, when it was said in their zone, the assistant's message right before it.

    `former_id` is the user's message before, and `exchange` what stands before this one; they are looked up
    only where this one may correct that one, ask that what was said is not kept, or that something is
    forgotten.
    """

    message: Message
    before: Message | None
    at: datetime
    earlier: Earlier = NOTHING_EARLIER
    is_quiet: bool = False


def _said(request: AppendRequest, *, ids: Sequence[str], appended: Appended, now: datetime) -> list[_Said]:
    zone_name = request.timezone or appended.session.notes.timezone
    zone = ZoneInfo(zone_name) if zone_name else UTC
    new_ids = {message.id for message in appended.new}
    before = appended.before
    found = []
    for new, message_id in zip(request.messages, ids, strict=True):
        said_at_ms = new.created_at_ms or to_ms(now)
        message = _as_message(new, message_id, said_at_ms=said_at_ms)
        # One that was sent before stands elsewhere in the session: it answers nothing, and is not answered.
        is_new = message_id in new_ids
        if new.role == "user":
            asked = before if is_new and before is not None and before.role == "assistant" else None
            found.append(_Said(message, asked, from_ms(said_at_ms).astimezone(zone)))
        before = message if is_new else before
    return found


async def _after_earlier(
    scope: Scope, said: list[_Said], *, request: AppendRequest, rules: TurnRules, stm: ShortTermMemory
) -> list[_Said]:
    texts = [each.message.text for each in said]
    if not any(map(_needs_earlier, texts)):
        return said
    session, tail = await stm.find_session(
        scope, request.session_id, window_tokens=rules.limits.prompt_tokens
    )
    window = session.window if session else ()
    places = {message.id: place for place, message in enumerate(window)}
    before = [window[: places.get(each.message.id, -1) + 1] for each in said]
    return [
        replace(each, earlier=replace(earlier_than(until), heard=Heard(request.session_id, until[:-1], tail)))
        for each, until in zip(said, before, strict=True)
    ]


def _needs_earlier(text: str) -> bool:
    return read_correction(text) is not None or means_former(text) or may_ask_to_forget(text)


async def _apply_all(
    scope: Scope, said: Sequence[_Said], *, request: AppendRequest, rules: TurnRules, ltm: LongTermMemory
) -> Applied | None:
    """Apply all that the messages say in one transaction; None where there is no user's message."""
    if not said:
        return None
    readings = []
    for each in said:
        speaking = Speaking(
            session_id=request.session_id,
            actor=request.actor,
            request_id=request.request_id,
            may_resolve=request.may_resolve,
            at=each.at,
        )
        reading, applying = read_and_prepare(each.message, each.before, speaking=speaking, rules=rules)
        reading = reading.hushed(was_quiet=each.is_quiet)
        # Nobody would ask which memory is to be forgotten.
        earlier = each.earlier
        reading = replace(
            reading,
            may_forget="",
            former_id=earlier.former_id,
            exchange=earlier.exchange,
            heard=earlier.heard,
        )
        if not reading.changes_nothing:
            readings.append((each.message, reading, applying))
    if not readings:
        return Applied()

    def work(writer: LtmWriter) -> list[Applied]:
        return [
            apply_message(writer, reading, message=message, applying=applying)
            for message, reading, applying in readings
        ]

    done = await ltm.write(scope, work)
    return Applied(
        outcomes=tuple(_unasked(outcome) for each in done for outcome in each.outcomes),
        pending=tuple(update for each in done for update in each.pending),
        outranked=tuple(path for each in done for path in each.outranked),
        sealed=any(each.sealed for each in done),
        forgotten_ids=tuple(message_id for each in done for message_id in each.forgotten_ids),
        redactions=tuple(redaction for each in done for redaction in each.redactions),
    )


def _unasked(outcome: CommandOutcome) -> CommandOutcome:
    """Return the outcome where nobody asks which one is meant: the reply is not ours."""
    return outcome.model_copy(update={"outcome": "refused"}) if outcome.reason in ASKED_ABOUT else outcome


def _as_message(new: NewMessage, message_id: str, *, said_at_ms: int) -> Message:
    return Message(
        id=message_id,
        seq=1,
        role=new.role,
        body=new.body,
        tokens=new.tokens,
        turn_id=new.turn_id,
        state=new.state,
        created_at_ms=said_at_ms,
        received_at_ms=said_at_ms,
    )
