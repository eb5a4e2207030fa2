"""Proper names in a text, by rule: who has a title, a role or a verb beside them, what has capitals.

It finds the names that a check must not miss (尉迟经理, 由王磊负责, "with Dana Whitlock", ACME), not all that
there are. Chinese names are found by surname and by the words around them, English ones by their capitals,
where these do not only open a sentence.
"""

from __future__ import annotations

import re
from typing import Final

from shared.language.scripts import HAN, fold_aligned

_QUOTES: Final = str.maketrans("’‘“”", "''\"\"")
SURNAMES: Final = (
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦许何吕张孔曹严华金魏陶姜戚谢邹喻柏窦章苏潘葛范彭郎鲁韦马苗方俞任袁柳鲍史唐费廉岑薛雷贺倪汤滕"
    "殷罗毕郝邬安常傅卞齐康伍余顾孟黄穆萧尹姚邵汪祁毛狄米贝明戴宋庞熊纪舒屈项祝董梁杜阮蓝闵席季贾江童颜郭梅盛林钟徐邱骆高夏蔡田樊胡凌霍"
    "万柯管卢莫房丁邓洪石崔龚程陆叶白蒲刘肖谭廖侯闫龙黎赖覃武"
)
_NAME_ZH: Final = re.compile(
    r"(?:联系人|收件人|负责人|客户|经理|同事|老板|老师|名叫|叫做?|联系|由|找|给)(?:是|为|:)?"
    rf"(?P<a>[{SURNAMES}][{HAN}]{{1,2}})(?=[,。;、\s]|$|负责|提出|要求|说|处理|确认|跟进|审)"
    rf"|(?P<b>[{SURNAMES}][{HAN}]{{0,2}})(?=先生|女士|小姐|老师|经理|总监|医生|同学|律师)"
    rf"|(?P<c>(?!这家|那家|我们|一家|几家|多家|对方|客户|用户|本地|某家|合作|的)[{HAN}]{{2}}(?<![去在到从给和与回进找对的家])"
    rf"(?:公司|集团|银行|大学|医院|酒店))"
    rf"|(?<![{HAN}])(?P<e>[{SURNAMES}][{HAN}]{{2}})(?=负责|提出|要求|说|处理|确认|跟进|审批|签)"
    r"|[《“「](?P<d>[^》”」]{1,20})[》”」]"
)
_NAME_EN: Final = re.compile(
    r"(?<=[a-z,;:\d] )(?P<a>[A-Z][a-z]+(?: [A-Z][a-z]+)*)|(?P<b>[A-Z][a-z]+(?: [A-Z][a-z]+)+)"
    r"|(?P<c>[A-Z]{2,})"
)
COMMON_WORDS: Final = frozenset(
    """
    the user users assistant he she they it we i a an and but if when after before no not yes all each
    january february march april may june july august september october november december monday
    tuesday wednesday thursday friday saturday sunday ok id url api pdf csv json am pm todo usd cny eur
    """.split()  # noqa: SIM905 (a table of words)
)


def find_names(text: str) -> list[str]:
    """The names in a text, Chinese ones folded, in no particular order; one may stand twice."""
    folded = fold_aligned(text).translate(_QUOTES)
    names = [match[match.lastgroup or 0] for match in _NAME_ZH.finditer(folded)]
    return names + [match[match.lastgroup or 0] for match in _NAME_EN.finditer(text)]
