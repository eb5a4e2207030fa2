"""A question turned into what scoring reads: its terms, its days, whose words it asks for.

Examples: 5月6号我们聊了什么 -> that day of each year, no terms; "When did Ana move?" -> ana, move, speaker
Ana, asks when; 你给我推荐过哪些画家 -> 推荐 画家, leaning to the assistant. Greetings and thanks alone ask
for nothing.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache
from typing import Final

from shared.language.dates import asks_when, cut_spans, find_query_dates
from shared.language.everyday_words import EVERYDAY
from shared.language.kinds import kind_terms
from shared.language.scripts import fold
from shared.language.sieve import Sieve
from shared.language.synonyms import Synonyms, synonym_terms
from shared.language.terms import QueryTerm, index_terms, query_terms
from shared.recall.rows import RecallQuery

ASSISTANT: Final = "assistant"
USER: Final = "user"
_NAMES_KEPT: Final = 1024
NAME_WEIGHT: Final = 0.4
"""The weight of a named speaker's name among the terms; their rows have their own factor already."""

_ASKS_ASSISTANT: Final = re.compile(
    "你.{0,6}(?:推荐|建议|告诉|分享|介绍|提到|提过|说过|教|给过|给我)"
    r"|\byou\b.{0,12}\b(?:recommend|suggest|tell|told|advi[sc]e|share|introduce|mention"
    r"|say|said|teach|taught|give|gave)"
)
_ASKS_USER: Final = re.compile(
    "我.{0,6}(?:推荐|告诉|分享|提到|提过|说过|提及|跟你|和你|问过|问你|向你)"
    r"|\bi\b.{0,12}\b(?:recommend|tell|told|share|mention|say|said|ask)"
)
_FIRST_PERSON: Final = re.compile(r"我(?!们)|\b(?:i|my|me|mine)\b")
_FIRST_TALK: Final = re.compile(
    "第一次(?:对话|聊天|交谈|谈话|聊)|我们第一次(?:说话|交流|见面)"
    r"|\b(?:our|the) (?:very )?first (?:conversation|chat|talk)\b"
    r"|\b(?:first time we|we first) (?:ever )?(?:talk|chat|spoke|speak|met|meet)"
)
_LAST_TALK: Final = re.compile(
    "(?:上次|上一次|上回)(?:我们)?(?:的)?(?:对话|聊天|交谈|谈话|聊)"
    r"|\b(?:our|the) (?:last|previous) (?:conversation|chat|talk)\b"
    r"|\b(?:last time we|we last) (?:talk|chat|spoke|speak|met|meet)"
)
_ASKS_MANY: Final = re.compile(
    "哪些|几次|多少次|哪几|几[个种项]|哪[二两三四五]|分别|有(?:什么|啥)"
    r"|\bhow many\b|\b(?:kinds|types|sorts) of\b|\bways\b|\bboth\b"
    r"|\b(?:what|which)(?: [a-z+'/-]+){0,2} [a-z/]{2,}s (?:do|does|did|has|have|had|is|are|was|were|will"
    r"|would|could|can|might|should)\b|\b(?:what|where|which|who|whom) (?:\w+ )?(?:has|have)\b"
)
"""Questions for several things: how many, plural nouns, what somebody has done so far."""
_MANY_SIEVE: Final = Sieve([_ASKS_MANY.pattern])
_TALKS_SIEVE: Final = Sieve([_FIRST_TALK.pattern, _LAST_TALK.pattern])
_PLEASANTRIES: Final = re.compile(
    "你好|您好|嗨|哈喽|早上好|早安|早|晚上好|下午好|晚安|谢谢|多谢|感谢|非常|好的|好|嗯|行|可以|收到|明白|已?经?记下"
    "|知道|没事|没问题|再见|拜拜|不客气|不用|辛苦|哈|换个话题|聊点别的|说点别的|算了|在吗|我们|咱们|我|你"
    "|您|吧|啊|呀|了|哦|呢|大家|各位|很|太|真|继续|再来一个|接着说|讲个笑话|好笑|棒|厉害|无聊"
    "|为什么|怎么了|是谁|的|吗"
    r"|\b(?:hi|hello|hey|there|thanks?|thank you|thx|so|very|much|a lot|ok(?:ay)?|good|morning|evening"
    r"|afternoon|night|bye|goodbye|sure|great|cool|nice|yes|no|yeah|got it|noted|understood"
    r"|all ?right|no problem|welcome|never mind"
    r"|change (?:the |of )?(?:subject|topic)"
    r"|let'?s|let us|talk about something else|see you|later|you|how are|go on|continue|really|why|what'?s up"
    r"|what is up|tell me a joke|(?:that|this) is|that'?s|funny|lol|haha+|wow|i see|right|please)\b"
)
_WORD: Final = re.compile(r"[^\W_]")


def plan_query(text: str, *, today: date, years: Sequence[int], speakers: Mapping[str, int]) -> RecallQuery:
    """Parses a question.

    Args:
        text: the question as asked.
        today: the day of asking; relative dates are read against it.
        years: the years the scope's rows lie in; a date without a year means each of them.
        speakers: the name or role of each speaker of the scope and its number in `ScopeRows.speaker`.
    """
    folded = fold(text)
    if asks_nothing(folded):
        return RecallQuery(terms=())
    spans = find_query_dates(text, today=today, years=years)
    of_talks = _TALKS_SIEVE.may_hold(folded)
    speaker, when = _named_speaker(folded, speakers), asks_when(text)
    leans_to, assistant = _leaning(folded, speakers), speakers.get(ASSISTANT)
    ranges = {(span.start.toordinal(), span.end.toordinal()): None for span in spans}
    return RecallQuery(
        terms=tuple(_weigh_name(query_terms(cut_spans(text, spans)), speaker)),
        dates=tuple(ranges),
        speaker=None if speaker is None else speakers[speaker],
        leans_to=leans_to,
        leans_from=assistant if leans_to != assistant else None,
        asks_when=when,
        asks_many=not when and _asks_many(folded),
        first_talk=of_talks and _FIRST_TALK.search(folded) is not None,
        last_talk_before=today.toordinal() if of_talks and _LAST_TALK.search(folded) else None,
    )


def wider_terms(query: RecallQuery, synonyms: Synonyms) -> list[QueryTerm]:
    """Return what to look for beside a query's own terms, where it stands somewhere.

    That are the team's synonyms, everyday words and, where it asks for several things of a kind, such things.
    """
    kinds = kind_terms(query.terms) if query.asks_many else []
    found = (*synonym_terms(query.terms, synonyms), *synonym_terms(query.terms, EVERYDAY), *kinds)
    best: dict[str, QueryTerm] = {}
    for term in found:
        if term.term not in best or term.weight > best[term.term].weight:
            best[term.term] = term
    return list(best.values())


def asks_nothing(folded: str) -> bool:
    """True for greetings, thanks and changes of subject that hold nothing else."""
    return _WORD.search(_PLEASANTRIES.sub(" ", folded)) is None


def _asks_many(folded: str) -> bool:
    return _MANY_SIEVE.may_hold(folded) and _ASKS_MANY.search(folded) is not None


def _named_speaker(folded: str, speakers: Mapping[str, int]) -> str | None:
    named = [name for name in speakers if name not in {USER, ASSISTANT} and _names(folded, name)]
    return named[0] if len(named) == 1 else None


def _weigh_name(terms: Sequence[QueryTerm], name: str | None) -> Iterator[QueryTerm]:
    """Give the named speaker's name its small weight: who says it speaks to them, not about the matter."""
    own = _terms_of(name) if name else frozenset()
    return (replace(term, weight=NAME_WEIGHT) if term.term in own else term for term in terms)


@lru_cache(maxsize=_NAMES_KEPT)
def _terms_of(name: str) -> frozenset[str]:
    return frozenset(index_terms(name))


def _names(folded: str, name: str) -> bool:
    wanted = fold(name)
    if not wanted:
        return False
    if wanted.isascii():
        return re.search(rf"(?<![a-z\d]){re.escape(wanted)}(?![a-z\d])", folded) is not None
    return wanted in folded


def _leaning(folded: str, speakers: Mapping[str, int]) -> int | None:
    """Whose words are asked for: the assistant's by "you told me", the user's by "I told you" and "my".

    What is so of a user, the user has said; an assistant that says "I like" speaks of itself.
    """
    assistant, user = _ASKS_ASSISTANT.search(folded), _ASKS_USER.search(folded)
    if assistant and not (user and user.start() < assistant.start()):
        return speakers.get(ASSISTANT)
    return speakers.get(USER) if user or _FIRST_PERSON.search(folded) else None
