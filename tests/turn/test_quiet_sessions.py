"""A session that is off the record until it is lifted, in whole turns: what of it is kept, and where."""

from __future__ import annotations

import pytest

from shared.ltm.archive import archive_session
from shared.model.moment import to_ms
from shared.privacy.classify import find_secrets
from shared.privacy.mask import mask_secrets
from shared.prompts.load import load_prompt
from shared.stm.leave import leave_digest
from shared.stm.quiet import read_quiet
from shared.turn.append import append_messages, read_new_messages
from shared.turn.request import AppendRequest
from tests.turn.plain_talk import SCOPE, PlainTalk
from tests.turn.test_resent_messages import BLANK

CASES = pytest.mark.parametrize(
    ("asked", "told", "lifted", "after", "language"),
    [
        ("接下来说的都别记", "我怀孕了，预产期是6月", "可以记了", "我喜欢乌龙茶", "zh"),
        (
            "this whole chat is off the record",
            "I am pregnant, it is due in June",
            "back on the record",
            "I like oolong",
            "en",
        ),
    ],
)


async def archive(talk: PlainTalk) -> list[str]:
    """Archive the session "a" and its digest; return what the archive holds of it."""
    session, _ = await talk.stm.find_session(SCOPE, "a", window_tokens=4_000)
    assert session is not None
    await leave_digest(SCOPE, session.key, find_secrets=find_secrets, stm=talk.stm, ltm=talk.ltm)
    await archive_session(
        SCOPE, session.key, window_tokens=4_000, mask=mask_secrets, stm=talk.stm, ltm=talk.ltm
    )
    found = await talk.ltm.read(SCOPE, lambda reader: reader.episodes("a", epoch=None, after_seq=0, limit=50))
    return [each.message.text for each in found]


async def append(talk: PlainTalk, *texts: str) -> None:
    """Append the user's messages to the session "a", as a front with a model of its own does."""
    given = [{**BLANK, "role": "user", "content": text} for text in texts]
    now = talk.clock.now()
    new = read_new_messages(given, now_ms=to_ms(now), mask=mask_secrets)
    request = AppendRequest("a", new, timezone=None, actor="key", request_id="req", may_resolve=True)
    await append_messages(SCOPE, request, rules=talk.rules, now=now, stm=talk.stm, ltm=talk.ltm)


@CASES
async def test_nothing_of_it_is_archived_or_shown_elsewhere_until_it_is_lifted(
    asked: str, told: str, lifted: str, after: str, language: str
) -> None:
    talk = PlainTalk()
    turn = await talk.say(asked)
    assert load_prompt(language, "off_record") in turn.reply["content"]
    quiet = await talk.say(told)
    assert quiet.pending == ()
    assert await talk.stm.read_tail(SCOPE) == ()
    await talk.say(told, session="b")
    assert load_prompt(language, "on_record") in await talk.reply(lifted)
    await talk.say(after)
    texts = await archive(talk)
    assert after in texts
    assert told not in texts
    assert not any(told in text for text in texts)


@CASES
async def test_the_next_session_sees_none_of_it(
    asked: str, told: str, lifted: str, after: str, language: str
) -> None:
    del lifted, after
    talk = PlainTalk()
    await talk.say(asked)
    await talk.say(told)
    await archive(talk)
    question = "我上次说了怀孕的什么？" if language == "zh" else "what did I say of being pregnant?"
    turn = await talk.say(question, session="b")
    assert told not in talk.model.prompt
    assert told not in turn.reply["content"]


@CASES
async def test_what_is_commanded_meanwhile_is_kept(
    asked: str, told: str, lifted: str, after: str, language: str
) -> None:
    del told, lifted
    talk = PlainTalk()
    await talk.say(asked)
    await talk.say(f"记住{after}" if language == "zh" else f"remember {after}")
    assert await talk.memories() == [after]


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("接下来说的都别记", "on"),
        ("我接下来说的都不要记", "on"),
        ("这次聊天都不要记", "on"),
        ("接下来的聊天都不要记录", "on"),
        ("从现在开始别记了", "on"),
        ("这次聊天是不是不记录？", ""),
        ("他说，这次聊天都不要记", ""),
        ("接下来的话别记", ""),
        ("可以记了", "off"),
        ("好了，可以继续记录了", "off"),
        ("恢复记录吧", "off"),
        ("可以记一下吗", ""),
        ("可以记住我的邮箱了", ""),
        ("this whole chat is off the record", "on"),
        ("Everything I say from now on is off the record.", "on"),
        ("let's go off the record for this chat", "on"),
        ("Off the record for the rest of this chat please.", "on"),
        ("please keep this chat off the record", "on"),
        ("don't record anything I say from now on", "on"),
        ("is this chat off the record?", ""),
        ("off the record, I am pregnant", ""),
        ("she said, this chat is off the record", ""),
        ("back on the record", "off"),
        ("ok, we're back on the record now", "off"),
        ("you can remember things again", "off"),
        ("put the song back on", ""),
    ],
)
def test_turns_are_read(text: str, turns: str) -> None:
    assert read_quiet(text) == turns


@pytest.mark.parametrize("said", ["可以记了", "back on the record"])
async def test_to_lift_what_is_not_there_says_nothing(said: str) -> None:
    turn = await PlainTalk().say(said)
    assert turn.commands == ()


@pytest.mark.parametrize(
    "said",
    [
        "这个对话不要保存",
        "接下来咱们聊的都不要记录",
        "现在开始不要记录",
        "这次对话全程不要记",
        "下面我说的话全部不要记",
        "from now on, off the record",
        "from here on everything is off the record",
        "nothing I say in this chat should be remembered",
        "I want this chat off the record",
        "don't remember anything from this chat",
    ],
)
def test_everyday_wordings_take_it_off_the_record(said: str) -> None:
    assert read_quiet(said) == "on"


@pytest.mark.parametrize(
    "text",
    [
        "下面几句别往心里去，都不要记",
        "接下来几条消息别记录",
        "go off the record for a bit",
        "off the record for a moment",
        "别记录这次聊天",
        "don't save this conversation",
        "for this whole session, don't save anything",
        "everything we discuss today is off the record",
    ],
)
def test_a_while_off_the_record_lasts_until_it_is_lifted(text: str) -> None:
    assert read_quiet(text) == "on"


@pytest.mark.parametrize("together", [False, True])
@CASES
async def test_appended_messages_stay_off_the_record_too(
    asked: str, told: str, lifted: str, after: str, language: str, together: bool
) -> None:
    del language
    talk = PlainTalk()
    said = [asked, told, lifted, after]
    for texts in [said] if together else [[text] for text in said]:
        await append(talk, *texts)
    tail = [each.message.text for each in await talk.stm.read_tail(SCOPE)]
    assert told not in tail
    assert after in tail
    texts = await archive(talk)
    assert after in texts
    assert not any(told in text for text in texts)
