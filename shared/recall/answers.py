"""The answers of a search as they are taken: each of them once, a memory together with its source.

Pure. Of rows that say the same the better one stays. A memory and a message that says no more than it does
are one answer, and the memory is it: it carries the quote, the session and the messages.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from shared.ltm.index import normal_text
from shared.model.memory import Episode, Memory
from shared.model.scope import Scope
from shared.recall.near import Told

_COVERED: Final = 0.7
"""A message of which a memory holds this share says no more than it; what is left is `remember that`."""


class Past(NamedTuple):
    """Until when words held, and what was said instead then (None: nothing that is known).

    `is_settled` is False where the newer words were only said and never confirmed.
    """

    until_ms: int
    newer: str | None
    is_settled: bool = True


class Hit(NamedTuple):
    """A row that answers a query: score 0..1, its parts, and its id in the index (None: not in it).

    `past` is set where the row holds no longer; `scope` is whose it is, None inside of one scope.
    """

    row: Memory | Episode
    score: float
    why: dict[str, float]
    row_id: int | None
    past: Past | None = None
    scope: Scope | None = None


@dataclass(slots=True)
class Answers:
    """The hits taken so far, best first."""

    hits: list[Hit] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)
    _told: Told = field(default_factory=Told)
    _places: dict[str, int] = field(default_factory=dict)

    def take(self, hit: Hit, text: str, *, day: int) -> None:
        """Take a hit unless it, or another of the same `text`, was taken; `day` as in `near_key`."""
        row = hit.row
        own = row.message.id if isinstance(row, Episode) else row.id
        if own in self._seen or self._told.again(text, day=day):
            return
        self._seen.add(own)
        if not self._joins(hit):
            for name in _messages_of(row):
                self._places.setdefault(name, len(self.hits))
            self.hits.append(hit)

    def _joins(self, hit: Hit) -> bool:
        """Whether a hit is one answer with a taken one; a memory then stands in the message's place."""
        for name in _messages_of(hit.row):
            place = self._places.get(name)
            if place is None:
                continue
            one, other = self.hits[place], hit
            if isinstance(other.row, Memory):
                one, other = other, one
            if not isinstance(one.row, Memory) or not isinstance(other.row, Episode):
                continue
            if _says_no_more(other.row, one.row):
                self.hits[place] = one._replace(score=self.hits[place].score)
                return True
        return False


def _messages_of(row: Memory | Episode) -> tuple[str, ...]:
    return (row.message.id,) if isinstance(row, Episode) else row.source.message_ids


def _says_no_more(episode: Episode, memory: Memory) -> bool:
    words = normal_text(episode.message.text)
    held = [text for text in map(normal_text, (memory.source.quote, memory.text)) if text and text in words]
    return max(map(len, held), default=0) >= _COVERED * len(words)
