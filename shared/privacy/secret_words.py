"""How sensitive things look, and the words that stand beside them."""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from typing import Final

_DATE: Final = r"(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])"
ID_NUMBER: Final = re.compile(rf"(?<![0-9a-z])[1-9]\d{{5}}{_DATE}\d{{3}}[\dx](?![0-9a-z])", re.ASCII)
OLD_ID_NUMBER: Final = re.compile(
    r"(?<![0-9a-z])[1-9]\d{7}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}(?![0-9a-z])", re.ASCII
)
ID_CUE: Final = re.compile(r"身份|证件|证号|\bid\b|identity|identification|national")
CARD: Final = re.compile(r"(?<![\d.+-])\d{4,6}(?:[ -]?\d{2,7}){2,5}(?![\d]|\.\d)", re.ASCII)
CARD_CUE: Final = re.compile(
    r"卡号|银行卡|信用卡|储蓄卡|借记卡|工资卡|尾号|账号|\bcard\b|\bvisa\b|mastercard|amex|unionpay|\biban\b|account\s+number"
)
PHONE: Final = re.compile(
    r"(?<![\d.+-])(?:\+?86[ -]?)?1[3-9]\d(?:[ -]?\d{4}){2}(?!\d)"
    r"|(?<![\d.-])\(?0\d{2,3}\)?[ -]\d{7,8}(?!\d)|(?<![\d.-])400-?\d{3}-?\d{4}(?!\d)"
    r"|(?<![\d\w])\+\d{1,3}(?:[ -]?\(?\d{1,4}\)?){2,5}(?!\d)|(?<![\d.-])\(?\d{3}\)?[ -]\d{3}-\d{4}(?![\d-])",
    re.ASCII,
)
EMAIL: Final = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.ASCII)
PRIVATE_KEY: Final = re.compile(
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|\Z)", re.DOTALL
)
API_KEY_HEADS: Final = (
    "sk-", "sk_", "rk_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xox", "AKIA", "ASIA", "LTAI", "AKID", "AIza", "hf_", "bl_", "npm_", "dop_v1_", "eyJ",
)  # fmt: skip
API_KEY: Final = re.compile(
    r"(?<![A-Za-z0-9_-])(?:sk-[A-Za-z0-9_-]{16,}|[sr]k_(?:live|test)_[A-Za-z0-9]{10,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}"
    r"|xox[abeoprs]-[\w-]{10,}|AKIA[0-9A-Z]{12,}|ASIA[0-9A-Z]{12,}|LTAI[0-9A-Za-z]{12,}|AKID[0-9A-Za-z]{13,}|AIza[\w-]{30,}|hf_[A-Za-z]{20,}|bl_[A-Za-z0-9_-]{16,}|npm_[A-Za-z0-9]{20,}|dop_v1_[0-9a-f]{32,}"
    r"|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)",
    re.ASCII,
)
BEARER_HEADS: Final = ("Bearer ", "bearer ")
BEARER: Final = re.compile(r"[Bb]earer (?P<secret>[\w.~+/-]{16,}=*)", re.ASCII)
LABELLED_KEY_HEADS: Final = (
    "api",
    "secret",
    "access",
    "auth",
    "app",
    "client",
    "refresh",
    "token",
    "密钥",
    "秘钥",
    "令牌",
)
"""As folded; so are those of passwords."""
LABELLED_KEY: Final = re.compile(
    r"(?:api[ _-]?key|secret(?:[ _-]?key)?|access[ _-]?(?:key|token)(?:[ _-]?(?:id|secret))?|auth[ _-]?token|app[ _-]?secret|client[ _-]?secret|refresh[ _-]?token|\btoken|密钥|秘钥|令牌)[\"']?\s*+(?:is|was|[:=：＝]|是|为)+\s*+[\"'“「]?(?P<secret>[A-Za-z0-9][\w.+/~=-]{11,})",
    re.IGNORECASE | re.ASCII,
)
CONNECTION: Final = re.compile(r"(?<=[a-z0-9+.-])://[^\s:@/]++:(?P<secret>[^\s@/]++)@", re.IGNORECASE)
PASSWORD_HEADS: Final = ("密码", "口令", "pass", "pwd", "pin")
PASSWORD: Final = re.compile(
    r"(?:密码|口令|passcode|password|passwd|passphrase|pwd|pin码|\bpin(?:\s+(?:code|number))?)[\"']?\s*+"
    r"(?:(?:我|我们|咱们|已经?|都|也|又|刚刚?|昨天|今天|现在|后来|暂时|先|统一|临时|给你|给他|帮我|帮你|被){1,4}(?=改|设|换|是|为)"
    r"|(?:for|of|to|on)\s+(?:[a-z'-]{1,20}\s+){1,5}?(?=(?:is|was|will|has|=|:)))?"
    r"(?:(?P<mark>[:=：＝]+|是|为|就是|改成了?|改为了?|设成了?|设为了?|换成了?)|(?:is|was|are|to|as|will\s+be|has\s+been\s+changed\s+to)\b(?:\s+(?:set|changed|now)\b(?:\s+to\b)?)?)\s*+[:：]?+\s*+[\"'“「『‘`]?"
    r"(?P<secret>[!-~]+)",
)
OWNER: Final = re.compile(r"(?:我的?|我们的?|咱们?的?|\bmy\s{1,9}|\bour\s{1,9})[^，。,.\n]{0,12}\Z")
"""Whose password it is, right before the word for it."""
OWNER_CHARS: Final = 24

NO_PASSWORD: Final = re.compile(
    r"(?:required|wrong|incorrect|invalid|not|too|weak|strong|expired|the|a|an|still|in|for|what|stored|hashed|encrypted|set|reset|changed|correct|missing|needed|never|always|very|so|case|case-sensitive|being|same|different|it|that|this|my|your|null|none|empty|unknown|saved|wrong\W*|shown|hidden|no|ok|fine|safe|secure|short|long|enough|optional|mandatory|important|easy|hard|something|forgotten|lost|string|str|text|to|be|on|at|of|my|one|only|now|also|just|and|or|but|if|login|log|access|get|sign|protect|use|remember|there)"
)
MIN_PASSWORD_CHARS: Final = 4
MIXED: Final = re.compile(r"\d|[^\w\s]|[a-z][A-Z]")
"""What a bare word after "password is" must hold to be taken for one."""
REGIONS: Final = frozenset(
    "11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82 83".split()  # noqa: SIM905 (a table of words)
)
"""The first two digits of identity numbers: provinces and regions."""
