"""What a message commands is done in its own turn; extraction does not propose it once more."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.extraction.room import Room

TARTU = {"op": "remember", "text": "Born in Tartu", "quote": "I was born in Tartu"}


def giving(*items: dict[str, Any]) -> Any:
    return lambda _body: json.dumps({"items": list(items)}, ensure_ascii=False)


async def news(room: Room) -> list[str]:
    return [str(update.new) for update in await room.waiting()]


@pytest.mark.parametrize(
    ("message", "quote", "said_again"),
    [
        ("记住：周一不要给我排会议", "周一不要给我排会议", "周一不要排会议"),
        (
            "Remember: no meetings for me on Mondays.",
            "no meetings for me on Mondays",
            "No meetings on Mondays",
        ),
        ("别忘了我对花生过敏", "我对花生过敏", "对花生过敏"),
        ("Don't forget I'm allergic to peanuts", "I'm allergic to peanuts", "Allergic to peanuts"),
        ("以后报表都用企业微信发给我", "报表都用企业微信发给我", "报表用企业微信发"),
        ("From now on send reports as PDF", "send reports as PDF", "Send reports as PDF"),
        ("别记我开特斯拉这件事", "我开特斯拉", "开特斯拉"),
        ("Please don't remember that I drive a Tesla", "I drive a Tesla", "Drives a Tesla"),
    ],
)
@pytest.mark.parametrize("with_model", [True, False])
async def test_what_was_commanded_is_not_proposed_again_in_other_words(
    message: str, quote: str, said_again: str, *, with_model: bool
) -> None:
    room = Room(giving({"op": "remember", "kind": "preference", "text": said_again, "quote": quote}))
    room.model.state = "closed" if with_model else "off"
    await room.say(("user", message))
    await room.extract()
    assert await news(room) == []


async def test_what_stands_beside_a_command_is_proposed() -> None:
    room = Room(giving({**TARTU, "kind": "fact"}))
    await room.say(("user", "Remember that I park on level B2. I was born in Tartu."))
    await room.extract()
    assert await news(room) == ["Born in Tartu"]
