"""Exact counts where a tokenizer is installed, and the way out where it is not."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import distributions
from types import SimpleNamespace

import pytest

from shared.engines.tokenizer import load_tokenizer
from shared.errors import StartupProblem
from shared.language.tokens import MESSAGE_OVERHEAD_TOKENS, estimate_tokens, message_tokens, use_tokenizer
from tests.language.test_tokens import SAMPLES

VOCABULARIES = ("cl100k_base", "o200k_base", "llama3", "qwen3")
IS_INSTALLED = "quicktok-v1" in {found.name for found in distributions()}


@pytest.fixture(autouse=True)
def _estimate_again() -> Iterator[None]:
    yield
    use_tokenizer(None)


@pytest.mark.parametrize("found", [None, SimpleNamespace()], ids=["none", "another of that name"])
def test_without_the_package_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, found: object) -> None:
    monkeypatch.setitem(sys.modules, "quicktok", found)
    with pytest.raises(StartupProblem, match="pip install quicktok-v1"):
        load_tokenizer("cl100k_base")


def test_an_unknown_vocabulary_names_those_that_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> None:
        raise ValueError(name)

    monkeypatch.setitem(sys.modules, "quicktok", SimpleNamespace(get_encoding=refuse))
    with pytest.raises(StartupProblem, match="o200k_base"):
        load_tokenizer("gpt-zero")


def test_what_is_installed_counts_for_all_rooms(monkeypatch: pytest.MonkeyPatch) -> None:
    words = SimpleNamespace(count=lambda text: len(text.split()))
    monkeypatch.setitem(sys.modules, "quicktok", SimpleNamespace(get_encoding=lambda _: words))
    estimated = estimate_tokens("three plain words")
    use_tokenizer(load_tokenizer("words"))
    assert estimate_tokens("one two three four five") == 5
    assert estimate_tokens("x " * 5_000) == 5_000
    assert estimate_tokens("   ") == 1
    assert estimate_tokens("") == 0
    assert estimate_tokens("lone \ud83d surrogate") == 3
    assert message_tokens("user", "one two three") == 3 + MESSAGE_OVERHEAD_TOKENS
    use_tokenizer(None)
    assert estimate_tokens("three plain words") == estimated


@pytest.mark.skipif(not IS_INSTALLED, reason="the optional package quicktok-v1 is not installed")
@pytest.mark.parametrize("place", range(len(VOCABULARIES)), ids=VOCABULARIES)
def test_the_real_one_counts_as_the_table_does(place: int) -> None:
    use_tokenizer(load_tokenizer(VOCABULARIES[place]))
    assert [estimate_tokens(sample.text) for sample in SAMPLES] == [
        sample.counts[place] for sample in SAMPLES
    ]
