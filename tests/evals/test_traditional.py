"""Questions in traditional characters ask the same thing, in other characters."""

from __future__ import annotations

import pytest

from shared.language.scripts import fold
from tests.evals.own import load_own
from tests.evals.sets import Question
from tests.evals.traditional import in_traditional

QUESTIONS = [question for each in load_own() for question in each.questions]


def asked(text: str) -> str:
    return in_traditional([Question(text, (), "kind")])[0].text


@pytest.mark.parametrize(
    ("simplified", "traditional"),
    [
        ("我妈妈过敏", "我媽媽過敏"),
        ("预算是多少", "預算是多少"),
        ("Where is 3号?", "Where is 3號?"),
        ("", ""),
    ],
)
def test_characters_are_written_as_traditional_ones(simplified: str, traditional: str) -> None:
    assert asked(simplified) == traditional


def test_every_question_of_our_own_set_folds_back_to_itself() -> None:
    changed = in_traditional(QUESTIONS)
    assert [fold(each.text) for each in changed] == [fold(each.text) for each in QUESTIONS]
    assert sum(new.text != old.text for new, old in zip(changed, QUESTIONS, strict=True)) > 50
