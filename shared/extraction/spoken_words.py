"""Words by which a topic is told from another in like words: 前妻 from 妻子, "wife" from "ex-wife", 价格 from 价格战."""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from typing import Final

from shared.extraction.evidence_words import KIN

_NO_PERSON: Final = frozenset({"he", "she", "somebody", "other side"})
_FORMER: Final = (
    "前任 前妻 前夫 前男友 前女友 未婚妻 未婚夫 ex ex-wife ex-husband ex-boyfriend ex-girlfriend spouse"
)
PERSONS: Final = frozenset(
    {word for word, name in KIN.items() if name not in _NO_PERSON and len(word) > 1} | set(_FORMER.split())
)
"""What a person is called by what they are to the user."""

OTHER_BEFORE_ZH: Final = re.compile(r"(?<![之以目眼提])前$|[后继养干准假义]$|未婚$|曾$")
"""What stands right before a word for a person and makes it another's: 前|女友, 干|妈妈."""
BEFORE_NOW_ZH: Final = frozenset("之以目眼提")
"""之前|妻子 is no 前妻."""
OTHER_AFTER_ZH: Final = re.compile(r"[娘椅国红]")
"""老板|娘 is no boss, and 女儿|国 no daughter."""
OWNER_ZH: Final = re.compile(
    r"(?:他|她|它|你|您|人家|别人|对方|大家|谁)(?:们|家)?的?(?:那个|这个|那位|这位)?$"
)
OF_USER_ZH: Final = re.compile(r"(?:我|俺|咱)(?:们|家)?(?:的|那个|这个|那位|这位)*$")
OF_YOU_ZH: Final = re.compile(r"(?:你|您|用户|对方)(?:的|那位|这位|那个)*$")
OWNED_ZH: Final = re.compile(r"的(?:那个|这个|那位|这位)?$")
SPEAKS_ON_ZH: Final = re.compile(
    r"[\W\d_a-z是为叫的在有和与跟及或被把给让要会能可将也都就还又很太最更比不没别过了着吗呢吧啊呀嘛已从到对由向约大涨降上下出病死丢跑吃睡住走好坏贵便改变提谈说如怎什多几定去来昨今明后前每爱喜]"
)
"""What goes on after the name of a thing; any other character may make it a part of another word."""
LEADS_ZH: Final = re.compile(
    r"[\W\d_a-z我咱你您他她的了是叫在和跟与把被对给就也都还又说提谈聊讲过到这那个只条份次位为有按新旧下以年月天日号周已刚曾要想会能没不去做办再先]$"
)

LEADS_EN: Final = re.compile(
    r"(?:^|[^\w\s'’-]\s*|\b(?:my|our)\s+(?:[\w'’-]+\s+){0,2}|\b(?:the|a|an|this|that|any|of|about|on|in|at|for|to|with|and|or|but|is|was|new|old)\s+)$"
)
"""What leads to the name of a thing; "hot" before a dog may make it another."""
OTHER_BEFORE_EN: Final = re.compile(r"\b(?:ex|former|late|step|god|foster|future|fake)[ -]$|[\w'-]$")
OWNER_EN: Final = re.compile(r"(?:\b(?:his|her|their|your|its|whose)|['’]s|s['’])\s+$")
OF_YOU_EN: Final = re.compile(r"\b(?:your|the user['’]s)\s+$")
OF_OTHERS_EN: Final = re.compile(r"\s+of\s+(?!(?:mine|ours)\b)|-|['’]s\s+(?:ex|former)\b")
SPEAKS_ON_EN: Final = re.compile(
    r"(?:['’]s)?(?:\s*(?:[^\w\s-]|$)|\s+(?:is|was|are|were|be|been|has|had|have|will|would|can|could|may|might|must|should|shall|do|does|did"
    r"|in|on|at|of|for|to|from|by|with|about|as|than|and|or|but|so|that|which|who|when|where|because|if|until|till|after|before|since|during"
    r"|i|we|you|he|she|it|they|my|our|the|a|an|this|next|last|not|no|also|now|then|again|went|goes?|got|came|comes?|rose|fell|changed?|stays?|stood"
    r"|called|named|here|there|today|tomorrow|yesterday|ends?|starts?|begins?|closes?|costs?|needs?|looks?|seems?|broke|died|left|\d)\b)"
)

GOES_ON: Final = re.compile(
    r"[\s\"'“”‘’]*(?:(?:而且|但是?|不过|所以|其实|现在|and|but|also|so|now|yes|actually)[\s,，]*)?(?:[她他]|ta\b|(?:she|he|her|his|they|their)\b)"
)
"""A sentence that goes on about whom the one before it named."""
ASKS: Final = re.compile(r"(?:[?？]|[吗呢])[\s\"”’]*$")

CALLED_FOR_ZH: Final = frozenset(
    "保安 警察 救护车 外卖 滴滴 出租车 医生 律师 车 代驾 快递 客服 服务员 停 板 苦 好 醒".split()  # noqa: SIM905 (a table of words)
)
"""Whom one may call (叫保安), so that it is no name."""
KIND_OF_PERSON_ZH: Final = "人座师员工生长家族迷粉狗控手者友党官兵民商型血派徒星客子匠主领士事奴管理妹哥姐弟爷奶爸妈医警龄岁班组部校届级佬鬼才货"
"""With one of these a word ends that says what somebody is (温州人, 金牛座, 管理员), as few names do."""
WHAT_ONE_IS_ZH: Final = "高[一二三中大]|房东|丁克|郎中|江苏|江西|安徽|安静|常州|苏州|郑州|徐州|武汉|韩国|金牛|白羊|马上|常常|万一|方便|夏天|明天|明年|莫名|任何|邻居|单身|严肃|严厉|温柔|余[下生]|应该|康复|包括"
"""What begins like a name with a surname, and is none."""
NATIONS_EN: Final = frozenset(
    """american australian austrian belgian brazilian british canadian catholic chinese christian danish dutch
    english european filipino finnish french german greek hindu hungarian indian indonesian iranian irish israeli
    italian japanese jewish kenyan korean malaysian mexican muslim nigerian norwegian polish portuguese russian
    scottish spanish swedish swiss taiwanese thai turkish ukrainian vietnamese welsh asian african latina latino
    buddhist""".split()  # noqa: SIM905 (a table of words)
)
WORD_NAMES_EN: Final = frozenset(
    """will mark grace hope faith rose may april june august summer dawn joy bill jack rich frank drew sue pat art
    gene guy miles chase hunter mason iris ivy lily ruby pearl amber crystal violet olive daisy holly ginger penny
    angel dean earl duke king page lane reed wade ray rob nick dick harry bob carol gay sunny melody harmony patience
    charity bishop cook baker carter cooper""".split()  # noqa: SIM905 (a table of words)
)
"""English names that are words too: they count only with their capital."""
