"""One damaged row of a user's memory: every route answers with the rest, and the log names the row."""

from __future__ import annotations

import json
from pathlib import Path

import apsw
import pytest

from tests.e2e.stack import Stack

pytestmark = pytest.mark.e2e

DAMAGE = (
    "UPDATE episodes SET body = zeroblob(length(body)) WHERE seq = 1",
    "UPDATE memories SET content = zeroblob(60) WHERE row_id = (SELECT min(row_id) FROM memories)",
    "UPDATE fields SET content = zeroblob(length(content)) WHERE path LIKE '%budget.ceiling'",
)


def test_the_rest_is_answered(folder: Path) -> None:
    with Stack(folder) as stack:
        user = stack.user("u1")
        user.turn("s1", "我在阿姆斯特丹喝红茶")
        user.turn("s1", "I drink green tea in Bergen")
        for text in ("红茶 in Amsterdam", "green tea in Bergen"):
            assert user.client.post("/v1/memories", json={"text": text}).status_code == 201
        user.turn("s2", "记住，预算是50万")
        user.turn("s2", "remember the deadline is 2099-05-02")
        user.flush("s1")
        for name in ("api", "worker-0"):
            stack.kill_part(name)
        connection = apsw.Connection(str(stack.data_dir / "ltm.db"))
        for statement in DAMAGE:
            connection.execute(statement)
            assert connection.changes()
        connection.close()
        stack.start()
        found = user.client.post("/v1/memories/search", json={"query": "tea Bergen 红茶", "limit": 20}).json()
        texts = [hit["memory"]["text"] for hit in found["items"]]
        assert {"I drink green tea in Bergen", "green tea in Bergen"} <= set(texts)
        assert "我在阿姆斯特丹喝红茶" not in texts
        assert "红茶 in Amsterdam" not in texts
        listed = user.get("/v1/memories")["items"]
        assert [item["text"] for item in listed] == ["green tea in Bergen"]
        assert [item["path"] for item in user.get("/v1/fields")["items"]] == ["business_context.deadline"]
        context = user.client.post("/v1/sessions/s3/context", json={"message": "where do I drink tea?"})
        assert "Bergen" in context.text
        assert "Bergen" in json.dumps(user.turn("s3", "where do I drink green tea?"), ensure_ascii=False)
        assert user.turn("s3", "记住，预算是60万")["commands"][0]["outcome"] == "applied"
        assert user.fields()["business_context.budget.ceiling"]["value"] == 600_000
        for address in ("/v1/show", "/v1/pending", "/v1/topics", "/v1/heartbeat"):
            assert user.client.get(address).status_code == 200, address
        assert [each["content"] for each in user.history("s1") if each["role"] == "user"] != []
        log = (stack.logs / "api.log").read_text("utf-8")
        assert log.count('"unreadable_row"') >= 3
        assert "红茶" not in log
