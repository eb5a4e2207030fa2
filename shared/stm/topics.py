"""Topics: what the user wants left alone, and what lifts that again.

换个话题，别再提我孩子的事 / "stop bringing up my divorce" bans a topic. 可以聊离婚的事了 / "you can talk
about my divorce again" lifts it, and so does the user who returns to it. A ban of 先别, 今天 or "for now"
holds for the session; one of 以后, 再提 or "never again", and any of a sensitive topic, holds for good.
Invariant: a message that bans a topic, or asks to forget it, is never itself taken for a return to it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Final, Literal

from shared.language.scripts import HAN
from shared.language.sieve import Sieve
from shared.language.terms import query_terms, stem
from shared.model.base import Value
from shared.stm.ban_sense import is_reported, is_saying
from shared.stm.clauses import Clause, fold_for_match, split_clauses, split_words
from shared.stm.forget_clauses import without_forgets

_MENTION_ZH: Final = (
    "提(?![供高升醒前出交示取议问速倡拔神]|早(?![饭餐上])|(?:要求|意见|建议|条件|申请|异议)(?!的))"
)
"""提 where it means to mention; 提早 is early, and 提要求 puts a demand."""

BAN_ZH: Final = re.compile(
    r"(?P<head>(?:.*?(?:请|麻烦|你|您|以后|今后|永远|先|今天|现在|暂时|也|就|都|所以|那))?\s*)"
    r"(?:别|甭|不要|不许|不准|勿|不想|不愿意?|不用)(?P<more>[再老总继续跟我和你]*)"
    rf"(?:提起|提到|提及|{_MENTION_ZH}|聊起|聊到|聊聊|聊(?!天)|谈起|谈到|谈论|谈|讨论"
    r"|说起|(?:说|讲)(?=.*(?:事|话题|问题)))"
    r"(?P<topic>.*)"
)
_BAN_ZH_AFTER: Final = re.compile(
    r"(?P<topic>.+?(?:的?(?:事情?|话题|问题)))(?P<head>(?:就|也|以后|今后|先|今天|暂时|请|咱们?|我们)*)"
    r"(?:别|甭|不要|不许|不准|不想|不用)(?P<more>再?)(?:提|聊|谈|说|讨论|讲)"
)
BAN_EN: Final = re.compile(
    r"(?P<head>.*?)\b(?:(?:don't|do not|never|stop|quit|avoid|no more|let's not|let us not"
    r"|not want to|don't want to)(?P<more>(?: ever| again| keep)*)"
    r" (?:bring(?:ing)? up(?! the rear(?! \w))|bring(?! up)|mention(?:ing)?"
    r"|talk(?:ing)? (?:to me )?about"
    r"|discuss(?:ing)?|ask(?:ing)? (?:me )?about|speak(?:ing)? (?:of|about))|drop the (?:subject|topic) of)"
    r" (?P<topic>.+)"
)
_LIFT_ZH: Final = re.compile(
    r"(?:可以|能|允许|不介意|愿意)(?:再|重新|继续|又|跟我|和我|开始)*"
    rf"(?:提起|提到|{_MENTION_ZH}|聊起|聊聊|聊(?!天)|谈论|谈|说起|说|讨论)(?P<topic>.+)"
    r"|(?:重新|继续|接着|再|回来)(?:来)?(?:聊(?!天)|谈|说|讨论)(?:聊|谈|说|一下)?(?P<again>.+)"
    r"|(?:取消|解除|撤销)(?:对|关于)?(?P<ended>.+?)(?:话题)?(?:的)?(?:禁令|禁|限制|屏蔽)"
)
_LIFT_EN: Final = re.compile(
    r"(?:\b(?:you|we) (?:can|may|could)|\blet's|\b(?:it's|it is) (?:ok|okay|fine|alright) (?:for you )?to"
    r"|\bi(?:'m| am) (?:ok|okay|fine|ready) (?:with you |to )?|\bfeel free to)(?: now| again)* "
    r"(?:bring(?:ing)? up|mention(?:ing)?|talk(?:ing)? about|discuss(?:ing)?|ask(?:ing)? (?:me )?about)"
    r" (?P<topic>.+)"
)
_FOR_GOOD: Final = re.compile(
    r"以后|今后|永远|再也|永久|一直|再|别提了"
    r"|\bnever\b|\bagain\b|\bany ?more\b|\bever\b|\bstop\b|\bquit\b|\bno more\b"
)
_OF_THIS_TALK: Final = re.compile(
    r"我|咱|再|先|今天|今晚|现在|暂时|以后|今后|永远|话题|的事|聊|谈|了$"
    r"|\bmy\b|\bour\b|\bagain\b|\bany ?more\b|\btoday\b|\bnow\b|\bbring|\btalk|\bsubject\b|\btopic\b|\bask"
)
_IN_A_TEXT: Final = re.compile(
    r"(?:文案|邮件|报告|文章|回复|方案|合同|文档|简历|海报|稿子?)(?:里面?|中|上|内)|\bin (?:the|your|any) "
    r"(?:copy|e?mails?|reports?|articles?|repl(?:y|ies)|texts?|documents?|drafts?|posts?)\b"
)
_FOR_NOW: Final = re.compile(
    r"先|今天|今晚|现在|暂时|这会儿|目前|\bfor now\b|\btoday\b|\btonight\b|\bright now\b|\bfor the moment\b"
)
_TAIL_ZH: Final = re.compile(
    r"(?:的?(?:那些?|这些?|一些)?(?:事情?|事儿|话题|问题|情况|东西|内容)|这[两三几]个字)?"
    r"(?:了|啦|吧|好吗|好不好|可以吗|行吗|呢|啊|嘛|一下|[。.!！\s])*$"
)
_HEAD_ZH: Final = re.compile(
    r"^(?:[:：\s]|关于|有关|到|起|及|和|跟|对|我们?的?|咱们?的?|你|那个|这个|那件|这件|那次|这次|上次|那回|任何|什么)*"
)
_TAIL_EN: Final = re.compile(
    r"(?:[\s.!]|\b(?:again|any ?more|any longer|for now|now|today|tonight|right now|for the moment|ever"
    r"|please|ok|okay|thanks|with me|to me)\b)*$"
)
_HEAD_EN: Final = re.compile(r"^(?:(?:about|the|my|our|any|this|that|topic|subject|issue|of|thing|matter) )*")
_BARE: Final = frozenset(
    {
        "",
        "它",
        "这个",
        "那个",
        "这",
        "那",
        "it",
        "that",
        "this",
        "them",
        "him",
        "her",
        "it up",
        "that up",
        "them up",
        *split_words(
            "yourself you me myself himself herself ourselves themselves everything anything stuff",
            "自己 你自己 我自己 他自己 你 我 他 她 他们 她们 你们 一切",
        ),
    }
)
_NAMED_BEFORE: Final = re.compile(r"^\s*(?P<topic>.{1,40}?)\s*(?:[:：]|—+|-{1,2}(?=\s))\s*")
_IS_NOUN: Final = re.compile(
    r"(?:的(?:那些?|这些?)?(?:事情?|事儿|话题|问题|情况))$|^(?:关于|有关|至于)|^(?:my|our|the|about|as for)\b"
)
_MAX_TOPIC_CHARS: Final = 40
_MAX_MATCH_CHARS: Final = 4_000
MAX_READ_CHARS: Final = 4_000

_RELATED: Final = {
    "children": split_words(
        "孩子 儿子 女儿 小孩 宝宝 娃 小朋友 闺女 child children kid kids son daughter baby toddler",
    ),
    "marriage": split_words(
        "离婚 婚姻 前妻 前夫 老公 老婆 丈夫 妻子 分居 出轨 divorce marriage husband wife spouse",
        "ex-wife ex-husband custody",
    ),
    "parents": split_words(
        "父母 爸爸 妈妈 父亲 母亲 爸妈 家人 家庭 parents father mother dad mom mum family",
    ),
    "health": split_words(
        "健康 生病 病情 病 体检 医院 手术 吃药 药物 癌 抑郁 焦虑症 诊断 怀孕 流产 illness disease",
        "health hospital surgery medication cancer depression diagnosis therapy pregnant pregnancy",
        "miscarriage",
    ),
    "money": split_words(
        "钱 工资 收入 存款 贷款 欠债 债务 负债 房贷 破产 薪水 薪资 money salary income savings loan",
        "debt mortgage bankruptcy",
    ),
    "cards": split_words(
        "银行卡 信用卡 身份证 密码 卡号 passport password card credit-card",
    ),
    "death": split_words(
        "去世 过世 葬礼 丧 自杀 death died funeral suicide grief",
    ),
    "body": split_words(
        "体重 减肥 身材 肥胖 weight obesity diet overweight",
    ),
    "faith": split_words(
        "宗教 信仰 政治 教会 religion faith politics church",
    ),
    "love": split_words(
        "前任 分手 男朋友 女朋友 前男友 前女友 失恋 breakup boyfriend girlfriend ex",
    ),
}
"""Sensitive topics by their words, zh and en; one word of a group stands for the topic of any other."""

_TALK_ZH: Final = "(?:提|聊|谈|談|说|說|讲|講|讨论|討論)"
_NEVER_ZH: Final = f"[再老总總继繼续續跟我和你]*{_TALK_ZH}"
_AGAIN_ZH: Final = f"(?:再|重新|继续|繼續|又|跟我|和我|开始|開始)*{_TALK_ZH}"
_TALK_EN: Final = "(?: (?:ever|again|keep|now|want|to))* (?:bring|mention|talk|discuss|ask|speak)"
_COMMANDS: Final = Sieve(
    [
        *(no + _NEVER_ZH for no in ("[别別甭勿]", "不(?:[要许許准想用]|[愿願]意?)")),
        *(may + _AGAIN_ZH for may in ("能", "可以", "允[许許]", "不介意", "[愿願]意")),
        *(again + f"[来來]?{_TALK_ZH}" for again in ("重新", "[继繼][续續]", "接[着著]", "再", "回[来來]")),
        "取消|解除|撤[销銷]",
        *(
            no + _TALK_EN
            for no in ("don.t", "do not", "never", "stop", "quit", "avoid", "no more", "not(?: to)?")
        ),
        *(may + _TALK_EN for may in ("can", "may", "could", "let.s")),
        *(
            fine + "(?: for you| with you)?(?: to)?" + _TALK_EN
            for fine in ("ok(?:ay)?", "fine", "alright", "ready", "free")
        ),
        "drop the ",
    ],
    ignore_case=True,
)
"""What a raw text holds where it bans or lifts a topic."""
_WORD: Final = re.compile(rf"[^\W_{HAN}]+")
_HYPHEN: Final = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_HAN_WORD: Final = re.compile(f"[{HAN}]+")


class TopicCommand(Value):
    """A ban or its lifting; `lasting` says that a ban holds over all sessions; `quote` is the clause."""

    action: Literal["ban", "lift"]
    topic: str
    lasting: bool
    quote: str


def find_topic_commands(text: str) -> list[TopicCommand]:
    """Return the bans and liftings that a user's message states, in order; a question states none."""
    if not _COMMANDS.may_hold(text):
        return []
    clauses = split_clauses(text)
    commands = [_read_clause(clause, clauses, place=place) for place, clause in enumerate(clauses)]
    return [command for command in commands if command is not None]


def is_sensitive_topic(topic: str) -> bool:
    """Return whether a topic is one whose ban holds for good: health, family, money, cards."""
    return bool(_groups_of(topic))


def matches_topic(text: str, topic: str) -> bool:
    """Return whether a text speaks of a topic: all of the topic's words, or a word related to it.

    Words with a hyphen are the same written as one or as two: Wi-Fi, wifi, wi fi. Of a long text only the
    first 4,000 characters are read.
    """
    folded = fold_for_match(text[:_MAX_MATCH_CHARS])
    if any(_has_word(folded, word) for name in _groups_of(topic) for word in _RELATED[name]):
        return True
    if _holds(folded, topic):
        return True
    if "-" not in topic and "-" not in folded:
        return False
    return any(_holds(_HYPHEN.sub(joint, folded), _HYPHEN.sub(joint, topic)) for joint in ("", " "))


def _holds(folded: str, topic: str) -> bool:
    """Return whether a folded text holds all words of a topic."""
    wanted = [term.term for term in query_terms(topic)]
    return bool(wanted) and all(_has_term(folded, term) for term in wanted)


def find_returns(text: str, topics: Iterable[str]) -> list[str]:
    """Return the banned topics that the user lifts in this message, in words or by returning to them.

    Who asks to forget a topic does not return to it.
    """
    commands = find_topic_commands(text)
    banned = [command.topic for command in commands if command.action == "ban"]
    lifted = [command.topic for command in commands if command.action == "lift"]
    said = without_forgets(text)
    return [
        topic
        for topic in topics
        if not any(_same_topic(topic, other) for other in banned)
        and (any(_same_topic(topic, other) for other in lifted) or matches_topic(said, topic))
    ]


def render_topic_bans(topics: Collection[str], language: str) -> str:
    """Return the line for the prompt's head that keeps the model from banned topics, or the empty text."""
    if not topics:
        return ""
    if language == "zh":
        return f"用户不想谈以下话题，不要主动提起：{'、'.join(topics)}"
    return f"The user does not want to talk about these topics; do not bring up: {', '.join(topics)}"


def _read_clause(clause: Clause, clauses: Sequence[Clause], *, place: int) -> TopicCommand | None:
    if clause.is_question:
        return None
    folded = clause.folded
    before, after = _beside(clauses, place)
    for pattern in (_BAN_ZH_AFTER, BAN_ZH, BAN_EN):
        match = pattern.search(folded)
        if match is not None:
            head = folded[: match.end("head")]
            if is_reported(head, before=before, after=after) or is_saying(clause, after):
                return None
            topic = clean_topic(clause.text[slice(*match.span("topic"))])
            topic = topic or _topic_before(clause, before, head=head)
            return _ban(clause, topic) if topic and _is_about_talk(folded, topic) else None
    for pattern in (_LIFT_ZH, _LIFT_EN):
        match = pattern.search(folded)
        if match is not None and match.lastgroup is not None:
            topic = clean_topic(clause.text[slice(*match.span(match.lastgroup))])
            return (
                TopicCommand(action="lift", topic=topic, lasting=False, quote=clause.text) if topic else None
            )
    return None


def _beside(clauses: Sequence[Clause], place: int) -> tuple[Clause | None, Clause | None]:
    """Return the clauses before and after one in its sentence."""
    found = (clauses[other] if 0 <= other < len(clauses) else None for other in (place - 1, place + 1))
    before, after = (each if each and each.sentence == clauses[place].sentence else None for each in found)
    return before, after


def _topic_before(clause: Clause, before: Clause | None, *, head: str) -> str | None:
    """Return what 别再提了 or "never bring it up" speaks of, where it was named just before."""
    named = _NAMED_BEFORE.match(head)
    if named is not None:
        return clean_topic(clause.text[slice(*named.span("topic"))])
    if before is None or before.is_question:
        return None
    return clean_topic(before.text) if _IS_NOUN.search(before.folded) else None


def _is_about_talk(folded: str, topic: str) -> bool:
    """Return whether a ban is about this conversation: 文案里别提竞品 and "never mention rivals" are not."""
    if _IN_A_TEXT.search(folded):
        return False
    return _OF_THIS_TALK.search(folded) is not None or is_sensitive_topic(topic)


def _ban(clause: Clause, topic: str) -> TopicCommand:
    for_now = _FOR_NOW.search(clause.folded) is not None
    for_good = _FOR_GOOD.search(clause.folded) is not None and not for_now
    lasting = for_good or is_sensitive_topic(topic)
    return TopicCommand(action="ban", topic=topic, lasting=lasting, quote=clause.text)


def clean_topic(words: str) -> str | None:
    """Return the noun of a topic without what stands around it; None where nothing is named."""
    folded = fold_for_match(words)
    end = len(folded)
    for tail in (_TAIL_EN, _TAIL_ZH, _TAIL_EN):
        match = tail.search(folded, 0, end)
        end = match.start() if match else end
    # both patterns may be empty, so that they always match
    head = max(pattern.match(folded, 0, end).end() for pattern in (_HEAD_ZH, _HEAD_EN))  # type: ignore[union-attr]
    topic = words[head:end].strip(" 的\t")
    return None if fold_for_match(topic) in _BARE or len(topic) > _MAX_TOPIC_CHARS else topic


def _groups_of(topic: str) -> list[str]:
    folded = fold_for_match(topic)
    return [name for name, words in _RELATED.items() if any(_has_word(folded, word) for word in words)]


def _has_term(folded: str, term: str) -> bool:
    """Return whether a term of a topic stands in a text: Han as written, other words by their stem."""
    if _HAN_WORD.match(term):
        return term in folded
    return term in folded and any(stem(word) == term for word in _WORD.findall(folded))


def _has_word(folded: str, word: str) -> bool:
    if _HAN_WORD.match(word):
        return word in folded
    return re.search(rf"(?<![a-z]){re.escape(word)}(?:s|es|'s)?(?![a-z])", folded) is not None


def _same_topic(topic: str, other: str) -> bool:
    return matches_topic(topic, other) or matches_topic(other, topic)


class TopicPlan(Value):
    """What one message does to the bans: those it sets, and the topics whose ban it lifts."""

    banned: tuple[TopicCommand, ...] = ()
    lifted: tuple[str, ...] = ()


def decide_topics(text: str, *, session: Iterable[str], standing: Iterable[str]) -> TopicPlan:
    """Return what a user's message does to the bans of its session and to the standing ones."""
    if len(text) > MAX_READ_CHARS:
        return TopicPlan()
    known = [*session, *standing]
    banned = tuple(command for command in find_topic_commands(text) if command.action == "ban")
    return TopicPlan(banned=banned, lifted=tuple(find_returns(text, known)) if known else ())
