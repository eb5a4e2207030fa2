"""In which language a conversation goes on after a message."""

from __future__ import annotations

from typing import Literal

import pytest

from shared.language.scripts import follow_language

Language = Literal["zh", "en"]
ROWS: list[tuple[Language | None, str, Language]] = [
    (None, "Hello there", "en"),
    (None, "你好", "zh"),
    ("en", "我的预算是80万，帮我记住", "zh"),
    ("zh", "Update: I eat meat now", "en"),
    ("zh", "please switch to English", "en"),
    ("en", "你好吗朋友", "zh"),
    # What turns nothing.
    ("zh", "ok", "zh"),
    ("zh", "PROJ-2024-001", "zh"),
    ("zh", "iPhone 15 Pro Max", "zh"),
    ("zh", "see https://example.com/a/b/c", "zh"),
    ("zh", "用 Python 写 hello world 怎么写", "zh"),
    ("zh", "2024-03-01", "zh"),
    ("en", "王小明", "en"),
    ("en", "My teacher is 王小明 and he lives in Beijing", "en"),
    ("en", "42", "en"),
    ("zh", "Traceback (most recent call last): " * 20, "zh"),
]


@pytest.mark.parametrize(("known", "text", "then"), ROWS)
def test_a_conversation_follows_what_says_enough(known: Language | None, text: str, then: Language) -> None:
    assert follow_language(known, text) == then
