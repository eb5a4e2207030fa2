"""What jobs ask of the model, counted for 100 messages: extraction and summaries, calls and tokens.

A real stack with a worker takes 50 turns' worth of messages, a few at a time as a conversation comes, and
is flushed at the end. The upstream counts what it is asked; tokens are estimated from what was sent.
"""

from __future__ import annotations

import json
from pathlib import Path

from shared.language.tokens import estimate_tokens
from tests.bench.figures import Table
from tests.bench.sentences import make_sentences
from tests.e2e.stack import Stack
from tests.fakes.extractions import Body, propose_sentences
from tests.fakes.summaries import asks_for_summary
from tests.fakes.upstream import UpstreamThread

_MESSAGES = 100
_REPLY = "That sounds like a full day; tell me more whenever you like."


def count_model_calls(folder: Path, table: Table) -> None:
    """Add what 100 messages cost in calls and tokens of the model, replies not counted."""
    with (
        UpstreamThread() as upstream,
        Stack(folder, environ={"BILAYER_LLM_BASE_URL": upstream.base_url}) as stack,
    ):
        upstream.extract = propose_sentences
        user = stack.user("counted")
        for text in make_sentences(_MESSAGES // 2, seed=7):
            said = [{"role": "user", "content": text}, {"role": "assistant", "content": _REPLY}]
            user.client.post("/v1/sessions/s/messages", json={"messages": said}).raise_for_status()
        user.flush("s", wait_seconds=60)
        asked = list(upstream.extractions)
        summaries = [body for body in upstream.requests if asks_for_summary(body)]
        proposed = len(user.get("/v1/pending", limit=200)["items"])
    table.add(
        "jobs, for 100 messages",
        {"extraction calls": len(asked), "summary calls": len(summaries), "proposals waiting": proposed},
        note="counted; the model proposes every sentence",
    )
    sent = sum(map(_tokens, asked)) + sum(map(_tokens, summaries))
    answered = sum(estimate_tokens(propose_sentences(body)) for body in asked)
    table.add("jobs, for 100 messages: tokens", {"sent": sent, "answered by extraction": answered})


def _tokens(body: Body) -> int:
    return estimate_tokens(json.dumps(body["messages"], ensure_ascii=False))
