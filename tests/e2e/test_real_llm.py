"""The whole path through a real small model, for whoever has one: opt-in, since a model weighs a lot.

Serve any instruct model over OpenAI's protocol on loopback and name it with `REAL_LLM_BASE_URL` (and, where
the server needs it, `REAL_LLM_MODEL`). What the model says does not matter: whatever it proposes, only what
the user said may wait for them.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.e2e.stack import Stack

URL = os.environ.get("REAL_LLM_BASE_URL", "")
SAID = (
    "I run a bakery in Porto and I'm allergic to hazelnuts.",
    "我住在宁波，每周三下午有课，报告请发到邮箱。",
    "If I had a van I would deliver, but I don't.",
    "My sister Ana turns 30 on 14 June.",
)

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(not URL, reason="no real model is named: set REAL_LLM_BASE_URL to one on loopback"),
]


@pytest.mark.timeout(900)
def test_a_real_model_brings_nothing_that_was_not_said(tmp_path: Path) -> None:
    environ = {"BILAYER_LLM_BASE_URL": URL, "BILAYER_LLM_MODEL": os.environ.get("REAL_LLM_MODEL", "default")}
    with Stack(tmp_path / "stack", environ=environ) as stack:
        user = stack.user("real")
        messages = [{"role": "user", "content": text} for text in SAID]
        user.client.post("/v1/sessions/s/messages", json={"messages": messages}).raise_for_status()
        jobs = user.flush("s", wait_seconds=600)
        waiting = user.get("/v1/pending", limit=200)["items"]
    assert [job["job"] for job in jobs] == ["archive", "extract"]
    assert waiting, "rules alone find the allergy and the wish"
    for update in waiting:
        assert any(part in text for text in SAID for part in [update["quote"]]), update
