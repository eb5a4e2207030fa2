"""What the marks inside a number mean: 1,250.50 and 1.250,50, 12,5k, 1,00,000. Pure grammar on folded digits.

A comma before three digits groups; before one or two at the end it is a decimal comma, where the words around
it leave no other reading. Where two are left (1,2万 may be one or two, €5.000 five or five thousand) there is
none.
"""

import re
from typing import Final

from shared.language.scripts import fold_aligned

_DECIMAL_COMMA: Final = re.compile(r",(\d{1,2})$")
_DOTTED: Final = re.compile(r"-?[1-9]\d{0,2}\.\d{3}")
_CENTS: Final = 2
_WIDE_COMMA: Final = re.compile("(?<![０-９])，|，(?![０-９])")


def plain_digits(number: str, *, is_money: bool, is_euro: bool, is_scaled: bool) -> str | None:
    """The digits with a point before the cents and nothing else; None where a mark may mean two things.

    Args:
        number: digits, commas, points and a minus sign.
        is_money: a currency stands beside it: two digits behind a comma are cents.
        is_euro: that currency is written with decimal commas.
        is_scaled: k, million or % stands behind it: nothing is grouped before these.
    """
    number = number.replace("−", "-")
    cents = _DECIMAL_COMMA.search(number)
    if cents is None:
        return None if is_euro and _DOTTED.fullmatch(number) else number.replace(",", "")
    if "." in number or is_scaled or is_euro or (is_money and len(cents[1]) == _CENTS):
        return number.replace(".", "").replace(",", ".")
    return None


def fold_number_marks(text: str) -> str:
    """The text folded place by place; a full-width comma parts numbers, but among full-width digits."""
    aligned = fold_aligned(text)
    if "，" not in text:
        return aligned
    pieces, last = [], 0
    for match in _WIDE_COMMA.finditer(text):
        pieces += [aligned[last : match.start()], match[0]]
        last = match.end()
    return "".join([*pieces, aligned[last:]])
