"""What the reference dialogues ask of the pure rooms, turn by turn, in both languages."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from shared.extraction.answers import answer_for, mentions_noun, read_consent
from shared.extraction.commands import SESSION, STANDING, find_statements, parse_commands
from shared.extraction.patterns import find_candidates
from shared.ltm.schema import DEFAULT_SCHEMA
from shared.privacy.mask import mask_secrets

TODAY = date(2024, 3, 1)
PROJECT = "business_context.project_id"
CEILING = "business_context.budget.ceiling"


def commands(text: str) -> list[tuple[str, str | None, Any]]:
    found = parse_commands(text, schema=DEFAULT_SCHEMA, today=TODAY)
    return [(each.kind, each.path, each.value if each.path else each.text) for each in found]


def candidates(text: str) -> dict[str, Any]:
    return {each.path: each.value for each in find_candidates(text, schema=DEFAULT_SCHEMA, today=TODAY)}


@pytest.mark.parametrize(
    "text", ["你好，我是张工，负责ABC项目", "Hello, I am Zhang and I run the ABC project"]
)
def test_d1_speaking_of_a_project_is_heard_and_nothing_is_stored(text: str) -> None:
    assert mentions_noun(PROJECT, text, schema=DEFAULT_SCHEMA)
    assert commands(text) == []
    assert candidates(text) == {}


@pytest.mark.parametrize("text", ["项目编号是PROJ-2024-001", "The project number is PROJ-2024-001"])
def test_d1_the_answer_is_a_value_and_unasked_it_is_a_candidate(text: str) -> None:
    assert answer_for(PROJECT, text, schema=DEFAULT_SCHEMA, today=TODAY) == "PROJ-2024-001"
    assert commands(text) == []
    assert candidates(text) == {PROJECT: "PROJ-2024-001"}


@pytest.mark.parametrize(
    "text", ["总预算控制在五十万以内", "The total budget must not exceed half a million"]
)
def test_d2_a_stated_budget_is_a_candidate_with_its_whole_quote(text: str) -> None:
    (found,) = find_candidates(text, schema=DEFAULT_SCHEMA, today=TODAY)
    assert (found.path, found.value, found.quote) == (CEILING, 500000, text)
    assert commands(text) == []


@pytest.mark.parametrize("text", ["预算改成60万", "Change the budget to 600k"])
def test_d3_a_changed_budget_is_a_statement_and_no_command(text: str) -> None:
    (found,) = find_statements(text, schema=DEFAULT_SCHEMA, today=TODAY)
    assert (found.path, found.value, found.verb, found.quote) == (CEILING, 600000, "change", text)
    assert commands(text) == []


@pytest.mark.parametrize("text", ["记住，预算改成60万", "remember, change the budget to 600k"])
def test_d3_the_same_words_after_remember_are_a_command(text: str) -> None:
    assert commands(text) == [("set", CEILING, 600000)]
    assert find_statements(text, schema=DEFAULT_SCHEMA, today=TODAY) == []


def test_d3_yes_and_thanks_are_told_apart() -> None:
    assert [read_consent(text).answer for text in ("对，改吧", "yes, go ahead")] == ["yes", "yes"]
    assert [read_consent(text).answer for text in ("好的，谢谢", "ok, thanks")] == [
        "acknowledge",
        "acknowledge",
    ]


@pytest.mark.parametrize("text", ["记住我的邮箱是dev@abc.com", "remember my email is dev@abc.com"])
def test_d4_an_email_is_set(text: str) -> None:
    assert commands(text) == [("set", "user_profile.contact.email", "dev@abc.com")]


@pytest.mark.parametrize(
    "text", ["你记住了吗？", "不用记住我的邮箱", "Did you remember?", "Don't remember my email"]
)
def test_d4_questions_and_denials_change_nothing(text: str) -> None:
    assert commands(text) == []


@pytest.mark.parametrize("text", ["取消记住项目阶段", "Stop remembering the project phase"])
def test_d5_a_field_is_forgotten_by_its_label(text: str) -> None:
    (found,) = parse_commands(text, schema=DEFAULT_SCHEMA, today=TODAY)
    assert (found.kind, found.path) == ("forget", "business_context.phase")


@pytest.mark.parametrize(
    "text", ["项目进度如何？", "帮我看看这份合同", "How is the project going?", "Look at this contract"]
)
def test_d6_d7_work_talk_is_no_command(text: str) -> None:
    assert commands(text) == []
    assert candidates(text) == {}


@pytest.mark.parametrize(
    ("text", "topic", "lasts"),
    [
        ("换个话题，别再提我孩子的事", "孩子", STANDING),
        ("今天先别提工作的事", "工作", SESSION),
        ("Let's change the topic, never mention my kids again", "kids", STANDING),
        ("Don't talk about work today", "work", SESSION),
    ],
)
def test_d13_a_topic_is_banned_for_as_long_as_is_said(text: str, topic: str, lasts: str) -> None:
    (found,) = parse_commands(text, schema=DEFAULT_SCHEMA, today=TODAY)
    assert (found.kind, found.text, found.value) == ("ban_topic", topic, lasts)


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("忘了刚才说的价格吧", "刚才说的价格"),
        ("把上个月聊的方案删掉", "上个月聊的方案"),
        ("Forget the price I just mentioned", "price I just mentioned"),
        ("Delete the plan we discussed last month", "plan we discussed last month"),
    ],
)
def test_d14_a_thing_is_forgotten_by_its_words(text: str, thing: str) -> None:
    assert commands(text) == [("forget", None, thing)]


@pytest.mark.parametrize("text", ["这次请详细展开", "Please go into detail this time"])
def test_d15_a_wish_for_this_turn_is_no_command(text: str) -> None:
    assert commands(text) == []


@pytest.mark.parametrize(
    "text",
    ["我的身份证号是110101199003071234，记住", "My ID number is 110101199003071234, remember that"],
)
def test_d18_only_the_masked_number_is_left_to_remember(text: str) -> None:
    ((kind, _, words),) = commands(text)
    assert kind == "remember"
    assert "110101********1234" in mask_secrets(words)
    assert "19900307" not in mask_secrets(words)


@pytest.mark.parametrize("text", ["1,180 元", "北京到上海机票多少钱", "The flight costs $1,180"])
def test_d19_a_price_without_a_label_is_nothing(text: str) -> None:
    assert candidates(text) == {}


@pytest.mark.parametrize("text", ["本次差旅按1200元/人", "The travel budget is 1200 per person"])
def test_d19_a_rate_for_a_person_is_a_candidate(text: str) -> None:
    assert candidates(text) == {"business_context.budget.per_person": 1200}


@pytest.mark.parametrize(
    "text", ["记住，本次差旅按1200元/人", "Remember the travel budget is 1200 per person"]
)
def test_d19_a_rate_to_remember_is_set(text: str) -> None:
    assert commands(text) == [("set", "business_context.budget.per_person", 1200)]


@pytest.mark.parametrize("text", ["我司主营SaaS服务", "We mainly sell SaaS"])
def test_d20_an_industry_is_not_inferred(text: str) -> None:
    assert commands(text) == []
    assert candidates(text) == {}


@pytest.mark.parametrize("text", ["记住：公司所属行业是SaaS", "Remember: our industry is SaaS"])
def test_d20_an_industry_that_is_said_is_set(text: str) -> None:
    assert commands(text) == [("set", "user_profile.company.industry", "SaaS")]
