"""A conversation of many turns as people hold it: three languages, pastes, tool outputs; and its figures."""

from __future__ import annotations

from typing import Final

from shared.model.message import MessageBody
from tests.turn.conversation import SETTINGS, Conversation, percentile

TEXTS: Final = {
    "zh": "第{}轮，今天天气不错，我们继续随便聊聊吧，内容没有特别的意思",
    "en": "Round {}, an ordinary remark about nothing in particular, just to go on",
    "mixed": "Round {}：随便聊聊 some small talk，没什么特别的 and nothing to keep",
}
PASTE_EVERY: Final = 500
TOOL_EVERY: Final = 700
PASTE: Final = "粘贴：" + "这是一段很长的文字，没有什么内容。" * 1_800
TOOL_OUTPUT: Final = "x1y2 " * 40_000
LARGEST_BYTES: Final = len(PASTE.encode()) + len(TOOL_OUTPUT)
"""What one paste and one tool output of the last three turns take beside the rest."""

_HUNDRED: Final = 100
_JOBS_EVERY: Final = 3
_MEASURE_EVERY: Final = 50


async def hold_everything(talk: Conversation, turns: int) -> None:
    """Take so many turns; jobs run every third turn, bytes are measured every fiftieth."""
    words = list(TEXTS.values())
    for number in range(1, turns + 1):
        if number % TOOL_EVERY == 0:
            await append_tool_output(talk, f"c{number}")
        await talk.turn(PASTE if number % PASTE_EVERY == 0 else words[number % len(words)].format(number))
        if number % _JOBS_EVERY == 0:
            await talk.run_due()
        if number % _MEASURE_EVERY == 0:
            talk.measure_bytes()
    await talk.run_due()
    talk.measure_bytes()


async def append_tool_output(talk: Conversation, call_id: str) -> None:
    """Append a call of a tool and its output of 200 KB."""
    call = {"id": call_id, "type": "function", "function": {"name": "f", "arguments": "{}"}}
    await talk.append(
        ("assistant", MessageBody(content=None, tool_calls=[call])),
        ("tool", MessageBody(content=TOOL_OUTPUT, tool_call_id=call_id)),
    )


def first_filled(talk: Conversation) -> int:
    """Return the number of turns before the window first had to let go: when a summary was first stored."""
    mark = SETTINGS.summary_marks()[0]
    return next((place for place, tokens in enumerate(talk.tokens) if tokens > mark), 0)


def growth(talk: Conversation) -> dict[str, float]:
    """Return the p50 of a turn just after the window filled and at the end, in ms, wall and processor."""
    start = first_filled(talk)
    figures: dict[str, float] = {"window filled after": start}
    for name, seconds in (("wall", talk.seconds), ("processor", talk.cpu_seconds)):
        first = percentile(seconds[start : start + _HUNDRED], 0.5) * 1_000
        last = percentile(seconds[-_HUNDRED:], 0.5) * 1_000
        figures |= {f"{name} first ms": first, f"{name} last ms": last, f"{name} ratio": last / first}
    return figures


async def hold_beside(talk: Conversation, fresh: Conversation) -> float:
    """Return the p50 of a turn of `talk` over that of a fresh conversation, held turn by turn beside it.

    Both meet the same machine, however busy it is. The fresh one is first held until its window is full.
    """
    words = list(TEXTS.values())
    full = SETTINGS.summary_marks()[0]
    while not fresh.tokens or fresh.tokens[-1] <= full:
        await fresh.turn(words[len(fresh.tokens) % len(words)].format(len(fresh.tokens)))
    for number in range(_HUNDRED):
        for each in (talk, fresh):
            await each.turn(words[number % len(words)].format(number))
            if number % _JOBS_EVERY == 0:
                await each.run_due()
    last, first = (percentile(each.seconds[-_HUNDRED:], 0.5) for each in (talk, fresh))
    return last / first


def tell(talk: Conversation) -> str:
    """Return the figures of a conversation in a line."""
    times = ", ".join(f"{name} {value:.2f}" for name, value in growth(talk).items())
    return (
        f"{len(talk.seconds)} turns, {times}, most tokens {max(talk.tokens)}, most bytes {talk.most_bytes},"
        f" summary calls {talk.model.summaries}"
    )
