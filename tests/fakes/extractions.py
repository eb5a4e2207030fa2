"""A scripted model's extractions: what it is asked for, and an answer that proposes whatever was said."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from shared.ports.llm import CompletionRequest

Body = dict[str, Any]
_SENTENCE_END = re.compile(r"(?<=[。！？!?\n])|(?<=\.)\s")
_LINE = re.compile(r"^\[(\d+)\] (user|assistant) \((\d{4}-\d\d-\d\d)\): ", re.MULTILINE)


def asks_for_extraction(body: Body) -> bool:
    """Return whether a request to a model is for an extraction."""
    wanted = body.get("response_format") or {}
    return bool(wanted.get("json_schema", {}).get("name") == "extraction")


def shown_lines(messages: Iterable[Mapping[str, Any]]) -> list[tuple[int, str, str]]:
    """Return the lines of dialogue that a request shows: number, role, text."""
    text = str([message for message in messages if message["role"] == "user"][-1]["content"])
    pieces = _LINE.split(text)[1:]
    return [(int(pieces[at]), pieces[at + 1], pieces[at + 3].rstrip("\n")) for at in range(0, len(pieces), 4)]


def propose_nothing(_body: Body) -> str:
    """Return the answer of a model that finds nothing."""
    return '{"items": []}'


def sentences_of(texts: Iterable[str]) -> list[str]:
    """Return the sentences of some texts, questions included."""
    pieces = (piece.strip() for text in texts for piece in _SENTENCE_END.split(text))
    return [piece for piece in pieces if piece]


def propose_sentences(body: Body) -> str:
    """Return an answer that proposes every sentence of the user's, as it stands."""
    items = [
        {
            "op": "remember",
            "kind": "fact",
            "text": sentence,
            "quote": sentence,
            "message": number,
            "confidence": 0.9,
        }
        for number, role, text in shown_lines(body["messages"])
        if role == "user"
        for sentence in sentences_of([text])
    ]
    return json.dumps({"items": items}, ensure_ascii=False)


class ScriptedModel:
    """A chat model in this process that answers extractions as told; None from `answer` is no answer."""

    def __init__(self, answer: Callable[[Body], str]) -> None:
        self.answer = answer
        self.requests: list[Body] = []
        self.state = "closed"

    async def complete(self, request: CompletionRequest) -> str:
        """Answer a request of the service's own."""
        body = {"messages": [dict(message) for message in request.messages], "max_tokens": request.max_tokens}
        self.requests.append(body)
        return self.answer(body)

    def stream(self, request: Any) -> Any:
        """Refuse: this model only extracts."""
        raise NotImplementedError(request)

    def breaker_state(self) -> Any:
        """Return the state that the test set."""
        return self.state
