"""A client that leaves early: what its accepted message commands is carried out all the same, once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from shared.turn import take
from shared.turn.plan import TurnPlan, plan_turn
from tests.turn.plain_talk import PlainTalk

COMMANDS = [("记住我喜欢红茶", "红茶"), ("remember that I like green tea", "green tea")]
PASSES = 5


@pytest.mark.parametrize(("command", "kept"), COMMANDS)
@pytest.mark.parametrize("passes", range(1, 2 * PASSES))
async def test_a_command_is_applied_once_where_the_client_has_left(
    monkeypatch: pytest.MonkeyPatch, command: str, kept: str, passes: int
) -> None:
    async def plan_slowly(*args: Any, **options: Any) -> TurnPlan:
        for _ in range(PASSES):
            await asyncio.sleep(0)
        return await plan_turn(*args, **options)

    monkeypatch.setattr(take, "plan_turn", plan_slowly)
    talk = PlainTalk()
    turn = asyncio.create_task(talk.say(command))
    for _ in range(passes):
        await asyncio.sleep(0)
    turn.cancel()
    await asyncio.wait({turn})
    assert [text for text in await talk.memories() if kept in text] != []
    assert len(await talk.memories()) == 1
    await talk.say("好" if kept == "红茶" else "fine")
    assert len(await talk.memories()) == 1
