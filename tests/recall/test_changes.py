"""Of what was said and what changed it, the change comes first: in both languages, for any matter."""

from __future__ import annotations

import pytest

from tests.recall.world import World, texts

CHANGES = [
    ("下午茶我只喝茉莉奶茶", "奶茶喝多了睡不着，改喝红茶了", "我下午茶喝什么"),
    ("评审会每周在三楼开", "评审会改到五楼了", "评审会每周在哪里开"),
    ("护工姓邵，一天二百六", "护工换了，新来的姓屈", "护工姓什么"),
    ("這次團建活動在植物園", "團建活動換到農莊了", "這次團建活動在哪裡"),
    (
        "At work I only drink jasmine tea",
        "At work I switched from tea to cocoa",
        "What tea do I drink at work?",
    ),
    ("Stand-up of our team is in the kitchen", "Stand-up moves to the garden", "Where is our team stand-up?"),
    ("I practise with the run club", "I left the run club, my knee hurts", "Which club do I practise with?"),
    ("The oak comes from our old yard", "The oak now comes from Vos", "Which yard does the oak come from?"),
]
APART = [
    # The older words hold on: no change, a question, another matter, a story.
    ("评审会每周在三楼开", "评审会很长", "评审会每周在哪里开"),
    ("评审会每周在三楼开", "评审会改到哪里", "评审会每周在哪里开"),
    ("评审会在三楼，要带电脑", "每周五改到咖啡馆", "每周的评审会要带什么"),
    ("Stand-up of our team is in the kitchen", "The stand-up is long", "Where is our team stand-up?"),
    ("Stand-up of our team is in the kitchen", "is stand-up changed", "Where is our team stand-up?"),
    ("Stand-up needs a laptop", "Our team moves to the garden", "What does our team need at stand-up?"),
    (
        "Stand-up of our team is in the kitchen",
        f"Stand-up of the team was fun, {'and we told stories about old times, ' * 3}and then I left",
        "Where is our team stand-up?",
    ),
]


@pytest.mark.parametrize(("former", "change", "question"), CHANGES)
async def test_a_statement_of_a_change_comes_before_what_it_changes(
    former: str, change: str, question: str
) -> None:
    world = World()
    await world.say(former, session="s1")
    assert texts(await world.search(question))[0] == former
    await world.say(change, on=5, session="s2")
    assert texts(await world.search(question)) == [change, former]


@pytest.mark.parametrize(("former", "change", "question"), CHANGES)
async def test_what_was_said_before_or_by_the_assistant_changes_nothing(
    former: str, change: str, question: str
) -> None:
    earlier, advised = World(), World()
    await earlier.say(change, session="s1")
    await earlier.say(former, on=5, session="s2")
    assert texts(await earlier.search(question))[0] == former
    await advised.say(former, session="s1")
    await advised.say(change, on=5, session="s2", role="assistant")
    assert texts(await advised.search(question))[0] == former


@pytest.mark.parametrize(("former", "later", "question"), APART)
async def test_what_tells_no_change_keeps_its_place(former: str, later: str, question: str) -> None:
    world = World()
    await world.say(former, session="s1")
    await world.say(later, on=5, session="s2")
    assert texts(await world.search(question))[0] == former


@pytest.mark.parametrize(
    ("former", "change", "question"),
    [
        ("评审会每周在三楼开", "评审会改到五楼了", "评审会以前每周在哪里开"),
        (
            "Stand-up of our team is in the kitchen",
            "Stand-up moves out",
            "Where was our team stand-up before?",
        ),
    ],
)
async def test_to_a_question_for_the_past_or_of_a_day_the_best_row_stays_first(
    former: str, change: str, question: str
) -> None:
    world = World()
    await world.say(former, session="s1")
    await world.say(change, on=5, session="s2")
    assert texts(await world.search(question))[0] == former
    on_the_day = question.replace("以前", "3月1日").replace("before", "on March 1")
    assert texts(await world.search(on_the_day))[0] == former


@pytest.mark.parametrize(
    ("lines", "question"),
    [
        (("评审会每周在三楼开", "评审会改到五楼", "评审会改到六楼"), "评审会每周在哪里开"),
        (("Stand-up is in our kitchen", "Stand-up moves out", "Stand-up moves in"), "Where is our stand-up?"),
    ],
)
async def test_of_several_changes_the_newest_comes_first(lines: tuple[str, ...], question: str) -> None:
    world = World()
    for number, line in enumerate(lines):
        await world.say(line, on=5 * number, session=f"s{number}")
    assert texts(await world.search(question)) == list(reversed(lines))
