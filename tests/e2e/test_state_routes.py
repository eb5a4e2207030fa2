"""The routes of structured state: pending updates, authority, lists, undo, schema, audit, agents' keys."""

from __future__ import annotations

import signal
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.cli.waiting import wait_until
from tests.e2e.stack import Stack, User

pytestmark = pytest.mark.e2e

BUDGET = "business_context.budget.ceiling"
DEADLINE = "business_context.deadline"
CONSTRAINTS = "current_task.constraints"


@pytest.fixture
def someone(plain_stack: Stack) -> User:
    return plain_stack.user(f"routes-{uuid.uuid4().hex[:10]}")


def key_with(stack: Stack, *permissions: str) -> str:
    with stack.admin() as admin:
        made = admin.post("/v1/keys", json={"label": "k", "permissions": list(permissions)})
        key: str = made.json()["key"]
        return key


def beside(stack: Stack, user: User, *permissions: str) -> User:
    """Return a client of another key for the same user."""
    return stack.user(user.client.headers["Bilayer-User"], key=key_with(stack, *permissions))


def test_several_updates_are_resolved_together_or_not_at_all(someone: User) -> None:
    first, second = someone.turn("s1", "预算是9000元，截止日是2099年5月1日")["pending"]
    mixed = {"confirm": [first["id"]], "reject": ["pen_none"]}
    assert someone.client.post("/v1/pending/resolve", json=mixed).status_code == 404
    assert someone.fields() == {}
    assert len(someone.get("/v1/pending")["items"]) == 2
    whole = {"confirm": [first["id"]], "reject": [second["id"]]}
    done = someone.client.post("/v1/pending/resolve", json=whole)
    assert [item["status"] for item in done.json()["items"]] == ["confirmed", "rejected"]
    assert list(someone.fields()) == [first["path"]]
    again = someone.client.post("/v1/pending/resolve", json=whole)
    assert (again.status_code, again.json()["code"]) == (409, "not_open")
    assert someone.client.post("/v1/pending/resolve", json={}).status_code == 422


def test_an_edit_comes_before_the_acceptance(someone: User) -> None:
    (update,) = someone.turn("s1", "总预算控制在五十万以内")["pending"]
    wrong = someone.client.post(f"/v1/pending/{update['id']}/confirm", json={"value": "soon"})
    assert wrong.status_code == 422
    headers = {"Idempotency-Key": "once"}
    for _ in range(2):
        done = someone.client.post(
            f"/v1/pending/{update['id']}/confirm", json={"value": "55万"}, headers=headers
        )
        assert (done.status_code, done.json()["status"]) == (200, "confirmed")
        listed = someone.client.get("/v1/pending", params={"status": "confirmed"}).json()["items"]
        assert listed == [done.json()] == [{**update, "new": 550000, "text": "550000", "status": "confirmed"}]
    field = someone.fields()[BUDGET]
    assert (field["value"], field["version"], field["source"]["quote"]) == (550000, 1, update["quote"])


EDITS = [("不对，是55万", 550000), ("改成60万", 600000), ("对，不过应该是55万", 550000)]


@pytest.mark.parametrize(("answer", "value"), EDITS)
def test_an_answer_may_edit_what_was_asked(plain_stack: Stack, answer: str, value: int) -> None:
    user = plain_stack.user(f"routes-{uuid.uuid4().hex[:10]}")
    user.turn("s1", "总预算控制在五十万以内")
    user.turn("s1", answer)
    assert user.fields()[BUDGET]["value"] == value
    assert user.get("/v1/pending")["items"] == []
    (ended,) = user.get("/v1/pending", status="confirmed")["items"]
    assert (ended["new"], ended["text"]) == (value, str(value))


def test_a_rejected_value_is_asked_once_more_when_restated_and_then_never(someone: User) -> None:
    someone.turn("s1", "总预算控制在五十万以内")
    assert someone.turn("s1", "不对")["commands"][0]["kind"] == "reject"
    (again,) = someone.turn("s2", "总预算是50万")["pending"]
    assert again["new"] == 500000
    assert "拒绝过" in someone.history("s2")[-1]["content"]
    someone.turn("s2", "不用")
    assert someone.turn("s3", "总预算是50万")["pending"] == []
    someone.turn("s3", "记住，总预算是50万")
    assert someone.fields()[BUDGET]["value"] == 500000


def test_a_value_waits_once_however_often_it_is_said(someone: User) -> None:
    (update,) = someone.turn("s1", "总预算控制在五十万以内")["pending"]
    assert someone.turn("s2", "总预算50万")["pending"] == []
    assert someone.turn("s3", "总预算50万，你看着办")["asks_pending"] == []
    assert [item["id"] for item in someone.get("/v1/pending")["items"]] == [update["id"]]


def test_an_agent_can_propose_and_neither_confirm_nor_forget(plain_stack: Stack, someone: User) -> None:
    agent = beside(plain_stack, someone, "chat", "memory:read", "memory:write")
    sent = agent.client.put(f"/v1/fields/{BUDGET}", json={"value": 500000})
    assert (sent.status_code, sent.json()["status"], sent.json()["origin"]) == (202, "open", "api")
    same = agent.client.put(f"/v1/fields/{BUDGET}", json={"value": 500000})
    assert (same.status_code, same.json()["id"]) == (202, sent.json()["id"])
    noted = agent.client.post("/v1/memories", json={"text": "Likes tea"})
    assert (noted.status_code, noted.json()["op"]) == (202, "remember")
    assert agent.client.post(f"/v1/pending/{sent.json()['id']}/confirm").status_code == 403
    assert agent.client.post("/v1/pending/resolve", json={"confirm": [sent.json()["id"]]}).status_code == 403
    turn = agent.turn("s1", "记住我的职位是采购经理")
    assert [each["outcome"] for each in turn["commands"]] == ["pending"]
    assert "确认" in turn["reply"]["content"] or "waits" in turn["reply"]["content"]
    assert agent.turn("s1", "确认")["commands"] == []
    assert someone.fields() == {}
    assert someone.get("/v1/memories")["items"] == []
    assert someone.search("tea") == []
    rejected = someone.client.post(f"/v1/pending/{noted.json()['id']}/reject")
    assert rejected.status_code == 200
    barred = agent.client.post("/v1/memories", json={"text": "likes tea."})
    assert (barred.status_code, barred.json()["code"]) == (409, "tombstoned")
    assert someone.client.post("/v1/memories", json={"text": "Likes tea"}).status_code == 201


def test_a_business_system_has_the_last_word(plain_stack: Stack, someone: User) -> None:
    system = beside(plain_stack, someone, "memory:read", "memory:write", "fields:authoritative")
    kept = system.client.put(f"/v1/fields/{BUDGET}", json={"value": 400000})
    assert (kept.status_code, kept.json()["origin"]) == (200, "system")
    lost = someone.client.put(f"/v1/fields/{BUDGET}", json={"value": 500000, "origin": "user"})
    assert (lost.status_code, lost.json()["old"], lost.json()["new"]) == (202, 400000, 500000)
    refused = someone.client.post(f"/v1/pending/{lost.json()['id']}/confirm")
    assert (refused.status_code, refused.json()["code"]) == (409, "outranked")
    turn = someone.turn("s1", "记住，预算是50万")
    assert [each["reason"] for each in turn["commands"]] == ["outranked"]
    said = someone.turn("s2", "预算改成60万")
    assert [notice["kind"] for notice in said["notices"] if notice["kind"] != "degraded"] == ["conflict"]
    undone = someone.client.post(f"/v1/fields/{BUDGET}/undo")
    assert (undone.status_code, undone.json()["code"]) == (409, "outranked")
    assert someone.fields()[BUDGET]["value"] == 400000
    system.client.put(f"/v1/fields/{CONSTRAINTS}", json={"value": ["x", "y"]})
    taken = someone.client.delete(f"/v1/fields/{CONSTRAINTS}/items/x")
    assert (taken.status_code, taken.json()["code"]) == (409, "outranked")
    assert someone.fields()[CONSTRAINTS]["value"] == ["x", "y"]
    both = beside(plain_stack, someone, "memory:write", "fields:authoritative", "pending:resolve")
    assert both.client.delete(f"/v1/fields/{CONSTRAINTS}/items/x").status_code == 204
    assert both.client.delete(f"/v1/fields/{BUDGET}").status_code == 204
    assert {path: each["value"] for path, each in someone.fields().items()} == {CONSTRAINTS: ["y"]}


def test_a_form_of_the_users_outranks_a_program(plain_stack: Stack, someone: User) -> None:
    body = {"value": 500000, "origin": "user", "metadata": {"action": "save_button"}}
    assert someone.client.put(f"/v1/fields/{BUDGET}", json=body).json()["origin"] == "user"
    entry = someone.get("/v1/audit", path=BUDGET)["items"][0]
    assert entry["details"]["action"] == "save_button"
    lost = someone.client.put(f"/v1/fields/{BUDGET}", json={"value": 1})
    assert (lost.status_code, lost.json()["status"]) == (202, "open")
    agent = beside(plain_stack, someone, "memory:write")
    assert agent.client.put(f"/v1/fields/{BUDGET}", json=body).status_code == 403


def test_undo_brings_back_what_stood_and_delete_forgets(someone: User) -> None:
    assert someone.client.post(f"/v1/fields/{BUDGET}/undo").status_code == 404
    for value in (1000, 2000):
        someone.client.put(f"/v1/fields/{BUDGET}", json={"value": value})
    assert someone.client.post(f"/v1/fields/{BUDGET}/undo").json()["value"] == 1000
    assert someone.client.delete(f"/v1/fields/{BUDGET}").status_code == 204
    assert someone.client.delete(f"/v1/fields/{BUDGET}").status_code == 404
    assert someone.client.get(f"/v1/fields/{BUDGET}").status_code == 404
    values = [version["value"] for version in someone.get(f"/v1/fields/{BUDGET}/history")["items"]]
    assert values == [1000, 2000, 1000, None]
    assert someone.turn("s1", "我的预算是1000元")["pending"] == []
    assert (
        someone.client.put("/v1/fields/business_context.budget.celing", json={"value": 1})
        .json()["detail"]
        .endswith(f"{BUDGET}?")
    )


def test_one_undo_after_the_other_goes_further_back(someone: User) -> None:
    for value in (1000, 2000, 3000):
        someone.client.put(f"/v1/fields/{BUDGET}", json={"value": value})
    undone = [someone.client.post(f"/v1/fields/{BUDGET}/undo") for _ in range(4)]
    assert [each.status_code for each in undone] == [200, 200, 200, 404]
    assert [each.json()["value"] for each in undone[:3]] == [2000, 1000, None]


def test_undo_in_words_takes_back_the_last_change_of_the_session(someone: User) -> None:
    someone.turn("s1", "记住，预算是50万")
    someone.turn("s1", "记住，预算改成60万")
    turn = someone.turn("s1", "撤销刚才的修改")
    assert [(each["kind"], each["new"]) for each in turn["commands"]] == [("undo", 500000)]
    assert someone.fields()[BUDGET]["version"] == 3


def test_the_audit_is_filtered_by_path_actor_and_time(plain_stack: Stack, someone: User) -> None:
    other = beside(plain_stack, someone, "memory:write", "memory:read", "pending:resolve")
    someone.client.put(f"/v1/fields/{BUDGET}", json={"value": 1000})
    time.sleep(0.01)
    other.client.put(f"/v1/fields/{DEADLINE}", json={"value": "2099-01-01"})
    lines = someone.get("/v1/audit")["items"]
    assert [line["path"] for line in lines] == [DEADLINE, BUDGET]
    assert [line["path"] for line in someone.get("/v1/audit", actor=lines[0]["actor"])["items"]] == [DEADLINE]
    assert [line["path"] for line in someone.get("/v1/audit", since=lines[0]["at"])["items"]] == [DEADLINE]
    assert [line["path"] for line in someone.get("/v1/audit", path=BUDGET)["items"]] == [BUDGET]


def test_a_context_and_a_heartbeat_tell_without_changing_anything(someone: User) -> None:
    someone.client.put("/v1/fields/current_task.type", json={"value": "contract_review"})
    heard = someone.get("/v1/heartbeat", session_id="s1")["notices"]
    assert {notice["path"] for notice in heard} == {"business_context.project_id", DEADLINE}
    body = {"messages": [{"role": "user", "content": "总预算控制在五十万以内"}]}
    sent = someone.client.post("/v1/sessions/s1/messages", json=body).json()
    assert len(sent["pending"]) == 1
    for _ in range(2):
        shown = someone.client.post("/v1/sessions/s1/context", json={"message": "开始吧"}).json()
        assert "missing" in [notice["kind"] for notice in shown["notices"]]
    assert len(someone.get("/v1/pending")["items"]) == 1


@pytest.mark.parametrize(
    ("text", "path", "value", "said"),
    [
        ("预算上限是50万", "business_context.budget.ceiling", 500000, "把预算上限设为60万"),
        ("The project phase is design", "business_context.phase", "design", "set the project phase to build"),
    ],
)
def test_a_memory_that_states_a_field_gives_way_when_the_field_changes(
    someone: User, text: str, path: str, value: object, said: str
) -> None:
    made = someone.client.post("/v1/memories", json={"text": text}).json()
    other = someone.client.post("/v1/memories", json={"text": "喜欢乌龙茶"}).json()
    assert (made["path"], made["value"], other["path"]) == (path, value, None)
    someone.turn("s1", said)
    assert [item["id"] for item in someone.get("/v1/memories")["items"]] == [other["id"]]
    assert someone.get("/v1/audit")["items"][0]["details"]["superseded_memories"] == [made["id"]]
    gone = someone.get("/v1/memories", status="superseded")["items"]
    assert [item["id"] for item in gone] == [made["id"]]


def test_a_tenant_puts_a_schema_of_its_own_and_no_held_path_vanishes(tmp_path: Path) -> None:
    with Stack(tmp_path / "schema") as stack, stack.admin() as admin:
        user = stack.user("u1")
        schema = admin.get("/v1/schema").json()
        city: dict[str, Any] = {
            "path": "user_profile.city",
            "type": "string",
            "labels": {"zh": ["城市"], "en": ["city"]},
        }
        put = admin.put("/v1/schema", json={"version": 1, "paths": [*schema["paths"], city]})
        assert (put.status_code, put.json()["version"]) == (200, 2)
        stale = admin.put("/v1/schema", json={"version": 1, "paths": [city]})
        assert (stale.status_code, stale.json()["code"]) == (409, "version_conflict")
        user.turn("s1", "记住我的城市是格拉茨")
        assert user.fields()["user_profile.city"]["value"] == "格拉茨"
        gone = admin.put("/v1/schema", json={"version": 2, "paths": schema["paths"]})
        assert (gone.status_code, gone.json()["code"]) == (409, "path_in_use")
        assert user.client.delete("/v1/fields/user_profile.city").status_code == 204
        assert admin.put("/v1/schema", json={"version": 2, "paths": schema["paths"]}).status_code == 200
        assert user.client.get("/v1/fields/user_profile.city").status_code == 422
        bad = admin.put("/v1/schema", json={"version": 3, "paths": [{"path": "A b", "type": "string"}]})
        assert (bad.status_code, bad.json()["field"]) == (422, "paths.0.path")
        plain = stack.user("u1", key=key_with(stack, "memory:read", "chat"))
        assert plain.client.put("/v1/schema", json={"version": 3, "paths": []}).status_code == 403
        assert plain.client.get("/v1/schema").status_code == 200


def test_a_kill_in_the_middle_leaves_field_audit_and_index_in_one_mind(tmp_path: Path) -> None:
    with Stack(tmp_path / "killed", workers=0) as stack:
        user = stack.user("u1")

        def write(number: int) -> bool:
            try:
                field = user.client.put(f"/v1/fields/{BUDGET}", json={"value": 1000 + number})
                noted = user.client.post("/v1/memories", json={"text": f"kumquat number {number}"})
            except httpx.HTTPError:
                return False
            return field.status_code == 200 and noted.status_code == 201

        with ThreadPoolExecutor(8) as pool:
            writing = [pool.submit(write, number) for number in range(200)]
            time.sleep(0.4)
            wait_until(lambda: any(each.done() and each.result() for each in writing))
            stack.processes["api"].send_signal(signal.SIGKILL)
            done = sum(each.result() for each in writing)
        stack.processes.pop("api").wait(5)
        stack.start()
        versions = user.get(f"/v1/fields/{BUDGET}/history", limit=200)["items"]
        numbers = [version["version"] for version in versions]
        assert numbers == list(range(1, len(numbers) + 1))
        assert sum(version["valid_to"] is None for version in versions) == 1
        lines = []
        cursor = None
        while True:
            more: dict[str, Any] = {"cursor": cursor} if cursor else {}
            page = user.get("/v1/audit", limit=200, **more)
            lines += page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                break
        assert sorted(x["details"]["version"] for x in lines if x["action"] == "field.set") == numbers
        kept = {item["id"] for item in user.get("/v1/memories", limit=200)["items"]}
        assert {x["details"]["memory_id"] for x in lines if x["action"] == "memory.add"} == kept
        found = user.search("kumquat", limit=100, include_episodes=False)
        assert {hit["memory"]["id"] for hit in found} <= kept
        assert len(found) == min(len(kept), 100)
        assert 0 < done <= len(kept)
        with stack.admin() as admin:
            assert admin.get("/v1/audit/verify").json()["ok"] is True


@pytest.mark.parametrize(
    ("said", "audited"),
    [
        ("记住预算是50万", "field.set"),
        ("remember the budget is 500,000", "field.set"),
        ("记住我住在北京", "memory.add"),
        ("remember I live in Boston", "memory.add"),
        ("以后不要再提我的离婚", "topic.ban"),
        ("never mention my divorce again", "topic.ban"),
    ],
)
def test_a_turns_button_stands_in_the_audit_of_what_it_changed(
    someone: User, said: str, audited: str
) -> None:
    someone.turn("a", said, metadata={"action": "quick_reply", "theme": "dark"})
    entries = [entry for entry in someone.get("/v1/audit")["items"] if entry["action"] == audited]
    assert [entry["details"].get("action") for entry in entries] == ["quick_reply"]


@pytest.mark.parametrize(
    ("metadata", "named"),
    [
        ({"note": "x" * 8_200}, "metadata"),
        ({"action": "x" * 101}, "metadata.action"),
        ({"action": 7}, "metadata.action"),
    ],
)
def test_a_turns_metadata_is_small(someone: User, metadata: dict[str, Any], named: str) -> None:
    answer = someone.client.post("/v1/sessions/a/turns", json={"message": "hi", "metadata": metadata})
    assert (answer.status_code, answer.json()["field"]) == (422, named)


def test_a_confirmed_edit_is_answered_and_kept_as_stored(plain_stack: Stack, someone: User) -> None:
    agent = beside(plain_stack, someone, "memory:read", "memory:write")
    for text, edit, stored in (
        ("Bob hates spinach", "Bob hates kale", "Bob hates kale"),
        ("小王不吃菠菜", "小王的身份证号是110101199003071234", "小王的身份证号是110101********1234"),
    ):
        proposed = agent.client.post("/v1/memories", json={"text": text}).json()
        ended = someone.client.post(f"/v1/pending/{proposed['id']}/confirm", json={"value": edit}).json()
        assert (ended["status"], ended["new"], ended["text"]) == ("confirmed", stored, stored)
        assert stored in [memory["text"] for memory in someone.get("/v1/memories")["items"]]


def test_an_apps_proposal_is_asked_about_as_one(plain_stack: Stack, someone: User) -> None:
    agent = beside(plain_stack, someone, "memory:read", "memory:write")
    agent.client.put("/v1/fields/user_profile.role", json={"value": "CTO"})
    said = someone.say("a", "你好")
    assert "有应用提议记录职位：CTO" in said
    assert "你提到" not in said


def test_a_changed_session_is_answered_as_it_is_read(someone: User) -> None:
    someone.turn("a", "你好")
    changed = someone.client.patch("/v1/sessions/a", json={"system": "short"}).json()
    assert len(changed["window"]) == 2
    assert changed == someone.get("/v1/sessions/a")


def test_messages_that_all_stood_there_answer_200(someone: User) -> None:
    def send(*ids: str) -> int:
        messages = [{"id": each, "role": "user", "content": f"say {each}"} for each in ids]
        return someone.client.post("/v1/sessions/a/messages", json={"messages": messages}).status_code

    assert [send("m1"), send("m1"), send("m1", "m2"), send("m1", "m2")] == [201, 200, 201, 200]
    someone.flush("a")
    assert send("m1") == 200


def test_a_job_names_its_session(plain_stack: Stack, someone: User) -> None:
    someone.turn("a", "你好")
    done = someone.flush("a")
    assert {job["session_id"] for job in done} == {"a"}
    with plain_stack.admin() as admin:
        listed = admin.get("/v1/jobs", params={"limit": 200}).json()["items"]
    assert {job["id"] for job in done} <= {job["id"] for job in listed if job.get("session_id") == "a"}
