"""A fact in the midst of a very long message is shown to the next session that asks for it."""

from __future__ import annotations

import pytest

from shared.language.tokens import estimate_tokens
from shared.turn.records import PASSAGE_TOKENS, cut_passage
from tests.turn.plain_talk import PlainTalk

FILL_ZH = "我们今天又讨论了很多关于流程的细节，大家都发表了看法。"
FILL_EN = "We talked about many details of the process again, and everybody had a say. "
LONG = [
    (FILL_ZH * 90 + "车库的门禁暗号是蓝鲸九号。" + FILL_ZH * 90, "车库的门禁暗号是什么？", "蓝鲸九号"),
    (
        FILL_EN * 60 + "The garage watchword is blue whale nine. " + FILL_EN * 60,
        "what is the garage watchword?",
        "blue whale nine",
    ),
]


@pytest.mark.parametrize(("said", "asked", "answer"), LONG)
async def test_the_passage_that_answers_is_in_the_prompt(said: str, asked: str, answer: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(said)
    await talk.say(asked, session="b")
    assert answer in talk.model.prompt


@pytest.mark.parametrize(("said", "asked", "answer"), LONG)
def test_a_passage_is_bounded_and_says_where_it_is_cut(said: str, asked: str, answer: str) -> None:
    del asked
    passage = cut_passage(said, [answer[:2]])
    assert estimate_tokens(passage) <= PASSAGE_TOKENS * 1.2
    assert answer in passage
    assert (passage[0], passage[-1]) == ("…", "…")


def test_of_a_huge_text_the_part_around_the_rarest_word_is_read() -> None:
    huge = FILL_ZH * 3_000 + "车库的门禁暗号是蓝鲸九号。" + FILL_ZH * 3_000
    assert "蓝鲸九号" in cut_passage(huge, ["细节", "暗号"])


@pytest.mark.parametrize("text", ["", "short", "短", "x" * 5_000, "，" * 3_000, FILL_ZH * 200])
def test_any_text_has_a_passage_without_wanted_words(text: str) -> None:
    passage = cut_passage(text, [])
    assert passage.strip("…") in text
    assert estimate_tokens(passage) <= max(estimate_tokens(text), 1)
