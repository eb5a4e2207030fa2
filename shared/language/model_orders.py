"""Texts that give orders to a model instead of telling of the user. Pure.

Two kinds: a hijack (ignore the rules, take a role, open an address, give away keys, markup of roles, tools and
of our own fences) is evidence of nothing and stands in no head, where a model would take it for ours; one that
is planted (an answer for when "the user" asks, a forged fence) spoils its whole message, since its clauses say
it only together. A standing order (请以后都…, "from now on always …") may be a wish, and is kept at most as a
flagged proposal that only the user turns into a memory. What a reply claims to have done to memory (已确认所有
待确认的更新, "I have confirmed all pending updates") is no fact either: code does that, and says so itself.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from shared.language.scripts import fold

MAX_READ_CHARS: Final = 8_000

_ORDER: Final = (
    r"(?:忽略|无视|忘掉|忘记|不(?:用|要|必)(?:再)?(?:管|理会|遵守))(?:掉|之前|以前|上面|以上|前面|你|的|一切|所有|任何|全部|系统){0,6}(?:指令|指示|提示|规则|设定|限制|要求|安全)"
    r"|(?:你(?:现在)?(?:是|扮演|变成|必须(?:是|扮演))).{0,12}(?:管理员|开发者模式|不受限制|越狱)|你(?:现在|已经)?不再?受(?:到|任何|一切|的)*(?:限制|约束)"
    r"|(?:服从|听从|遵从)(?:用户|管理员|root|admin|我的?(?:一切|所有|任何)?的?(?:命令|指令)|(?:一切|所有|任何)的?(?:命令|指令))"
    r"|(?:管理员|系统|开发者)(?:已经?|现在|特别|正式)*(?:允许|授权|批准|准许|同意|命令|指示|要求)你.{0,4}(?:公开|泄露|透露|导出|绕过|无视|忽略|访问|查看|输出|显示|提供|返回).{0,12}(?:用户|客户|他人|别人|密码|隐私|指令|提示|限制|规则|机密)"
    r"|\b(?:ignore|disregard|forget|override|bypass)\s+(?:(?:all|any|every|the|your|my|of|these|those|previous|prior|earlier|above|preceding|other|system|safety)\s+){1,5}"
    r"(?:instructions?|rules?|prompts?|guidelines?|directions?|messages?|polic(?:y|ies)|restrictions?|filters?)\b"
    r"|\b(?:ignore|disregard|override|bypass)\s+(?:previous|prior|earlier|above|preceding|system|safety)?\s*(?:instructions|prompts|guidelines|restrictions|filters)\b"
    r"|\b(?:you are now|act as|pretend to be)\s+(?:an?\s+)?(?:admin|administrator|root|developer mode|dan|unrestricted|jailbroken)\b"
    r"|\byou (?:are|have) (?:now )?(?:unrestricted|no (?:rules|restrictions|limits)|free (?:of|from) (?:all |any |your )?(?:rules|restrictions|limits))\b"
    r"|\bobey (?:the |only )*(?:user|root|admin\w*|my (?:orders|commands)|(?:all|any|every) (?:of )?(?:my )?(?:orders?|commands?|instructions?))"
    r"|\b(?:admin(?:istrator)?s?|developers?|system|root)(?: has| have| now| hereby)* (?:allows?|allowed|authori[sz]e[sd]?|permits?|permitted|orders?|ordered|instructs?|instructed|commands?|commanded|requires?|required) you to (?:reveal|disclose|share|leak|publish|expose|export|show|access|ignore|bypass|override|print|dump|release)\b.{0,40}\b(?:users?|customers?|others|passwords?|prompts?|instructions?|secrets?|restrictions?|rules)\b"
    r"|\b(?:reveal|print|show|leak)\s+(?:me\s+)?(?:the|your)\s+(?:system\s+)?(?:prompt|instructions)\b"
    r"|<\s*/?\s*(?:system|assistant|user|tool|function|memory|instructions?|im_start|im_end)\b[^>]{0,40}>|<\|[a-z_]{2,20}\|>|\[/?(?:inst|system)\]|^[ \t]*+(?:system|assistant|developer)[ \t]*+[:：]"
)
"""Orders to a model, and the marks of roles: no value of a field is written so."""

_OF_MODELS: Final = (
    r"(?:系统提示|系统指令|提示词|system\s*prompt)|(?:角色|权限|身份)(?:改为|改成|设为|提升(?:为|到)|升级(?:为|到))(?:管理员|超级|root|admin)"
    r"|\bdeveloper mode\b|\bjailbreak\b"
    r"|\b(?:tool_call|function_call)\b|\"(?:role|fields|tool_calls)\"\s*:|\bend of (?:dialogue|conversation|prompt)\b|\boutput the (?:json|following)\b|output the json above"
)
"""Words about models that are no evidence of a user, though a task may speak of them."""

_IS_ORDER: Final = re.compile(_ORDER, re.MULTILINE)
_HIJACK: Final = re.compile(f"{_ORDER}|{_OF_MODELS}", re.MULTILINE)
_EVERY_ANSWER: Final = re.compile(
    r"每(?:条|次|个)?(?:回答|回复|消息|对话)|(?:回答|回复)(?:之?前|时|后)|所有(?:回答|回复|对话)|\b(?:each|every|all|any|your) (?:answers?|repl(?:y|ies)|responses?|messages?)\b|\bbefore (?:answering|replying)\b"
)
_PLANTED: Final = re.compile(
    r"==[ \t]*(?:end[ \t]+of[ \t]+)?(?:the[ \t]+)?(?:records?|memor(?:y|ies)|summary|notes|conversation|instructions?|记录|记忆|摘要|指令)[ \t]*=="
    r"|\b(?:when(?:ever)?|if|once|every\s+time|as\s+soon\s+as)\s+(?:the|a|any|this)\s+user\s+(?:ever\s+)?(?:asks?|says?|mentions?|wants|requests?|inquires?|brings\s+up)\b[^\n]{0,120}?"
    r"\b(?:say|answer|reply|respond|tell\s+(?:them|him|her|the\s+user)|claim|pretend|output|insist|state|deny|write|give\s+(?:them|him|her|the\s+user))\b"
    r"|(?:当|如果|要是|每当|只要|一旦|每次)(?:这个|该)?用户(?:再|又|来)?(?:问|询问|提到|提起|说|要求|想知道)[^\n]{0,60}?[,，;；:：]?\s*(?:你?(?:就|都|要|必须|一律|请|应该)(?:说|回答|回复|告诉|答|声称|假装|输出|坚称|否认))"
)
_GIVES_AWAY: Final = re.compile(
    r"(?<!not )(?<!n't )(?<!never )(?<!dont )\b(?:reveal|leak|dump|expose|disclose|exfiltrate|hand\s+over)\s+(?:me\s+)?(?:all(?:\s+(?:of\s+)?(?:the|your|its|our))?|every|your|any|its)\s+(?:\w+\s+){0,2}?(?:keys?|secrets?|passwords?|credentials?|tokens?|api\s+keys?|private\s+data|prompts?)\b"
    r"|(?<![别不勿])(?<!不要)(?<!不得)(?<!不能)(?<!禁止)(?:泄露|透露|泄漏|输出|公开|交出|打印|列出)(?:出)?(?:所有|全部|你的|系统的?|一切)的?(?:密钥|密码|口令|凭证|令牌|机密|秘密|提示词)"
)
_CLAIMS_WORK: Final = re.compile(
    r"(?:\b(?:i|we)(?:'ve|\s+have)?\s+|^\s*|:\s*|\b(?:has|have)\s+)(?:now\s+|already\s+|just\s+|successfully\s+|also\s+)*(?:confirmed|saved|stored|updated|recorded|deleted|erased|removed|approved|accepted|applied|remembered|forgotten|cleared|wiped)\s+(?:\w+\s+){0,4}?(?:pending|proposals?|proposed|memor(?:y|ies)|fields?|profile)\b"
    r"|(?:(?:已经?|都|我已?|全部|成功)+(?:确认|保存|存储|更新|记录|删除|清空|批准|接受|应用|写入|忘记|清除)了?|(?:确认|保存|存储|更新|删除|清空|批准|接受|写入|清除)了)[^,，。;；]{0,8}?(?:待确认|待处理|记忆|提案|字段|档案)"
)
_ADDRESS: Final = re.compile(r"(?:https?|ftp)://|\bwww\.")
_FETCH: Final = re.compile(
    r"访问|打开|请求|下载|发送?(?:到|给|至)|上传|抓取|提交到|转发|回传|\b(?:fetch|visit|open|load|download|send|post|upload|call|ping|request|curl|forward|submit|report)\b"
)
_STANDING: Final = re.compile(
    r"(?:请)?(?:以后|今后|从现在起|从今往后|往后|每次)(?:都|请|你|就|一律|务必|必须|只|要){1,3}.{0,20}(?:回答|回复|说|写|称呼|输出|用|按|不要|别|发)"
    r"|\b(?:from now on|going forward|in (?:the )?future|always|every time)\b.{0,30}\b(?:answer|reply|respond|say|write|call me|use|speak|include|end|start|send|format)\b"
    r"|\b(?:answer|reply|respond|speak|write)\b.{0,30}\b(?:from now on|going forward|always|every time|in (?:the )?future)\b"
)


def is_hijack(text: str) -> bool:
    """True where a text tries to command the model or to make it open or feed an address."""
    folded = _fold(text)
    if _HIJACK.search(folded) or _GIVES_AWAY.search(folded) or _PLANTED.search(folded):
        return True
    return _ADDRESS.search(folded) is not None and _FETCH.search(folded) is not None


def is_planted(text: str) -> bool:
    """True where a text forges our fences, or plants an answer for when "the user" asks something."""
    return _PLANTED.search(_fold(text)) is not None


def claims_memory_work(text: str) -> bool:
    """True where a text claims that proposals, memories or fields were changed."""
    return _CLAIMS_WORK.search(_fold(text)) is not None


def gives_orders(value: object) -> bool:
    """True where a field's value, or an item or a part of it, is an order to the model and no value.

    Narrower than `is_hijack`: a task may be about prompts, and a value may be an address to open once.
    """
    if isinstance(value, Mapping):
        return any(gives_orders(part) for pair in value.items() for part in pair)
    if isinstance(value, list | tuple):
        return any(map(gives_orders, value))
    if not isinstance(value, str):
        return False
    folded = _fold(value)
    if _IS_ORDER.search(folded) or _PLANTED.search(folded):
        return True
    return bool(_ADDRESS.search(folded) and _FETCH.search(folded) and _EVERY_ANSWER.search(folded))


def is_standing_order(text: str) -> bool:
    """True where a text tells the assistant how to behave from now on."""
    return _STANDING.search(_fold(text)) is not None


def _fold(text: str) -> str:
    return fold(text[:MAX_READ_CHARS]).replace("’", "'")
