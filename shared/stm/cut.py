"""Cutting what is too long for the prompt: head and tail stay, a marker stands for the middle.

The stored message is never touched: what is cut is a copy for one prompt. A cut falls on a blank or a
sign of punctuation where one is near, so that no number or word is halved (46,500 never becomes 46).
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from shared.language.tokens import estimate_tokens, message_tokens
from shared.model.message import Content, Message

MIN_TEXT_TOKENS: Final = 32
"""The least a text is cut to: its marker and some words on either side."""

_HEAD_SHARE: Final = 2 / 3
_CHARS_PER_TOKEN: Final = 8
_NEAR_CHARS: Final = 40
_SHRINK: Final = 0.95
_HAN: Final = re.compile("[\u3400-\u9fff]")
_BREAK: Final = re.compile(r"[\s，。；！？、：…）】」』]|[,.;:!?](?=\s)")
_MARKERS: Final = {
    "zh": "\n…（此处省略约 {} 字）…\n",
    "en": "\n… (about {} characters left out here) …\n",
}
_PART_LEFT_OUT: Final = {"zh": "（此处省略一个附件）", "en": "(an attachment is left out here)"}


def cut_text(text: str, max_tokens: int) -> str:
    """Return `text`, or its head and tail with a marker between them, within `max_tokens`.

    `max_tokens` counts as `MIN_TEXT_TOKENS` where it is less.
    """
    limit = max(max_tokens, MIN_TEXT_TOKENS)
    if len(text) <= limit * _CHARS_PER_TOKEN and estimate_tokens(text) <= limit:
        return text
    marker = _MARKERS[_language(text)]
    kept_chars = min(len(text) - 1, limit * _CHARS_PER_TOKEN)
    while kept_chars > 0:
        shortened = _join(text, kept_chars, marker=marker)
        tokens = estimate_tokens(shortened)
        if tokens <= limit:
            return shortened
        kept_chars = min(kept_chars - 1, int(kept_chars * limit / tokens * _SHRINK))
    return _join(text, 0, marker=marker)


def _language(text: str) -> str:
    return "zh" if _HAN.search(text[:200]) else "en"


def _join(text: str, kept_chars: int, *, marker: str) -> str:
    """Return about `kept_chars` of the text around the marker, which names how many are gone."""
    head = text[: int(kept_chars * _HEAD_SHARE)]
    tail = text[len(text) - (kept_chars - len(head)) :]
    breaks = [match.end() for match in _BREAK.finditer(head, max(0, len(head) - _NEAR_CHARS))]
    head = head[: breaks[-1]] if breaks else head
    first = _BREAK.search(tail, 0, _NEAR_CHARS)
    tail = tail[first.end() :] if first else tail
    gone = len(text) - len(head) - len(tail)
    return head + marker.replace("{}", f"{gone:,}") + tail


def share_tokens(wanted: Sequence[int], least: Sequence[int], *, room: int) -> list[int]:
    """Return what each may have of `room`: the least of each, then equal shares up to what it wants."""
    allotted = list(least)
    left = room - sum(least)
    order = sorted(range(len(wanted)), key=lambda place: wanted[place] - least[place])
    for done, place in enumerate(order):
        more = max(0, min(wanted[place] - least[place], left // (len(order) - done)))
        allotted[place] += more
        left -= more
    return allotted


def frame_tokens(message: Message) -> int:
    """Return what of a message cannot be cut: its frame, its name, its tool calls."""
    body = message.body
    return message_tokens(
        message.role, None, name=body.name, tool_calls=body.tool_calls, tool_call_id=body.tool_call_id
    )


def least_tokens(message: Message) -> int:
    """Return the fewest tokens that `cut_message` can bring a message to."""
    return min(message.tokens, frame_tokens(message) + MIN_TEXT_TOKENS)


def cut_message(message: Message, max_tokens: int) -> Message:
    """Return the message itself where it fits, else a copy with cut content and its tokens counted anew.

    In a copy a note stands for each attachment, and the model's reasoning is left out. `max_tokens` counts as
    `least_tokens` where it is less.
    """
    if message.tokens <= max_tokens:
        return message
    room = max_tokens - frame_tokens(message)
    content = message.body.content
    shortened: Content
    if isinstance(content, str):
        shortened = cut_text(content, room)
    else:
        shortened = cut_text(_flatten(content or []), room)
    body = message.body.model_copy(update={"content": shortened, "reasoning": None})
    tokens = frame_tokens(message) + estimate_tokens(shortened)
    return message.model_copy(update={"body": body, "tokens": tokens})


def _flatten(parts: Sequence[Mapping[str, Any]]) -> str:
    """Return the text of all parts, a note standing for each that is no text."""
    texts = [part["text"] for part in parts if isinstance(part.get("text"), str)]
    note = _PART_LEFT_OUT[_language("".join(texts))]
    return "\n".join(part["text"] if isinstance(part.get("text"), str) else note for part in parts)
