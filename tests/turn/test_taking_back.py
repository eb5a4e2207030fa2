"""Taking back what the last message set, or only asked about, and nothing older, in turns without a model."""

# ruff: noqa: E501  (a row of a table is read best on one line)

from __future__ import annotations

import pytest

from shared.ltm.schema import DEFAULT_SCHEMA
from shared.model.turn import CommandOutcome
from shared.prompts.load import Language
from shared.turn.followups import command_notes
from tests.turn.plain_talk import PlainTalk

OFF_RECORD_FIELDS = [
    (("记住，预算是55万",), "刚才那条别存", "预算", {}),
    (("Remember: my email is dev@abc.com",), "don't save that", "email", {}),
    (("记住，预算是55万", "记住，预算是60万"), "刚才那条别存", "550,000", {"ceiling": 550000}),
    (("Remember: my budget is 5000", "Remember: my budget is 6000"), "Don't save that.", "5,000", {"ceiling": 5000}),
    (("记住，预算是55万", "记住，预算是55万"), "刚才那条别存", "不会记入", {"ceiling": 550000}),
    (("Remember: my budget is 5000", "Remember: my budget is 5000"), "don't save that", "will not", {"ceiling": 5000}),
]  # fmt: skip


@pytest.mark.parametrize(("said", "taken", "told", "left"), OFF_RECORD_FIELDS)
async def test_what_is_not_to_be_kept_after_all_leaves_the_field_as_it_was(
    said: tuple[str, ...], taken: str, told: str, left: dict[str, object]
) -> None:
    talk = PlainTalk()
    for text in said:
        await talk.say(text)
    assert told in await talk.reply(taken)
    assert await talk.fields() == left


@pytest.mark.parametrize(
    ("first", "between", "taken", "left"),
    [
        ("记住我老板是张三", "更正：我老板是李四", "刚才那条别存", "我老板是张三"),
        ("Remember: my boss is Jerry", "Correction: my boss is Tom", "don't save that", "my boss is Jerry"),
    ],
)
async def test_what_a_memory_not_to_be_kept_had_replaced_stands_again(
    first: str, between: str, taken: str, left: str
) -> None:
    talk = PlainTalk()
    await talk.say(first)
    await talk.say(between)
    assert left in await talk.reply(taken)
    assert await talk.memories() == [left]


@pytest.mark.parametrize(
    ("first", "second", "taken"),
    [
        ("记住，预算是55万", "记住，预算是60万", "刚才那条别存"),
        ("Remember: my budget is 5000", "Remember: my budget is 6000", "don't save that"),
    ],
)
async def test_an_agents_key_takes_no_field_back(first: str, second: str, taken: str) -> None:
    talk = PlainTalk()
    await talk.say(first)
    await talk.say(second)
    kept = await talk.fields()
    await talk.say(taken, may_resolve=False)
    assert await talk.fields() == kept


OPEN_QUESTIONS = [
    (("记住我老板是张三", "记住我的猫叫团子", "其实我老板是李四"), "撤销", "李四", ["我的猫叫团子", "我老板是张三"], {}),
    (
        ("Remember: my boss is Jerry", "Remember: my cat is called Pebble", "Actually my boss is Alice"),
        "undo that", "Alice", ["my cat is called Pebble", "my boss is Jerry"], {},
    ),
    (("记住，预算是55万", "预算改成60万了"), "撤销刚才那条", "600,000", [], {"ceiling": 550000}),
    (("Remember: my budget is 55000", "the budget is 50000 now"), "undo that", "50,000", [], {"ceiling": 55000}),
    (("记住，预算是55万", "预算改成60万了"), "撤销预算", "600,000", [], {"ceiling": 550000}),
    (("Remember: my budget is 55000", "the budget is 50000 now"), "undo the budget", "50,000", [], {"ceiling": 55000}),
    (("记住我的猫叫团子", "更正：我对花生过敏"), "撤销", "花生", ["我的猫叫团子"], {}),
    (("Remember: my cat is called Pebble", "Correction: my dentist is Dr Ho"), "undo", "Dr Ho", ["my cat is called Pebble"], {}),
]  # fmt: skip


@pytest.mark.parametrize(("said", "taken", "told", "memories", "fields"), OPEN_QUESTIONS)
async def test_undo_withdraws_the_open_question_of_the_last_message_and_nothing_older(
    said: tuple[str, ...], taken: str, told: str, memories: list[str], fields: dict[str, object]
) -> None:
    talk = PlainTalk()
    for text in said:
        asked = await talk.say(text)
    assert len(asked.asks_pending) == 1
    turn = await talk.say(taken)
    assert [(each.kind, each.outcome) for each in turn.commands] == [("reject", "applied")]
    assert told in turn.reply["content"]
    assert await talk.memories() == memories
    assert await talk.fields() == fields
    assert [each.status for each in await talk.updates()] == ["rejected"]


@pytest.mark.parametrize(
    ("said", "taken", "left"),
    [
        (("记住我的猫叫团子", "记住楼下的猫叫咪咪", "忘记猫的名字吧"), "撤销", ["楼下的猫叫咪咪", "我的猫叫团子"]),
        (("Remember I like tea", "Remember I like tea cups", "forget tea"), "undo that", ["I like tea cups", "I like tea"]),
        (("记住我喜欢猫", "删除所有记忆"), "撤销", ["我喜欢猫"]),
        (("Remember I like tea", "delete all my memories"), "undo that", ["I like tea"]),
    ],
)  # fmt: skip
async def test_undo_while_a_question_of_forgetting_is_open_changes_nothing(
    said: tuple[str, ...], taken: str, left: list[str]
) -> None:
    talk = PlainTalk()
    for text in said:
        asked = await talk.say(text)
    assert [each.outcome for each in asked.commands] == ["pending"]
    turn = await talk.say(taken)
    assert [(each.kind, each.reason) for each in turn.commands] == [("undo", "nothing_to_undo")]
    assert await talk.memories() == left


@pytest.mark.parametrize(
    ("said", "proposed", "taken"),
    [
        ("记住我老板是张三", "我不吃辣", "撤销"),
        ("Remember: my boss is Jerry", "I eat no meat", "undo that"),
    ],
)
async def test_undo_takes_back_what_was_kept_where_the_reply_asks_about_something_else(
    said: str, proposed: str, taken: str
) -> None:
    talk = PlainTalk()
    await talk.propose(proposed)
    asked = await talk.say(said)
    assert len(asked.asks_pending) == 1
    await talk.say(taken)
    assert await talk.memories() == []
    assert [each.status for each in await talk.updates()] == ["open"]


@pytest.mark.parametrize(
    ("first", "asked", "newer", "between", "yes", "left"),
    [
        ("记住我住在北京", "其实我住在上海", "记住我住在广州", "今天天气不错", "是的", "我住在广州"),
        ("Remember: I live in Leeds", "Actually I live in Porto", "Remember: I live in Oslo", "Nice weather", "yes", "I live in Oslo"),
    ],
)  # fmt: skip
async def test_what_would_replace_a_memory_goes_once_that_has_ended(
    first: str, asked: str, newer: str, between: str, yes: str, left: str
) -> None:
    talk = PlainTalk()
    await talk.say(first)
    await talk.say(asked)
    for text in (newer, between, yes, yes):
        turn = await talk.say(text)
    assert turn.asks_pending == ()
    assert await talk.memories() == [left]
    assert [each.status for each in await talk.updates()] == ["superseded"]


@pytest.mark.parametrize(
    ("proposed", "other", "newer"),
    [
        ("我住在上海", "我喜欢喝茶", "记住我住在广州"),
        ("I live in Porto", "I like tea", "Remember: I live in Oslo"),
    ],
)
async def test_what_fills_the_same_slot_otherwise_waits_no_longer(
    proposed: str, other: str, newer: str
) -> None:
    talk = PlainTalk()
    await talk.propose(proposed)
    await talk.propose(other)
    await talk.say(newer)
    found = {each.new: each.status for each in await talk.updates()}
    assert found == {proposed: "superseded", other: "open"}


@pytest.mark.parametrize(
    ("kept", "first", "second", "yes", "left"),
    [
        ("记住我住在北京", "其实我住在上海", "其实我住在广州", "是的", "我住在广州"),
        (
            "Remember: I live in Leeds",
            "Actually I live in Porto",
            "Actually I live in Oslo",
            "yes",
            "I live in Oslo",
        ),
    ],
)
async def test_of_two_corrections_the_newer_one_waits(
    kept: str, first: str, second: str, yes: str, left: str
) -> None:
    talk = PlainTalk()
    for text in (kept, first, second, yes):
        await talk.say(text)
    assert await talk.memories() == [left]
    assert sorted(each.status for each in await talk.updates()) == ["confirmed", "superseded"]


@pytest.mark.parametrize(
    ("kept", "forget", "said", "yes", "text"),
    [
        ("记住我的牙医是王医生", "忘记我的牙医", "更正：我的牙医是王医生", "是的", "我的牙医是王医生"),
        ("Remember: my dentist is Dr Wood", "forget my dentist", "Correction: my dentist is Dr Wood", "yes", "my dentist is Dr Wood"),
    ],
)  # fmt: skip
async def test_a_correction_after_a_forget_is_asked_about_and_kept_on_a_yes(
    kept: str, forget: str, said: str, yes: str, text: str
) -> None:
    talk = PlainTalk()
    await talk.say(kept)
    await talk.say(forget)
    assert await talk.memories() == []
    asked = await talk.say(said)
    assert [(each.outcome, each.reason) for each in asked.commands] == [("pending", "nothing_to_correct")]
    await talk.say(yes)
    assert await talk.memories() == [text]


@pytest.mark.parametrize(("language", "note"), [("zh", "也不要猜是什么"), ("en", "nor guess what it was")])
def test_the_model_hears_no_list_where_what_went_has_no_label(language: Language, note: str) -> None:
    undone = CommandOutcome(kind="undo", old="我住在杭州")
    (line,) = command_notes([undone], schema=DEFAULT_SCHEMA, language=language)
    assert line.rstrip(".。").endswith(note)
