"""Every reranker, whatever it is made of: the contract of the port; and what each does by itself."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
from pydantic import SecretStr

from shared.clock import Clock
from shared.engines.llm_http.asking import AskBounds
from shared.engines.rerankers.http import HttpReranker
from shared.engines.rerankers.null import NullReranker
from shared.errors import Rejected, StartupProblem, Unavailable
from shared.ports.reranker import MOST_CHARACTERS, MOST_TEXTS, Reranker
from shared.services import open_reranker
from shared.settings import Settings
from tests.engines.rerankers.upstream import RerankUpstream
from tests.fakes.reranker import FakeReranker

TEXTS = ["user: 我们下个月结婚", "user: 猫对海鲜过敏", "user: the cat is allergic to seafood"]
QUESTION = "what is the cat allergic to?"


@pytest.fixture
async def upstream() -> AsyncIterator[RerankUpstream]:
    async with RerankUpstream() as running:
        yield running


def open_http(upstream: RerankUpstream) -> HttpReranker:
    settings = Settings(
        reranker_base_url=upstream.base_url, reranker_model="bge", reranker_api_key=SecretStr("k-1")
    )
    bounds = AskBounds(answer_seconds=0.5, answer_bytes=50_000)
    return HttpReranker(settings, Clock(), bounds=bounds)


@pytest.fixture
async def http(upstream: RerankUpstream) -> AsyncIterator[HttpReranker]:
    reranker = open_http(upstream)
    yield reranker
    await reranker.aclose()


@pytest.fixture(params=["fake", "http"])
async def reranker(request: pytest.FixtureRequest, upstream: RerankUpstream) -> AsyncIterator[Reranker]:
    opened: Reranker = open_http(upstream) if request.param == "http" else FakeReranker()
    yield opened
    await opened.aclose()


async def test_scores_stand_in_the_order_of_their_texts_and_more_is_better(reranker: Reranker) -> None:
    other, zh, en = await reranker.score(QUESTION, TEXTS)
    assert zh > other
    assert en > other
    assert await reranker.score(QUESTION, TEXTS[::-1]) == (en, zh, other)


async def test_one_text_and_fifty_get_a_score_each_and_more_are_not_read(reranker: Reranker) -> None:
    assert len(await reranker.score(QUESTION, TEXTS[:1])) == 1
    assert len(await reranker.score(QUESTION, ["a cat"] * (MOST_TEXTS + 5))) == MOST_TEXTS


async def test_texts_without_words_and_of_odd_characters_get_a_score(reranker: Reranker) -> None:
    assert len(await reranker.score(QUESTION, ["", " ", "🙂", "\ud83d", "\x00", "𠀀" * 10])) == 6


async def test_without_an_address_there_is_no_reranker() -> None:
    reranker = open_reranker(Settings(), Clock())
    assert isinstance(reranker, NullReranker)
    assert reranker.model == ""
    with pytest.raises(Unavailable):
        await reranker.score("x", ["x"])
    await reranker.aclose()


async def test_an_upstream_is_asked_as_the_api_says_and_long_texts_are_cut(
    upstream: RerankUpstream, http: HttpReranker
) -> None:
    await http.score("猫" * 3_000, ["猫" * 3_000, "cat"])
    (request,) = upstream.requests
    assert request == {
        "model": "bge",
        "query": "猫" * MOST_CHARACTERS,
        "documents": ["猫" * MOST_CHARACTERS, "cat"],
        "top_n": 2,
    }
    assert upstream.heads[0].startswith("POST /v1/rerank ")
    assert "authorization: bearer k-1" in upstream.heads[0].lower()


async def test_an_upstream_that_takes_texts_is_learnt_from_its_refusal_and_kept(
    upstream: RerankUpstream, http: HttpReranker
) -> None:
    upstream.takes_texts = True
    with pytest.raises(Rejected):
        await http.score(QUESTION, TEXTS)
    for _ in range(2):
        upstream.status = 200
        other, zh, _ = await http.score(QUESTION, TEXTS)
        assert zh > other
    upstream.status = 422
    with pytest.raises(Rejected):
        await http.score(QUESTION, TEXTS)
    upstream.status = 200
    await http.score(QUESTION, TEXTS)
    assert ["texts" in request for request in upstream.requests] == [False, True, True, True, True]
    assert upstream.requests[-1] == {"query": QUESTION, "texts": TEXTS, "truncate": True}


async def test_questions_that_are_refused_at_once_learn_one_thing_and_not_two(
    upstream: RerankUpstream, http: HttpReranker
) -> None:
    upstream.takes_texts = True
    upstream.delay = 0.05
    failed = await asyncio.gather(*(http.score(QUESTION, TEXTS) for _ in range(2)), return_exceptions=True)
    assert [type(each) for each in failed] == [Rejected, Rejected]
    upstream.status = 200
    assert len(await http.score(QUESTION, TEXTS)) == 3


async def test_scores_may_be_logits(upstream: RerankUpstream, http: HttpReranker) -> None:
    results = [{"index": 1, "relevance_score": -7}, {"index": 0, "relevance_score": 3.5}]
    upstream.answer = json.dumps({"results": results}).encode()
    assert await http.score("x", ["a", "b"]) == (3.5, -7.0)


BAD_ANSWERS = [
    b"",
    b"no json",
    b"null",
    b"[]",
    b"7",
    b'{"results": 7}',
    b'{"results": null}',
    b'{"results": ["score"]}',
    b'{"results": [{"index": 0, "relevance_score": 1}]}',
    b'{"results": [{"index": 0, "relevance_score": 1}, {"index": 0, "relevance_score": 2}]}',
    b'{"results": [{"index": 0, "relevance_score": 1}, {"index": 2, "relevance_score": 2}]}',
    b'{"results": [{"index": 0, "relevance_score": 1}, {"index": true, "relevance_score": 2}]}',
    b'[{"index": 0, "score": 1}, {"index": 1, "score": 2}, {"index": 0, "score": 3}]',
    b'{"results": [{"index": 0, "relevance_score": 1}, {"index": "1", "relevance_score": 2}]}',
    b'{"results": [{"index": 0, "relevance_score": 1}, {"index": 1, "relevance_score": "2"}]}',
    b'{"results": [{"index": 0, "relevance_score": 1}, {"index": 1, "relevance_score": null}]}',
    b'{"results": [{"index": 0, "relevance_score": 1}, {"index": 1, "relevance_score": true}]}',
    b'{"results": [{"index": 0, "relevance_score": 1}, {"index": 1, "relevance_score": NaN}]}',
    b'{"results": [{"index": 0, "relevance_score": 1}, {"index": 1, "relevance_score": 1e999}]}',
    b'{"results": [{"index": 0, "relevance_score": 1}, {"index": 1, "relevance_score": 1'
    + b"0" * 400
    + b"}]}",
    b'{"results": [{"index": 0, "relevance_score": 1}, {"index": 1, "relevance_score": -1e300}]}',
    b'{"results": [{"index": 0, "relevance_score": 1}, {"index": 1}]}',
    b'{"results": ['
    + b'{"index": 0, "relevance_score": 1}, ' * 2_000
    + b'{"index": 1, "relevance_score": 1}]}',
    b"[" * 100_000,
]


@pytest.mark.parametrize("answer", BAD_ANSWERS, ids=lambda answer: repr(answer[:70]))
async def test_an_answer_that_holds_no_whole_order_is_none(
    upstream: RerankUpstream, http: HttpReranker, answer: bytes
) -> None:
    upstream.answer = answer
    with pytest.raises(Unavailable) as caught:
        await http.score("x", ["a", "b"])
    assert caught.value.code == "reranker_unavailable"


async def test_the_breaker_keeps_an_upstream_alone_that_fails_and_nothing_is_sent_twice(
    upstream: RerankUpstream, http: HttpReranker
) -> None:
    upstream.status = 500
    for _ in range(7):
        with pytest.raises(Unavailable):
            await http.score("x", TEXTS)
    assert len(upstream.requests) == 5
    upstream.status = 200
    with pytest.raises(Unavailable) as caught:
        await http.score("x", TEXTS)
    assert caught.value.retry_after_seconds > 1


async def test_texts_that_are_refused_open_no_breaker(upstream: RerankUpstream, http: HttpReranker) -> None:
    upstream.status = 413
    for _ in range(8):
        with pytest.raises(Rejected) as caught:
            await http.score("x", TEXTS)
        assert caught.value.code == "reranker_refused"
    upstream.status = 200
    assert len(await http.score("x", TEXTS)) == 3


async def test_an_upstream_that_hangs_is_left_in_time_and_counts_as_down(upstream: RerankUpstream) -> None:
    settings = Settings(reranker_base_url=upstream.base_url, reranker_wait_seconds=0.05)
    http = HttpReranker(settings, Clock())
    upstream.delay = 5.0
    for _ in range(6):
        with pytest.raises(Unavailable):
            await http.score("x", TEXTS)
    upstream.delay = 0.0
    with pytest.raises(Unavailable):
        await http.score("x", TEXTS)
    assert len(upstream.requests) <= 5
    await http.aclose()


async def test_no_text_stands_in_what_is_logged_or_raised(
    upstream: RerankUpstream, http: HttpReranker, capsys: pytest.CaptureFixture[str]
) -> None:
    upstream.answer = b'{"results": [{"index": 0, "relevance_score": "the cat"}]}'
    with pytest.raises(Unavailable) as caught:
        await http.score("allergic cat", ["the cat"])
    captured = capsys.readouterr()
    assert "cat" not in captured.out + captured.err + str(caught.value)


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"reranker_base_url": "nonsense"}, "reranker_base_url"),
        ({"reranker_base_url": "http://x", "reranker_api_key": "钥匙"}, "BILAYER_RERANKER_API_KEY"),
    ],
)
def test_an_address_or_a_key_that_is_none_stops_the_start(settings: dict[str, str], named: str) -> None:
    with pytest.raises((StartupProblem, ValueError), match=named):
        open_reranker(Settings.model_validate(settings), Clock())
