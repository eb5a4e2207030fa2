"""The record of each row that scoring reads, and the parsed query: plain values, no text of any row.

`ScopeRows` holds the rows of one scope as parallel arrays ordered by (session, sequence), so that a row's
neighbours in its conversation are its neighbours in the arrays.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from shared.language.terms import QueryTerm

Ints = NDArray[np.int32]
Codes = NDArray[np.uint16]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

NO_SPEAKER: Final = -1


@dataclass(frozen=True, slots=True)
class RecallQuery:
    """A question as scoring reads it.

    `dates` are inclusive ranges of day ordinals; `speaker` is the one speaker named (None: none or several);
    `leans_to` is whose words are asked for by "you told me", "I told you" and "my", `leans_from` the
    assistant where that is not it; `asks_when` marks a question for a time, `asks_many` one for a list or a
    count. `first_talk` asks for the scope's first day, `last_talk_before` for the last one before that day.
    """

    terms: tuple[QueryTerm, ...]
    dates: tuple[tuple[int, int], ...] = ()
    speaker: int | None = None
    leans_to: int | None = None
    leans_from: int | None = None
    asks_when: bool = False
    asks_many: bool = False
    first_talk: bool = False
    last_talk_before: int | None = None


@dataclass(frozen=True, slots=True)
class RecallWeights:
    """The numbers of the ranking; each measured alone and in the stack (docs/decisions/0010).

    A row lends its words to `window` rows on each side: `neighbour` to the next, `decay` times that for each
    further step, `question_before` times to the row after a question, and `monologue` times all of it in a
    session of one speaker (a log, not a talk). `only_asks` is the factor of a row of a talk that ends in a
    question and has at most `only_asks_length` terms. `b` is how much a row's length counts, `b_log` the same
    in a log; `least_dates` is the least that an asked day adds, however few of the question's words are
    found, and `mention` the share of it for a row that only mentions the day. `beside_logs` is the factor of
    an assistant's rows, where nobody asks for them, in a scope that holds logs: what the user noted there is
    the answer, advice only speaks of it. `day` is what the days of the best rows add where meaning is known.
    A question for a list takes `many_own` of what neighbours lend away, `many_session` times the session's
    share, and `many_again` off a row for each better one of its session, five times at most.
    """

    k1: float = 1.0
    b: float = 0.65
    b_log: float = 0.95
    window: int = 3
    neighbour: float = 0.4
    decay: float = 0.4
    question_before: float = 2.5
    monologue: float = 0.3
    dates: float = 0.75
    least_dates: float = 0.15
    mention: float = 0.7
    speaker: float = 1.8
    leaning: float = 1.4
    beside_logs: float = 0.85
    when: float = 1.3
    session: float = 0.2
    meaning: float = 0.5
    day: float = 0.35
    only_asks: float = 0.85
    only_asks_length: int = 32
    many_own: float = 0.2
    many_session: float = 0.5
    many_again: float = 0.1


@dataclass(frozen=True, slots=True)
class ScoredRows:
    """A score for each row, and the parts it is made of (all shares of the best possible for the query).

    `terms` are the row's own words, `neighbour` what the rows around it add, `date`, `session` and `meaning`
    the shares that those three added; `boost` is the factor for speaker and time.
    """

    scores: Floats
    terms: Floats
    neighbour: Floats
    date: Floats
    session: Floats
    meaning: Floats
    boost: Floats
