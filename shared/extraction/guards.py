"""What keeps a clause from being taken at its word: questions, suppositions, reported speech, fiction."""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from shared.extraction import command_words_en as en
from shared.extraction import command_words_zh as zh
from shared.extraction.command import Command
from shared.extraction.pages import Page, Sentence, Span
from shared.extraction.unmeant import asks_to_agree, is_made_up
from shared.language.writing_tasks import given_text_start, passed_on_start

LOOK_BACK_CHARS: Final = 240
"""How far before a clause its bars are looked for; it keeps the work linear in the message."""
_TASK_ON_TEXT: Final = re.compile(
    r"翻译|润色|改写|校对|造句|续写|仿写|总结一下|解释|\b(?:translate|proofread|rewrite|paraphrase|summari[sz]e|rephrase|explain|say|spell)\b"
)

_JOKE: Final = re.compile(
    r"(?<![不没别是])开(?:个)?玩笑(?!$|[^的啦了哈，,。!！])|逗你(?:的|玩)|骗你(?:的|玩)|说着?玩的|\b(?<!not )(?<!no )(?<!n't )(?:just\s+)?(?:kidding|joking)\b|\bjk\b"
)
"""What is taken back as a joke, before or right behind it."""
_JOKE_CHARS: Final = 40

_HANDING: Final = (":", "：", "dear", "尊敬的", "亲爱的")
_LED_CHARS: Final = 2
"""A clause that begins with the verb of saying lies in what is said: 帮我写封邮件，说预算是60万."""
COMMANDING: Final = re.compile(
    r"\s*(?:请|您|你|大家|各位|please\b|\s)*(?:记[住得着]|别忘|不要忘|从?现在起|从今|以后|remember\b|don't\s+forget|from\s+now\s+on|never\b|always\b)"
)
_TAKES_AWAY: Final = re.compile(
    r"\s*(?:请|您|你|顺便|另外|\s)*(?:忘[掉记了]|删|撤[销回]|别记|不要记|把)"
    r"|\s*(?:(?:and|also|then|please)\s+)*(?:forget|delete|erase|undo|(?:don't|do\s+not)\s+(?:remember|keep|save))\b"
)
"""What is said to us beside a word for somebody else: 告诉王总我晚点到，忘掉我的预算."""
_MAY_WIPE: Final = re.compile(
    r"\s*(?:请问)?你?(?:能不能|可不可以|能否|可否|可以|能)[^,，]{0,8}?你所?(?:知道|记|了解|保?存)"
    r"|\s*(?:can|could|would)\s+you\s[^,]{0,40}?\byou(?:'ve|\s+have)?\s+(?:know|remember|stored?|saved?|learn(?:ed|t))"
)
_MAY_UNDO: Final = re.compile(
    r"(?:[\s,，]|请问|请|麻烦|那|你|您)*+(?:能不能|可不可以|能否|可否|可以|能)"
    r"|(?:[\s,]|please\b|ok\b|okay\b|hey\b|and\b|so\b|oh\b|wait\b|sorry\b|no\b)*+(?:can|could|would|will)\s+you\b"
)


def asks(page: Page, sentence: Sentence, *, clause: Span) -> bool:
    """True where the clause is a question, marked or not."""
    words = page.open[clause.start : clause.end]
    if zh.ASKS.search(words) or en.ASKS.search(words):
        return True
    return sentence.is_marked_question and clause == sentence.clauses[-1]


def asks_to_keep(page: Page, clause: Span) -> bool:
    """True for a request in the form of a question: 能帮我把预算设为50万吗 / can you set …?"""
    words = page.open[clause.start : clause.end]
    return bool(zh.FAVOUR_START.match(words) or en.POLITE_START.match(words))


def asks_to_take(page: Page, clause: Span, *, commands: Sequence[Command]) -> bool:
    """True for a question that asks us to take something away: 能不能别提…, "can you please forget …?".

    Without such a word one is no more than a question, but to delete all that is known, which is asked about
    first, and to undo.
    """
    words = page.open[clause.start : clause.end]
    if zh.FAVOUR_START.match(words) or zh.STOP_REQUEST.match(words) or en.PLEASE_START.match(words):
        return True
    if any(each.is_wipe for each in commands) and _MAY_WIPE.match(words):
        return True
    return any(each.kind == "undo" for each in commands) and _MAY_UNDO.match(words) is not None


def is_barred(page: Page, sentence: Sentence, *, clause: Span) -> bool:
    """True where what precedes makes it no word of the user's own: 他说，…; suppose …; 写个小说."""
    before = page.open[max(sentence.start, clause.start - LOOK_BACK_CHARS) : clause.start]
    if zh.HYPOTHETICAL.search(before) or en.HYPOTHETICAL.search(before):
        return True
    earlier = before.rstrip(" ，,：:—-\"'“")
    if earlier and (zh.SAYS.search(earlier) or en.SAYS.search(earlier)):
        return True
    if _TASK_ON_TEXT.search(before) or _is_task_line(page, sentence) or _is_joke(page, sentence):
        return True
    return is_for_others(page, sentence, clause=clause) or page.fiction_start < clause.start


def is_for_others(page: Page, sentence: Sentence, *, clause: Span) -> bool:
    """True in a text that is to be written, was sent, or is to be passed on: 帮我起草：… / "tell Tom that …"."""
    given = given_text_start(page.open, sentence.start, end=clause.end)
    if given is not None and (given <= clause.start + _LED_CHARS or _is_led_by_it(page, clause, given=given)):
        return True
    told = passed_on_start(page.open, sentence.start, end=clause.end)
    return told is not None and told <= clause.start + _LED_CHARS and not _is_said_to_us(page, clause)


def goes_on_given(page: Page, sentence: Sentence) -> bool:
    """True for a further sentence of a text that an earlier one of its line hands over, as a draft of several."""
    line = page.open.rfind("\n", 0, sentence.start) + 1
    given = given_text_start(page.open, line, end=sentence.start) if line < sentence.start else None
    return given is not None and page.open[:given].rstrip().endswith(_HANDING)


def states_nothing(page: Page, sentence: Sentence, *, clause: Span) -> bool:
    """True where a clause, read to its end, gives no value of the user's own: asked, barred, pasted, made up."""
    if asks(page, sentence, clause=clause) or asks_to_agree(page, clause):
        return True
    if page.document_start < clause.end or goes_on_given(page, sentence):
        return True
    whole = Span(clause.end, clause.end)
    return is_barred(page, sentence, clause=whole) or is_made_up(page, sentence, clause=clause)


def _is_joke(page: Page, sentence: Sentence) -> bool:
    return _JOKE.search(page.open, sentence.start, sentence.end + _JOKE_CHARS) is not None


def _is_said_to_us(page: Page, clause: Span) -> bool:
    words = (page.open, clause.start, clause.end)
    return COMMANDING.match(*words) is not None or _TAKES_AWAY.match(*words) is not None


def _is_led_by_it(page: Page, clause: Span, *, given: int) -> bool:
    """Whether a clause is the task itself, so that all it commands lies in the text to be written."""
    return clause.start < given and COMMANDING.match(page.open, given, clause.end) is not None


def _is_task_line(page: Page, sentence: Sentence) -> bool:
    """True under a line such as 翻译下面的话： that hands over somebody's text."""
    head = page.open[max(0, sentence.start - LOOK_BACK_CHARS) : sentence.start].rstrip()
    if not head.endswith((":", "：")):
        return False
    line = head.rpartition("\n")[2]
    return _TASK_ON_TEXT.search(line) is not None
