"""The words of answers: yes, no, acknowledgement, picks, and what shows that a message is no answer."""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from typing import Final

_SOFT: Final = r"(?:[\s,，.。!！~～、]|好的?|嗯+|哦+|噢|啊|呀|哈|吧|的|了|哟|啦|谢谢你?|多谢|辛苦了?|麻烦了?|请|那就|那|就|没问题|行(?=[\s,，])|no\s+problem|okay|ok|thanks|thank\s+you|thx|please(?!\s+do\b)|pls|oh|ah|well|then|great|perfect|good|cool|,)*+"
_YES: Final = (
    r"(?:that's\s+(?:right|correct|it)|both(?:(?:\s+are)?\s+(?:correct|right|fine|good|ok)|\s+of\s+them)?|all(?:\s+of\s+them|\s+(?:correct|right\s+ones))|that\s+is\s+(?:right|correct)|"
    r"(?:两个|两条|三个|三条|这些|全部|全|都)都?(?:是)?(?:对的?|确认|可以|要|保存|存下来|存|记下来|记下|记住|记|改|更新)|works\s+for\s+me|sounds\s+good|save(?!\s+(?:it|them|that)\b)|record\s+(?:it|them|that)|note\s+(?:it|that)\s+down|"
    r"(?:要|可以|帮我)?(?:保存|存|记)(?:一下|下来|下|起来)?|要的?(?![^\s，,。.!！])|改(?![^\s，,。.!！吧了])|"
    r"update\s+(?:it|them|that)|you(?:'re|\s+are)\s+right|save\s+(?:it|them|that)|确认(?:无误|更新|修改|保存|改|一下)?|change\s+(?:it|that)|yes\s+to\s+(?:both|all)(?:\s+of\s+(?:them|these|those))?|go\s+for\s+it|"
    r"sounds\s+right|affirmative|absolutely|definitely|do\s+(?:it|that|so)|sure(?:\s+thing)?|confirm(?:ed)?|对(?!不起|了|方|面|比|于)|of\s+course|i\s+confirm|"
    r"please\s+do|approved?|it\s+should|correct|exactly|go\s+ahead|就?这么(?:改|办|定|记|存)|indeed|i\s+agree|agreed|right|是(?!吗|不是)|存下来吧|就?这样改|当然可以|行，?改吧|按这个来|照这个改|"
    r"全部确认|都是对的|yeah|it\s+is|可以的|更新吧|保存吧|记下吧|就?这样(?![\u4e00-\u9fff])|都可以|都确认|全都对|都没错|yes|yep|yup|没错|对的|是的|正确|可以|改吧|存吧|记吧|同意|当然|确定|肯定|都对|全对|y)"
)
_NO: Final = (
    r"(?:no\s+need(?:\s+to)?(?:\s+(?:save|keep|change|update)(?:\s+(?:it|that))?)?|not\s+necessary|no,?\s+thanks|不用(?:保存|改了|更新)|先不(?:用|存|记|保存|更新)|不了|确认不(?:改|存|保存|更新)|"
    r"don't(?:\s+(?:do|save|change|update|store|remember|bother))?(?:\s+(?:it|that|them))?|"
    r"do\s+not(?:\s+(?:do|save|change|update|store))?(?:\s+(?:it|that|them))?|that's\s+(?:wrong|not\s+right|not\s+it|incorrect)|"
    r"not\s+(?:right|correct|really|that|now|yet)|keep\s+(?:the\s+old\s+(?:one|value)|it\s+as\s+(?:it\s+)?is)|none(?:\s+of\s+(?:them|these))?|"
    r"leave\s+it(?:\s+as\s+(?:it\s+)?is)?|cancel(?:\s+(?:it|that))?|reject(?:\s+(?:it|that))?|never\s*mind|no\s+to\s+(?:both|all)|skip\s+(?:it|that)|"
    r"保持(?:原样|不变|原来的)|incorrect|forget\s+it|一[个条项][都也](?:不(?:对|要|是|用|记|存)|别[记改存])|[两三][个条]都(?:不(?:对|要|是|用|记|存)|别[记存改])|neither(?:\s+of\s+(?:them|these|those))?|还是原来的|wrong|不用更新|不要保存|不用记住|没有的事|维持原样|维持不变|nope|不是的|不可以|不需要|不同意|不确认|先不改|不用改|"
    r"不要改|别更新|不更新|不保存|别保存|不用存|不要存|不用记|不要记|别记住|不正确|不用管|都不对|都不是|都不要|全不对|nah|不对|不是|不要|不用|不必|不行|不改|别改|别存|不存|不记|别记|错了|取消|算了|no|错|否|n|不(?!是|知道|清楚|错))"
)
YES: Final = re.compile(rf"{_SOFT}(?:{_YES}{_SOFT})++")
NO: Final = re.compile(rf"{_SOFT}(?:{_NO}{_SOFT})++")
GOES_ON: Final = re.compile(
    r"[\s,，.。;；!！]+(?:(?:and\s+)?(?:also|btw|by\s+the\s+way)\b|另外|还有|顺便|对了)"
    r"(?!.*(?:[\d二三四五六七八九十百千万]|改|不对|错|别|但|不过|除|\b(?:but|not|don't|except|change|wrong|instead|make)\b)).*$",
    re.DOTALL,
)
"""Another request behind an answer, which takes nothing of it back: yes, and also show my schedule."""

ACKNOWLEDGE: Final = re.compile(
    r"(?:[\s,，.。!！~～、👌👍🙏]|好滴|好嘞|好吧|好呀|好的?|嗯+|哦+|噢|行吧?|成|收到|知道了|明白了?|了解了?|懂了|谢谢你?|多谢|谢了|谢谢啦|辛苦了?|感谢|没事|没问题|晓得了|得嘞|啊|呀|哈|吧|了|的|啦|ok(?:ay)?|k|kk|thanks|thank\s+you|thx|ty|cheers|got\s+it|i\s+see|noted|understood|alright|all\s+right|fine|cool|great|nice|good|perfect|awesome|hm+|mhm|uh-?huh|oh|ah|very\s+much|so\s+much|a\s+lot|no\s+problem|makes\s+sense|then|well)++"
)

ORDINALS: Final = {
    **{f"第{ch}个": place for place, ch in enumerate("一二三四五", 1)},
    **{f"第{ch}条": place for place, ch in enumerate("一二三四五", 1)},
    **{f"第{ch}项": place for place, ch in enumerate("一二三四五", 1)},
    **{f"第{place}个": place for place in range(1, 6)},
    **{f"第{place}条": place for place in range(1, 6)},
    **{f"第{ch}": place for place, ch in enumerate("一二三四五", 1)},
    "前一个": 1,
    "前面那个": 1,
    "后面那个": -1,
    "前者": 1,
    "后者": -1,
    "后一个": -1,
    "最后一个": -1,
    "最后一条": -1,
    "头一个": 1,
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "last": -1,
    "former": 1,
    "latter": -1,
    "1st": 1,
    "2nd": 2,
    "3rd": 3,
    "1": 1,
    "2": 2,
    "3": 3,
    "4": 4,
    "5": 5,
}
_PLACE: Final = "|".join(sorted(map(re.escape, ORDINALS), key=len, reverse=True))
ORDINAL: Final = re.compile(_PLACE)
CHOOSING: Final = re.compile(
    r"(?:[\s,，.。!！、~]|和|跟|及|只|就|把|请|那|的|了|吧|要|选|是|好|一下|忘掉|忘了|忘记|忘|删掉|删除|删了|删|去掉"
    r"|\b(?:and|just|only|the|please|ok|okay|number|one|ones|item|forget|delete|remove|drop|erase)\b|&)*+"
)
"""What may stand around the places that an answer picks: 忘掉第二个, "the first and third, please"."""

ALL_OF_THEM: Final = re.compile(
    r"[\s,，.。!！]*(?:好的?|嗯|是的?|对的?|没错|确定|可以|请|那就|就)*[\s,，]*(?:[两三四五几]个都|[两三四五几]条都|全部都?|全都|都|所有的?都?)(?:要|给我|帮我|一起)*(?:忘掉|忘了|忘记|忘光|忘|删掉|删除|删光|删了|删|去掉|清掉)?(?:吧|了|的)*[\s.。!！]*"
    r"|\s*(?:yes|yeah|yep|sure|ok|okay)[\s,]+(?:please\s+)?(?:forget|delete|remove|erase|drop)\s+(?:everything|the\s+lot)[\s.!]*"
    r"|\s*+(?:yes|yeah|yep|sure|ok|okay)?+[\s,]*+(?:please)?+[\s,]*+(?:(?:forget|delete|remove|erase|drop)\s+)?(?:it\s+all|all(?:\s+of\s+(?:them|these))?|both(?:\s+of\s+them)?|every\s+one(?:\s+of\s+them)?|them\s+all)(?:\s+please)?[\s.!]*"
)
_REST_ZH: Final = r"(?:其余|其他|其它|别的|剩下|余下|另外)(?:的|几|两|所有|全部|个|条|那|些)*"
_REST_EN: Final = r"(?<![a-z])(?:rest(?:\s+of\s+(?:them|these|those))?|others)(?![a-z])"
_REST_ONE: Final = r"另外?一[个条项]|(?<![a-z])other(?![a-z])"
REST: Final = re.compile(rf"(?P<one>{_REST_ONE})|{_REST_ZH}|{_REST_EN}")
"""What an answer means beside what it names: 另一个, "the rest"."""

_VERBS_EN: Final = (
    r"keep|save|store|remember|retain|drop|delete|remove|forget|erase|discard|toss|throw\s+(?:out|away)"
)
_VERBS_ZH: Final = r"保留|留着|留下|留|保存|存|记住|记|删掉|删除|删了|删|忘掉|忘记|忘了|忘|去掉|丢掉|扔掉"
DROPS: Final = re.compile(r"删|忘|去|丢|扔|drop|delete|remove|forget|erase|discard|toss|throw")
KEEPS: Final = re.compile(r"存|留|记|\b(?:keep|save|store|remember|retain)\b")
PICK_BREAK: Final = re.compile(
    rf"[，,;；。]|\s+but\s+|(?<=[1-5](?:对|要|行))\s*(?=[1-5])|(?<=[1-5]不[对要行是])\s*(?=[1-5])"
    rf"|(?<=[1-5]\s(?:yes|not))\s+(?=[1-5])|(?<=[1-5]\s(?:no|ok))\s+(?=[1-5])"
    rf"|\s+and\s+(?=(?:no|not|yes|{_VERBS_EN}|the\s+(?:first|second|third|last|other|rest))\b)|但是?|而"
)
PICK_JOIN: Final = re.compile(r"(?:[\s和、跟&,]|and|the|ones?)*")
_ZH_NO: Final = r"不对|不是|不要|不用|不行|错了?|不改|不确认|不正确|不需要|不保存|别改|别存|先不|取消|算了|否"
_ZH_YES: Final = r"没错|对的?|是的?|可以|确认|要|正确|保存|改吧?|存吧?|行|同意|记吧?"
_ONE: Final = rf"{_PLACE}|{_REST_ONE}|{_REST_ZH}|{_REST_EN}"
_SOME_ZH: Final = rf"(?P<which>(?:{_ONE})(?:(?:和|、|跟)(?:{_ONE}))*)"
_SOME_EN: Final = rf"(?:the\s+)?(?P<which>(?:{_ONE})(?:\s+(?:and|&)\s+(?:the\s+)?(?:{_ONE}))*)(?:\s+ones?)?"
FATES: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"[那就请只也]*+(?P<no>别|不要|不用|不)?(?P<verb>{_VERBS_ZH}){_SOME_ZH}(?:就行|就好|吧|了|的)*",
        rf"[那就把只请]*+{_SOME_ZH}(?:请|就|都|可以|也|全部|全|给我|帮我)*(?P<no>别|不要|不用|不)?(?P<verb>{_VERBS_ZH})(?:下来|下|掉|着|吧|了|的)*",
        rf"(?:yes|ok(?:ay)?|please|just|only|\s)*+(?P<no>don't\s+|do\s+not\s+|never\s+)?(?P<verb>{_VERBS_EN})\s+(?:only\s+|just\s+|all\s+)?{_SOME_EN}(?:\s+(?:please|only))*",
    )
)
"""Keeping and dropping mean the same whatever was asked: 保留第一个, "drop the rest"."""

_NOUN_ZH: Final = r"[\u4e00-\u9fff]{2,8}?"
_NOUN_EN: Final = r"[a-z][a-z\s-]{2,24}?"
EXCEPTIONS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"除了?(?P<which>{_PLACE}|{_NOUN_ZH})(?:以外|之外)?[，,]?(?:其余的?|其他的?|别的)?(?:我|就)*(?:全部|全|都)(?:(?P<no>不要|不对|不用|不存|不记)|可以|对|要|没错|行|好|记|存|保存|留)(?:下来|下|着|了|的|吧)*",
        rf"(?:都|全部?)(?:要|对|可以|没错|确认)的?[，,]\s*(?:但|就|只)?(?:是)?除了(?P<which>{_PLACE})",
        rf"(?:都|全部?)(?:要|对|可以|没错|确认)的?[，,]\s*(?:但|就|只)?(?P<which>{_PLACE})除外",
        rf"(?:yes[\s,]+)?(?:to\s+)?(?:(?:save|keep|confirm)\s+)?(?:all(?:\s+of\s+(?:them|these))?|both|everything)\s+(?:but|except(?:\s+for)?|besides)\s+(?:(?:the\s+)?(?P<which>{_PLACE})(?:\s+one)?|(?P<noun>(?:the|my|our)\s+{_NOUN_EN}))",
    )
)
"""All but one of what was asked: 除了第一个都要, "all except the second"."""

PICKS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?P<which>(?:{_ONE})(?:(?:和|、|跟)(?:{_ONE}))*)(?:是|都|就|我)*(?:(?P<no>{_ZH_NO})|{_ZH_YES})(?:了|的|吧|啊)*",
        rf"[就只]*+(?P<which>(?:{_ONE})(?:(?:和|、|跟)(?:{_ONE}))*)(?:就(?:好|行|可以|够)|吧|了)*(?P<no>(?!))?",
        rf"只(?:确认|要|改|保存|同意|记住?|存|留)(?P<which>{_NOUN_ZH})(?P<no>(?!))?(?:就(?:好|行|可以)|了|吧)*",
        rf"(?:(?P<no>不要|不用|别改|不确认|取消|拒绝|不保存)|只?(?:确认|要|改|保存|同意))(?P<which>(?:{_ONE})(?:(?:和|、|跟)(?:{_ONE}))*)(?:了|吧)*",
        r"(?P<which>[\u4e00-\u9fff]{2,8}?)(?:是|都|就|的)*(?:(?P<no>不对|不要|不用改|错了|不改|不用|别改|不确认)|没错|对的?|确认|可以|正确|改吧)(?:了|的|吧|啊)*",
        rf"(?:yes|yep|yeah|ok|confirm|accept|save)?[\s,:]*(?:(?:to|for)\s+)?(?:(?:only|just)\s+)?(?:the\s+)?(?P<which>(?:{_ONE})(?:\s+(?:and|&)\s+(?:the\s+)?(?:{_ONE}))*)(?:\s+ones?|\s+two)?(?:\s+(?:is|are))?(?:\s+(?P<no>no|wrong|not(?:\s+\w+)?|incorrect)|\s+(?:yes|right|correct|ok|fine|only))?(?:[\s,]+please)?",
        rf"(?P<no>no|not|reject|don't\s+\w+|cancel|skip|hold\s+off(?:\s+on)?)[\s,:]*(?:(?:to|for)\s+)?(?:the\s+)?(?P<which>(?:{_ONE})(?:\s+(?:and|&)\s+(?:the\s+)?(?:{_ONE}))*)(?:\s+ones?)?",
        r"(?:yes|yep|yeah|confirm|accept|save|ok)\s+(?:(?:to|for|on)\s+)?(?:only\s+)?(?:the|my)\s+(?P<which>[a-z][a-z\s-]{2,24}?)(?P<no>(?!))?(?:\s+only)?",
        r"(?P<no>no|not|reject|skip|don't\s+\w+)\s+(?:(?:to|for|on)\s+)?(?:the|my)\s+(?P<which>[a-z][a-z\s-]{2,24}?)",
        r"(?:the|my)\s+(?P<which>[a-z][a-z\s-]{2,24}?)\s+(?:is|are)\s+(?:(?P<no>wrong|not\s+\w+|incorrect)|right|correct|fine|ok)",
    )
)

UNSURE: Final = re.compile(
    r"(?:对不对|好不好|是不是|行不行|可不可以|(?:没错|是|对|可以|行|正确)吧)[\s。.!！~～]*$"
    r"|^\W*(?:应该|好像|大概|也许|可能|似乎|我?(?:觉得|感觉|猜|想))(?:是|都)?(?:对|没错|可以|正确|行)"
    r"|^\W*(?:i\s+(?:think|guess|suppose)|maybe|probably|perhaps)\b",
    re.IGNORECASE,
)
"""Half an answer, or a question: nothing is saved, changed or deleted on it."""

FIRST_TWO: Final = re.compile(
    r"(?P<zh>[前头](?:两|二|2)(?:个|条|项))|\bfirst\s+(?:two|2)\b(?:\s+(?:ones?|of\s+them))?"
)
FILLER: Final = re.compile(
    r"(?:[\s,，.。!！~]|好的?|嗯+|哦+|噢|啊|呃|那个|对了|行|可以|没问题|这样|知道了|明白了?|收到|了解了?|稍等|我看看|我查一下|你好|ok|okay|sure|yes|yeah|yep|right|well|um+|uh+|oh|ah|i\s+see|got\s+it|understood|let\s+me\s+(?:see|check)|hi|hello|thanks|of\s+course)*+"
)
ANSWER_LEAD: Final = re.compile(
    r"(?:[\s,，:：]|好的?|嗯+|哦+|噢|那|应该|就|大概|可能|暂时|目前|现在|我的|我们的?|咱们的?|是|为|叫|填|写|用|按|选|在|改到|改成|改为|延到|推迟到|提前到|它|他|这个|那个|定在|定为"
    r"|(?:ok|okay|sure|well|um+|oh|so|yes|yeah)\b|(?:it|that|this)(?:'s|\s+is|\s+was|\s+should\s+be|\s+would\s+be|\s+will\s+be)\b|it'd\s+be\b|i\s+think\b|i\s+guess\b|probably\b|maybe\b|we(?:'re|\s+are)\s+(?:in|at|on)\b|i(?:'m|\s+am)\s+(?:in|a|an|the)\b|make\s+it\b|let's\s+say\b|my\b|our\b|about\b|around\b|put\b|use\b|the\b|is\b)*+"
)
NO_ANSWER: Final = re.compile(
    r"不知道|不清楚|不确定|不晓得|没有(?!误)|还没|暂无|暂时没|没定|未定|待定|稍后|晚点|回头|以后再|再说|忘了|忘记|记不清|想不起|不方便|不想|不告诉|保密|跳过|为什么|干嘛|你猜|随便|都行|不重要|无所谓|先不|不用|不是"
    r"|\b(?:don't|do\s+not)\s+(?:know|have|remember|want)\b|\bnot\s+(?:sure|yet|decided|available|relevant|now)\b|\bno\s+(?:idea|clue)\b|\bnone\b|\blater\b|\btbd\b|\bunknown\b|\bforgot\b|\bcan't\s+(?:say|remember|recall)\b|\bskip\b|\bwhy\b|\bhaven't\b|\bisn't\b|\bwhatever\b|\bdoesn't\s+matter\b|\bn/a\b|\bnot\s+going\s+to\b|\bnever\s*mind\b|\bwon't\b"
)
NOT_PLAIN: Final = re.compile(
    r"(?:帮|请|麻烦|给我|能|可以|能否|你|您|我想|我要|先|再|不|没|别|对了|另外|换个|继续|看看|查|算|写|今天|明天|昨天|谢|好的?$|嗯+$|哦+$|是的?$|对$|行$|确认$|没错|嗨|早|晚上好|你好|记住|忘|删|取消|如果|假如"
    r"|(?:please|can|could|would|will|what|why|how|who|when|where|which|do|does|is|are|should|help|let's|let|i\s+(?:want|need|would|don't)|never|no|nope|yes|yeah|ok|okay|sure|thanks|thank|hi|hello|hey|show|tell|give|write|find|check|remember|forget|delete|if|by\s+the\s+way|also|first|wait|sorry|good|not)\b)"
)
SENTENCE_LIKE: Final = re.compile(r"我们?(?!司)|你|他|她|怎么|什么|吧$|\b(?:i|i'm|we|you|he|she|they|it)\b")
NEAR_SHAPE: Final = re.compile(
    r"(?:[\s,，.。!！:：（）()\"“”~]|好的?|嗯+|哦+|噢|啊|呃|那个|这个|应该|就|是|为|叫|编号|号码|号|邮箱|手机|电话|订单|项目|查到了?|找到了?|我查了?一下|给你|发你|你记一下|记一下|的|了|吧|哈|我|我们|它|谢谢|稍等|您看|看"
    r"|\b(?:ok|okay|sure|it|it's|that's|is|the|id|number|code|no|project|order|email|phone|i|think|found|here|you|go|should|be|would|my|our|one|yes|yeah|well|um|oh|so|let|me|check|see|hold|on|please|thanks|here's|got)\b|')*+"
)
IDENTIFIER_TAIL: Final = re.compile(
    r"(?:编号|号码|号|代码|代号|id|标识|名称|日期)$|\s+(?:id|number|code|no\.?|identifier|name|date)$"
)
