"""Pages of lists that are read whole: limit, cursor, and what follows.

The cursor names the last item shown, so that what comes or goes meanwhile neither repeats nor skips one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Query

from api.views import from_cursor, show_page, to_cursor
from shared.errors import InvalidInput

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page:
    """What part of a list is asked for: at most `limit` items after the one that `after` names."""

    limit: int = 50
    after: str | None = None

    def show(
        self, items: Sequence[T], *, name_of: Callable[[T], str], show: Callable[[T], Any]
    ) -> dict[str, Any]:
        """Return this page of a list. Raises `InvalidInput` where nothing on it has the cursor's name."""
        start = 0
        if self.after is not None:
            names = [name_of(item) for item in items]
            if self.after not in names:
                raise InvalidInput(
                    "cursor names nothing on this list any more; start again without it.", field="cursor"
                )
            start = names.index(self.after) + 1
        shown = items[start : start + self.limit]
        has_more = start + self.limit < len(items)
        return show_page(
            [show(item) for item in shown], next_cursor=to_cursor(name_of(shown[-1])) if has_more else None
        )


async def _page(
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    cursor: Annotated[str | None, Query(max_length=1_000)] = None,
) -> Page:
    return Page(limit, from_cursor(cursor))


PageDep = Annotated[Page, Depends(_page)]
