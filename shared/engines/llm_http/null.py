"""The chat model of a deployment without an upstream: it is never there, and says so at once."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Literal

from shared.errors import Unavailable
from shared.ports.llm import ChatPiece, ChatRequest, CompletionRequest


class NullChatModel:
    """No upstream: every reply comes from memory."""

    def breaker_state(self) -> Literal["off"]:
        """Return `off`: there is nothing that could be open or closed."""
        return "off"

    async def aclose(self) -> None:
        """Do nothing: nothing is open."""

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ChatPiece]:  # noqa: ARG002 - the port's
        """Raise `Unavailable` (`llm_unavailable`) at the first step."""
        for _ in range(0):
            yield ChatPiece()
        raise Unavailable("No model is configured.", code="llm_unavailable")

    async def complete(self, request: CompletionRequest) -> str:  # noqa: ARG002 - the port's
        """Raise `Unavailable` (`llm_unavailable`)."""
        raise Unavailable("No model is configured.", code="llm_unavailable")
