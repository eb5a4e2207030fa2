"""Server-sent events: one event a line pair, JSON in `data`, dangerous characters escaped."""

from __future__ import annotations

import json
import re
from typing import Any

_UNSAFE = re.compile("[<>&\u0085\u2028\u2029]")


def to_json(payload: Any) -> str:
    """Return compact JSON in which `<`, `>`, `&`, U+0085, U+2028 and U+2029 are escaped."""
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
    return _UNSAFE.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


def format_event(name: str, payload: Any) -> bytes:
    """Return one server-sent event."""
    return f"event: {name}\ndata: {to_json(payload)}\n\n".encode()
