"""One value of a remembered sentence gives way to one of its shape, and the rest of it stays. Pure.

My flight leaves at 18:05 / "19:20", 例会9:30在四号会议室 / 10:15: a time takes a time's place, an amount an
amount's with its unit where the new words name none, a date a date's. Words around the new value must be
those around the old one ("room 5", "the 7:45 train") or say nothing. Where two values may be meant, None:
a sentence that nobody said is never made.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from shared.extraction.value_shapes import Shaped, find_shaped
from shared.language.scripts import fold_aligned

_MOST_VALUES: Final = 2
_LAST_HOUR: Final = 24
_NOON: Final = 12
_SCALE_GAP: Final = 10
_WORD: Final = re.compile(r"[a-z0-9][a-z0-9'’.-]*|[^\sa-z0-9]")
_SILENT: Final = frozenset(
    """
    the a an it it's its that that's is was are be to of and my our
    是 的 那 个 在 于 就 要 应 该 其 实 而 为 了 吧 会
    """.split()  # noqa: SIM905 (a table of words)
)
_WHERE: Final = frozenset("at on in".split())  # noqa: SIM905 (a table of words)
"""Prepositions that say nothing that the sentence does not say already."""

_LIMITS: Final = frozenset(
    "by around about before after until till from since within near over under 约 近 到 从".split()  # noqa: SIM905 (a table of words)
)
"""What stands before a value and changes what it means: said with the new one it is kept."""

_TAIL: Final = frozenset("的 吧 了 哦 啊 呀 整 instead though please thanks then".split())  # noqa: SIM905 (a table of words)
_ENDS: Final = re.compile(r"\s*(?:$|[,.;!?，。；！？、])")


@dataclass(frozen=True, slots=True)
class _Fit:
    """How a new value stands in an old one's place: [start:end] gives way to `new`; `shared` words agree."""

    start: int
    end: int
    new: str
    shared: int


def swap_shaped(text: str, said: str) -> str | None:
    """The text with the value that `said` gives in the place of the one of its shape; None where unclear."""
    values = find_shaped(said)
    if not 0 < len(values) <= _MOST_VALUES:
        return None
    olds = find_shaped(text)
    if len(values) == 1:
        fit = _best_fit(text, olds, said=said, new=values[0])
        return None if fit is None else text[: fit.start] + fit.new + text[fit.end :]
    return _swap_both(text, olds, said=said, values=values)


_MORE_WORDS: Final = 2
"""A value of so many words more is a sentence: not Jerry but Tom sent the mail."""
_DONE: Final = re.compile(r"(?<=[\u4e00-\u9fff\w])[了啦]$")
_IS_EN: Final = r"(?:is|are|was|were)(?:\s+(?:called|named))?\s"
_TELLS: Final = re.compile(rf"\s*(?:现在|目前)?(?:是|为|叫做?|[:：=]|{_IS_EN})\s*(?P<value>[^.。!！]+)")
_SEVERAL: Final = re.compile(r"[,，;；、和与]|\b(?:and|or)\b")


def swap_named(text: str, old: str, *, new: str) -> str | None:
    """The text with `new` in place of `old`, which it says once and whole; None where it does not.

    Where `old` is what the text speaks of (我老板是张三 / 我老板换成李四了), `new` takes the place of what it
    says of that.
    """
    new = _DONE.sub("", new)
    if len(new.split()) > len(old.split()) + _MORE_WORDS:
        return None
    olds, named = find_shaped(text), find_shaped(old)
    if len(named) == 1 and named[0].quote == old.strip():
        same = [value for value in olds if _is_same(value, named[0])]
        if len(same) == 1:
            return _swap_one(text, same[0], new=new)
    folded, words = fold_aligned(text), fold_aligned(old)
    pattern = re.compile(
        rf"(?<![a-z0-9]){re.escape(words)}(?![a-z0-9])" if words.isascii() else re.escape(words)
    )
    places = [match.span() for match in pattern.finditer(folded)]
    if len(places) != 1 or _cuts_a_value(olds, places[0][0], end=places[0][1]):
        return None
    start, end = places[0]
    told = _TELLS.match(folded, end)
    if told is not None:
        start, end = told.span("value")
        if _SEVERAL.search(folded, start, end):
            return None
    return text[:start] + new + text[end:]


def _cuts_a_value(values: Sequence[Shaped], start: int, *, end: int) -> bool:
    """True where a stretch holds a part of a value and leaves a part of it."""
    return any(
        value.start < end and start < value.end and not (start <= value.start and value.end <= end)
        for value in values
    )


def _is_same(value: Shaped, named: Shaped) -> bool:
    """True where a value of the text is the one that was named, its unit said or not."""
    if fold_aligned(value.quote) == fold_aligned(named.quote):
        return True
    if value.number is not None and named.number is not None:
        units = {value.number.unit, named.number.unit}
        return value.value == named.value and (len(units) == 1 or named.number.unit is None)
    core = fold_aligned(value.quote)[value.core_start - value.start : value.core_end - value.start]
    return core == fold_aligned(named.quote)


def _swap_one(text: str, old: Shaped, *, new: str) -> str | None:
    given = find_shaped(new)
    if len(given) == 1 and given[0].quote == new.strip() and may_replace(given[0], old):
        start, end = _place(old, given[0], text=text)
        return text[:start] + new + text[end:]
    if old.has_more and given and given[0].number is not None and not given[0].has_more:
        return None
    return text[: old.start] + new + text[old.end :]


def _best_fit(text: str, olds: Sequence[Shaped], *, said: str, new: Shaped) -> _Fit | None:
    """The one place for a new value; of several the one that more of the words around it name."""
    able = [old for old in olds if may_replace(new, old)]
    if new.number is not None and new.number.unit is not None:
        able = [old for old in able if old.number and old.number.unit == new.number.unit] or able
    fits = [fit for fit in (_fit(text, old, said=said, new=new) for old in able) if fit is not None]
    most = max((fit.shared for fit in fits), default=0)
    best = [fit for fit in fits if fit.shared == most]
    if len(best) != 1 or (not most and len(able) > 1):
        return None
    return best[0]


def _swap_both(text: str, olds: Sequence[Shaped], *, said: str, values: Sequence[Shaped]) -> str | None:
    """On May 4 at 10:30: each value has one place, and nothing else is said."""
    around = (
        said[: values[0].start] + " " + said[values[0].end : values[1].start] + " " + said[values[1].end :]
    )
    if any(word not in _SILENT | _WHERE | _TAIL | {",", "，"} for word in _words(around)):
        return None
    pairs = [(value, [old for old in olds if may_replace(value, old)]) for value in values]
    if any(len(able) != 1 for _, able in pairs) or pairs[0][1] == pairs[1][1]:
        return None
    places = sorted((_place(able[0], value, text=text), value.quote) for value, able in pairs)
    for (start, end), quote in reversed(places):
        text = text[:start] + quote + text[end:]
    return text


def may_replace(new: Shaped, old: Shaped) -> bool:
    """True where the new value is of the old one's shape, and no unit or scale of it is in doubt."""
    if new.is_whole_number and old.shapes & {"time", "code"}:
        is_hour = int(new.quote) <= _LAST_HOUR
        return is_hour if "time" in old.shapes else len(old.quote) == len(new.quote) and old.quote.isdigit()
    if not new.shapes & old.shapes or (new.is_year and "date" in old.shapes and not old.is_year):
        return False
    if new.number is None or old.number is None:
        return True
    unit = new.number.unit
    if unit is None:
        gap = abs(new.number.value) * _SCALE_GAP <= abs(old.number.value)
        return not (old.is_scaled and not new.is_scaled and gap)
    return unit == old.number.unit or old.number.unit is None


def _place(old: Shaped, new: Shaped, *, text: str) -> tuple[int, int]:
    """What gives way: the whole value, or its core where the new one leaves the rest unsaid."""
    if not old.has_more or new.has_more:
        return old.start, old.end
    if "time" in old.shapes:
        hour = re.match(r"\d+", new.quote)
        is_late = hour is not None and int(hour[0]) > _NOON
        is_named = hour is None and new.quote in {"noon", "midnight", "中午", "正午", "午夜"}
        return (old.start, old.end) if is_late or is_named else (old.core_start, old.core_end)
    if text[old.core_end : old.end] in {"半", "半年"}:
        return old.start, old.end
    return old.core_start, old.core_end


def _fit(text: str, old: Shaped, *, said: str, new: Shaped) -> _Fit | None:
    """How the new value fits there; None where the words around it are of something else."""
    before, after = _words(said[: new.start]), _words(said[new.end :])
    held_before, held_after = _words(text[: old.start]), _words(text[old.end :])
    if _brings_unit(new, old) and not _ENDS.match(text, old.end):
        return None
    shared_before = _shared(before[::-1], held_before[::-1])
    shared_after = _shared(after, held_after)
    left = [word for word in before[: len(before) - shared_before] if word not in _SILENT]
    rest = after[shared_after:]
    if len(left) > 1 or any(word not in _TAIL | {"的"} for word in rest):
        return None
    agreed = [*before[len(before) - shared_before :], *after[:shared_after]]
    shared = sum(word not in _SILENT | _WHERE | _TAIL for word in agreed)
    start, end = _place(old, new, text=text)
    if not left:
        return _Fit(start, end, new.quote, shared)
    if left[0] not in _WHERE | _LIMITS:
        return None
    return _with_preposition(text, _Fit(start, end, new.quote, shared), said=left[0], held=held_before)


def _brings_unit(new: Shaped, old: Shaped) -> bool:
    """True of 875 euros in the place of 850, behind which something may be counted: 12 servers."""
    return bool(new.number and new.number.unit and old.number and old.number.unit is None)


def _with_preposition(text: str, fit: _Fit, *, said: str, held: Sequence[str]) -> _Fit:
    """The fit with the preposition that was said: in the place of the one that stands there, or before it."""
    last = held[-1] if held else ""
    gap = " " if said.isascii() else ""
    if last in _WHERE | _LIMITS:
        start = fold_aligned(text[: fit.start]).rindex(last)
        return _Fit(start, fit.end, said + gap + fit.new, fit.shared)
    if said in _WHERE:
        return fit
    return _Fit(fit.start, fit.end, said + gap + fit.new, fit.shared)


def _words(text: str) -> list[str]:
    return _WORD.findall(fold_aligned(text).replace("’", "'"))


def _shared(said: Sequence[str], held: Sequence[str]) -> int:
    count = 0
    for one, other in zip(said, held, strict=False):
        if one != other:
            break
        count += 1
    return count
