"""What users say in everyday words to what is kept, story by story, in whole turns without a model."""

# ruff: noqa: E501  (a row of a table is read best on one line)
from __future__ import annotations

import pytest

from tests.turn.plain_talk import PlainTalk

PUT_RIGHT = [
    ("记住Clara住在里斯本", "今天天气不错", "其实Clara搬到波尔图了", "是的", "Clara搬到波尔图了"),
    ("Remember that Clara lives in Lisbon", "nice day", "Actually Clara moved to Porto", "yes", "Clara moved to Porto"),
    ("记住我老板是张三", "今天天气不错", "其实我老板是李四", "对，改吧", "我老板是李四"),
    ("Remember that my boss is Tom", "nice day", "No, my boss is Jerry", "yes", "my boss is Jerry"),
]  # fmt: skip


@pytest.mark.parametrize(("kept", "between", "said", "yes", "new"), PUT_RIGHT)
async def test_what_puts_a_memory_right_is_asked_about_with_both_and_a_yes_does_it(
    kept: str, between: str, said: str, yes: str, new: str
) -> None:
    talk = PlainTalk()
    await talk.say(kept)
    (old,) = await talk.memories()
    await talk.say(between)
    asked = await talk.say(said)
    assert [(each.old, each.new, each.origin) for each in asked.pending] == [(old, new, "heartbeat")]
    assert old in asked.reply["content"]
    assert new in asked.reply["content"]
    assert await talk.memories() == [old]
    await talk.say(yes)
    assert await talk.memories() == [new]
    assert await talk.memories("superseded") == [old]


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ("记住我老板是张三", "其实我老板挺忙的"),
        ("Remember that my boss is Tom", "Actually my boss is sick today"),
        ("记住我喜欢喝茶", "其实我喜欢喝咖啡"),
        ("Remember that I like tea", "Actually I like coffee"),
        ("记住Clara住在里斯本", "Clara其实搬到波尔图了吗？"),
        ("Remember that Clara lives in Lisbon", "Actually, did Clara move to Porto?"),
        ("记住Clara住在里斯本", "其实我觉得Clara搬到波尔图了"),
        ("Remember that Clara lives in Lisbon", "Actually I think Clara moved to Porto"),
    ],
)
async def test_other_talk_about_the_same_puts_nothing_right(kept: str, said: str) -> None:
    talk = PlainTalk()
    await talk.say(kept)
    await talk.say("hm")
    turn = await talk.say(said)
    assert (turn.pending, turn.commands, turn.asks_pending) == ((), (), ())


@pytest.mark.parametrize(
    ("kept", "said", "old", "new"),
    [
        ("记住我老板是张三", "更正：我老板是李四", "我老板是张三", "我老板是李四"),
        ("Remember that my boss is Tom", "Correction: my boss is Jerry", "my boss is Tom", "my boss is Jerry"),
    ],
)  # fmt: skip
async def test_a_correction_commands_and_names_what_it_took_the_place_of(
    kept: str, said: str, old: str, new: str
) -> None:
    talk = PlainTalk()
    await talk.say(kept)
    reply = await talk.reply(said)
    assert old in reply
    assert new in reply
    assert await talk.memories() == [new]
    assert await talk.memories("superseded") == [old]


@pytest.mark.parametrize(
    ("said", "yes", "text"),
    [
        ("更正：我对花生过敏", "是的", "我对花生过敏"),
        ("Correction: my dentist is Dr Ho", "yes", "my dentist is Dr Ho"),
    ],
)
async def test_a_correction_of_nothing_is_asked_about_and_kept_on_a_yes(
    said: str, yes: str, text: str
) -> None:
    talk = PlainTalk()
    turn = await talk.say(said)
    assert [(each.outcome, each.reason) for each in turn.commands] == [("pending", "nothing_to_correct")]
    assert len(turn.asks_pending) == 1
    assert text in turn.reply["content"].rpartition("\n\n")[2]
    assert await talk.memories() == []
    await talk.say(yes)
    assert await talk.memories() == [text]


@pytest.mark.parametrize("said", ["更新一下：客户很喜欢演示", "Update: the client loved the demo"])
async def test_an_update_of_nothing_is_news(said: str) -> None:
    turn = await PlainTalk().say(said)
    assert (turn.commands, turn.pending, turn.asks_pending) == ((), (), ())


OPEN = [
    ("我的预算是55万", "讲个笑话吧", "是的", "有一个问题还没有回答"),
    ("my budget is 550k", "tell me a joke", "yes", "One question is still open"),
]


@pytest.mark.parametrize(("said", "between", "yes", "told"), OPEN)
async def test_a_yes_after_other_talk_asks_again_what_is_open_and_the_next_one_counts(
    said: str, between: str, yes: str, told: str
) -> None:
    talk = PlainTalk()
    asked = (await talk.say(said)).asks_pending
    assert len(asked) == 1
    assert (await talk.say(between)).asks_pending == ()
    again = await talk.say(yes)
    assert again.asks_pending == asked
    assert told in again.reply["content"]
    assert again.commands == ()
    assert await talk.fields() == {}
    await talk.say(yes)
    assert await talk.fields() == {"ceiling": 550000}


@pytest.mark.parametrize(("said", "between", "yes", "told"), OPEN)
async def test_it_is_asked_again_once(said: str, between: str, yes: str, told: str) -> None:
    talk = PlainTalk()
    for text in (said, between, yes, between):
        await talk.say(text)
    turn = await talk.say(yes)
    assert turn.asks_pending == ()
    assert told not in turn.reply["content"]


@pytest.mark.parametrize(("said", "between", "yes", "told"), OPEN)
async def test_after_a_model_s_words_a_yes_may_be_for_them(
    said: str, between: str, yes: str, told: str
) -> None:
    talk = PlainTalk(reply="Shall we go on?")
    for text in (said, between):
        await talk.say(text)
    turn = await talk.say(yes)
    assert turn.asks_pending == ()
    assert told not in turn.reply["content"]


@pytest.mark.parametrize("text", ["好的", "ok", "谢谢", "thanks", "不", "no"])
async def test_what_is_no_yes_asks_nothing_again(text: str) -> None:
    talk = PlainTalk()
    for said in ("我的预算是55万", "讲个笑话吧"):
        await talk.say(said)
    assert (await talk.say(text)).asks_pending == ()


@pytest.mark.parametrize(
    ("proposed", "said"),
    [
        ("我住在波尔图", "确认，记住我住在波尔图"),
        ("I live in Porto", "yes, remember that I live in Porto"),
    ],
)
async def test_spelled_out_consent_confirms_the_proposal_that_it_names(proposed: str, said: str) -> None:
    talk = PlainTalk()
    await talk.propose(proposed)
    await talk.say(said)
    assert await talk.memories() == [proposed]
    assert [update.status for update in await talk.updates()] == ["confirmed"]


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ("我的预算是55万", "确认，记住预算是55万"),
        ("my budget is 550k", "yes, remember my budget is 550k"),
    ],
)
async def test_spelled_out_consent_confirms_a_field_s_proposal(stated: str, said: str) -> None:
    talk = PlainTalk()
    for text in (stated, "hm", said):
        await talk.say(text)
    assert await talk.fields() == {"ceiling": 550000}
    assert [update.status for update in await talk.updates()] == ["confirmed"]


KNOWN = [
    (["记住我对花生过敏", "记住预算是55万", "记住我前妻叫小林"], "你都知道我什么", ["预算上限：550,000", "我对花生过敏"], "小林", "以后别再提我前妻的事"),
    (["Remember I live in Porto", "Remember my budget is 550k", "Remember my ex-wife is called Ann"], "What do you know about me?", ["budget ceiling: 550,000", "I live in Porto"], "Ann", "never mention my ex-wife again"),
]  # fmt: skip


@pytest.mark.parametrize(("kept", "question", "held", "gone", "ban"), KNOWN)
async def test_all_that_is_held_is_told_with_dates_but_for_banned_and_forgotten_things(
    kept: list[str], question: str, held: list[str], gone: str, ban: str
) -> None:
    talk = PlainTalk()
    for text in kept:
        await talk.say(text)
    reply = await talk.reply(question, session="b")
    assert all(line in reply for line in (*held, gone))
    dated = [line for line in reply.splitlines() if line.startswith("- ")]
    assert len(dated) == len(kept)
    assert all(line[-1] in ")）" and "-" in line[-11:-1] for line in dated)
    await talk.say(ban, session="b")
    assert gone not in await talk.reply(question, session="c")


@pytest.mark.parametrize("question", ["你都知道我什么", "What do you know about me?"])
async def test_a_model_is_shown_all_that_is_held(question: str) -> None:
    talk = PlainTalk(reply="ok")
    for text in ("记住我对花生过敏", "Remember that Clara lives in Lisbon", "记住预算是55万"):
        await talk.say(text)
    await talk.say(question, session="b")
    shown = talk.model.prompt
    assert all(text in shown for text in ("我对花生过敏", "Clara lives in Lisbon", "550,000"))


@pytest.mark.parametrize("question", ["你都知道我什么", "What do you know about me?"])
async def test_where_nothing_is_held_the_reply_says_so(question: str) -> None:
    reply = await PlainTalk().reply(question)
    assert ("没有相关的内容" if question.startswith("你") else "holds nothing") in reply


@pytest.mark.parametrize("question", ["你都知道我什么", "What do you know about me?"])
async def test_much_that_is_held_is_told_in_part_with_the_number_of_the_rest(question: str) -> None:
    talk = PlainTalk()
    for place in range(23):
        await talk.say(f"记住{place}号柜子是蓝色的")
    reply = await talk.reply(question)
    assert reply.count("\n- ") == 21
    assert "3" in reply.splitlines()[-1]


@pytest.mark.parametrize(
    ("kept", "text", "said"),
    [
        ("记住我对花生过敏", "我对花生过敏", "撤销"),
        ("记住我对花生过敏", "我对花生过敏", "撤回刚才那条"),
        ("记住我对花生过敏", "我对花生过敏", "能撤销刚才的修改吗"),
        ("Remember I live in Porto", "I live in Porto", "Can you undo that?"),
        ("Remember I live in Porto", "I live in Porto", "undo that"),
        ("Remember I live in Porto", "I live in Porto", "Undo"),
    ],
)
async def test_undo_takes_back_what_was_just_remembered_and_says_what(
    kept: str, text: str, said: str
) -> None:
    talk = PlainTalk()
    await talk.say(kept)
    turn = await talk.say(said)
    assert [(each.kind, each.old, each.outcome) for each in turn.commands] == [("undo", [text], "applied")]
    assert text in turn.reply["content"]
    assert await talk.memories() == []
    assert (await talk.say(text, session="b")).recalled == ()
    await talk.say(kept)
    assert await talk.memories() == [text]


@pytest.mark.parametrize(
    ("first", "second", "said", "old"),
    [
        ("记住我住在北京", "记住我住在上海", "撤销", "我住在北京"),
        ("Remember I live in Boston", "Remember I live in Denver", "undo that", "I live in Boston"),
    ],
)
async def test_undo_brings_back_what_the_memory_had_replaced(
    first: str, second: str, said: str, old: str
) -> None:
    talk = PlainTalk()
    for text in (first, second):
        await talk.say(text)
    assert old in await talk.reply(said)
    assert await talk.memories() == [old]
    assert [each.reason for each in (await talk.say(said)).commands] == ["gone_for_good"]
    assert await talk.memories() == [old]


@pytest.mark.parametrize("said", ["撤销", "undo that"])
async def test_undo_of_what_another_session_kept_does_nothing(said: str) -> None:
    talk = PlainTalk()
    await talk.say("Remember I live in Boston", session="b")
    turn = await talk.say(said)
    assert [(each.outcome, each.reason) for each in turn.commands] == [("refused", "nothing_to_undo")]
    assert await talk.memories() == ["I live in Boston"]


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("能把我的预算忘掉吗", {}),
        ("Can you forget my budget?", {}),
        ("你能忘掉我的预算吗？", {}),
        ("Would you mind forgetting my budget?", {}),
        ("你会忘掉我的预算吗？", {"ceiling": 550000}),
        ("Will you forget my budget?", {"ceiling": 550000}),
        ("你忘了我的预算吗", {"ceiling": 550000}),
        ("Did you forget my budget?", {"ceiling": 550000}),
    ],
)
async def test_a_polite_question_forgets_the_field_that_it_names(said: str, left: dict[str, int]) -> None:
    talk = PlainTalk()
    await talk.say("记住预算是55万")
    await talk.say(said)
    assert await talk.fields() == left


@pytest.mark.parametrize(
    ("said", "yes"),
    [
        ("把你知道的关于我的一切都删掉", "确认清空"),
        ("Delete everything you know about me", "yes, delete everything"),
        ("能把你知道的关于我的都删掉吗", "确认清空"),
        ("Can you delete everything you know about me?", "yes, delete everything"),
    ],
)
async def test_all_that_is_known_is_deleted_once_it_is_confirmed(said: str, yes: str) -> None:
    talk = PlainTalk()
    await talk.say("Remember I like tea")
    turn = await talk.say(said)
    assert [(each.outcome, each.reason) for each in turn.commands] == [("pending", "confirm_wipe")]
    assert await talk.memories() == ["I like tea"]
    await talk.say(yes)
    assert await talk.memories() == []


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("把你知道的关于我的一切都删掉", "没有可以清空的记忆"),
        ("Delete everything you know about me", "There are no memories to delete"),
    ],
)
async def test_where_nothing_is_kept_no_wipe_is_asked_about(said: str, told: str) -> None:
    turn = await (talk := PlainTalk()).say(said)
    assert [(each.outcome, each.reason) for each in turn.commands] == [("refused", "nothing_kept")]
    assert told in turn.reply["content"]
    assert turn.reply["content"].count("?confirm=all") == 1
    assert [each.outcome for each in (await talk.say("yes, delete everything")).commands] == ["refused"]


@pytest.mark.parametrize(
    ("kept", "said", "yes", "asked", "done"),
    [
        ("记住我喜欢喝茶", "清空记忆", "确认清空", "仅有的1条", "已清空1条"),
        (
            "Remember I like tea",
            "delete all my memories",
            "yes, delete everything",
            "the one item",
            "1 item from",
        ),
    ],
)
async def test_a_wipe_of_one_is_told_as_of_one(kept: str, said: str, yes: str, asked: str, done: str) -> None:
    talk = PlainTalk()
    await talk.say(kept)
    assert asked in await talk.reply(said)
    assert done in await talk.reply(yes)


@pytest.mark.parametrize(
    ("kept", "said", "unlike", "told"),
    [
        ("记住预算是9000", "你能忘掉我的预算吗？", "没有相关的内容", "已忘记"),
        ("Remember my budget is 9000", "Can you forget my budget?", "holds nothing about", "Forgotten"),
    ],
)
async def test_a_polite_forget_is_not_answered_as_a_question(
    kept: str, said: str, unlike: str, told: str
) -> None:
    talk = PlainTalk()
    await talk.say(kept)
    reply = await talk.reply(said)
    assert unlike not in reply
    assert told in reply
