"""Server-sent events, from byte chunks as they come to the data of each event.

Lines are split as bytes, so that a character cut in two by the network is whole again before it is
decoded. After the HTML standard, section 9.2.6 "Interpreting an event stream"; of an event only its
data counts here, and what is no field is ignored.
"""

from __future__ import annotations

import re

_LINE_END = re.compile(rb"\r\n|\n|\r")
_BOM = b"\xef\xbb\xbf"


class BrokenStreamError(Exception):
    """The upstream sent what cannot be a reply; `reason` is a short word for the log."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class SseParser:
    """An incremental parser; `max_event_bytes` bounds a line and the data of one event."""

    def __init__(self, *, max_event_bytes: int) -> None:
        self._max_event_bytes = max_event_bytes
        self._rest = bytearray()
        self._data: list[str] = []
        self._data_bytes = 0
        self._at_start = True
        self._after_return = False

    def feed(self, chunk: bytes) -> list[str]:
        """Return the data of every event that `chunk` completes.

        Raises:
            BrokenStreamError: a line or an event is over its bound.
        """
        if self._after_return and chunk:
            chunk = chunk.removeprefix(b"\n")
            self._after_return = False
        searched = len(self._rest)
        self._rest += chunk
        events: list[str] = []
        start = 0
        for end in _LINE_END.finditer(self._rest, searched):
            self._take_line(bytes(self._rest[start : end.start()]), events)
            start = end.end()
        self._after_return = start > 0 and start == len(self._rest) and self._rest.endswith(b"\r")
        del self._rest[:start]
        self._check_bound(len(self._rest))
        return events

    def finish(self) -> list[str]:
        """Return the event that the end of the stream completes: many leave out the last blank line."""
        events: list[str] = []
        if self._rest:
            self._take_line(bytes(self._rest), events)
            self._rest.clear()
        self._take_line(b"", events)
        return events

    def _take_line(self, line: bytes, events: list[str]) -> None:
        if self._at_start:
            line = line.removeprefix(_BOM)
            self._at_start = False
        if not line:
            if self._data:
                events.append("\n".join(self._data))
                self._data.clear()
                self._data_bytes = 0
            return
        name, _, value = line.partition(b":")
        if name == b"data":
            self._check_bound(len(value))
            self._data_bytes += len(value)
            self._data.append(value.removeprefix(b" ").decode("utf-8", "replace"))

    def _check_bound(self, more_bytes: int) -> None:
        if self._data_bytes + more_bytes > self._max_event_bytes:
            raise BrokenStreamError("event_too_large")
