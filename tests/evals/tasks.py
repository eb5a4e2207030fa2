"""Scripted task dialogues: what a user confirms while working, and which turns need it later.

`tasks/zh.tsv` and `tasks/en.tsv` begin by telling the marks. A condition may be confirmed again with another
value; from then on the former one contradicts it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).with_name("tasks")
LANGUAGES: Final = ("zh", "en")


@dataclass(frozen=True, slots=True)
class Condition:
    """What was confirmed: the forms in which it may stand in a prompt, and those it replaced."""

    forms: tuple[str, ...]
    former: tuple[str, ...] = ()

    def stands_in(self, prompt: str) -> bool:
        """Whether the prompt holds it as it is now."""
        return _holds(prompt, self.forms)

    def is_contradicted_by(self, prompt: str) -> bool:
        """Whether the prompt knows only what it was before."""
        return _holds(prompt, self.former) and not self.stands_in(prompt)


@dataclass(slots=True)
class TaskTurn:
    """One message of the user. `needed` are the conditions, by name, that its prompt must hold."""

    session: int
    text: str
    needed: dict[str, Condition] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Task:
    """A dialogue of several sessions."""

    name: str
    language: str
    turns: list[TaskTurn] = field(default_factory=list)


def load_tasks(*languages: str) -> list[Task]:
    """Return the dialogues of these languages, of all where none is named."""
    return [task for language in languages or LANGUAGES for task in _read(language)]


def _read(language: str) -> Iterator[Task]:
    task: Task | None = None
    session, confirmed = 0, dict[str, Condition]()
    for line in (FOLDER / f"{language}.tsv").read_text(encoding="utf-8").splitlines():
        mark, _, rest = line.partition(" ")
        if mark == "=":
            if task is not None:
                yield task
            task, session, confirmed = Task(rest.partition("\t")[0], language), 0, {}
        elif mark == "---":
            session += 1
        elif task is not None:
            _add(task, mark, rest, session=session, confirmed=confirmed)
    if task is not None:
        yield task


def _add(task: Task, mark: str, rest: str, *, session: int, confirmed: dict[str, Condition]) -> None:
    if mark == ">":
        task.turns.append(TaskTurn(session, rest))
    elif mark == "?":
        task.turns[-1].needed.update((name, confirmed[name]) for name in rest.split("\t"))
    elif mark == "+":
        name, forms = rest.split("\t")
        confirmed[name] = _confirm(confirmed, name, forms=tuple(forms.split("|")))
    else:
        raise ValueError(f"{task.name}: the mark {mark!r} is unknown")


def _confirm(confirmed: Mapping[str, Condition], name: str, *, forms: tuple[str, ...]) -> Condition:
    before = confirmed.get(name)
    return Condition(forms, former=() if before is None else (*before.former, *before.forms))


def _holds(prompt: str, forms: tuple[str, ...]) -> bool:
    lowered = prompt.casefold()
    return any(form.casefold() in lowered for form in forms)
