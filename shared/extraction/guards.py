"""What keeps a clause from being taken at its word: questions, suppositions, reported speech, fiction."""

from __future__ import annotations

import re
import sys
from typing import Final

from shared.extraction import command_words_en as en
from shared.extraction import command_words_zh as zh
from shared.extraction.pages import Page, Sentence, Span

NEVER: Final = sys.maxsize
_SAYS_CHARS: Final = 60
_LINE_CHARS: Final = 400
_TASK_ON_TEXT: Final = re.compile(
    r"翻译|润色|改写|校对|造句|续写|仿写|总结一下|解释|\b(?:translate|proofread|rewrite|paraphrase|summari[sz]e|rephrase|explain|say|spell)\b"
)


def asks(page: Page, sentence: Sentence, *, clause: Span) -> bool:
    """True where the clause is a question, marked or not."""
    words = page.open[clause.start : clause.end]
    if zh.ASKS.search(words) or en.ASKS.search(words):
        return True
    return sentence.is_marked_question and clause == sentence.clauses[-1]


def is_barred(page: Page, sentence: Sentence, *, clause: Span) -> bool:
    """True where what precedes makes it no word of the user's own: 他说，…; suppose …; 写个小说."""
    if clause.start >= _barred_from(page, sentence):
        return True
    before = page.open[max(sentence.start, clause.start - _SAYS_CHARS) : clause.start]
    earlier = before.rstrip(" ，,：:—-\"'“")
    return bool(earlier) and (zh.SAYS.search(earlier) or en.SAYS.search(earlier)) is not None


def _barred_from(page: Page, sentence: Sentence) -> int:
    """The first place of a sentence that something before it bars; found once, not for each clause."""
    found = page.barred_from.get(sentence.start)
    if found is None:
        places = [_end_of(pattern, page.open, sentence) for pattern in _BARS]
        places.append(sentence.start if _is_task_line(page, sentence) else NEVER)
        found = page.barred_from[sentence.start] = min(_fiction_end(page), *places)
    return found


def _end_of(pattern: re.Pattern[str], text: str, sentence: Sentence) -> int:
    match = pattern.search(text, sentence.start, sentence.end)
    return match.end() if match else NEVER


def _fiction_end(page: Page) -> int:
    """The end of the first word that makes all that follows a story; kept under a place no sentence has."""
    found = page.barred_from.get(-1)
    if found is None:
        matches = (pattern.search(page.open) for pattern in (zh.FICTION, en.FICTION))
        found = page.barred_from[-1] = min((match.end() for match in matches if match), default=NEVER)
    return found


def _is_task_line(page: Page, sentence: Sentence) -> bool:
    """True under a line such as 翻译下面的话： that hands over somebody's text."""
    head = page.open[max(0, sentence.start - _LINE_CHARS) : sentence.start].rstrip()
    if not head.endswith((":", "：")):
        return False
    line = head.rpartition("\n")[2]
    return _TASK_ON_TEXT.search(line) is not None


_BARS: Final = (zh.HYPOTHETICAL, en.HYPOTHETICAL, _TASK_ON_TEXT)
