"""Whole conversations over HTTP into a running stack, and the proof that each message arrived once.

Ingesting goes as a front with its own model does it: `POST …/messages` in batches, then flush.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC
from typing import Any

from shared.model.memory import Episode
from shared.model.moment import from_ms
from shared.privacy.mask import mask_secrets
from tests.e2e.ltm_view import count_episodes, episodes_of, open_ltm, scope_of
from tests.e2e.stack import Stack, User
from tests.evals.sets import Conversation, Message

_BATCH = 100
_ROLES = frozenset({"user", "assistant"})


@dataclass(frozen=True, slots=True)
class Ingested:
    """A conversation that the service has taken, empty sessions left out; `set_ids` is by our ids.

    `memory_ids` are memories that were stated beside it and have expired since.
    """

    user_id: str
    conversation: Conversation
    sessions: tuple[str, ...]
    set_ids: dict[str, str] = field(default_factory=dict)
    job_ids: list[str] = field(default_factory=list)
    memory_ids: set[str] = field(default_factory=set)


def ingest(user: User, user_id: str, conversation: Conversation) -> Ingested:
    """Append every message with its id and time and flush each session; does not wait for the archive."""
    roles = roles_of(conversation)
    conversation = replace(conversation, sessions=tuple(filter(None, conversation.sessions)))
    taken = Ingested(user_id, conversation, tuple(_session_names(conversation)))
    for name, session in zip(taken.sessions, conversation.sessions, strict=True):
        for start in range(0, len(session), _BATCH):
            batch = session[start : start + _BATCH]
            body = {"messages": [wire_message(message, roles) for message in batch], "timezone": "UTC"}
            answer = _posted(user, f"/v1/sessions/{name}/messages", body)
            taken.set_ids.update(zip(answer["message_ids"], (message.id for message in batch), strict=True))
        taken.job_ids.extend(_posted(user, f"/v1/sessions/{name}/flush", None)["job_ids"])
    return taken


def roles_of(conversation: Conversation) -> dict[str, str]:
    """Return the role of each speaker: of people who talk with each other, the first one is the user."""
    speakers = dict.fromkeys(message.speaker for session in conversation.sessions for message in session)
    named = [speaker for speaker in speakers if speaker not in _ROLES]
    roles = {speaker: "assistant" if place else "user" for place, speaker in enumerate(named)}
    return {**roles, "user": "user", "assistant": "assistant"}


def wire_message(message: Message, roles: dict[str, str]) -> dict[str, str]:
    """Return a message as the API takes it; a person's name goes into `name`."""
    name = {} if message.speaker in _ROLES else {"name": message.speaker}
    created_at = message.created_at.replace(tzinfo=UTC).isoformat()
    return {
        "id": message.id,
        "role": roles[message.speaker],
        "content": message.text,
        "created_at": created_at,
        **name,
    }


def wait_archived(user: User, taken: Ingested, *, seconds: float) -> None:
    """Wait until every session is archived to its end. Raises `AssertionError` where that takes too long."""
    deadline = time.monotonic() + seconds
    for job_id in taken.job_ids:
        job = user.job(job_id, wait_seconds=max(deadline - time.monotonic(), 0.1))
        assert job["status"] == "finished", job
    for name, session in zip(taken.sessions, taken.conversation.sessions, strict=True):
        while (state := user.get(f"/v1/sessions/{name}"))["archived_to"] < len(session):
            assert time.monotonic() < deadline, state
            time.sleep(0.05)


def find_faults(stack: Stack, taken: Sequence[Ingested]) -> list[str]:
    """Return what is wrong in long-term memory: messages missing, twice, out of order, changed."""
    return asyncio.run(_find_faults(stack, taken))


async def _find_faults(stack: Stack, taken: Sequence[Ingested]) -> list[str]:
    faults: list[str] = []
    with open_ltm(stack) as stores:
        for each in taken:
            scope = await scope_of(stores, each.user_id)
            roles = roles_of(each.conversation)
            wanted = sum(map(len, each.conversation.sessions))
            if (held := count_episodes(stores, scope)) != wanted:
                faults.append(f"{each.user_id}: {held} episodes of {wanted} messages")
            for name, session in zip(each.sessions, each.conversation.sessions, strict=True):
                episodes = await episodes_of(stores, scope, name)
                faults += _compare(
                    each, name, session=[wire_message(m, roles) for m in session], held=episodes
                )
    return faults


def _compare(
    taken: Ingested, name: str, *, session: Sequence[dict[str, str]], held: Sequence[Episode]
) -> Iterator[str]:
    place = f"{taken.user_id}/{name}"
    if len(held) != len(session):
        yield f"{place}: {len(held)} episodes of {len(session)} messages"
    for seq, (sent, episode) in enumerate(zip(session, held, strict=False), start=1):
        kept = {**sent, "content": mask_secrets(sent["content"])}  # as it outlives its session's window
        if _shown(episode, taken) != {**kept, "session_id": name, "seq": seq}:
            yield f"{place}: message {sent['id']} is not the episode in its place"


def _shown(episode: Episode, taken: Ingested) -> dict[str, Any]:
    message = episode.message
    name = {} if message.body.name is None else {"name": message.body.name}
    return {
        "id": taken.set_ids.get(message.id),
        "role": message.role,
        "content": message.text,
        "created_at": from_ms(message.created_at_ms).isoformat(),
        "session_id": episode.session_id,
        "seq": message.seq,
        **name,
    }


def _session_names(conversation: Conversation) -> Iterator[str]:
    """Yield a name for each session: its day, and its number where that day comes again."""
    seen: dict[str, int] = {}
    for session in conversation.sessions:
        day = session[0].created_at.date().isoformat()
        seen[day] = seen.get(day, 0) + 1
        yield day if seen[day] == 1 else f"{day}.{seen[day]}"


def _posted(user: User, path: str, body: dict[str, Any] | None) -> dict[str, Any]:
    answer = user.client.post(path, json=body)
    assert answer.is_success, answer.text
    result: dict[str, Any] = answer.json()
    return result
