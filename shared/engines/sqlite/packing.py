"""Text as few bytes, before it is sealed: sealed bytes cannot be made smaller any more.

GB 18030 holds all of Unicode (a test walks it) and writes a Han character in two bytes, where UTF-8
takes three; short texts gain from nothing else. Long ones are deflated. A JSON object of a content and
nothing else, which most messages are, is written as that text.
"""

from __future__ import annotations

import json
import zlib
from typing import Any

_UTF8 = b"U"
_GB18030 = b"G"
_DEFLATED = b"Z"
_CONTENT = b"C"
_WORTH_DEFLATING_BYTES = 400


def pack_text(text: str) -> bytes:
    """Return `text` packed; it must not hold lone surrogates."""
    raw = text.encode()
    if len(raw) >= _WORTH_DEFLATING_BYTES:
        return _DEFLATED + zlib.compress(raw, 6)
    if len(raw) == len(text):
        return _UTF8 + raw
    wide = text.encode("gb18030")
    return _GB18030 + wide if len(wide) < len(raw) else _UTF8 + raw


def unpack_text(packed: bytes) -> str:
    """Return the text that was packed."""
    form, content = packed[:1], packed[1:]
    if form == _DEFLATED:
        return zlib.decompress(content).decode()
    return content.decode("gb18030" if form == _GB18030 else "utf-8")


def pack_json(value: Any) -> bytes:
    """Return a JSON value packed; it must not hold lone surrogates."""
    if isinstance(value, dict) and len(value) == 1 and isinstance(value.get("content"), str):
        return _CONTENT + pack_text(value["content"])
    return pack_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def unpack_json(packed: bytes) -> Any:
    """Return the JSON value that was packed."""
    if packed[:1] == _CONTENT:
        return {"content": unpack_text(packed[1:])}
    return json.loads(unpack_text(packed))
