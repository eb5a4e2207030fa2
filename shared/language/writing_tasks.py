"""Text that is to be written, or came from somebody: 帮我起草：…, 我妈发来：… / "draft this: Dear Mr Wang, …". Pure.

What such a text says is no word of the user's to us, whatever it is like.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from typing import Final

WRITING_TASK: Final = re.compile(
    r"(?:(?<![我他她])|(?<=[帮给替]我))(?:写|起草|草拟|润色|改写|翻译|校对|总结|概括|整理)(?![了过完])[^，。,]{0,10}(?:封|篇|份|段|首|条|个|一下|下面|以下|成|邮件|报告|文案|简历|信|稿|简介|摘要|介绍)"
    r"|(?:^|\b(?:please|you|me|and|then|let's) )(?:write|draft|compose|proofread|translate|rewrite|rephrase|summari[sz]e|edit|polish|prepare)\b(?! it down)"
)
"""A text that is asked for."""

_TEXT_ZH: Final = r"邮件|信|短信|微信|消息|文案|通知|公告|帖子|朋友圈|稿子?|道歉|检讨|演讲|贺卡|回复|留言|致辞|文章|作文|剧本|台词|对白"
_DRAFT: Final = (
    rf"(?<![我咱])(?:[帮给替]我)?(?:起草|草拟|拟|(?:写|编写|发|回)(?:一?[封篇份段首条个]|下面|以下|这样|[^，。,:：]{{0,8}}(?:{_TEXT_ZH})))(?![了过完]|[^，。,:：]{{0,12}}(?:记|忘|[给跟]你))[^，。,:：]{{0,14}}"
    r"|(?<!\bi )(?<!\bwe )(?<!i'll )(?<!i'd )(?<!i'm )\b(?:write|draft|compose|post|prepare|send)\s+(?:(?:me|him|her|them|my\s+\w+)\s+)?(?:this|the\s+following|an?\s+(?:\w+\s+){0,3}?\w+)(?:\s+(?:to|for|from)\s+(?:\w+\s+){0,2}\w+)?"
)
_SENT: Final = (
    r"(?<![我咱])(?:[\u4e00-\u9fff]{1,4})(?:发来|来信(?:说|写)?|来电说|留言说?|发(?:消息|短信|微信|邮件)(?:说|来)?|转发|写道|交代|叮嘱|嘱咐|群里(?:说|发))"
    r"|(?:邮件|短信|微信|群|通知|合同|简历|文档|消息|网上|纪要|备注)(?:里|上|中)?(?:面)?(?:写|说|写着|写道|显示|提到)"
    r"|\b(?:texted|emailed|messaged|wrote)(?:\s+(?:me|us))?|\b(?:email|mail|letter|note|contract|clause(?:\s+\d+)?|text|message|minutes|cv|page)\s+(?:reads|says|said|states)"
)
_PASSED_ON: Final = (
    r"(?:(?<!\w)|帮我?|替我?|请|麻烦你?|[去来])(?:(?:告诉|转告|告知)(?:[一]下)?(?![我你您咱])|(?:通知|回复|答复|提醒)(?:一下)?(?=大家|所有人|各位|[他她]|客户|同事|老板|[\u4e00-\u9fff]{1,3}[总们方]))"
    r"[^，,。:：]{1,8}"
    r"|(?<!\bi )(?<!i'll )(?<!\bto )(?<!\bwe )(?<!will )(?<!n't )(?<!not )\b(?:tell|inform|notify|remind|text|e-?mail|message|(?:reply|respond|write)\s+(?:back\s+)?to)\s+(?!me\b|you\b|us\b|to\b)(?:\w+\s+){1,3}?(?:that\b|(?=(?:the|our|my)\s+(?:\w+\s+){1,3}?(?:is|are|was|has|have|will|moved|changed)\b))"
    r"|\blet\s+(?!me\b|us\b|you\b)(?:\w+\s+){1,3}?know\b|\b(?:reply|respond|answer)\s+with\b"
    r"|\b(?:add|insert|include|make|create|design)\s+an?\s+(?:\w+\s+){0,2}?(?!(?:note|memo|reminder)\b)\w+\s*(?::|saying\b|that\s+(?:says|reads)\b)"
    r"|\b(?:write|draft|compose|send|prepare|leave)\s+(?:\w+\s+){1,4}?(?:to|for)\s+(?!me\b|you\b)(?:\w+\s+){1,3}?that\b"
)
"""What somebody else is to be told: 替我告诉王总截止日是…, "reply to him that our deadline is …"."""

_MADE: Final = (
    r"(?<![我们咱在正想要需他她])(?:生成|输出|构造|做|建)(?:一?[个份段条张]|一下)[^，,。:：]{0,12}[，,]"
)
"""What a thing that is made is to hold: 生成一个json，预算字段设为50万."""

_BEGINS: Final = re.compile(
    rf"(?:(?:{_DRAFT}|{_SENT})\s*[:：]|(?:{_DRAFT})[,，:：]?\s*(?:尊敬的|亲爱的|dear\b|内容是|就?说(?!明)|that\s+says|saying\b|to\s+say\b)|\[?\b(?:fwd|fw)\b\]?\s*:|\[(?:fwd?|转发)\])"
)
_IS_PASSED_ON: Final = re.compile(rf"{_PASSED_ON}|{_MADE}")
_MOST_CHARS: Final = 300


def given_text_start(folded: str, start: int, *, end: int) -> int | None:
    """Return where, in folded[start:end], a text begins that is to be written or was sent; None without."""
    found = _BEGINS.search(folded, start, min(end, start + _MOST_CHARS))
    return found.end() if found is not None else None


def passed_on_start(folded: str, start: int, *, end: int) -> int | None:
    """Return where folded[start:end] begins to ask us to tell somebody something, or to make what holds it."""
    found = _IS_PASSED_ON.search(folded, start, min(end, start + _MOST_CHARS))
    return found.start() if found is not None else None
