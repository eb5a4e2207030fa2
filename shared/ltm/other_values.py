"""When a statement that is said as a correction gives another value to what a memory tells. Pure.

Clara lives in Lisbon / "Clara moved to Porto", 我老板是张三 / 我老板是李四. `slots.contradicts` knows what cannot
stand beside each other whoever says it; here the user has said that they put something right, so that other
people's homes, the names of who has one, and values of one shape (two days, two figures) are compared too.
Where the two may well both hold (my boss is Tom, my boss is ill) it is no other value.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from shared.language.attributes import CALLED_ZH, HEAD_EN, HEAD_ZH
from shared.language.bare_nouns import BEING
from shared.language.names import SURNAMES
from shared.language.numbers import NumberSpan, find_numbers
from shared.language.scripts import fold_aligned
from shared.ltm.slots import STATES_EN, WHEN_EN, denies_same
from shared.ltm.tombstones import is_denied

MAX_CHARS: Final = 80
_LEAST_DENIED: Final = 4
"""Words or Han characters of a denial that says what it denies: I don't like tea, 我不吃辣."""

Kind = Literal["home", "work", "being", "name", "is", "at"]

_WHO_ZH: Final = r"(?P<who>[^\s,，。:：是为叫在住搬]{1,16}?)(?:现在|目前|已经|刚刚?|最近|又|都|后来)*+"
_WHO_EN: Final = (
    r"(?P<who>[^\s,:][^,:]{0,30}?)\s+(?:(?:now|currently|just|recently|already|has|have|is|are|'ve)\s+)*"
)
_PATTERNS: Final[tuple[tuple[Kind, re.Pattern[str]], ...]] = (
    ("home", re.compile(rf"{_WHO_ZH}(?:住在?|定居在?|搬到了?|搬去了?|搬来了?|搬家到了?)(?P<value>[^\s,，]{{1,20}}?)(?:了|啦)?")),
    ("work", re.compile(rf"{_WHO_ZH}(?:在(?P<value>[^,，]{{1,20}}?)(?:上班|工作|任职)|(?:跳槽到|跳到|入职|加入)了?(?P<value2>[^\s,，]{{1,20}}?))(?:了|啦)?")),
    ("home", re.compile(rf"{_WHO_EN}(?:lives?\s+in|living\s+in|moved\s+to|relocated\s+to|based\s+in|resides?\s+in)\s+(?P<value>[^,]{{1,40}})")),
    ("work", re.compile(rf"{_WHO_EN}(?:works?\s+(?:at|for)|working\s+(?:at|for)|joined)\s+(?P<value>[^,]{{1,40}})")),
    ("name", re.compile(rf"(?P<who>[^\s,，]{{1,20}}?)的?(?:名字)?(?:{CALLED_ZH}|名字是)(?P<value>[^\s,，]{{1,12}}?(?<![了的着]))")),
    ("is", re.compile(r"(?P<who>[^,，:：是为]{1,30}?)(?:现在|目前)?[是为](?P<value>[^,，]{1,30}?)")),
    ("at", re.compile(r"(?P<who>[^,，:：在]{1,20}?)(?:现在|目前)?[在](?P<value>[^,，]{1,20}?)")),
    ("name", re.compile(r"(?P<who>[^,:]{2,40}?)(?:'s\s+name)?\s+(?:is|are)\s+(?:called|named)\s+(?P<value>[^,]{1,40})|(?P<who2>[^,:]{2,40}?)'s\s+name\s+is\s+(?P<value2>[^,]{1,40})")),
    ("is", re.compile(r"(?P<who>[^,:]{1,40}?)\s+(?:is|are|am)\s+(?:now\s+)?(?P<value>[^,]{1,40})")),
)  # fmt: skip
_OWN: Final = frozenset({"i", "we", "我", "我们", "咱", "咱们"})
_PRONOUNS: Final = frozenset(
    "he she it they you this that there here who what which these those the 他 她 它 你 您 这 那 他们 她们 大家 谁 这里 那里".split()  # noqa: SIM905 (a table of words)
)
_VAGUE_ZH: Final = re.compile(
    r"新|别|这|那|哪|一|他|她|它|我|你|朋友|什么|隔壁|楼[上下]|家(?!乡)|外面|哪儿|几|怎|得|不|院|校"
    r"|宿舍|酒店|宾馆|旅馆|民宿|公寓|郊区|市区|市中心|城[里外中]|乡下|[海路江湖]边|[^国]{1,4}家$|农村|学校|公司|附近"
    r"|努力|认真|拼命|偷偷|安心|专心|埋头|加班|辛苦|勤奋|全职|兼职|远程|线[上下]|正常|继续|好好|替|给|帮|晚上|夜里|白天|周末|凌晨"
)
"""No place, firm or name that another one takes the place of: 住在宿舍, 在努力工作."""

_VAGUE_EN: Final = re.compile(
    r"(?:an?|another|the|his|her|their|my|our|your|its|some|any|no|not|home|there|here|new|more|very|too|so|just|that|this|what|where|how"
    rf"|to|in|on|off|out|up|away|back|by|for|all|sin|weekends?|\w+ing|{STATES_EN})\b"
)
_OPEN_VALUE_EN: Final = re.compile(
    r"(?:some|any|no|not|there|here|very|too|so|just|that|this|what|where|how|really|still|to|\w+ing|\w+ed|not)\b"
)
_COUNTED: Final = frozenset({"day", "figure"})
"""Shapes in whose place no other words stand: a birthday that is a secret."""

_FIGURE: Final = re.compile(r"[$€£¥￥#]?\d|[一二两三四五六七八九十百千万]{2,}")
_DAY: Final = re.compile(
    r"(?:下?(?:周|星期|礼拜)[一二三四五六日天]|\d{1,2}[月号日]|[一二三四五六七八九十]+[月号日]|今天|明天|后天|[上下]午|早上|晚上)"
    r"|(?:(?:next|this)\s+)?(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|(?:today|tomorrow|noon|midnight)\b"
)
_PREPOSITION: Final = re.compile(r"(?P<prep>in|at|on|under|behind|by|with|from)\s+(?P<rest>.+)")
_KNOWN_PLACE: Final = re.compile(r"(?:the|my|our|his|her|their)\s+\w+")
_PLACE_ZH: Final = re.compile(r".{1,18}(?:里面?|上面?|下面?|旁边?|楼|室|厅|处|店|馆|柜|箱|包|站|市|省|县|区)")
_NAME_EN: Final = re.compile(
    r"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.?\s+)?(?!(?:I|The|A|An|My|Not|No|Very|Just|Still)\b)[A-Z][\w-]*(?:['’][A-Z]\w+)?(?:\s+[A-Z][\w-]*){0,3}"
)
_NAME_ZH: Final = re.compile(
    rf"[{SURNAMES}][\u4e00-\u9fff]{{1,2}}|[老小阿][{SURNAMES}]|[{SURNAMES}](?:总|工|姐|哥|老师|经理|医生|主任|律师)|[A-Z][A-Za-z]{{1,15}}"
)
_NO_NAME_ZH: Final = re.compile(
    r"高[手人管]|方便|单身|和事|安[静全]|白[痴领]|温[柔和]|马虎|成[功熟]|严[厉格肃谨]|明[星白智]|万[能人]|花[心痴]|常客|管家|路[人痴]|古[板怪]|康复|金主|.*[的了]$"
)
"""高手, 方便的: what begins like a name."""

_NATION_EN: Final = re.compile(
    r"american|british|english|scottish|irish|welsh|french|german|italian|spanish|portuguese|dutch|belgian|swiss|austrian|polish|russian|ukrainian"
    r"|greek|turkish|swedish|norwegian|danish|finnish|czech|hungarian|romanian|chinese|japanese|korean|indian|thai|vietnamese|australian|canadian|mexican|brazilian|israeli|iranian|egyptian|asian|european|african"
)
_FAVOURITE: Final = re.compile(r"\bfavou?rite\b|最喜欢|最爱")
_SAME_TAIL: Final = re.compile(
    r"[\u4e00-\u9fff]{1,5}(?P<tail>(?<![个的])人|[\u4e00-\u9fff](?<![的了吗呢人]))"
)
"""意大利人, 绿茶: of two such values that end alike one takes the place of the other."""
_NOISE: Final = re.compile(r"[\s的]+|^(?:我们|咱们|我|咱)家(?=.)")
_END: Final = " \t。.!！~～"


@dataclass(frozen=True, slots=True)
class _Told:
    kind: Kind
    who: str
    value: str
    phrase: str
    is_small: bool
    """True where all of the statement is in small letters, names too."""


class PutRight:
    """A statement that is said to put something right, read once and compared with all that is held."""

    def __init__(self, text: str) -> None:
        self._text = text.strip(_END)
        is_read = 0 < len(self._text) <= MAX_CHARS
        self._is_denied = is_read and is_denied(self._text)
        is_told = is_read and not self._is_denied
        self._told = _readings(self._text) if is_told else []
        self._counted = _counted(self._text) if is_told else None
        self._is_read = is_read

    def differs_from(self, held: str) -> bool:
        """Return whether it says of the same thing another value than what is held."""
        held = held.strip(_END)
        if not self._is_read or not 0 < len(held) <= MAX_CHARS:
            return False
        if is_denied(held) != self._is_denied:
            return denies_same(held, self._text)
        words = _bare(held)
        if self._counted is not None and self._counted.may_stand_in(words):
            before = _counted(held)
            if before is not None and before.differs_from(self._counted):
                return True
        told = [each for each in self._told if each.who in words]
        return bool(told) and any(_is_other(before, after) for before in _readings(held) for after in told)


def may_give_value(text: str) -> bool:
    """False where a statement gives nothing a value, so that there is nothing to compare it with."""
    told = text.strip(_END)
    if not told or len(told) > MAX_CHARS:
        return False
    parts = told.split() if told.isascii() else told
    denies = is_denied(told) and len(parts) >= _LEAST_DENIED
    return denies or len(find_numbers(told)) == 1 or bool(_readings(told))


def _readings(text: str) -> list[_Told]:
    """What a short statement tells, in each way that it may be read."""
    folded = fold_aligned(text).replace("’", "'")
    found: list[_Told] = []
    for kind, pattern in _PATTERNS:
        match = pattern.fullmatch(folded)
        if match is None:
            continue
        groups = match.groupdict()
        phrase = (groups["who"] or groups.get("who2") or "").strip()
        who = _NOISE.sub("", phrase)
        name = "value" if groups["value"] else "value2"
        if not who or who in _PRONOUNS:
            continue
        being = kind == "is" and BEING.search(phrase) is not None
        value = text[match.start(name) : match.end(name)].strip(_END)
        when = WHEN_EN.search(value.lower())
        value = value[: when.start()] if when and kind in {"home", "work"} else value
        found.append(
            _Told("being" if being else kind, "" if who in _OWN else who, value, phrase, text.islower())
        )
    return found


def _is_other(before: _Told, after: _Told) -> bool:
    kinds = {before.kind, after.kind}
    if before.who != after.who or not (len(kinds) == 1 or kinds == {"being", "name"}):
        return False
    if _says_as_much(_bare(before.value), _bare(after.value)):
        return False
    if "being" in kinds:
        return _shape(before.value) == _shape(after.value) == "name"
    if kinds & {"home", "work", "name"}:
        return not (_is_vague(before.value) or _is_vague(after.value)) and _is_written_alike(before, after)
    if kinds == {"at"}:
        return bool(_PLACE_ZH.fullmatch(before.value) and _PLACE_ZH.fullmatch(after.value))
    return bool(before.who) and _is_one_slot(before.phrase, old=before.value, new=after.value)


def _says_as_much(old: str, new: str) -> bool:
    return not old or not new or old.startswith(new) or new.startswith(old)


def _is_written_alike(before: _Told, after: _Told) -> bool:
    """False where a word in small letters would take a name's place: I live in limbo, of Leeds."""
    return not (after.value.islower() and not after.is_small and before.value[:1].isupper())


def _is_one_slot(phrase: str, *, old: str, new: str) -> bool:
    """True where the thing has one such value: both are days, figures or names, or it is a thing's attribute."""
    shapes = {_shape(old), _shape(new)}
    if len(shapes) == 1 and "" not in shapes:
        return True
    counted = [shape.rpartition(" ")[2] in _COUNTED for shape in shapes]
    if any(counted):
        return all(counted)
    is_placed = [_PREPOSITION.match(value.lower()) is not None for value in (old, new)]
    if is_placed == [False, True] or _OPEN_VALUE_EN.match(new.lower()) or new.endswith(("的", "了")):
        return False
    heads = HEAD_ZH.search(phrase) or HEAD_EN.search(phrase) or _FAVOURITE.search(phrase)
    return heads is not None


def _shape(value: str) -> str:
    """What kind of thing a value is, by its form; empty where that tells nothing."""
    folded = fold_aligned(value)
    preposition = _PREPOSITION.fullmatch(folded)
    if preposition is not None:
        inner = _shape(value[preposition.start("rest") :])
        if not inner and _KNOWN_PLACE.match(preposition["rest"]):
            inner = "place"
        return f"{preposition['prep']} {inner}" if inner else ""
    if _DAY.match(folded):
        return "day"
    if _FIGURE.match(folded) or (folded.isascii() and any(ch.isdigit() for ch in folded)):
        return "figure"
    if _NATION_EN.fullmatch(folded):
        return "nation"
    if _NAME_EN.fullmatch(value) or (_NAME_ZH.fullmatch(value) and not _NO_NAME_ZH.match(value)):
        return "name"
    tail = _SAME_TAIL.fullmatch(folded)
    return f"…{tail['tail']}" if tail is not None else ""


def _is_vague(value: str) -> bool:
    folded = fold_aligned(value)
    return bool(_VAGUE_ZH.match(folded) or _VAGUE_EN.match(folded))


def _bare(value: str) -> str:
    return _NOISE.sub("", fold_aligned(value)).strip(_END)


@dataclass(frozen=True, slots=True)
class _Counted:
    """The one number of a statement, and the words around it."""

    number: NumberSpan
    head: str
    tail: str

    def may_stand_in(self, words: str) -> bool:
        """False where a statement has other words around whatever it counts."""
        return words.startswith(self.head) and words.endswith(self.tail)

    def differs_from(self, other: _Counted) -> bool:
        """我们有12台服务器 / 我们有15台服务器: the same words around one number of one unit."""
        is_same = (self.head, self.tail, self.number.unit) == (other.head, other.tail, other.number.unit)
        return is_same and self.number.value != other.number.value


def _counted(text: str) -> _Counted | None:
    numbers = find_numbers(text)
    if len(numbers) != 1:
        return None
    head, _, tail = _bare(f"{text[: numbers[0].start]}\ufffc{text[numbers[0].end :]}").partition("\ufffc")
    return _Counted(numbers[0], head, tail)
