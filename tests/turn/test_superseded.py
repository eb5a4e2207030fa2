"""A key fact goes from the head once something newer took its place, and only then."""

from __future__ import annotations

from typing import Any

import pytest

from shared.ids import new_row_id
from shared.ltm.schema import DEFAULT_SCHEMA
from shared.model.memory import Ended, FieldVersion, Memory, Source
from shared.model.session_state import KeyFact
from shared.turn.superseded import drop_superseded

BUDGET = "business_context.budget.ceiling"
PHONE = "user_profile.contact.phone"
DEADLINE = "business_context.deadline"
CHANGED_MS = 1_700_000_000_000
SAID = new_row_id("msg", now_ms=CHANGED_MS - 1_000)


def fact_of(text: str, message_id: str = SAID) -> KeyFact:
    return KeyFact(kind="value", label=None, text=text, message_id=message_id)


def version(path: str, value: Any) -> FieldVersion:
    return FieldVersion(
        path=path,
        value=value,
        version=1,
        valid_from_ms=0,
        valid_to_ms=CHANGED_MS,
        recorded_at_ms=0,
        origin="user",
        source=Source(session_id="s"),
    )


def memory(text: str, message_id: str = SAID) -> Memory:
    return Memory.of_checked(
        {
            "id": "mem_1",
            "kind": "fact",
            "text": text,
            "importance": 0.5,
            "status": "superseded",
            "sensitivity": "internal",
            "origin": "user",
            "source": Source(session_id="s", message_ids=(message_id,)),
            "valid_from_ms": 0,
            "created_at_ms": 0,
        }
    )


def left(facts: list[KeyFact], *ended: Ended, **values: Any) -> list[str]:
    known = {path: values[name] for name, path in PATHS.items() if name in values}
    return [fact.text for fact in drop_superseded(facts, ended, values=known, schema=DEFAULT_SCHEMA)]


PATHS = {"budget": BUDGET, "phone": PHONE, "deadline": DEADLINE, "phase": "business_context.phase"}


@pytest.mark.parametrize(
    ("text", "path", "old", "new", "stays"),
    [
        ("我的预算是9000元", "budget", 9000, 9500, False),
        ("My budget is 9000 dollars", "budget", 9000, 9500, False),
        ("预算不能超过9000元", "budget", 9000, 9500, False),
        ("my budget must not exceed 9000", "budget", 9000, 9500, False),
        ("我的电话是138-1234-5678", "phone", "13812345678", "13912345678", False),
        ("my phone is 555-123-4567", "phone", "5551234567", "5559876543", False),
        ("截止日是12月10日", "deadline", "2026-12-10", "2026-12-20", False),
        ("the deadline is December 10", "deadline", "2026-12-10", "2026-12-20", False),
        ("项目阶段是Design", "phase", "Design", "Sign", False),
        ("the project phase is design", "phase", "design", "sign", False),
        ("我的预算是9500元", "budget", 9000, 9500, True),
        ("my budget is 9500 dollars", "budget", 9000, 9500, True),
        ("预算从9000提到9500", "budget", 9000, 9500, True),
        ("my budget went from 9000 to 9500", "budget", 9000, 9500, True),
        ("预算必须分3期支付", "budget", 9000, 9500, True),
        ("the budget is paid in 3 parts", "budget", 9000, 9500, True),
        ("租金是9000元", "budget", 9000, 9500, True),
        ("the rent is 9000 dollars", "budget", 9000, 9500, True),
    ],
)
def test_a_fact_goes_with_the_value_of_its_field_that_it_tells(
    text: str, path: str, old: Any, new: Any, *, stays: bool
) -> None:
    ended = Ended(row=version(PATHS[path], old), until_ms=CHANGED_MS, newer=version(PATHS[path], new))
    assert left([fact_of(text)], ended, **{path: new}) == ([text] if stays else [])


@pytest.mark.parametrize(
    ("old", "new", "other"),
    [
        ("房租是4250元", "房租是4350元", "不要发票"),
        ("the rent is 4250 dollars", "the rent is 4350 dollars", "no invoice"),
    ],
)
def test_a_fact_goes_with_the_memory_whose_words_it_tells(old: str, new: str, other: str) -> None:
    ended = Ended(row=memory(old), until_ms=CHANGED_MS, newer=memory(new, "msg_2"))
    assert left([fact_of(old), fact_of(other)], ended) == [other]
    assert left([fact_of(old)], Ended(row=memory(old), until_ms=CHANGED_MS)) == [old]


@pytest.mark.parametrize("text", ["我的预算是9000元", "my budget is 9000 dollars"])
def test_what_was_said_after_the_change_or_holds_again_stays(text: str) -> None:
    ended = Ended(row=version(BUDGET, 9000), until_ms=CHANGED_MS, newer=version(BUDGET, 9500))
    later = fact_of(text, new_row_id("msg", now_ms=CHANGED_MS + 1))
    assert left([later], ended, budget=9500) == [text]
    assert left([fact_of(text)], ended, budget=9000) == [text]
