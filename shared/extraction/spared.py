"""A wipe that spares something: 除了过敏，其他都忘掉, "forget everything except my allergy". Pure.

Nobody can tell for each memory whether it is of the thing that is to stay, so that it is never carried out;
it is read so that nothing else is made of it, and the user is told. All patterns are for folded text.
"""

from __future__ import annotations

import re
from typing import Final

from shared.extraction import command_words_en as en
from shared.extraction import command_words_zh as zh
from shared.extraction.command import ALL_BUT, Command
from shared.extraction.pages import Page, trim_span

_GONE_ZH: Final = r"(?:忘(?:掉|了|记)?|删(?:掉|除|了|光)?|清(?:空|除|掉))"
_REST_ZH: Final = (
    r"(?:其他|其它|其余|别的|剩下|所有|全部|一切)(?:的)?(?:所有|全部)?(?:记忆|信息|内容|记录|东西|事情?)?"
)
_THING_ZH: Final = r"[^\s,，。！!？?；;：:]{1,30}?"
_END: Final = r"[\s。.！!~～]*"
_ALL_BUT_ZH: Final = re.compile(
    rf"\s*(?:请|麻烦|帮我|你)*(?:除了?|只(?:留下?|保留|记住?|记得))(?P<one>{_THING_ZH})(?:之外|以外|外|就(?:行|好|可以)了?)?\s*[,，、；;]?\s*(?:把)?{_REST_ZH}(?:都|全部?|统统|也|给我|帮我|可以|请)*{_GONE_ZH}(?:吧|了|掉)*{_END}"
    rf"|\s*(?:请|麻烦|帮我|你)*(?:把)?{_GONE_ZH}?(?<![删清])除了?(?P<two>{_THING_ZH})(?:之外|以外|外)?的?(?:{_REST_ZH}|(?:记忆|信息|内容|记录|东西|事情?)(?=都|全))(?:都|全部?|统统|给我|帮我)*{_GONE_ZH}?(?:吧|了|掉)*{_END}"
)
_EXCEPT: Final = (
    r"(?:except(?:\s+for)?|but(?:\s+for)?|apart\s+from|other\s+than|besides|aside\s+from|save\s+for)"
)
_ALL_BUT_EN: Final = re.compile(
    rf"\s*(?:(?:please|pls|ok|okay|now|just|can\s+you|could\s+you)[\s,]+)*(?:forget|delete|erase|remove|clear|wipe)\s+(?:everything|all(?:\s+of)?(?:\s+(?:it|that|my|your|the))?(?:\s+(?:memories|memory|data|facts|notes|records|rest))?)(?:\s+(?:that\s+)?you\s+(?:know|remember|have)(?:\s+(?:saved|stored))?)?(?:\s+(?:about|on)\s+me)?[\s,]+{_EXCEPT}\s+(?P<one>[^,.!?]{{1,60}}?)(?:[\s,]+please)?[\s.!]*"
    rf"|\s*(?:(?:please|pls|ok|okay)[\s,]+)*{_EXCEPT}\s+(?P<two>[^,.!?]{{1,60}}?)[\s,]+(?:please\s+)?(?:forget|delete|erase|remove|clear|wipe)\s+(?:everything(?:\s+else)?|all\s+(?:of\s+)?(?:the\s+rest|my\s+memories))(?:[\s,]+please)?[\s.!]*"
    r"|\s*(?:(?:please|pls|just)\s+)*(?:only\s+)?keep\s+(?:only\s+)?(?P<three>[^,.!?]{1,60}?)(?:,|\s+and|,\s*and)\s+(?:please\s+)?(?:forget|delete|erase|remove|clear|wipe)\s+(?:everything\s+else|(?:all\s+)?(?:of\s+)?the\s+rest)[\s.!]*"
)
_MOST_CHARS: Final = 160


def read_all_but(page: Page) -> Command | None:
    """Return the command that the whole message is; its text is what is to stay. None where it is none."""
    if len(page.text) > _MOST_CHARS:
        return None
    match = _ALL_BUT_ZH.fullmatch(page.open) or _ALL_BUT_EN.fullmatch(page.open)
    if match is None or zh.DELETE_IN_WORK.search(page.open) or en.DELETE_IN_WORK.search(page.open):
        return None
    name = next(key for key, words in match.groupdict().items() if words is not None)
    span = trim_span(page.text, 0, end=len(page.text))
    text, quote = page.text[match.start(name) : match.end(name)], page.text[span.start : span.end]
    return Command("forget", None, ALL_BUT, text, quote, span.start, span.end)
