"""Extraction: archived messages of a session become proposals, a batch a model call, each range once.

Rules read first and need no model. Then, batch by batch, a model proposes, the gate checks, what passes waits
for the user; the same transaction notes how far was read, so that a range is extracted once for a prompt.
Where the model does not answer, or answers what cannot be read whole, nothing is noted: it is asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from functools import partial
from typing import Any, Final
from zoneinfo import ZoneInfo

from pydantic import Field

from shared.errors import Unavailable
from shared.extraction.candidates import Known
from shared.extraction.commanded import is_commanded
from shared.extraction.evidence import Batch, FindSecrets, Grounded, Refused, check_evidence
from shared.extraction.habits import find_choices
from shared.extraction.items import Answer, Item, read_answer
from shared.extraction.note_habits import note_habits
from shared.extraction.propose import Outcome, Proposing, propose_items, read_known, related_rows
from shared.extraction.quotes import Said
from shared.extraction.request import (
    PROMPT_VERSION,
    cut_batch,
    estimate_request,
    extraction_request,
    is_shown,
    needs_model,
)
from shared.extraction.rules import rule_items
from shared.extraction.still_said import find_extraction, keep_said
from shared.language.tokens import estimate_tokens
from shared.ltm.edit import Why
from shared.ltm.field_values import in_zone
from shared.ltm.schema import Schema
from shared.model.base import Value
from shared.model.extraction import Extraction, ExtractionStep
from shared.model.memory import Episode, MemoryKind
from shared.model.message import Message
from shared.model.moment import from_ms
from shared.model.scope import Scope
from shared.ports.llm import ChatModel
from shared.ports.ltm import LongTermMemory, LtmReader, LtmWriter
from shared.text import cut_texts

READ_AT_ONCE: Final = 200
ACTOR: Final = "extract"


@dataclass(frozen=True, slots=True)
class ExtractRules:
    """What the settings and the tenant say: fields, secrets, the user's zone, how long proposals wait.

    `goes_on` is asked before each batch: where it says no, the rest stays for another run.
    """

    schema: Schema
    mask: Callable[[str], str]
    find_secrets: FindSecrets
    timezone: str | None
    keep_days: int
    auto_kinds: frozenset[MemoryKind] = frozenset()
    goes_on: Callable[[], bool] = lambda: True


class ExtractReport(Value):
    """What one run did: numbers only. `outcome` is `extracted`, `awaiting_model` or `nothing_due`."""

    messages: int = 0
    calls: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0
    proposed: int = 0
    stored: int = 0
    rejected: dict[str, int] = Field(default_factory=dict)
    to_seq: int = 0
    outcome: str = "nothing_due"

    def plus(self, outcome: Outcome) -> ExtractReport:
        """Return the report with what became of some items."""
        counted = dict(self.rejected)
        for reason, count in (outcome.rejected or {}).items():
            counted[reason] = counted.get(reason, 0) + count
        change = {
            "proposed": self.proposed + outcome.proposed,
            "stored": self.stored + outcome.stored,
            "rejected": counted,
        }
        return self.model_copy(update=change)


class ExtractionFailed(Unavailable):
    """A model's answer that cannot be used as a whole; `report` says what was done all the same."""

    def __init__(self, code: str, report: ExtractReport) -> None:
        super().__init__("The model's answer cannot be used as a whole.", code=code)
        self.report = report


async def extract_session(
    scope: Scope,
    session_key: str,
    *,
    now: datetime,
    request_id: str,
    rules: ExtractRules,
    ltm: LongTermMemory,
    model: ChatModel,
) -> ExtractReport:
    """Extract what is archived of a session and was not extracted yet.

    Raises:
        Unavailable: `llm_unavailable` where the model does not answer; `ExtractionFailed` where its answer is
            none (`unreadable_answer`) or not whole (`partial_answer`). What went before stays done.
    """
    run = _Run(scope, now, request_id, rules)
    report = ExtractReport()
    for known in await ltm.read(scope, lambda reader: reader.extractions(session_key)):
        report = await _read_by_rule(known, run=run, report=report, ltm=ltm)
        if model.breaker_state() == "off":
            report = await _await_model(known, run=run, report=report, ltm=ltm)
        else:
            report = await _extract_epoch(known, run=run, report=report, ltm=ltm, model=model)
    return report


@dataclass(frozen=True, slots=True)
class _Run:
    scope: Scope
    now: datetime
    request_id: str
    rules: ExtractRules

    @property
    def zone(self) -> tzinfo:
        return ZoneInfo(self.rules.timezone) if self.rules.timezone else UTC

    def proposing(self, session_id: str) -> Proposing:
        at = self.now.astimezone(self.zone)
        why = Why(actor=ACTOR, request_id=self.request_id, origin="model", at=at)
        return Proposing(session_id, why, self.rules.keep_days, self.rules.schema, self.rules.auto_kinds)


@dataclass(frozen=True, slots=True)
class _Read:
    """Some archived messages, and those of them that were said, as evidence."""

    episodes: Sequence[Episode]
    said: tuple[Said, ...]

    @property
    def last_seq(self) -> int:
        return self.episodes[-1].message.seq


async def _read_by_rule(
    known: Extraction, *, run: _Run, report: ExtractReport, ltm: LongTermMemory
) -> ExtractReport:
    after_seq = known.ruled_to
    while True:
        read = await _read(known, after_seq=after_seq, run=run, ltm=ltm)
        if read is None:
            return report
        items = [
            item
            for said, episode in zip(read.said, _shown(read.episodes), strict=True)
            for item in rule_items(_spoken(episode, said), number=said.number)
        ]
        found, outcome = _check(items, read, run=run)
        rows = related_rows(found, await ltm.read(run.scope, read_known) if found else [])
        choices = [
            (said, made) for said in read.said if said.role == "user" and (made := find_choices(said.text))
        ]
        work = partial(_store_rules, known=known, read=read, checked=(found, rows, choices), run=run)
        report = report.plus(outcome).plus(await ltm.write(run.scope, work))
        after_seq = read.last_seq


def _store_rules(
    writer: LtmWriter,
    *,
    known: Extraction,
    read: _Read,
    checked: tuple[Sequence[Grounded], Sequence[Known], Sequence[tuple[Said, Mapping[str, str]]]],
    run: _Run,
) -> Outcome:
    found, rows, choices = checked
    if find_extraction(writer, known) is None:
        return Outcome()
    proposing = run.proposing(read.episodes[0].session_id)
    asking = replace(proposing, auto_kinds=frozenset())
    made = _propose(writer, found, rows=rows, proposing=asking, run=run)
    made.proposed += note_habits(writer, choices, proposing=proposing, mask=run.rules.mask)
    writer.note_ruled(known, to_seq=read.last_seq)
    return made


async def _await_model(
    known: Extraction, *, run: _Run, report: ExtractReport, ltm: LongTermMemory
) -> ExtractReport:
    if known.waiting <= 0:
        return report
    await ltm.write(run.scope, lambda writer: writer.note_asked(known, awaits_model=True))
    return report.model_copy(update={"outcome": "awaiting_model"})


async def _extract_epoch(
    known: Extraction, *, run: _Run, report: ExtractReport, ltm: LongTermMemory, model: ChatModel
) -> ExtractReport:
    after_seq = known.extracted_to
    while run.rules.goes_on():
        read = await _read(known, after_seq=after_seq, run=run, ltm=ltm)
        if read is None:
            return report
        first = cut_batch(read.episodes)
        batch = _Read(first, read.said[: len(_shown(first))])
        answer = Answer(())
        if needs_model(batch.said):
            await ltm.write(run.scope, lambda writer: writer.note_asked(known, awaits_model=False))
            report, answer = await _ask(batch, run=run, report=report, model=model)
        report = await _store(known, batch, answer=answer, run=run, report=report, ltm=ltm)
        after_seq = batch.last_seq
    return report


async def _ask(
    batch: _Read, *, run: _Run, report: ExtractReport, model: ChatModel
) -> tuple[ExtractReport, Answer]:
    request = extraction_request(batch.said, schema=run.rules.schema)
    text = await model.complete(request)
    report = report.model_copy(
        update={
            "calls": report.calls + 1,
            "prompt_tokens": report.prompt_tokens + estimate_request(request),
            "answer_tokens": report.answer_tokens + estimate_tokens(text),
        }
    )
    answer = read_answer(text)
    if answer is None:
        raise ExtractionFailed("unreadable_answer", report)
    return report, answer


async def _store(
    known: Extraction,
    batch: _Read,
    *,
    answer: Answer,
    run: _Run,
    report: ExtractReport,
    ltm: LongTermMemory,
) -> ExtractReport:
    """Propose what passed, and unless the answer is not whole, note the range as extracted."""
    is_whole = answer.is_whole and not answer.malformed
    found, outcome = _check(answer.items, batch, run=run)
    outcome.reject("malformed", answer.malformed)
    outcome.reject("surplus", answer.surplus)
    rows = related_rows(found, await ltm.read(run.scope, read_known) if found else [])
    step = ExtractionStep(
        session_key=known.session_key,
        epoch=known.epoch,
        from_seq=batch.episodes[0].message.seq,
        to_seq=batch.last_seq,
        tokens=sum(episode.message.tokens for episode in batch.episodes),
        version=PROMPT_VERSION,
        oldest_at_ms=batch.episodes[-1].message.received_at_ms,
    )

    def work(writer: LtmWriter) -> Outcome | None:
        following = _from_last(writer, step)
        last = find_extraction(writer, known)
        if last is None or last.extracted_to != following.from_seq - 1:  # deleted, or extracted meanwhile
            return None
        if is_whole:
            writer.note_extracted(following)
        proposing = run.proposing(batch.episodes[0].session_id)
        return _propose(writer, found, rows=rows, proposing=proposing, run=run)

    made = await ltm.write(run.scope, work)
    if made is None:
        return report
    report = report.plus(outcome).plus(made)
    if not is_whole:
        raise ExtractionFailed("partial_answer", report)
    return report.model_copy(
        update={
            "messages": report.messages + len(batch.episodes),
            "to_seq": batch.last_seq,
            "outcome": "extracted",
        }
    )


def _propose(
    writer: LtmWriter, found: Sequence[Grounded], *, rows: Sequence[Known], proposing: Proposing, run: _Run
) -> Outcome:
    kept, gone = keep_said(writer, found, mask=run.rules.mask)
    outcome = propose_items(writer, kept, known=rows, proposing=proposing)
    outcome.reject("gone", gone)
    return outcome


def _from_last(writer: LtmWriter, step: ExtractionStep) -> ExtractionStep:
    """The step with its beginning right after what was extracted, where only deleted messages lie between."""
    for known in writer.extractions(step.session_key):
        if known.epoch == step.epoch and known.extracted_to < step.from_seq:
            between = writer.archived_after(
                step.session_key, epoch=step.epoch, after_seq=known.extracted_to, limit=1
            )
            if between and between[0].message.seq == step.from_seq:
                return step.model_copy(update={"from_seq": known.extracted_to + 1})
    return step


async def _read(known: Extraction, *, after_seq: int, run: _Run, ltm: LongTermMemory) -> _Read | None:
    """The next archived messages, secrets masked, what was forgotten cut out; None at the end."""

    def work(reader: LtmReader) -> _Read | None:
        episodes = reader.archived_after(
            known.session_key, epoch=known.epoch, after_seq=after_seq, limit=READ_AT_ONCE
        )
        if not episodes:
            return None
        forgotten = reader.forgotten_spans([episode.message.id for episode in episodes])
        return _Read(episodes, _said(episodes, forgotten, run=run))

    return await ltm.read(run.scope, work)


def _shown(episodes: Sequence[Episode]) -> list[Episode]:
    return [episode for episode in episodes if is_shown(episode)]


def _said(
    episodes: Sequence[Episode], forgotten: Mapping[str, tuple[str, ...]], *, run: _Run
) -> tuple[Said, ...]:
    return tuple(
        Said(
            number=number,
            message_id=episode.message.id,
            role=episode.message.role,
            text=run.rules.mask(cut_texts(episode.message.said, forgotten.get(episode.message.id, ()))),
            day=from_ms(episode.message.created_at_ms).astimezone(run.zone).date(),
        )
        for number, episode in enumerate(_shown(episodes), start=1)
    )


def _spoken(episode: Episode, said: Said) -> Message:
    body = episode.message.body.model_copy(update={"content": said.text, "closing_from": None})
    return episode.message.model_copy(update={"body": body})


def _check(items: Sequence[Item], read: _Read, *, run: _Run) -> tuple[list[Grounded], Outcome]:
    batch = Batch(read.said, run.rules.schema, run.rules.find_secrets)
    outcome = Outcome()
    found: list[Grounded] = []
    for item in items:
        checked = check_evidence(item, batch)
        if isinstance(checked, Refused):
            outcome.reject(checked.reason)
        elif _is_commanded(checked, run.rules.schema):
            outcome.reject("commanded")
        else:
            found.append(replace(checked, value=_in_zone(checked, run=run)))
    return found, outcome


def _in_zone(found: Grounded, *, run: _Run) -> Any:
    path = next((each for each in run.rules.schema.paths if each.path == found.item.path), None)
    return found.value if path is None else in_zone(found.value, path, zone=run.zone)


def _is_commanded(found: Grounded, schema: Schema) -> bool:
    start = found.place[1]
    return is_commanded(found.said, start=start, end=start + len(found.quote), schema=schema)
