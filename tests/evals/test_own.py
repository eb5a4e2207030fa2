"""Our own set is what it says: large enough, in both languages, each evidence there and worth asking for."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from tests.evals.own import KINDS, PEOPLE, load_cross_lingual, load_own
from tests.evals.sets import Conversation

RAW = {file.name: json.loads(file.read_text(encoding="utf-8")) for file in PEOPLE}
QUESTIONS = [question for raw in RAW.values() for question in raw["questions"]]
CONVERSATIONS = load_own()
ASKED_KEYS = {"text", "lang", "user", "kind", "evidence"}
OTHER_KEYS = {"asked_on", "stale", "forbidden"}
NOTHING_TO_FIND = {"abstention", "deleted fact"}


def named_places(question: dict[str, Any]) -> list[tuple[int, int]]:
    return [
        (session, place)
        for key in ("evidence", "stale", "forbidden")
        for session, place in question.get(key, ())
    ]


def test_the_set_is_large_enough() -> None:
    messages = sum(len(session) for each in CONVERSATIONS for session in each.sessions)
    assert (len(QUESTIONS) >= 150, messages >= 600) == (True, True), (len(QUESTIONS), messages)


def test_each_kind_is_asked_in_both_languages_about_equally() -> None:
    asked = Counter((question["kind"], question["lang"]) for question in QUESTIONS)
    assert {kind for kind in KINDS for lang in ("zh", "en") if asked[kind, lang] < 4} == set()
    languages = Counter(question["lang"] for question in QUESTIONS)
    assert 0.4 <= languages["zh"] / languages.total() <= 0.6


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_three_people_of_each_language_talk_for_weeks(lang: str) -> None:
    own = [each for name, raw in RAW.items() if name.startswith(f"{lang}_") for each in raw["conversations"]]
    assert len(own) == 3
    for each in own:
        days = [session["day"] for session in each["sessions"]]
        assert len(days) >= 8
        assert all(earlier < later for earlier, later in pairwise(days))


@pytest.mark.parametrize("name", RAW)
def test_questions_have_the_shape_that_the_loader_reads(name: str) -> None:
    for question in RAW[name]["questions"]:
        keys = set(question)
        assert keys >= ASKED_KEYS, question
        assert keys <= ASKED_KEYS | OTHER_KEYS, question
        assert question["lang"] in {"zh", "en"}
        assert question["kind"] in KINDS


def test_each_message_that_a_question_names_is_there() -> None:
    conversations = {each["id"]: each for raw in RAW.values() for each in raw["conversations"]}
    for question in QUESTIONS:
        sessions = conversations[question["user"]]["sessions"]
        for session, place in named_places(question):
            assert sessions[session]["messages"][place]["text"], question


def test_there_is_evidence_but_where_nothing_is_to_be_found() -> None:
    for question in QUESTIONS:
        assert bool(question["evidence"]) != (question["kind"] in NOTHING_TO_FIND), question
        assert len({tuple(place) for place in named_places(question)}) == len(named_places(question)), (
            question
        )


def test_no_question_is_asked_twice_of_one_user() -> None:
    asked = Counter((question["user"], question["text"]) for question in QUESTIONS)
    assert [each for each, count in asked.items() if count > 1] == []


def test_what_a_question_forbids_is_deleted_before_it_is_asked() -> None:
    for each in CONVERSATIONS:
        forbidden = frozenset().union(*(question.forbidden for question in each.questions))
        assert forbidden == frozenset(each.deleted), each.name


def test_whoever_is_asked_about_something_expired_has_stated_it_as_a_memory() -> None:
    assert {each.name for each in CONVERSATIONS if each.memories} == {
        question["user"] for question in QUESTIONS if question["kind"] == "expired fact"
    }


def all_questions(conversations: list[Conversation]) -> int:
    return sum(len(each.questions) for each in conversations)


def test_the_loader_hands_out_every_question_with_its_user() -> None:
    assert all_questions(CONVERSATIONS) == len(QUESTIONS)
    assert len({each.name for each in CONVERSATIONS}) == len(CONVERSATIONS)


def test_questions_in_the_other_language_are_apart_and_one_piece_of_evidence_is_enough() -> None:
    cross_lingual = load_cross_lingual()
    assert {each.name for each in cross_lingual}.isdisjoint(each.name for each in CONVERSATIONS)
    assert {len(question.gold) for each in cross_lingual for question in each.questions} <= {1}
