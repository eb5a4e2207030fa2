"""Sketches of characters: they may name a row too many, and never one too few."""

from __future__ import annotations

import random

import pytest

from shared.engines.sqlite.sketches import SKETCH_BYTES, may_hold, sketch_of


def test_a_text_of_forty_characters_leaves_most_of_its_bits_unset() -> None:
    chosen = random.Random(1)
    texts = ["".join(chr(chosen.randrange(0x4E00, 0x9FA5)) for _ in range(40)) for _ in range(500)]
    sketches = b"".join(map(sketch_of, texts))
    asked = [chr(code) for code in chosen.sample(range(0x4E00, 0x9FA5), 100)]
    for character in asked:
        found = may_hold(sketches, character).tolist()
        assert all(may for may, text in zip(found, texts, strict=True) if character in text)
    share = sum(may_hold(sketches, character).mean() for character in asked) / len(asked)
    assert share < 0.35


@pytest.mark.parametrize("text", ["", "plain words", "全角１２３", "\x80\u2028", "\U0001f375 茶", "𠮷野家"])
def test_any_text_has_sixteen_bytes_and_holds_what_it_holds(text: str) -> None:
    sketch = sketch_of(text)
    assert len(sketch) == SKETCH_BYTES
    assert all(may_hold(sketch, character).tolist() == [True] for character in text)


def test_narrow_characters_are_not_told_apart() -> None:
    assert sketch_of("tea") == bytes(SKETCH_BYTES)
    assert may_hold(sketch_of("tea") + sketch_of("茶"), "x").tolist() == [True, True]
    assert may_hold(sketch_of("tea") + sketch_of("茶"), "茶").tolist() == [False, True]
    assert may_hold(b"", "茶").tolist() == []
