"""Results of the assistant: a number it worked out, which the next turn may use.

"B 方案总成本为 85 万" in a reply becomes a typed value with its label and its message. Invariant: a result is
never a fact of the user's: it is read from replies only, an echo of the user's own value (您的预算是…) is
none, and it ends with the session. The last value of a label stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from shared.language.numbers import NumberSpan, canonical_number, find_numbers, may_hold_number
from shared.language.scripts import HAN
from shared.model.message import Message
from shared.model.session_state import AssistantResult
from shared.stm.clauses import Clause, fold_for_match, split_clauses

MAX_RESULTS: Final = 20
_HEADS: Final = {
    "zh": "助手此前计算得出（不是用户提供的事实）：",
    "en": "Computed earlier by the assistant (not stated by the user):",
}
_MAX_QUOTE_CHARS: Final = 160

_LABEL_ZH: Final = re.compile(
    rf"(?P<label>(?:[a-z0-9]{{1,12}} ?)?[{HAN}]{{2,14}}?)\s?"
    r"(?:一共|总共|合计|大约|大概|约|预计|将|会|应|最终|共|需要?)*"
    r"(?:是|为|等于|达到?|合计|共计|约为?|[:：=]|需要?|只要|花费)\s?(?:约|大约|人民币)?\s?$"
)
_LABEL_EN: Final = re.compile(
    r"(?P<label>[a-z][a-z0-9' -]{1,48}?)(?:\s(?:would|will|should|then|now|therefore|thus))*"
    r"(?:\s(?:is|are|was|costs?|comes? to|equals?|amounts? to|adds? up to|totals?|works? out (?:to|at))"
    r"|\s?[:=])"
    r"(?:\s(?:about|around|roughly|approximately|exactly|only|just|be))*\s?$"
)
_LEAD_EN: Final = re.compile(
    r"^(?:(?:so|then|and|thus|therefore|hence|in total|overall|the|a|an|that|our) )+"
)
_LEAD_ZH: Final = re.compile(r"^(?:所以|因此|那么|综上|经计算|计算得出|结果是?|其中|则该?|而|那|即)+")
_ECHO: Final = re.compile(
    r"[您你]|\byou(?:rs?)?\b|如果|假如|假设|若|\bif\b|\bassum|\bsuppose|例如|比如|\be\.g\.|\bexample\b"
)
_LISTED: Final = re.compile(r"^[\s\-*•>#|\d.)）、]*")


def find_results(message: Message) -> list[AssistantResult]:
    """Return the results that a reply states, the last one of each label."""
    if message.role != "assistant" or not may_hold_number(fold_for_match(message.said)):
        return []
    results: dict[str, AssistantResult] = {}
    for clause in split_clauses(message.said):
        result = _read_clause(clause, message.id)
        if result is not None:
            results[result.label] = result
    return list(results.values())


def merge_results(
    old: Iterable[AssistantResult], new: Iterable[AssistantResult]
) -> tuple[AssistantResult, ...]:
    """Return the last value of each label, at most `MAX_RESULTS`, the newest last."""
    merged: dict[str, AssistantResult] = {}
    for result in (*old, *new):
        merged.pop(result.label, None)
        merged[result.label] = result
    return tuple(merged.values())[-MAX_RESULTS:]


def render_results(results: Iterable[AssistantResult], language: str) -> str:
    """Return the block for the prompt: label, plain number, and the reply's words; empty without results."""
    lines = [_render_line(result) for result in results]
    return "\n".join([_HEADS[language], *lines]) if lines else ""


def _render_line(result: AssistantResult) -> str:
    unit = "%" if result.unit == "%" else f" {result.unit or ''}".rstrip()
    return f"- {result.label}: {canonical_number(result.value)}{unit} ({' '.join(result.quote.split())})"


def _read_clause(clause: Clause, message_id: str) -> AssistantResult | None:
    """Return the result of a clause that says one number of one thing."""
    if clause.is_question or _ECHO.search(clause.folded):
        return None
    for number in find_numbers(clause.text):
        label = _read_label(clause.folded[: number.start].replace("*", ""))
        if label is not None and _is_typed(number):
            return AssistantResult(
                label=label,
                value=number.value,
                unit=number.unit,
                quote=clause.text[:_MAX_QUOTE_CHARS],
                message_id=message_id,
            )
    return None


def _read_label(before: str) -> str | None:
    before = _LISTED.sub("", before)
    match = _LABEL_ZH.search(before) or _LABEL_EN.search(before)
    if match is None:
        return None
    lead = _LEAD_EN if match["label"].isascii() else _LEAD_ZH
    label = lead.sub("", match["label"]).strip()
    return label if len(label) > 1 else None


def _is_typed(number: NumberSpan) -> bool:
    """Return whether a number says of itself what it is: it has a unit, a percent sign or a multiplier."""
    return number.unit is not None or not number.quote.replace(",", "").isdigit()
