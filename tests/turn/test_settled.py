"""What stands in a session's head tells nothing that is gone, and no value that a field answers."""

from __future__ import annotations

from typing import Any

import pytest

from shared.ids import made_at_ms, new_id, new_row_id
from shared.ltm.schema import DEFAULT_SCHEMA
from shared.model.message import SessionNotes
from shared.model.pending import Tombstone
from shared.model.session_state import Digest, FactKind, KeyFact, Summary
from shared.turn.settled import is_outdated, settle
from shared.turn.standing import Standing

BUDGET = "business_context.budget.ceiling"
GONE_MS = 1_700_000_000_000


def standing_of(said: str, *, at_ms: int, confirmed: dict[str, str]) -> Standing:
    fact = KeyFact(kind="requirement", label=None, text=said, message_id=new_row_id("msg", now_ms=at_ms))
    summary = Summary(text=said, preferences=(said,), confirmed=confirmed)
    digest = Digest(session_id="s", session_key="k", at_ms=at_ms, summary=summary)
    return Standing(notes=SessionNotes(key_facts=(fact,)), summary=summary, digest=digest)


def settled(standing: Standing, *, gone: str | None = None, **values: Any) -> Standing:
    stone = Tombstone(id="t", path=None, value=gone, cause="forgotten", at_ms=GONE_MS)
    known = {BUDGET: values["budget"]} if values else {}
    return settle(standing, tombstones=[stone] if gone else [], values=known, schema=DEFAULT_SCHEMA)


@pytest.mark.parametrize("said", ["报价必须含税", "prices must include tax"])
def test_what_is_gone_stands_nowhere_and_what_was_said_since_is_a_key_fact(said: str) -> None:
    before = settled(standing_of(said, at_ms=GONE_MS - 1, confirmed={}), gone=said)
    assert before.notes.key_facts == ()
    assert before.summary == before.digest.summary == Summary()  # type: ignore[union-attr]
    after = settled(standing_of(said, at_ms=GONE_MS + 1, confirmed={}), gone=said)
    assert [fact.text for fact in after.notes.key_facts] == [said]
    same = standing_of(said, at_ms=GONE_MS, confirmed={"x": said})
    assert settled(same) == same


@pytest.mark.parametrize(
    ("label", "quote", "other"),
    [("预算上限", "五十万", "手续费率"), ("budget ceiling", "500,000", "fee rate")],
)
def test_a_labelled_value_that_a_field_answers_is_left_out(label: str, quote: str, other: str) -> None:
    pairs = {label: quote, other: "0.6%"}
    standing = standing_of(f"{label} {quote}", at_ms=GONE_MS, confirmed=pairs)
    kept = settled(standing)
    assert kept.summary is not None
    assert kept.summary.confirmed == pairs
    found = settled(standing, budget=600_000)
    assert found.summary is not None
    assert found.digest is not None
    assert found.summary.confirmed == found.digest.summary.confirmed == {other: "0.6%"}
    assert found.digest.summary.preferences == ()
    assert quote not in found.digest.summary.text


@pytest.mark.parametrize(
    ("text", "value", "outdated"),
    [
        ("预算上限五十万", 600_000, True),
        ("the budget ceiling is 500,000", 600_000, True),
        ("预算上限五十万", 500_000, False),
        ("the budget ceiling is 500,000", 500_000, False),
        ("预算上限要含税", 600_000, False),
        ("the budget ceiling includes tax", 600_000, False),
        ("五十万个用户", 600_000, False),
        ("500,000 users", 600_000, False),
    ],
)
def test_only_another_number_of_the_same_label_is_outdated(text: str, value: int, outdated: bool) -> None:
    assert is_outdated(text, {BUDGET: value}, schema=DEFAULT_SCHEMA) is outdated


@pytest.mark.parametrize("make", [new_id, new_row_id])
def test_an_id_tells_when_it_was_made(make: Any) -> None:
    assert made_at_ms(make("msg", now_ms=GONE_MS)) == GONE_MS


@pytest.mark.parametrize("text", ["", "msg_1", "msg_" + "U" * 18, "预算" * 9])
def test_another_text_tells_no_time(text: str) -> None:
    assert made_at_ms(text) is None


@pytest.mark.parametrize(
    ("kind", "said", "rejected", "stays"),
    [
        ("prohibition", "不要用红色", "红色", True),
        ("prohibition", "never ship on Fridays", "ship on Fridays", True),
        ("requirement", "总价必须在500000以内", 500_000, True),
        ("preference", "喜欢红色", "红色", False),
        ("preference", "I prefer to ship on Fridays", "ship on Fridays", False),
    ],
)
def test_a_rejected_proposal_takes_no_prohibition_or_requirement_away(
    kind: FactKind, said: str, rejected: object, *, stays: bool
) -> None:
    fact = KeyFact(kind=kind, label=None, text=said, message_id=new_row_id("msg", now_ms=GONE_MS - 1))
    stone = Tombstone(id="t", path=None, value=rejected, cause="rejected", at_ms=GONE_MS)
    standing = Standing(notes=SessionNotes(key_facts=(fact,)))
    kept = settle(standing, tombstones=[stone], values={}, schema=DEFAULT_SCHEMA).notes.key_facts
    assert kept == ((fact,) if stays else ())
