"""A message that only asks to keep what was said before it: 对，这个帮我记下来, "remember that". Pure."""

from __future__ import annotations

from typing import Final

from shared.extraction import command_words_en as en
from shared.extraction import command_words_zh as zh
from shared.extraction.assignments import Reader
from shared.extraction.clause import Clause
from shared.extraction.filler import is_filler
from shared.extraction.keep_rules import is_trailing
from shared.extraction.pages import Page

_MOST_CHARS: Final = 60


def keeps_former(page: Page, reader: Reader) -> bool:
    """Whether a message is a request to keep what stands before it, with nothing but courtesies beside."""
    if len(page.text) > _MOST_CHARS or any(each.is_marked_question for each in page.sentences):
        return False
    asked = 0
    for sentence in page.sentences:
        for span in sentence.clauses:
            words = page.open[span.start : span.end]
            if is_trailing(Clause(page, span, sentence, reader)):
                asked += 1
            elif not (
                is_filler(words) or zh.TAG_QUESTION.fullmatch(words) or en.TAG_QUESTION.fullmatch(words)
            ):
                return False
    return asked == 1
