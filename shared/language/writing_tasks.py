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
    r"|\b(?:texted|emailed|messaged|wrote)(?:\s+(?:me|us))?|(?<!\bi )(?<!\bwe )\b(?:said|wrote|posted|announced|replied|says|writes)\s+(?:in|on|at|during|to)\s+(?:\w+\s+){1,4}?\w+(?=\s*:)|\b(?:email|mail|letter|note|contract|clause(?:\s+\d+)?|text|message|minutes|cv|page)\s+(?:reads|says|said|states)"
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


_PAPER_ZH: Final = (
    r"会议(?:纪要|记录|内容)|纪要|(?:合同|协议|招标文件|标书|方案|报告|文档|邮件|文章|新闻|公告|通知|简历|需求)(?:的)?(?:条款|正文|内容|全文|原文|摘要|节选|如下)"
    r"|聊天记录|群(?:消息|公告|通知|聊天?记录)|公告|通知|(?:这|那)[份封个篇则]?(?:合同|协议|邮件|信|报告|文档|通知|公告)|补充协议|合同条款"
)
_PAPER_EN: Final = (
    r"(?:meeting\s+)?minutes|meeting\s+(?:notes|summary)|(?:chat|call|meeting)\s+(?:log|transcript|record)|transcript|announcement|press\s+release"
    r"|(?:contract|agreement|email|e-mail|tender)\s+(?:text|terms|body|content|clauses?|excerpt)|terms\s+and\s+conditions|statement\s+of\s+work"
    r"|(?:the|this|that|an?|his|her|their)\s+(?:\w+\s+){0,2}(?:contract|agreement|e-?mail|mail|letter|message|report|document|article|notice|memo|brief)"
)
_TITLE: Final = r"合同|协议书?|采购合同|劳动合同|[^\n,，。:：]{0,12}(?:合同|协议书?|纪要|公告|通知书?)|(?:[a-z]+ ){0,4}(?:contract|agreement|minutes|memorandum)"
_LED_BY: Final = (
    r"(?:以下|下面|这里?|附上|附|上面|贴一下|看一?下|转一?[个下])?(?:就?是|为)?(?:[^\n,，。:：]{0,8}?)"
)
_MAIL_LINE: Final = r"[ \t]*(?:from|to|cc|bcc|subject|sent|date|reply-to|发件人|收件人|寄件人|抄送|主题|发送时间|时间|日期)[ \t]*[:：][^\n]{0,200}\n"
_DOCUMENT: Final = re.compile(
    rf"(?:^|(?<=[。!！?？;；]))[ \t]*{_LED_BY}(?:{_PAPER_ZH})(?:如下|[(（][^)）\n]{{0,20}}[)）])?[ \t]*(?:[:：]|\n)"
    rf"|(?:^|(?<=[.!?]\s))[ \t]*(?:(?:here(?:'s|\s+is|\s+are)|this\s+is|below\s+(?:is|are)|from|see|attached(?:\s+(?:is|are))?)\s+)?(?:(?:the|our|my|a|some)\s+)?(?:\w+\s+){{0,2}}?(?:{_PAPER_EN})(?:\s+(?:of|from|with|by|between|for|on)\s[^\n.:]{{1,40}})?[ \t]*(?::|\n)"
    rf"|^[ \t]*(?:{_TITLE})[ \t]*\n"
    rf"|^{_MAIL_LINE}(?:{_MAIL_LINE})+"
    r"|^[ \t]*(?:甲方|乙方|party\s+[ab])[^\n:：]{0,10}[:：][^\n]{0,80}\n[ \t]*(?:甲方|乙方|party\s+[ab])"
    r"|^[ \t]*(?:第[一二三四五六七八九十百\d]{1,4}条|(?:article|clause)\s+\d{1,3})(?=[\s.:：,，、])"
    r"|(?<!-)--++[ \t]*(?:forwarded|original)\s+message|^[ \t]*begin\s+forwarded\s+message|^[ \t]*on\s[^\n]{4,80}\swrote:|^[ \t]*在[^\n]{4,60}写道[:：]"
    r"|\[?\b(?:fwd|fw)\b\]?[ \t]*:|\[(?:fwd?|转发)\]|^[ \t]*转发[ \t]*[:：]"
    r"|^[ \t]*\[?\d{1,2}:\d{2}(?::\d{2})?\]?[ \t]+[^\s:：,，]{1,16}(?: [^\s:：,，]{1,16})?[:：]|^[ \t]*[^\s:：,，]{1,16}[ \t]+\d{1,2}:\d{2}(?::\d{2})?[ \t]*\n",
    re.MULTILINE,
)
"""Where a pasted document begins: its title, the lines that head a mail or a contract, marks of forwarding or of a chat."""

_CLAIMED: Final = re.compile(
    r"(?:这|那|以上|上面|下面|里面|其中)[^,，。\n]{0,12}?(?:就|都|全)?(?:是|属于|归)(?:我们?|咱们?|本人)(?:自己)?的|(?:就|都)按(?:这|上面|以上|它|里面)[^,，。\n]{0,6}(?:来|算|记|办)?"
    r"|\b(?:these|those|this|that|they|it|the\s+(?:above|figures?|values?|numbers?|terms?|dates?|deadline|budget)(?:\s+(?:above|here|there|in\s+it))?)\s*(?:is|are|'re|'s)\s+(?:all\s+|both\s+|now\s+)?(?:my|our|mine|ours)\b"
    r"|\b(?:take|use|treat)\s+(?:it|them|these|those|that|this)\s+as\s+(?:my|our|mine|ours)\b"
)
"""The user says that what stands in a text is their own: 这些都是我的 / "these are our figures"."""

_LAST_SENTENCE: Final = re.compile(r"[^。！？!?\n.]+[。！？!?.\s]*\Z")
_CLOSING_CHARS: Final = 160


def document_start(folded: str) -> int | None:
    """Return where a pasted document begins in a message; None without, or where the user says that it is theirs.

    They say so before it, or in the last sentence of all; what a document says of itself counts for nothing.
    """
    found = _DOCUMENT.search(folded)
    if found is None:
        return None
    last = _LAST_SENTENCE.search(folded, max(found.end(), len(folded) - _CLOSING_CHARS))
    is_claimed = _CLAIMED.search(folded, 0, found.end()) or (last and _CLAIMED.search(last[0]))
    return None if is_claimed else found.end()
