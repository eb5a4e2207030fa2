"""Compaction: the oldest messages of a long session become its summary; nothing is lost on the way.

Read, plan, ask the model, check, compare-and-set. What a model wrote is stored only after `summary_check`
has mended it; what cannot be mended is asked for once more and then left. Messages that come meanwhile
are untouched, and a session that somebody else has summarised meanwhile is read anew once. Without a
model the summary is made by rule; with the model down nothing changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from pydantic import Field

from shared.errors import Unavailable
from shared.language.scripts import detect_language
from shared.model.base import Value
from shared.model.message import Message, Session
from shared.model.scope import Scope
from shared.model.session_state import KeyFact, SessionSummary, Summary
from shared.ports.llm import AnswerSchema, ChatModel, CompletionRequest
from shared.ports.ltm import LongTermMemory
from shared.ports.stm import ShortTermMemory
from shared.stm.compaction import (
    CompactionPlan,
    CompactionState,
    Watermarks,
    plan_compaction,
    shrink_plan,
)
from shared.stm.gone import leave_out_gone
from shared.stm.key_facts import FindSecrets, merge_key_facts
from shared.stm.lift import drop_revoked
from shared.stm.summary import extractive_summary, fold_summaries
from shared.stm.summary_check import SummaryCheck, check_summary, protected_spans
from shared.stm.summary_request import (
    ANSWER_TOKENS,
    SUMMARY_SCHEMA,
    MaskSecrets,
    read_answer,
    shown_tokens,
    summary_messages,
)
from shared.stm.withheld import Withheld, read_withheld, without_spans, without_withheld

MAX_ROUNDS = 4
MAX_READ_MESSAGES = 2_000
ATTEMPTS = 2
_CONFLICTS = 2


@dataclass(frozen=True, slots=True)
class CompactRules:
    """What the settings say: the marks, the prompt's tokens, what is secret and how it is masked."""

    marks: Watermarks
    prompt_tokens: int
    find_secrets: FindSecrets
    mask_secrets: MaskSecrets


class CompactReport(Value):
    """What one run did: rounds stored, the last message that the summary holds, repairs by reason."""

    rounds: int = 0
    to_seq: int = 0
    made_by: str = ""
    repairs: dict[str, int] = Field(default_factory=dict)
    outcome: str = "nothing_due"


async def compact_session(
    scope: Scope,
    session_key: str,
    *,
    now_ms: int,
    rules: CompactRules,
    stm: ShortTermMemory,
    ltm: LongTermMemory,
    model: ChatModel,
) -> CompactReport:
    """Summarise a session until it is below its low mark.

    Raises `Unavailable` (`llm_unavailable`) where the model does not answer, and `summary_refused` where
    what it answers cannot be used; nothing has changed then.
    """
    report = CompactReport()
    conflicts = 0
    while report.rounds < MAX_ROUNDS and conflicts < _CONFLICTS:
        session, messages = await read_open_messages(scope, session_key, stm=stm, ltm=ltm)
        plan = None if session is None else _plan(session, messages, rules=rules)
        if session is None or plan is None:
            return report
        withheld = await _read_withheld(scope, session, messages=plan.messages, ltm=ltm)
        plan = plan.model_copy(update={"messages": without_spans(plan.messages, withheld.spans)})
        told = without_withheld(session, withheld)
        made, repairs = await _summarise(told, plan, now_ms=now_ms, rules=rules, model=model)
        # Something may have been forgotten meanwhile.
        withheld = await _read_withheld(scope, session, messages=plan.messages, ltm=ltm)
        made = made.model_copy(update={"summary": leave_out_gone(made.summary, withheld.gone)})
        is_stored = await stm.store_summary(scope, session, summary=made, window_tokens=rules.prompt_tokens)
        conflicts += not is_stored
        if is_stored:
            report = _add_round(report, made, repairs=repairs)
    return report if report.rounds else report.model_copy(update={"outcome": "conflict"})


async def _read_withheld(
    scope: Scope, session: Session, *, messages: Sequence[Message], ltm: LongTermMemory
) -> Withheld:
    """Return what no summary of these messages may tell; a rejected proposal was said all the same."""
    message_ids = {message.id for message in messages} | {fact.message_id for fact in session.notes.key_facts}
    return await ltm.read(scope, partial(read_withheld, message_ids=message_ids, with_rejected=False))


async def read_open_messages(
    scope: Scope, session_key: str, *, stm: ShortTermMemory, ltm: LongTermMemory
) -> tuple[Session | None, list[Message]]:
    """Return a session with all messages that no summary holds: from the archive what Redis let go."""
    session, held = await stm.read_open(scope, session_key, limit=MAX_READ_MESSAGES)
    if session is None:
        return None, []
    first = held[0].seq if held else session.last_seq + 1
    gap = first - session.compacted_to - 1
    if gap <= 0:
        return session, held
    after_seq = max(session.compacted_to, first - 1 - MAX_READ_MESSAGES)
    episodes = await ltm.read(
        scope,
        lambda reader: reader.episodes(
            session.id, epoch=session.epoch, after_seq=after_seq, limit=first - 1 - after_seq
        ),
    )
    return session, [*(episode.message for episode in episodes if episode.message.seq < first), *held]


def _plan(session: Session, messages: Sequence[Message], *, rules: CompactRules) -> CompactionPlan | None:
    state = CompactionState(marks=rules.marks, compacted_to=session.compacted_to)
    plan = plan_compaction(messages, state)
    return None if plan is None else shrink_plan(plan, room_tokens=rules.prompt_tokens, cost=shown_tokens)


async def _summarise(
    session: Session, plan: CompactionPlan, *, now_ms: int, rules: CompactRules, model: ChatModel
) -> tuple[SessionSummary, Mapping[str, int]]:
    former = _former(session)
    repairs: dict[str, int] = {}
    if model.breaker_state() == "off":
        words = "\n".join(message.text[:400] for message in plan.messages if message.role == "user")
        language = session.notes.language or detect_language(words)
        summary = extractive_summary(plan.messages, language, former=former, find_secrets=rules.find_secrets)
        made_by = "rule"
    else:
        summary = await _ask(session, plan, rules=rules, model=model, repairs=repairs)
        made_by = "model"
    made = {
        "summary": summary,
        "version": (session.summary.version if session.summary else 0) + 1,
        "to_seq": plan.to_seq,
        "made_at_ms": now_ms,
        "made_by": made_by,
    }
    return SessionSummary.model_validate(made), repairs


async def _ask(
    session: Session,
    plan: CompactionPlan,
    *,
    rules: CompactRules,
    model: ChatModel,
    repairs: dict[str, int],
) -> Summary:
    """Ask the model, at most twice, for a summary that stands; `repairs` counts what had to be mended."""
    former = _former(session)
    spans = standing_spans(session, plan.messages, rules=rules)
    words = "\n".join(message.text[:400] for message in plan.messages if message.role == "user")
    language = session.notes.language or detect_language(words)
    request = CompletionRequest(
        messages=summary_messages(
            plan.messages, language, former=former, spans=spans, mask=rules.mask_secrets
        ),
        max_tokens=ANSWER_TOKENS,
        purpose="summary",
        answer=AnswerSchema(name="summary", document=SUMMARY_SCHEMA),
    )
    for _ in range(ATTEMPTS):
        given = read_answer(await model.complete(request))
        if given is None:
            _count(repairs, ["not_json"])
            continue
        safe = _without_secrets(given, rules)
        checked = check_summary(safe, _told(plan.messages), spans=spans, former=former)
        _count(repairs, [*checked.repairs, *checked.refusals])
        if checked.summary is not None:
            return _fold(former, checked, spans=spans)
    raise SummaryRefused(repairs)


def _former(session: Session) -> Summary | None:
    """Return the former summary without what the user has taken back since."""
    if session.summary is None:
        return None
    return drop_revoked(session.summary.summary, session.notes.revoked)


class SummaryRefused(Unavailable):
    """The model's summaries cannot be used; `repairs` says why, by reason."""

    def __init__(self, repairs: Mapping[str, int]) -> None:
        super().__init__("The model's summary cannot be used.", code="summary_refused")
        self.repairs = dict(repairs)


def standing_spans(session: Session, messages: Sequence[Message], *, rules: CompactRules) -> list[KeyFact]:
    """Return what must be carried word for word: the session's key facts, those of these messages included.

    A fact that was lifted here and is not among the session's any more was revoked, or replaced by a newer
    value, or did not fit. Older facts are among them, so that no summary softens one of them later.
    """
    lifted = protected_spans(messages, budget_tokens=rules.prompt_tokens, find_secrets=rules.find_secrets)
    standing = {fact.text for fact in session.notes.key_facts}
    last_lifted = session.notes.lifted_to
    kept = [
        span for span in lifted if span.text in standing or _is_after(span, messages, last_lifted=last_lifted)
    ]
    merged = merge_key_facts(session.notes.key_facts, kept, budget_tokens=rules.prompt_tokens)
    return list(merged.facts)


def _is_after(span: KeyFact, messages: Sequence[Message], *, last_lifted: int) -> bool:
    return any(message.id == span.message_id and message.seq > last_lifted for message in messages)


def _told(messages: Sequence[Message]) -> list[Message]:
    """Return the messages that a summary may speak of: what was said, not what tools put out."""
    return [message for message in messages if message.role in {"user", "assistant"}]


def _without_secrets(summary: Summary, rules: CompactRules) -> Summary:
    return summary.model_validate_json(rules.mask_secrets(summary.model_dump_json()))


def _fold(former: Summary | None, checked: SummaryCheck, *, spans: Sequence[KeyFact]) -> Summary:
    """Return the checked summary with what it left out of the former one; its own text stands alone."""
    new = checked.summary or Summary()
    if former is None:
        return new
    folded = fold_summaries(former.model_copy(update={"text": ""}), new)
    again = check_summary(folded, (), spans=spans, former=folded)
    return again.summary or folded


def _count(repairs: dict[str, int], reasons: Sequence[str]) -> None:
    for reason in reasons:
        repairs[reason] = repairs.get(reason, 0) + 1


def _add_round(report: CompactReport, made: SessionSummary, *, repairs: Mapping[str, int]) -> CompactReport:
    counted: dict[str, Any] = dict(report.repairs)
    for reason, count in repairs.items():
        counted[reason] = counted.get(reason, 0) + count
    return CompactReport(
        rounds=report.rounds + 1,
        to_seq=made.to_seq,
        made_by=made.made_by,
        repairs=counted,
        outcome="stored",
    )
