"""What was only said is forgotten as a topic (DEL-06): messages, echoes, summary, notes and proposals."""

from __future__ import annotations

import pytest

from shared.ltm.archive import archive_session
from shared.model.message import SessionNotes
from shared.model.session_state import SessionSummary, Summary, TaskCard
from shared.privacy.mask import mask_secrets
from shared.turn.history import read_history
from tests.turn.plain_talk import SCOPE, PlainTalk

WIDE = 100_000


async def shown(talk: PlainTalk, *, session: str = "a", text: str = "hm") -> str:
    """Return the prompt of one more turn."""
    await talk.say(text, session=session)
    return talk.model.prompt


async def archive(talk: PlainTalk, session: str) -> None:
    await archive_session(SCOPE, session, window_tokens=0, mask=mask_secrets, stm=talk.stm, ltm=talk.ltm)


async def held(talk: PlainTalk, *sessions: str) -> str:
    """Return all that short-term memory and history hold of sessions, as text."""
    found = [str(await talk.stm.read_tail(SCOPE))]
    for session in sessions:
        found.append(str(await talk.stm.read_session(SCOPE, session, window_tokens=WIDE)))
        history = await read_history(SCOPE, session, after_seq=0, limit=99, stm=talk.stm, ltm=talk.ltm)
        found += [message.text for message in history]
    return "\n".join(found)


ONE = [
    pytest.param("顺便说下，我前妻叫苏禾", "把我前妻的事全部忘掉", "苏禾", "我周末去爬山", id="zh"),
    pytest.param(
        "忘了说，我前妻叫苏禾。预算等下聊", "忘掉关于我前妻的一切", "苏禾", "预算等下聊", id="zh-part"
    ),
    pytest.param(
        "By the way, my ex-wife is called Sophie",
        "forget everything about my ex-wife",
        "Sophie",
        "I go hiking on Sunday",
        id="en",
    ),
    pytest.param(
        "My ex-wife is called Sophie. We talk about the plan later.",
        "please forget everything about my ex-wife",
        "Sophie",
        "We talk about the plan later.",
        id="en-part",
    ),
]


@pytest.mark.parametrize(("said", "forget", "name", "stays"), ONE)
@pytest.mark.parametrize("archived", [False, True])
@pytest.mark.parametrize("where", ["a", "b"])
async def test_one_message_is_forgotten_at_once_wherever_it_lies(
    said: str, forget: str, name: str, *, stays: str, archived: bool, where: str
) -> None:
    talk = PlainTalk(reply="ok")
    await talk.say(said)
    if stays not in said:
        await talk.say(stays)
    if archived:
        await archive(talk, "a")
    assert name in await shown(talk)
    turn = await talk.say(forget, session=where)
    assert [(each.kind, each.outcome) for each in turn.commands] == [("forget", "applied")]
    assert name not in talk.model.prompt
    assert name not in turn.reply["content"]
    prompt = await shown(talk)
    assert name not in prompt
    assert stays in prompt
    left = await held(talk, "a", where)
    assert name not in left
    assert stays in left
    question = f"{name}是谁？" if not name.isascii() else f"Who is {name}?"
    asked = await talk.say(question, session="c")
    assert [hit.text for hit in asked.recalled if hit.text != question] == []


@pytest.mark.parametrize(
    ("told", "forget", "answer", "names", "stays"),
    [
        pytest.param(
            ["我前妻叫苏禾", "苏禾下周来上海", "我妻子叫李梅"],
            "把我前妻的事全部忘掉",
            "都删",
            "苏禾",
            "李梅",
            id="zh",
        ),
        pytest.param(
            ["My ex-wife is called Sophie", "Sophie comes on Monday", "My wife is called Anna"],
            "forget everything about my ex-wife",
            "yes",
            "Sophie",
            "Anna",
            id="en",
        ),
    ],
)
async def test_several_are_counted_and_asked_about_and_go_with_the_name(
    told: list[str], forget: str, answer: str, *, names: str, stays: str
) -> None:
    talk = PlainTalk(reply=f"OK, {names}")
    for text in told:
        await talk.say(text)
    talk.model.reply = "ok"
    asked = await talk.say(forget, session="b")
    assert [(each.outcome, each.reason) for each in asked.commands] == [("pending", "several")]
    assert "2" in asked.reply["content"]
    assert told[0] in asked.reply["content"]
    assert names in await held(talk, "a")
    done = await talk.say(answer, session="b")
    assert [(each.kind, each.outcome) for each in done.commands] == [("forget", "applied")]
    assert names not in done.reply["content"]
    left = await held(talk, "a", "b")
    assert names not in left
    assert stays in left
    assert names not in await shown(talk)
    assert names not in await shown(talk, session="b")


@pytest.mark.parametrize(
    ("told", "forget", "first", "kept", "gone"),
    [
        pytest.param(
            ["我前妻叫苏禾", "我前妻下周来上海"], "忘掉我前妻的事", "第二个", "苏禾", "上海", id="zh"
        ),
        pytest.param(
            ["My ex-wife is called Sophie", "My ex-wife moved to Bonn"],
            "forget everything about my ex-wife",
            "the second",
            "Sophie",
            "Bonn",
            id="en",
        ),
    ],
)
async def test_an_answer_may_pick_one(
    told: list[str], forget: str, first: str, *, kept: str, gone: str
) -> None:
    talk = PlainTalk(reply="ok")
    for text in told:
        await talk.say(text)
    await talk.say(forget, session="b")
    done = await talk.say(first, session="b")
    assert [(each.kind, each.outcome) for each in done.commands] == [("forget", "applied")]
    left = await held(talk, "a", "b")
    assert gone not in left
    assert kept in left


@pytest.mark.parametrize(
    ("said", "forget"),
    [
        ("我妻子叫李梅", "把我前妻的事全部忘掉"),
        ("同事的前妻叫王芳", "把我前妻的事全部忘掉"),
        ("我前女友来了", "忘掉我女友的事"),
        ("老板娘请我们吃饭", "忘掉我老板的事"),
        ("他们在打价格战", "忘掉价格的事"),
        ("我前妻住哪儿？", "把我前妻的事全部忘掉"),
        ("My wife is called Anna", "forget everything about my ex-wife"),
        ("His ex-wife is called Ann", "forget everything about my ex-wife"),
        ("My ex-wife called", "forget everything about my wife"),
        ("My mother-in-law is here", "forget everything about my mother"),
        ("There is a price war", "forget everything about the price"),
        ("Where does my ex-wife live?", "forget everything about my ex-wife"),
    ],
)
async def test_what_is_merely_alike_stays(said: str, forget: str) -> None:
    talk = PlainTalk(reply="ok")
    await talk.say(said)
    turn = await talk.say(forget)
    assert [(each.outcome, each.reason) for each in turn.commands] == [("refused", "nothing_found")]
    assert said in await shown(talk)


@pytest.mark.parametrize(
    ("told", "forget", "name"),
    [
        pytest.param(
            ["我前妻叫苏禾", "我同事也叫苏禾", "苏禾请假了"], "忘掉我前妻的事", "苏禾请假了", id="zh"
        ),
        pytest.param(
            ["My ex-wife is called Sophie", "My dog is called Sophie", "Sophie barks"],
            "forget everything about my ex-wife",
            "Sophie barks",
            id="en",
        ),
    ],
)
async def test_a_name_of_two_is_not_followed(told: list[str], forget: str, name: str) -> None:
    talk = PlainTalk(reply="ok")
    for text in told:
        await talk.say(text)
    turn = await talk.say(forget)
    assert [each.outcome for each in turn.commands] == ["applied"]
    prompt = await shown(talk)
    assert told[0] not in prompt
    assert told[1] in prompt
    assert name in prompt


@pytest.mark.parametrize(
    ("memory", "said", "forget", "yes"),
    [
        ("记住我前妻住在杭州", "我前妻叫苏禾", "把我前妻的事全部忘掉", "都删"),
        (
            "Remember that my ex-wife lives in Bonn",
            "My ex-wife is called Sophie",
            "forget everything about my ex-wife",
            "yes",
        ),
    ],
)
async def test_memories_and_what_was_said_go_together(memory: str, said: str, forget: str, yes: str) -> None:
    talk = PlainTalk(reply="ok")
    await talk.say(memory)
    await talk.say(said)
    asked = await talk.say(forget)
    assert [(each.outcome, each.reason) for each in asked.commands] == [("pending", "several")]
    assert len(await talk.memories()) == 1
    await talk.say(yes)
    assert await talk.memories() == []
    left = await held(talk, "a")
    assert said not in left
    assert said not in await shown(talk)


@pytest.mark.parametrize(
    ("said", "bare", "yes"),
    [("我前妻叫苏禾", "忘记苏禾", "是的"), ("My ex-wife is called Sophie", "forget Sophie", "yes")],
)
async def test_a_bare_name_that_was_only_said_is_asked_about(said: str, bare: str, yes: str) -> None:
    talk = PlainTalk(reply="ok")
    await talk.say(said)
    asked = await talk.say(bare)
    assert [(each.outcome, each.reason) for each in asked.commands] == [("pending", "confirm_forget")]
    await talk.say(yes)
    assert said not in await held(talk, "a")
    assert said not in await shown(talk)


@pytest.mark.parametrize(
    ("said", "forget", "summary", "name"),
    [
        ("我前妻叫苏禾", "把我前妻的事全部忘掉", "用户的前妻叫苏禾；讨论了周末安排", "苏禾"),
        (
            "My ex-wife is called Sophie",
            "forget everything about my ex-wife",
            "The user's ex-wife is called Sophie; they planned the weekend",
            "Sophie",
        ),
    ],
)
async def test_summary_notes_and_proposals_are_edited(
    said: str, forget: str, summary: str, name: str
) -> None:
    talk = PlainTalk(reply="ok")
    await talk.say(said)
    await talk.propose(said)
    session, _ = await talk.stm.read_open(SCOPE, "a", limit=9)
    assert session is not None
    made = SessionSummary(
        summary=Summary(text=summary, confirmed={"name": name}, pending=("weekend",)),
        version=1,
        to_seq=2,
        made_at_ms=1,
        made_by="model",
    )
    assert await talk.stm.store_summary(SCOPE, session, summary=made, window_tokens=WIDE)
    notes = SessionNotes(
        task_card=TaskCard(intent="x", done={"name": name, "phone": "1"}, waiting=("address",))
    )
    await talk.stm.put_notes(SCOPE, "a", notes=notes)
    await archive(talk, "a")
    assert name in await shown(talk)
    turn = await talk.say(forget)
    assert [each.outcome for each in turn.commands] == ["applied"]
    left = await talk.stm.read_session(SCOPE, "a", window_tokens=WIDE)
    assert name not in str(left)
    assert left.summary is not None
    assert left.summary.summary.pending == ("weekend",)
    assert ("周末" if not name.isascii() else "weekend") in left.summary.summary.text
    assert left.notes.task_card == TaskCard(intent="x", done={"phone": "1"}, waiting=("address",))
    assert [each.status for each in await talk.updates()] == ["rejected"]
    assert name not in await shown(talk)


@pytest.mark.parametrize(
    ("said", "forget"),
    [
        ("我前妻叫苏禾", "把我前妻的事全部忘掉"),
        ("My ex-wife is called Sophie", "forget everything about my ex-wife"),
    ],
)
async def test_an_agents_key_forgets_nothing(said: str, forget: str) -> None:
    talk = PlainTalk(reply="ok")
    await talk.say(said)
    turn = await talk.say(forget, may_resolve=False)
    assert [(each.outcome, each.reason) for each in turn.commands] == [("refused", "permission")]
    assert said in await shown(talk)


@pytest.mark.parametrize(
    ("said", "forget", "again"),
    [
        ("我前妻叫苏禾", "把我前妻的事全部忘掉", "我前妻下周来看孩子"),
        (
            "My ex-wife is called Sophie",
            "forget everything about my ex-wife",
            "My ex-wife comes to see the kids",
        ),
    ],
)
async def test_what_is_said_afterwards_is_new_and_the_same_again_finds_nothing(
    said: str, forget: str, again: str
) -> None:
    talk = PlainTalk(reply="ok")
    await talk.say(said)
    await talk.say(forget)
    second = await talk.say(forget)
    assert [(each.outcome, each.reason) for each in second.commands] == [("refused", "nothing_found")]
    await talk.say(again)
    assert again in await shown(talk)
