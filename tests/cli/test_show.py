"""`GET /v1/show` and `bilayer show`: all that is held of one user, for an admin, and noted."""

import json
import uuid

import pytest
from click.testing import CliRunner, Result

from shared.cli import cli
from shared.cli.show import describe_held
from tests.e2e.stack import Stack, User

pytestmark = pytest.mark.e2e


@pytest.fixture
def user(plain_stack: Stack) -> User:
    found = plain_stack.user(f"shown-{uuid.uuid4().hex[:8]}")
    found.turn("s1", "记住我的邮箱是dev@abc.com")
    found.turn("s1", "Remember: reports go out on Fridays.")
    return found


def key_of(user: User) -> str:
    return user.client.headers["authorization"].removeprefix("Bearer ")


def run(user: User, *words: str, key: str | None = None) -> Result:
    named = user.client.headers["bilayer-user"]
    address = ["--url", str(user.client.base_url), "--key", key or key_of(user), "--user", named]
    return CliRunner().invoke(cli, ["show", *address, *words])


def test_it_shows_fields_memories_sessions_and_the_window_of_the_named_one(user: User) -> None:
    held = user.get("/v1/show", session_id="s1")
    assert [(field["path"], field["value"]) for field in held["fields"]] == [
        ("user_profile.contact.email", "dev@abc.com")
    ]
    assert [memory["text"] for memory in held["memories"]] == ["reports go out on Fridays"]
    assert [one["session_id"] for one in held["sessions"]] == ["s1"]
    assert [message["role"] for message in held["session"]["window"]] == ["user", "assistant"] * 2
    assert held["cut"] == []
    assert user.get("/v1/show")["session"] is None


def test_it_shows_what_waits_and_masks_the_secrets_of_a_window(user: User) -> None:
    user.turn("s1", "总预算控制在五十万以内")
    user.turn("s1", "my key is sk-test-0a1b2c3d4e5f6g7h8i9j0k1l2m")
    held = user.get("/v1/show", session_id="s1")
    assert [update["new"] for update in held["pending"]] == [500000]
    assert "sk-test-0a1b" not in json.dumps(held)
    assert "500000" in run(user).output


def test_the_user_can_read_who_looked_in_which_request(user: User) -> None:
    answer = user.client.get("/v1/show", params={"session_id": "s1"})
    entry = user.get("/v1/audit")["items"][0]
    assert (entry["action"], entry["details"]) == ("show", {"session_id": "s1"})
    assert entry["request_id"] == answer.headers["x-request-id"]
    assert entry["actor"].startswith("key_")
    assert answer.json()["audit"][0] == entry


def test_it_takes_an_admin_and_a_user_who_is_known(plain_stack: Stack, user: User) -> None:
    permissions = ["chat", "memory:read", "memory:write", "pending:resolve", "export", "erase"]
    with plain_stack.admin() as admin:
        made = admin.post("/v1/keys", json={"permissions": permissions}).json()
        assert admin.get("/v1/show").json()["code"] == "user_required"
    other = plain_stack.user("shown-by-other", key=made["key"])
    assert other.client.get("/v1/show").status_code == 403
    assert plain_stack.user("never-seen").client.get("/v1/show").status_code == 404
    assert user.client.get("/v1/show", params={"session_id": "s 1"}).status_code == 422
    assert user.client.get("/v1/show", params={"session_id": "unknown"}).status_code == 404


def test_what_came_from_a_deleted_session_says_so(user: User) -> None:
    assert "deleted" not in run(user).output.split("Audit")[0]
    user.client.delete("/v1/sessions/s1").raise_for_status()
    told = [line for line in run(user).output.splitlines() if "from a session that was deleted" in line]
    assert [line.split()[0] for line in told] == ["user_profile.contact.email", "reports"]


def test_the_command_prints_it_in_plain_form(user: User) -> None:
    result = run(user, "--session", "s1")
    assert result.exit_code == 0
    assert 'user_profile.contact.email = "dev@abc.com"' in result.output
    assert "reports go out on Fridays  (fact, " in result.output
    assert "1 user: 记住我的邮箱是dev@abc.com" in result.output
    assert "field.set user_profile.contact.email: None -> d***@abc.com" in result.output


def test_the_command_prints_the_answer_itself_as_json(user: User) -> None:
    held = json.loads(run(user, "--json").output)
    assert held["memories"][0]["text"] == "reports go out on Fridays"


def test_a_wrong_key_is_one_sentence(user: User) -> None:
    result = run(user, key="bl_wrong")
    assert result.exit_code == 1
    assert result.output.startswith("Error: This key is unknown or revoked")


def test_a_user_of_whom_nothing_is_stored_is_one_sentence_and_exit_code_one(plain_stack: Stack) -> None:
    result = run(plain_stack.user("never-seen"))
    assert result.exit_code == 1
    assert result.output == "Error: Nothing is stored of this user; check the id.\n"


def test_control_characters_of_a_user_cannot_move_the_cursor() -> None:
    memory = {"text": "a\x1b[2Jb\x9bc\u202e", "kind": "fact", "created_at": "2026-01-01T", "origin": "user"}
    held = {
        "user": "u\x1b]0;x",
        "fields": [],
        "memories": [memory | {"status": "active"}],
        "pending": [],
        "sessions": [],
        "session": None,
        "audit": [],
        "cut": ["memories"],
    }
    text = "\n".join(describe_held(held))
    assert "a[2Jbc  (fact" in text
    assert text.isprintable() or not set("\x1b\x9b\u202e") & set(text)
    assert "only the newest 200" in text
