"""Failure stories of other systems, each as a test of its whole kind. Names in brackets are the stories'."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.e2e.stack import Stack, User

pytestmark = pytest.mark.e2e


def other(stack: Stack, name: str) -> User:
    return stack.user(f"{name}-{uuid.uuid4().hex[:8]}")


def test_a_search_returns_only_its_users_rows(plain_stack: Stack) -> None:
    """The story of ISO-01."""
    amy, ben, nobody = (other(plain_stack, name) for name in ("amy", "ben", "nobody"))
    amy.client.post("/v1/memories", json={"text": "Lives in Oslo"}).raise_for_status()
    ben.client.post("/v1/memories", json={"text": "Lives in Lima"}).raise_for_status()
    assert amy.texts("where do I live") == ["Lives in Oslo"]
    assert nobody.search("where do I live") == []


def test_anothers_memory_answers_404_on_every_route(plain_stack: Stack) -> None:
    """The story of ISO-01, its kind."""
    amy, ben = other(plain_stack, "amy"), other(plain_stack, "ben")
    memory_id = amy.client.post("/v1/memories", json={"text": "Lives in Oslo"}).json()["id"]
    amy.turn("room", "hello")
    ben.turn("own", "hello")
    for method, path in [
        ("GET", f"/v1/memories/{memory_id}"),
        ("DELETE", f"/v1/memories/{memory_id}"),
        ("GET", "/v1/sessions/room"),
        ("GET", "/v1/sessions/room/messages"),
        ("DELETE", "/v1/sessions/room"),
    ]:
        assert ben.client.request(method, path).status_code == 404, path
    assert amy.get(f"/v1/memories/{memory_id}")["text"] == "Lives in Oslo"


def test_ids_match_exactly_and_never_by_prefix(plain_stack: Stack) -> None:
    """The story of ISO-03."""
    run = uuid.uuid4().hex[:6]
    u1, u10 = plain_stack.user(f"{run}-u1"), plain_stack.user(f"{run}-u10")
    u1.turn("room", "alpha one")
    u1.turn("room2", "beta one")
    u10.turn("room", "gamma one")
    assert u1.client.delete("/v1/sessions/room").status_code == 200
    assert u1.client.get("/v1/sessions/room").status_code == 404
    assert "beta one" in str(u1.history("room2"))
    assert "gamma one" in str(u10.history("room"))


def test_parallel_users_never_meet(model_stack: Stack) -> None:
    """The story of ISO-05."""
    p1, p2 = other(model_stack, "p1"), other(model_stack, "p2")
    with ThreadPoolExecutor(2) as pool:
        for number in range(20):
            one = pool.submit(p1.turn, "sA", f"记住：我的代号是 K{number}-甲")
            two = pool.submit(p2.turn, "sB", f"记住：我的代号是 K{number}-乙")
            one.result()
            two.result()
    for mine, sessions, theirs in ((p1, "sA", "乙"), (p2, "sB", "甲")):
        assert theirs not in str(mine.get("/v1/memories", limit=200))
        assert theirs not in str(mine.history(sessions))
        assert theirs not in mine.prompt("new", "我的代号是什么？")


def test_a_deleted_memory_leaves_every_index(plain_stack: Stack) -> None:
    """The story of DEL-01."""
    user = other(plain_stack, "u1")
    first = user.client.post("/v1/memories", json={"text": "Rents a cello from Harmon & Sons"}).json()["id"]
    user.client.post("/v1/memories", json={"text": "Cello lesson every Tuesday"})
    assert user.client.delete(f"/v1/memories/{first}").status_code == 204
    assert user.texts("cello Harmon", limit=1) == ["Cello lesson every Tuesday"]
    assert "Harmon" not in str(user.get("/v1/memories"))


DEADLINES = [
    ("记住：报销截止日是25号", "报销截止日是哪天？", "报销"),
    ("Remember: the expense deadline is the 25th", "When is the expense deadline?", "expense"),
]


@pytest.mark.parametrize(("stated", "asked", "query"), DEADLINES)
def test_a_memory_is_there_at_once_and_gone_at_once(
    model_stack: Stack, stated: str, asked: str, query: str
) -> None:
    """The story of SRCH-05: saved, asked for in another session, deleted; nothing is archived meanwhile."""
    user = other(model_stack, "u1")
    user.turn("s1", stated)
    assert "25" in str(user.turn("s2", asked)["recalled"])
    found = user.search(query, limit=3)
    assert "25" in str(found)
    (memory_id,) = {
        hit["memory"]["id"]
        for hit in found
        if hit["memory"]["kind"] != "episode" and "25" in hit["memory"]["text"]
    }
    assert user.client.delete(f"/v1/memories/{memory_id}").status_code == 204
    assert user.search(query, limit=3) == []
    for session in ("s1", "s2"):
        user.flush(session)
    assert not any("25" in text for text in user.texts(query, limit=3))


def test_a_message_that_search_found_can_be_deleted_from_it(plain_stack: Stack) -> None:
    """The story of SRCH-05, its kind: archived or not, nothing of it is found afterwards."""
    user = other(plain_stack, "u1")
    user.turn("s1", "My cello is made by Harmon and Sons")
    user.turn("s2", "My violin is made by Harmon and Sons too")
    user.flush("s2")
    for hit in user.search("Harmon", limit=10):
        assert user.client.delete(f"/v1/memories/{hit['memory']['id']}").status_code == 204
    assert user.search("Harmon") == []
    user.flush("s1")
    assert user.search("Harmon") == []
    assert user.history("s1")[0]["content"] == "My cello is made by Harmon and Sons"


def test_replies_without_a_model_do_not_echo(plain_stack: Stack) -> None:
    user = other(plain_stack, "echo")
    user.turn("s0", "Remember: my reports go out on Fridays.")
    lengths = []
    for number in range(4):
        turn = user.turn(f"s{number + 1}", "When do my reports go out?")
        assert "Fridays" in turn["recalled"][0]["text"]
        lengths.append(len(turn["reply"]["content"]))
        user.flush(f"s{number + 1}")
    assert max(lengths) < 2 * min(lengths)


UNICODE = [
    ("family 👨‍👩‍👧 ok", "family 👨‍👩‍👧 ok"),
    ("z̵̶̷" * 30, "z̵̶̷" * 30),
    ("\ufeff记住我叫岚", "记住我叫岚"),
    ("記住\u200b我叫岚", "記住我叫岚"),
    ("<script>alert(1)</script> {{7*7}} {0} %s", "<script>alert(1)</script> {{7*7}} {0} %s"),
]


@pytest.mark.parametrize(("sent", "kept"), UNICODE)
def test_text_is_kept_as_typed_but_for_what_cannot_be_seen(stack: Stack, sent: str, kept: str) -> None:
    """The story of UNI-01."""
    user = other(stack, "uni")
    turn = user.turn("s1", sent)
    assert user.history("s1")[0]["content"] == kept
    assert user.get("/v1/sessions/s1")["window"][0]["content"] == kept
    if "我叫岚" in kept:
        assert [command["outcome"] for command in turn["commands"]] == ["applied"]


@pytest.mark.parametrize("escaped", [r"abc\ud83d def", r"a\u0000b"])
def test_what_no_store_can_hold_is_refused_with_its_field(plain_stack: Stack, escaped: str) -> None:
    """The story of UNI-01."""
    user = other(plain_stack, "uni")
    answer = user.client.post(
        "/v1/sessions/s1/turns",
        content=f'{{"message": "{escaped}"}}',
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code == 422
    assert answer.json()["field"] == "message"
    assert user.client.get("/v1/sessions/s1").status_code == 404


def test_thirty_turns_at_once_in_one_session_all_stand(model_stack: Stack) -> None:
    """The story of CON-01."""
    user = other(model_stack, "con")
    with ThreadPoolExecutor(30) as pool:
        turns = list(pool.map(lambda number: user.turn("s1", f"msg-{number}"), range(30)))
    messages = user.history("s1")
    assert [message["seq"] for message in messages] == list(range(1, 61))
    assert len({turn["turn_id"] for turn in turns}) == 30
    assert sorted(m["content"] for m in messages if m["role"] == "user") == sorted(
        f"msg-{number}" for number in range(30)
    )
    for asked, answered in zip(messages[::2], messages[1::2], strict=True):
        assert (asked["role"], answered["role"]) == ("user", "assistant")
        assert asked["turn_id"] == answered["turn_id"]
        assert asked["content"] in answered["content"]


SEARCHES = [
    ("备份", 1), ("机房", 1), ("nightly", 1), ("迁移到新机房了吗", 1), ("钢琴", 2), ("女儿什么时候考级", 2),
    ("C盘", 3), ("满", 3), ("高尔夫", 0),
]  # fmt: skip


def test_short_chinese_words_and_mixed_scripts_are_found(plain_stack: Stack) -> None:
    """The story of SRCH-01."""
    user = other(plain_stack, "srch")
    rows = ["上周把备份脚本nightly-sync迁移到了新机房", "女儿的钢琴考级在六月", "C盘快满了"]
    for text in rows:
        user.client.post("/v1/memories", json={"text": text}).raise_for_status()
    for query, number in SEARCHES:
        found = user.texts(query, limit=3)
        assert found == [] if number == 0 else rows[number - 1] in found, query
