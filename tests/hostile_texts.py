"""Texts that nobody types and somebody sends: one pattern each, repeated to any length."""

from __future__ import annotations

from typing import Final

from shared.extraction.trigger_words import TRIGGERS_EN, TRIGGERS_ZH
from shared.ltm.default_schema import DEFAULT_PATHS

_ONE_CHARACTER: Final = tuple("1a五的一年不我,，.。-_/:：@#$%+*=?？!'\"“「`(（~ \n\t０é\u0301😀…")

# fmt: off
_UNITS: Final = (
    "1,", "1-", "1.", "1 ", "1/", "1:", "1，", "12,345,", "123-", "1234 ", "0.", "-1", "+1", "#1", "1+",
    "$1", "五十", "一万", "点五", "一百零", "万亿", "1万", "三点", "百分之", "一个", "第一", "半",
    "二〇", "十月", "年一", "one ", "twenty-", "hundred and ", "half a ", "a million ", "and a half ",
    "one-and ", "three", "dozen and", "2024-", "2024/1/", "2024年", "5月", "5月6号", "5月6日到", "3-",
    "2024年5月", "上", "上周", "上个月", "三天", "去年", "may ", "may 3-", "may 3 to may ", "the ",
    "last ", "in 3 ", "early ", "end of ", "3rd of ", "a couple of ", "last month ", "12:", "12:30:",
    "5 pm ", "monday ", "the day before ", "周一", "过去三", "2024 ", "q1 ", "mid-", "http://",
    "https://a.", "a@", "a@b.", "@b", "a@b.c ", "a.b", "a-", "a_1-", "a/", "a1", "v1.", "x:/", "a://b:",
    "www.", "://", "a:b@", "a+", "w.", "ab12-", "a@b-", "AKIA", "sk-", "sk-a", "eyJabcdefgh.", "token ",
    "api key", "-----BEGIN PRIVATE KEY-----", "-----BEGIN A", "密码", "密码是", "我的密码", "password ",
    "my password is ", "my ", "13812345678", "138 ", "4111 ", "110101199003", "+86 ", "(010) ", "400-",
    "0f", "deadbeef-", "../", "a.py/", "“", "”“", "「『", "‘", "《", "(((", "（", '"a', "'a", " 'a",
    "`a", "```", "> ", "\n> ", "“「『‘", "a'", "n't", "](", "，，", ",a", "，一", "。。", "a. ", "a\n",
    "一。", "一，", "！", "? ", "a? ", "; ", "——", " - ", " – ", "、", "\n\n", " \n", "\t ", "  a",
    "a  ", " 一", "\u3000", "\u200b", "*", "**a", "# ", "1. a\n", "- a\n", "1、一\n", "| ", "a一", "一1",
    "1一a", "ａ", "Ａ１", "預算", "İ", "ﬃ", "Straße ", "한국", "ไทย", "word ", "Word ", "WORD ", "Wo",
    "好的。", "是吗？", "ok. ", "I see. ", "我去。", "a b c ", "don't ", "you ", "i ", "the user ",
    "he said, ", "他说，", "如果", "翻译", "if ", "不是", "没有", "例如：", "吗", "吗，", "呢", "了",
    "吧", "谢谢", "please ", "thanks, ", "记住我的邮箱是", "我的邮箱是", "把预算", "把预算改成",
    "预算改成60万", "预算改成\n\né", "预算是", "预算，", "预算50万，", "预算1,", "记住，", "记住：\n",
    "记住。", "记住1。", "帮我记一下，", "帮我记一下。", "把它记住", "把", "请", "麻烦你", "请帮我", "忘掉",
    "忘掉我的", "删除", "删除我说的", "把所有", "别再提", "别再提工作，", "以后", "以后用", "不对，",
    "这版草稿太差，别存。", "the draft is bad, don't save it. ",
    "不对。", "不对。60万。", "记住预算50万。不对。", "预算是50万。不，",
    "不对，是", "等等说错了，", "算了，", "不用记了。", "确认", "确认清空", "对", "好的", "嗯", "第一个",
    "第一个对，", "和", "、和", "加到", "把A加到", "从", "从列表", "设为", "设为50万", "设置预算",
    "恢复", "撤销", "可以聊", "可以聊工作了", "聊工作", "my email is ", "my email is a@b.co ",
    "and my email is ", "set the budget to ", "the budget is ", "the budget is 5k, ", "budget ",
    "budget, ", "the budget from ", "budget for the ", "deadline by ", "due ", "remember ",
    "remember that ", "remember, ", "remember: a, ", "remember. ", "keep that in mind, ", "forget ",
    "forget that i said ", "forget about my ", "don't forget ", "don't ", "never mention ",
    "never mention it, ", "can you please ", "could you ", "from now on ", "from now on use ",
    "going forward, ", "please use ", "wait, no, ", "no wait. ",
    "remember seat 14A. No, ", "no, i mean ", "actually ", "scratch that, ",
    "undo ", "delete ", "delete my ", "remove a from ", "add a to ", "use a as my ", "as my ", "to my ",
    "you can talk about ", "again ", "yes ", "yes, ", "no ", "ok ", "the first and ", "per person ",
    "each person ", "call me ", "我叫", "叫我", "每人", "人均50", "from ", "to ", "不要", "不要用红色，",
    "必须", "必须用", "所有", "用", "喜欢", "我", "我喜欢", "最好", "可以", "可以用", "不用", "must ",
    "must not ", "please only ", "all reports ", "i like ", "you may use ", "no need to ", "optional ",
    "my a ", "总成本", "总成本为", "总成本为85万", "成本约", "共", "总共约", "所以", "the total ",
    "the total is ", "so the ", "the total is $5, ", "about ", "就", "也", "先", "别", "别聊", "的事",
    "的话题", "不想提", "stop talking about ", "联系人", "联系人是", "王", "王先生", "张三公司", "《王",
    "Ann ", "Ann Bo ", "order A-1 ", "id ", "contact is ", "已完成", "决定", "还要", "done ", "decided ",
    "你推荐", "我跟你", "you recommend ", "我们", "为什么", "ssn ", "536-22-1984 ",
    "1984 is my ssn ", "护照号", "护照号a1-", "passport number a1 ", "cvv 1",
    "验证码1", "1234 is your code ", "otp a1-", "左3右7",
    "密码左3", "safe combination left 3 ", "code for the door ", "code for the a ", "a code ",
    "door's code 1", "那就", "都", "都别记",
    "所有的", "涉及", "涉及你", "全都", "你再", "还要", "了吧", "删了", "关于", "有关关于", "刚", "刚刚",
    "刚才刚", "上面", "则", "则该",
)
# fmt: on

_LABELS: Final = tuple(dict.fromkeys(label for path in DEFAULT_PATHS for label in path.names))
_WORDS: Final = (*TRIGGERS_ZH, *TRIGGERS_EN)

PATTERNS: Final[tuple[str, ...]] = tuple(dict.fromkeys((*_ONE_CHARACTER, *_UNITS)))
"""The units that are repeated one by one."""

FRAMES: Final[tuple[tuple[str, str, str], ...]] = (
    *(
        (head, unit, tail)
        for head in ("记住", "my email is ", "我的密码是", "“", "- ", "把")
        for unit in ("a", "一", "1", " ", "a b ", "一，", "1,", "a.", "-")
        for tail in ("\x1f", "5")
    ),
    *(
        ("", unit, tail)
        for unit in ("刚", "刚刚", "那个", "我刚", "则", "关于")
        for tail in ("不对，是5", "忘了吧")
    ),
)
"""Head, unit and tail of texts that begin well, go on, and end badly."""


def repeat(unit: str, length: int, *, head: str = "", tail: str = "") -> str:
    """Return `head`, the unit as often as it fits, and `tail`, together `length` characters."""
    room = max(length - len(head) - len(tail), 0)
    return head + (unit * (room // len(unit) + 1))[:room] + tail


def mix_all(words: tuple[str, ...], length: int, *, glue: str) -> str:
    """Return all the words joined, over and over, cut to `length`."""
    return repeat(glue.join(words) + glue, length)


def hostile_texts(length: int) -> dict[str, str]:
    """Return the texts by the name of their pattern, each of `length` characters."""
    texts = {repr(unit): repeat(unit, length) for unit in PATTERNS}
    texts |= {
        f"{head!r} {unit!r} {tail!r}": repeat(unit, length, head=head, tail=tail)
        for head, unit, tail in FRAMES
    }
    for name, words in (("labels", _LABELS[::5]), ("commands", _WORDS[::9])):
        texts |= {f"{name} by {glue!r}": mix_all(words, length, glue=glue) for glue in ("", " ", "，", ". ")}
    return texts
