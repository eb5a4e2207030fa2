"""Each exception that a line makes from the linter or the types says why, there or on the line above."""

import re
from collections.abc import Iterable

from tests.architecture.source import Module

_MARK = re.compile(
    r"#\s*(?:ruff:\s*)?(?:noqa(?::\s*[A-Z]+\d+(?:,\s*[A-Z]+\d+)*)?|type:\s*ignore(?:\[[\w, -]+\])?)"
)
_WORD = re.compile(r"[^\W\d_]{2,}")


def unexplained_exceptions(modules: Iterable[Module]) -> list[str]:
    return [
        f"{module.path}:{number} makes an exception and gives no reason"
        for module in modules
        for number, (above, line) in enumerate(
            zip(["", *module.text.splitlines()], module.text.splitlines(), strict=False), start=1
        )
        if _is_unexplained(line, above=above)
    ]


def _is_unexplained(line: str, *, above: str) -> bool:
    marks = list(_MARK.finditer(line))
    if not marks or above.lstrip().startswith("#"):
        return False
    return _WORD.search(_MARK.sub("", line[marks[0].start() :])) is None
