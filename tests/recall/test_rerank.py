"""Answers in the order of two: what a reranker may move, what it may not, and what it is given to read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from shared.engines.embeddings.null import NullEmbedder
from shared.engines.redis_stm.limits import StmLimits
from shared.engines.rerankers.null import NullReranker
from shared.ltm.index import describe_row
from shared.model.moment import to_ms
from shared.ports.reranker import MOST_TEXTS, Reranker
from shared.privacy.mask import mask_secrets
from shared.recall.find import SearchQuery
from shared.recall.rerank import Found, find_reranked
from tests.fakes.memory_state import MemoryState
from tests.fakes.memory_stm import MemoryShortTermMemory
from tests.fakes.reranker import FakeReranker
from tests.recall.world import World, day, texts

ZH = ("医生说海鲜的价格又涨了", "我吃海鲜会过敏", "海鲜市场周一休息")
EN = ("The seafood market is closed on Mondays", "Seafood gives me an allergic rash", "Seafood is dear here")


class Place:
    """A user's memory, its unarchived tail, and a reranker."""

    def __init__(self) -> None:
        self.world = World()
        self.stm = MemoryShortTermMemory(MemoryState(), clock=self.world.clock, limits=StmLimits())
        self.reranker = FakeReranker()

    async def search(self, text: str, *, reranker: Reranker | None = None, **more: Any) -> Found:
        return await find_reranked(
            [self.world.scope],
            SearchQuery(text=text, asked_at=day(30), **more),
            mask=mask_secrets,
            stm=self.stm,
            ltm=self.world.ltm,
            embedder=NullEmbedder(),
            reranker=reranker or self.reranker,
        )

    async def say_all(self, *said: str) -> None:
        for number, text in enumerate(said):
            await self.world.say(text, on=number, session=f"s{number}")

    @property
    def read(self) -> list[str]:
        """All texts that the reranker was given."""
        return [text for _, given in self.reranker.asked for text in given]


@pytest.fixture
def place() -> Place:
    return Place()


@pytest.mark.parametrize(
    ("rows", "question", "answer"),
    [(ZH, "对海鲜过敏吗，有医生吗", ZH[1]), (EN, "seafood: any allergies?", EN[1])],
)
async def test_what_the_reranker_finds_best_rises_and_says_its_score(
    place: Place, rows: Sequence[str], question: str, answer: str
) -> None:
    await place.say_all(*rows)
    plain = await place.search(question, reranker=NullReranker())
    found = await place.search(question)
    assert texts(found.hits)[0] == answer
    assert sorted(texts(found.hits)) == sorted(texts(plain.hits))
    assert (plain.is_reranked, found.is_reranked) == (None, True)
    assert all("rerank" not in hit.why for hit in plain.hits)
    assert found.hits[0].why["rerank"] == max(hit.why["rerank"] for hit in found.hits) > 0


@pytest.mark.parametrize("trouble", ["down", "slow", "refused"])
async def test_a_reranker_that_is_away_slow_or_refuses_costs_its_order_and_not_the_search(
    place: Place, trouble: str
) -> None:
    await place.say_all(*ZH, *EN)
    plain = await place.search("海鲜过敏 seafood allergies", reranker=NullReranker())
    place.reranker.is_down = trouble == "down"
    place.reranker.delay_seconds = 60.0 if trouble == "slow" else 0.0
    place.reranker.refused = "海鲜" if trouble == "refused" else ""
    found = await place.search("海鲜过敏 seafood allergies")
    assert found.hits == plain.hits
    assert found.is_reranked is False


async def test_the_first_fifty_are_read_and_the_rest_keeps_its_places_behind(place: Place) -> None:
    for number in range(MOST_TEXTS + 10):
        await place.world.say(f"tomato number {number} grew well", session=f"s{number}")
    await place.world.say("the doctor ate a tomato, the last of the tomato harvest, and all were glad")
    plain = await place.search("tomato number doctor", limit=100, reranker=NullReranker())
    found = await place.search("tomato number doctor", limit=100)
    assert len(place.read) == MOST_TEXTS
    assert found.hits[MOST_TEXTS:] == plain.hits[MOST_TEXTS:]
    assert len(found.hits) == len(plain.hits) == MOST_TEXTS + 11
    few = await place.search("tomato number doctor", limit=3)
    assert len(place.read) == 2 * MOST_TEXTS
    assert few.hits == found.hits[:3]


@pytest.mark.parametrize("question", ["谢谢", "thanks a lot", "海鲜"])
async def test_nobody_is_asked_where_there_is_nothing_to_order(place: Place, question: str) -> None:
    await place.world.say("海鲜过敏，谢谢，thanks a lot")
    found = await place.search(question)
    assert found.is_reranked is None
    assert place.reranker.asked == []


@pytest.mark.parametrize(
    ("said", "span"),
    [
        ("我吃海鲜过敏，住在梧桐路", "住在梧桐路"),
        ("Seafood allergy, and I live in Elm Row", "I live in Elm Row"),
    ],
)
async def test_a_forgotten_span_is_not_given_away(place: Place, said: str, span: str) -> None:
    message_id = await place.world.say(said)
    await place.say_all("海鲜市场周一休息", "the seafood market is closed")
    rest = describe_row(said.replace(span, ""), speaker="user", said_at=day(0))
    await place.world.ltm.write(
        place.world.scope, lambda writer: writer.forget_span(message_id, span, record=rest)
    )
    assert (await place.search("海鲜 seafood")).is_reranked
    assert f"user: {said.replace(span, '').strip()}" in place.read
    assert not any(span in text for text in place.read)


async def test_what_a_search_may_not_find_is_given_to_no_model(place: Place) -> None:
    other = World(tenant_id="t2")
    other.ltm = place.world.ltm
    await other.say("海鲜 seafood of another tenant")
    former = await place.world.remember("海鲜吃清淡的 seafood, mild")
    await place.world.remember("海鲜吃辣的 seafood, hot", on=2, replaces=former)
    await place.world.remember("海鲜券 seafood voucher", on=1, expires_at_ms=to_ms(day(3)))
    await place.world.say("海鲜和离婚的事 seafood and the divorce", session="s7")
    await place.say_all("海鲜市场周一休息 seafood market")
    found = await place.search("海鲜 seafood", banned_topics=("离婚",))
    assert found.is_reranked
    assert sorted(place.read) == ["user: 海鲜吃辣的 seafood, hot", "user: 海鲜市场周一休息 seafood market"]


@pytest.mark.parametrize(
    ("rows", "question", "secret"),
    [
        (("海鲜店密码是Xk29#qpL7", "海鲜市场周一休息"), "海鲜店密码是Xk29#qpL7吗", "Xk29#qpL7"),
        (
            ("Seafood shop password: Xk29#qpL7", "Seafood market on Mondays"),
            "is Xk29#qpL7 the seafood shop password: Xk29#qpL7",
            "password: Xk29#qpL7",
        ),
    ],
)
async def test_secrets_are_masked_in_rows_and_in_the_question(
    place: Place, rows: Sequence[str], question: str, secret: str
) -> None:
    await place.say_all(*rows)
    assert (await place.search(question)).is_reranked
    asked = "\n".join([*place.read, *(query for query, _ in place.reranker.asked)])
    assert secret not in asked
    assert "海鲜" in asked or "eafood" in asked


async def test_of_a_long_question_both_ends_are_read(place: Place) -> None:
    await place.say_all(*ZH, *EN)
    assert (await place.search("海鲜过敏吗" + "一行日志，" * 1_500 + "还有医生呢")).is_reranked
    ((asked, _),) = place.reranker.asked
    assert len(asked) < 500
    assert asked.startswith("海鲜过敏吗")
    assert asked.endswith("还有医生呢")


@pytest.mark.parametrize(
    ("older", "newer", "question"),
    [
        ("我住在医生路", "我住在上海", "我住在哪里，医生路还是上海"),
        ("I live in Doctor Lane", "I live in Leeds", "Do I live in Leeds or in Doctor Lane?"),
    ],
)
async def test_of_statements_on_one_thing_the_newest_stays_first(
    place: Place, older: str, newer: str, question: str
) -> None:
    await place.say_all(older, newer, "医生很忙 the doctor is busy")
    found = await place.search(question)
    assert found.is_reranked
    said = texts(found.hits)
    assert said.index(newer) < said.index(older)


@pytest.mark.parametrize(
    ("before", "after", "asks_now", "asks_past"),
    [
        ("我住在杭州，离医生近", "我现在住在成都", "我住哪，有医生吗", "我以前住哪"),
        (
            "I live in Dublin near a doctor",
            "I live in Cork now",
            "Where do I live? A doctor?",
            "Where did I live before?",
        ),
    ],
)
async def test_what_holds_no_longer_stays_behind_unless_the_past_is_asked_for(
    *, place: Place, before: str, after: str, asks_now: str, asks_past: str
) -> None:
    source = await place.world.say(before)
    former = await place.world.remember(before, source=source, quote=before)
    await place.world.remember(after, on=5, replaces=former)
    assert texts((await place.search(asks_now)).hits)[0] == after
    assert texts((await place.search(asks_past)).hits)[0] == before


@pytest.mark.parametrize(
    "question", ["医生怎么看海鲜过敏？", "What does the doctor say of my seafood allergy?"]
)
async def test_the_question_itself_said_earlier_stays_behind(place: Place, question: str) -> None:
    await place.say_all(question, "海鲜很新鲜，医生也爱吃", "Seafood was fine, the doctor liked it")
    found = await place.search(question)
    assert found.is_reranked
    assert texts(found.hits)[-1] == question
