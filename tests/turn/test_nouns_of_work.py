"""A name, a stage, a scope of the work at hand is none of the user's, unless somebody owns it."""

from __future__ import annotations

import pytest

from tests.turn.plain_talk import PlainTalk

OF_WORK = [
    "把阶段改成第二段",
    "将阶段调整为2",
    "把名字改成小写",
    "把名字设为total",
    "把角色设为管理员",
    "change the stage to 3",
    "set the phase to 90 degrees",
    "set the scope to global",
    "Set the name to total",
    "set the role to admin",
    "use foo as the name",
]
OWNED = [
    ("把我的名字设为小林", "name", "小林"),
    ("set my name to Max", "name", "Max"),
    ("把项目的阶段设为测试", "phase", "测试"),
    ("set the project's stage to testing", "phase", "testing"),
    ("记住阶段是测试", "phase", "测试"),
    ("remember the stage is beta", "phase", "beta"),
]
STATED = ["把我们的阶段改成测试", "change our stage to testing", "the stage is set to beta"]


@pytest.mark.parametrize("said", OF_WORK)
async def test_an_order_about_the_work_sets_and_proposes_nothing(said: str) -> None:
    talk = PlainTalk(reply="OK.")
    assert not (await talk.say(said)).commands
    assert (await talk.memories(), await talk.fields(), await talk.updates()) == ([], {}, [])


@pytest.mark.parametrize(("said", "field", "value"), OWNED)
async def test_an_owner_or_a_wish_to_remember_makes_it_the_users(said: str, field: str, value: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(said)
    assert await talk.fields() == {field: value}


@pytest.mark.parametrize("said", STATED)
async def test_a_statement_about_it_is_asked_about(said: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(said)
    assert [update.path for update in await talk.updates()] == ["business_context.phase"]
