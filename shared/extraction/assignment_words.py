"""The words between a label and its value, and those that may stand around a value without changing it.

预算(上限)(控制在)(50万)(以内), the deadline (has been moved to) (Friday). All patterns are for folded text.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from typing import Final

FIRST_PERSON: Final = re.compile(
    r"(?:(?:我(?:自己|个人|本人)?|本人|自己|咱|俺)[的得]?|my(?:\s+own)?\s+)?(?:(?:现在|目前|当前|最新|新|常用|正确|真实)的?"
    r"|(?:new|current|latest|correct|actual|real|own|updated)\s+)*"
)
COMPANY: Final = re.compile(
    r"(?:我们|咱们|我|咱|本)?(?:公司|司|企业|单位|机构|团队)?的?(?:现在|目前)?的?"
    r"|(?:(?:my|our|the|company|company's|firm's|business|business's)\s+)*"
)
BUSINESS: Final = re.compile(
    r"(?:我们?|咱们?|本)?(?:这边|这里|那边)?的?(?:本次|这次|此次|这个|这笔|这份|该|此|本|整个|当前|目前|现在|最新|最终|新|总)?的?"
    r"(?:项目|合同|任务|订单|活动|差旅|出差|方案|采购|工程|公司|团队|部门)?的?(?:总|最新|新|最终)?的?"
    r"|(?:(?:my|our|the|this|that|your|new|current|latest|final|updated|overall|total|project|project's|company|task"
    r"|contract|contract's|correct|actual|travel|trip)\s+)*"
)
EVERYDAY_NOUNS: Final = frozenset({"title", "position", "角色"})
"""Labels that name a thing of any page too: "set the title to bold" is none of the user's."""

NOUNS_OF_WORK: Final = EVERYDAY_NOUNS | {
    "scope",
    "stage",
    "phase",
    "阶段",
    "name",
    "名字",
    "role",
    "行业",
    "industry",
}
"""Labels that an order may say of the work at hand as well: 把名字改成小写, "set the scope to global"."""
OF_A_THING: Final = re.compile(
    r"\s+of\s+(?!(?:the\s+|this\s+|our\s+|my\s+)?(?:project|company|task|contract|work)\b)"
)
"""The scope of this variable, the stage of the rocket."""
OWNER: Final = re.compile(
    r"我|咱|项目|合同|任务|工程|公司|团队|部门|\b(?:my|our|project|company|task|contract)\b"
)

LEAD_IN: Final = re.compile(
    r"[\s，,：:；;、\-—*•]*(?:(?:那么?|就是|就|即|对了|另外|还有|其中|以及|和|顺便|而且|并且|同时|也|从(?:现在|今天|今)(?:起|开始|以后|往后)?|从此(?:以后)?|以后|今后|往后|说一下|是|说)[，,：:\s]*"
    r"|(?:that|from\s+(?:now|here|today)\s+on|going\s+forward|henceforth|and|also|so|then|well|by the way|btw|fyi|the fact that|now|please|actually|plus)[\s,:]+"
    r"|\d{1,2}[.、)）]\s*)*"
)

CHANGE_LEAD: Final = re.compile(
    r"(?:(?:请|麻烦|帮我|帮忙|给我|我想|我要|现在|我们)*(?:把|将)(?:原来的|之前的)?"
    r"|(?:(?:please|let's|can\s+you|could\s+you|we|i)\s+(?:want\s+to\s+|need\s+to\s+|should\s+|have\s+to\s+)?)?"
    r"(?P<change>change|move|raise|increase|lower|reduce|cut|push(?:\s+back)?|bump(?:\s+up)?|adjust|switch|make|extend"
    r"|postpone|shift|revise|drop|bring|delay)\s+)"
)

_ADVERBS_ZH: Final = (
    r"(?:从(?:现在|今天|今)(?:起|开始)|现在起|请|麻烦|帮我|给我|现在|目前|当前|如今|已经?|应该|大概|暂时|初步|最终|最后|最好|就|都|也|要|需要?|必须|可以|能|先|统一|直接|重新|又|被|给|再|均|一律"
    r"|从[^，,。]{1,14}?(?=[改调变降涨提升增减延推压加缩换])|由[^，,。]{1,14}?(?=[改调变降涨提升增减延推换]))*"
)
_CHANGE_ZH: Final = (
    r"(?:更|修)?改(?:成|为|到|回)|调整?(?:成|为|到|整到|整为|至)|调(?:高|低|升|降)(?:到|至|为)|变(?:成|为|更为|到)|变更(?:成|为|到)"
    r"|换(?:成|为|到)|(?:增加|提高|提升|上调|上升|涨|升|提|追加|扩大|加)(?:到|至|为)|(?:降低?|减少|下调|压缩|缩减|砍|减)(?:到|至|为|成)"
    r"|(?:推迟|延迟|延后|延期|延长|延|提前|顺延|挪|移|搬)(?:到|至|为)"
)
_SET_ZH: Final = (
    r"设(?:为|成|定为|置为|置成|定成|到|在)|定(?:为|成|在|到|于)|记(?:为|成|作)|(?:保|留)?存(?:为|成)|登记(?:为|成)|填(?:为|成|写为)"
    r"|更新(?:为|成|到|至)|更正(?:为|成)|修正(?:为|成)|标(?:记)?(?:为|成)|写(?:为|成)|确定(?:为|在)|锁定(?:为|在)"
)
_IS_ZH: Final = (
    r"(?:暂|初)?定(?:的)?(?:是|为)|控制(?:在|到)|不(?:能|得|可|要|应|会)?(?:超过|高于|大于|超|晚于|迟于|多于)|别超过|限(?:制)?(?:在|为|于)|卡在"
    r"|就?是|为|叫做?|等于|[:：=＝]|在|有|给到?|按照?|(?:只|最多|最高|最晚|最迟|至多|顶多)(?:是|为|有|到)?|共|总共|一共|合计"
)
LINK_ZH: Final = re.compile(
    rf"\s*(?:的?(?:话|上限|金额|额度|总额|数额)|里|中)?\s*[，,]?\s*(?:（[^）]{{0,20}}）)?{_ADVERBS_ZH}\s*"
    rf"(?:(?P<change>{_CHANGE_ZH})|(?P<set>{_SET_ZH})|(?P<is>{_IS_ZH})|(?P<bare>))了?\s*[:：]?\s*"
)

_CHANGE_EN: Final = (
    r"(?:(?:has|have|had)\s+)?(?:been\s+|was\s+|were\s+|is\s+|are\s+|got\s+|gets\s+|being\s+)?(?:now\s+)?"
    r"(?:chang(?:ed?|es|ing)|mov(?:ed?|es|ing)|push(?:ed|es)?(?:\s+back|\s+out)?|rais(?:ed?|es)|increas(?:ed?|es)"
    r"|reduc(?:ed?|es)|lower(?:ed|s)?|cut|drop(?:ped|s)?|went(?:\s+up|\s+down)?|go(?:es)?(?:\s+up|\s+down)?|shift(?:ed|s)?"
    r"|postpon(?:ed?|es)|extend(?:ed|s)?|adjust(?:ed|s)?|switch(?:ed|es)?|delay(?:ed)?|brought\s+forward"
    r"|bump(?:ed|s)?(?:\s+up)?|revis(?:ed?|es)|becomes?|became|grown?|grew|updated|corrected)"
    r"(?:\s+from\s+[^,.;]{1,30}?)?(?:\s+(?:to|until|till|into)|(?<=becomes)|(?<=become)|(?<=became))\b"
    r"|(?:is|are|'s|'re)\s+(?:now|from now on)\b"
)
_IS_EN: Final = (
    r"(?:is|are|was|'s|will\s+be|would\s+be|should\s+be|must\s+be|has\s+to\s+be|can(?:not|'t|\s+not)\s+exceed"
    r"|must\s+not\s+exceed|should\s+not\s+exceed|shouldn't\s+exceed|won't\s+exceed|needs\s+to\s+be|equals)\b"
    r"(?:\s+(?:set|fixed|capped|limited|currently|still|kept|going\s+to\s+be)\b)*(?:\s+(?:at|to|on|by|as|for)\b)?"
    r"|from\s+[^,.;]{1,30}?\s+to\b|[:=＝：]|(?:->|→|=>)|\b(?:of|at|to|as|with|by|on)\b"
)
LINK_EN: Final = re.compile(
    r"\s*(?:\([^)]{0,30}\)\s*)?(?:(?:for|of|on|in)\s+(?:the\s+|this\s+|my\s+|our\s+)?(?:(?!is\b|to\b|at\b|as\b|was\b|[\d$¥])"
    r"[\w-]+\s+){1,4}?)?(?:limit\s+|amount\s+|value\s+|field\s+)?"
    rf"(?:(?P<change>{_CHANGE_EN})|(?P<set>(?!))|(?P<is>{_IS_EN})|(?P<bare>))\s*:?\s*"
)

BEFORE_NUMBER: Final = re.compile(
    r"(?:大约|大概|约|差不多|将近|接近|人民币|最多|最高|不超过|不能超过|上限|只有|总共|一共|共|就|是|为|到|在|每人|每个人|人均|按|成|了|才|仅|整整|至多|顶多"
    r"|about|around|approximately|approx\.?|roughly|at most|up to|no more than|not more than|maximum|max|max\.|under"
    r"|within|below|less than|a total of|exactly|only|just|capped at|an\b|at\b|a\b|to|now|rmb|cny|usd|eur|us|the|be|[\s¥￥$€£:：~≈\"'“])*+"
)
AFTER_NUMBER: Final = re.compile(
    r"(?:元|块|圆|才[对行是好]|人民币|美元|整|以内|之内|以下|内|左右|上下|封顶|为限|为上限|吧|了|哈|啊|哦|呀|的|就行|就好|就可以|就够了?|即可|每人|一人|一个人|人|/人|/位|每位"
    r"|per\s+(?:person|head|capita)|a\s+(?:head|person)|each|/\s*person|/\s*head|in\s+total|total|max(?:imum)?|tops|or\s+(?:less|so|below)"
    r"|at\s+most|instead|please|thanks|thank\s+you|now|from\s+now\s+on|going\s+forward|then|all\s+in|dollars?|yuan|rmb|cny|usd|eur"
    r"|不变|不能再多|不含税|含税|预算|的预算|[\s。.!！~～)）\"'”])*+"
)
BEFORE_DATE: Final = re.compile(
    r"(?:在|到|至|最晚|最迟|不晚于|不迟于|是|为|于|了|就|定|the|on|by|before|until|till|no later than|at|is|to|be|due|now|end of day"
    r"|[\s:：\"'“(（])*+"
)
AFTER_DATE: Final = re.compile(
    r"(?:之前|以前|前|才[对行是好]|当天|那天|下班前?|中午|下午|上午|晚上|早上|凌晨|零点|截止|截至|为止|为准|完成|交付|交|到期|吧|了|哈|啊|哦|呀|的|这天|就行|周[一二三四五六日天]"
    r"|[\d:：]{1,5}\s*(?:点|时|:|：)?半?(?:am|pm|a\.m\.|p\.m\.)?|at|noon|midnight|eod|end of day|morning|afternoon|evening"
    r"|instead|please|thanks|thank\s+you|now|latest|at the latest|sharp|[\s。.!！~～)）(（,\"'”])*+"
)
DAY_FIRST: Final = re.compile(
    r"(?:就|也)?(?:是)?(?:我们的?|项目的?|最终的?)?(?:截止日?期?|deadline|到期)(?:了|吧|哈)*\s*$"
    r"|\s+is\s+(?:the|our|my)\s+(?:final\s+)?(?:deadline|due\s+date)\s*$"
)
TAIL_ZH: Final = re.compile(
    r"(?:吧|啊|哦|喔|呀|哈|嘛|噢|哟|啦|就行|就好|就可以了?|即可|才对|谢谢|多谢|拜托了?|(?<=[\u4e00-\u9fff\w])了)++$"
)
TAIL_EN: Final = re.compile(
    r"(?:[\s,]*\b(?:please|pls|thanks|thank\s+you|thx|ok|okay|instead|from\s+now\s+on|going\s+forward|now|then|for\s+me"
    r"|right|will\s+you|would\s+you|if\s+you\s+can|if\s+possible|too|as\s+well))+$"
)
REMARK: Final = re.compile(
    r"(?!(?<=day)\s?[（(][^()（）]*\d|(?<=[周期拜][一二三四五六日天])\s?[（(]\s?\d)\s*(?<!day\s)[（(](?![万千百亿元]|k\b|million|thousand|周[一-龥][）)]|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?[）)])[^（()）]{1,40}[）)](?=[\s。.!！~吧啊哦哈的了]*$)"
)
"""What brackets add to a value: 50万（含税）, 2024-07-01 (hard date)."""

SMILEY: Final = re.compile(r"\s*(?:[:;=]-?[)(dp]+|\^_?\^|[\u2600-\u27bf\U0001f300-\U0001faff])+\s*$")
NO_VALUE: Final = re.compile(
    r"(?:不|没|未|无法|什么|啥|谁|哪|多少|几[个号]|怎么|如何|为什么|待定|保密|随便|都行"
    r"|(?:一?个)?(?:秘密|谜|问题|难题|未知数|玩笑)\W*$|an?\s+(?:\w+\s+)?(?:secret|mystery|question|problem|mess|joke|guess|compromise|formality|moving\s+target)\W*$"
    r"|必填|必须|重要|错|对的|很|太|非常|有点|比较|够|足够|紧张|空"
    r"|(?:not?|what|who|where|when|how|which|why|unknown|tbd|undecided|pending|n/a|none|nothing|up\s+to\s+you|to\s+be"
    r"|never|isn't|wrong|missing|required|important|tight|too|very|quite|still|really|enough|so|optional)\b"
    r"|(?:on|at|in)\s+(?:the|a|my|your|our)\b)"
)

PREDICATE: Final = re.compile(
    r"(?:(?:already|now|all|almost|a bit|kind of|getting)\s+)*"
    r"(?:over|unclear|clear|gone|lost|taken|misspell?ed|misspelt|spelled|spelt|ok|okay|fine|ready|short|long|easy|hard|difficult|common|rare|weird"
    r"|temporary|permanent|competitive|booming|growing|thriving|struggling|boring|tiring|stressful|exciting|interesting|challenging|demanding|unusual|funny|nice|beautiful|great|good|bad|fake|real|private|secret|confidential|changing|(?:being|often|always|usually|sometimes|constantly|rarely)\s.*|taking\s(?:\w+\s)?(?:forever|long|ages|longer|time)|about\s+to\s.*|hard\s+to\s.*|easy\s+to\s.*)"
    r"|(?:已经?|都|就|快|有点|还)*(?:行|可以|好说|凑合|结束|完了|过了|过去|清楚|明确|模糊|重复|写错|拼错|好听|难听|好记|难记|一般|普通|保密|没了|丢了|取得很.*)了?"
)
"""My role is unclear, 阶段是结束了: what is said about a thing, and no value of it. The name Rich has a capital."""

PLACED: Final = re.compile(
    r"^(?!.*\b(?:set|fixed|changed?|moved?|switched)\b).*\b(?:is|are|was|'s|be)\s+(?:at|on|by|for|as|to)\s*:?\s*$|(?:^|[^设改定变换])在\s*$"
)
"""My name is on the list, 名字在名单上: where something stands is no name and no phase."""

NAME_CUE: Final = re.compile(
    r"(?:我(?:的名字)?(?:是|就)?叫(?:做)?|(?:你)?(?:可以|请|就)?(?:叫|称呼)我(?:为|做|作)?"
    r"|\b(?:please\s+)?call\s+me\b|\bmy\s+name's\b|\bi\s+am\s+called\b|\bi'm\s+called\b|\bi\s+go\s+by\b)\s*[:：]?\s*"
)
NO_NAME: Final = re.compile(
    r"(?:[了他她它你不过上醒来去起停]|外卖|车|人|什么|怎么|(?:when|if|at|on|in|to|back|later|tomorrow|again|now|asap|maybe|before|after|a|an|the"
    r"|about|for|anytime|any|once|by|up)\b)"
)
MONEY_CUE: Final = re.compile(
    r"预算|差旅|出差|标准|控制|上限|按|餐标|住宿|团建|budget|allowance|cap|limit|travel|per diem"
)
PER_PERSON: Final = re.compile(
    r"\s*(?:/\s*|每|per\s+|a\s+|each\s+)(?:人|位|person|head|capita)|每人|每个人|每位|人均|一人|per[\s-](?:person|head)"
)
PER_TIME: Final = re.compile(
    r"每(?:天|日|月|年|晚|次|餐)|/\s*(?:天|日|月|晚|次|day|night|month)|(?:per|a|each)\s+(?:day|night|month|week|meal)|daily"
)
LATER: Final = re.compile(
    r"\s+(?:and|plus)\s+(?:also\s+)?(?=(?:that\s+)?(?:my|our|the)\s)|\s*(?:和|以及|还有|另外)(?=我的|我们的|公司的|本次)"
)
