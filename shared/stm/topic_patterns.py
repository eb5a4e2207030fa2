"""How bans of topics and their liftings are said, Chinese and English. Read on folded clauses.

Each pattern of a ban has its `head`, what stands before the words that ban, and its `topic`. What keeps such
words from being a ban (questions, other people, other occasions) is in `ban_bars`.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from typing import Final

from shared.language.sieve import Sieve

_RAISE_ZH: Final = (
    r"(?:提起|提到|提及|提(?=前(?:女|男|夫|妻|任|公司|老板|同事|东家|上司))|提(?![供升醒前出交示取议问款成货车案炼速拔倡琴包神]|高(?![考中铁])|早(?![饭餐上])|(?:要求|意见|建议|条件|申请|异议)(?!的))"
    r"|聊起|聊到|聊聊|聊(?!天)|谈起|谈到|谈论|谈(?!恋爱|判|朋友|对象|生意|成|吐|得|不|价(?!格)|何容易|婚论嫁)"
    r"|说起|说到|讲起|讨论)"
)
"""Verbs of bringing up; 提前女友 is 提 + 前女友, 提前付款, 提早 and 提要求 are none."""

_MORE_ZH: Final = (
    r"(?:(?:再|老|总是?|继续|一直|又|主动|动不动就?|随便|[跟和同对]我们?|[跟和同对]咱们?|在我面前|你|了)*)"
)
BAN_ZH: Final = re.compile(
    r"(?P<head>(?:.*?(?:请|麻烦|你|您|以后|今后|永远|先|今天|现在|暂时|也|就|都|所以|那))?\s*)"
    rf"(?:(?:别|甭|(?<!要)不要|不许|不准|勿|莫|(?<!想)不想|(?<!愿)不愿意?|不希望|不打算|(?<!用)不用|停止|停下|禁止)"
    rf"|(?:没必要|没有必要|不必|无需|不需要|再也不)(?=再|[提聊谈])|(?<!能)不能(?=再|[跟和]我)"
    rf"|(?:(?<=先)|(?<=今天)|(?<=今晚)|(?<=暂时)|(?<=现在)|(?<=这次)|(?<=能不能)|(?<=可不可以)|(?<=可以)|(?<=能)|(?<=咱们)|(?<=我们)|(?<=请)|(?<=那就)|^)不(?=[再提聊谈说讨]))"
    rf"{_MORE_ZH}"
    rf"(?:{_RAISE_ZH}|(?:说|讲)(?=.*(?:事|话题|问题))|(?<=再)[说讲](?=(?P<bare>.+))|问(?:起|到|及)|问我(?:的|关于)?|(?<=再)问"
    r"|听(?:到|见|说|你[说提讲聊谈]|(?=.*(?:的事|话题)))(?:关于)?)"
    r"(?P<topic>.*)"
)
BAN_ZH_AFTER: Final = re.compile(
    r"(?P<topic>.+?(?:的?(?:事情?|话题|问题)))(?P<head>(?:就|也|以后|今后|先|今天|暂时|请|咱们?|我们|我|你)*)"
    r"(?:别|甭|(?<!要)不要|不许|不准|(?<!想)不想|(?<!用)不用|不必|没必要|(?:(?<=先)|(?<=今天)|(?<=暂时))不)再?(?:提|聊|谈|说|讨论|讲)"
)
BAN_ZH_LAST: Final = re.compile(
    r"^(?P<topic>.{1,20}?)(?P<head>(?:就|也|都|以后|今后|永远|先|今天|暂时|请|你|(?:我们?|咱们?)(?=[都也]?不[想愿]))*)"
    r"(?:别|甭|(?<!要)不要|不许|不准|(?<!用)不用|不必|没必要|(?:(?<=先)|(?<=今天)|(?<=暂时))不|(?:(?<=我)|(?<=们)|(?<=咱)|(?<=我都)|(?<=我也))不(?:想|愿意?))(?:再|老|总|跟我|和我)*"
    r"(?:提|聊|谈|讨论|(?<=再)[说讲])(?:起|到|及|论|它|了|啦|吧|呗|好吗|行吗|好不好|[\s。.!！])*$"
)
"""离婚别再提了: the topic's own word first, whatever it is called."""

_BAN_VERB_EN: Final = (
    r"(?:bring(?:ing)? up(?! the rear(?! \w))|bring(?:ing)?(?! up)|mention(?:ing)?|talk(?:ing)? (?:to me |with me )?about"
    r"|discuss(?:ing)?|ask(?:ing)? (?:me )?about|speak(?:ing)? (?:to me )?(?:of|about)"
    r"|hear(?:ing)? (?:anything )?(?:about|of)|chat(?:ting)? about|go(?:ing)? on about"
    r"|remind(?:ing)? me of)"
)
BAN_EN: Final = re.compile(
    r"(?P<head>.*?)\b(?:(?:(?:i|we)(?: really| still| just| honestly)? )?(?:don't|do not|no longer|never)(?: ever)? want(?: you| us)? to"
    r"|(?:i|we)(?:'d| would)(?: really| honestly| much)? (?:rather|prefer)(?: you| we)? (?:not|didn't|don't)(?: to)?"
    r"|(?:i|we) prefer not to|don't|do not|never|stop|quit|avoid|no more|let's not|let us not|must not|mustn't"
    r"|(?:(?<=can we )|(?<=can you )|(?<=could we )|(?<=could you )|(?<=mind )|(?<=please ))not|(?:(?<=told you )|(?<=asked you ))not to|no need to)"
    rf"(?: ever| again| keep| please| you| dare)* {_BAN_VERB_EN} (?P<topic>.+)"
)
BAN_TOPIC_EN: Final = re.compile(
    r"(?P<head>.*?)\b(?:(?:drop|avoid|skip|leave) (?:the|that) (?:whole )?(?:subject|topic|matter) of"
    r"|(?:steer|stay) (?:clear|away) (?:of|from) the (?:subject|topic) of"
    r"|no more (?:talk|chat|questions?|mentions?|discussion) (?:about|of)) (?P<topic>.+)"
)
BAN_EN_LAST: Final = re.compile(
    r"^(?P<head>(?:(?:so|and|but|also|please|ok|okay|sorry) )*)(?P<topic>(?:my|our|the) .{1,40}?)"
    r" (?:(?:is|are|stays?|remains?) (?:still |now |totally |strictly )*(?:off[- ]limits|(?:a )?taboo(?: (?:topic|subject))?|a closed (?:topic|subject)"
    r"|not up for discussion|not open for discussion|not (?:a topic|something) (?:i|we) (?:want|wish|like) to (?:talk about|discuss))"
    r"|(?:isn't|aren't) (?:up|open) for discussion)"
    r"(?: for now| today| tonight)?"
)
BANS: Final = (BAN_ZH_AFTER, BAN_ZH_LAST, BAN_ZH, BAN_EN, BAN_TOPIC_EN, BAN_EN_LAST)
NAMED_FIRST: Final = frozenset({BAN_ZH_AFTER, BAN_ZH_LAST, BAN_EN_LAST})
LIFT_ZH: Final = re.compile(
    rf"(?:可以|能|允许|不介意|愿意)(?:再|重新|继续|又|跟我|和我|开始)*(?:{_RAISE_ZH}|说)(?P<topic>.+)"
    r"|(?:重新|继续|接着|再|回来)(?:来)?(?:聊(?!天)|谈|说|讨论)(?:聊|谈|说|一下)?(?P<again>.+)"
    r"|(?:取消|解除|撤销)(?:对|关于)?(?P<ended>.+?)(?:话题)?(?:的)?(?:禁令|禁|限制|屏蔽)"
)
LIFT_EN: Final = re.compile(
    r"(?:\b(?:you|we) (?:can|may|could)|\blet's|\b(?:it's|it is) (?:ok|okay|fine|alright) (?:for you )?(?:now )?to"
    r"|\bi(?:'m| am) (?:ok|okay|fine|ready) (?:with you |with |to )?|\bi (?:don't|do not|wouldn't) mind(?: you| us)?|\bfeel free to)(?: now| again)* "
    r"(?:bring(?:ing)? up|mention(?:ing)?|talk(?:ing)? about|discuss(?:ing)?|ask(?:ing)? (?:me )?about)"
    r" (?P<topic>.+)"
    r"|\b(?:lift|remove|cancel|drop) the (?:ban|block|restriction) on (?P<ended>.+)"
)
FOR_GOOD: Final = re.compile(
    r"以后|今后|永远|再|永久|一直|别提了|停止|在我面前|off[- ]limits|taboo"
    r"|\bnever\b|\bagain\b|\bany ?more\b|\bever\b|\bstop\b|\bquit\b|\bno (?:more|longer)\b"
)
OF_THIS_TALK: Final = re.compile(
    r"我|咱|再|先|今天|今晚|现在|暂时|以后|今后|永远|话题|的事|聊|谈|讨论|听|主动|了$"
    r"|\bmy\b|\bour\b|\bagain\b|\bany ?more\b|\btoday\b|\bnow\b|\bbring|\btalk|\bsubject\b|\btopic\b|\bask|\bhear|\bno more\b|\b(?:can|could) we not\b"
)
IN_A_TEXT: Final = re.compile(
    r"(?:文案|邮件|报告|文章|回复|方案|合同|文档|简历|海报|稿子?)(?:里面?|中|上|内)|\bin (?:the|your|any) "
    r"(?:copy|e?mails?|reports?|articles?|repl(?:y|ies)|texts?|documents?|drafts?|posts?)\b"
)
FOR_NOW: Final = re.compile(
    r"先|今天|今晚|现在|暂时|这会儿|目前|这次|\bfor now\b|\btoday\b|\btonight\b|\bright now\b|\bfor the moment\b"
    r"|\bat the moment\b"
)
TAIL_ZH: Final = re.compile(
    r"(?:什么的)?(?:(?:的?(?:那些?|这些?|一些)?|[那这]件)(?:事情?|事儿|话题|问题|情况|东西|内容)|这[两三几]个字)?"
    r"(?:了|啦|吧|好吗|好不好|可以吗|行吗|行不行|吗|么|呢|啊|嘛|一下|[。.!！\s])*$"
)
HEAD_ZH: Final = re.compile(
    r"^(?:[:：\s]|以后|今后|今天|现在|关于|有关|到|起|及|和|跟|对|我们?的?|咱们?的?|你|那个|这个|那件|这件|那次|这次|上次|那回|任何|什么)*"
)
TAIL_EN: Final = re.compile(
    r"(?:[\s.!]|\b(?:again|any ?more|any longer|for now|now|today|tonight|right now|for the moment|at the moment|ever"
    r"|please|ok|okay|thanks|with me|to me|in this (?:chat|conversation))\b)*$"
)
HEAD_EN: Final = re.compile(
    r"^(?:(?:about|the|my|our|any|this|that|topic|subject|issue|of|thing|matter|whole) )*"
)
BARE: Final = frozenset(
    {
        "",
        "它",
        "这个",
        "那个",
        "这",
        "那",
        "他",
        "她",
        "他们",
        "她们",
        "它们",
        "人",
        "事",
        "事情",
        "东西",
        "自己",
        "你自己",
        "我自己",
        "他自己",
        "你",
        "我",
        "你们",
        "一切",
    }
    | {"it", "that", "this", "them", "him", "her", "it up", "that up", "them up", "him up", "her up"}
    | {"you", "me", "yourself", "myself", "himself", "herself", "ourselves", "themselves"}
    | {"everything", "anything", "stuff"}
)
NO_NAME: Final = re.compile(
    r"^(?:(?:关于|有关|到|起|及|和|跟|对)*(?:它们?|[他她]们?|这|那|[这那哪](?:个|些|件|位|种|次|回|种|家伙)?(?:人|事情?|事儿|茬儿?|话题|问题|东西|家伙|名字"
    r"|男人|女人|男的|女的)?)(?:的(?:事情?|事儿|话题|名字))?(?:了|啦|吧|好吗|行吗|呢|啊|[。.!！\s])*"
    r"|(?:it|that|this|them|him|her|these|those|(?:that|this|the|those|these) (?:person|people|guy|man|woman|girl|boy|one|thing|name"
    r"|topic|subject|matter|stuff)s?)(?: up)?(?: again| any ?more| ever| for now| now| today| please| to me| with me|[\s.!])*)$"
)
"""Words that name nothing by themselves: what they mean was named before."""
PERSON_NAMED: Final = re.compile(
    r"[他她]|[这那](?:个|位)?(?:家伙|人|男|女)|\b(?:him|her|them|person|people|guy|man|woman|girl|boy)\b"
)
PERSON: Final = re.compile(
    r"(?:我|咱)(?:们|家|的)*(?P<zh>老?(?:爸爸?|妈妈?|父亲|母亲|爷爷|奶奶|外公|外婆|姥姥|姥爷|哥哥?|姐姐?|弟弟?|妹妹?|儿子|女儿|孩子|公公"
    r"|婆婆|前妻|前夫|前男友|前女友|前任|男朋友|女朋友|男友|女友|丈夫|妻子|同事|板|领导|室友|朋友|闺蜜|同学|邻居|公|婆(?!婆)|舅舅|叔叔|阿姨))"
    r"|\b(?:my|our) (?:late |old |former )?(?P<en>(?:ex(?:-\w+)?|dad|father|mom|mum|mother|brother|sister|son|daughter|husband"
    r"|wife|boss|manager|friend|roommate|colleague|coworker|grand(?:father|mother)|uncle|aunt|cousin|boyfriend|girlfriend"
    r"|partner|neighbou?r)s?)\b"
)
IS_NO_TOPIC: Final = re.compile(
    r"什么|怎么|为何|为啥|要不要|是不是|谁|哪|多少|^(?:这么|那么|多[^,，]|我[是要想能会在很太又都没不])|^(?:how|why|what|whether|if|who|to)\b"
)
OWN_THING: Final = re.compile(r"^(?:我|咱)们?(?:的|家)?[^，,都也还又已真]{2,}")
LASTS: Final = re.compile(r"再|以后|今后|永远")
FILLER: Final = re.compile(
    r"[你您他她它咱]|我$|大家|拜托|求|真的|算了|说好|都|就|更|可|千万|最好|还是|好|请|老师|以后|今后|今天|现在|别|没|不|^[这那]"
)
NAMED_BEFORE: Final = re.compile(r"^\s*(?P<topic>.{1,40}?)\s*(?:[:：]|—+|-{1,2}(?=\s))\s*")
IS_NOUN: Final = re.compile(
    r"(?:的(?:那些?|这些?)?(?:事情?|事儿|话题|问题|情况))$|^(?:关于|有关|至于)|^(?:my|our|the|about|as for)\b"
)
MOVES_ON: Final = re.compile(
    r"换(?:一?个|下)?话题|聊点?别的|说点?别的|\b(?:change|different|another|new) (?:the )?(?:subject|topic)\b"
)
"""Who only wants to talk of something else forbids nothing for good."""

TELLS_OF: Final = re.compile(
    r"(?<=\w)\s*(?:\s(?:is|are|was|were|has|have|had|got|gets|did|does|just|died|left|never|always|won't|can't|isn't|wasn't)\b|['’]s\s+(?=\w+(?:$|[,.!])))"
)
"""Where a clause that begins with a thing goes on to tell of it: my son Leo is ill."""

_TALK_ZH: Final = "(?:提|聊|谈|談|说|說|讲|講|讨论|討論|问|問|听|聽)"
_NEVER_ZH: Final = f"[再老总總继繼續续一直又主动動不随隨便就是跟我和你們们咱同对對在面前了]*{_TALK_ZH}"
_AGAIN_ZH: Final = f"(?:再|重新|继续|繼續|又|跟我|和我|开始|開始)*{_TALK_ZH}"
_TALK_EN: Final = (
    "(?: (?:ever|again|keep|now|want|to|you|us|please|not|didn.t))* "
    "(?:bring|mention|talk|discuss|ask|speak|hear|chat|go|get|touch|remind)"
)
COMMANDS: Final = Sieve(
    [
        *(
            no + _NEVER_ZH
            for no in (
                "[别別甭勿莫不]",
                "不(?:[要许許准想用必]|[愿願]意?|希望|打算|需要)",
                "停[止下]|禁止|必要|[无無]需",
            )
        ),
        *(may + _AGAIN_ZH for may in ("能", "可以", "允[许許]", "不介意", "[愿願]意")),
        *(again + f"[来來]?{_TALK_ZH}" for again in ("重新", "[继繼][续續]", "接[着著]", "再", "回[来來]")),
        "停止|取消|解除|撤[销銷]",
        *(
            no + _TALK_EN
            for no in (
                "don.t",
                "do not",
                "never",
                "stop",
                "quit",
                "avoid",
                "no (?:more|longer|need)",
                "not(?: to)?",
                "rather",
                "prefer",
            )
        ),
        *(may + _TALK_EN for may in ("can", "may", "could", "let.s")),
        *(
            fine + "(?: for you| with you)?(?: now)?(?: to)?" + _TALK_EN
            for fine in ("ok(?:ay)?", "fine", "alright", "ready", "free", "mind")
        ),
        "(?:drop|avoid|skip|leave|lift|remove|cancel) th|(?:clear|away) (?:of|from)|no more|off.limits|taboo|closed|for discussion|not (?:a|some)",
    ],
    ignore_case=True,
)
"""What a raw text holds where it bans or lifts a topic."""

ABOUT_TALK_EN: Final = re.compile(r"\b(?:topics?|subjects?|discuss\w*|talk\w*)\b")

TALKED_OF: Final = re.compile(
    r"(?:聊|谈|说|提|讲)(?:起|到|论)?(?P<zh>.+)$|\b(?:talk\w*|speak\w*|hear\w*) (?:about|of) (?P<en>.+)$|\b(?:discuss|mention)\w* (?P<direct>.+)$"
)
"""What the clause before speaks of speaking of: I hate talking about my divorce, so don't bring it up."""

BRING_UP: Final = re.compile(
    r"\bup\b(?=(?:[\s.!]|again|any ?more|ever|please|for now|today|now)*$)", re.IGNORECASE
)
