"""A search with a reranker over HTTP: what it says, what it does without an answer; turns ask nobody."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from shared.cli import cli
from tests.e2e.stack import Stack, User
from tests.engines.json_server import served_by_thread
from tests.engines.rerankers.upstream import RerankUpstream

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]
SAID = (
    "The seafood market is closed on Mondays, the whole seafood market.",
    "I get a rash from shrimp, it is an allergy.",
    "海鲜市场周一休息，整个海鲜市场都休息。",
    "我吃虾会过敏。",
)
LINES = {"en": slice(0, 2), "zh": slice(2, 4)}
ASKED = {"en": ("seafood market allergies", SAID[1]), "zh": ("海鲜市场 过敏", SAID[3])}


@pytest.fixture(scope="module")
def upstream() -> Iterator[RerankUpstream]:
    server = RerankUpstream()
    with served_by_thread(server):
        yield server


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory, upstream: RerankUpstream) -> Iterator[Stack]:
    environ = {"BILAYER_RERANKER_BASE_URL": upstream.base_url, "BILAYER_RERANKER_WAIT_SECONDS": "30"}
    with Stack(tmp_path_factory.mktemp("rerank"), workers=0, environ=environ) as running:
        yield running


@pytest.fixture
def user(stack: Stack, upstream: RerankUpstream, request: pytest.FixtureRequest) -> User:
    upstream.status, upstream.answer = 200, None
    speaking = stack.user(f"u-{request.node.name}")
    for text in SAID:
        speaking.say("s1", text)
    upstream.requests.clear()
    return speaking


def search(user: User, query: str) -> dict[str, object]:
    answer = user.client.post("/v1/memories/search", json={"query": query, "explain": True})
    assert answer.status_code == 200, answer.text
    found: dict[str, object] = answer.json()
    return found


def failures(stack: Stack) -> float:
    with stack.admin() as admin:
        lines = admin.get("/metrics").text.splitlines()
    counted = [line for line in lines if line.startswith('bilayer_rerankings_total{outcome="failed"}')]
    return float(counted[0].split()[-1]) if counted else 0.0


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_search_is_ordered_by_both_and_says_so(user: User, upstream: RerankUpstream, language: str) -> None:
    query, answer = ASKED[language]
    found = [
        hit for hit in user.search(query, explain=True) if hit["memory"]["text"] in SAID[LINES[language]]
    ]
    assert [hit["memory"]["text"] for hit in found] == [answer, SAID[LINES[language]][0]]
    assert found[0]["why"]["rerank"] > found[1]["why"]["rerank"]
    assert search(user, query)["reranked"] is True
    assert upstream.requests[-1]["query"] == query
    assert f"user: {answer}" in upstream.requests[-1]["documents"]


def test_without_an_answer_the_search_s_own_order_stands_and_says_so(
    stack: Stack, user: User, upstream: RerankUpstream
) -> None:
    before = failures(stack)
    upstream.answer = b"no order"
    found = search(user, ASKED["en"][0])
    assert found["reranked"] is False
    assert isinstance(found["items"], list)
    assert found["items"][0]["memory"]["text"] == SAID[0]
    assert all("rerank" not in hit["why"] for hit in found["items"])
    assert failures(stack) == before + 1
    log = (stack.logs / "api.log").read_text("utf-8")
    assert "model_failed" in log
    assert not any(words in log for words in ("seafood", "海鲜", "allerg"))


def test_neither_a_turn_nor_a_preview_of_one_asks_the_reranker(user: User, upstream: RerankUpstream) -> None:
    turn = user.turn("s2", "What do I get a rash from, the seafood market?")
    assert turn["recalled"]
    assert user.prompt("s2", "海鲜市场和过敏")
    assert upstream.requests == []


def test_the_command_shows_what_the_reranker_gave(user: User, upstream: RerankUpstream) -> None:
    headers = user.client.headers
    named = ["--url", str(user.client.base_url), "--key", headers["authorization"].removeprefix("Bearer ")]
    words = ["recall", *named, "--user", headers["bilayer-user"], ASKED["en"][0], "--explain"]
    shown = CliRunner().invoke(cli, words)
    assert "rerank" in shown.output.splitlines()[0].split()
    assert SAID[1] in shown.output.splitlines()[1]
    upstream.answer = b"no order"
    alone = CliRunner().invoke(cli, words)
    assert alone.exit_code == 0
    assert "rerank" not in alone.stdout.splitlines()[0].split()
    assert "did not answer" in alone.stderr
