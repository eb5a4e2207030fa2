"""Real input, small: two users, two languages, three days each.

Every message becomes an episode exactly once, in order, with its session and its time; a search returns only
what the searcher's user has said and heard.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from tests.e2e.stack import Stack
from tests.evals.asking import ask, count_foreign
from tests.evals.ingest import Ingested, find_faults, ingest, wait_archived
from tests.evals.sets import Conversation, Message, Question

pytestmark = pytest.mark.e2e

_DAYS = {
    "陈岚": {
        "2024-03-02": [
            "周末我去了一趟植物园，拍了好多郁金香。",
            "听起来很惬意，郁金香现在正是花期。",
            "我用的是奶奶留下的那台旧胶片机。",
            "胶片的颗粒感很适合拍花，记得避开正午的强光。",
            "下次想带上妹妹若溪，她刚开始学画画。",
            "可以请她画一幅同样的花，和照片放在一起。",
            "好主意。",
        ],
        "2024-03-09": [
            "我把旧胶片机送去修了，师傅说快门簧断了。",
            "修快门簧一般要两周，取的时候试拍一卷。",
            "师傅姓焦，店在北苑路的二楼。",
            "记下了，焦师傅，北苑路二楼。",
            "修理费三百六，比我想的便宜。",
            "这个价格很公道。",
            "好主意。",
        ],
        "2024-04-01": [
            "胶片机今天取回来了，试拍了一卷海边的日出。",
            "太好了！海边的光线怎么样？",
            "风很大，三脚架差点倒了，若溪帮我扶着。",
            "下次可以在三脚架中轴上挂个沙袋。",
            "若溪的画得了学校的二等奖。",
            "恭喜她！她画的是什么？",
            "就是那幅郁金香。",
        ],
    },
    "Marta O'Neill": {
        "2024-03-02": [
            "I finally signed the lease for the bakery on Harbour Street.",
            "Congratulations! When do you get the keys?",
            "On the fifteenth. The oven will not arrive before April though.",
            "You could start with cold pastries until then.",
            "My brother Declan will paint the front door green.",
            "Green will stand out on that street.",
        ],
        "2024-03-16": [
            "We got the keys. The cellar is damp and smells of old onions.",
            "A dehumidifier for a week should help; keep the flour upstairs.",
            "Declan chose a dark green, nearly black.",
            "It will look good with brass letters.",
            "The inspector comes next Tuesday.",
            "Have the temperature log ready for the inspector.",
            "Good idea.",
        ],
        "2024-04-05": [
            "The oven came, and it does not fit through the door.",
            "Can the door frame be taken out for a day?",
            "Declan took out the frame, so the oven is in.",
            "Then you can bake the first sourdough this weekend.",
            "We sold forty loaves on the first morning.",
            "Forty is a wonderful start!",
            "Good idea.",
        ],
    },
}
_ASKED = {
    "陈岚": [("谁修的胶片机？", "2024-03-09/2"), ("若溪的画得了什么奖？", "2024-04-01/4")],
    "Marta O'Neill": [
        ("Which colour did Declan choose?", "2024-03-16/2"),
        ("How many loaves were sold?", "2024-04-05/4"),
    ],
}


def conversation_of(name: str) -> Conversation:
    """Return what a user said and heard, a minute apart; the user speaks first."""
    sessions = []
    for day, texts in _DAYS[name].items():
        start = datetime.fromisoformat(f"{day}T09:30:00")
        sessions.append(
            tuple(
                Message(
                    f"{day}/{place}",
                    "assistant" if place % 2 else "user",
                    text,
                    start + timedelta(minutes=place),
                )
                for place, text in enumerate(texts)
            )
        )
    questions = tuple(Question(text, (frozenset([gold]),), "own") for text, gold in _ASKED[name])
    return Conversation(name, tuple(sessions), questions)


@pytest.fixture(scope="module")
def taken(plain_stack: Stack) -> list[Ingested]:
    """Both conversations, ingested and archived."""
    done = []
    for name in _DAYS:
        user = plain_stack.user(name)
        done.append(ingest(user, name, conversation_of(name)))
        wait_archived(user, done[-1], seconds=30)
    return done


def test_every_message_is_an_episode_once_in_order_with_its_session_and_time(
    plain_stack: Stack, taken: list[Ingested]
) -> None:
    assert sum(len(each.set_ids) for each in taken) == 41
    assert find_faults(plain_stack, taken) == []


def test_sending_it_all_again_adds_nothing(plain_stack: Stack, taken: list[Ingested]) -> None:
    for each in taken:
        user = plain_stack.user(each.user_id)
        again = ingest(user, each.user_id, each.conversation)
        assert again.set_ids == each.set_ids
        wait_archived(user, again, seconds=30)
    assert find_faults(plain_stack, taken) == []


def test_the_history_is_what_was_sent(plain_stack: Stack, taken: list[Ingested]) -> None:
    for each in taken:
        user = plain_stack.user(each.user_id)
        for name, session in zip(each.sessions, each.conversation.sessions, strict=True):
            history = user.history(name)
            assert [message["content"] for message in history] == [message.text for message in session]
            assert [message["created_at"] for message in history] == [
                message.created_at.isoformat(timespec="milliseconds") + "Z" for message in session
            ]


def test_a_search_finds_the_evidence_and_only_the_users_own(
    plain_stack: Stack, taken: list[Ingested]
) -> None:
    for each in taken:
        user = plain_stack.user(each.user_id)
        for question in each.conversation.questions:
            found = ask(user, each, question)
            assert found.forbidden == 0
            assert set(found.ranked[:5]) & question.gold[0]
        assert count_foreign(user, each, taken) == 0


def test_a_fault_would_be_seen(plain_stack: Stack, taken: list[Ingested]) -> None:
    """The proof is no proof unless it fails on a conversation that says otherwise."""
    first = taken[0]
    moved = conversation_of(first.user_id).sessions
    swapped = Conversation(first.user_id, (moved[0][::-1], *moved[1:]), ())
    other = Ingested(first.user_id, swapped, first.sessions, set_ids=first.set_ids)
    assert len(find_faults(plain_stack, [other])) == 6
    short = Conversation(first.user_id, (moved[0][:-1], *moved[1:]), ())
    other = Ingested(first.user_id, short, first.sessions, set_ids=first.set_ids)
    assert len(find_faults(plain_stack, [other])) == 2
