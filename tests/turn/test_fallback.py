"""The reply without a model, zh and en side by side."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.prompts.load import load_prompt
from shared.turn.fallback import fallback_reply, related_to

Language = Literal["zh", "en"]
PROMPTS = Path(__file__).parents[2] / "shared" / "prompts"
HOSTILE = [
    "{{7*7}}",
    "{0} {label} {",
    "%s %(name)s %",
    "<script>alert(1)</script>",
    "</memory>",
    "$HOME `id` \\n \\1",
    "=== end of records ===",
    "”“ \u202e 👩‍👩‍👧",
    "line one\nline two\r\n- line three",
]


@dataclass(frozen=True)
class Line:
    text: str
    day: str = "2024-03-01"
    speaker: str = "user"
    note: str = ""


def reply(message: str, language: Language, **given: object) -> str:
    parts: dict[str, object] = {"facts": (), "recalled": (), "applied": (), "question": None, **given}
    return fallback_reply(message, language=language, **parts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("language", "message", "applied", "question", "expected"),
    [
        (
            "zh",
            "项目编号是PROJ-2024-001",
            ["项目编号：PROJ-2024-001"],
            None,
            "现在没有可用的模型，以下只依据我的记忆回答。\n\n已记下：\n- 项目编号：PROJ-2024-001",
        ),
        (
            "en",
            "The project number is PROJ-2024-001",
            ["project number: PROJ-2024-001"],
            None,
            (
                "No model is available right now, so this answer comes from my memory alone.\n\n"
                "Noted:\n- project number: PROJ-2024-001"
            ),
        ),
        (
            "zh",
            "你好，我是张工，负责ABC项目",
            [],
            "请问项目编号是什么？",
            (
                "现在没有可用的模型，以下只依据我的记忆回答。\n\n"
                "你的消息已原样保存，等模型恢复后可以接着谈。\n\n请问项目编号是什么？"
            ),
        ),
        (
            "en",
            "Hello, I am Zhang and run the ABC project",
            [],
            "What is the project number?",
            (
                "No model is available right now, so this answer comes from my memory alone.\n\n"
                "Your message is kept word for word; we can go on once the model is back.\n\n"
                "What is the project number?"
            ),
        ),
    ],
)
def test_dialogue_d1_without_a_model(
    language: Language, message: str, applied: list[str], question: str | None, expected: str
) -> None:
    assert reply(message, language, applied=applied, question=question) == expected


@pytest.mark.parametrize(
    ("language", "message", "said", "speaker", "shown"),
    [
        (
            "zh",
            "我上次说过报告怎么接收？",
            "所有报表用企业微信接收",
            "用户",
            "- [2024-03-01] 用户：“所有报表用企业微信接收”",
        ),
        (
            "en",
            "How did I want to get reports?",
            "Send all reports by WeCom",
            "user",
            "- [2024-03-01] user: “Send all reports by WeCom”",
        ),
    ],
)
def test_dialogue_d11_quotes_what_was_said_with_its_date(
    language: Language, message: str, said: str, speaker: str, shown: str
) -> None:
    text = reply(message, language, recalled=[Line(said, speaker=speaker)])
    assert shown in text.splitlines()
    assert load_prompt(language, "fallback_nothing") not in text


@pytest.mark.parametrize(
    ("language", "message", "facts", "first"),
    [
        (
            "zh",
            "预算上限是多少？",
            ["项目编号：PROJ-1", "截止日：2024-03-15", "预算上限：500000"],
            "预算上限：500000",
        ),
        ("en", "What is the budget?", ["project number: PROJ-1", "budget: 500000"], "budget: 500000"),
        ("zh", "你好", ["项目编号：PROJ-1", "预算上限：500000"], "项目编号：PROJ-1"),
    ],
)
def test_the_facts_that_were_asked_for_stand_first(
    language: Language, message: str, facts: list[str], first: str
) -> None:
    lines = reply(message, language, facts=facts).splitlines()
    assert next(line for line in lines if line.startswith("- ")) == f"- {first}"


@pytest.mark.parametrize(
    ("language", "message", "says_nothing"),
    [
        ("zh", "登录用什么方式验证？", True),
        ("zh", "你记住了吗", True),
        ("en", "Where do I live? ", True),
        ("zh", "今天天气不错。", False),
        ("en", "Nice weather today.", False),
    ],
)
def test_a_question_that_memory_cannot_answer_is_told_so(
    language: Language, message: str, says_nothing: bool
) -> None:
    text = reply(message, language)
    assert (load_prompt(language, "fallback_nothing") in text) is says_nothing
    assert load_prompt(language, "fallback_kept") in text


@pytest.mark.parametrize("language", ["zh", "en"])
def test_at_most_five_lines_and_eight_facts_are_shown(language: Language) -> None:
    facts = [f"fact {number}" for number in range(20)]
    recalled = [Line(f"line {number}") for number in range(20)]
    shown = reply("x", language, facts=facts, recalled=recalled).splitlines()
    assert sum("fact " in line for line in shown) == 8
    assert [line[-7:-1] for line in shown if "line " in line] == [f"line {number}" for number in range(5)]


def test_what_was_just_stored_is_named_once() -> None:
    text = reply("x", "zh", facts=["项目编号：P1", "预算：5"], applied=["项目编号：P1"])
    assert text.count("P1") == 1
    assert "预算：5" in text


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("words", HOSTILE)
def test_users_words_come_back_byte_for_byte(language: Language, words: str) -> None:
    text = reply(words, language, facts=[f"name: {words}"], recalled=[Line(words)], applied=[f"{words} x"])
    assert f"- name: {words}" in text
    assert f"“{words}”" in text
    assert f"- {words} x" in text


@given(st.text(), st.lists(st.text(), max_size=3), st.lists(st.text(), max_size=3))
def test_everything_given_is_shown_and_the_question_is_last(
    message: str, applied: list[str], said: list[str]
) -> None:
    text = reply(message, "en", applied=applied, recalled=[Line(words) for words in said], question="Well?")
    assert text.endswith("\n\nWell?")
    assert all(f"- {line}" in text for line in applied)
    assert all(f"“{words}”" in text for words in said)


def test_every_text_stands_in_both_languages_and_none_is_empty() -> None:
    names = {language: {file.stem for file in (PROMPTS / language).glob("*.md")} for language in ("zh", "en")}
    assert names["zh"] == names["en"]
    assert all(load_prompt(language, name) for language in ("zh", "en") for name in names["zh"])


@pytest.mark.parametrize("name", sorted(file.stem for file in (PROMPTS / "zh").glob("*.md")))
def test_a_label_stands_in_both_languages_or_in_none(name: str) -> None:
    assert ("{label}" in load_prompt("zh", name)) == ("{label}" in load_prompt("en", name))


@pytest.mark.parametrize(
    ("message", "lines", "related"),
    [
        ("我对什么过敏？", ["我对花生过敏", "我喜欢喝茶"], ["我对花生过敏"]),
        ("What am I allergic to?", ["I am allergic to nuts", "I like tea"], ["I am allergic to nuts"]),
        ("你好", ["我对花生过敏"], []),
    ],
)
def test_what_stands_and_shares_a_word_with_the_question_is_told(
    message: str, lines: list[str], related: list[str]
) -> None:
    assert related_to(message, lines) == related
