"""How far sessions were read, and habits, in dictionaries: a part of the fake of long-term memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from shared.model.extraction import Extraction, ExtractionStep, Habit
from shared.model.message import SessionEpoch
from tests.fakes.memory_applied import AppliedReader, AppliedWriter


@dataclass
class ReadingState:
    """What one scope has of them."""

    extractions: dict[tuple[str, int], Extraction] = field(default_factory=dict)
    habits: dict[str, Habit] = field(default_factory=dict)
    deleted: set[tuple[str, int]] = field(default_factory=set)


class ReadingReader(AppliedReader):
    """Reads of one scope."""

    _readings: ReadingState
    _now_ms: int

    def extractions(self, session_key: str) -> list[Extraction]:
        return [one for place, one in sorted(self._readings.extractions.items()) if place[0] == session_key]

    def is_deleted(self, session_key: str, epoch: int) -> bool:
        return (session_key, epoch) in self._readings.deleted

    def habit(self, name: str) -> Habit:
        return self._readings.habits.get(name, Habit(name=name))


class ReadingWriter(AppliedWriter, ReadingReader):
    """Writes of one scope."""

    def note_archived(self, step: ExtractionStep) -> None:
        place = (step.session_key, step.epoch)
        known = self._readings.extractions.get(place)
        if known is None:
            known = Extraction(session_key=step.session_key, epoch=step.epoch, archived_to=0)
        oldest = known.oldest_at_ms if known.waiting > 0 else step.oldest_at_ms
        change = {
            "archived_to": max(known.archived_to, step.to_seq),
            "tokens": known.tokens + step.tokens,
            "oldest_at_ms": oldest,
        }
        self._readings.extractions[place] = known.model_copy(update=change)

    def note_ruled(self, extraction: Extraction, *, to_seq: int) -> None:
        place = (extraction.session_key, extraction.epoch)
        known = self._readings.extractions.get(place)
        if known is not None:
            change = {"ruled_to": max(known.ruled_to, to_seq)}
            self._readings.extractions[place] = known.model_copy(update=change)

    def note_extracted(self, step: ExtractionStep) -> bool:
        place = (step.session_key, step.epoch)
        known = self._readings.extractions.get(place)
        if known is None or known.extracted_to != step.from_seq - 1:
            return False
        version = step.version if known.extracted_to == 0 else min(known.version, step.version)
        change = {
            "extracted_to": step.to_seq,
            "version": version,
            "tokens": max(known.tokens - step.tokens, 0),
            "oldest_at_ms": step.oldest_at_ms,
            "awaits_model": False,
        }
        self._readings.extractions[place] = known.model_copy(update=change)
        return True

    def note_asked(self, extraction: Extraction, *, awaits_model: bool) -> None:
        place = (extraction.session_key, extraction.epoch)
        change = {"awaits_model": True} if awaits_model else {"asked_at_ms": self._now_ms}
        known = self._readings.extractions.get(place)
        if known is not None:
            self._readings.extractions[place] = known.model_copy(update=change)

    def note_deleted(self, epochs: Sequence[SessionEpoch]) -> None:
        self._readings.deleted |= {(each.session_key, each.epoch) for each in epochs}

    def put_habit(self, habit: Habit) -> None:
        self._readings.habits[habit.name] = habit

    def delete_habits(self) -> None:
        self._readings.habits.clear()
