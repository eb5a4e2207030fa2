"""A wipe that spares something is never carried out: nothing goes, and the user is told."""

from __future__ import annotations

import pytest

from tests.turn.plain_talk import PlainTalk


@pytest.mark.parametrize(
    ("kept", "asked", "told"),
    [
        (("记住我对花生过敏", "记住我喜欢爬山"), "除了过敏，其他都忘掉", "“过敏”以外"),
        (
            ("remember I'm allergic to nuts", "remember that I like hiking"),
            "Forget everything except my allergy.",
            "everything but “my allergy”",
        ),
    ],
)
async def test_nothing_is_forgotten_and_the_reply_says_so(
    kept: tuple[str, ...], asked: str, told: str
) -> None:
    talk = PlainTalk(reply="OK.")
    for each in kept:
        await talk.say(each)
    result = await talk.say(asked)
    assert [(each.outcome, each.reason) for each in result.commands] == [("refused", "all_but")]
    assert told in str(result.reply["content"])
    assert len(await talk.memories()) == len(kept)
