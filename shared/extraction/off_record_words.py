"""How a user asks that something is not kept, in Chinese and English. All patterns are for folded text."""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from typing import Final

from shared.extraction.command_words_en import PREFIX as PREFIX_EN
from shared.extraction.command_words_zh import PREFIX as PREFIX_ZH

_VERBS_EN: Final = (
    "store",
    "save",
    "record",
    "remember",
    "memorize",
    "memorise",
    "log",
    "note",
    "write",
    "keep",
)
OFF_RECORD_WORDS: Final = (
    *(f"{no} {verb}" for no in ("don't", "don’t", "dont", "not", "never") for verb in _VERBS_EN),
    *("never ever", "not ever", "don't ever", "don’t ever"),
    *("off record", "otr", "no need to", "不用记", "不必记", "无需记", "不需要记"),
    *("off the record", "out of your", "out of memory", "out of record", "out of records", "out of notes"),
    *(
        f"{no}{verb}"
        for no in ("别", "要", "勿", "不用", "不必", "不许", "不能", "不可以")
        for verb in "存记保留写储再"
    ),
    *(f"{no}{whom}" for no in "别要用必许能" for whom in ("帮我", "给我", "替我")),
    *("incognito", "no trace", "ears only", "not for the record", "无痕", "留痕", "即焚", "不入档", "不入库"),
    *("要把", "别往", "别把", "要往", "要留", "别留", "do not", "don't 记", "不要save"),
    *("between us", "between you and me", "between ourselves"),
    *("私下", "只跟你", "只和你", "只对你", "只告诉你"),
    *("做记录", "作记录", "做保存", "作保存", "不记录", "不保存", "不存"),
)
"""One of them stands in every message that asks for it."""

_OFF_EN: Final = r"off[\s-]+(?:the[\s-]+)?record"
_NOT_EN: Final = r"(?:(?:don't|do\s+not|dont|never)\s+(?:ever\s+)?|(?P<polite>(?:can|could|would|will)\s+you\s+(?:please\s+)?not\s+))"
_KEEP_EN: Final = r"(?:store|save|record|log|memori[sz]e|note(?:\s+down)?|write\s+down|keep\s+(?:a\s+)?(?:note|record)\s+of)"
_WHERE_EN: Final = r"(?:\s+(?:down|anywhere|please|pls|ok|okay|thanks|though|at\s+all|(?:in|into|to|on)\s+(?:(?:your|the)\s+)?(?:long[-\s]term\s+)?(?:memory|memories|records?|notes)|(?:in|into|to|on)\s+your\s+(?:servers?|database|system)))*"
_NEXT_EN: Final = (
    r"(?:the\s+following|what\s+follows|(?:what|the\s+things?)\s+i(?:'m|\s+am)\s+(?:about|going)\s+to\s+(?:say|tell\s+you|write)|this\s+next\s+(?:part|bit|thing)"
    r"|(?:the|my)\s+next\s+(?:thing|bit|part|message|(?:few|two|three)\s+(?:things|messages))(?:\s+i(?:'m\s+(?:about|going)\s+to)?\s+(?:say|tell\s+you|write|send))?|what\s+i\s+(?:say|tell\s+you)\s+next)"
)
OF_OWN: Final = r"(?=(?:and\s+|but\s+)?(?:i|i'\w+|im|ive|my|we|we'\w+|our|me)\b|我|咱|本人)"
_OURSELVES: Final = r"(?:you\s+and\s+me|ourselves)"
_US_EN: Final = rf"(?:(?:(?:just|strictly|only)\s+|(?<=just\s))between\s+us|(?:(?:just|strictly|only)\s+)?between\s+{_OURSELVES})"
_STAYS_EN: Final = rf"(?:(?:that|this|it)(?:'s|\s+is|\s+stays)|keep\s+(?:that|this|it))\s+(?:(?:just|strictly|only)\s+)?between\s+(?:us|{_OURSELVES})"
"""Between us alone may mean us both together: between us we have three cars."""

_KEEPS_EN: Final = r"(?:this|that|it|any\s+of\s+this)"
_PRIVATE_EN: Final = (
    r"(?:private|confidential|secret|personal|sensitive|embarrassing|just\s+between\s+us|a\s+secret)"
)
_FRAMES_EN: Final = (
    r"(?:(?:i(?:'ll|'d\s+like\s+to|'m\s+(?:going\s+to|gonna)|\s+(?:will|want\s+to|need\s+to|have\s+to|must|wanna))|let\s+me|can\s+i|may\s+i|gotta)\s+(?:just\s+)?(?:tell\s+you|say|share|confess|admit)\s+(?:something|a\s+secret|one\s+thing)"
    rf"(?:\s+{_PRIVATE_EN})?|i(?:'ve\s+got|\s+have|\s+got)\s+(?:a\s+secret|something\s+to\s+(?:tell\s+you|say|share|confess))"
    rf"|here(?:'s|\s+is)\s+(?:a\s+secret|something\s+{_PRIVATE_EN})|(?:this|that|it|what\s+follows|the\s+following)(?:'s|\s+is)\s+(?:(?:very|strictly|really|a\s+bit|highly|super)\s+)?{_PRIVATE_EN}"
    r"|(?:strictly\s+)?(?:private|confidential)|guess\s+what)"
)
FRAME_EN: Final = re.compile(
    rf"(?:[^\w\ufffc]|(?:{_FRAMES_EN}|on\s+second\s+thoughts?|i(?:'ve)?\s+changed\s+my\s+mind|come\s+to\s+think\s+of\s+it|never\s?mind|wait|sorry|oops|no|hey|hi|hello|ok|okay|so|well|listen|look|psst|btw|by\s+the\s+way|honestly|actually|please|oh|and|but|just|now|um|uh)(?![a-z']))*+"
)
LEAD_EN: Final = re.compile(
    rf"{PREFIX_EN}(?:"
    rf"{_NOT_EN}(?:{_KEEP_EN}|remember)\s+(?:this|that|any\s+of\s+this){_WHERE_EN}(?:\s*(?:[:：]|--|—|–|\s-)\s*|\s*[,，]\s*{OF_OWN}|\s+{OF_OWN})"
    rf"|{_NOT_EN.replace('polite', 'polite3')}(?:{_KEEP_EN}|remember)(?:\s+it)?{_WHERE_EN}\s*[:：]\s*{OF_OWN}"
    rf"|{_FRAMES_EN}[\s,，.;；:：!–—-]*(?:so\s+|and\s+|but\s+|please\s+|pls\s+)*{_NOT_EN.replace('polite', 'polite4')}(?:{_KEEP_EN}|remember)(?:\s+{_KEEPS_EN})?{_WHERE_EN}\s*[:：,，.—–-]\s*"
    r"|otr\s*[:：,，—–-]\s*"
    rf"|{_NOT_EN.replace('polite', 'polite2')}(?:{_KEEP_EN}|remember)\s+{_NEXT_EN}{_WHERE_EN}\s*[:：,，.—–\n-]\s*"
    rf"|keep\s+(?:this|the\s+following)\s+(?:off\s+the\s+record|out\s+of\s+(?:your\s+)?(?:memory|records?|notes))(?:\s*(?:[:：]|—|–|\s-)\s*|\s*[,，]\s*{OF_OWN})"
    rf"|[(（]?(?:(?:this|the\s+following|what\s+follows)\s+is\s+|(?:strictly|completely|totally)\s+)?{_OFF_EN}\s*(?:[:：,，.!—–)）-]\s*(?:but\s+)?|{OF_OWN})"
    rf"|[(（]?(?:{_US_EN}\s*+[:：,，—–)）-]\s*+(?!we\b)|{_STAYS_EN}(?:\s*[:：—–)）]|\s*[,，]\s*{OF_OWN}))"
    r")"
)
TAIL_EN: Final = re.compile(
    rf"{PREFIX_EN}(?:"
    rf"{_NOT_EN}(?:{_KEEP_EN}\s+(?:(?P<sentence>that\s+(?:last\s+)?(?:part|bit|one|sentence))|that|this|any\s+of\s+(?:this|that|it)|(?:the\s+)?above|(?:this|my\s+last|that\s+last)\s+message|what\s+i(?:'ve)?\s+(?:just\s+)?(?:said|told\s+you|wrote))"
    r"|remember\s+this(?:\s+message)?|(?:save|store|log)\s+it|(?:store|save|record|note|write|log)\s+(?:that|this|it)\s+down)"
    rf"{_WHERE_EN}"
    rf"|(?<=please\s)(?:don't|do\s+not|never)\s+remember\s+that{_WHERE_EN}"
    rf"|(?:that(?:'s|\s+is|\s+was)|this\s+is|(?:all\s+)?(?:of\s+)?(?:that|this)\s+is)\s+(?:strictly\s+)?{_OFF_EN}"
    rf"|(?P<bare_off>(?:(?:strictly|completely|totally|all|just)\s+)?{_OFF_EN})"
    rf"|{_NOT_EN.replace('polite', 'polite3')}(?:{_KEEP_EN}|remember)\s+(?:(?:any|all)\s+of\s+(?:those|these|it|that)|(?:everything|anything|all)\s+(?:that\s+)?i(?:'ve)?\s+(?:just\s+)?(?:said|told\s+you|wrote)|(?:my|the|those|these)\s+(?:last\s+)?(?:two|three|four|five|few|\d)\s+(?:messages|sentences|things)|both(?:\s+(?:of\s+(?:those|them)|messages))?|(?:this|our)\s+(?:chat|conversation|session)|(?:those|these)(?:\s+messages)?){_WHERE_EN}"
    rf"|{_NOT_EN.replace('polite', 'polite4')}(?:record|keep|log)\s+it{_WHERE_EN}"
    r"|(?P<polite2>(?:can|could|would|will)\s+(?:you|we)\s+(?:please\s+)?)?keep\s+(?:that|this|it|all\s+of\s+(?:that|this))\s+(?:strictly\s+)?(?:off\s+the\s+record|out\s+of\s+(?:your\s+)?(?:memory|records?|notes))"
    rf"|(?P<bare>{_US_EN}|{_STAYS_EN})"
    r")(?:\s+(?:please|pls|ok|okay|thanks|though))*[^\w\ufffc]*"
)

_NOT_ZH: Final = r"(?:[就都也可你请再先全]|可以|麻烦|千万|一定){0,3}(?P<polite>(?:能不能|可不可以|可以|能)(?=不|别))?(?:别|不要|请勿|勿|不用|不必|不许|不能|不可以)(?:再)?(?:帮我|给我|替我)?"
_NOTE_ZH: Final = r"(?:写下来|记录|记住|记着|记得|记下来?|记入|记进|写进|写入|记)"
_STORE_ZH: Final = r"(?:保存|存储|储存|留存|存档|存下来?|存入|存进|存|保留(?=.{0,6}(?:记忆|记录|档案))|留底)"
_KEEP_ZH: Final = rf"(?:{_NOTE_ZH}|{_STORE_ZH})"
_WHERE_ZH: Final = r"(?:下来|起来)?(?:到|进|在|入)?(?:你的?(?:系统|数据库)|(?:你的?|长期|任何)*(?:记忆|档案|记录)?)(?:里面?|中)?[了啊哦哈吧啦呀噢哟]*"
_NEXT_ZH: Final = r"(?:以下|下面|接下来|后面|下述)(?:我?(?:要)?(?:说|讲|写)?的?)?(?:这|那|几|些|段|句|条|个)*(?:内容|话|信息|东西|消息|事情?|部分)?"
_THIS_ZH: Final = (
    r"(?:这话|这事儿?|这(?:几|一)?(?:句|段|条|些|件|番)?(?:话|消息|内容|事情?|信息)|这(?:几|一)?[句段条些点])"
)
_SAID_ZH: Final = r"(?:以上(?:的)?(?:这些|内容|的?话|信息)*|上面(?:的|这|那|几|两|二|三|四|五|些|段|句|条|说)*(?:话|内容|消息)?|(?:我)?(?:刚才|刚刚|刚|之前|前面|上一?)(?:我)?(?:说|讲|发|提)?(?:过|到)?(?:的|那|这)*(?:一|几|两|二|三|四|五)?(?:条|句|段|些|个|番)?(?:话|消息|内容|事情?)?|那(?:句|段|条|些|件)(?:话|消息|内容|事情?)?|我说的(?:这些|话)*|(?:这|那)(?:几|两|二|三|四|五|些)(?:条|句|段|件)?(?:话|消息|内容|事情?)?|(?:这次|本次|今天的?|我们的?|整个|这段)(?:聊天|对话|会话|谈话)(?:内容|记录)?)"
_ONLY_YOU: Final = r"(?:这(?:话|事儿?|件事|个|些话?)\s*)?(?:我\s*)?(?:就|也)?只(?:(?:跟|和|对)你(?:一个人)?(?:说|讲)|告诉你(?:一个人)?)(?:的|过|啊|哦|哈|了)*"
_FRAMES_ZH: Final = (
    r"(?:我?(?:想|要|得|偷偷|悄悄地?|私下|小声)*(?:跟|和|对|给)你(?:们)?(?:说|讲|透露|坦白|分享)(?:个|一个|件|一件|一下|一句|句|点)?(?:小?(?:事情?|事儿|秘密|八卦|悄悄话|实话|心里话))?儿?"
    r"|我?(?:想|要|得|偷偷|悄悄地?|私下|小声)*告诉你(?:们)?(?:个|一个|件|一件|一下)?(?:小?(?:事情?|事儿|秘密|八卦))?儿?|我?(?:想|要)?说(?:个|件|一件|点|句)(?:小?(?:事情?|事儿|秘密|八卦|悄悄话|实话|心里话))儿?"
    r"|我?有(?:个|件|一件|些|一个)?(?:小?(?:事情?|事儿|秘密|话))儿?(?:想|要)?(?:跟你说|和你说|告诉你)?|(?:先|提前|事先|咱们?先)?说(?:好|清楚)了?|(?:这是|这事儿?是)?(?:个)?(?:保密|私密|隐私|机密|秘密))"
)
INTRODUCES: Final = re.compile(rf"{_FRAMES_EN}|{_FRAMES_ZH}")
"""What says that something is about to be told."""

FRAME_ZH: Final = re.compile(
    rf"(?:[^\w\ufffc]|{_FRAMES_ZH}|算了|想了想|我?改主意了|我?后悔了|等等|等一?下|不对|抱歉|不好意思|还是|喂|嘿|嗨|哎|诶|嗯|对了|其实|那个|你好|哈|啊|哦|呀|吧|呢|嘛|哟|喔|但是?|不过|我)*+"
)
"""What leads to words and says nothing: 跟你说个事儿, "I'll tell you something, …"."""

LEAD_ZH: Final = re.compile(
    rf"{PREFIX_ZH}(?:"
    rf"[(（]?{_NEXT_ZH}{_NOT_ZH}{_KEEP_ZH}{_WHERE_ZH}\s*[：:，,。)）\n—-]\s*"
    rf"|(?:{_THIS_ZH}|这个){_NOT_ZH.replace('polite', 'polite2')}{_KEEP_ZH}{_WHERE_ZH}(?:\s*(?:[：:～~]|——?)\s*|\s*[，,]\s*{OF_OWN})"
    rf"|{_NOT_ZH.replace('polite', 'polite3')}{_KEEP_ZH}(?:(?:{_NEXT_ZH}|{_THIS_ZH}|这个){_WHERE_ZH}\s*(?:[：:]|——?)\s*|{_WHERE_ZH}\s*[：:]\s*{OF_OWN})"
    rf"|{_FRAMES_ZH}[\s，,]*{_NOT_ZH.replace('polite', 'polite4')}{_KEEP_ZH}(?:{_THIS_ZH})?{_WHERE_ZH}\s*[：:，,～~。！!—]\s*"
    rf"|(?:以下|下面|接下来)(?:内容|的话|的内容)?不(?:做|作)?(?:记录|保存|存储|存档|入档)\s*[：:，,]\s*"
    rf"|[(（]?(?:(?:咱们?|我们)?私下(?:里)?(?:跟你|和你)?(?:说|讲)(?:一?句)?|{_ONLY_YOU})\s*[：:，,)）—-]\s*"
    r")"
)
TAIL_ZH: Final = re.compile(
    rf"(?:但是?|不过|可是)?{PREFIX_ZH}(?:把)?(?:"
    rf"(?:(?P<sentence>{_THIS_ZH}|那句话?)|{_SAID_ZH})\s*{_NOT_ZH}{_KEEP_ZH}{_WHERE_ZH}"
    rf"|这个{_NOT_ZH.replace('polite', 'polite2')}{_NOTE_ZH}{_WHERE_ZH}"
    rf"|{_NOT_ZH.replace('polite', 'polite3')}{_KEEP_ZH}(?:{_THIS_ZH}|{_SAID_ZH}){_WHERE_ZH}"
    rf"|(?!.{{0,3}}不[用必]){_NOT_ZH.replace('polite', 'polite5')}{_NOTE_ZH}这个{_WHERE_ZH}"
    rf"|(?P<bare>(?:千万|请|麻烦|先|可|你|就|也|都)*(?:别|不要|请勿|不许|不准|甭)(?:帮我|给我|替我)?(?:写下来|记录|记下来?|记|保存|存储|存档|存下来|存){_WHERE_ZH})"
    rf"|(?P<bare2>{_ONLY_YOU})"
    r")(?P<polite4>好吗|可以吗|行吗)?[^\w\ufffc]*"
)
_NEXT_SAID_ZH: Final = r"(?:我)?(?:接下来|下面|之后|后面|待会儿?|等会儿?|等下|下一?[句条])(?:我)?(?:要|想)?(?:(?:说|讲|聊|发)的?)?(?:这|那|几|些|句|段|条|的)*(?:内容|话|东西|消息|事情?)?(?:都|全部?|也)*"
NEXT_ONLY_ZH: Final = re.compile(rf"{PREFIX_ZH}{_NEXT_SAID_ZH}{_NOT_ZH}{_KEEP_ZH}{_WHERE_ZH}[^\w\ufffc]*")
NEXT_ONLY_EN: Final = re.compile(
    rf"{PREFIX_EN}{_NOT_EN}(?:{_KEEP_EN}|remember)\s+(?:{_NEXT_EN}|anything(?:\s+i\s+say)?\s+(?:from\s+(?:now|here)\s+on|after\s+this)){_WHERE_EN}[^\w\ufffc]*"
)
"""What speaks of words to come, and of nothing in its own message unless they follow."""

_TALK_EN: Final = r"(?:chat|conversation|session|talk|discussion)"
REST_EN: Final = re.compile(
    rf"{PREFIX_EN}(?:(?:let's\s+)?(?:go|keep\s+(?:it|this|everything)|this\s+is|we're|stay)\s+)?(?:{_OFF_EN})\s+(?:(?:for|from)\s+(?:now\s+on|here\s+on|(?:(?:the\s+)?(?:rest|remainder)\s+of\s+)?(?:this|the|our|today's)\s+{_TALK_EN}))(?:\s+(?:please|pls|ok|okay|thanks))*[^\w\ufffc]*"
    rf"|{PREFIX_EN}keep\s+(?:(?:the\s+)?rest\s+of\s+)?(?:this|our|the)\s+(?:whole\s+|entire\s+)?{_TALK_EN}\s+(?:{_OFF_EN}|out\s+of\s+(?:your\s+)?(?:memory|records?|notes))(?:\s+(?:please|pls|ok|okay|thanks))*[^\w\ufffc]*"
)
REST_ZH: Final = re.compile(
    rf"{PREFIX_ZH}(?:接下来|后面|剩下|之后|往后|从现在起|从现在开始)的?(?:整个|所有|这次)?(?:的)?(?:聊天|对话|会话|谈话)(?:内容|记录)?{_NOT_ZH}{_KEEP_ZH}{_WHERE_ZH}[^\w\ufffc]*"
)
"""All the rest of a session."""

TAG: Final = re.compile(
    r"[\s,，]*(?:(?:ok|okay|alright|all\s+right|right|please|yeah|yes)(?![a-z])|好吗|好不好|可以吗|行吗|行不行|好吧|哈|啊)?[\s]*(?P<asks>[?？])?"
)
"""What asks for no more than a nod: don't save this, ok?"""

MEANS_ALL: Final = re.compile(
    r"都|全|所有|这些|那些|以上|几|聊天|对话|会话|谈话|\b(?:any|all)\s+of\b|\b(?:everything|anything|above|those|these|few|chat|conversation|session)\b|\ball\s+(?:that\s+)?i\b"
)
SO_MANY: Final[dict[str, int]] = {
    **dict(zip("两二三四五", (2, 2, 3, 4, 5), strict=True)),
    **dict(zip(("both", "two", "three", "four", "five"), (2, 2, 3, 4, 5), strict=True)),
    **{str(number): number for number in range(2, 10)},
}
COUNTED: Final = re.compile(
    r"(?P<zh>[两二三四五2-9])(?:[句条段个件])|\b(?P<en>both|two|three|four|five|[2-9])\b"
)
"""How many messages before are meant: 上面两句, my last two messages."""

BRACKET: Final = re.compile(r"[(（]\s*$")
POINTS_HERE: Final = re.compile(r"(?!.*(?:刚|前|上|那|\b(?:said|told|wrote|last|above)\b)).*(?:这|\bthis\b)")
"""这句, this message: what they point at may as well follow."""

SAVES_OTHER: Final = re.compile(
    r"[\s,，;；]*+(?:请|就|而是|改|but\s|just\s|please\s|instead,?\s)*+(?:保?存|记|用|(?:save|store|keep|record|use)\b)"
)
"""Don't save this, save the other one: that is a thing, and no message."""

OWN_WORDS_FOLLOW: Final = re.compile(rf"[^\w\ufffc]*+{OF_OWN}")
ASIDE: Final = re.compile(
    r"(?<=\S)\s*[(（]|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])|\s--+\s"
    r"|(?<=[\u4e00-\u9fff])(?=(?:但是?|不过|可是)(?:请|你|就|也|先|千万|麻烦)*(?:别|不要|勿))"
    r"|(?<!\bi)(?<!\bwe)(?<!\byou)(?<!\bthey)(?<!\bwho)\s(?=(?:pls\s|please\s)?(?:don't|dont|do\snot)\s(?:save|store|record|log|keep)\s(?:it|this|that)(?:\s(?:ok|okay|please|pls|thanks|though))*+\s*$)"
    r"|\s(?=(?:but|so|and|just|pls|please)\s(?:please\s|pls\s|just\s|also\s)?(?:don't|do\snot|dont|never|keep)\s)"
)
"""What cuts a request off from the words it speaks of where no comma does: 我怀孕了（这句别存）."""
