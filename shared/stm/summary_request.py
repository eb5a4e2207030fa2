"""What a model is asked for a summary, and how its answer is read.

The former summary, the protected spans and the messages go in; tool output and secrets do not. Long
messages are cut and the whole is bounded, so that a summary costs about one prompt.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

from shared.language.answer_json import read_json_answer
from shared.language.tokens import estimate_tokens
from shared.model.message import Message
from shared.model.session_state import LISTS, KeyFact, Summary
from shared.prompts.load import load_prompt
from shared.stm.cut import cut_text
from shared.stm.summary import read_summary

Language = Literal["zh", "en"]
MaskSecrets = Callable[[str], str]

MAX_MESSAGE_TOKENS: Final = 400
ANSWER_TOKENS: Final = 1_200
MAX_ANSWER_CHARS: Final = 20_000
"""A longer answer is several times what was asked for, and is not read."""

_STRINGS: Final = {"type": "array", "items": {"type": "string"}}
SUMMARY_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "goal": {"type": "string"},
        "confirmed": {"type": "object", "additionalProperties": {"type": "string"}},
        **dict.fromkeys(LISTS, _STRINGS),
        "text": {"type": "string"},
    },
}


def summary_messages(
    messages: Sequence[Message],
    language: Language,
    *,
    former: Summary | None,
    spans: Sequence[KeyFact],
    mask: MaskSecrets,
) -> tuple[dict[str, Any], ...]:
    """Return the chat messages that ask for a summary of `messages`, the former one folded in."""
    sections = []
    if former is not None:
        words = json.dumps(former.model_dump(exclude_defaults=True), ensure_ascii=False)
        sections.append(f"{load_prompt(language, 'summary_former')}\n{mask(words)}")
    if spans:
        lines = "\n".join(f"- {span.text}" for span in spans)
        sections.append(f"{load_prompt(language, 'summary_spans')}\n{lines}")
    spoken = [line for message in messages if (line := _line(message, mask))]
    sections.append("\n".join([load_prompt(language, "summary_messages"), *spoken]))
    return (
        {"role": "system", "content": load_prompt(language, "summary")},
        {"role": "user", "content": "\n\n".join(sections)},
    )


def shown_tokens(message: Message) -> int:
    """Return about how many tokens of a message the model is shown."""
    return min(message.tokens, MAX_MESSAGE_TOKENS) if message.role in {"user", "assistant"} else 0


def read_answer(answer: str) -> Summary | None:
    """Return a model's answer as a summary: however it is wrapped; None where there is none."""
    if len(answer) > MAX_ANSWER_CHARS:
        return None
    found = read_json_answer(answer, fits=_is_summary)
    return read_summary(found.value) if found is not None and found.is_whole else None


def _is_summary(value: Any) -> bool:
    return isinstance(value, Mapping) and (
        not value or not SUMMARY_SCHEMA["properties"].keys().isdisjoint(value)
    )


def estimate_request(messages: Sequence[dict[str, Any]]) -> int:
    """Return about how many tokens a request takes."""
    return sum(estimate_tokens(str(message["content"])) for message in messages)


def _line(message: Message, mask: MaskSecrets) -> str:
    if message.role not in {"user", "assistant"} or not message.said.strip():
        return ""
    return f"{message.role}: {mask(cut_text(message.said, MAX_MESSAGE_TOKENS))}"
