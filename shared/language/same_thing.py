"""Whether a sentence tells the same thing as another in other words, or another thing in like words. Pure.

My father has diabetes and my mother has diabetes share most of their words and are two things: where they
stand, one content word takes another's place. A name, a number, a day and a denial are never noise. Who says
it (我, you), what frames it, and what is merely left out make no other thing; nor does another value of the
same subject (X is V, X is W): that is its former value. Two names or numbers that both hold, in a sentence
that is built in another way, tell the same whatever the verb: 4200 at Acme is earned or is a salary.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final, NamedTuple

from shared.language.numbers import find_numbers
from shared.language.question_words import STOP_WORDS
from shared.language.scripts import HAN, fold
from shared.language.terms import stem

_MOST_TOKENS: Final = 120
"""Aligning takes the product of two lengths: what is longer is compared by its names and numbers alone."""
_SENTENCE: Final = re.compile(r"[^。！？!?\n；;]+")
_MOST_SENTENCES: Final = 200
_ENOUGH_NAMES: Final = 2
_WEEKDAY_ZH: Final = "(?:周|星期|礼拜|週)[一二三四五六日天末]"
_DAYS: Final = frozenset(
    stem(word)
    for word in """monday tuesday wednesday thursday friday saturday sunday january february march april june
    july august september october november december today tomorrow yesterday tonight""".split()  # noqa: SIM905 (a table of words)
)
_TOKEN: Final = re.compile(
    rf"{_WEEKDAY_ZH}|[{HAN}]|[^\W{HAN}_]+(?:['’][^\W{HAN}_]+)?(?:-[^\W{HAN}_]+)*|[,，:：=]"
)
_MARKS: Final = frozenset(",，:：")
_FRAME_ZH: Final = frozenset(
    "我你您他她它咱们的了是在过吗呢吧啊呀么嘛和与跟对给把被让都也就还又很之且或并哦嗯这那有得要会想能将为"
    "到去来个号日元块条件位名共已经好请放藏搁"
)
_PLANS_ZH: Final = re.compile("打算|计划|准备|决定|考虑|想要")
_FRAME_EN: Final = STOP_WORDS - {"not", "no", "nor"} | set(
    "also please ok okay noted yes get plan intend want decide decided hope going every still".split()  # noqa: SIM905 (a table of words)
)
_COPULA: Final = frozenset({"是", "为", "叫", "=", "is", "are", "was", "were", "be"})
_DENIAL: Final = re.compile(r"[不没未无别勿]|not|no|never|nor|without|cannot|.+n['’]t")
_NO_DENIAL: Final = re.compile(r"^\s*(?:不对|不是|不|没错|no|nope|not so)\s*[,，:：.!！]", re.IGNORECASE)


class _Token(NamedTuple):
    key: str
    is_strong: bool = False
    """A name, a number or a day."""
    is_content: bool = False
    is_capital: bool = False
    is_denial: bool = False


def sentences_of(text: str) -> list[str]:
    """Return the first 200 sentences of a text, as they are compared; a full stop ends none."""
    return [match[0] for match in _SENTENCE.finditer(text)][:_MOST_SENTENCES] or [text]


def is_same_thing(stated: str, said: str) -> bool:
    """Whether the sentence `said`, which shares most terms with `stated`, tells that and no other thing."""
    ours, theirs = _tokens(stated), _tokens(_NO_DENIAL.sub("", said))
    held, known = {token.key for token in theirs}, {token.key for token in ours}
    if _has_other_value(ours, theirs):
        return True
    strong = {token.key for token in ours if token.is_strong}
    if not strong <= held or max(len(ours), len(theirs)) > _MOST_TOKENS:
        return strong <= held
    changes = _changes(ours, theirs)
    if _is_denied_otherwise(changes):
        return False
    replaced = [(old, new) for old, new in changes if _content(old) and _content(new)]
    if not replaced or all(token.key in held for token in ours if token.is_content):
        return True
    is_named = len(strong) >= _ENOUGH_NAMES and all(token.key in known for token in theirs if token.is_strong)
    return is_named and not all(_is_put_in_place(old, new) for old, new in replaced)


def stands_in(words: str, text: str) -> bool:
    """Whether folded words stand whole in a folded text, and are not denied there: 500 is not 5000."""
    place = text.find(words)
    while words and place >= 0:
        end = place + len(words)
        before, after = text[max(place - 1, 0) : place], text[end : end + 1]
        if (
            not _DENIAL.fullmatch(before)
            and not _goes_on(before, words[0])
            and not _goes_on(words[-1], after)
        ):
            return True
        place = text.find(words, end)
    return False


def _goes_on(one: str, other: str) -> bool:
    return (one + other).isascii() and one.isalnum() and other.isalnum()


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    place = 0
    for number in find_numbers(text):
        found += _words(text, place, end=number.start)
        found.append(_Token(number.canonical, is_strong=True, is_content=True))
        place = number.numeral_end
    return [*found, *_words(text, place, end=len(text))]


def _words(text: str, start: int, *, end: int) -> list[_Token]:
    plans = {place for plan in _PLANS_ZH.finditer(text, start, end) for place in range(*plan.span())}
    found = _TOKEN.finditer(text, start, end)
    return [_token(text, match) for match in found if match.start() not in plans]


def _token(text: str, match: re.Match[str]) -> _Token:
    raw = match[0]
    word = fold(raw)
    if word in _MARKS:
        return _Token(",")
    if not word.isascii():
        is_day = len(word) > 1 and word.isalpha() and word[0] in "周星礼週"
        is_denial = _DENIAL.fullmatch(word) is not None
        is_content = word not in _FRAME_ZH and not is_denial
        return _Token(word, is_strong=is_day, is_content=is_content, is_denial=is_denial)
    bare = re.sub(r"['’](?:s|t|re|ve|ll|d|m)$", "", word)
    is_denial = _DENIAL.fullmatch(word) is not None
    is_content = not is_denial and bare not in _FRAME_EN and word != "="
    key = "not" if is_denial else bare if bare in _COPULA else stem(bare)
    before = text[: match.start()].rstrip()[-1:]
    begins = not before or before in ".!?。！？:：,，;；\n\"'“「"
    after = text[match.end() : match.end() + 1]
    beside_han = raw.isalpha() and (_is_han(before) or _is_han(after))
    is_letter = len(raw) == 1 and raw.isupper() and (beside_han or (raw != "I" and not begins))
    is_content = is_content or is_letter
    is_capital = raw[:1].isupper() and is_content
    is_name = is_capital and (not begins or raw.isupper() or is_letter)
    is_strong = is_content and (is_name or key in _DAYS or beside_han or raw.isdigit())
    return _Token(key, is_strong=is_strong, is_content=is_content, is_capital=is_capital, is_denial=is_denial)


def _is_han(character: str) -> bool:
    return bool(character) and not character.isascii() and character.isalpha()


def _content(tokens: Sequence[_Token]) -> list[_Token]:
    return [token for token in tokens if token.is_content]


def _changes(ours: Sequence[_Token], theirs: Sequence[_Token]) -> list[tuple[list[_Token], list[_Token]]]:
    """Return what stands in the place of what, between the words that both hold, in order.

    One Han character that both hold parts no word: 女儿 stands in the place of 儿子.
    """
    ours, theirs = _unmarked(ours), _unmarked(theirs)
    matcher = SequenceMatcher(None, [t.key for t in ours], [t.key for t in theirs], autojunk=False)
    found: list[tuple[int, int, int, int]] = []
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            continue
        is_joined = found and a - found[-1][1] == 1 and not ours[a - 1].key.isascii()
        first = found.pop() if is_joined else (a, a, c, c)
        found.append((first[0], b, first[2], d))
    return [(list(ours[a:b]), list(theirs[c:d])) for a, b, c, d in found]


def _unmarked(tokens: Sequence[_Token]) -> list[_Token]:
    return [token for token in tokens if token.key != ","]


def _is_denied_otherwise(changes: Sequence[tuple[list[_Token], list[_Token]]]) -> bool:
    return any(
        any(token.is_denial for token in old) != any(token.is_denial for token in new) for old, new in changes
    )


def _is_put_in_place(old: Sequence[_Token], new: Sequence[_Token]) -> bool:
    """Whether words took the place of others in a sentence built alike, or a name that of a name."""
    old_words, new_words = _content(old), _content(new)
    if all(token.is_capital for token in (*old_words, *new_words)):
        return True
    return len(old_words) == len(old) and len(new_words) == len(new)


def _has_other_value(ours: Sequence[_Token], theirs: Sequence[_Token]) -> bool:
    """Whether both say what the same subject is."""
    subject, other = _subject(ours), _subject(theirs)
    return bool(subject) and subject == other


def _subject(tokens: Sequence[_Token]) -> frozenset[str]:
    keys = [token.key for token in tokens]
    place = next((number for number, key in enumerate(keys) if key in _COPULA), 0)
    start = max((number for number in range(place) if keys[number] == ","), default=-1) + 1
    before = tokens[start:place]
    if any(token.is_denial for token in before):
        return frozenset()
    return frozenset([token.key for token in before if token.is_content])
