"""Texts that give orders to a model instead of telling of the user. Pure.

Two kinds: a hijack (ignore the rules, take a role, open an address, markup of roles and tools) is evidence of
nothing and stands in no head, where a model would take it for ours; a standing order (请以后都…, "from now on
always …") may be a wish, and is kept at most as a flagged proposal that only the user turns into a memory.
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
    if _HIJACK.search(folded):
        return True
    return _ADDRESS.search(folded) is not None and _FETCH.search(folded) is not None


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
    if _IS_ORDER.search(folded):
        return True
    return bool(_ADDRESS.search(folded) and _FETCH.search(folded) and _EVERY_ANSWER.search(folded))


def is_standing_order(text: str) -> bool:
    """True where a text tells the assistant how to behave from now on."""
    return _STANDING.search(_fold(text)) is not None


def _fold(text: str) -> str:
    return fold(text[:MAX_READ_CHARS]).replace("’", "'")
