"""Commands on the items of a list: 把Flash加入排除技术 / add Flash to the excluded technologies, and back.

The list may be named first (排除技术里的MySQL删掉吧; "from the excluded technologies, remove MySQL"). What
names no list of the schema is no command: to add and to remove are verbs of daily work.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from shared.extraction import command_words_en as en
from shared.extraction import command_words_zh as zh
from shared.extraction.assignments import read_label
from shared.extraction.clause import Clause
from shared.extraction.command import Command
from shared.extraction.pages import trim_span
from shared.ltm.schema import SchemaPath, normalise_value, split_items

_LIST_NOUN: Final = re.compile(r"\s*(?:list|列表|清单|名单)")
_LIST_OF: Final = re.compile(r"^(?:(?:my|our|the|your)\s+)?list\s+of\s+")
_ADDING: Final = (zh.ADD_TO, zh.ADD_ITEM, zh.ADD_NEW, zh.ADD_AFTER, en.ADD_TO, en.ADD_NEW)
_REMOVING: Final = (zh.REMOVE_FROM, zh.REMOVE_INSIDE, zh.REMOVE_AFTER, en.REMOVE_FROM)


def add_items(clause: Clause) -> list[Command] | None:
    """The items that the clause adds to a list; None where it adds none."""
    return _of_patterns(clause, _ADDING, kind="append") or _of_list_before(
        clause, (zh.ADD_IT, en.ADD_IT), kind="append"
    )


def remove_items(clause: Clause) -> list[Command] | None:
    """The items that the clause takes from a list; None where it takes none."""
    return _of_patterns(clause, _REMOVING, kind="remove") or _of_list_before(
        clause, (zh.REMOVE_IT, en.REMOVE_IT), kind="remove"
    )


def _of_patterns(
    clause: Clause, patterns: tuple[re.Pattern[str], ...], *, kind: Literal["append", "remove"]
) -> list[Command] | None:
    for pattern in patterns:
        match = clause.match(pattern)
        path = _list_path(clause, match)
        if match is not None and path is not None:
            return _items(clause, match, path=path, kind=kind)
    return None


def _of_list_before(
    clause: Clause, patterns: tuple[re.Pattern[str], ...], *, kind: Literal["append", "remove"]
) -> list[Command] | None:
    """从排除技术里，删掉MySQL / "from the excluded technologies, remove MySQL"."""
    for pattern in patterns:
        match = clause.match(pattern)
        path = clause.field_before if match is not None else None
        if match is not None and path is not None and path.is_list:
            return _items(clause, match, path=path, kind=kind)
    return None


def _list_path(clause: Clause, match: re.Match[str] | None) -> SchemaPath | None:
    if match is None:
        return None
    words = clause.words(match, "label")
    noun = _LIST_NOUN.match(clause.page.folded, match.end("label"))
    shorter = _LIST_OF.sub("", words)
    for name in (words + noun[0] if noun else words, words, shorter):
        path = read_label(name, clause.reader.schema)
        if path is not None and path.is_list:
            return path
    return None


def _items(
    clause: Clause, match: re.Match[str], *, path: SchemaPath, kind: Literal["append", "remove"]
) -> list[Command]:
    text = clause.page.text
    span = trim_span(text, match.start("items"), end=match.end("items"))
    begin = span.start - _has_leading_dot(text, span.start, first=match.start("items"))
    found = []
    for item in split_items(text[begin : span.end]):
        value = normalise_value(path, [item], today=clause.reader.today)[0]
        found.append(clause.command(kind, text=value, value=value, path=path.path))
    return found


def _has_leading_dot(text: str, start: int, *, first: int) -> bool:
    """True where the item is .NET and the dot its own."""
    return start > first and text[start - 1] == "." and text[start].isalnum()
