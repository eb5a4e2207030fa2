"""What memory finds before a reply. Pure.

Existence: a path that says `ask: when_mentioned` is asked for, once a session, when the user speaks of
its noun while it is empty. 我负责ABC项目 / "I run the ABC project" with no project number asks for it.
"""

from __future__ import annotations

from collections.abc import Collection

from shared.extraction.answers import mentions_noun
from shared.ltm.schema import Schema


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
