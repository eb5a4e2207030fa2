"""One chat turn, from the user's message to the stored reply: the thin path of the product.

Two round trips to short-term memory, point reads of long-term memory, one transaction only where the
message commands something, one model call: the reply. The message is safe before any model is asked, and
what a broken or abandoned turn leaves is settled in a task that a leaving client cannot end.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from shared.errors import Unavailable
from shared.language.tokens import estimate_tokens, message_tokens
from shared.model.message import EchoReasoning, Message, MessageBody, NewMessage, SessionNotes
from shared.model.scope import Scope
from shared.model.turn import Delta, Notice, TurnEvent, TurnResult, Usage
from shared.ports.embedder import Embedder
from shared.ports.llm import ChatModel, ChatRequest
from shared.ports.ltm import LongTermMemory
from shared.ports.stm import ShortTermMemory, TurnEnd, TurnStart
from shared.stm.lift import lift_messages, lift_reply
from shared.turn.context import Record
from shared.turn.ending import as_message, finish_turn
from shared.turn.fallback import answer_reply, fallback_reply, related_to
from shared.turn.field_card import field_lines
from shared.turn.followups import applied_title, notice_text, outcome_line, write_followups
from shared.turn.off_record import is_off_record
from shared.turn.plan import TurnPlan, plan_turn
from shared.turn.questions import Questions
from shared.turn.redact import redact_sessions
from shared.turn.request import TurnRequest, TurnRules
from shared.turn.said_here import facts_here, quotes_here
from shared.turn.standing import waiting_question
from shared.turn.topics import topic_paragraph

Emit = Callable[[TurnEvent], None]
_SETTLE_SECONDS = 2.0
_RENEW_SECONDS = 5.0
FALLBACK_MODEL = "bilayer-fallback"
TEMPLATE_MODEL = "bilayer-template"


@dataclass(slots=True)
class _Draft:
    """The reply as far as it came, and what stands so far for the second round trip."""

    pieces: list[str] = field(default_factory=list)
    model: str = FALLBACK_MODEL
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning: str | None = None
    degraded: bool = False
    closing_from: int | None = None
    is_settled: bool = False

    @property
    def text(self) -> str:
        return "".join(self.pieces)


async def take_turn(
    scope: Scope,
    request: TurnRequest,
    *,
    rules: TurnRules,
    emit: Emit,
    now: Callable[[], datetime],
    stm: ShortTermMemory,
    ltm: LongTermMemory,
    model: ChatModel,
    embedder: Embedder,
) -> TurnResult:
    """Take one turn; `emit` hears of recalled rows, pieces, notices and the result as they come.

    Raises:
        Conflict: the session is busy, or the idempotency key runs elsewhere.
        Unavailable: short-term memory is away, long-term memory cannot take a command, or the model
            broke off after its first token (`llm_interrupted`; what came is kept).
    """
    message = _user_message(request, rules)
    start = await stm.begin_turn(
        scope,
        request.session_id,
        message=message,
        claim=request.claim,
        window_tokens=rules.limits.prompt_tokens,
    )
    if start.replayed is not None:
        return _replay(start.replayed, emit)
    draft = _Draft()
    lease = asyncio.create_task(_keep_lease(scope, request.session_id, fence=start.fence, stm=stm))
    try:
        has_secret = message.kept_body is not None
        # What an accepted message commands is carried out also where the client has left by now.
        planning = plan_turn(
            scope,
            request,
            start=start,
            rules=rules,
            now=now(),
            has_secret=has_secret,
            ltm=ltm,
            embedder=embedder,
        )
        plan = await _to_its_end(_carry_out(scope, planning, stm=stm))
        emit(plan.recalled)
        for notice in plan.notices:
            emit(notice)
        await _write_reply(plan, draft, window=start.session.window, emit=emit, model=model)
        result = _result(request, start, plan=plan, draft=draft)
        end = _finished(request, start, plan=plan, draft=draft, result=result, rules=rules)
        draft.is_settled = True
        await asyncio.shield(finish_turn(scope, end, base=start.session.notes, stm=stm))
    finally:
        lease.cancel()
        if not draft.is_settled:
            end = _broken(request, start, draft=draft, rules=rules)
            await _settle(scope, end, base=start.session.notes, stm=stm)
    emit(result)
    return result


async def _carry_out(
    scope: Scope, planning: Coroutine[None, None, TurnPlan], *, stm: ShortTermMemory
) -> TurnPlan:
    """Plan the turn, and take what it forgets out of short-term memory."""
    plan = await planning
    if plan.forgotten_ids:
        await stm.forget_in_tail(scope, plan.forgotten_ids)
        await redact_sessions(scope, plan.redactions, stm=stm)
    return plan


async def _to_its_end(work: Coroutine[None, None, TurnPlan]) -> TurnPlan:
    """Return what `work` returns; a cancel takes effect once it has ended."""
    task = asyncio.create_task(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise


def _user_message(request: TurnRequest, rules: TurnRules) -> NewMessage:
    body = MessageBody.of_text(request.message)
    kept = body.masked(rules.mask_text)
    return NewMessage(
        id=request.message_id,
        role="user",
        body=body,
        kept_body=kept if kept is not body else None,
        tokens=message_tokens("user", request.message),
        turn_id=request.turn_id,
    )


def _replay(stored: str, emit: Emit) -> TurnResult:
    result = TurnResult.model_validate_json(stored)
    emit(result.recalled)
    emit(Delta(content=result.reply["content"]))
    for notice in result.notices:
        emit(notice)
    emit(result)
    return result


async def _keep_lease(scope: Scope, session_id: str, *, fence: int, stm: ShortTermMemory) -> None:
    while True:
        await asyncio.sleep(_RENEW_SECONDS)
        with contextlib.suppress(Unavailable):
            await stm.renew_lease(scope, session_id, fence=fence)


async def _write_reply(
    plan: TurnPlan, draft: _Draft, *, window: Sequence[Message], emit: Emit, model: ChatModel
) -> None:
    """Stream the model's reply, or the fallback's, and append what code has to say.

    A conflict stops the turn: no model is asked, the question is the reply.
    """
    if plan.questions.is_stop:
        draft.model = TEMPLATE_MODEL
        _append_closing(plan, draft, emit=emit)
        return
    request = ChatRequest.of_checked({"messages": plan.prompt.messages, "max_tokens": plan.reply_tokens})
    try:
        async with contextlib.aclosing(model.stream(request)) as pieces:
            async for piece in pieces:
                draft.model = piece.model or draft.model
                draft.prompt_tokens = piece.prompt_tokens or draft.prompt_tokens
                draft.completion_tokens = piece.completion_tokens or draft.completion_tokens
                draft.reasoning = piece.reasoning or draft.reasoning
                if piece.text:
                    draft.pieces.append(piece.text)
                    emit(Delta(content=piece.text))
    except Unavailable:
        if draft.pieces:
            raise
        draft.degraded = True
        draft.model = FALLBACK_MODEL
        emit(Notice(kind="degraded", text=notice_text(plan.language, "degraded")))
        draft.pieces.append(_reply_from_memory(plan, window))
        emit(Delta(content=draft.pieces[-1]))
    _append_closing(plan, draft, emit=emit)


def _reply_from_memory(plan: TurnPlan, window: Sequence[Message]) -> str:
    """Return the reply where no model answers; what stands in the session's window is told too."""
    answer = plan.evidence.paragraph
    if (answer and not plan.outcomes) or is_off_record(plan.outcomes):
        return answer_reply(answer, language=plan.language, recalled=plan.records)
    quoted = quotes_here(plan, window)
    return fallback_reply(
        plan.message,
        language=plan.language,
        facts=(
            *plan.evidence.lines,
            *field_lines(plan.view.fields, schema=plan.schema, language=plan.language),
            *_standing_lines(plan, quoted),
            *facts_here(plan, quoted),
        ),
        recalled=(*quoted, *plan.records),
        applied=_stored_lines(plan) if plan.outcomes else (),
        question=None if plan.questions.text else waiting_question(_unasked(plan), language=plan.language),
    )


def _standing_lines(plan: TurnPlan, quoted: Sequence[Record]) -> Sequence[str]:
    """Return the standing memory that shares a word with the message; all of it where nothing else is known.

    我有什么忌口？ shares no word with 我对花生过敏, and to say that nothing is known would be wrong.
    """
    standing = [memory.text for memory in plan.view.standing]
    related = related_to(plan.message, standing)
    is_known = related or plan.evidence.lines or plan.records or quoted
    return related if is_known or plan.outcomes else standing


def _unasked(plan: TurnPlan) -> list[str]:
    """What the task card waits for, but for fields that were asked for before."""
    asked = {each.label(plan.language) for each in plan.schema.paths if each.path in plan.notes.asked_paths}
    return [label for label in plan.waiting if label not in asked]


def _stored_lines(plan: TurnPlan) -> list[str] | None:
    """What the message stored, line by line; None where what it commanded stores nothing."""
    return [
        outcome_line(outcome, schema=plan.schema, language=plan.language)
        for outcome in plan.outcomes
        if outcome.outcome == "applied" and applied_title(outcome) == "stored" and not outcome.reason
    ] or None


def _append_closing(plan: TurnPlan, draft: _Draft, *, emit: Emit) -> None:
    closing = write_followups(
        draft.text,
        outcomes=plan.outcomes,
        question=plan.questions.text,
        is_sealed=plan.is_sealed,
        schema=plan.schema,
        language=plan.language,
    ) + topic_paragraph(plan.topics, language=plan.language)
    if closing:
        draft.closing_from = len(draft.text)
        draft.pieces.append(closing)
        emit(Delta(content=closing))


def _result(request: TurnRequest, start: TurnStart, *, plan: TurnPlan, draft: _Draft) -> TurnResult:
    notices = plan.notices
    if draft.degraded:
        notices = (*notices, Notice(kind="degraded", text=notice_text(plan.language, "degraded")))
    return TurnResult(
        turn_id=start.message.turn_id or request.turn_id,
        session_id=request.session_id,
        reply={"role": "assistant", "content": draft.text},
        commands=(*plan.outcomes, *plan.topics),
        asks_pending=plan.questions.asks_pending,
        pending=plan.pending,
        notices=notices,
        recalled=plan.recalled,
        usage=Usage(
            prompt_tokens=draft.prompt_tokens or plan.prompt.tokens,
            completion_tokens=draft.completion_tokens or message_tokens("assistant", draft.text),
            memory_tokens=plan.prompt.memory_tokens,
        ),
        model=draft.model,
        degraded=draft.degraded,
    )


def _reply_message(
    request: TurnRequest, start: TurnStart, *, draft: _Draft, plan: TurnPlan | None, rules: TurnRules
) -> NewMessage:
    body = _reply_body(draft, plan, echo=rules.echo_reasoning)
    return NewMessage(
        id=request.reply_id,
        role="assistant",
        body=body,
        tokens=message_tokens("assistant", draft.text) + estimate_tokens(body.reasoning or ""),
        turn_id=start.message.turn_id or request.turn_id,
        state="complete" if plan else "interrupted",
    )


def _reply_body(draft: _Draft, plan: TurnPlan | None, *, echo: EchoReasoning) -> MessageBody:
    """Return the reply with what it asks about, so that the next answer resolves just that."""
    asked = plan.questions if plan else Questions()
    body = MessageBody(
        content=draft.text,
        asks_pending=asked.asks_pending,
        asks_paths=asked.asks_paths,
        asks_wipe=asked.asks_wipe,
        asks_forget=asked.asks_forget,
        asks_topic=asked.asks_topic,
        asks_part=asked.asks_part,
        is_fallback=draft.degraded,
        closing_from=0 if plan is not None and is_off_record(plan.outcomes) else draft.closing_from,
    )
    return body.with_reasoning(draft.reasoning, echo)


def _finished(
    request: TurnRequest,
    start: TurnStart,
    *,
    plan: TurnPlan,
    draft: _Draft,
    result: TurnResult,
    rules: TurnRules,
) -> TurnEnd:
    reply = _reply_message(request, start, draft=draft, plan=plan, rules=rules)
    said = as_message(reply, seq=start.session.last_seq + 1, at_ms=start.message.received_at_ms)
    return TurnEnd(
        session_id=request.session_id,
        fence=start.fence,
        reply=reply,
        claim=request.claim,
        claim_state="done",
        result_json=result.model_dump_json() if request.claim else None,
        notes=lift_reply(plan.notes, said, rules=rules.lift),
        notes_version=start.session.notes_version,
        accessed_row_ids=plan.accessed_row_ids,
        is_archive_due=start.is_archive_due,
    )


def _broken(request: TurnRequest, start: TurnStart, *, draft: _Draft, rules: TurnRules) -> TurnEnd:
    """Return the end of a turn that did not reach its end: what came is kept, the claim freed."""
    notes = lift_messages(start.session.notes, start.session.window, rules=rules.lift)
    reply = _reply_message(request, start, draft=draft, plan=None, rules=rules) if draft.pieces else None
    return TurnEnd(
        session_id=request.session_id,
        fence=start.fence,
        reply=reply,
        claim=request.claim,
        claim_state="interrupted" if reply else "free",
        notes=notes,
        notes_version=start.session.notes_version,
        is_archive_due=start.is_archive_due,
    )


async def _settle(scope: Scope, end: TurnEnd, *, base: SessionNotes, stm: ShortTermMemory) -> None:
    """Make round trip two of a turn that broke off, in at most 2 s, whoever has left meanwhile."""
    finishing = asyncio.ensure_future(finish_turn(scope, end, base=base, stm=stm))
    try:
        await asyncio.wait_for(asyncio.shield(finishing), _SETTLE_SECONDS)
    except TimeoutError:
        raise Unavailable(
            "The reply could not be stored in time; try again.", code="stm_unavailable"
        ) from None
