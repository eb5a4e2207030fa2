"""Names that the user's own words bind to somebody or something: 我前妻叫苏禾, "Sophie, my ex-wife". Pure.

A name that is bound to something else too is nobody's alone, and no word that may be a name is taken for one:
who "is French", and whom one calls for (叫保安), has no name by it.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from shared.extraction import spoken_words as words
from shared.extraction.spoken import Topic, is_person, sentences_of
from shared.language.attributes import CALLED_ZH
from shared.language.names import COMMON_WORDS, SURNAMES
from shared.language.question_words import STOP_WORDS
from shared.language.scripts import HAN

MOST_NAMES: Final = 5
_END_ZH: Final = (
    r"(?=[\s，,。.!！?？;；:：、)）]|$|[她他你我是在的了和也就今昨明上下说要会有来去打住跟与对从把被给想很])"
)
_NAME_ZH: Final = rf"(?P<name>[{HAN}]{{2,4}}?|[a-z][a-z'-]+(?: [a-z][a-z'-]+)?){_END_ZH}"
_FULL_ZH: Final = rf"(?P<name>[{SURNAMES}][{HAN}]{{1,2}}?)"
_WHO_ZH: Final = (
    rf"(?!{words.WHAT_ONE_IS_ZH}){_FULL_ZH}(?<![{words.KIND_OF_PERSON_ZH}])(?=[\s，,。.!！?？;；:：、]|$)"
)
_CALLED_ZH: Final = rf"(?:{CALLED_ZH}|名叫|名为|(?:名字|姓名|全名|大名)(?:是|叫|:|：))"
_CAPITAL: Final = r"(?P<name>[A-Z][\w'’-]*[a-z](?: [A-Z][\w'’-]*[a-z])?)(?:['’]s)?(?![\w-])"
_ANY_CASE: Final = r"(?P<name>[A-Za-z][\w'’-]*[a-z](?: [A-Z][\w'’-]*[a-z])?)(?![\w-])"
_CALLED_EN: Final = r"(?:(?:who\s+)?(?:is|was)\s+(?:called|named)|['’]s\s+(?:called|named)|named|['’]s\s+(?:full\s+|first\s+)?name\s+(?:is|was)|goes\s+by)"
_END_EN: Final = r"(?=\s*(?:[,.;:!?)]|$|(?:and|but|who)\b))"
_GENERIC: Final = (
    re.compile(rf"{_CALLED_ZH}\s*{_NAME_ZH}"),
    re.compile(rf"\b(?i:{_CALLED_EN})\s+{_ANY_CASE}"),
)


def with_names(topic: Topic, sentences: Iterable[str]) -> Topic:
    """Return the topic with the names that the sentences, the user's own, bind to it and to nothing else."""
    if not topic.noun:
        return topic
    told = list(sentences)
    found = dict.fromkeys(name for text in told for name in _bound(topic.noun, text))
    own = [name for name in found if not any(_is_of_other(name, topic.noun, text=text) for text in told)]
    names = dict.fromkeys((*topic.names, *own, *(name.split()[0] for name in own if " " in name)))
    return topic.model_copy(update={"names": tuple(names)[:MOST_NAMES]})


def _bound(noun: str, text: str) -> Iterator[str]:
    own = Topic(noun=noun)
    for sentence in sentences_of(text):
        if not own.is_told(sentence.text):
            continue
        for pattern in _patterns(noun):
            words_in = sentence.text if noun[-1].isascii() else sentence.folded
            for match in pattern.finditer(words_in):
                name = sentence.text[slice(*match.span("name"))]
                if _may_name(name):
                    yield name


@lru_cache(maxsize=256)
def _patterns(noun: str) -> tuple[re.Pattern[str], ...]:
    if not noun[-1].isascii():
        owned = rf"我们?的?{re.escape(noun)}"
        return (
            re.compile(rf"{re.escape(noun)}的?{_CALLED_ZH}\s*{_NAME_ZH}"),
            re.compile(rf"{re.escape(noun)}[(（]{_FULL_ZH}[)）]"),
            *([re.compile(rf"{owned}(?:现在)?(?:就|可|才)?是{_WHO_ZH}")] if is_person(noun) else []),
            re.compile(rf"(?:^|[，,。;；:：\s]|说){_FULL_ZH}(?:就|可|才)?是{owned}"),
            re.compile(rf"{_FULL_ZH}[(（]{owned}[)）]"),
        )
    thing = r"[\s-]*".join(re.escape(piece) for piece in re.split(r"[\s-]+", noun))
    owned = rf"\b(?i:(?:my|our|the|an?)\s+{thing})"
    return (
        re.compile(rf"{owned}\s*,?\s*(?i:{_CALLED_EN})\s+{_ANY_CASE}"),
        re.compile(rf"\b(?i:an?\s+{thing}\s+called)\s+{_ANY_CASE}"),
        re.compile(rf"{owned}\s+(?i:is|was)\s+{_CAPITAL}{_END_EN}"),
        re.compile(rf"{owned},?\s+[(]?{_CAPITAL}"),
        re.compile(rf"\b{_CAPITAL}\s+(?i:is|was)\s+{owned}"),
        re.compile(rf"\b{_CAPITAL},\s+{owned}(?=\s*[,.])"),
    )


def _may_name(name: str) -> bool:
    if not name.isascii():
        return name not in words.CALLED_FOR_ZH
    first = name.partition(" ")[0].lower().replace("’", "'")
    known = first in STOP_WORDS or first in COMMON_WORDS or first in words.NATIONS_EN
    return len(first) > 1 and not known and (name[0].isupper() or first not in words.WORD_NAMES_EN)


def _is_of_other(name: str, noun: str, *, text: str) -> bool:
    """Whether a text binds a name to something else than the noun."""
    if name not in text:
        return False
    for sentence in sentences_of(text):
        if name not in sentence.text or name in _bound(noun, sentence.text):
            continue
        if any(name in _bound(each, sentence.text) for each in _others_in(sentence.folded, noun)):
            return True
        if any(
            sentence.text[slice(*match.span("name"))] == name
            for pattern in _GENERIC
            for match in pattern.finditer(sentence.text)
        ):
            return True
    return False


def _others_in(folded: str, noun: str) -> list[str]:
    return [each for each in words.PERSONS if each in folded and each not in noun and noun not in each]
