"""The page of figures is a whole run's: of the set as it is now, with nothing found that must not be."""

from __future__ import annotations

import re
from pathlib import Path

from tests.evals.own import load_own
from tests.evals.report import NOTE, TITLE, renew_page
from tests.evals.tasks import LANGUAGES, load_tasks

PAGE = (Path(__file__).resolve().parents[2] / "docs/evaluation.md").read_text(encoding="utf-8")


def table_of(section: str) -> list[dict[str, str]]:
    part = PAGE.partition(f"## {section}\n")[2].partition("\n## ")[0]
    head, _, *rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if "|" in line
    ]
    return [dict(zip(["name", *head[1:]], row, strict=True)) for row in rows]


def sections() -> list[str]:
    return re.findall(r"^## (.+)$", PAGE, re.MULTILINE)


def test_the_page_is_written_as_a_run_writes_it() -> None:
    assert PAGE.startswith(TITLE + NOTE)
    assert renew_page(PAGE, {}) == PAGE


def test_the_page_tells_of_our_own_sets_as_they_are() -> None:
    assert {"own", "tasks"} <= set(sections())
    asked = {row["name"]: int(row["questions"]) for row in table_of("own")}
    questions = [question for each in load_own() for question in each.questions]
    kinds = {question.category for question in questions}
    assert asked == {
        "all": len(questions),
        **{kind: sum(question.category == kind for question in questions) for kind in kinds},
    }
    played = {row["name"]: int(row["dialogues"]) for row in table_of("tasks")}
    assert played == {
        f"{language}, {way}": len(load_tasks(language))
        for language in LANGUAGES
        for way in ("memory", "no memory")
    }


def test_nothing_was_found_that_must_not_be() -> None:
    found = [row["forbidden"] for name in sections() if name != "tasks" for row in table_of(name)]
    assert found
    assert set(found) == {"0"}


def test_memory_holds_more_of_what_was_confirmed_than_a_window_does() -> None:
    lack = {row["name"]: float(row["lack %"]) for row in table_of("tasks")}
    assert all(lack[f"{language}, memory"] < lack[f"{language}, no memory"] for language in LANGUAGES)
