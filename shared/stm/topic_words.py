"""Which texts speak of a topic: by its own words, or by a word of the same sensitive kind. Pure.

Of a banned topic both are hidden: 工资 hides 房贷, "my kids" hides "my son". What lifts a ban is looked for
by the topic's own words alone. A word of one Han character counts only where it stands by itself: 我的病,
never 电脑中病毒了.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from shared.language.scripts import HAN
from shared.language.terms import query_terms, stem
from shared.stm.clauses import fold_for_match, split_words

_MAX_MATCH_CHARS: Final = 4_000
_WORDS_KEPT: Final = 512

_RELATED: Final = {
    "children": split_words(
        "孩子 儿子 女儿 小孩 宝宝 娃 小朋友 闺女 child children kid kids son daughter baby toddler",
    ),
    "marriage": split_words(
        "离婚 离了婚 婚姻 前妻 前夫 老公 老婆 丈夫 妻子 分居 出轨 divorce divorced marriage",
        "husband wife spouse ex-wife ex-husband custody",
    ),
    "parents": split_words(
        "父母 爸爸 妈妈 父亲 母亲 爸妈 爸 妈 家人 家庭 parents father mother dad mom mum family",
    ),
    "health": split_words(
        "健康 生病 看病 治病 病情 病历 病假 病 体检 医院 手术 吃药 药物 癌症 化疗 癌",
        "抑郁 焦虑症 诊断 怀孕 流产 堕胎",
        "illness disease health hospital surgery medication cancer depression diagnosis therapy pregnant",
        "pregnancy miscarriage miscarried abortion",
    ),
    "money": split_words(
        "赚钱 挣钱 欠钱 借钱 还钱 缺钱 钱 工资 收入 存款 贷款 欠债 债务 负债 房贷 破产 薪水 薪资",
        "money salary income savings loan debt mortgage bankruptcy",
    ),
    "cards": split_words(
        "银行卡 信用卡 身份证 密码 卡号 passport password card credit-card",
    ),
    "death": split_words(
        "去世 过世 葬礼 丧事 丧礼 自杀 death died dead funeral suicide grief",
    ),
    "dismissal": split_words(
        "被裁 裁员 失业 被辞退 被解雇 被开除 unemployed unemployment laid-off layoff redundancy dismissal",
    ),
    "body": split_words(
        "体重 减肥 身材 肥胖 weight obesity diet overweight",
    ),
    "faith": split_words(
        "宗教 信仰 政治 教会 religion faith politics church",
    ),
    "love": split_words(
        "前任 分手 男朋友 女朋友 前男友 前女友 失恋 breakup boyfriend girlfriend ex",
    ),
}
"""Sensitive topics by their words, zh and en; one word of a group stands for the topic of any other."""

_LONE_AFTER: Final = "我你他她您咱这那的生看治得有没是了和跟对给把被让谈聊提说论及起到老大小重欠缺花赚挣"
_LONE_BEFORE: Final = "了的得是在又也都还已就今昨明最怎什要能会好很太吗呢吧么啊和跟说去来让住过没不别"
"""The characters after and before which a word of one Han character still stands by itself."""

_WORD: Final = re.compile(rf"[^\W_{HAN}]+")
_HYPHEN: Final = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_HAN_WORD: Final = re.compile(f"[{HAN}]+")


def is_sensitive_topic(topic: str) -> bool:
    """Return whether a topic is one whose ban holds for good: health, family, money, cards."""
    return bool(_groups_of(topic))


def find_sensitive_word(folded: str) -> str | None:
    """Return the first word of a sensitive kind in a folded clause, which is what the clause is about."""
    words = [word for group in _RELATED.values() for word in group if _has_word(folded, word)]
    return min(words, key=lambda word: (folded.find(word), -len(word)), default=None)


def matches_topic(text: str, topic: str) -> bool:
    """Return whether a text speaks of a topic: all of the topic's words, or a word related to it.

    Words with a hyphen are the same written as one or as two: Wi-Fi, wifi, wi fi. Of a long text only the
    first 4,000 characters are read.
    """
    folded = fold_for_match(text[:_MAX_MATCH_CHARS])
    if any(_has_word(folded, word) for name in _groups_of(topic) for word in _RELATED[name]):
        return True
    return _names(folded, topic)


def names_topic(text: str, topic: str) -> bool:
    """Return whether a text holds all words of a topic itself, read as `matches_topic` reads it."""
    return _names(fold_for_match(text[:_MAX_MATCH_CHARS]), topic)


def _names(folded: str, topic: str) -> bool:
    if _holds(folded, topic):
        return True
    if "-" not in topic and "-" not in folded:
        return False
    return any(_holds(_HYPHEN.sub(joint, folded), _HYPHEN.sub(joint, topic)) for joint in ("", " "))


def _holds(folded: str, topic: str) -> bool:
    """Return whether a folded text holds all words of a topic."""
    wanted = [term.term for term in query_terms(topic)]
    return bool(wanted) and all(_has_term(folded, term) for term in wanted)


def _groups_of(topic: str) -> list[str]:
    folded = fold_for_match(topic)
    return [name for name, words in _RELATED.items() if any(_has_word(folded, word) for word in words)]


def _has_term(folded: str, term: str) -> bool:
    """Return whether a term of a topic stands in a text: Han as written, other words by their stem."""
    if _HAN_WORD.match(term):
        return _has_word(folded, term)
    return term in folded and any(stem(word) == term for word in _WORD.findall(folded))


def _has_word(folded: str, word: str) -> bool:
    if word not in folded:
        return False
    if not _HAN_WORD.match(word):
        return _english(word).search(folded) is not None
    return len(word) > 1 or _lone(word).search(folded) is not None


@lru_cache(maxsize=_WORDS_KEPT)
def _english(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![a-z]){re.escape(word)}(?:s|es|'s)?(?![a-z])")


@lru_cache(maxsize=_WORDS_KEPT)
def _lone(word: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?:^|(?<=[^{HAN}])|(?<=[{_LONE_AFTER}])){word}{{1,2}}(?=$|[^{HAN}]|[{_LONE_BEFORE}])"
    )
