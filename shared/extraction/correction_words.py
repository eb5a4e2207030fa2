"""The words of corrections: what takes something back, what puts the right thing in its place.

(不对)，(应该是)(60万) / (no), (it's) (8000); (预算)(不是)(55万)，(是)(60万) / (the budget) (isn't) (550k) (but) (600k).
All patterns are for one folded clause and match it whole.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from typing import Final

CUES: Final = (
    "不对", "不是", "错了", "口误", "更正", "纠正", "抱歉", "不好意思", "对不起", "等等", "等一下", "应该是", "应为", "其实", "实际上", "事实上", "准确说", "准确地说", "应该说", "正确的",
    "撤销", "撤回", "撤消", "我是说", "我说的是", "我想说", "意思是", "改成", "改为", "改到", "换成", "不住", "不在", "不叫", "不为",
    "no", "nope", "nah", "not", "isn't", "isnt", "wasn't", "aren't", "don't", "doesn't", "didn't", "wait", "hold on", "oops", "sorry", "my bad", "my mistake",
    "apologies", "misspoke", "wrong", "incorrect", "correction", "actually", "scratch that", "typo", "meant", "i mean", "should be", "in fact", "in actual fact", "matter of fact",
    "make it", "make that", "change", "undo", "instead of", "rather than",
)  # fmt: skip
"""A text without any of these corrects nothing."""

_LEAD_ZH: Final = (
    r"(?:(?:哦|啊|呃|嗯|哎呀?|诶|那个|等等|等一下|等下|抱歉|不好意思|对不起|口误|更正(?:一下)?|纠正(?:一下)?"
    r"|(?:我|刚[才刚]?|你|上面)*+(?:说|记|写|打|弄|搞|填|讲|听)?错(?:了|啦)|(?:撤销|撤回|撤消)(?:一下|掉)?(?=[\s,，:：。]|$)|不对(?:不对)?(?:的|啊|哦)?|不是(?:这样|这个|那个)?(?:的|啊|哦)?)[\s,，:：~～!！…]*)+"
)
_LEAD_EN: Final = (
    r"(?:(?:oh|ah|er|um|uh|hmm|well|no|nope|nah|wait|hold\s+on|oops|sorry|i'm\s+sorry|my\s+(?:bad|mistake|apologies)|apologies|pardon(?:\s+me)?"
    r"|i\s+(?:misspoke|mistyped|was\s+wrong|got\s+(?:it|that)\s+wrong|made\s+a\s+(?:mistake|typo)|said\s+(?:it|that)\s+wrong)|(?:that|this|it)(?:'s|\s+is|\s+was)\s+(?:wrong|incorrect|not\s+(?:right|correct|it)|a\s+(?:typo|mistake))"
    r"|(?:that|it)\s+isn't\s+(?:right|correct)|you\s+got\s+(?:it|that)\s+wrong|not\s+(?:quite|right|that)|wrong|incorrect|correction|actually|scratch\s+that|undo(?:\s+(?:that|it|this))?(?=\s*[,;:.]|$)|typo)\b[\s,:;.!~-]*)+"
)
HESITATES: Final = re.compile(
    r"(?:[\s,，.。…~～!！-]|哦|啊|呃|嗯|哎呀?|诶|那个|等等|等一下|等下|\b(?:oh|ah|er|um|uh|hmm|well|wait|hold\s+on)\b)*+"
)
"""等一下 / wait: it takes nothing back by itself."""

LEADS: Final = (re.compile(_LEAD_ZH), re.compile(_LEAD_EN))
"""What takes back: 不对, 说错了 / no, sorry, actually."""

TAGS: Final = re.compile(
    r"(?:谢谢你?|多谢|麻烦了?|麻烦改一下|改一下吧?|抱歉|不好意思|对不起|我说错了|说错了|我记错了|记错了|才对|哈+|吧|please|pls|thanks|thank\s+you|thx|sorry(?:\s+about\s+that)?|my\s+bad|my\s+mistake|i\s+misspoke|instead)[\s~～!！]*"
)
"""What may follow a correction and says nothing."""

_IS_ZH: Final = (
    r"(?:(?:而|应该|应当|该|其实|实际上?|准确地?说|正确的(?:值|数字)?|现在|就|要|我(?:刚才)?(?:是)?想?(?:要)?说的?|我的意思|我意思)[,，\s]*)*"
    r"(?:是|应为|为|叫|在|改(?:成|为|到)|换成)\s*"
)
_SAID_ZH: Final = (
    r"(?:我(?:刚才)?是(?:想)?说的?(?:是)?|我(?:刚才)?(?:想)?说的(?:其实|应该)?是|我(?:的)?意思是|应该是|应该为|应该改[成为到]"
    r"|其实是|其实应该是|实际上?是|正确的(?:值|数字)?(?:应该)?是|准确地?说是|应为)\s*"
)
_EDIT_ZH: Final = r"(?:把它|那就|帮我|请)*(?:改|换)(?:成|为|到)\s*"
_IS_EN: Final = (
    r"(?:(?:but|and|rather|instead|actually|really|should've\s+been)\s+)*"
    r"(?:(?:it|that|this)(?:'s|\s+is|\s+was|'d\s+be)(?:\s+actually|\s+really|\s+supposed\s+to\s+be)?\s+|(?:it|that)?\s*should\s+(?:be|have\s+been|read|say)\s+|(?:please\s+)?make\s+(?:it|that)\s+"
    r"|(?:please\s+)?change\s+(?:it|that)\s+to\s+|i\s+(?:mean(?:t)?|said)(?:\s+to\s+(?:say|write))?(?:\s+it's|\s+that\s+it's)?\s+|i'm\s+(?:in|at|called)\s+|but\s+|rather\s+|the\s+(?:right|correct)\s+(?:one|value|number)\s+is\s+)"
)
_SAID_EN: Final = r"(?:(?:but|and|actually|please)\s+)*(?:i\s+mean(?:t)?(?:\s+to\s+(?:say|write))?\s+|(?:it|that)?\s*should\s+(?:be|have\s+been|read|say)\s+|the\s+(?:right|correct)\s+(?:one|value|number)\s+is\s+)"
_EDIT_EN: Final = r"(?:(?:but|and|actually|please)\s+)*(?:make\s+(?:it|that)|change\s+(?:it|that)\s+to)\s+"
_NEW: Final = r"(?P<new>\S.{0,59})"
_OLD: Final = r"(?P<old>\S.{0,39}?)"
IS: Final = (re.compile(_IS_ZH + _NEW), re.compile(_IS_EN + _NEW))
"""是60万 / it's 8000: what stands in the place of what was taken back."""

SAID: Final = (re.compile(_SAID_ZH + _NEW), re.compile(_SAID_EN + _NEW))
"""应该是60万 / I meant 8000: a correction without another word."""

EDIT: Final = (re.compile(_EDIT_ZH + _NEW), re.compile(_EDIT_EN + _NEW))
"""改成60万 / make it 8000: so a page is edited too, and only a value of its shape takes a value's place."""

_PRONOUN_ZH: Final = r"(?:我说的|我的意思|它|这个|那个|应该|其实|可|并|也|都)*"
_PRONOUN_EN: Final = (
    r"(?:(?:it|that|this)(?:'s|\s+is|\s+was)?\s+|i\s+(?:did\s+not|didn't)\s+(?:mean|say)\s+|i\s+said\s+)?"
)
NOT: Final = (
    re.compile(rf"{_PRONOUN_ZH}(?:不是|非)\s*{_OLD}"),
    re.compile(
        rf"(?:{_PRONOUN_EN}not\s+|(?:it|that)\s+(?:isn't|wasn't)\s+|i\s+(?:did\s+not|didn't)\s+(?:mean|say)\s+|(?:rather\s+than|instead\s+of)\s+){_OLD}"
    ),
)
"""不是55万 / not 5000."""

BOTH: Final = (
    re.compile(rf"{_PRONOUN_ZH}不是\s*(?P<old>\S.{{0,39}}?)\s*(?:而是|而应该是|(?<!就)是)\s*{_NEW}"),
    re.compile(rf"{_PRONOUN_ZH}(?:应该)?是?\s*(?P<new>[^是不\s][^是]{{0,59}}?)\s*(?:而|并)?不是\s*(?P<old>[^\s是][^是]{{0,39}})"),
    re.compile(rf"(?:把|将)?(?P<old>\S.{{0,39}}?)\s*(?:改|换)(?:成|为|到)\s*{_NEW}"),
    re.compile(
        rf"{_PRONOUN_EN}(?:not|(?<=it\s)isn't|(?<=that\s)isn't)\s+(?P<old>\S.{{0,39}}?)\s+but\s+(?:rather\s+)?{_NEW}"
    ),
    re.compile(
        r"(?:(?:it|that)(?:'s|\s+is|\s+should\s+be)\s+|i\s+mean(?:t)?\s+|make\s+(?:it|that)\s+)?(?P<new>\S.{0,59}?)(?<!\sis)(?<!\sare)(?<!\swas)(?<!\sam)\s+(?:and\s+not|but\s+not|not|rather\s+than|instead\s+of)\s+(?P<old>\S.{0,39})"
    ),
    re.compile(rf"i\s+said\s+(?P<old>\S.{{0,39}}?)\s+but\s+(?:i\s+)?mean(?:t)?\s+{_NEW}"),
    re.compile(rf"(?:please\s+)?change\s+(?P<old>\S.{{0,39}}?)\s+(?:to|into)\s+{_NEW}"),
)  # fmt: skip
"""The wrong and the right thing in one clause: 不是55万而是60万 / not 5000 but 8000, "8000, not 5000"."""

NO_OLD: Final = re.compile(r"(?:它|这个?|那个?|请|帮我|麻烦|给我|再|\b(?:it|that|this|please)\b|\s)+")
"""What is changed but not named: 把它改成60万, "change it to 600k"."""

DENIED: Final = (
    re.compile(r"(?P<head>\S.{0,39}?)(?:并|可|现在|已经)?不(?P<verb>是|为|叫|在|住在|到)(?P<old>.{1,40})"),
    re.compile(
        r"(?P<head>\S.{0,59}?)(?:\s+(?P<verb>is|are|was)(?:\s+not|n't)|(?P<short>'s)\s+not)\s+(?P<old>.{1,40})"
    ),
)
"""预算不是55万 / the budget isn't 550k: a thing and the value that it has not."""

DENIED_BOTH: Final = (
    re.compile(rf"(?P<head>\S.{{0,39}}?)(?:并|可)?不(?P<verb>是)(?P<old>.{{1,40}}?)\s*(?:而是|而应该是|是)\s*{_NEW}"),
    re.compile(
        rf"(?P<head>\S.{{0,59}}?)(?:\s+(?P<verb>is|are|was)(?:\s+not|n't)|(?P<short>'s)\s+not)\s+(?P<old>.{{1,40}}?)\s+but\s+(?:rather\s+)?{_NEW}"
    ),
)  # fmt: skip

MAY_DENY: Final = re.compile(r"不(?:是|为|叫|在|住在|到)|\b(?:is|are|was)(?:\s+not|n't)\b|'s\s+not\b")

TAIL: Final = re.compile(
    r"(?:[\s,，。.!！~～]|吧|啊|哦|喔|呀|哈|啦|才对|谢谢|\b(?:please|pls|thanks|thank\s+you|thx|instead|though|sorry)\b)++$"
)
NO_NEW: Final = re.compile(
    r"(?:先|再|把|帮|让|请|给|千万|别的|其他|其它|另|这|那|第.{1,2}[个条项]|我|你|您|他|她|它|咱|大家|什么|怎么|因为|所以|可以|可能|要|想|说|不|没|别|很|太|挺|有点|好|对|行|错|真|假|都|也|还|吗|嘛"
    r"|(?:something|anything|nothing|everything|another|other|else|the\s+(?:other|first|second|third|last|next|same|former|latter)|this|that|these|those|here|there|it|you|your|he|his|she|her|they|their|we|us|me|i|i'm|my"
    r"|just|only|because|about|too|so|very|not?|never|fine|ok|okay|good|great|bad|right|wrong|true|false|late|early|done|over|enough|hard|easy|possible|impossible|likely|up\s+to|how|what|why|when|where|who|which|if|all|both"
    r"|to|like|really|quite|pretty|more|less|better|worse|always|still|yes|no|thanks|thank|please|sorry|simple|easy|serious|severe|terrible|awful|horrible|complicated|weird|strange|funny|crazy|ridiculous|stupid|silly|sad|expensive|broken|dangerous|important|different|perfect|amazing|urgent|cold|hot|freezing|sunny|rainy|a\s+(?:secret|bit|lot|little|mistake|typo|question|joke)|an?\s+\w+ing|\w+ing)\b)"
)
"""What stands in no value's place: 别的, 你… / something else, fine, raining."""
