"""Questions for all that is known of the user: 你都知道我什么, "what do you know about me?". Pure.

Each is the whole message: 你知道我想要什么吗 and "what do you know about my boss?" ask for something else.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from typing import Final

from shared.language.scripts import fold
from shared.ltm.raw_words import RawWords

MAX_CHARS: Final = 80

_LEAD_ZH: Final = (
    r"(?:那么?|好的?|嗯|请问?|麻烦|对了|告诉我|说说|讲讲|列出|列一下|列举|看看|给我|帮我|把|\s|[,，])*+"
)
_KNOWS_ZH: Final = r"(?:知道|晓得|记得|记住|记着|记下|记|了解|掌握|保存|存储|存)(?:了|过|着|的)?"
_KEEPS_ZH: Final = r"(?:记得|记住|记着|记下|记|保存|存储|存)(?:了|过|着)?"
_OF_ME_ZH: Final = r"(?:关于|有关)?我(?:的)?"
_ASKED_ZH: Final = r"(?:些)?(?:什么|哪些|多少)(?:事情?|事儿|东西|信息|内容|情况|资料)?"
_THINGS_ZH: Final = r"(?:所有|全部|一切)?的?(?:事情?|事儿|东西|信息|内容|情况|资料|一切|记忆)?"
_TAIL_ZH: Final = (
    r"(?:了|呢|吗|啊|呀|来着|都|全部|列出来|列一下|说出来|告诉我|给我看看|说一下|说说|吧|\s|[,，。.!！?？])*+"
)
_YOU_ZH: Final = r"(?:你|您)(?:现在|目前|到底|究竟|已经|一共|都|还|全|所)*+"
_ZH: Final = re.compile(
    rf"{_LEAD_ZH}(?:{_YOU_ZH}{_KNOWS_ZH}{_OF_ME_ZH}{_ASKED_ZH}"
    rf"|{_YOU_ZH}{_KEEPS_ZH}{_ASKED_ZH}(?:关于我的?{_THINGS_ZH})?"
    rf"|{_YOU_ZH}{_KNOWS_ZH}{_ASKED_ZH}(?:关于|有关)我的?{_THINGS_ZH}"
    rf"|(?:关于|有关)我的?{_THINGS_ZH}[\s,，]*{_YOU_ZH}{_KNOWS_ZH}{_ASKED_ZH}"
    rf"|{_YOU_ZH}(?:对我(?:有)?(?:了解|知道)|了解我)(?:些)?(?:什么|多少|哪些)"
    rf"|{_YOU_ZH}(?:那里|手里|手上)?有我的?(?:什么|哪些)(?:信息|资料|记忆|记录)"
    rf"|{_YOU_ZH}(?:的)?记忆(?:里|中|库里)?(?:都|现在)?有(?:些)?(?:什么|哪些)(?:关于我的?{_THINGS_ZH}|内容|东西)?"
    rf"|{_YOU_ZH}(?:知道|记得|记住|记着|了解|保存|存)的?(?:所有|全部|一切)?的?(?:关于|有关)我的?{_THINGS_ZH}(?=都|全部|列|说|告诉|给我|$|\s|[,，。.!！?？])"
    rf"){_TAIL_ZH}"
)
_KNOWN_EN: Final = r"(?:know|remember|recall|have(?:\s+(?:got|stored|saved|kept|noted|remembered|learned|on\s+(?:file|record)))?|store|keep)"
_EN: Final = re.compile(
    r"(?:(?:so|ok|okay|hey|hi|and|well|now|please|just|then)\b[\s,]*|(?:can|could|would)\s+you\s+|(?:tell|show)\s+me\s+|list\s+|,\s*)*+"
    rf"(?:(?:what|which|how\s+much|everything|all)(?:\s+(?:all|else|exactly|things?|facts?|information|info|data|stuff|details|memories|that))*\s+(?:do\s+you|did\s+you|have\s+you|you(?:'ve|\s+have)?|are\s+you)(?:\s+(?:currently|already|actually|still|now))*"
    rf"\s+(?:{_KNOWN_EN}|(?:remember|stor|sav|learn|record|not|kept|collect|gather)\w*)(?:\s+(?:saved|stored|so\s+far))?\s+(?:about|on|of)\s+me"
    r"|what\s+do\s+you\s+(?:still\s+)?remember|what\s+have\s+you\s+(?:remembered|stored|saved|noted)"
    r"|(?:do\s+you\s+(?:know|remember)\s+anything|what\s+(?:facts?|information|info|data|memories|details)\s+(?:do\s+you\s+have|is\s+(?:stored|saved|kept)))\s+(?:about|on|of)\s+me"
    r"|what(?:'s|\s+is)\s+(?:in|stored\s+in|saved\s+in)\s+(?:your|my)\s+memory(?:\s+(?:about|of)\s+me)?)"
    r"(?:\s+(?:so\s+far|already|now|right\s+now|at\s+this\s+point|please|then|exactly|today|all\s+together))*[\s.,!?]*"
)
_WORDS: Final = RawWords(
    (
        *"知道我 知道关于 知道有关 知道什么 知道哪些 知道多少 知道些 知道的 晓得我 记得我 记得关于 记得什么 记得哪些 记得的".split(),  # noqa: SIM905 (a table of words)
        *"记住 记着 记下 记了 记过 了解我 了解多少 对我 关于我 有关我 有我 存了 存过 存的 存我 保存 记忆 掌握 记我".split(),  # noqa: SIM905 (a table of words)
        *("about me", "on me", "of me", "you remember", "you remembered", "you stored", "you saved"),
        *("you noted", "your memory", "my memory"),
    )
)


def asks_all_known(text: str) -> bool:
    """True where a message asks for all that is known of the user, and for nothing else."""
    if len(text) > MAX_CHARS or not _WORDS.occur_in(text):
        return False
    folded = fold(text).replace("’", "'").strip()
    return _ZH.fullmatch(folded) is not None or _EN.fullmatch(folded) is not None
