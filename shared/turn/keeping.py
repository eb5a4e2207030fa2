"""What appended messages leave in their session; results of tools whose call nobody made are refused."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from shared.aside import run_aside
from shared.errors import Forbidden, InvalidInput
from shared.ltm.edit import Why
from shared.model.memory import Source
from shared.model.message import NewMessage
from shared.model.scope import Scope
from shared.model.turn import CommandOutcome
from shared.ports.ltm import LongTermMemory, LtmReader
from shared.ports.stm import Appended, ShortTermMemory
from shared.stm.lift import lift_messages
from shared.stm.topics import decide_topics
from shared.turn.calls import find_orphan, refuse_orphan
from shared.turn.ending import put_notes
from shared.turn.request import AppendRequest, TurnRules
from shared.turn.topics import apply_topics, read_standing


async def check_calls(
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


async def check_asked(
    scope: Scope, request: AppendRequest, *, fresh: Sequence[NewMessage], ltm: LongTermMemory
) -> None:
    """Refuse `asks_pending` that would let a yes confirm what its sender may not, or what nobody proposed.

    Raises:
        Forbidden: an agent's key says what the next yes of the user confirms.
        InvalidInput: a message that is not the assistant's asks, or a proposal is unknown.
    """
    for message in fresh:
        if not message.body.asks_pending:
            continue
        field = f"messages.{list(request.messages).index(message)}.asks_pending"
        if message.role != "assistant":
            raise InvalidInput(f"{field}: only a message of the assistant asks; leave it out.", field=field)
        if not request.may_resolve:
            raise Forbidden(f"{field} needs the permission pending:resolve; leave it out.", field=field)
        if not await ltm.read(scope, partial(_knows_all, update_ids=message.body.asks_pending)):
            raise InvalidInput(f"{field} names a proposal that nobody made.", field=field)


def _knows_all(reader: LtmReader, *, update_ids: Sequence[str]) -> bool:
    return all(reader.pending_update(update_id) is not None for update_id in update_ids)


async def lift_appended(
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
    chars = sum(len(message.text) for message in appended.new)
    notes = await run_aside(partial(lift_messages, own, appended.new, rules=rules.lift), chars=chars)
    if notes.model_copy(update={"lifted_to": base.lifted_to}) != base:
        await put_notes(scope, request.session_id, base=base, mine=notes, stm=stm)
    outcomes: list[CommandOutcome] = []
    before, standing = base, await read_standing(scope, ltm=ltm)
    for message in appended.new:
        plan = decide_topics(message.text, session=before.banned_topics, standing=standing)
        if message.role == "user" and (plan.banned or plan.lifted):
            source = Source(session_id=request.session_id, message_ids=(message.id,))
            why = Why(
                actor=request.actor,
                request_id=request.request_id,
                origin="user",
                source=source,
                at=now,
                may_resolve=request.may_resolve,
            )
            change = await apply_topics(scope, message, notes=before, why=why, ltm=ltm)
            outcomes += change.outcomes
            standing = change.standing
            before = lift_messages(before, [message], rules=rules.lift)
    return outcomes
