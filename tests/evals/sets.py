"""The public sets of conversations as neutral values; read from a path, never stored in the product."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final

SETS: Final = ("locomo", "memorybank-zh", "memorybank-en", "lifebench")


@dataclass(frozen=True, slots=True)
class Message:
    """One utterance. `speaker` is its role or the name of who said it."""

    id: str
    speaker: str
    text: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Question:
    """A question and its evidence: each of `gold` is one piece, found when any of its messages is.

    Without evidence there is nothing to find. `stale` messages were true once: the evidence must stand before
    them. `forbidden` ones must not be found at all.
    """

    text: str
    gold: tuple[frozenset[str], ...]
    category: str
    asked_on: date | None = None
    stale: frozenset[str] = frozenset()
    forbidden: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Stated:
    """A memory that a front states in the words of a message, and that expires after so many days."""

    text: str
    days: int


@dataclass(frozen=True, slots=True)
class Conversation:
    """All sessions of one user, in order, and the questions about them.

    Before these are asked, the messages of `deleted` are deleted and `memories` have expired.
    """

    name: str
    sessions: tuple[tuple[Message, ...], ...]
    questions: tuple[Question, ...]
    deleted: tuple[str, ...] = ()
    memories: tuple[Stated, ...] = ()


def load_set(folder: Path, name: str) -> list[Conversation]:
    """The conversations of one of `SETS`; an empty list where the folder does not hold it."""
    readers = {
        "locomo": lambda: _locomo(folder / "locomo_dev" / "locomo_dev.json"),
        "memorybank-zh": lambda: _memorybank(folder / "memorybank", "cn"),
        "memorybank-en": lambda: _memorybank(folder / "memorybank", "en"),
        "lifebench": lambda: _lifebench(folder / "lifebench_dev"),
    }
    try:
        return list(readers[name]())
    except FileNotFoundError:
        return []


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


_LOCOMO_CATEGORIES: Final = {
    1: "multi-hop",
    2: "temporal",
    3: "open-domain",
    4: "single-hop",
    5: "adversarial",
}


def _locomo(path: Path) -> Iterator[Conversation]:
    for sample in _read(path):
        talk = sample["conversation"]
        sessions = []
        for number in range(1, len(talk)):
            turns = talk.get(f"session_{number}")
            if turns:
                said = datetime.strptime(talk[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y")  # noqa: DTZ007
                sessions.append(tuple(_locomo_message(turn, said) for turn in turns))
        known = {message.id for session in sessions for message in session}
        questions = (_locomo_question(item, known) for item in sample["qa"])
        yield Conversation(
            sample["sample_id"], tuple(sessions), tuple(each for each in questions if each.gold)
        )


def _locomo_message(turn: dict[str, Any], said: datetime) -> Message:
    caption = turn.get("blip_caption", "")
    return Message(turn["dia_id"], turn["speaker"], f"{turn['text']} {caption}".strip(), said)


def _locomo_question(item: dict[str, Any], known: set[str]) -> Question:
    found = re.findall(r"D(\d+):0*(\d+)", " ".join(item.get("evidence", [])))
    ids = dict.fromkeys(f"D{session}:{turn}" for session, turn in found)
    gold = tuple(frozenset([each]) for each in ids if each in known)
    return Question(item["question"], gold, _LOCOMO_CATEGORIES[item["category"]])


def _memorybank(folder: Path, language: str) -> Iterator[Conversation]:
    labels = _read(folder / "labels.json")[language]
    for name, person in _read(folder / f"memory_bank_{language}.json").items():
        sessions, number = [], 0
        for day, exchanges in person["history"].items():
            said = datetime.fromisoformat(day)
            session: list[Message] = []
            for exchange in exchanges:
                session.append(Message(f"{number}u", "user", exchange["query"], said))
                session.append(Message(f"{number}a", "assistant", exchange["response"], said))
                number += 1
            sessions.append(tuple(session))
        questions = tuple(
            Question(
                item["question"],
                (frozenset(f"{each}{side}" for each in item["evidence"] for side in "ua"),),
                item["kind"],
            )
            for item in labels.get(name.strip(), [])
            if item["evidence"]
        )
        yield Conversation(name, tuple(sessions), questions)


_LIFEBENCH_TYPES: Final = ("agent_chat", "sms", "call", "note", "calendar", "push", "photo")


def _lifebench(folder: Path) -> Iterator[Conversation]:
    for person in sorted(path for path in folder.iterdir() if path.is_dir()):
        items: dict[str, tuple[Message, ...]] = {}
        for kind in _LIFEBENCH_TYPES:
            for item in _read(person / f"{kind}.json"):
                messages = tuple(_lifebench_messages(kind, item))
                if messages:
                    items[f"{kind}/{item['phone_id']}"] = messages
        questions = (_lifebench_question(item, items) for item in _read(person / "QA.json"))
        yield Conversation(
            person.name, tuple(_lifebench_sessions(items)), tuple(each for each in questions if each.gold)
        )


def _lifebench_sessions(items: dict[str, tuple[Message, ...]]) -> Iterator[tuple[Message, ...]]:
    """Each chat is a session; what else the phone holds of one day is one, in order of time."""
    days: dict[date, list[Message]] = {}
    for key, messages in items.items():
        if key.startswith("agent_chat/"):
            yield messages
        else:
            days.setdefault(messages[0].created_at.date(), []).extend(messages)
    for _, day in sorted(days.items()):
        yield tuple(sorted(day, key=lambda message: message.created_at))


def _lifebench_messages(kind: str, item: dict[str, Any]) -> Iterator[Message]:
    said = datetime.fromisoformat(item.get("datetime") or item["date"])
    name = f"{kind}/{item['phone_id']}"
    if kind == "agent_chat":
        for number, turn in enumerate(item["conversation"].values()):
            for role in ("user", "assistant"):
                text = (turn.get(role) or {}).get("content", "")
                if text:
                    yield Message(f"{name}/{number}{role[0]}", role, text, said)
        return
    yield Message(f"{name}/", "user", " ".join(_lifebench_texts(kind, item)), said)


def _lifebench_texts(kind: str, item: dict[str, Any]) -> Iterator[str]:
    fields = {
        "sms": ("message_type", "contactName", "message_content"),
        "call": ("contactName", "call_result"),
        "note": ("title", "content"),
        "calendar": ("title", "description", "start_time"),
        "push": ("title", "content", "source"),
        "photo": ("caption", "imageTag", "ocrText"),
    }[kind]
    for field in fields:
        value = item.get(field) or ""
        yield " ".join(map(str, value)) if isinstance(value, list) else str(value)
    if kind == "photo":
        place = item.get("location") or {}
        yield f"{place.get('district', '')} {place.get('poi', '')}"


def _lifebench_question(item: dict[str, Any], items: dict[str, tuple[Message, ...]]) -> Question:
    keys = dict.fromkeys(f"{each['type']}/{each['id']}" for each in item.get("evidence", []))
    gold = tuple(frozenset(message.id for message in items[key]) for key in keys if key in items)
    return Question(item["question"], gold, item["question_type"])
