"""The leg of meaning: what it may lift, what it may not, and that words go first."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
import pytest

from shared.clock import Clock
from shared.engines.embeddings.null import NullEmbedder
from shared.engines.redis_stm.limits import StmLimits
from shared.ltm.index import describe_row
from shared.model.meaning import Meaning, RowVectors
from shared.model.memory import Episode
from shared.model.scope import Scope
from shared.recall.ask_meaning import read_meaning, read_turn_meaning
from shared.recall.embed import embed_scope
from shared.recall.find import Hit, SearchQuery, find_memories
from shared.recall.nearness import Nearness, find_nearness
from shared.recall.query import plan_query
from shared.recall.score import in_monologue, score_rows
from tests.contracts.ltm.samples import Stores, episode, open_stores
from tests.evals.memory_index import MemoryIndex, build_index
from tests.evals.sets import Message
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.memory_state import MemoryState
from tests.fakes.memory_stm import MemoryShortTermMemory

NOW = datetime(2025, 6, 16, tzinfo=UTC)
ZH = ("我对海鲜过敏", "下周去看医生", "周末在菜园种番茄", "女儿练钢琴", "坐高铁回老家")
EN = (
    "I am allergic to shrimp",
    "The clinic called about my results",
    "We planted tomatoes",
    "My daughter plays the piano",
    "We took the train home",
)


class Place:
    """A user whose messages were archived, with a model that a test may turn off."""

    def __init__(self, stores: Stores, scope: Scope) -> None:
        self.stores, self.scope, self.embedder = stores, scope, FakeEmbedder()
        self.stm = MemoryShortTermMemory(MemoryState(), clock=Clock(), limits=StmLimits())

    async def archive(self, *texts: str, session_id: str = "s-1") -> list[Episode]:
        said = [episode(text, session_id=session_id, seq=seq) for seq, text in enumerate(texts, start=1)]
        rows = [(each, describe_row(each.message.text, speaker="user", said_at=NOW)) for each in said]
        await self.stores.ltm.write(self.scope, lambda w: w.add_episodes(rows))
        return said

    async def embed(self, *, most_rows: int = 1_000) -> int:
        return await embed_scope(self.scope, most_rows=most_rows, ltm=self.stores.ltm, embedder=self.embedder)

    async def search(self, text: str, *, with_model: bool = True) -> list[Hit]:
        return await find_memories(
            [self.scope],
            SearchQuery(text=text, asked_at=NOW),
            stm=self.stm,
            ltm=self.stores.ltm,
            embedder=self.embedder if with_model else NullEmbedder(),
        )

    async def texts(self, text: str) -> list[str]:
        return [hit.row.message.text for hit in await self.search(text) if isinstance(hit.row, Episode)]


@pytest.fixture(params=["sqlite", "fake"])
async def place(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Place]:
    stores = open_stores(request.param, tmp_path)
    yield Place(stores, await stores.directory.ensure_scope("t1", "user", outside_id="u1"))
    stores.close()


@pytest.mark.parametrize(
    ("rows", "question", "answer"),
    [
        (ZH, "Why do I never eat shrimp?", ZH[0]),
        (ZH, "Which clinic do I go to?", ZH[1]),
        (ZH, "Does anybody play the piano?", ZH[3]),
        (EN, "我对什么食物过敏？", EN[0]),
        (EN, "什么时候去看病？", EN[1]),
        (EN, "我们坐火车去了哪里？", EN[4]),
    ],
)
async def test_a_question_in_the_other_language_finds_the_row(
    place: Place, rows: tuple[str, ...], question: str, answer: str
) -> None:
    await place.archive(*rows)
    assert await place.texts(question) == []
    await place.embed()
    found = await place.search(question)
    assert found[0].row.message.text == answer  # type: ignore[union-attr]
    assert found[0].why["embedding"] > 0
    assert found[0].score == pytest.approx(found[0].why["embedding"] + sum_of_words(found[0]), abs=0.05)


def sum_of_words(hit: Hit) -> float:
    return sum(hit.why[name] for name in ("terms", "neighbour", "date", "session"))


@pytest.mark.parametrize("rows", [ZH, EN])
async def test_what_is_related_to_nothing_finds_nothing(place: Place, rows: tuple[str, ...]) -> None:
    await place.archive(*rows)
    await place.embed()
    for question in ("quantum computing seminar", "量子计算讲座"):
        assert [hit.why["embedding"] for hit in await place.search(question)] == []


async def test_a_user_of_both_languages_finds_what_was_said_in_either(place: Place) -> None:
    await place.archive(*ZH, session_id="s-zh")
    await place.archive(*EN, session_id="s-en")
    await place.embed()
    found = await place.texts("我对海鲜过敏吗？")
    assert found[0] == ZH[0]
    assert EN[0] in found
    assert (await place.texts("Am I allergic to seafood?"))[0] == EN[0]


async def test_with_no_model_a_search_is_what_it_was_and_asks_nobody(place: Place) -> None:
    await place.archive(*ZH, *EN)
    before = await place.search("海鲜过敏", with_model=False)
    await place.embed()
    asked = len(place.embedder.asked)
    after = await place.search("海鲜过敏", with_model=False)
    assert [(hit.row, hit.score, dict(hit.why)) for hit in after] == [
        (hit.row, hit.score, dict(hit.why)) for hit in before
    ]
    assert all(hit.why["embedding"] == 0 for hit in after)
    assert len(place.embedder.asked) == asked


async def test_a_model_that_is_away_or_slow_costs_the_leg_and_not_the_search(place: Place) -> None:
    await place.archive(*ZH)
    await place.embed()
    place.embedder.is_down = True
    assert (await place.texts("海鲜过敏"))[0] == ZH[0]
    place.embedder.is_down, place.embedder.wait_seconds, place.embedder.delay_seconds = False, 0.01, 5.0
    assert (await place.texts("海鲜过敏"))[0] == ZH[0]
    assert await place.texts("Is seafood any good for me?") == []


async def test_greetings_and_scopes_without_vectors_ask_no_model(place: Place) -> None:
    await place.archive(*ZH)
    for text in ("海鲜过敏", "谢谢", "hello there"):
        assert await read_meaning(place.scope, text, ltm=place.stores.ltm, embedder=place.embedder) is None
    assert place.embedder.asked == []
    await place.embed()
    place.embedder.asked.clear()
    assert await read_meaning(place.scope, "谢谢", ltm=place.stores.ltm, embedder=place.embedder) is None
    place.embedder.is_for_turns = False
    turn = await read_turn_meaning(place.scope, "海鲜", ltm=place.stores.ltm, embedder=place.embedder)
    assert turn is None
    assert place.embedder.asked == []


async def test_of_a_long_message_both_ends_are_read(place: Place) -> None:
    await place.archive(*ZH)
    await place.embed()
    place.embedder.asked.clear()
    assert (await place.texts("line of a log " * 500 + "Is seafood any good for me?"))[0] == ZH[0]
    assert (await place.texts("Is seafood any good for me?" + " line of a log" * 500))[0] == ZH[0]
    assert max(map(len, place.embedder.asked)) < 500


async def test_embedding_is_done_once_and_takes_up_where_it_stopped(place: Place) -> None:
    await place.archive(*ZH)
    assert await place.embed(most_rows=2) == 2
    assert await place.texts("Is seafood any good for me?") == []  # a part of a set answers nothing
    assert await place.embed() == 3
    assert await place.embed() == 0
    assert place.embedder.asked == [f"user: {text}" for text in ZH]
    await place.archive("又去看医生了", session_id="s-2")
    assert await place.embed() == 1
    assert place.embedder.asked[-1] == "user: 又去看医生了"


async def test_another_model_takes_over_once_it_has_all_and_the_former_answers_till_then(
    place: Place,
) -> None:
    await place.archive(*ZH)
    await place.embed()
    place.embedder = FakeEmbedder("fake:2", former=["fake:1"])
    assert (await place.texts("Is seafood any good for me?"))[0] == ZH[0]
    await place.embed(most_rows=2)
    assert (await place.texts("Is seafood any good for me?"))[0] == ZH[0]
    await place.embed()
    place.embedder.former = ()
    assert (await place.texts("Is seafood any good for me?"))[0] == ZH[0]


async def test_a_forgotten_span_is_read_by_no_model(place: Place) -> None:
    (said,) = await place.archive("我对海鲜过敏，密码是四六八")
    await place.embed()
    rest = describe_row("我对海鲜过敏", speaker="user", said_at=NOW)
    await place.stores.ltm.write(
        place.scope, lambda w: w.forget_span(said.message.id, "，密码是四六八", record=rest)
    )
    place.embedder.asked.clear()
    assert await place.embed() == 1
    assert place.embedder.asked == ["user: 我对海鲜过敏"]


async def test_words_that_change_while_the_model_works_are_read_anew(place: Place) -> None:
    (said, _) = await place.archive("我对海鲜过敏，密码是四六八", "下周去看医生")
    rest = describe_row("我对海鲜过敏", speaker="user", said_at=NOW)
    real = place.embedder.embed

    async def forget_meanwhile(texts: list[str], *, model: str) -> object:
        vectors = await real(texts, model=model)
        place.embedder.embed = real  # type: ignore[method-assign]
        await place.stores.ltm.write(
            place.scope, lambda w: w.forget_span(said.message.id, "，密码是四六八", record=rest)
        )
        return vectors

    place.embedder.embed = forget_meanwhile  # type: ignore[assignment,method-assign]
    assert await place.embed() == 2
    assert place.embedder.asked[-2:] == ["user: 我对海鲜过敏", "user: 下周去看医生"]


async def test_a_text_that_the_model_refuses_holds_up_no_other(place: Place) -> None:
    await place.archive(*ZH)
    place.embedder.refused = "医生"
    assert await place.embed() == len(ZH)
    assert (await place.texts("Is seafood any good for me?"))[0] == ZH[0]
    assert await place.embed() == 0


async def test_rows_without_words_are_given_to_no_model(place: Place) -> None:
    await place.archive("", "   ", "我对海鲜过敏")
    assert await place.embed() == 3
    assert place.embedder.asked == ["user: 我对海鲜过敏"]


def index_of(*texts: str, speakers: tuple[str, ...] = ("user", "assistant")) -> MemoryIndex:
    said = datetime.fromisoformat("2025-06-15")
    return build_index(
        [[Message(str(n), speakers[n % len(speakers)], text, said) for n, text in enumerate(texts)]]
    )


def nearness_of(index: MemoryIndex, cosines: list[float]) -> Nearness:
    values = np.array([[cosine, 0.0] for cosine in cosines], dtype=np.float32)
    vectors = RowVectors(np.arange(len(cosines)), values, np.zeros(len(cosines), dtype=np.bool_))
    meaning = Meaning("m", np.array([1.0, 0.0], dtype=np.float32), is_han=False)
    found = find_nearness(index.rows, vectors, meaning=meaning, alone=in_monologue(index.rows))
    assert found is not None
    return found


def test_a_row_of_a_talk_stands_in_the_light_of_its_neighbours_and_one_of_a_log_alone() -> None:
    cosines = [0.0, 0.5, 0.9, 0.5, 0.0, 0.9, 0.0]
    texts = [f"row {number}" for number in range(7)]
    talk = nearness_of(index_of(*texts), cosines)
    log = nearness_of(index_of(*texts, speakers=("user",)), cosines)
    assert talk.z[2] > talk.z[5]
    assert log.z[2] == pytest.approx(log.z[5])


def test_z_counts_deviations_above_the_mean_and_is_never_below_nothing() -> None:
    cosines = [0.9, *[0.1] * 15]
    near = nearness_of(index_of(*[f"row {number}" for number in range(16)], speakers=("user",)), cosines)
    assert near.z[0] == pytest.approx(15**0.5 / 4, rel=1e-3)
    assert not near.z[1:].any()
    assert near.is_related.tolist() == [True, *[False] * 15]


def test_vectors_of_another_length_or_of_rows_that_are_gone_say_nothing() -> None:
    index = index_of("one", "two")
    meaning = Meaning("m", np.ones(3, dtype=np.float32), is_han=False)
    for vectors in (
        RowVectors(np.arange(2), np.ones((2, 2), dtype=np.float32), np.zeros(2, dtype=np.bool_)),
        RowVectors(np.array([7, 8]), np.ones((2, 3), dtype=np.float32), np.zeros(2, dtype=np.bool_)),
        RowVectors(np.zeros(0, np.int64), np.zeros((0, 0), np.float32), np.zeros(0, np.bool_)),
    ):
        assert find_nearness(index.rows, vectors, meaning=meaning, alone=in_monologue(index.rows)) is None


def test_vectors_of_rows_without_words_say_nothing() -> None:
    index = index_of("", "")
    meaning = Meaning("m", np.ones(3, dtype=np.float32), is_han=False)
    ids = index.rows.row_ids
    vectors = RowVectors(ids, np.ones((2, 3), dtype=np.float32), np.zeros(2, dtype=np.bool_))
    assert find_nearness(index.rows, vectors, meaning=meaning, alone=in_monologue(index.rows)) is None


def test_scores_stay_between_nothing_and_one_and_words_weigh_more_than_meaning() -> None:
    index = index_of("the cat sat here", "nothing of it", "the cat", "else", speakers=("user",))
    query = plan_query("cat", today=date(2025, 6, 16), years=[2025], speakers=index.speakers)
    near = nearness_of(index, [0.1, 0.9, 0.1, 0.1])
    scored = score_rows(index.rows, query, postings=index.postings, nearness=near)
    assert scored.scores.min() >= 0
    assert scored.scores.max() <= 1
    assert int(np.argmax(scored.scores)) in {0, 2}
    assert scored.meaning[1] > 0
