"""What a session shows over HTTP tells nothing that its user has forgotten since, as its prompt does not."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from api.views import show_session
from shared.clock import Clock
from shared.ids import new_row_id
from shared.ltm.edit import StatedMemory, Why, remove_memory, write_memory
from shared.ltm.schema import DEFAULT_SCHEMA
from shared.model.message import Session, SessionNotes
from shared.model.scope import Scope
from shared.model.session_state import KeyFact, SessionSummary, Summary
from shared.ports.ltm import LtmWriter
from shared.turn.session_notes import read_session_standing
from tests.fakes.memory_ltm import MemoryLtm

SCOPE = Scope(tenant_id="t1", scope_id="scp_1", kind="user")
NOW = datetime(2026, 3, 4, tzinfo=UTC)
WHY = Why(actor="key", request_id="req", origin="user", at=NOW)
EARLIER_MS = 1_000_000


def session_of(said: str, other: str) -> Session:
    facts = [
        KeyFact(kind="value", label=None, text=text, message_id=new_row_id("msg", now_ms=EARLIER_MS))
        for text in (said, other)
    ]
    summary = Summary(
        text=f"{other}，{said}", goal=said, preferences=(said, other), confirmed={"locker": said}
    )
    return Session(
        id="s",
        key="k",
        epoch=1,
        last_seq=40,
        archived_to=0,
        extracted_to=0,
        compacted_to=20,
        total_tokens=10,
        created_at_ms=EARLIER_MS,
        last_at_ms=EARLIER_MS,
        expires_at_ms=EARLIER_MS,
        notes=SessionNotes(key_facts=tuple(facts)),
        summary=SessionSummary(version=1, to_seq=20, made_at_ms=EARLIER_MS, made_by="model", summary=summary),
    )


async def shown(session: Session, *, forgets: str | None) -> dict[str, Any]:
    ltm = MemoryLtm(Clock())

    def work(writer: LtmWriter) -> None:
        if forgets is not None:
            memory, _ = write_memory(writer, StatedMemory(text=forgets), why=WHY)
            remove_memory(writer, memory, why=WHY)

    await ltm.write(SCOPE, work)
    standing = await read_session_standing(SCOPE, session, now=NOW, schema=DEFAULT_SCHEMA, ltm=ltm)
    return show_session(session, standing)


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("我的储物柜是7719号", "用户喜欢简短的回答"),
        ("my locker is number 7719", "the user prefers short answers"),
    ],
)
async def test_a_forgotten_memory_is_in_no_summary_and_no_key_fact_that_is_shown(
    said: str, other: str
) -> None:
    session = session_of(said, other)
    before = await shown(session, forgets=None)
    assert "7719" in json.dumps(before)
    after = await shown(session, forgets=said)
    assert "7719" not in json.dumps(after)
    assert other in after["summary"]["text"]
    assert after["summary"]["preferences"] == [other]
    assert [fact["text"] for fact in after["key_facts"]] == [other]
    assert (after["summary"]["version"], after["summary"]["to_seq"]) == (1, 20)
