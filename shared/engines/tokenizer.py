"""Exact counts of tokens, where a tokenizer is installed: the optional `quicktok-v1` (offline, MIT)."""

from __future__ import annotations

import importlib
from collections.abc import Callable

from shared.errors import StartupProblem

_PACKAGE = "quicktok"


def load_tokenizer(vocabulary: str) -> Callable[[str], int]:
    """Return what counts a text's tokens exactly as the named vocabulary does.

    Raises:
        StartupProblem: the package is not installed, or does not know the vocabulary.
    """
    try:
        get_encoding = importlib.import_module(_PACKAGE).get_encoding
    except (ImportError, AttributeError):  # another package goes by the same name
        raise StartupProblem(
            f"BILAYER_LLM_TOKENIZER names {vocabulary!r}, but no tokenizer is installed. "
            "Run `pip install quicktok-v1`, or leave the setting empty to have tokens estimated."
        ) from None
    try:
        count = get_encoding(vocabulary).count
    except (KeyError, OSError, ValueError, RuntimeError):
        raise StartupProblem(
            f"BILAYER_LLM_TOKENIZER names {vocabulary!r}, which quicktok does not know; "
            "use cl100k_base, o200k_base, llama3 or qwen3."
        ) from None

    def count_tokens(text: str) -> int:
        return int(count(text.encode("utf-8", "replace").decode()))

    return count_tokens
