"""What speaks of a topic that the user wants forgotten: of 前妻, and of 苏禾 where that is her name. Pure.

A topic is a noun and the names that the user's own words bind to it. A sentence speaks of it where it holds
the noun as the user's own (my ex-wife; not my boss's, nor my wife), or a name; so does the next one that goes
on with "she". A sentence that only asks to forget speaks of nothing by its noun, but a name in it counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from shared.extraction import spoken_words as words
from shared.language.attributes import Attribute, read_attribute
from shared.language.names import COMMON_WORDS
from shared.language.question_words import STOP_WORDS
from shared.language.scripts import HAN
from shared.model.base import Value
from shared.stm.clauses import fold_for_match
from shared.stm.forget_clauses import without_forgets
from shared.stm.topics import clean_topic

MOST_CHARS: Final = 20_000
"""So much of a message is read: past that it is a document."""
_MOST_TOPIC_CHARS: Final = 40
_LEFT_CHARS: Final = 24
_SENTENCE: Final = re.compile(r"(?:[^。！？!?；;\n.]++|\.(?!\s|$))++[。！？!?；;.]*")
_HAN: Final = re.compile(f"[{HAN}]")
_WORD: Final = re.compile(r"\w")
_ALL_OF: Final = re.compile(
    r"的?(?:一切|全部|所有)(?:的?(?:事情?|话|内容|信息|记录))?\s*$|^\s*(?:所有|全部|一切)(?:关于|有关)"
)
_MORE_OF_A_NAME: Final = re.compile(r" ([A-Z][a-z]+)\b")
_NAME_EN: Final = re.compile(r"[A-Z][\w'’-]*[a-z](?: [A-Z][\w'’-]*[a-z]){0,2}")
_OWN: Final = re.compile(r"^(?:我们?家?的?|咱们?的?|(?:my|our|the|about)\s+)+")


class Topic(Value):
    """What is to be forgotten: its folded noun ("" for a name alone), and names as the user wrote them."""

    noun: str
    names: tuple[str, ...] = ()

    def spans(self, text: str, *, is_user: bool = True, goes_on: bool = False) -> list[str]:
        """Return the sentences of a message that speak of the topic.

        `is_user`: whether the user said it; `goes_on`: their message before ended with the topic.
        """
        return [each.text for each in self._told(text, is_user=is_user, goes_on=goes_on)]

    def states(self, text: str, *, goes_on: bool = False) -> list[str]:
        """Return the sentences of a user's message that tell something of it: no question, no request."""
        told = self._told(text, is_user=True, goes_on=goes_on)
        return [each.text for each in told if not words.ASKS.search(each.text) and not _only_asks(each.text)]

    def without(self, text: str, *, is_user: bool = True, goes_on: bool = False) -> str:
        """Return a text without its sentences that speak of the topic."""
        told = self._told(text, is_user=is_user, goes_on=goes_on)
        kept, done = "", 0
        for each in told:
            kept += text[done : each.start]
            done = each.start + len(each.text)
        return (kept + text[done:]).strip() if told else text

    def is_told(self, text: str, *, is_user: bool = True) -> bool:
        """Whether a text speaks of the topic."""
        return bool(self._told(text, is_user=is_user))

    def ends_with_it(self, text: str, *, goes_on: bool = False) -> bool:
        """Whether a user's message ends with the topic, so that their next one may go on with "she"."""
        told = self._told(text, is_user=True, goes_on=goes_on)
        return bool(told) and not text[told[-1].start + len(told[-1].text) :].strip()

    def _told(self, text: str, *, is_user: bool, goes_on: bool = False) -> list[_Sentence]:
        told: list[_Sentence] = []
        end = 0 if goes_on else -1
        for sentence in sentences_of(text):
            is_next = end >= 0 and not text[end : sentence.start].strip()
            if (is_next and words.GOES_ON.match(sentence.folded)) or self._speaks(sentence, is_user=is_user):
                told.append(sentence)
                end = sentence.start + len(sentence.text)
        return told

    def _speaks(self, sentence: _Sentence, *, is_user: bool) -> bool:
        if any(_has_name(sentence, name) for name in self.names):
            return True
        if not self.noun or _only_asks(sentence.text):
            return False
        return mentions(sentence.folded, self.noun, is_user=is_user)


class _Sentence(NamedTuple):
    """A sentence as it stands, folded place by place, and where it begins."""

    text: str
    folded: str
    start: int


def sentences_of(text: str) -> Iterator[_Sentence]:
    """Yield the sentences of a text in order, their end marks and the blanks after the former included."""
    for match in _SENTENCE.finditer(text[:MOST_CHARS]):
        yield _Sentence(match[0], fold_for_match(match[0]), match.start())


def read_topic(target: str) -> Topic | None:
    """Return what a thing to forget is as a topic; None where it names no thing that sentences could hold."""
    topic = clean_topic(_ALL_OF.sub("", target))
    if topic is None or len(topic) > _MOST_TOPIC_CHARS or "\n" in topic:
        return None
    if _NAME_EN.fullmatch(topic):
        return Topic(noun="", names=(topic,))
    noun = _OWN.sub("", fold_for_match(topic)).strip()
    return Topic(noun=noun) if _WORD.search(noun) else None


def is_person(noun: str) -> bool:
    """Whether a noun says what somebody is to the user: 前妻, "ex-wife", 我老板的女儿."""
    return any(
        noun.endswith(each)
        for each in (noun.rpartition(" ")[2], noun[-2:], noun[-3:])
        if each in words.PERSONS
    )


def mentions(folded: str, noun: str, *, is_user: bool) -> bool:
    """Whether a folded sentence speaks of the noun, as of the user's own."""
    attribute = _attribute_of(noun)
    if attribute is not None and attribute.is_told_in(folded):
        return True
    if noun[-1].isascii():
        return _mentions_en(folded, noun, is_user=is_user)
    return any(
        _is_own_zh(folded[max(place - _LEFT_CHARS, 0) : place], is_user=is_user)
        and _is_whole_zh(folded, noun, place=place)
        for place in _places(folded, noun)
    )


@lru_cache(maxsize=64)
def _attribute_of(noun: str) -> Attribute | None:
    return read_attribute(noun)


def _places(folded: str, noun: str) -> Iterator[int]:
    place = folded.find(noun)
    while place >= 0:
        yield place
        place = folded.find(noun, place + len(noun))


def _is_whole_zh(folded: str, noun: str, *, place: int) -> bool:
    """Whether the noun stands as a word: 价格 does not in 价格战, nor 妻子 in 前妻子."""
    before, after = folded[max(place - 2, 0) : place], folded[place + len(noun) : place + len(noun) + 1]
    if is_person(noun):
        if noun[0] == "前" and before[-1:] in words.BEFORE_NOW_ZH:
            return False
        return not (words.OTHER_BEFORE_ZH.search(before) or words.OTHER_AFTER_ZH.match(after))
    left = folded[max(place - _LEFT_CHARS, 0) : place]
    is_led = not before or bool(words.LEADS_ZH.search(before) or words.OF_USER_ZH.search(left))
    return is_led and (not after or words.SPEAKS_ON_ZH.match(after) is not None)


def _is_own_zh(left: str, *, is_user: bool) -> bool:
    """Whether what stands before the noun names no other owner; in a reply 你的 is the user's."""
    if not is_user and words.OF_YOU_ZH.search(left):
        return True
    if words.OF_USER_ZH.search(left):
        return True
    if words.OWNER_ZH.search(left):
        return False
    owned = words.OWNED_ZH.search(left)
    owner = left[: owned.start()] if owned else left
    if any(owner.endswith(each) for each in _persons_ending(owner)):
        return False
    return owned is None or "我" in owner.rpartition("，")[2]


def _persons_ending(owner: str) -> list[str]:
    return [each for size in (2, 3) if (each := owner[-size:]) in words.PERSONS]


@lru_cache(maxsize=64)
def _pattern_en(noun: str) -> re.Pattern[str]:
    pieces = [re.escape(piece) for piece in re.split(r"[\s-]+", noun)]
    whole = r"[\s-]+".join(pieces)
    if pieces[0] in {"ex", "former"} and len(pieces) > 1:
        rest = r"[\s-]*".join(pieces[1:])
        return re.compile(rf"(?:\bex[\s-]?|\bformer\s+){rest}(?:s|es)?(?!\w)")
    return re.compile(rf"(?<!\w){whole}(?:s|es)?(?!\w)")


def _mentions_en(folded: str, noun: str, *, is_user: bool) -> bool:
    is_known = is_person(noun)
    for match in _pattern_en(noun).finditer(folded):
        left = folded[max(match.start() - _LEFT_CHARS, 0) : match.start()]
        right = folded[match.end() : match.end() + _LEFT_CHARS]
        if words.OTHER_BEFORE_EN.search(left) or words.OF_OTHERS_EN.match(right):
            continue
        if words.OWNER_EN.search(left) and (is_user or not words.OF_YOU_EN.search(left)):
            continue
        if is_known or (words.LEADS_EN.search(left) and words.SPEAKS_ON_EN.match(right)):
            return True
    return False


def _has_name(sentence: _Sentence, name: str) -> bool:
    if not name.isascii():
        return fold_for_match(name) in sentence.folded
    is_word = name.lower() in words.WORD_NAMES_EN
    return any(
        not _goes_on_otherwise(sentence.text, match.end())
        for match in _name_pattern(name, is_word=is_word).finditer(sentence.text)
    )


@lru_cache(maxsize=64)
def _name_pattern(name: str, *, is_word: bool) -> re.Pattern[str]:
    written = re.escape(name) if is_word else f"(?i:{re.escape(name)})"
    return re.compile(rf"(?<![\w-])(?<!\b[A-Z] ){written}(?![\w-])", re.ASCII)


def _goes_on_otherwise(text: str, end: int) -> bool:
    """Whether another name follows: Anna Karenina is not the user's Anna."""
    match = _MORE_OF_A_NAME.match(text, end)
    return match is not None and match[1].lower() not in STOP_WORDS | COMMON_WORDS


def _only_asks(text: str) -> bool:
    """Whether a sentence is a request to forget and nothing else."""
    return _WORD.search(without_forgets(text)) is None
