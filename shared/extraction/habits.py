"""Choices that a user keeps making: the language, form or channel asked for, the hours that suit. Pure.

A choice made in three messages is proposed once as a preference, with its count and its quotes. What is asked for
in a question, a supposition or once only does not count.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from shared.extraction.evidence_words import REPORTED, SUPPOSES
from shared.extraction.polarity import denies, plain
from shared.model.extraction import Habit
from shared.prompts.load import Language, fill_prompt
from shared.stm.clauses import split_clauses

PROPOSED_AT: Final = 3
MAX_QUOTES: Final = 3

_ASKS_ZH: Final = (
    r"(?:请|麻烦|帮我|给我|还是|再|都|就|要|用|以|改成|换成|发|写|导出|输出|列|做|整理)[^，。！？,.!?]{0,10}"
)
_ASKS_EN: Final = r"\b(?:please|use|in|as|give me|make|put|show|export|send|write|format|answer|reply|respond|want|need|prefer|with)\b[^,.!?]{0,24}"
_TABLE: Final[tuple[tuple[str, str, str], ...]] = (
    ("language:en", r"英文|英语", r"\bin english\b"),
    ("language:zh", r"中文|汉语|普通话", r"\bin (?:chinese|mandarin)\b"),
    ("format:table", r"表格", r"\b(?:a |as a |in a )?tables?\b"),
    (
        "format:list",
        r"列表|列点|分点|条目|清单",
        r"\b(?:bullets?|bullet points|bulleted list|numbered list)\b",
    ),
    ("format:short", r"简短|简洁|精简|短一点|一句话", r"\b(?:short|brief|concise|one sentence|shorter)\b"),
    ("format:long", r"详细|展开|完整版", r"\b(?:detailed|in detail|at length|full version)\b"),
    ("format:markdown", r"markdown", r"\bmarkdown\b"),
    ("format:pdf", r"pdf", r"\bpdfs?\b"),
    ("format:word", r"word(?:文档|版|格式)?", r"\b(?:word (?:document|file|doc)|docx)\b"),
    ("format:excel", r"excel|电子表", r"\b(?:excel|spreadsheets?|xlsx)\b"),
    ("channel:wecom", r"企业微信|企微", r"\bwecom\b"),
    ("channel:wechat", r"(?<!企业)微信", r"\bwechat\b"),
    ("channel:dingtalk", r"钉钉", r"\bdingtalk\b"),
    ("channel:email", r"邮件|邮箱", r"\b(?:e-?mail|mail)\b"),
    ("channel:slack", r"slack", r"\bslack\b"),
    ("channel:phone", r"打电话|电话(?:联系|沟通|说)", r"\b(?:by phone|phone call|call me)\b"),
    (
        "hours:morning",
        r"(?:安排|约|定|放|改)[^，。]{0,8}(?:上午|早上)",
        r"\b(?:schedule|book|meet|call|move|set)\b[^,.!?]{0,24}\bmornings?\b",
    ),
    (
        "hours:afternoon",
        r"(?:安排|约|定|放|改)[^，。]{0,8}下午",
        r"\b(?:schedule|book|meet|call|move|set)\b[^,.!?]{0,24}\bafternoons?\b",
    ),
    (
        "hours:evening",
        r"(?:安排|约|定|放|改)[^，。]{0,8}(?:晚上|下班后)",
        r"\b(?:schedule|book|meet|call|move|set)\b[^,.!?]{0,24}\b(?:evenings?|after work)\b",
    ),
)
_CHOICES: Final = tuple(
    (
        name,
        re.compile(
            f"{chinese}|{english}"
            if name.startswith("hours")
            else f"{_ASKS_ZH}(?:{chinese})|{_ASKS_EN}(?:{english})"
        ),
    )
    for name, chinese, english in _TABLE
)
_SHOWN: Final[dict[Language, dict[str, str]]] = {
    "zh": {
        "language": "常用的回答语言", "format": "常用的格式", "channel": "常用的渠道", "hours": "常约的时段",
        "en": "英文", "zh": "中文", "table": "表格", "list": "分点列表", "short": "简短", "long": "详细", "markdown": "Markdown",
        "pdf": "PDF", "word": "Word", "excel": "Excel", "wecom": "企业微信", "wechat": "微信", "dingtalk": "钉钉",
        "email": "邮件", "slack": "Slack", "phone": "电话", "morning": "上午", "afternoon": "下午", "evening": "晚上",
    },
    "en": {
        "language": "Usual language of answers", "format": "Usual format", "channel": "Usual channel", "hours": "Usual time of day",
        "en": "English", "zh": "Chinese", "table": "table", "list": "bulleted list", "short": "short", "long": "detailed",
        "markdown": "Markdown", "pdf": "PDF", "word": "Word", "excel": "Excel", "wecom": "WeCom", "wechat": "WeChat",
        "dingtalk": "DingTalk", "email": "e-mail", "slack": "Slack", "phone": "phone", "morning": "morning",
        "afternoon": "afternoon", "evening": "evening",
    },
}  # fmt: skip


def find_choices(text: str) -> dict[str, str]:
    """The choices that a message makes, each with the clause in which it is made."""
    found: dict[str, str] = {}
    for clause in split_clauses(text):
        words = plain(clause.text)
        if clause.is_question or denies(words) or SUPPOSES.search(words) or REPORTED.search(words):
            continue
        for name, pattern in _CHOICES:
            if pattern.search(words):
                found.setdefault(name, clause.text)
    return found


def count_choice(habit: Habit, quote: str, *, message_id: str) -> Habit:
    """The habit with one more message that makes the choice; a message counts once."""
    if message_id in habit.message_ids:
        return habit
    ids = (*habit.message_ids, message_id)[-PROPOSED_AT * 2 :]
    quotes = (*habit.quotes, quote)[-MAX_QUOTES:]
    return habit.model_copy(update={"count": habit.count + 1, "quotes": quotes, "message_ids": ids})


def without_choices(habit: Habit, message_ids: Collection[str]) -> Habit:
    """The habit without the choices, and the quotes, of messages that are gone; the newest quotes stand last."""
    if not message_ids:
        return habit
    quoted = habit.message_ids[len(habit.message_ids) - len(habit.quotes) :]
    return habit.model_copy(
        update={
            "count": habit.count - len(message_ids),
            "quotes": tuple(
                quote for said, quote in zip(quoted, habit.quotes, strict=True) if said not in message_ids
            ),
            "message_ids": tuple(said for said in habit.message_ids if said not in message_ids),
        }
    )


def is_due(before: Habit, after: Habit) -> bool:
    """True where this message makes it a habit: it is proposed once."""
    return before.count < PROPOSED_AT <= after.count


def describe_habit(habit: Habit, language: Language) -> tuple[str, str]:
    """The preference as it would be stored, and the sentence with its count that proposes it."""
    label, _, choice = habit.name.partition(":")
    shown = _SHOWN[language]
    colon = "：" if language == "zh" else ": "
    gaps = {"label": shown[label], "choice": shown[choice], "count": str(habit.count)}
    return f"{shown[label]}{colon}{shown[choice]}", fill_prompt(language, "habit", gaps=gaps)
