"""Answers to a list of proposals, each part for itself, and other values instead of those asked about."""

from __future__ import annotations

import pytest

from tests.turn.plain_talk import PlainTalk

ZH, EN = "预算是30万，截止日是12月20日", "our budget is 30k and our deadline is December 20"
BUDGETS = {ZH: 300_000, EN: 30_000}
KEPT = "12-20"
MIXED = [
    # said, answer, budget ("asked": as asked; None: not stored), end of the deadline, how many still wait
    (ZH, "第一个对，第二个改成12月25日", "asked", "12-25", 0),
    (EN, "the first is right, make the second December 25", "asked", "12-25", 0),
    (ZH, "截止日对，预算改成25万", 250_000, KEPT, 0),
    (EN, "yes for the deadline, the budget is 25k", 25_000, KEPT, 0),
    (ZH, "都对，不过截止日是12月25日", "asked", "12-25", 0),
    (EN, "yes, but the deadline is December 25", "asked", "12-25", 0),
    (ZH, "预算不对，其余都对", None, KEPT, 0),
    (EN, "the budget is wrong, the rest is fine", None, KEPT, 0),
    (ZH, "只记截止日，预算不要", None, KEPT, 0),
    (EN, "save the first, hold off on the second", "asked", None, 0),
    (ZH, "除了预算都保存", None, KEPT, 0),
    (EN, "everything except the budget", None, KEPT, 0),
    (ZH, "除了最后一个都记", "asked", None, 0),
    (EN, "all but the last one", "asked", None, 0),
    (ZH, "1对2不对", "asked", None, 0),
    (EN, "1 yes 2 no", "asked", None, 0),
    (ZH, "第二个就好", None, KEPT, 1),
    (EN, "just the second one please", None, KEPT, 1),
    (ZH, "预算和截止日都对", "asked", KEPT, 0),
    (EN, "yes to all of them", "asked", KEPT, 0),
    (ZH, "没问题，就这么记", "asked", KEPT, 0),
    (EN, "sure, go for it", "asked", KEPT, 0),
    (ZH, "行，就这样", "asked", KEPT, 0),
    (EN, "both, thanks", "asked", KEPT, 0),
    (ZH, "一个都不要", None, None, 0),
    (EN, "none of them", None, None, 0),
    # What is no answer, or only half of one, stores nothing.
    (ZH, "第一个对吗，第二个改成12月25日？", None, None, 2),
    (EN, "is the first right, or should I make the second December 25?", None, None, 2),
    (ZH, "第九个改成12月25日", None, None, 2),
    (EN, "write me a letter, make the second line bold", None, None, 2),
]


@pytest.mark.parametrize(("said", "answer", "budget", "deadline", "waiting"), MIXED)
async def test_each_part_of_an_answer_counts(
    said: str, answer: str, budget: int | str | None, deadline: str | None, waiting: int
) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(said)
    await talk.say(answer)
    fields = await talk.fields()
    assert fields.get("ceiling") == (BUDGETS[said] if budget == "asked" else budget)
    assert str(fields.get("deadline", ""))[-5:] == (deadline or "")
    assert sum(update.status == "open" for update in await talk.updates()) == waiting


KEEPS = [("嗯对的，记下来", ZH), ("yes, that's right, save it", EN), ("Yes, please save it.", EN)]


@pytest.mark.parametrize(("answer", "said"), KEEPS)
async def test_a_yes_is_no_sentence_to_keep(answer: str, said: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(said)
    await talk.say(answer)
    assert len(await talk.fields()) == 2
    assert await talk.memories() == []


OTHER_VALUES = [
    ("预算是50万", "不，五十五万", 550_000),
    ("our budget is 500k", "no, 550k", 550_000),
    ("预算是50万", "差不多，记成49万吧", 490_000),
    ("our budget is 500k", "close, put it down as 490k", 490_000),
    ("预算是50万", "接近，是49万", 490_000),
    ("our budget is 500k", "wrong, the cap is 480k", 480_000),
    ("预算是50万", "55万才对", 550_000),
    ("our budget is 500k", "550k is the right one", 550_000),
]


@pytest.mark.parametrize(("said", "answer", "budget"), OTHER_VALUES)
async def test_another_value_takes_the_place_of_the_one_asked_about(
    said: str, answer: str, budget: int
) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(said)
    await talk.say(answer)
    assert (await talk.fields()).get("ceiling") == budget
    assert await talk.memories() == []


@pytest.mark.parametrize("said", [ZH, EN])
async def test_a_list_is_in_the_order_in_which_it_was_said(said: str) -> None:
    for _ in range(4):
        talk = PlainTalk(reply="OK.")
        lines = (await talk.reply(said)).splitlines()
        assert [line[:2] for line in lines if line[:1].isdigit()] == ["1.", "2."]
        first = next(line for line in lines if line.startswith("1."))
        assert "预算" in first or "budget" in first
