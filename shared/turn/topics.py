"""Topics in a turn: what the message bans or lifts, and what memory must keep of it.

A ban for this session lies in the session's notes; one that holds for good lies in long-term memory,
written in a transaction of its own, once for a message.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from shared.errors import Unavailable
from shared.ltm.edit import Why
from shared.model.message import Message, SessionNotes
from shared.model.moment import to_ms
from shared.model.scope import Scope
from shared.model.session_state import BannedTopic
from shared.model.turn import CommandOutcome, Notice
from shared.ports.ltm import LongTermMemory, LtmWriter
from shared.prompts.load import load_prompt
from shared.stm.topics import TopicCommand, TopicPlan, decide_topics

Language = Literal["zh", "en"]
MAX_STANDING_TOPICS = 100
_UNNAMED = CommandOutcome(kind="ban_topic", outcome="refused", reason="unnamed")


@dataclass(frozen=True, slots=True)
class TopicChange:
    """What a message did, and the standing bans that hold after it."""

    outcomes: tuple[CommandOutcome, ...] = ()
    standing: tuple[str, ...] = ()


async def apply_topics(
    scope: Scope, message: Message, *, notes: SessionNotes, why: Why, ltm: LongTermMemory
) -> TopicChange:
    """Ban and lift what the message says; `notes` are those from before the message.

    Raises `Unavailable` where a ban for good cannot be kept: it must not be acknowledged.
    """
    try:
        before = await read_standing(scope, ltm=ltm)
    except Unavailable:
        before = ()
    plan = decide_topics(message.text, session=notes.banned_topics, standing=before)
    outcomes = outcomes_of(plan)
    if not why.may_resolve:
        plan = _within_session(plan, before)
        allowed = outcomes_of(plan)
        outcomes = tuple(each if each in allowed else _refused(each) for each in outcomes)
    if not _touches_standing(plan, before):
        return TopicChange(outcomes=outcomes, standing=before)

    def work(writer: LtmWriter) -> TopicChange:
        key = f"topics:{message.id}"
        done = writer.applied(key)
        if done is None:
            _write(writer, plan, message=message, why=why)
            done = [outcome.model_dump(mode="json") for outcome in outcomes]
            writer.mark_applied(key, done)
        return TopicChange(
            outcomes=tuple(CommandOutcome.model_validate(outcome) for outcome in done),
            standing=tuple(topic.topic for topic in writer.topics()),
        )

    return await ltm.write(scope, work)


async def read_standing(scope: Scope, *, ltm: LongTermMemory) -> tuple[str, ...]:
    """Return the topics that are banned for good."""
    return await ltm.read(scope, lambda reader: tuple(topic.topic for topic in reader.topics()))


async def lift_topics(scope: Scope, topic: str | None, *, why: Why, ltm: LongTermMemory) -> list[str]:
    """Lift one standing ban, or all of them (None); returns the topics that were lifted."""

    def work(writer: LtmWriter) -> list[str]:
        wanted = [each.topic for each in writer.topics() if topic is None or each.topic == topic]
        for each in wanted:
            writer.lift_topic(each)
            _audit(writer, "topic.lift", why=why)
        return wanted

    return await ltm.write(scope, work)


def outcomes_of(plan: TopicPlan) -> tuple[CommandOutcome, ...]:
    """Return what a turn's answer says of a plan."""
    banned = [
        CommandOutcome(kind="ban_topic", new=ban.topic, reason="for_good" if ban.lasting else "this_session")
        for ban in plan.banned
    ]
    lifted = [CommandOutcome(kind="lift_topic", old=topic) for topic in plan.lifted]
    unnamed = [_UNNAMED] if plan.is_unnamed else []
    return (*lifted, *banned, *unnamed)


def _within_session(plan: TopicPlan, standing: Sequence[str]) -> TopicPlan:
    """Return what an agent's key may do of a plan: nothing that holds beyond the session."""
    return TopicPlan(
        banned=tuple(ban for ban in plan.banned if not ban.lasting),
        lifted=tuple(topic for topic in plan.lifted if topic not in standing),
        is_unnamed=plan.is_unnamed,
    )


def _refused(outcome: CommandOutcome) -> CommandOutcome:
    return outcome.model_copy(update={"outcome": "refused", "reason": "permission"})


def topic_notices(outcomes: Sequence[CommandOutcome], *, language: Language) -> tuple[Notice, ...]:
    """Return the notices about bans that were set or lifted."""
    return tuple(Notice(kind="topic", text=_line(outcome, language)) for outcome in outcomes)


def topic_paragraph(outcomes: Sequence[CommandOutcome], *, language: Language) -> str:
    """Return what code appends to the reply; empty where no topic was banned or lifted."""
    lines = [_line(outcome, language) for outcome in outcomes]
    applied = [outcome for outcome in outcomes if outcome.outcome == "applied"]
    banned = [str(outcome.new) for outcome in applied if outcome.kind == "ban_topic"]
    if banned:
        offer = load_prompt(language, "topic_offer")
        lines.append(offer.replace("{label}", ("、" if language == "zh" else ", ").join(banned)))
    return "".join(f"\n\n{paragraph}" for paragraph in ["\n".join(lines)] if paragraph)


def _line(outcome: CommandOutcome, language: Language) -> str:
    if outcome.outcome == "refused":
        return load_prompt(language, f"refused_{outcome.reason}")
    if outcome.kind == "lift_topic":
        return load_prompt(language, "topic_lifted").replace("{label}", str(outcome.old))
    name = "topic_banned_for_good" if outcome.reason == "for_good" else "topic_banned"
    return load_prompt(language, name).replace("{label}", str(outcome.new))


def _touches_standing(plan: TopicPlan, standing: Sequence[str]) -> bool:
    return any(ban.lasting for ban in plan.banned) or any(topic in standing for topic in plan.lifted)


def _write(writer: LtmWriter, plan: TopicPlan, *, message: Message, why: Why) -> None:
    for topic in plan.lifted:
        if writer.lift_topic(topic):
            _audit(writer, "topic.lift", why=why)
    for ban in plan.banned:
        if not ban.lasting or len(writer.topics()) >= MAX_STANDING_TOPICS:
            continue
        if writer.ban_topic(_banned(ban, message=message, why=why)):
            _audit(writer, "topic.ban", why=why)


def _banned(ban: TopicCommand, *, message: Message, why: Why) -> BannedTopic:
    return BannedTopic(
        topic=ban.topic,
        quote=ban.quote,
        session_id=why.source.session_id,
        message_id=message.id,
        at_ms=to_ms(why.at),
    )


def _audit(writer: LtmWriter, action: str, *, why: Why) -> None:
    source = why.source
    details = {"session_id": source.session_id, "message_ids": list(source.message_ids), **why.marks}
    writer.add_audit(action, path=None, details=details, actor=why.actor, request_id=why.request_id)
