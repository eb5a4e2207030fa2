"""The prompt of a turn: a head that stays byte-equal, the window, then what changes. Pure.

Order: system text, policy, confirmed fields, standing memory, then the session's own blocks (one system
message, byte-equal until one of them changes, so that a provider's prompt cache hits); the window; the
recalled block, notes and time of this turn; the user's message. What users wrote is only ever joined as
text: no template runs over it, and the fence around records grows until no record can close it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple

from shared.language.tokens import MESSAGE_OVERHEAD_TOKENS, estimate_tokens
from shared.model.message import EchoReasoning, Message
from shared.prompts.load import load_prompt
from shared.stm.cut import MIN_TEXT_TOKENS, cut_text
from shared.stm.window import fit_window, minimum_tokens, to_openai
from shared.turn.fence import fence_of
from shared.turn.standing import Block

Language = Literal["zh", "en"]

_RECORDS_FRAME_TOKENS = 120
_LINE_TOKENS = 3
_FRAMES_TOKENS = 2 * MESSAGE_OVERHEAD_TOKENS
"""What the head and the block of what changes cost as messages."""

LINES_SHARE: Final = 0.15
"""The card of fields, and standing memory, take at most this share of the budget each."""

_MOST_CHARS_PER_TOKEN: Final = 16
"""A record of more characters than this a token has no room, and is not counted to find that out."""

_LASTING_RANK: Final = 5
"""Blocks from this rank on (task card, key facts, bans) outlive standing memory and fields."""

_TITLES: dict[Language, dict[str, str]] = {
    "zh": {"fields": "已确认：", "standing": "长期有效：", "notes": "本轮备注：", "now": "当前时间："},
    "en": {
        "fields": "Confirmed:",
        "standing": "Standing:",
        "notes": "Notes of this turn:",
        "now": "Time now:",
    },
}


class Record(NamedTuple):
    """One recalled row as the prompt shows it: its words, the day they were said, who said them.

    `note` says what became of them, where they hold no longer.
    """

    text: str
    day: str
    speaker: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class PromptParts:
    """Everything a prompt is made of; texts are verbatim, fields stand by priority, memory by age."""

    language: Language
    now: datetime
    window: Sequence[Message]
    system: str | None = None
    fields: Sequence[str] = ()
    standing: Sequence[str] = ()
    records: Sequence[Record] = ()
    notes: Sequence[str] = ()
    blocks: Sequence[Block] = ()

    def with_turn(
        self, *, window: Sequence[Message], system: str | None, blocks: Sequence[Block]
    ) -> PromptParts:
        """Return the parts with what belongs to one turn."""
        return replace(self, window=window, system=system, blocks=blocks)

    def with_notes(self, notes: Sequence[str]) -> PromptParts:
        """Return the parts with the notes of one turn."""
        return replace(self, notes=notes)


@dataclass(frozen=True, slots=True)
class Prompt:
    """OpenAI messages, the tokens they take, and how many of these memory added.

    `shown` are the places of the records whose words stand in it.
    """

    messages: tuple[dict[str, Any], ...]
    tokens: int
    memory_tokens: int
    shown: tuple[int, ...]


def build_prompt(
    parts: PromptParts, *, budget_tokens: int, recall_tokens: int, echo: EchoReasoning = "never"
) -> Prompt:
    """Return the prompt within `budget_tokens`; records are left out, worst first, where they do not fit.

    `recall_tokens` bounds the block of records; `echo` says whose reasoning goes back to the model. The
    newest message always has room: before it would be left out, blocks of the head go by their rank, then
    standing memory and fields, then task card, key facts and bans, then the system text is cut, and last our
    own policy goes.
    """
    parts = _within_shares(parts, int(budget_tokens * LINES_SHARE))
    budget_tokens -= _FRAMES_TOKENS
    least = minimum_tokens(_newest(parts.window)) + estimate_tokens(render_changing(parts, ()))
    head, head_tokens = fit_head(parts, budget_tokens=budget_tokens - least)
    free = budget_tokens - least - head_tokens - _RECORDS_FRAME_TOKENS
    # What stands in the head already is not said twice; a row that holds no longer is, with its note.
    held = frozenset(head.split("\n"))
    repeated = {
        place for place, record in enumerate(parts.records) if not record.note and f"- {record.text}" in held
    }
    fitting = fit_records(parts.records, budget_tokens=min(recall_tokens, free), without=repeated)
    records = [parts.records[place] for place in fitting]
    changing = render_changing(parts, records)
    changing_tokens = estimate_tokens(changing)
    window = fit_window(parts.window, budget_tokens=max(budget_tokens - head_tokens - changing_tokens, 1))
    turns = to_openai(window.messages, echo=echo)
    last = next((place for place in reversed(range(len(turns))) if turns[place]["role"] == "user"), 0)
    before = ({"role": "system", "content": head}, *turns[:last]) if head else turns[:last]
    own_tokens = estimate_tokens(parts.system or "") + estimate_tokens(load_prompt(parts.language, "policy"))
    return Prompt(
        messages=(*before, {"role": "system", "content": changing}, *turns[last:]),
        tokens=head_tokens + changing_tokens + window.tokens + _FRAMES_TOKENS,
        memory_tokens=max(head_tokens - own_tokens, 0) + changing_tokens,
        shown=tuple(sorted({*fitting, *repeated})),
    )


def _newest(window: Sequence[Message]) -> list[Message]:
    """Return what can never be left out: system messages, and all from the newest user message on."""
    last = next((place for place in reversed(range(len(window))) if window[place].role == "user"), 0)
    return [*(message for message in window[:last] if message.role == "system"), *window[last:]]


def _within_shares(parts: PromptParts, room: int) -> PromptParts:
    """Return the parts with the first fields and the newest standing memory that fit `room` tokens each."""
    fields = _lines_within(parts.fields, room)
    standing = _lines_within(parts.standing[::-1], room)[::-1]
    if len(fields) == len(parts.fields) and len(standing) == len(parts.standing):
        return parts
    return replace(parts, fields=fields, standing=standing)


def _lines_within(lines: Sequence[str], room: int) -> Sequence[str]:
    """Return the lines that fit, the first ones before the others; one that is too long is passed over."""
    if estimate_tokens("\n".join(lines)) + len(lines) <= room:
        return lines
    kept = []
    for line in lines:
        cost = estimate_tokens(line) + _LINE_TOKENS
        if cost <= room:
            kept.append(line)
            room -= cost
    return kept


def fit_head(parts: PromptParts, *, budget_tokens: int) -> tuple[str, int]:
    """Return the head within `budget_tokens`, as far as that can be, and its tokens."""
    head = render_head(parts)
    while (tokens := estimate_tokens(head)) > budget_tokens:
        least = min(parts.blocks, key=lambda block: block.rank, default=None)
        if least is not None and (least.rank < _LASTING_RANK or not (parts.standing or parts.fields)):
            parts = replace(parts, blocks=[block for block in parts.blocks if block is not least])
        elif parts.standing:
            parts = replace(parts, standing=parts.standing[1:])
        elif parts.fields:
            parts = replace(parts, fields=parts.fields[:-1])
        else:
            head = _least_head(parts, budget_tokens=budget_tokens)
            return head, estimate_tokens(head)
        head = render_head(parts)
    return head, tokens


def _least_head(parts: PromptParts, *, budget_tokens: int) -> str:
    """Return the system text as far as it fits; our own policy gives way before the last of it does."""
    policy = load_prompt(parts.language, "policy")
    system = parts.system or ""
    room = budget_tokens - estimate_tokens(policy) - 2
    if room < min(MIN_TEXT_TOKENS, estimate_tokens(system)):
        return cut_text(system, budget_tokens)
    return "\n\n".join(text for text in (cut_text(system, room), policy) if text)


def render_head(parts: PromptParts) -> str:
    """Return the head: the same bytes for the same system text, fields, standing memory and blocks."""
    titles = _TITLES[parts.language]
    sections = [parts.system or "", load_prompt(parts.language, "policy")]
    if parts.fields:
        sections.append("\n".join([titles["fields"], *(f"- {line}" for line in parts.fields)]))
    if parts.standing:
        sections.append("\n".join([titles["standing"], *(f"- {line}" for line in parts.standing)]))
    sections += [block.text for block in parts.blocks]
    return "\n\n".join(section for section in sections if section)


def fit_records(records: Sequence[Record], *, budget_tokens: int, without: Collection[int] = ()) -> list[int]:
    """Return the places of the best records that fit, in their order, those in `without` left out."""
    kept: list[int] = []
    left = budget_tokens
    for place, record in enumerate(records):
        if len(record.text) > left * _MOST_CHARS_PER_TOKEN:
            continue
        cost = estimate_tokens(_record_line(record)) + 1
        if cost <= left and place not in without:
            kept.append(place)
            left -= cost
    return kept


def render_changing(parts: PromptParts, records: Sequence[Record]) -> str:
    """Return what changes each turn: fenced records, notes, time."""
    titles = _TITLES[parts.language]
    sections = []
    if records:
        lines = [_record_line(record) for record in records]
        opening, closing = fence_of(lines)
        sections.append("\n".join([load_prompt(parts.language, "recalled"), opening, *lines, closing]))
    if parts.notes:
        sections.append("\n".join([titles["notes"], *(f"- {note}" for note in parts.notes)]))
    sections.append(f"{titles['now']} {parts.now.strftime('%Y-%m-%d %H:%M %Z')}")
    return "\n\n".join(sections)


def _record_line(record: Record) -> str:
    text = record.text.replace("\r", " ").replace("\n", "\n  ")
    note = record.note.replace("\r", " ").replace("\n", " ")
    return f"- [{record.day}] {record.speaker}: {text}{note and f' ({note})'}"
