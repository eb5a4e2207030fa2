"""What memory finds before a reply. Pure.

Existence: fields that the current task's type requires, and a path that says `ask: when_mentioned` when the
user speaks of its noun while it is empty (我负责ABC项目 / "I run the ABC project" with no project number).
Timeliness: a field whose value is a passed deadline, or whose time to live is over. Consistency is compared
where statements are read (`turn/offer`). What each finding leads to is the policy's: ask, warn or nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from typing import Any, Literal

from shared.extraction.answers import mentions_noun
from shared.language.scripts import fold
from shared.ltm.schema import Schema
from shared.ltm.schema_path import PRIORITY_ORDER
from shared.model.base import Value
from shared.model.memory import FieldVersion

Action = Literal["ask", "warn", "off"]


class HeartbeatPolicy(Value):
    """What each kind of finding leads to: a question, a notice alone, or nothing."""

    missing: Action = "ask"
    expired: Action = "ask"
    conflict: Action = "ask"


def find_missing_path(
    text: str, *, schema: Schema, filled: Collection[str], asked: Collection[str]
) -> str | None:
    """Return the first path that the user speaks of, that is empty and was not asked for yet."""
    for path in schema.paths:
        if path.ask != "when_mentioned" or path.path in filled or path.path in asked:
            continue
        if mentions_noun(path.path, text, schema=schema):
            return path.path
    return None


def find_required(task_type: Any, *, schema: Schema, filled: Collection[str]) -> tuple[str, ...]:
    """Return the empty paths that a task of this type requires, most important first; None: no task."""
    if not isinstance(task_type, str):
        return ()
    wanted = _normal_type(task_type)
    missing = [
        path
        for path in schema.paths
        if path.path not in filled and wanted in {_normal_type(each) for each in path.required_for}
    ]
    return tuple(path.path for path in sorted(missing, key=lambda path: PRIORITY_ORDER[path.priority]))


def _normal_type(text: str) -> str:
    return fold(text).strip().replace(" ", "_").replace("-", "_")


def find_expired(
    fields: Sequence[FieldVersion], *, schema: Schema, today: date, now_ms: int
) -> tuple[FieldVersion, ...]:
    """Return the fields whose deadline lies before `today` (in the user's zone) or whose life is over."""
    expires = {path.path: path.expires for path in schema.paths}
    return tuple(
        field for field in fields if _is_expired(field, expires.get(field.path), today=today, now_ms=now_ms)
    )


def _is_expired(
    field: FieldVersion, expires: Literal["deadline"] | int | None, *, today: date, now_ms: int
) -> bool:
    if expires is None:
        return False
    if expires == "deadline":
        return isinstance(field.value, str) and field.value[:10] < today.isoformat()
    return field.valid_from_ms + expires * 1000 <= now_ms
