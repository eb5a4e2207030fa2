"""Whose a telephone, an address or a name is that a statement gives without saying so. Pure.

房东姓李，手机号… and "my plumber is Bob, phone …" give somebody else's; 我叫李雷，电话… and "I'm Lee, phone …" the
user's. What a bare label belongs to is told by the clauses before it, the nearest that speaks of anybody:
of somebody named, called or met, of a place that answers calls, or of the user. Courtesies say nothing.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from itertools import islice
from typing import Final, Literal

from shared.extraction.evidence_words import FIRST_PERSON, KIN
from shared.extraction.pages import Page, Sentence, Span
from shared.language.names import COMMON_WORDS, SURNAMES
from shared.language.scripts import HAN, fold_aligned
from shared.ltm.schema import SchemaPath

_ROLES_ZH: Final = (
    "房东 租客 房客 司机 师傅 客服 联系人 收件人 收货人 寄件人 负责人 对接人 接口人 经办人 中介 物业 快递员 快递小哥 骑手 外卖员 保姆 月嫂 护士 律师 会计"
    " 顾问 教练 班主任 秘书 助理 前台 财务 人事 销售 业务员 保安 维修工 水电工 修理工 钟点工 设计师 编辑 记者 导游 店员 店长 店主 卖家 买家 商家 厂家 法人"
    " 股东 合伙人 网友 亲戚 家长 候选人 面试官 猎头 代理人 担保人 监护人 继承人 队长 工头 包工头 园丁 理发师 心理咨询师 老公公 公公"
)
_ROLES_EN: Final = (
    "landlord landlady plumber electrician driver contact recipient accountant lawyer attorney solicitor agent broker nanny"
    " babysitter sitter nurse therapist trainer coach assistant secretary receptionist mechanic contractor handyman gardener"
    " cleaner courier seller buyer tenant lodger designer editor recruiter candidate interviewer guide host hostess owner"
    " support helpdesk hotline reception concierge salesperson salesman rep representative adviser advisor counselor"
    " counsellor vet veterinarian physician surgeon pharmacist hairdresser barber guardian beneficiary chef tailor painter"
    " carpenter roofer realtor janitor caretaker principal dean pastor priest guy lady woman man family parents parent"
    " grandson granddaughter in-law stepson stepdaughter fiance fiancee spouse ex"
)
_KIN_ZH: Final = "|".join(
    sorted(
        {*(word for word in KIN if not word.isascii() and len(word) > 1), *_ROLES_ZH.split()},
        key=len,
        reverse=True,
    )
)
_KIN_EN: Final = "|".join(
    sorted({*(word for word in KIN if word.isascii()), *_ROLES_EN.split()}, key=len, reverse=True)
)
_PERSON: Final = re.compile(
    rf"(?:给|找|联系|由)[{SURNAMES}][{HAN}]{{1,2}}(?<![了的])(?=[,，。;、\s:：]|$)"
    rf"|{_KIN_ZH}|[他她]|[我咱老他她][爸妈哥姐弟妹](?![{HAN}]?(?:路|街))"
    rf"|(?<![{HAN}])(?:(?:是|叫|找|给|和|跟))?[小老阿][{SURNAMES}](?![{HAN}]*[路街])|[{SURNAMES}][{HAN}]{{0,2}}(?:先生|女士|小姐|老师|经理|总监|医生|大夫|律师|师傅|阿姨|同学|总(?![{HAN}]))"
    rf"|\b(?:{_KIN_EN})s?\b|\bcustomer service\b"
)
"""Somebody else, in a folded text: by kin, by what they do, by a title, 小王 and 老李."""

_PLACE: Final = re.compile(
    r"酒店|宾馆|民宿|餐厅|餐馆|饭店|医院|诊所|药店|学校|幼儿园|银行|派出所|居委会|健身房|热线|(?<!我们)(?<!我)(?<!咱)(?<!本)公司|[门分书花饭]店"
    r"|\b(?:hotel|hostel|restaurant|clinic|hospital|pharmacy|school|kindergarten|bank|shop|store|garage|salon|gym|agency|embassy|hotline|front desk)\b"
)
"""What has a telephone of its own."""

_NAMED_ZH: Final = re.compile(
    rf"(?!我|本人|咱|俺|敝姓|免贵)[{HAN}]{{0,8}}(?:姓|名叫|叫做?)[{HAN}]{{1,4}}\s*|[{SURNAMES}][{HAN}]{{1,2}}\s*"
)
_NAME_EN: Final = re.compile(
    r"(?<!\bin )(?<!\bat )(?<!\bfrom )(?<!\bto )(?<!\bnear )(?<!\bof )(?<![A-Za-z'])(?P<name>[A-Z][a-z'-]+)(?:\s+[A-Z][a-z'-]+)*"
)
_NO_NAME: Final = COMMON_WORDS | frozenset(
    """
    hi hey hello dear ok okay yes yeah yep no nope thanks thank please pls sure well so also now note remember save my
    our i i'm i'd i've we you your this that these those there here it it's its his her call reach text ping mail
    email e-mail phone mobile cell contact address name send use can could would will should let don't do is are was
    for with by from at on to in new what who where how why once just actually btw good morning afternoon evening
    sorry oh right great sir madam team all everyone put add make set take keep write
    """.split()  # noqa: SIM905 (a table of words)
)
_IS_SELF: Final = re.compile(
    r"(?:我|本人|咱)(?:们)?(?:就|的名字|名字)?(?:是|叫|姓|名叫)|本人|敝姓|免贵|(?:找|联系|通知|打给|回复|回电给?|发给|寄给|转告)我\s*$"
    r"|\b(?:i'm|i am)(?! (?:\w+ing|with|at)\b)|\bmy (?:full )?name\b|\bcall me (?!back)\w+|\bthis is [a-z]+(?: speaking)?\s*$|\b(?:reach|contact|call|text|ping|notify|e-?mail) me\b"
)
_NAME_LABEL: Final = re.compile(r"\W*(?:(?:full\s+)?name|姓名|名字)\s*(?:[:：]|is\b|是|叫)")
"""Of whom a form speaks, its head says, not its line with the name."""

_OWNER_ZH: Final = re.compile(r"\s*(?:这|那|它|这个|那个)?(?:都|就|也)?是(?P<owner>[^,，]{1,12})的")
_OWNER_EN: Final = re.compile(
    r"\s*(?:(?:that|this|it)(?:'s| is)|(?:that|it)? ?belongs to|which is)\s+(?P<owner>.{1,40})"
)
_POSSESSIVE: Final = re.compile(
    r"(?<![a-z'-])(?!(?:project|company|contract|task|today|order|year|month|week|trip|it|that|what|here|there)'s)"
    r"[a-z-]++(?:'s|(?<=s)')\s+(?:(?:new|own|work|current|old|private)\s+){0,3}$"
)
_OWNED_BY: Final = re.compile(
    rf"(?:{_KIN_ZH}|[我咱老他她][爸妈哥姐弟妹]|[小老阿][{SURNAMES}]|[他她]们?|别人|人家|客户|对方|(?:隔壁|其他|别的|另外?(?:一|那)?个?|那边|友商|竞品|竞争对手|竞对)[^,，我咱]{{0,6}})的?$|\b(?:his|her|their)\s+(?:(?:new|own|final|project)\s+){{0,2}}$"
)
_READ_CHARS: Final = 120
"""Of a clause so much is read: who is spoken of stands at its beginning, whose a label is right before it."""

_MOST_CLAUSES: Final = 8
_MOST_SENTENCES: Final = 3
Owner = Literal["user", "other"]


def is_personal(path: SchemaPath) -> bool:
    """True for what a person has of their own: name, role, telephone, e-mail."""
    return path.path.startswith("user") and "company" not in path.path


def speaks_of(text: str) -> Owner | None:
    """Of whom a clause speaks, of the user or of somebody else; None where of nobody."""
    text = text[:_READ_CHARS].strip(" \t\r\n，,。.:：")
    folded = fold_aligned(text).replace("’", "'")
    if _IS_SELF.search(folded):
        return "user"
    if _NAME_LABEL.match(folded):
        return None
    if _PERSON.search(folded) or _PLACE.search(folded) or _NAMED_ZH.fullmatch(folded):
        return "other"
    if any(match["name"].lower() not in _NO_NAME for match in _NAME_EN.finditer(text)):
        return "other"
    return "user" if FIRST_PERSON.search(folded) else None


def is_others_value(page: Page, span: Span, *, sentence: Sentence, path: SchemaPath) -> bool:
    """True where text[span] gives a personal path a value that is somebody else's, by what stands around it.

    The clauses of its sentence and of the three before are looked at, those behind it only for an owner that
    they name (是房东的 / "that's my plumber's").
    """
    if not is_personal(path) or FIRST_PERSON.search(page.folded, span.start, span.end):
        return False
    owner: Owner | None = None
    for clause in clauses_before(page, span.start, sentence=sentence):
        owner = speaks_of(page.text[clause.start : clause.end]) or owner
    return owner == "other" or is_given_to_other(
        page.text[each.start : each.end] for each in sentence.clauses if each.start >= span.end
    )


def clauses_before(page: Page, start: int, *, sentence: Sentence) -> list[Span]:
    """The last clauses before a place, of its sentence and the three before, in order; at most eight."""
    own = [each for each in sentence.clauses if each.end <= start]
    index = bisect_left(page.sentences, sentence.start, key=lambda each: each.start)
    earlier = page.sentences[max(0, index - _MOST_SENTENCES) : index]
    return [*(clause for each in earlier for clause in each.clauses), *own][-_MOST_CLAUSES:]


def is_given_to_other(after: Iterable[str]) -> bool:
    """True where a clause behind a value names somebody as its owner: 是房东的 / "that's my plumber's"."""
    return any(_names_owner(text) for text in islice(after, _MOST_CLAUSES))


def is_others_label(before: str, *, path: SchemaPath) -> bool:
    """True where the words right before a label make it somebody's: 老王的, Anna's, 收件人：王芳."""
    before = before[-_READ_CHARS:]
    folded = fold_aligned(before).replace("’", "'")
    if _POSSESSIVE.search(folded) or _PERSON.search(folded):
        return True
    return is_personal(path) and speaks_of(before) == "other"


def is_owned_by_other(before: str) -> bool:
    """Whether the words right before what may be anybody's (a deadline) say that it is somebody else's: 我哥的, her."""
    folded = fold_aligned(before[-_READ_CHARS:]).replace("’", "'")
    return bool(_POSSESSIVE.search(folded) or _OWNED_BY.search(folded))


def _names_owner(text: str) -> bool:
    folded = fold_aligned(text[:_READ_CHARS]).replace("’", "'")
    match = _OWNER_ZH.match(folded) or _OWNER_EN.match(folded)
    return match is not None and speaks_of(text[match.start("owner") : match.end("owner")]) == "other"
