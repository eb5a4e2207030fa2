"""The embedder of a deployment without embeddings: it is never there, and says so at once."""

from __future__ import annotations

from collections.abc import Sequence

from shared.errors import Unavailable
from shared.model.meaning import FloatMatrix


class NullEmbedder:
    """No embeddings: words alone find memories."""

    model = ""
    is_for_turns = False
    wait_seconds = 0.0

    async def embed(self, texts: Sequence[str], *, model: str) -> FloatMatrix:  # noqa: ARG002 - the port's
        """Raise `Unavailable` (`embeddings_unavailable`)."""
        raise Unavailable("No embeddings are configured.", code="embeddings_unavailable")

    async def aclose(self) -> None:
        """Do nothing: nothing is open."""
