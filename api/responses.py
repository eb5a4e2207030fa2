"""JSON replies in which nothing can close a script tag or a line of a stream."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from api.sse import to_json


class SafeJSONResponse(Response):
    """JSON with `<`, `>`, `&`, U+2028 and U+2029 escaped."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Return the body."""
        return to_json(content).encode()
