"""The task dialogues are what they say, and the scripted assistant counts what its prompts lack."""

from __future__ import annotations

import pytest

from tests.evals.playing import Assistant
from tests.evals.tasks import LANGUAGES, Condition, Task, load_tasks

BUDGET = Condition(("60万", "600,000"), former=("50万", "500,000"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_twenty_dialogues_of_six_to_fourteen_turns(language: str) -> None:
    tasks = load_tasks(language)
    assert len({task.name for task in tasks}) == 20
    assert {task.name for task in tasks if not 6 <= len(task.turns) <= 14} == set()


@pytest.mark.parametrize("task", load_tasks(), ids=lambda task: task.name)
def test_a_dialogue_needs_what_was_confirmed_within_a_session_and_after_it(task: Task) -> None:
    assert {turn.session for turn in task.turns if turn.needed} == {0, 1}


def test_some_dialogues_of_each_language_correct_what_was_confirmed() -> None:
    for language in LANGUAGES:
        corrected = {
            task.name
            for task in load_tasks(language)
            if any(each.former for turn in task.turns for each in turn.needed.values())
        }
        assert len(corrected) >= 7


def test_both_languages_need_as_much() -> None:
    needed = [sum(len(turn.needed) for task in load_tasks(lang) for turn in task.turns) for lang in LANGUAGES]
    assert abs(needed[0] - needed[1]) <= 10


SEEN = [
    ("预算上限：600,000", True, False),
    ("预算 50万，后来改成 60万", True, False),
    ("预算上限：500,000", False, True),
    ("没有提到预算", False, False),
    ("The budget is 60万", True, False),
]


@pytest.mark.parametrize(("prompt", "stands", "contradicts"), SEEN)
def test_a_condition_stands_lacks_or_is_contradicted(prompt: str, *, stands: bool, contradicts: bool) -> None:
    assert (BUDGET.stands_in(prompt), BUDGET.is_contradicted_by(prompt)) == (stands, contradicts)


def body(*contents: str) -> dict[str, object]:
    return {"messages": [{"role": "user", "content": content} for content in contents]}


def test_the_assistant_asks_for_what_its_prompt_lacks_and_counts_it() -> None:
    assistant = Assistant("en")
    assistant.expect({"budget": BUDGET, "mesh": Condition(("no mesh",))}, turn="t/1")
    assert "budget" in assistant.reply(body("no mesh", "Write it"))
    assert "budget" in assistant.reply(body("no mesh, 50万", "Write it"))
    assert "?" not in assistant.reply(body("no mesh, 60万", "Write it"))
    assert assistant.counts == {"lacking": 1, "contradicting": 1, "asked_again": 2}
    assert assistant.lost == ["t/1: budget", "t/1: budget"]


def test_what_the_user_says_now_is_no_memory() -> None:
    assistant = Assistant("zh")
    assistant.expect({"预算": BUDGET}, turn="t/1")
    assert "预算" in assistant.reply(body("预算是60万吗"))
