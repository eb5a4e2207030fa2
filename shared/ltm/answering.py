"""How the assistant is to answer: in one language, at one length. Pure.

以后都用英文回答我 and "from now on answer in Chinese" cannot both hold, whatever languages they are said in;
the newer one does. What is said of mails, clients or code alone (给客户的邮件用英文, "write code comments in
English") is another matter, and so is a statement that names two languages.
"""

from __future__ import annotations

import re
from typing import Final

from shared.ltm.tombstones import is_denied

_MOST_CHARS: Final = 80
_LANGUAGES: Final = {
    word: name
    for name, words in {
        "chinese": "中文 汉语 华语 普通话 国语 mandarin chinese",
        "cantonese": "粤语 广东话 cantonese",
        "english": "英文 英语 english",
        "french": "法文 法语 french",
        "german": "德文 德语 german",
        "spanish": "西班牙文 西班牙语 西语 spanish",
        "portuguese": "葡萄牙语 葡语 portuguese",
        "italian": "意大利语 意语 italian",
        "russian": "俄文 俄语 russian",
        "japanese": "日文 日语 japanese",
        "korean": "韩文 韩语 korean",
        "arabic": "阿拉伯语 arabic",
        "hindi": "印地语 hindi",
        "dutch": "荷兰语 dutch",
    }.items()
    for word in words.split()
}
_LANGUAGE: Final = re.compile("|".join(sorted(_LANGUAGES, key=len, reverse=True)))
_ANSWERS: Final = re.compile(
    r"回答|回复|答复|作答|(?:跟|和|对)我(?:说|讲|聊|交流)|^(?:请|以后|从现在起|今后|都|只|一律|跟我|和我|\s)*[说讲]"
    r"|\b(?:answer|reply|respond|responses?|answers|replies)\b|\byou to (?:speak|talk)\b"
    r"|^(?:(?:from now on|going forward|please|always|only)[,\s]+)*(?:speak|talk)\b"
)
_OTHER: Final = re.compile(
    r"邮件|客户|信件|代码|文档|报告|合同|老板|老师|孩子|他|她|\b(?:e-?mails?|clients?|customers?|code|comments?|docs?|documents?|reports?|boss|him|her|them|when|if)\b|的时候|如果"
)
_SHORT: Final = re.compile(
    r"简短|简洁|精简|简明|短一?[点些]|\b(?:short|shorter|brief|briefly|concise|terse)\b"
)
_LONG: Final = re.compile(
    r"详细|详尽|长一?[点些]|\b(?:long|longer|detailed|thorough|in depth|verbose|in detail)\b"
)


def answers_otherwise(old: str, new: str) -> bool:
    """True where two statements ask for answers in two languages, or for short and for long ones.

    Both are normal texts (`index.normal_text`).
    """
    before, after = _ways(old), _ways(new)
    return any(before[way] != after[way] for way in before.keys() & after.keys())


def _ways(text: str) -> dict[str, str]:
    if len(text) > _MOST_CHARS or not _ANSWERS.search(text) or _OTHER.search(text) or is_denied(text):
        return {}
    ways = {}
    languages = {_LANGUAGES[word] for word in _LANGUAGE.findall(text)}
    if len(languages) == 1:
        ways["language"] = languages.pop()
    is_short, is_long = _SHORT.search(text) is not None, _LONG.search(text) is not None
    if is_short != is_long:
        ways["length"] = "short" if is_short else "long"
    return ways
