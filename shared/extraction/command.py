"""A command of the user's, as the parser reads it and before anybody has applied it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from shared.model.turn import CommandKind

EVERYTHING: Final = "everything"
ALL_BUT: Final = "all_but"
STANDING: Final = "standing"
SESSION: Final = "session"
QUIET: Final = "off_record"
"""Why something is left out: the session is off the record from here on."""
QUIET_ENDED: Final = "on_record"
NOT_KEPT: Final = "not_kept"
NOTHING_TO_CORRECT: Final = "nothing_to_correct"
"""Why a correction only asks whether it is to be kept."""

NEEDS_TIME: Final = "needs_time"
"""What a command gives a moment for which it names a day and no clock time: it is asked for."""


@dataclass(frozen=True, slots=True)
class Command:
    """What the user tells the memory to do.

    `quote` is the text's [start:end]. `text` is what it is about: the words to remember, what to forget,
    the topic. `value` is the normal form for set, append and remove; EVERYTHING for a forget that wipes
    all (ask first, naming the count), ALL_BUT for one that spares its `text`, and NOT_KEPT for one of
    what may not be kept at all (别记我开车, don't remember that I drive); NEEDS_TIME for a moment of which
    only the day (`text`) is said; STANDING or SESSION for a ban. `path_explicit` is False where the path
    was read from the sense (以后叫我阿越, 1200元/人), not from its label. An `is_correction` command
    (Update: …, 更正：…) counts only where it contradicts a memory or a field. `confirm` and `reject` are
    the spelled-out ones (确认清空, reject the first one); bare answers are `answers.read_consent`'s.
    """

    kind: CommandKind
    path: str | None
    value: Any
    text: str
    quote: str
    start: int
    end: int
    path_explicit: bool = False
    is_correction: bool = False

    @property
    def is_wipe(self) -> bool:
        """True where all memory is to be forgotten."""
        return self.kind == "forget" and self.value == EVERYTHING
