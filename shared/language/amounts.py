"""Amounts of money as people write them short: 1.5m, 20 grand, 3 lakh, 50w, 一个亿, 1 200 000. Pure.

Only where money is meant: elsewhere 1.5 m is a length, and 20 grand are pianos. What is written out is no
longer and no shorter than it was, so that places in the text stay.
"""

import re
from functools import partial
from typing import Final

_SCALES: Final = (
    (re.compile(r"(?<=\d)w(?![a-z\d])", re.IGNORECASE), "万"),
    (re.compile(r"(?<=\d)\s?grand\b", re.IGNORECASE), "k"),
    (re.compile(r"(?<=\d)\s?(?:lakh|lac)s?\b", re.IGNORECASE), "十万"),
    (re.compile(r"(?<=\d)\s?crores?\b", re.IGNORECASE), "千万"),
    (re.compile(r"(?<=\d)\s?m(?![a-z\d])", re.IGNORECASE), "M"),
    (re.compile(r"(?<=\d)\s?b(?![a-z\d])", re.IGNORECASE), "B"),
)
_GROUPS: Final = re.compile(r"(?<![\d.,])(?<!\d\s)\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?![\d.,]\d|\d|\s\d)")
_COUNTED: Final = re.compile(r"(?<=[\d一二两三四五六七八九十])个(?P<scale>[百千]?[万亿])")


def _padded(scale: str, match: re.Match[str]) -> str:
    return scale.ljust(len(match[0]))


def write_out_scales(text: str) -> str:
    """The text of an amount with its scale as `numbers` reads it, character for character as long."""
    for pattern, scale in _SCALES:
        text = pattern.sub(partial(_padded, scale), text)
    text = _COUNTED.sub(lambda match: f"{match['scale']} ", text)
    return _GROUPS.sub(
        lambda match: "".join(filter(str.isdigit, match[0])).ljust(len(match[0])),
        text,
    )
