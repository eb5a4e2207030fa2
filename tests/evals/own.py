"""Our own set: conversations of people that do not exist, in both languages, and questions about them.

Each file of a person in `own/` holds conversations (sessions by day) and questions whose evidence is named
by session and message. A message's id is `session.message`. A question may also name messages that were true
once (`stale`) and some that must not be found (`forbidden`); a conversation may name messages that are
deleted before the questions are asked, and messages that a front states as memories which expire after so
many days. Questions asked in the other language are a set of their own (`cross_lingual.json`): their
evidence are alternatives.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from tests.evals.sets import Conversation, Message, Question, Stated

FOLDER: Final = Path(__file__).with_name("own")
CROSS_LINGUAL: Final = FOLDER / "cross_lingual.json"
PEOPLE: Final = sorted(file for lang in ("en", "zh") for file in FOLDER.glob(f"{lang}_*.json"))
KINDS: Final = (
    "coreference",
    "changed preference",
    "expired fact",
    "another user",
    "deleted fact",
    "date only",
    "abstention",
    "who said it",
    "knowledge update",
)
_FIRST_HOUR: Final = 9


def load_own() -> list[Conversation]:
    """Return the conversations of all people, each with the questions that name its user."""
    return _read(PEOPLE)


def load_cross_lingual() -> list[Conversation]:
    """Return the conversations that are asked about in the other language; none without their file."""
    return [
        replace(each, questions=tuple(map(_any_of, each.questions)))
        for each in _read([CROSS_LINGUAL] if CROSS_LINGUAL.exists() else [])
    ]


def _read(files: Sequence[Path]) -> list[Conversation]:
    documents = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    asked: dict[str, list[Question]] = defaultdict(list)
    for item in (each for document in documents for each in document["questions"]):
        asked[item.get("user") or item["conversation"]].append(_question(item))
    conversations = (each for document in documents for each in document["conversations"])
    return [_conversation(each, asked[each["id"]]) for each in conversations]


def _any_of(question: Question) -> Question:
    return replace(question, gold=(frozenset[str]().union(*question.gold),))


def _conversation(item: dict[str, Any], questions: Sequence[Question]) -> Conversation:
    sessions = tuple(tuple(_messages(session, number)) for number, session in enumerate(item["sessions"]))
    texts = {message.id: message.text for session in sessions for message in session}
    return Conversation(
        item["id"],
        sessions,
        tuple(questions),
        deleted=tuple(_id(place) for place in item.get("deleted", ())),
        memories=tuple(Stated(texts[_id(each["from"])], each["days"]) for each in item.get("memories", ())),
    )


def _messages(session: dict[str, Any], number: int) -> Iterator[Message]:
    began = datetime.combine(date.fromisoformat(session["day"]), datetime.min.time())
    for place, message in enumerate(session["messages"]):
        said = began + timedelta(hours=_FIRST_HOUR, minutes=place)
        yield Message(_id((number, place)), message["role"], message["text"], said)


def _question(item: dict[str, Any]) -> Question:
    return Question(
        item["text"],
        tuple(frozenset([_id(place)]) for place in item["evidence"]),
        f"{item['kind']}, {item['lang']}",
        asked_on=date.fromisoformat(item["asked_on"]) if item.get("asked_on") else None,
        stale=frozenset(map(_id, item.get("stale", ()))),
        forbidden=frozenset(map(_id, item.get("forbidden", ()))),
    )


def _id(place: Sequence[int]) -> str:
    session, message = place
    return f"{session}.{message}"
