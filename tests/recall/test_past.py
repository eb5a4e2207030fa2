"""What holds no longer is never offered as current, and is found by who asks for it."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from shared.language.synonyms import DEFAULT_SYNONYMS
from shared.model.memory import Memory
from shared.model.moment import to_ms
from shared.ports.ltm import LtmWriter
from shared.recall.past import asks_for_past, without_past
from tests.recall.tables import read_table
from tests.recall.world import World, day, texts


class Move(NamedTuple):
    """The same story in one language."""

    before: str
    after: str
    asks_now: str
    asks_past: str


MOVES = [
    pytest.param(Move("我住在北京", "我搬到上海了", "我住在哪里？", "我以前住哪？"), id="zh"),
    pytest.param(
        Move("I live in York", "I moved to Leeds", "Where do I live?", "Where did I live before?"), id="en"
    ),
]


@pytest.mark.parametrize(("question", "verdict"), read_table("past_questions.tsv"))
def test_a_question_for_the_past_is_known(question: str, verdict: str) -> None:
    assert asks_for_past(question) == (verdict == "past")


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("我以前住哪", "我 住哪"),
        ("我從前住哪", "我 住哪"),
        ("當時的公司叫什麼", " 的公司叫什麼"),
        ("我曾經養過什麼", "我 養過什麼"),
        ("那時候我住哪", " 我住哪"),
        ("我搬家前住哪里", "我 住哪里"),
        ("Where did I live before?", "Where did I live before?"),
        ("Where did I live before I moved?", "Where did I live  ?"),
    ],
)
def test_words_that_ask_for_the_past_are_no_words_of_the_answer(question: str, left: str) -> None:
    assert without_past(question) == left


@pytest.mark.parametrize(
    ("move", "asked"),
    [
        (MOVES[0].values[0], "我搬家前住哪里"),
        (MOVES[1].values[0], "Where did I live before I moved?"),
    ],
)
async def test_before_a_change_the_former_memory_is_the_first_answer(move: Move, asked: str) -> None:
    world = World()
    former = await world.remember(move.before)
    await world.remember(move.after, on=5, replaces=former)
    assert texts(await world.search(asked))[0] == move.before


@pytest.mark.parametrize("move", MOVES)
async def test_a_superseded_memory_is_found_by_a_question_for_the_past_alone(move: Move) -> None:
    world = World()
    former = await world.remember(move.before)
    await world.remember(move.after, on=5, replaces=former)
    assert move.before not in texts(await world.search(move.asks_now))
    hits = await world.search(move.asks_past)
    found = next(hit for hit in hits if isinstance(hit.row, Memory) and hit.row.id == former.id)
    assert found.row_id is None
    assert found.past is not None
    assert found.past.until_ms == to_ms(day(5))
    assert found.past.newer == move.after
    assert found.past.is_settled


@pytest.mark.parametrize("move", MOVES)
async def test_the_message_behind_a_superseded_memory_says_until_when_it_held(move: Move) -> None:
    world = World()
    source = await world.say(move.before)
    former = await world.remember(move.before, source=source, quote=move.before)
    await world.remember(move.after, on=5, replaces=former)
    await world.say(f"{move.before}!", on=2, session="s2")
    for hit in await world.search(move.before):
        if texts([hit])[0].startswith(move.before):
            assert hit.past is not None
            assert (hit.past.until_ms, hit.past.newer) == (to_ms(day(5)), move.after)


@pytest.mark.parametrize(
    ("former", "said"),
    [
        ("I live in York", "I live in Yorkshire Dales cottages"),
        ("！！！！", "我们住北京"),
        ("!!!!", "We live in York"),
    ],
)
async def test_other_words_do_not_end_with_what_they_hold_by_chance(former: str, said: str) -> None:
    world = World()
    row = await world.remember(former)
    await world.remember("else 别的", on=5, replaces=row)
    await world.say(said)
    (hit,) = (hit for hit in await world.search(said) if said in texts([hit]))
    assert hit.past is None


@pytest.mark.parametrize(
    ("first", "second"),
    [("我住在北京", "我住在北京，最近喜欢喝茶"), ("I live in York", "I live in York, and I like tea")],
)
async def test_the_same_said_in_more_words_ends_nothing(first: str, second: str) -> None:
    world = World()
    await world.say(first, session="s1")
    await world.say(second, on=5, session="s2")
    hits = await world.search(first)
    assert [hit.past for hit in hits] == [None, None]


@pytest.mark.parametrize(
    ("former", "newer", "banned"),
    [
        ("我住在北京", "离婚后我搬到上海了", "离婚"),
        ("I live in York", "I moved to Leeds after my divorce", "divorce"),
    ],
)
async def test_newer_words_of_a_banned_topic_are_not_said_of_older_ones(
    former: str, newer: str, banned: str
) -> None:
    world = World()
    row = await world.remember(former)
    await world.say(former)
    await world.remember(newer, on=5, replaces=row)
    for topics in ((), (banned,)):
        hits = await world.search(former, banned_topics=topics)
        found = next(hit for hit in hits if texts([hit]) == [former])
        assert found.past is not None
        assert found.past.newer == (None if topics else newer)


@pytest.mark.parametrize("move", MOVES)
async def test_what_was_said_anew_after_the_change_holds(move: Move) -> None:
    world = World()
    former = await world.remember(move.before, quote=move.before)
    await world.remember(move.after, on=5, replaces=former)
    again = await world.say(move.before, on=9)
    hits = await world.search(move.before)
    assert [hit.past for hit in hits if getattr(hit.row, "message", None)] == [None], again


@pytest.mark.parametrize("move", MOVES)
async def test_of_two_statements_that_were_never_confirmed_the_newer_one_comes_first(move: Move) -> None:
    world = World()
    await world.say(move.before, session="s1")
    await world.say(move.after, on=5, session="s2")
    hits = await world.search(f"{move.before} {move.after}")
    assert texts(hits) == [move.after, move.before]
    assert hits[0].past is None
    assert hits[1].past is not None
    assert (hits[1].past.newer, hits[1].past.is_settled) == (move.after, False)


@pytest.mark.parametrize("move", MOVES)
async def test_the_assistants_echo_of_a_statement_holds_no_longer_than_it(move: Move) -> None:
    world = World()
    await world.say(move.before)
    await world.say(f"Noted: {move.before}", role="assistant")
    await world.say(move.after, on=5, session="s2")
    hits = await world.search(f"{move.before} {move.after}")
    (echo,) = [hit for hit in hits if texts([hit])[0].startswith("Noted")]
    assert echo.past is not None
    assert echo.past.newer == move.after


@pytest.mark.parametrize("move", MOVES)
async def test_where_i_live_is_the_newer_place_though_nothing_was_confirmed(move: Move) -> None:
    world = World()
    await world.say(move.before, session="s1")
    await world.say(move.after, on=5, session="s2")
    hits = await world.search(move.asks_now, synonyms=DEFAULT_SYNONYMS, turn_budget=20_000)
    assert texts(hits)[0] == move.after
    assert all(hit.past is not None for hit in hits if texts([hit])[0] == move.before)


@pytest.mark.parametrize(
    ("value", "message", "asked"),
    [(500_000, "总预算控制在五十万以内", "预算是多少"), (500_000, "Keep the budget within 500k", "budget")],
)
async def test_the_message_behind_a_fields_former_value_says_what_it_is_now(
    value: int, message: str, asked: str
) -> None:
    world = World()
    source = (await world.remember("x", source=await world.say(message), quote=message)).source
    path = "business_context.budget.ceiling"

    def change(writer: LtmWriter) -> None:
        writer.put_field(path, value, origin="user", source=source, at_ms=to_ms(day(0)))
        writer.put_field(path, 600_000, origin="user", source=source, at_ms=to_ms(day(5)))

    await world.ltm.write(world.scope, change)
    (hit,) = await world.search(asked)
    assert hit.past is not None
    assert (hit.past.until_ms, hit.past.newer) == (to_ms(day(5)), "600000")


@pytest.mark.parametrize(
    ("text", "asked", "asked_before"),
    [
        ("门禁码4471，本周有效", "门禁码是多少", "之前的门禁码是多少"),
        ("Door code 4471 this week", "door code", "the previous door code"),
    ],
)
async def test_an_expired_memory_ends_at_its_moment(text: str, asked: str, asked_before: str) -> None:
    world = World()
    await world.remember(text, expires_at_ms=to_ms(day(7)))
    assert texts(await world.search(asked, on=6)) == [text]
    assert await world.search(asked, on=8) == []
    (hit,) = await world.search(asked_before, on=8)
    assert hit.past is not None
    assert (hit.past.until_ms, hit.past.newer) == (to_ms(day(7)), None)


@pytest.mark.parametrize("move", MOVES)
async def test_a_search_as_of_a_day_sees_what_held_then(move: Move) -> None:
    world = World()
    source = await world.say(move.before)
    former = await world.remember(move.before, source=source, quote=move.before)
    await world.say(move.after, on=5)
    await world.remember(move.after, on=5, replaces=former)
    asked = f"{move.before} {move.after}"

    async def as_of(number: int) -> list[tuple[str, bool]]:
        moment = to_ms(day(number))
        hits = await world.search(asked, as_of_ms=moment, until_ms=moment)
        return list(zip(texts(hits), [hit.past is not None for hit in hits], strict=True))

    assert await as_of(3) == [(move.before, False)]
    assert dict(await as_of(6)) == {move.after: False, move.before: True}
    assert await as_of(-1) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("报销截止日是25号", "记住：报销截止日是25号"),
        ("Rent is due on day 25", "Remember: rent is due on day 25"),
    ],
)
async def test_a_memory_and_the_message_it_came_from_are_one_answer(text: str, message: str) -> None:
    world = World()
    source = await world.say(message)
    memory = await world.remember(text, source=source, quote=message)
    hits = await world.search(text)
    assert [hit.row for hit in hits] == [memory]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("我住在北京", "我住在北京，养了两只猫，周末去爬山，平时在城西上班"),
        ("Lives in York", "I live in York, keep two cats, hike on weekends and work in the west of town"),
    ],
)
async def test_a_message_that_says_more_than_its_memory_stays(text: str, message: str) -> None:
    world = World()
    source = await world.say(message)
    await world.remember(text, source=source, quote=text)
    assert set(texts(await world.search(text))) == {text, message}


@pytest.mark.parametrize(
    ("one", "other", "different"),
    [
        ("报表发到企业微信", "嗯，报表发到企业微信吧。", "报表不发到企业微信"),
        ("Ship it by rail", "well, ship it by rail!", "Don't ship it by rail"),
    ],
)
async def test_no_near_duplicates_are_answered(one: str, other: str, different: str) -> None:
    world = World()
    for number, text in enumerate((one, other, different)):
        await world.say(text, session=f"s{number}")
    found = texts(await world.search(one))
    assert len(found) == 2
    assert different in found
