"""Words of a question that carry no subject: English stop words and the Chinese question frame.

They are left out of queries only; rows keep all their terms. In Chinese the frame is cut out *before* the
text is split into bigrams: 我喜欢的电影是什么 leaves 喜欢 and 电影, and no bigram across the cut. Single
characters that often stand inside other words (上 下 中 时 会 有) are not part of it: cutting them would
break 上海 and 会议.
"""

import re
from collections.abc import Iterable
from typing import Final

from shared.language.sieve import Sieve

STOP_WORDS: Final[frozenset[str]] = frozenset(
    """
a about after ai all am an and any are as at be been before being both but by ca can could did do does doing
done down each ever for from get got had has have having he her here hers him his how i if in into is it its
just may me might mine more most must my no nor not o of on only or other our ours out over own s same sha
shall she should so some such than that the their theirs them then there these they this those to too up us
very was we were what when where which who whom whose why will with wo would you your yours
""".split()  # noqa: SIM905 (a table of words)
)

_FRAME: Final = """
是不是 有没有 能不能 可不可以 会不会 要不要 对不对 记不记得 还记得 记得 请问 告诉我 告诉过 帮我
什么时候 什么样 什么 为什么 怎么样 怎么 怎样 如何 哪些 哪个 哪一 哪里 哪儿 哪种 哪位 哪 多少
几个 几次 多久 多长时间 谁 何时 具体 名字 分别 曾经 以前 之前 我们 你们 他们 她们 咱们 自己
我 你 您 他 她 它 这个 那个 这些 那些 这 那 的 了 是 在 过 吗 呢 吧 啊 呀 么 嘛 和
与 跟 对 给 把 被 让 都 也 就 还 又 很 之 且 或 并 哦 一个 一些 一部 一本 一家 一种
可以 应该 因为 所以 如果 关于
""".split()  # noqa: SIM905 (a table of words)
_CONTENT_IF_ALONE: Final = frozenset({"名字", "分别", "自己", "以前", "之前"})
_BEGINS_A_WORD: Final = {
    "过": "敏期年节户滤渡夜冬",
    "对": "象手面账接比讲",
    "在": "线职校",
    "都": "市",
    "就": "业诊医餐读职",
    "和": "平解谐",
    "给": "力",
    "让": "步",
    "的": "士",
    "我": "妈爸爹娘姐哥弟妹爷奶婆嫂叔伯舅姨姑儿女妻夫孙侄",
}
"""A word of the frame that begins another word with one of these is none.

对什么过敏 asks for 过敏, 我姐住哪 for 我姐.
"""


def _pattern_of(words: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(words, key=len, reverse=True)
    guarded = (
        f"{word}(?![{_BEGINS_A_WORD[word]}])" if word in _BEGINS_A_WORD else word for word in longest_first
    )
    return re.compile("|".join(guarded))


_FRAME_PATTERN: Final = _pattern_of(_FRAME)
_TALK: Final = re.compile(
    "我们都?[聊谈][了过到]?(?:很多|不少)?|[聊谈][了过到]?(?:什么|哪些)(?:话题|内容)?|(?:什么|哪些)话题"
    "|[和跟向同给]你(?:分享|提|说|聊|讲|告诉)[到过了]?|告诉过?你|你[和跟给向同]?我?(?:分享|说|讲|提)[到过了]"
    "|第一次(?:对话|聊天|交谈|谈话|聊)|(?:上次|上一次|上回)(?:对话|聊天|交谈|谈话|我们聊|聊)"
    r"|\bwe (?:have |had |last |first )?(?:talk|chat|discuss)(?:ed|ted)?(?: a lot| much)?(?: about| of)?\b"
    r"|\b(?:what|which) topics?\b"
    r"|\b(?:i (?:have |had |once |also |ever )?(?:told|tell|shared?|mention(?:ed)?|said) (?:with |to )?you"
    r"|you (?:have |had |once |also |ever )?(?:told|tell|shared?|mention(?:ed)?|said) (?:with |to )?me"
    r"|shared? with (?:me|you))\b"
    r"|\b(?:first|last|previous) (?:conversation|chat|talk)\b|\b(?:first|last) time we\b"
    r"|\b(?:(?:kind|type|sort)s? of|how (?:many|much)|in (?:what|which) ways?|(?:what|which) things?)\b"
)
_TALK_SIEVE: Final = Sieve([_TALK.pattern])
_SHORT_FRAME_PATTERN: Final = _pattern_of(word for word in _FRAME if word not in _CONTENT_IF_ALONE)


def cut_frame(folded: str) -> str:
    """The folded query with each word of the question frame replaced by a space."""
    return _FRAME_PATTERN.sub(" ", cut_talk(folded))


def cut_short_frame(folded: str) -> str:
    """As `cut_frame`, for a query that it leaves nothing of: 我叫什么名字 keeps 名字."""
    return _SHORT_FRAME_PATTERN.sub(" ", cut_talk(folded))


def cut_talk(folded: str) -> str:
    """The folded query without the words for the talk itself, which every memory is of, and for "how many".

    5月6号我们聊了哪些话题 and "What topics did we talk about?" ask for all that was said; 我和你分享过的菜
    and "the dish I told you about" for the dish.
    """
    return _TALK.sub(" ", folded) if _TALK_SIEVE.may_hold(folded) else folded
