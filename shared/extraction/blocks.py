"""The lines that a command of keeping hands over: 记一下：⏎1. 牛奶⏎2. 鸡蛋, "remember my address:⏎12 Main St". Pure.

What stands before the lines decides. A bare verb, 以下几点 or "these rules" only point at them: each line is a
thing of its own. A name (购物清单：, "my shopping list:") belongs to them: name and lines are one. They end at an
empty line, at a question and at a request that bears no list mark. Invariant: what is kept of a block is all
of it, or nothing.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from shared.extraction.pages import Page, Span, trim_span
from shared.language.scripts import HAN

MOST_LINES: Final = 200
MOST_HEAD_CHARS: Final = 80
_MARK: Final = re.compile(
    r"[ \t]*(?:[-*•·▪◦‣–]\s+|[•·▪◦‣]|\[[ x]?\]\s*|[（(]?\d{1,2}(?:[.)）](?!\d)|、)\s*|[一二三四五六七八九十]{1,3}、\s*|[①-⑳]\s*)"
)
_IN_LINE: Final = re.compile(r"(?:(?<=\s)|(?<=[:：;；,，。]))[（(]?\d{1,2}(?:[.)）](?!\d)|、)\s*")
_FIRST: Final = re.compile(r"\s*[（(]?1(?:[.)）](?!\d)|、)\s*")
_POINTS: Final = re.compile(
    r"(?:(?:我说的|我要说的|下面|以下|如下|接下来|这|的|几|两|三|四|五|些|个|件|条|点|句|样|段|[,，\s])*(?:事情?|信息|内容|话|要求|规则|规矩|原则|事项|偏好|习惯|东西|情况|要点|注意事项)?"
    r"|(?:(?:all|of|my|our|the|this|these|those|following|few|two|three|four|five|some|important|new|below|down|as|follows|[,\s])*\b)?(?:things?|facts?|points?|rules?|notes?|preferences|requirements|details|items|info|information|stuff)?(?:\s+(?:about|for)\s+me|\s+below)?"
    r"|(?:我|我们|本人)的?(?:个人|基本)?(?:信息|资料|情况|联系方式|偏好|习惯|要求)|(?:my|our)\s+(?:own\s+|personal\s+|contact\s+|basic\s+)*(?:info|information|details|data|profile|preferences|contacts?))"
    r"[\s:：,，]*"
)
"""What has no name: the lines are things of their own."""

_WHOLE_TEXT: Final = re.compile(r"(?:这|下面|以下)(?:的|这)?(?:一?[段首篇]).{0,3}")
_LIST_NAME: Final = re.compile(
    r"(?:清单|列表|名单|规则|要求|安排|计划|步骤|流程|地址|信息|事项|内容|菜谱|食谱|配方|行程|日程|待办|要点|如下)\s*$"
    r"|\b(?:list|rules|address|recipe|steps|plan|schedule|to-?dos?|items|points|notes|details|info|requirements|itinerary|agenda|below|as follows)\s*$"
)
_POINTED: Final = re.compile(
    r"(?:下面|以下|这)(?:的|个|些|条|份|段|几[个条点份])*\s*$|\b(?:this|these|the following|following)\s*$"
)
_POINTED_HEAD: Final = re.compile(
    r"\s*(?:(?:下面|以下)的?|这(?:个|些|条|份|段|几[个条点份])|(?:this|these|the following)\s)"
)
_OWN: Final = re.compile(
    r"我|咱|这|下面|以下|今天|明天|后天|下周|本周|\b(?:my|our|this|these|following|today's|tomorrow's)\b"
)
_ENDS: Final = re.compile(
    rf"\s*(?:谢谢|多谢|辛苦|麻烦|拜托|帮我|帮忙|请(?!假)|好吗|可以吗|然后|另外|对了|顺便|记住|记一下|忘掉|thanks?\b|thank you\b|please\b|pls\b|can you\b|could you\b|would you\b|remember\b|forget\b|by the way\b|btw\b|also\b|and then\b|now (?!{HAN}))"
)
_ASKS: Final = re.compile(r"[?？]\s*$|(?:吗|呢)\s*$")
_TRIM: Final = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Block:
    """Lines handed over: each without its mark; `name` is what they are, `end` where the last one ends.

    `is_apart`: each line is a thing of its own.
    """

    name: str
    lines: tuple[Span, ...]
    is_apart: bool
    end: int


def read_block(
    page: Page, start: int, *, verb: Span, skip: Span | None = None, is_weak: bool = False
) -> Block | None:
    """The block that begins in the line of text[start:], behind a verb of keeping; None where none does.

    Args:
        page: the message.
        start: where what is kept begins, right behind the verb or before it (把购物清单记下来：).
        verb: the verb with all before it in its clause.
        skip: the verb where it stands behind the name.
        is_weak: the verb is also one of daily work (保存一下, write down): the lines must be called the user's.
    """
    line_end = page.text.find("\n", start)
    line_end = len(page.text) if line_end < 0 else line_end
    head = trim_span(page.text, skip.end if skip else start, end=line_end, marks=_TRIM)
    words = page.folded[head.start : head.end]
    name = Span(start, skip.start) if skip else head
    is_pointed = _POINTED.search(page.folded, verb.start, verb.end) is not None
    colon = re.search(r"[:：]", words[:MOST_HEAD_CHARS])
    first: tuple[Span, ...] = ()
    if colon is not None and colon.end() < len(words):
        if skip is None:
            name = Span(head.start, head.start + colon.start())
        rest = Span(head.start + colon.end(), head.end)
        first = tuple(_enumerated(page, rest)) or (
            trim_span(page.text, rest.start, end=rest.end, marks=_TRIM),
        )
    elif _FIRST.match(words):
        first, name = tuple(_enumerated(page, head)), Span(head.start, head.start)
    called = page.folded[name.start : name.end].strip(" \t:：,，")
    if len(called) > MOST_HEAD_CHARS or re.search(r"[。！？!?]", called):
        return None
    following = tuple(_lines(page, line_end))
    is_marked = bool(following) and _is_marked(page, following[0])
    points = _POINTS.fullmatch(called) is not None
    if is_weak and not (is_pointed or _OWN.search(called)):
        return None
    if first:
        takes = is_pointed or _POINTED_HEAD.match(called) is not None or is_marked or points
        lines = (*first, *following) if len(first) > 1 or (takes and following) else ()
        lines = lines if not (points and len(first) == 1 and not is_marked) else ()
    else:
        takes = colon is not None or points or (is_marked and _LIST_NAME.search(called) is not None)
        lines = following if takes else ()
    if not lines:
        return None
    title = page.text[name.start : name.end].strip(" \t:：,，")
    is_text = _WHOLE_TEXT.fullmatch(called) is not None
    name_words = "" if is_text or points else _POINTED_HEAD.sub("", title)
    return Block(
        name_words, tuple(_unmarked(page, each) for each in lines), points and not is_text, lines[-1].end
    )


def block_before(page: Page, start: int) -> Block | None:
    """The marked lines right above a command that points back: 1. 牛奶⏎2. 鸡蛋⏎帮我记一下; None for fewer than two."""
    end = page.text.rfind("\n", 0, start)
    lines: list[Span] = []
    while end > 0 and len(lines) < MOST_LINES:
        begin = page.text.rfind("\n", 0, end) + 1
        span = trim_span(page.text, begin, end=end, marks=_TRIM)
        if span.start == span.end or not _is_marked(page, span):
            break
        lines.insert(0, span)
        end = begin - 1
    if len(lines) < 2:  # noqa: PLR2004 (one line is a sentence like any other)
        return None
    begin = page.text.rfind("\n", 0, max(end, 0)) + 1
    title = page.text[begin:end].strip() if end > 0 else ""
    is_named = title.endswith((":", "：")) and len(title) <= MOST_HEAD_CHARS
    name = title.strip(" \t:：") if is_named else ""
    points = _POINTS.fullmatch(name.lower()) is not None
    return Block(
        "" if points else name, tuple(_unmarked(page, each) for each in lines), points, lines[-1].end
    )


def show_block(page: Page, block: Block) -> str:
    """A block as one line: its name, then its lines with semicolons between them."""
    lines = [page.text[each.start : each.end].strip(" \t;；") for each in block.lines]
    is_han = re.search(f"[{HAN}]", block.name + "".join(lines)) is not None
    body = ("；" if is_han else "; ").join(" ".join(line.split()) for line in lines if line)
    return f"{block.name}{'：' if is_han else ': '}{body}" if block.name else body


def _lines(page: Page, start: int) -> Iterator[Span]:
    """The lines of a block behind a place: up to an empty one, a question or a request."""
    for count in range(MOST_LINES + 1):
        begin = start + 1
        end = page.text.find("\n", begin)
        end = len(page.text) if end < 0 else end
        span = trim_span(page.text, begin, end=max(begin, end), marks=_TRIM)
        if begin >= len(page.text):
            return
        if span.start >= span.end:
            if count:
                return
        elif not _is_marked(page, span) and (
            _ASKS.search(page.open, span.start, span.end) or _ENDS.match(page.open, span.start, span.end)
        ):
            return
        else:
            yield span
        start = end


def _enumerated(page: Page, span: Span) -> Iterator[Span]:
    """The items of 1. 牛奶 2. 鸡蛋 in one line; none where fewer than two are."""
    if not _FIRST.match(page.folded, span.start, span.end):
        return
    places = [match.span() for match in _IN_LINE.finditer(page.folded, span.start, span.end)]
    if not places or places[0][0] > span.start + 1:
        first = _FIRST.match(page.folded, span.start, span.end)
        places.insert(0, first.span() if first else (span.start, span.start))
    if len(places) > 1:
        ends = [*(place[0] for place in places[1:]), span.end]
        for (_, begin), end in zip(places, ends, strict=True):
            yield trim_span(page.text, begin, end=end, marks=_TRIM + ";；,，")


def _is_marked(page: Page, line: Span) -> bool:
    return _MARK.match(page.folded, line.start, line.end) is not None


def _unmarked(page: Page, line: Span) -> Span:
    mark = _MARK.match(page.folded, line.start, line.end)
    return trim_span(page.text, mark.end() if mark else line.start, end=line.end, marks=_TRIM)
