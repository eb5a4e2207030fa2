"""The chat model and the queue to the workers."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Any, Literal, Protocol

from shared.model.base import Value
from shared.model.job import JobOrder


class ChatRequest(Value):
    """A request to the chat model: OpenAI messages and the longest answer wanted."""

    messages: tuple[dict[str, Any], ...]
    max_tokens: int


class AnswerSchema(Value):
    """The JSON that a model is to answer with: the schema's name and the schema itself."""

    name: str
    document: dict[str, Any]


class CompletionRequest(Value):
    """A request of the service's own, answered as a whole; `purpose` is what metrics call it."""

    messages: tuple[dict[str, Any], ...]
    max_tokens: int
    purpose: str
    answer: AnswerSchema


class ChatPiece(Value):
    """A piece of a streamed reply; the last one may carry the upstream's own counts.

    `reasoning` is the whole of what the model thought, in one piece without text; None where it is not kept.
    """

    text: str = ""
    reasoning: str | None = None
    model: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class LlmUse(Value):
    """One request to a model as metrics see it; tokens are the upstream's own counts, 0 for none.

    `is_outage`: it failed of the upstream's health, and not of what was asked.
    """

    purpose: str
    outcome: str
    prompt_tokens: int
    completion_tokens: int
    is_outage: bool = False

    def counts(self) -> dict[str, float]:
        """Return what this adds to the counters, by their names."""
        return {
            f"llm_requests_total:{self.purpose}:{self.outcome}": 1.0,
            f"llm_tokens_total:{self.purpose}:prompt": float(self.prompt_tokens),
            f"llm_tokens_total:{self.purpose}:completion": float(self.completion_tokens),
        }


class ChatModel(Protocol):
    """The chat upstream, behind its breaker."""

    def stream(self, request: ChatRequest) -> AsyncGenerator[ChatPiece]:
        """Yield pieces as they come; closing the iterator ends the upstream request.

        Raises `Unavailable`: `llm_unavailable` before the first piece (breaker open, refused, slow),
        `llm_interrupted` after it.
        """

    async def complete(self, request: CompletionRequest) -> str:
        """Return the whole answer, which need not be what was asked for.

        Raises `Unavailable` (`llm_unavailable`): no answer, or one that was cut off.
        """

    def breaker_state(self) -> Literal["closed", "open", "half_open", "off"]:
        """Return the breaker's state; `off` when no upstream is configured."""


class JobQueue(Protocol):
    """The queue to the workers: ids only."""

    async def enqueue(self, orders: Sequence[JobOrder]) -> None: ...

    async def alive(self, job_ids: Sequence[str]) -> set[str]:
        """Return those of the ids that still wait or run in the queue."""

    async def remove(self, job_ids: Sequence[str]) -> int:
        """Take jobs that have not begun out of the queue; return how many."""

    async def depth(self) -> int: ...

    async def worker_count(self) -> int: ...
