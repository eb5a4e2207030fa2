"""What a model is asked for: raw dialogue with small numbers, and the fields that it may name. Pure.

Only what was said goes in: no system text, no recalled block, no summary, no tool output, no question of our
own (those hold what memory holds, and memory must not feed on itself). Fillers are left out, long messages
cut. The language is that of the user.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from shared.extraction.filler import is_filler
from shared.extraction.items import EXTRACTION_SCHEMA
from shared.extraction.quotes import Said
from shared.language.scripts import detect_language
from shared.language.tokens import estimate_tokens
from shared.ltm.schema import Schema
from shared.model.memory import Episode
from shared.ports.llm import AnswerSchema, CompletionRequest
from shared.prompts.load import Language, load_prompt
from shared.stm.cut import cut_text

PROMPT_VERSION: Final = 1
"""Raised with each change of the prompts or of how a batch is shown: an older reading may be redone."""

MAX_BATCH_TOKENS: Final = 3_000
MAX_BATCH_MESSAGES: Final = 60
MAX_USER_TOKENS: Final = 600
MAX_OTHER_TOKENS: Final = 120
ANSWER_TOKENS: Final = 2_000
_LINE_TOKENS: Final = 8


def shown_tokens(episode: Episode) -> int:
    """About how many tokens of a message the model is shown; 0 where it is left out."""
    if not is_shown(episode):
        return 0
    most = MAX_USER_TOKENS if episode.message.role == "user" else MAX_OTHER_TOKENS
    return min(episode.message.tokens, most) + _LINE_TOKENS


def is_shown(episode: Episode) -> bool:
    """Whether a message is dialogue: said by the user, or by the assistant and not made of memory by us."""
    message, body = episode.message, episode.message.body
    if not message.text.strip():
        return False
    if message.role == "user":
        return True
    is_ours = body.is_fallback or body.asks_pending or body.asks_paths or body.asks_wipe
    return message.role == "assistant" and not is_ours


def cut_batch(episodes: Sequence[Episode]) -> list[Episode]:
    """The first episodes that fit one call; one at least."""
    used, kept = 0, 0
    for episode in episodes[:MAX_BATCH_MESSAGES]:
        used += shown_tokens(episode)
        if kept and used > MAX_BATCH_TOKENS:
            break
        kept += 1
    return list(episodes[:kept])


def needs_model(messages: Sequence[Said]) -> bool:
    """Whether any of the user's messages says anything."""
    return any(said.role == "user" and not is_filler(said.text) for said in messages)


def extraction_request(messages: Sequence[Said], *, schema: Schema) -> CompletionRequest:
    """The request for one batch."""
    words = "\n".join(said.text[:400] for said in messages if said.role == "user")
    language = detect_language(words)
    lines = [_line(said) for said in messages if said.role != "user" or not is_filler(said.text)]
    system = f"{load_prompt(language, 'extract')}\n\n{_fields(schema, language)}"
    user = "\n".join([load_prompt(language, "extract_messages"), *lines])
    return CompletionRequest(
        messages=({"role": "system", "content": system}, {"role": "user", "content": user}),
        max_tokens=ANSWER_TOKENS,
        purpose="extraction",
        answer=AnswerSchema(name="extraction", document=EXTRACTION_SCHEMA),
    )


def estimate_request(request: CompletionRequest) -> int:
    """About how many tokens a request takes."""
    return sum(estimate_tokens(str(message["content"])) for message in request.messages)


def _line(said: Said) -> str:
    most = MAX_USER_TOKENS if said.role == "user" else MAX_OTHER_TOKENS
    return f"[{said.number}] {said.role} ({said.day.isoformat()}): {cut_text(said.text, most)}"


def _fields(schema: Schema, language: Language) -> str:
    rows: list[dict[str, Any]] = [
        {"path": path.path, "label": path.label(language), "type": path.type}
        for path in schema.paths
        if path.policy != "never"
    ]
    lines = [f"- {row['path']} ({row['type']}): {row['label']}" for row in rows]
    return "\n".join([load_prompt(language, "extract_fields"), *lines])
