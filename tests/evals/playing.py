"""Task dialogues played over HTTP with a scripted model, with memory and without.

The model asks for each condition that a turn needs and its prompt does not hold, and otherwise says as much
as a model would, so that early turns leave the window. Without memory the same model gets the same words from
a front that keeps only its session's messages, as many as its window holds.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import httpx

from shared.language.tokens import estimate_tokens
from shared.settings import Settings
from tests.e2e.stack import Stack, User
from tests.evals.tasks import Condition, Task
from tests.fakes.extractions import asks_for_extraction, propose_nothing
from tests.fakes.summaries import asks_for_summary
from tests.fakes.upstream import Body, UpstreamThread

WINDOW_TOKENS: Final = 2_000
_SAID: Final = {
    "zh": "这件事一般分几步来做，先把手头的材料理清楚，再看谁来配合，最后留出一点余地。" * 6,
    "en": "This is usually done in a few steps: sort the material, see who can help, leave some slack. " * 12,
}
# Honest and empty: what a session hands on is then what the rules keep, however a model would tell it.
_SUMMARY: Final = json.dumps({"text": ""})
_QUESTION: Final = {"zh": "请问{name}是什么？", "en": "What is the {name}, please?"}


@dataclass(frozen=True, slots=True)
class Played:
    """What came of some dialogues. `needing` are turns that need something confirmed before them.

    `lost` names each condition that a prompt did not hold: dialogue, number of the turn, condition.
    """

    dialogues: int
    turns: int
    needing: int
    lacking: int
    contradicting: int
    asked_again: int
    lost: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the counts by name."""
        return asdict(self)


class Assistant:
    """The model of one dialogue: it looks for what the turn needs in all that stands before the question."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._needed: dict[str, Condition] = {}
        self._turn = ""
        self.counts: Counter[str] = Counter()
        self.lost: list[str] = []

    def expect(self, needed: dict[str, Condition], *, turn: str) -> None:
        """Note what the next turn needs; `turn` names it."""
        self._needed, self._turn = needed, turn

    def reply(self, body: Body) -> str:
        """Answer a request, and count what it lacks."""
        if asks_for_summary(body):
            return _SUMMARY
        if asks_for_extraction(body):
            return propose_nothing(body)
        prompt = "\n".join(str(message["content"]) for message in body["messages"][:-1])
        missing = [name for name, each in self._needed.items() if not each.stands_in(prompt)]
        if any(each.is_contradicted_by(prompt) for each in self._needed.values()):
            self.counts["contradicting"] += 1
        elif missing:
            self.counts["lacking"] += 1
        self.counts["asked_again"] += len(missing)
        self.lost += [f"{self._turn}: {name}" for name in missing]
        asked = [_QUESTION[self._language].format(name=name) for name in missing]
        return " ".join(asked) or _SAID[self._language]


Say = Callable[[int, str], str]


def play(tasks: Sequence[Task], folder: Path) -> dict[str, Played]:
    """Play all dialogues with memory and without; returns what came of them, by language and way."""
    played: dict[str, Played] = {}
    with UpstreamThread() as upstream:
        environ = {
            "BILAYER_LLM_BASE_URL": upstream.base_url,
            "BILAYER_WINDOW_TOKENS": str(WINDOW_TOKENS),
        }
        with Stack(folder, environ=environ) as stack:
            for language in sorted({task.language for task in tasks}, reverse=True):
                chosen = [task for task in tasks if task.language == language]
                for way, open_way in (("memory", _with_memory), ("no memory", _without_memory)):
                    assistant = Assistant(language)
                    upstream.reply = assistant.reply
                    for task in chosen:
                        _play_one(task, assistant, say=open_way(stack, upstream.base_url, task))
                    played[f"{language}, {way}"] = _summarise(chosen, assistant)
    return played


def _play_one(task: Task, assistant: Assistant, *, say: Say) -> None:
    """Play a dialogue; a question that the service itself asks twice counts as asked again too."""
    asked_before: set[str] = set()
    for number, turn in enumerate(task.turns, start=1):
        assistant.expect(turn.needed, turn=f"{task.name}/{number}")
        asked = say(turn.session, turn.text)
        assistant.counts["asked_again"] += asked in asked_before
        asked_before |= {asked} - {""}


def _with_memory(stack: Stack, _model: str, task: Task) -> Say:
    user = stack.user(task.name)
    last = [0]

    def say(session: int, text: str) -> str:
        if session != last[0]:
            _end_session(stack, user, str(last[0]))
            last[0] = session
        return _own_question(user.turn(str(session), text))

    return say


def _end_session(stack: Stack, user: User, session: str) -> None:
    """Let all that is due of a session be done, so that every run finds the next one at the same point."""
    with stack.admin() as admin:
        admin.post("/v1/jobs/run", json={"job": "compact"}).raise_for_status()
    user.flush(session)


def _own_question(turn: dict[str, Any]) -> str:
    """Return the question that the service itself put at the end of a reply; nothing where it asked none."""
    if not turn["reply"].get("asks_pending"):
        return ""
    return str(turn["reply"]["content"].rpartition("\n\n")[2])


def _without_memory(_stack: Stack, model: str, _task: Task) -> Say:
    windows: dict[int, list[dict[str, str]]] = {}
    room = Settings(window_tokens=WINDOW_TOKENS).prompt_tokens

    def say(session: int, text: str) -> str:
        window = windows.setdefault(session, [])
        window.append({"role": "user", "content": text})
        while sum(estimate_tokens(message["content"]) for message in window) > room:
            del window[0]
        answer = httpx.post(f"{model}/chat/completions", json={"model": "m", "messages": window}, timeout=30)
        answer.raise_for_status()
        said = answer.json()["choices"][0]["message"]["content"]
        window.append({"role": "assistant", "content": said})
        return ""

    return say


def _summarise(tasks: Sequence[Task], assistant: Assistant) -> Played:
    counts = assistant.counts
    turns = [turn for task in tasks for turn in task.turns]
    return Played(
        dialogues=len(tasks),
        turns=len(turns),
        needing=sum(bool(turn.needed) for turn in turns),
        lacking=counts["lacking"],
        contradicting=counts["contradicting"],
        asked_again=counts["asked_again"],
        lost=tuple(assistant.lost),
    )
