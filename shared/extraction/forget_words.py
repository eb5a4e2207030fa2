"""What may be cut from both ends of a thing to forget: 关于体检的那条记忆 -> 体检, about my diet -> diet."""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from typing import Final

FORGET_LEAD: Final = re.compile(
    r"(?:了|掉|吧|(?:所有)?(?:关于|有关)|我们?(?=的)|的|你?所?(?:记得|记住|知道|了解|记(?=的))|(?:你的)?记忆(?:里|中))*+"
    r"(?:(?:about|of|on|for|what's\s+in\s+your\s+memory|what|everything|anything|all|that|the fact that|the)\s+)*(?:(?:you|i)(?:'ve)?\s+(?:(?:have|just|ever)\s+)*(?:know|remember|remembered|stored|saved|noted|kept|have|said|mentioned|told\s+you)\s+(?:stored\s+|saved\s+|on\s+file\s+)?)?(?:(?:about|of|on|for)\s+)?(?:(?:my|our|the)\s+)?"
)
FORGET_MEMORY: Final = re.compile(
    r"\s*(?:the|that|any|your|all|every)?\s*(?:memor(?:y|ies)|notes?|records?|entry|entries|info|information|data|details)\s+(?:about|on|of|that|regarding)\s+(?:my\s+|me\s+)?"
)
_TAIL_ZH: Final = r"的?(?:(?:那|这)(?:一)?(?:条|些|个|件)|所有|全部)?的?(?:记忆|记录|信息|内容|资料|事情?|事儿|这件事|那件事|这事|数据)|了|(?<![网酒贴茶书氧水])吧|啊|哦|呀|(?<!目)的|啦|好吗|可以吗|行吗|掉"
_TAIL_EN: Final = r"\s*\b(?:please|now|ok|thanks|anymore|any\s+more|any\s+longer|from\s+(?:your\s+)?memory|completely|for\s+good|too|as\s+well|will\s+you)"
FORGET_TAIL: Final = re.compile(rf"(?:{_TAIL_ZH}|(?<![成首丰京古帝])都|{_TAIL_EN})++$")
FORGET_TAIL_BEHIND: Final = re.compile(rf"(?:{_TAIL_ZH}|{_TAIL_EN})++$")
"""The same of a thing named behind the verb, where 都 means no "all": 忘掉我住在成都."""

NOT_FORGOTTEN: Final = re.compile(
    r"\s*(?:了)?(?:烦恼|过去|不愉快|不开心|不快|痛苦|伤心|悲伤|忧愁|自我|时间|疲劳|他吧|她吧|密码|带|说|吃|做|拿|写|关(?!于)|锁|告诉|跟|和你|给|买|交|问|回|提|加|打|付|发|保存|设置|怎么|初心|我吧|我是谁|我$|吧$)"
)
ASKS_FOR_IT: Final = re.compile(r"请|麻烦|劳烦|劳驾|拜托|帮我|替我|\b(?:please|pls|plz|kindly)\b")
TELLS_OF_FORGETTING: Final = re.compile(
    r".{0,20}你(?:们|又|都|也|就|已经|居然|竟然|怎么)*忘(?:记|了).*(?<!吧)|(?:(?!可以|能|该|掉|吧).)*忘(?:记|却)[^吧]*了[!！~～。\s]*",
    re.DOTALL,
)
"""你忘了我的生日 and 忘记我的生日了 complain or confess; 忘了我的生日吧 asks for it."""
NO_THING: Final = re.compile(
    r"^\s*(?:[带填改查看问发定订约写输买拿取交给设调换标算数背读用做打开关上去把被跟和向对为让要]|核对|确认|登记|保存|备份|安排|通知|提交|预[约定]|检查|记录|更新|更改|修改|添加|提醒|注明|准备|说明|交代|考虑|注意|告诉|回复|报(?!销|价|告|名|表|备))"
    r"|[了过吗呢么]\s*$|了|(?:是|叫|在)(?:什么|谁|哪|几|多少)|[他她它]|不|没"
    r"|\b(?:and|or|but|to|it|him|them|is|are|was|were|if|when|because|all|every|about|so|this|these|those|tomorrow|today|yesterday)\b"
)
"""What no plain name of a thing holds: an action left undone, what slipped the mind, a sentence."""
SAID_LEAD: Final = re.compile(
    r"^(?:(?:我|咱)?(?:们)?(?:刚才|刚刚|之前|上次|前面|先前)?(?:跟你|和你|对你)?(?:说|提|讲|聊|告诉你|给你|给|留)(?:过|到)?的(?:那个|我的)?|(?:i|we)\s+(?:just\s+)?(?:said|mentioned|told\s+you|gave\s+you)\s+(?:about\s+)?(?:my\s+)?)"
)
OWN_MEMORY: Final = re.compile(r"我|你|记忆|\b(?:me|my|you|your|memor(?:y|ies))\b")
"""To delete all records is daily work; to delete all my records is a wipe."""
TOPIC_FRAME: Final = re.compile(
    r"^\s*(?:对了|另外|还有|至于|关于|从|在|那|so|and|also|about|as\s+for|from|in)(?:[\s,，]+|(?=[\u4e00-\u9fff]))|(?:这一?[项栏条块个]|那一?[项栏条块个]|字段|嘛|呢|吧|里面?|中|上|\s+field)$"
)
"""What may stand around a field that is named before it is set: 截止日期这一项，设为5月6日."""
