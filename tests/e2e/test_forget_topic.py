"""DEL-06: a request to forget reaches turns, summary, notes, archive and search, whatever was only said."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Iterator

import pytest

from tests.e2e.stack import Stack, User
from tests.e2e.test_stm_cases import append, small_talk
from tests.fakes.summaries import asks_for_summary
from tests.fakes.upstream import Script, Upstream, UpstreamThread, say_last_message

pytestmark = pytest.mark.e2e

MARKS = {
    "BILAYER_SUMMARY_HIGH_WATERMARK_TOKENS": "300",
    "BILAYER_SUMMARY_LOW_WATERMARK_TOKENS": "60",
    "BILAYER_IDLE_FLUSH_SECONDS": "1",
}


@pytest.fixture(scope="module")
def teller(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Stack, Upstream]]:
    """A stack whose model summarises as a test says; its marks are so low that short talks are summarised."""
    with UpstreamThread() as upstream:
        environ = {"BILAYER_LLM_BASE_URL": upstream.base_url, **MARKS}
        with Stack(tmp_path_factory.mktemp("teller"), environ=environ) as stack:
            yield stack, upstream


def wait_for(claim: Callable[[], bool], *, seconds: float = 40.0) -> bool:
    deadline = time.monotonic() + seconds
    while not claim() and time.monotonic() < deadline:
        time.sleep(0.1)
    return claim()


def compacted_to(user: User) -> int:
    seq: int = user.get("/v1/sessions/s1")["compacted_to"]
    return seq


def told_anywhere(user: User, name: str, question: str) -> list[str]:
    """Return the places where a name is told."""
    places = {
        "history": user.history("s1"),
        "session": user.get("/v1/sessions/s1"),
        "memories": user.get("/v1/memories"),
        "pending": user.get("/v1/pending", status="all"),
        "search": user.search(question),
        "search by name": [hit for hit in user.search(name) if name in hit["memory"]["text"]],
        "prompt": user.prompt("s1", question),
        "prompt of a new session": user.prompt(f"new-{uuid.uuid4().hex[:8]}", question),
    }
    return [place for place, held in places.items() if name in json.dumps(held, ensure_ascii=False)]


@pytest.mark.parametrize(
    ("filler", "said", "name", "asked", "stays", "summary", "forget", "onward"),
    [
        pytest.param(
            ("闲聊第{}句，内容无关紧要", "好的{}"),
            "顺便说下，我前妻叫苏禾",
            "苏禾",
            "我前妻叫什么名字？",
            "周末安排是去爬山",
            {"text": "用户的前妻叫苏禾；周末安排是去爬山", "pending": ["周末安排是去爬山"]},
            "把我前妻的事全部忘掉",
            "我们接着聊周末安排",
            id="zh",
        ),
        pytest.param(
            ("some small talk number {}, it does not matter", "ok {}"),
            "By the way, my ex-wife is called Sophie",
            "Sophie",
            "What is my ex-wife called?",
            "the weekend plan is a hike",
            {
                "text": "The user's ex-wife is called Sophie; the weekend plan is a hike",
                "pending": ["the weekend plan is a hike"],
            },
            "forget everything about my ex-wife",
            "Let us go on about the weekend plans",
            id="en",
        ),
    ],
)
def test_a_topic_that_was_only_said_is_forgotten_everywhere(
    teller: tuple[Stack, Upstream],
    filler: tuple[str, str],
    said: str,
    *,
    name: str,
    asked: str,
    stays: str,
    summary: dict[str, object],
    forget: str,
    onward: str,
) -> None:
    stack, upstream = teller
    upstream.default = Script()
    told = json.dumps(summary, ensure_ascii=False)
    upstream.reply = lambda body: told if asks_for_summary(body) else say_last_message(body)
    user = stack.user(f"del6-{uuid.uuid4().hex[:8]}")
    append(user, "s1", ("user", said), ("assistant", f"{name}: ok"), ("user", stays), ("assistant", "ok"))
    append(user, "s1", *small_talk(*filler, turns=20))
    assert wait_for(lambda: compacted_to(user) >= 2)
    user.flush("s1")
    assert {"history", "session", "search", "prompt"} <= set(told_anywhere(user, name, asked))

    done = user.turn("s1", forget)
    assert [(each["kind"], each["outcome"]) for each in done["commands"]] == [("forget", "applied")]
    assert name not in done["reply"]["content"]
    seen = len(upstream.requests)
    user.flush("s1")
    assert told_anywhere(user, name, asked) == []
    assert stays in json.dumps(user.get("/v1/sessions/s1")["summary"], ensure_ascii=False)
    told = json.dumps({"text": stays}, ensure_ascii=False)
    before = compacted_to(user)
    append(user, "s1", *small_talk(*filler, turns=20, start=20))
    assert wait_for(lambda: compacted_to(user) > before)
    user.turn("s1", onward)
    user.flush("s1")
    sent = json.dumps([*upstream.requests][seen:], ensure_ascii=False)
    assert onward in sent
    assert name not in sent
    assert told_anywhere(user, name, asked) == []


@pytest.mark.parametrize(
    ("told", "forget", "name", "outcome"),
    [
        (["我前妻叫苏禾"], "把我前妻的事全部忘掉", "苏禾", "applied"),
        (["My ex-wife is called Sophie"], "forget everything about my ex-wife", "Sophie", "applied"),
        (["我前妻叫苏禾", "我前妻住在杭州"], "把我前妻的事全部忘掉", "苏禾", "refused"),
        (
            ["My ex-wife is called Sophie", "My ex-wife lives in Bonn"],
            "forget everything about my ex-wife",
            "Sophie",
            "refused",
        ),
    ],
)
def test_a_front_with_its_own_model_forgets_one_thing_and_is_told_of_several(
    teller: tuple[Stack, Upstream], told: list[str], forget: str, name: str, *, outcome: str
) -> None:
    user = teller[0].user(f"del6-{uuid.uuid4().hex[:8]}")
    append(user, "s1", *[("user", text) for text in told], ("assistant", f"{name}: ok"))
    body = {"messages": [{"role": "user", "content": forget}]}
    done = user.client.post("/v1/sessions/s1/messages", json=body).raise_for_status().json()
    assert [(each["kind"], each["outcome"]) for each in done["commands"]] == [("forget", outcome)]
    user.flush("s1")
    assert bool(told_anywhere(user, name, "hm")) is (outcome == "refused")
