"""Messages of a front that runs its own model: appended without a reply, commands applied.

Sending the same messages again appends nothing (by their `id`) and applies nothing twice, so a front that
got an error in the middle just sends them again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from shared.errors import InvalidInput, TooLarge
from shared.extraction.commands import Command
from shared.ids import new_id
from shared.language.tokens import message_tokens
from shared.ltm.edit import Why
from shared.model.base import Value
from shared.model.memory import Source
from shared.model.message import Message, MessageBody, NewMessage
from shared.model.moment import from_ms, to_ms
from shared.model.scope import Scope
from shared.model.turn import CommandOutcome, Notice
from shared.ports.ltm import LongTermMemory, LtmWriter
from shared.ports.stm import Appended, ShortTermMemory
from shared.stm.lift import lift_messages
from shared.stm.topics import decide_topics
from shared.turn.apply import apply_commands, read_commands
from shared.turn.calls import check_system_messages, find_orphan, refuse_orphan
from shared.turn.ending import put_notes
from shared.turn.request import TurnRules
from shared.turn.topics import apply_topics, read_standing

MAX_MESSAGE_CHARS = 200_000
MAX_TOOL_CHARS = 1_000_000


@dataclass(frozen=True, slots=True)
class AppendRequest:
    """Messages for one session, oldest first, and who sends them."""

    session_id: str
    messages: Sequence[NewMessage]
    timezone: str | None
    actor: str
    request_id: str


class AppendAnswer(Value):
    """What an append did; `pending` holds nothing until proposals exist."""

    message_ids: tuple[str, ...]
    commands: tuple[CommandOutcome, ...] = ()
    pending: tuple[dict[str, Any], ...] = ()
    asks_pending: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()


def read_new_messages(given: Sequence[Mapping[str, Any]], *, now_ms: int) -> list[NewMessage]:
    """Return messages ready to append.

    Raises:
        TooLarge: a message is over its limit (200,000 characters; a tool's 1,000,000).
        InvalidInput: `created_at` lies in the future.
    """
    return [_new_message(message, place, now_ms=now_ms) for place, message in enumerate(given)]


def _new_message(given: Mapping[str, Any], place: int, *, now_ms: int) -> NewMessage:
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
    )
    return NewMessage(
        id=new_id("msg"),
        role=given["role"],
        body=body,
        tokens=message_tokens(given["role"], content, tool_calls=given["tool_calls"]),
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
    await _check_calls(scope, request, fresh=fresh, rules=rules, stm=stm)
    appended = await stm.append_messages(scope, request.session_id, messages=fresh)
    topics = await _lift(scope, request, appended=appended, rules=rules, now=now, stm=stm, ltm=ltm)
    ids = _ids_in_order(request.messages, fresh=fresh, appended=appended, archived=archived)
    outcomes = await _apply_all(scope, request, ids=ids, appended=appended, rules=rules, now=now, ltm=ltm)
    return AppendAnswer(message_ids=tuple(ids), commands=(*outcomes, *topics))


async def _check_calls(
    scope: Scope,
    request: AppendRequest,
    *,
    fresh: Sequence[NewMessage],
    rules: TurnRules,
    stm: ShortTermMemory,
) -> None:
    """Refuse a tool result whose call stands neither in the request nor in the session."""
    if find_orphan(fresh) is None:
        return
    session, _ = await stm.find_session(
        scope, request.session_id, window_tokens=rules.limits.prompt_tokens * 4
    )
    called = {
        str(call.get("id"))
        for message in (session.window if session else ())
        for call in message.body.tool_calls or ()
    }
    orphan = find_orphan(fresh, called=called)
    if orphan is not None:
        raise refuse_orphan(list(request.messages).index(fresh[orphan]))


async def _lift(
    scope: Scope,
    request: AppendRequest,
    *,
    appended: Appended,
    rules: TurnRules,
    now: datetime,
    stm: ShortTermMemory,
    ltm: LongTermMemory,
) -> list[CommandOutcome]:
    """Keep what the new messages say in the session's notes, and their topic bans."""
    base = appended.session.notes
    own = base.model_copy(update={"timezone": request.timezone}) if request.timezone else base
    notes = lift_messages(own, appended.new, rules=rules.lift)
    if notes.model_copy(update={"lifted_to": base.lifted_to}) != base:
        await put_notes(scope, request.session_id, base=base, mine=notes, stm=stm)
    outcomes: list[CommandOutcome] = []
    before, standing = base, await read_standing(scope, ltm=ltm)
    for message in appended.new:
        plan = decide_topics(message.text, session=before.banned_topics, standing=standing)
        if message.role == "user" and (plan.banned or plan.lifted):
            source = Source(session_id=request.session_id, message_ids=(message.id,))
            why = Why(
                actor=request.actor, request_id=request.request_id, origin="user", source=source, at=now
            )
            change = await apply_topics(scope, message, notes=before, why=why, ltm=ltm)
            outcomes += change.outcomes
            standing = change.standing
            before = lift_messages(before, [message], rules=rules.lift)
    return outcomes


def _ids_in_order(
    messages: Sequence[NewMessage],
    *,
    fresh: Sequence[NewMessage],
    appended: Appended,
    archived: Mapping[str, str],
) -> list[str]:
    by_new_id = {message.id: known for message, known in zip(fresh, appended.message_ids, strict=True)}
    return [by_new_id.get(message.id) or archived[message.body.client_id or ""] for message in messages]


async def _apply_all(
    scope: Scope,
    request: AppendRequest,
    *,
    ids: Sequence[str],
    appended: Appended,
    rules: TurnRules,
    now: datetime,
    ltm: LongTermMemory,
) -> list[CommandOutcome]:
    zone = request.timezone or appended.session.notes.timezone
    found: list[tuple[Message, list[Command]]] = []
    before: Message | None = None
    for new, message_id in zip(request.messages, ids, strict=True):
        said_at_ms = new.created_at_ms or to_ms(now)
        message = _as_message(new, message_id, said_at_ms=said_at_ms)
        if new.role == "user":
            today = from_ms(said_at_ms).astimezone(ZoneInfo(zone) if zone else UTC).date()
            commands = read_commands(message, before, schema=rules.schema, today=today)
            if commands:
                found.append((message, commands))
        before = message if new.role == "assistant" else None
    if not found:
        return []

    def work(writer: LtmWriter) -> list[CommandOutcome]:
        outcomes: list[CommandOutcome] = []
        for message, commands in found:
            why = Why(
                actor=request.actor,
                request_id=request.request_id,
                origin="user",
                source=Source(session_id=request.session_id, message_ids=(message.id,)),
                at=from_ms(message.created_at_ms).astimezone(ZoneInfo(zone) if zone else UTC),
            )
            outcomes += apply_commands(writer, commands, message=message, why=why, mask=rules.mask)
        return outcomes

    return await ltm.write(scope, work)


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
