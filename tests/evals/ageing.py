"""What happens to a conversation's memory before the questions: vectors, expiry, deleted messages.

All of it goes over HTTP; expiry is real, on a service whose clock is moved (`BILAYER_TEST_CLOCK=1`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from tests.e2e.stack import Stack, wait_for_job
from tests.evals.ingest import Ingested

CLOCK = {"BILAYER_TEST_CLOCK": "1"}
EMBEDDINGS = {"BILAYER_EMBEDDINGS": "local", "BILAYER_EMBEDDINGS_WAIT_SECONDS": "30"}
"""The local model of the extra; the first question may wait for it to be loaded."""

_EMBED_SECONDS = 3_600.0


def embed(stack: Stack) -> None:
    """Have every row's vector made."""
    with stack.admin() as admin:
        while True:
            ordered = admin.post("/v1/jobs/run", json={"job": "embed"}).raise_for_status().json()
            job = wait_for_job(admin, ordered["job_id"], seconds=_EMBED_SECONDS)
            assert job["status"] == "finished", job
            if not job["result"]["embedded"]:
                return


def age(stack: Stack, taken: Sequence[Ingested]) -> None:
    """State the memories of every conversation, let time pass until all have expired, delete messages."""
    now = datetime.now(UTC)
    longest = 0
    for each in taken:
        user = stack.user(each.user_id)
        for stated in each.conversation.memories:
            expires_at = (now + timedelta(days=stated.days)).isoformat()
            answer = user.client.post("/v1/memories", json={"text": stated.text, "expires_at": expires_at})
            assert answer.status_code == 201, answer.text
            each.memory_ids.add(answer.json()["id"])
            longest = max(longest, stated.days)
    if longest:
        moved = {"now": (now + timedelta(days=longest, hours=1)).isoformat()}
        with stack.admin() as admin:
            admin.post("/v1/test/clock", json=moved).raise_for_status()
    for each in taken:
        _delete_messages(stack, each)


def _delete_messages(stack: Stack, taken: Ingested) -> None:
    user = stack.user(taken.user_id)
    ours = {set_id: our_id for our_id, set_id in taken.set_ids.items()}
    for set_id in taken.conversation.deleted:
        user.client.delete(f"/v1/memories/{ours[set_id]}").raise_for_status()
