"""Who or what a user has one of, and that another takes its place: my boss is Ann now, 我的新老板是王五. Pure.

A statement says so only with "now" or "new": of colleagues and friends, of a boss who is ill, many things are true at a
time, and so the words are read with their capitals, and a name is told from what somebody is like.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_MOST_CHARS: Final = 80
_PERSON_EN: Final = r"(?:boss|manager|supervisor|wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|landlord|landlady|roommate|flatmate|dentist|doctor|gp|therapist|coach|trainer|accountant|lawyer)"
_THING_EN: Final = (
    r"(?:car|phone|laptop|computer|bike|camera|tablet|keyboard|address|employer|bank|gym|school)"
)
_PERSON_ZH: Final = r"(?:老板|经理|领导|上司|主管|老婆|妻子|老公|丈夫|男朋友|女朋友|男友|女友|对象|未婚妻|未婚夫|房东|室友|牙医|家庭医生|教练|会计|律师)"
_THING_ZH: Final = r"(?:车|手机|电脑|笔记本|自行车|相机|平板|键盘|银行|健身房|学校)"
_NAME_EN: Final = r"(?-i:[A-Z][\w'’-]*(?:\s+[A-Z][\w'’-]*){0,2})"
_MODEL_EN: Final = rf"(?:(?:an?|the)\s+)?(?:{_NAME_EN}|(?-i:[a-z]?[A-Z]\w*))(?:\s+[\w.-]+){{0,2}}?"
_NAME_ZH: Final = r"(?:(?!一|个|很|好|在|不|最|有)[\u4e00-\u9fffA-Za-z·]{1,6}?|[A-Z][\w ]{0,20}?)"
_END: Final = r"\s*[.。!！~～]*"
_SHAPES: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"my\s+(?P<a>new\s+|current\s+)?(?P<slot>{_PERSON_EN})(?:'s\s+name)?\s+(?:is|'s)\s+(?P<b>now\s+)?(?:called\s+|named\s+)?(?P<value>{_NAME_EN})(?P<c>\s+now)?{_END}",
        rf"(?P<value>{_NAME_EN})\s+is\s+(?P<b>now\s+)?my\s+(?P<a>new\s+|current\s+)?(?P<slot>{_PERSON_EN})(?P<c>\s+now)?{_END}",
        rf"my\s+(?P<a>new\s+|current\s+)?(?P<slot>{_THING_EN})\s+(?:is|'s)\s+(?P<b>now\s+)?(?P<value>{_MODEL_EN})(?P<c>\s+now)?{_END}",
        rf"i\s+(?P<b>now\s+)?(?P<slot>drive|ride)\s+(?P<value>{_MODEL_EN})(?P<c>\s+now)?{_END}",
        rf"我的?(?P<a>新|现任)?(?P<slot>{_PERSON_ZH}|{_THING_ZH})(?P<b>现在|目前)?(?:的名字)?(?:是|叫|(?P<d>换成了?))(?P<value>{_NAME_ZH})(?P<c>了)?{_END}",
        rf"(?P<value>{_NAME_ZH})(?P<b>现在)?是我的?(?P<a>新|现任)?(?P<slot>{_PERSON_ZH})(?P<c>了)?{_END}",
        rf"我(?P<b>现在)?(?P<slot>开)的?(?:是)?(?P<value>(?!始|会|店|车|心|公司|业|学|了|过|个|网|一)[\u4e00-\u9fffA-Za-z]{{2,6}}?)(?P<c>了)?{_END}",
    )
)


@dataclass(frozen=True, slots=True)
class Held:
    """What a user says that they have: in which place, what, and whether it came in the place of another."""

    slot: str
    value: str
    is_new: bool


def read_held(text: str) -> Held | None:
    """Return whom or what a short statement names as the user's boss, phone, car; None for all others."""
    if len(text) > _MOST_CHARS:
        return None
    for shape in _SHAPES:
        found = shape.fullmatch(text.strip().replace("’", "'"))
        if found is not None:
            marks = found.groupdict()
            is_new = any(marks.get(name) for name in "abcd")
            return Held(found["slot"].lower(), found["value"].strip().lower(), is_new)
    return None


def takes_place(old: str, new: str) -> bool:
    """True where the newer names another in the place of the older, and says that this is new."""
    after = read_held(new)
    if after is None or not after.is_new:
        return False
    before = read_held(old)
    return before is not None and before.slot == after.slot and before.value != after.value
