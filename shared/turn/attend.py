"""What a turn attends to beside the reply: findings, notices, notes to the model, the question. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.extraction.command import NEEDS_TIME, NOTHING_TO_CORRECT
from shared.ltm.field_values import show_value
from shared.ltm.schema import Schema
from shared.model.memory import FieldVersion, Memory
from shared.model.message import SessionNotes
from shared.model.pending import PendingUpdate
from shared.model.turn import Notice
from shared.prompts.load import Language, fill_prompt, load_prompt
from shared.turn.apply import Applied
from shared.turn.evidence import Evidence, Held, find_evidence
from shared.turn.followups import command_notes
from shared.turn.heartbeat import HeartbeatPolicy, find_missing_path, find_required
from shared.turn.questions import Asking, Questions, choose_questions, update_gaps

TASK_TYPE = "current_task.type"
_NOTES_KEPT = 50


@dataclass(frozen=True, slots=True)
class Attention:
    """What the turn says beside its reply."""

    questions: Questions
    notices: tuple[Notice, ...]
    model_notes: tuple[str, ...]
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Scene:
    """One message among what memory holds: the facts that findings are made from.

    `left_open` is what a bare yes may mean, asked before the last message;
    `held` are all memories, for a message that asks what is held, which `last_reply` may have used; `topics`
    are banned.
    """

    text: str
    seq: int
    session_id: str
    language: Language
    schema: Schema
    policy: HeartbeatPolicy
    now: datetime
    notes: SessionNotes
    fields: Sequence[FieldVersion] = ()
    waiting: Sequence[PendingUpdate] = ()
    expired: Sequence[FieldVersion] = ()
    task_type: str | None = None
    left_open: Sequence[PendingUpdate] = ()
    held: Sequence[Memory] = ()
    last_reply: str = ""
    topics: Sequence[str] = ()


def attend(scene: Scene, applied: Applied) -> Attention:
    """Return the findings of a turn and what follows from them."""
    known = {path.path for path in scene.schema.paths}
    missing, mentioned = _find_missing(scene)
    asking = Asking(
        language=scene.language,
        schema=scene.schema,
        policy=scene.policy,
        now=scene.now,
        seq=scene.seq,
        notes=scene.notes,
        session_id=scene.session_id,
        created=[update for update in applied.pending if update.path is None or update.path in known],
        waiting=[update for update in scene.waiting if update.path is None or update.path in known],
        missing=(*missing, *mentioned),
        expired=scene.expired,
        wipe_count=applied.wipe_count,
        choice=applied.choice,
        wanted=_wanted(applied),
        again=() if applied.outcomes else scene.left_open,
        is_filling=any(
            each.kind == "set" and each.outcome == "applied" and each.old is None
            for each in applied.outcomes
            if each.path in scene.notes.asked_paths
        ),
        untimed={each.path: each.new for each in applied.outcomes if each.reason == NEEDS_TIME and each.path},
    )
    questions = choose_questions(asking)
    notices = _notices(scene, applied, missing=(*missing, *mentioned))
    held = Held(
        scene.fields,
        scene.held,
        scene.schema,
        scene.language,
        now=scene.now,
        topics=scene.topics,
        last_reply=scene.last_reply,
    )
    evidence = find_evidence(scene.text, held)
    return Attention(
        questions=questions,
        notices=notices,
        model_notes=tuple(_model_notes(scene, applied, questions=questions, evidence=evidence)),
        evidence=evidence,
    )


def _wanted(applied: Applied) -> PendingUpdate | None:
    """What a correction says that corrects nothing: whether it is to be kept is asked at once."""
    said = [each.new for each in applied.outcomes if each.reason == NOTHING_TO_CORRECT]
    found = (update for update in applied.pending if update.path is None and update.new in said)
    return next(found, None)


def _find_missing(scene: Scene) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what the task requires, and what the user speaks of, that has no value."""
    if scene.policy.missing == "off":
        return (), ()
    filled = {field.path for field in scene.fields}
    values = {field.path: field.value for field in scene.fields}
    required = find_required(scene.task_type or values.get(TASK_TYPE), schema=scene.schema, filled=filled)
    spoken = find_missing_path(
        scene.text, schema=scene.schema, filled={*filled, *required}, asked=scene.notes.asked_paths
    )
    return required, (spoken,) if spoken else ()


def _notices(scene: Scene, applied: Applied, *, missing: Sequence[str]) -> tuple[Notice, ...]:
    found = [missing_notice(path, schema=scene.schema, language=scene.language) for path in missing]
    if scene.policy.expired != "off":
        found += [
            expired_notice(field, schema=scene.schema, language=scene.language) for field in scene.expired
        ]
    if scene.policy.conflict != "off":
        found += [
            conflict_notice(update, schema=scene.schema, language=scene.language)
            for update in applied.pending
            if update.origin == "heartbeat"
        ]
        found += [_outranked_notice(path, scene=scene) for path in applied.outranked]
    return tuple(found)


def missing_notice(path: str, *, schema: Schema, language: Language) -> Notice:
    """Return the notice for a field that has no value."""
    gaps = {"label": schema.find(path).label(language)}
    return Notice(kind="missing", path=path, text=fill_prompt(language, "notice_missing", gaps=gaps))


def expired_notice(field: FieldVersion, *, schema: Schema, language: Language) -> Notice:
    """Return the notice for a field whose time has passed."""
    path = schema.find(field.path)
    gaps = {"label": path.label(language), "value": show_value(path, field.value, language=language)}
    return Notice(kind="expired", path=field.path, text=fill_prompt(language, "notice_expired", gaps=gaps))


def conflict_notice(update: PendingUpdate, *, schema: Schema, language: Language) -> Notice:
    """Return the notice for a statement that contradicts a field."""
    gaps = update_gaps(update, schema=schema, language=language)
    text = fill_prompt(language, "notice_conflict" if update.path else "notice_conflict_text", gaps=gaps)
    return Notice(kind="conflict", path=update.path, text=text)


def _outranked_notice(path: str, *, scene: Scene) -> Notice:
    named = scene.schema.find(path)
    standing = next((field.value for field in scene.fields if field.path == path), None)
    gaps = {
        "label": named.label(scene.language),
        "old": show_value(named, standing, language=scene.language),
    }
    return Notice(kind="conflict", path=path, text=fill_prompt(scene.language, "notice_outranked", gaps=gaps))


def _model_notes(scene: Scene, applied: Applied, *, questions: Questions, evidence: Evidence) -> list[str]:
    language, schema = scene.language, scene.schema
    lines = command_notes(applied.outcomes, schema=schema, language=language)
    if questions.asks_paths and not scene.expired:
        labels = [schema.find(path).label(language) for path in questions.asks_paths]
        lines += [load_prompt(language, "ask_first_note"), *labels]
    if scene.policy.expired != "off":
        lines += [expired_notice(field, schema=schema, language=language).text for field in scene.expired]
    conflicts = [update for update in applied.pending if update.origin == "heartbeat"]
    if conflicts and scene.policy.conflict == "warn":
        texts = [conflict_notice(update, schema=schema, language=language).text for update in conflicts]
        lines += [load_prompt(language, "conflict_note"), *texts]
    if evidence.note:
        lines += [evidence.note, *evidence.lines]
    return lines


def next_notes(notes: SessionNotes, questions: Questions, *, seq: int) -> SessionNotes:
    """Return a session's notes after a question was asked, so that nothing is asked twice."""
    asked_paths = dict.fromkeys((*notes.asked_paths, *questions.asks_paths))
    asked_pending = dict.fromkeys((*notes.asked_pending, *questions.asks_pending))
    again = [each for each in questions.asks_pending if each in notes.asked_pending]
    return notes.model_copy(
        update={
            "asked_paths": tuple(asked_paths),
            "asked_pending": tuple(asked_pending)[-_NOTES_KEPT:],
            "asked_again": (*notes.asked_again, *again)[-_NOTES_KEPT:],
            "proposed_at_seq": seq if questions.is_block else notes.proposed_at_seq,
        }
    )
