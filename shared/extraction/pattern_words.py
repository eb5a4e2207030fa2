"""Cues of candidates: what falls due, what is denied or hedged, and what only looks like a value."""

from __future__ import annotations

import re
from typing import Final

CUES: Final = tuple(
    phrase.strip()
    for phrase in [
        "预算",
        "截止",
        "到期",
        "交稿",
        "交付",
        "交货",
        "前完成",
        "前付",
        "前交",
        "前提交",
        "前上线",
        "前搞",
        "前做",
        "前要",
        "前必",
        "前得",
        "前弄",
        "最晚",
        "最迟",
        "上线",
        "提醒我",
        "验收",
        "差旅",
        "每人",
        "人均",
        "我叫",
        "due",
        "deadline",
        "budget",
        "remind me",
        "submit",
        "submitted",
        "deliver",
        "delivered",
        "finish by",
        "finished by",
        "done by",
        "ready by",
        "complete by",
        "completed by",
        "hand in",
        "hand it in",
        "no later than",
        "per person",
        "per head",
        "my name",
        "call me",
    ]
)
DUE: Final = re.compile(
    r"截止|到期|交稿|交货|提醒我(?!先生|太太|老公|老婆|爱人|爸|妈|们|家|孩子|儿子|女儿|同事|的)|(?:之前|以前|前)(?:必须|要|得|务必|需要?)?(?:完成|交|提交|搞定|做完|上线|付款|弄完|完工)|最晚|最迟"
    r"|\b(?:due|deadline|remind\s+me|no\s+later\s+than|submit(?:ted)?\s+by|deliver(?:ed)?\s+by|finish(?:ed)?\s+by|done\s+by|ready\s+by|complete[d]?\s+by|hand\s+(?:it\s+)?in\s+by)\b"
)
DUE_ACTION: Final = re.compile(r"(?:号|日|底|周[一二三四五六日]|天)(?:之|以)?前(?:付款|完成|交|提交)")
REMINDS: Final = re.compile(
    r"提醒(?:我(?!先生|太太|老公|老婆|爱人|爸|妈|们|家|孩子|儿子|女儿|同事|的)|一下)|\bremind\s+me\b"
)
"""A reminder is an errand (开会, call mom), and no date of the business, but of what is paid or handed in."""

PAYS: Final = re.compile(
    r"截止|(?:交|缴|付|支付|提交|上交|偿还)(?!通|流|谈|往|友|换|接|情|警|车)|还款"
    r"|\bdeadline\b|\b(?:pay|submit|hand\s+in|turn\s+in|deliver)\b"
)
OWN_AFFAIR: Final = re.compile(
    r"房租|[水电]费|燃气费|物业费|话费|学费|信用卡|[房车]贷|[车医社]?保险|会员卡?|护照|签证|驾照|身份证"
    r"|\b(?:passport|visa|licen[cs]e|insurance|rent|baby|membership|coupon|library|subscription|mortgage|loan|tax(?:es)?"
    r"|credit card|(?:phone|water|gas|electricity|utility) bill)s?\b"
)
EXPIRES: Final = re.compile(
    r"(?:[\s，,]|这|那|该|本|此|份|个|笔|我们?|咱们?|的|将|会|就|要|在|于|才|已经?|快|了|吧|啊|哦|呢|前|之|以"
    r"|合同|协议|项目|订单|任务|方案|采购|标书|报价|工程|活动|到期)*"
)
"""All that may stand beside 到期 and its date: a passport falls due too, and is no project."""

OVER: Final = re.compile(r"过了|已过|过期|\b(?:was|were)\b(?!\s+(?:\w+\s+){0,2}(?:to|until|till)\b)")
"""What was due is over: no deadline to come. "It was moved to Monday" gives one."""

OR_ELSE: Final = re.compile(r"\s*(?:还是|或者?|和|跟|、|/|,|\bor\b|\band\b)")
"""PROJ-1还是PROJ-2: which of the two, nobody said."""

DENIAL: Final = re.compile(
    r"(?:不是|并非|没有|没说|别|不要|不用|无需|未必|不一定|不会是|还没|尚未)(?!.{0,2}(?:超|高于|晚于))|\b(?:isn't|aren't|wasn't|is\s+not|are\s+not|was\s+not|not\s+my|no\s+longer|never|don't|do\s+not|doesn't|didn't|haven't|won't)\b(?!\s+exceed)"
)
HEDGE: Final = re.compile(
    r"大概|大约|约|左右|可能|应该|也许|估计|差不多|似乎|好像|上下|初步|暂定|\b(?:about|around|approximately|roughly|maybe|probably|perhaps|might|i\s+think|i\s+guess|should\s+be|tentatively)\b"
)
THIRD_PARTY: Final = re.compile(
    r"他|她|它|别人|朋友|同事|老婆|老公|爱人|妈|爸|孩子|儿子|女儿|客户|对方|老板|领导|供应商|竞品|友商|示例|例如|比如|旧|原来|之前|以前"
    r"|\b(?:his|her|their|its|friend|wife|husband|mom|mother|dad|father|boss|client|customer|colleague|old|previous|former|example|sample|someone|your)(?:'s)?\b"
)
NOISE: Final = re.compile(
    r"(?:https?|ftp)://\S+|\bwww\.\S+|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?<![0-9a-z])[0-9a-f]{16,}(?![0-9a-z])"
    r"|(?<![\w])(?:[a-z]:\\|~?/|\.{1,2}/)[\w.\\/-]+|(?<![\w-])[\w-]++(?:/[\w.-]++){2,}|(?<![\w-])[\w-]++\.(?:py|js|ts|java|go|rs|md|txt|pdf|docx?|xlsx?|csv|json|ya?ml|png|jpe?g|zip|html?|log)\b|(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])"
)
