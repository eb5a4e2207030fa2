"""When a session is summarised, and which of its messages: the marks and the plan, as pure decisions.

Over the high mark the oldest messages leave the window, at least half of them and until the low mark is
passed; the last three turns stay, and a turn goes whole, tool calls with their results. By default a plan
waits until it takes 1,500 tokens, so that a long conversation costs few calls (rules.md 1).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final

from shared.model.base import Value
from shared.model.message import Message
from shared.stm.window import VERBATIM_TURNS

HIGH_SHARE: Final = 0.6
LOW_SHARE: Final = 0.6
MIN_RANGE_TOKENS: Final = 1_500


class Watermarks(Value):
    """Marks in tokens of messages that no summary holds; `capacity` is what history may take at most.

    `least_tokens` is the smallest range worth a call while history still fits; `is_lowered` says that a
    mark of the operator's lay above the window.
    """

    high: int
    low: int
    capacity: int
    least_tokens: int = MIN_RANGE_TOKENS
    is_lowered: bool = False


class CompactionState(Value):
    """What a plan needs of a session: its marks, and the last message that a summary holds (0 for none)."""

    marks: Watermarks
    compacted_to: int = 0


class CompactionPlan(Value):
    """The messages to summarise, `from_seq` to `to_seq`, and the tokens that they take and leave."""

    from_seq: int
    to_seq: int
    messages: tuple[Message, ...]
    tokens: int
    remaining_tokens: int


def watermarks(
    history_tokens: int, *, high_tokens: int | None = None, low_tokens: int | None = None
) -> Watermarks:
    """Return the marks: 60 % of what the prompt leaves for history, and 60 % of that.

    `history_tokens` is `settings.prompt_tokens` less the recalled block and the head. The operator's own
    marks stand as they are, lowered to what history may take.
    """
    capacity = max(1, history_tokens)
    high = int(capacity * HIGH_SHARE) if high_tokens is None else min(high_tokens, capacity)
    low = int(high * LOW_SHARE) if low_tokens is None else min(low_tokens, high)
    return Watermarks(
        high=max(1, high),
        low=low,
        capacity=capacity,
        least_tokens=MIN_RANGE_TOKENS if high_tokens is None and low_tokens is None else 0,
        is_lowered=(high_tokens or 0) > capacity or (low_tokens or 0) > high,
    )


def plan_compaction(messages: Sequence[Message], state: CompactionState) -> CompactionPlan | None:
    """Return the range to summarise now, or None where there is nothing to do.

    `messages` are the session's, oldest first; those that a summary holds already are passed over.
    """
    marks = state.marks
    open_messages = [message for message in messages if message.seq > state.compacted_to]
    total = sum(message.tokens for message in open_messages)
    if total <= max(marks.high, min(marks.low + marks.least_tokens, marks.capacity)):
        return None
    wanted = max(total / 2, total - marks.low)
    sums = list(accumulate(message.tokens for message in open_messages))
    cuts = _turn_cuts(open_messages)
    cut = next((cut for cut in cuts if sums[cut - 1] >= wanted), cuts[-1] if cuts else 0)
    if cut == 0:
        return None
    return CompactionPlan(
        from_seq=open_messages[0].seq,
        to_seq=open_messages[cut - 1].seq,
        messages=tuple(open_messages[:cut]),
        tokens=sums[cut - 1],
        remaining_tokens=total - sums[cut - 1],
    )


def _turn_cuts(messages: Sequence[Message]) -> list[int]:
    """Return the places where the window may begin anew: before a user message, three turns from the end.

    Neighbouring user messages are one turn, and no call stands before a cut whose results stand after it.
    """
    starts = [
        place
        for place, message in enumerate(messages)
        if message.role == "user" and (place == 0 or messages[place - 1].role != "user")
    ]
    last = starts[-VERBATIM_TURNS] if len(starts) >= VERBATIM_TURNS else 0
    return [place for place in starts if 0 < place <= last and not _splits_calls(messages, place)]


def _splits_calls(messages: Sequence[Message], place: int) -> bool:
    """Return whether a result that stands after the place answers a call before it."""
    called = {call.get("id") for message in messages[:place] for call in message.body.tool_calls or ()}
    answered = {message.body.tool_call_id for message in messages[:place] if message.role == "tool"}
    later = {message.body.tool_call_id for message in messages[place:] if message.role == "tool"}
    return bool((called - answered) & later)


def shrink_plan(plan: CompactionPlan, *, room_tokens: int, cost: Callable[[Message], int]) -> CompactionPlan:
    """Return the plan itself, or its first whole turns that cost at most `room_tokens` (one at least)."""
    sums = list(accumulate(map(cost, plan.messages)))
    if sums[-1] <= room_tokens:
        return plan
    starts = [
        place
        for place, message in enumerate(plan.messages)
        if place and message.role == "user" and plan.messages[place - 1].role != "user"
    ]
    cuts = [place for place in starts if not _splits_calls(plan.messages, place)]
    if not cuts:
        return plan
    cut = max((place for place in cuts if sums[place - 1] <= room_tokens), default=cuts[0])
    tokens = sum(message.tokens for message in plan.messages[:cut])
    return CompactionPlan(
        from_seq=plan.from_seq,
        to_seq=plan.messages[cut - 1].seq,
        messages=plan.messages[:cut],
        tokens=tokens,
        remaining_tokens=plan.remaining_tokens + plan.tokens - tokens,
    )
