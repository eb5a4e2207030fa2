"""What makes a sentence say something else than its words alone: a dream, a denial behind it, a tag. Pure.

昨晚做梦，我搬到了巴黎, "in the game I am a doctor", "I live in Leeds, not really" and 我住在伦敦，对吗 hold the words
of a fact and state none. All is read on a page without its quotations, so that nobody else's words count.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from typing import Final

from shared.extraction.pages import Page, Sentence, Span

_LOOK_BACK_CHARS: Final = 160
_LOOK_AHEAD_CHARS: Final = 60

_CONTRAST: Final = re.compile(
    r"但是?|可是|不过|然而|其实|现实(?:里|中)|实际上|醒来|[;；]|\b(?:but|however|though|in reality|in real life|awake)\b"
)
"""From here on the user speaks of how things are."""

_DREAM: Final = re.compile(
    r"梦(?:见|到|里|中)(?!的)|做(?:了|过)?(?:一?个)?[^，,。想]{0,4}梦(?!想|都|也|话|寐)"
    r"|\b(?:dream(?:t|ed)|dreaming that|(?:had|having) (?:a|this|that|the) (?:\w+ ){0,2}(?:dream|nightmare))\b|\bin (?:my|a|the|that|this) (?:\w+ ){0,2}(?:dream|nightmare)s?\b"
)
_PLAY_ZH: Final = r"游戏|小说|故事|剧本|剧情|电影|电视剧|漫画|童话|书"
_PLAY_EN: Final = r"game|novel|book|story|stories|film|movie|play|script|comic|tale|fairy tale|series|simulation|sketch|show|campaign|fanfic"
_PLAY: Final = re.compile(
    rf"(?:^|[，,\s])在?(?:我们?的?|你的?|他的?|她的?|这[部本个篇款]?|那[部本个篇款]?|一[部本个篇款])?(?:[^，,。在]{{0,4}})(?:{_PLAY_ZH})(?:里面?|中)(?!的?[^，,。]{{0,4}}(?:说|写|讲))"
    rf"|^(?:\W|and\b|so\b|well\b|then\b)*in (?:my|the|a|an|this|that|our|his|her) (?:\w+ ){{0,2}}(?:{_PLAY_EN})\b(?!\s+(?:club|industry|shop|store|business|world|department|company))"
    r"|我(?:笔下)?的?(?:角色|主人公|人物)|\bmy (?:\w+ )?(?:character|avatar|protagonist)s?\b"
)
"""What leads into a made-up world."""

_FALSELY: Final = re.compile(
    r"谎称|(?:撒|说)(?:了|过)?谎|我(?:很|有点?)?怀疑|我骗(?:了|过)?[他她你人大]|(?:并?不是|并非|不存在|假的?是)说?(?=我)"
    r"|\bit(?:'s| is| was) (?:just |simply )?(?:false|wrong|untrue|a lie|a myth|nonsense|a rumou?r)\b|\bi (?:really |just |only )?(?:lied(?! down)|doubt(?:ed)?|joked|pretended|(?:wrongly|falsely) \w+)\b"
)
"""What is said so is not so: I lied that …, 我怀疑…"""

_ENDS: Final = r"(?=\s*(?:$|[,，。.;；!！?？]))"
_NOT_SO: Final = re.compile(
    r"[\s,，。.;；!！…—–-]*+(?:(?:但是?|可是?|不过|其实|事实上|实际上|当然|哈哈+|这|那|都|并|根本|压根|就|全)[\s,，]*){0,4}"
    rf"(?:不是(?:的|这样的?|真的|事实|这么回事)?|是?(?:假的|假话|谣言|误会|误传|胡说的?|瞎说的?|瞎编的?|编的|骗你的?|骗人的|逗你的?|逗你玩[的儿]?|说着玩[的儿]?|错的|不实的?)|没有的事|没这回事|才怪|并没有|不可能){_ENDS}"
    r"|[\s,.;:!—–-]*+(?:(?:but|and|although|though|except|well|actually|in fact|of course|oh|lol|haha)[\s,]+){0,3}"
    r"(?:(?:(?:that|this|it|which|the latter)(?:'s|\s+(?:is|was))|is|was)\s+(?:(?:actually|really|just|simply|of course|all|completely|totally)\s+){0,2}"
    r"(?:not\s+(?:true|so|right|correct|the\s+case|real)|wrong|false|a\s+(?:lie|joke|mistake|myth|rumou?r)|nonsense|made\s+up|untrue|incorrect)\b"
    rf"|(?:that|this|it|which)\s+(?:isn't|wasn't|is\s+not|was\s+not)(?:\s+(?:true|so|right|correct|the\s+case|real|really|at\s+all|actually))*{_ENDS}"
    rf"|(?:(?:i'm|i\s+am|i\s+do|i\s+did|i\s+have|i\s+was|we're|we\s+are|we\s+do)\s+not|i\s+(?:don't|didn't|haven't|wasn't|can't|won't|never\s+did)|we\s+(?:don't|didn't|aren't))(?:\s+(?:really|actually|at\s+all|any\s*more))*{_ENDS}"
    rf"|not\s+really{_ENDS}|not(?=\s*(?:$|[.!]))|yeah\s+right{_ENDS})"
)
"""What follows and says that it is not so: "…, but I'm not", …，其实不是."""

_AGREES: Final = re.compile(
    r"[\s,，。.;]*+(?:对(?:吗|吧|不对|么|不)|是(?:吗|吧|么|不是[啊呀]?)|没错吧|不是吗|不对吗|是这样[吗吧]|是真的吗|真的吗|我没?记错[了吧吗]+)(?=[\s?？。!！,，~]|$)"
    r"|[\s,.;—–-]*+(?:(?:is|was)\s+(?:that|this|it)\s+(?:right|correct|true|so)|am\s+i\s+(?:right|wrong)|right|correct|eh|huh|is(?:n't)?\s+(?:it|that)(?:\s+(?:so|right))?|aren't\s+(?:i|we)|am\s+i(?:\s+not)?|(?:do|did|have|was)(?:n't)?\s+(?:i|we))\s*(?:\?|？|$)"
    r"|[\s,.;—–-]*+(?:yes|no|true|ok)\s*[?？]"
)
"""A tag that asks whether what stands before is so."""


def asks_to_agree(page: Page, clause: Span) -> bool:
    """True where a tag behind a clause asks whether it is so: 预算是五万，对吗 / my budget is 5k, right?"""
    return _AGREES.match(page.open, clause.end, clause.end + _LOOK_AHEAD_CHARS) is not None


def is_made_up(page: Page, sentence: Sentence, *, clause: Span) -> bool:
    """True where the sentence was a dream, or plays in a game or a book, up to the end of the clause."""
    start = max(sentence.start, clause.start - _LOOK_BACK_CHARS)
    own = _CONTRAST.split(page.open[start : clause.end])[-1]
    return _DREAM.search(own) is not None or _PLAY.search(own) is not None


def is_called_false(page: Page, sentence: Sentence, *, clause: Span, end: int) -> bool:
    """True where the words before a clause, or behind its [:end], say that it is not so."""
    if _NOT_SO.match(page.open, end, end + _LOOK_AHEAD_CHARS):
        return True
    start = max(sentence.start, clause.start - _LOOK_BACK_CHARS)
    return _FALSELY.search(_CONTRAST.split(page.open[start:end])[-1]) is not None
