"""A chat reply as it comes: bytes in, pieces of text out, whatever dialect the upstream speaks.

Streams of `chat.completion.chunk` are the rule. Some upstreams answer one plain JSON object although
a stream was asked, some send their usage last or with every chunk, some put an error object into the
stream. What is no chunk is skipped; a reply counts as whole only once `[DONE]` or a finish reason
has come.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from shared.engines.llm_http.sse import BrokenStreamError, SseParser
from shared.model.base import Value
from shared.model.message import MAX_REASONING_CHARS
from shared.ports.llm import ChatPiece

_BOM = b"\xef\xbb\xbf"
_DONE = "[DONE]"


class ReplyBounds(Value):
    """The most that one reply may be: text in characters, everything sent and one event in bytes."""

    max_chars: int = 200_000
    max_bytes: int = 32_000_000
    max_event_bytes: int = 2_000_000


class ReplyReader:
    """Reads one reply. `finished` says that the text is whole, `done` that nothing more comes.

    `thought_chars` counts what the model thought aloud: a model that thinks is no slow one. `model` is the
    one that was asked for, until the upstream names the one that answers.
    """

    def __init__(self, bounds: ReplyBounds, *, model: str | None = None) -> None:
        self._bounds = bounds
        self._reasoning: list[str] = []
        self.thought_chars = 0
        self._parser = SseParser(max_event_bytes=bounds.max_event_bytes)
        self._opening: bytes | None = b""
        self._document: bytearray | None = None
        self._bytes = 0
        self._chars = 0
        self._half_character = ""
        self.model = model
        self.prompt_tokens: int | None = None
        self.completion_tokens: int | None = None
        self.finished = False
        self.done = False
        self.finish_reason: str | None = None

    @property
    def has_text(self) -> bool:
        """Whether any text has come."""
        return self._chars > 0

    @property
    def reasoning(self) -> str | None:
        """What the model thought before it spoke; None for nothing, and for more than is ever given back."""
        return "".join(self._reasoning) or None

    def feed(self, chunk: bytes) -> list[ChatPiece]:
        """Return the pieces of text that `chunk` completes, none of them empty.

        Raises:
            BrokenStreamError: an error object, or a reply over its bounds.
        """
        self._bytes += len(chunk)
        if self._bytes > self._bounds.max_bytes:
            raise BrokenStreamError("reply_too_large")
        if self._opening is not None:
            opening = (self._opening + chunk).removeprefix(_BOM).lstrip()
            undecided = _BOM.startswith(opening)
            self._opening = opening if undecided else None
            chunk = b"" if undecided else opening
            if chunk.startswith(b"{"):
                self._document = bytearray()
        if self._document is None:
            return self._read_events(self._parser.feed(chunk))
        self._document += chunk
        if len(self._document) > self._bounds.max_event_bytes:
            raise BrokenStreamError("reply_too_large")
        return []

    def finish(self) -> list[ChatPiece]:
        """Return what the end of the body completes.

        Raises:
            BrokenStreamError: the end came before the reply was whole.
        """
        if self._document is not None:
            pieces = self._read_json(self._document.decode("utf-8", "replace"))
        else:
            pieces = self._read_events(self._parser.finish())
        if self._half_character:
            self._half_character = ""
            pieces += self._piece("\ufffd")
        if not self.finished:
            raise BrokenStreamError("cut_off")
        return pieces

    def counts(self) -> ChatPiece | None:
        """Return the last piece, which carries the upstream's counts; None where it gave none."""
        if self.prompt_tokens is None and self.completion_tokens is None:
            return None
        return ChatPiece(
            model=self.model, prompt_tokens=self.prompt_tokens, completion_tokens=self.completion_tokens
        )

    def _read_events(self, events: list[str]) -> list[ChatPiece]:
        pieces: list[ChatPiece] = []
        for event in events:
            if self.done:
                break
            if event.strip() == _DONE:
                self.done = self.finished = True
            else:
                pieces += self._read_json(event)
        return pieces

    def _read_json(self, text: str) -> list[ChatPiece]:
        try:
            chunk = json.loads(text)
        except (ValueError, RecursionError):
            return []
        if not isinstance(chunk, dict):
            return []
        if chunk.get("error"):
            raise BrokenStreamError("error_object")
        self.model = _text(chunk.get("model")) or self.model
        self._note_usage(chunk.get("usage"))
        pieces: list[ChatPiece] = []
        for choice in _first_choice(chunk):
            self._note_usage(choice.get("usage"))
            message = choice.get("delta") or choice.get("message")
            self._note_reasoning(message)
            pieces += self._piece(_content(message))
            self.finish_reason = _text(choice.get("finish_reason")) or self.finish_reason
            self.finished |= bool(choice.get("finish_reason") or self._document is not None)
        return pieces

    def _piece(self, text: str) -> list[ChatPiece]:
        text = self._mend(text)
        if not text:
            return []
        self._chars += len(text)
        if self._chars > self._bounds.max_chars:
            raise BrokenStreamError("reply_too_large")
        return [ChatPiece(text=text, model=self.model)]

    def _mend(self, text: str) -> str:
        """Join surrogates that were cut in two pieces, and drop what no store can keep."""
        if not text or (text.isascii() and not self._half_character):
            return text.replace("\x00", "")
        text, self._half_character = self._half_character + text, ""
        if "\ud800" <= text[-1] <= "\udbff":
            text, self._half_character = text[:-1], text[-1]
        return _storable(text)

    def _note_reasoning(self, message: object) -> None:
        """Keep what a model thinks apart from what it says, under whichever name the upstream sends it."""
        given = message if isinstance(message, dict) else {}
        text = _text(given.get("reasoning_content")) or _text(given.get("reasoning"))
        self.thought_chars += len(text)
        if self.thought_chars > MAX_REASONING_CHARS:
            self._reasoning.clear()
        elif text:
            self._reasoning.append(_storable(text))

    def _note_usage(self, usage: object) -> None:
        if not isinstance(usage, dict):
            return
        prompt, completion = usage.get("prompt_tokens"), usage.get("completion_tokens")
        self.prompt_tokens = _count(prompt, self.prompt_tokens)
        self.completion_tokens = _count(completion, self.completion_tokens)


def _first_choice(chunk: dict[str, Any]) -> Iterator[dict[str, Any]]:
    choices = chunk.get("choices")
    for choice in choices[:1] if isinstance(choices, list) else []:
        if isinstance(choice, dict):
            yield choice


def _content(message: object) -> str:
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(content, list):
        return _text(content)
    return "".join(_text(part.get("text")) for part in content if isinstance(part, dict))


def _storable(text: str) -> str:
    """Return a text without what no store can keep."""
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return whole.replace("\x00", "")


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _count(value: object, known: int | None) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    return known
