"""Ids that callers choose for their sessions, as they may stand in a path."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import Path, Query
from pydantic import AfterValidator

_SESSION_ID = re.compile(r"[A-Za-z0-9._:~@+=-]{1,128}")


def _check_session_id(value: str) -> str:
    if not _SESSION_ID.fullmatch(value):
        raise ValueError("a session id takes 1 to 128 of: letters A-Z, digits and . _ : ~ @ + = -")
    if not value.strip("."):  # many clients and proxies take such a part of a path away
        raise ValueError("a session id takes more than dots")
    return value


SessionId = Annotated[str, Path(), AfterValidator(_check_session_id)]
SessionIdQuery = Annotated[Annotated[str, AfterValidator(_check_session_id)] | None, Query()]
