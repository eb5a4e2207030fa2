"""The reranker of a deployment without one: it is never there, and says so at once."""

from __future__ import annotations

from collections.abc import Sequence

from shared.errors import Unavailable


class NullReranker:
    """No reranker: a search's own order stands."""

    model = ""

    async def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:  # noqa: ARG002 - the port's
        """Raise `Unavailable` (`reranker_unavailable`)."""
        raise Unavailable("No reranker is configured.", code="reranker_unavailable")

    async def aclose(self) -> None:
        """Do nothing: nothing is open."""
