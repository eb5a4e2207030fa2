"""What is asked, in which words and how often; what the heartbeat finds."""

from __future__ import annotations

from datetime import UTC, date, datetime
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from shared.ltm.schema import DEFAULT_SCHEMA
from shared.model.memory import FieldVersion, Source
from shared.model.message import SessionNotes
from shared.model.pending import PendingUpdate
from shared.prompts.load import Language, fill_prompt
from shared.turn.heartbeat import HeartbeatPolicy, find_expired, find_required
from shared.turn.questions import Asking, choose_questions

BUDGET = "business_context.budget.ceiling"
PHASE = "business_context.phase"
DEADLINE = "business_context.deadline"
PROJECT = "business_context.project_id"
EXCLUDED = "business_context.excluded_technologies"
_ROWS = [
    line.split("\t")
    for line in (Path(__file__).parent / "questions.tsv").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]


@pytest.mark.parametrize(("language", "name", "gaps", "wanted"), _ROWS)
def test_a_question_names_what_it_is_about_and_ends_in_one_question(
    language: Language, name: str, gaps: str, wanted: str
) -> None:
    text = fill_prompt(language, name, gaps=dict(gap.split("=", 1) for gap in gaps.split(";")))
    assert all(part in text for part in wanted.split("|"))
    assert text.endswith("？" if language == "zh" else "?")


def test_every_text_exists_in_both_languages() -> None:
    folder = resources.files("shared.prompts")
    names = {language: {entry.name for entry in (folder / language).iterdir()} for language in ("zh", "en")}
    assert names["zh"] == names["en"]


def update(name: str, path: str | None = BUDGET, **changes: Any) -> PendingUpdate:
    known: dict[str, Any] = {
        "id": name,
        "op": "set",
        "path": path,
        "new": "x",
        "quote": "q",
        "session_id": "s1",
        "origin": "rule",
        "confidence": 0.5,
        "created_at_ms": 1,
        "expires_at_ms": 2,
    }
    return PendingUpdate(**{**known, **changes})


def field(path: str, value: Any, *, valid_from_ms: int = 0) -> FieldVersion:
    return FieldVersion(
        path=path,
        value=value,
        version=1,
        valid_from_ms=valid_from_ms,
        valid_to_ms=None,
        recorded_at_ms=0,
        origin="user",
        source=Source(quote="3月15日前"),
    )


def asking(**changes: Any) -> Asking:
    known: dict[str, Any] = {
        "language": "zh",
        "schema": DEFAULT_SCHEMA,
        "policy": HeartbeatPolicy(),
        "now": datetime(2024, 3, 20, tzinfo=UTC),
        "seq": 9,
        "notes": SessionNotes(),
        "session_id": "s1",
    }
    return Asking(**{**known, **changes})


def test_at_most_three_are_asked_and_the_most_important_first() -> None:
    created = [
        update("pen_low", "business_context.budget.unit"),
        update("pen_weak", PHASE),
        update("pen_sure", "user_profile.role", confidence=0.9),
        update("pen_high", BUDGET),
    ]
    asked = choose_questions(asking(created=created))
    assert asked.asks_pending == ("pen_high", "pen_sure", "pen_weak")
    assert asked.is_block
    assert asked.text.splitlines()[1].startswith("1. 预算上限：x")


def test_one_block_in_three_turns_and_nothing_twice() -> None:
    created = [update("pen_1")]
    assert choose_questions(asking(created=created, notes=SessionNotes(proposed_at_seq=5))).text == ""
    assert choose_questions(asking(created=created, notes=SessionNotes(proposed_at_seq=3))).is_block
    assert choose_questions(asking(created=created, notes=SessionNotes(asked_pending=("pen_1",)))).text == ""


def test_a_proposal_that_had_to_wait_is_asked_later_in_its_own_session() -> None:
    assert choose_questions(asking(waiting=[update("pen_1")])).asks_pending == ("pen_1",)
    assert choose_questions(asking(waiting=[update("pen_1", session_id="s2")])).text == ""
    from_agent = update("pen_1", session_id=None, origin="api")
    assert choose_questions(asking(waiting=[from_agent])).asks_pending == ("pen_1",)


def test_a_conflict_stops_whatever_was_asked_before_and_leaves_proposals_for_later() -> None:
    created = [update("pen_1", PHASE), update("pen_2", origin="heartbeat", old=5, new=6)]
    asked = choose_questions(asking(created=created, notes=SessionNotes(proposed_at_seq=8)))
    assert (asked.asks_pending, asked.is_stop, asked.is_block) == (("pen_2",), True, False)


@pytest.mark.parametrize("action", ["warn", "off"])
def test_a_policy_of_less_than_ask_asks_nothing(action: Any) -> None:
    policy = HeartbeatPolicy(missing=action, expired=action, conflict=action)
    found = asking(
        policy=policy,
        created=[update("pen_2", origin="heartbeat", old=5, new=6)],
        missing=[PROJECT],
        expired=[field(DEADLINE, "2024-03-15")],
    )
    assert choose_questions(found).text == ""


def test_something_urgent_leaves_no_room_for_proposals() -> None:
    asked = choose_questions(asking(created=[update("pen_1")], expired=[field(DEADLINE, "2024-03-15")]))
    assert (asked.asks_paths, asked.asks_pending) == ((DEADLINE,), ())
    assert "3月15日前" in asked.text


def test_what_is_missing_is_asked_once_a_session() -> None:
    asked = choose_questions(asking(missing=[PROJECT, DEADLINE]))
    assert asked.asks_paths == (PROJECT, DEADLINE)
    assert "项目编号、截止日" in asked.text
    rest = choose_questions(asking(missing=[PROJECT, DEADLINE], notes=SessionNotes(asked_paths=(PROJECT,))))
    assert rest.asks_paths == (DEADLINE,)


REQUIRED: list[tuple[Any, set[str], tuple[str, ...]]] = [
    ("contract_review", set(), (PROJECT, DEADLINE)),
    ("Contract Review", {PROJECT}, (DEADLINE,)),
    ("contract-review", {PROJECT, DEADLINE}, ()),
    ("report", set(), ()),
    (None, set(), ()),
]


@pytest.mark.parametrize(("task_type", "filled", "wanted"), REQUIRED)
def test_a_task_misses_what_its_type_requires(
    task_type: Any, filled: set[str], wanted: tuple[str, ...]
) -> None:
    assert find_required(task_type, schema=DEFAULT_SCHEMA, filled=filled) == wanted


DAYS = [("2024-03-14", True), ("2024-03-15", False), ("2024-03-16", False)]


@pytest.mark.parametrize(("deadline", "is_past"), DAYS)
def test_a_deadline_has_passed_on_the_day_after(deadline: str, *, is_past: bool) -> None:
    found = find_expired(
        [field(DEADLINE, deadline)], schema=DEFAULT_SCHEMA, today=date(2024, 3, 15), now_ms=0
    )
    assert bool(found) is is_past


def test_a_time_to_live_ends_by_the_clock() -> None:
    paths = [
        path.model_copy(update={"expires": 60}) if path.path == PHASE else path
        for path in DEFAULT_SCHEMA.paths
    ]
    schema = DEFAULT_SCHEMA.model_copy(update={"paths": tuple(paths)})
    kept = [field(PHASE, "x", valid_from_ms=1_000)]
    assert find_expired(kept, schema=schema, today=date(2024, 1, 1), now_ms=60_999) == ()
    assert len(find_expired(kept, schema=schema, today=date(2024, 1, 1), now_ms=61_000)) == 1


@pytest.mark.parametrize(
    ("language", "changes", "wanted", "unwanted"),
    [
        ("zh", {}, "应用", "你提到"),
        ("en", {}, "An app", "You mentioned"),
        ("zh", {"old": "10"}, "应用提议改成", "你刚才说"),
        ("en", {"old": "10"}, "an app proposes", "you have just said"),
        ("zh", {"op": "remember", "path": None, "new": "爱吃面"}, "应用", "你提到"),
        ("en", {"op": "remember", "path": None, "new": "likes noodles"}, "An app", "You mentioned"),
        ("zh", {"op": "append", "path": EXCLUDED, "new": "Flash"}, "添加", "你提到"),
        ("en", {"op": "append", "path": EXCLUDED, "new": "Flash"}, "add to", "You mentioned"),
        ("zh", {"op": "remove", "path": EXCLUDED, "new": "Flash"}, "去掉", "你提到"),
        ("en", {"op": "remove", "path": EXCLUDED, "new": "Flash"}, "take out", "You mentioned"),
    ],
)
def test_what_an_app_proposes_is_not_put_into_the_users_mouth(
    language: Language, changes: dict[str, Any], wanted: str, unwanted: str
) -> None:
    proposed = update("p1", **{"quote": "", "origin": "api", **changes})
    said = update("p2", quote="50万" if language == "zh" else "500k")
    for waiting in ([proposed], [proposed, said]):
        text = choose_questions(asking(language=language, waiting=waiting)).text
        assert unwanted not in text
        assert "“”" not in text
        assert wanted in text or len(waiting) > 1
    assert ("应用提议" if language == "zh" else "proposed by an app") in text
