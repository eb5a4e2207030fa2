"""Text as few bytes, before it is sealed: sealed bytes cannot be made smaller any more.

GB 18030 holds all of Unicode (a test walks it) and writes a Han character in two bytes, where UTF-8
takes three; short texts gain from nothing else. Long ones are deflated.
"""

from __future__ import annotations

import zlib

_UTF8 = b"U"
_GB18030 = b"G"
_DEFLATED = b"Z"
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
