"""One set on a stack of its own: taken in, proved to be there, aged, asked about."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.e2e.stack import Stack
from tests.evals.ageing import CLOCK, age, embed
from tests.evals.asking import Answered, ask, count_foreign
from tests.evals.ingest import Ingested, find_faults, ingest, wait_archived
from tests.evals.sets import Conversation

_WORKERS = 2
_AT_ONCE = 4
_ARCHIVE_SECONDS = 3_600.0


def evaluate(
    folder: Path,
    name: str,
    *,
    conversations: Sequence[Conversation],
    say: Callable[[str], None],
    environ: Mapping[str, str],
) -> tuple[list[Answered], list[str]]:
    """Ingest, prove, age, ask. Returns the answers and what was wrong; `environ` adds settings."""
    with Stack(folder, workers=_WORKERS, environ={**environ, **CLOCK}) as stack:
        started = time.monotonic()
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            taken = list(pool.map(lambda each: _ingest(stack, each), conversations))
        seconds = time.monotonic() - started
        faults = find_faults(stack, taken)
        say(_describe(name, taken, seconds=seconds, faults=len(faults)))
        if environ.get("BILAYER_EMBEDDINGS"):
            embed(stack)
        age(stack, taken)
        answered = [
            ask(user, each, question)
            for each in taken
            for user in [stack.user(each.user_id)]
            for question in each.conversation.questions
        ]
        faults += [
            f"{name}: a forbidden hit for {each.user_id}, {each.question.category}"
            for each in answered
            if each.forbidden
        ]
        foreign = sum(count_foreign(stack.user(each.user_id), each, taken) for each in taken)
        if foreign:
            faults.append(f"{name}: {foreign} hits of other users")
        return answered, faults


def _ingest(stack: Stack, conversation: Conversation) -> Ingested:
    user = stack.user(conversation.name)
    taken = ingest(user, conversation.name, conversation)
    wait_archived(user, taken, seconds=_ARCHIVE_SECONDS)
    return taken


def _describe(name: str, taken: Sequence[Ingested], *, seconds: float, faults: int) -> str:
    messages = sum(len(each.set_ids) for each in taken)
    sessions = sum(len(each.sessions) for each in taken)
    found = f"{faults} faults" if faults else "each an episode once, in order, with its session and time"
    return f"{name}: {len(taken)} users, {sessions} sessions, {messages} messages in {seconds:.0f} s, {found}"
