"""A change by an amount is asked about as the value that it comes to, and kept on a yes."""

from __future__ import annotations

import pytest

from tests.turn.plain_talk import PlainTalk


@pytest.mark.parametrize(
    ("stands", "said", "told", "becomes"),
    [
        ("预算设为50万", "预算加10万", ("500,000", "预算加10万", "600,000"), {"ceiling": 600_000}),
        (
            "set the budget to 500k",
            "increase the budget by 100k",
            ("500,000", "600,000"),
            {"ceiling": 600_000},
        ),
        ("截止日设为2026年12月20日", "截止日推迟三天", ("12月20日", "12月23日"), {"deadline": "2026-12-23"}),
        (
            "set the deadline to December 20, 2026",
            "move the deadline by three days",
            ("2026-12-20", "2026-12-23"),
            {"deadline": "2026-12-23"},
        ),
    ],
)
async def test_it_is_asked_about(
    stands: str, said: str, told: tuple[str, ...], becomes: dict[str, object]
) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(stands)
    before = await talk.fields()
    reply = await talk.reply(said)
    assert all(each in reply for each in told)
    assert await talk.fields() == before
    await talk.say("yes" if said.isascii() else "是的")
    assert await talk.fields() == becomes


@pytest.mark.parametrize("said", ["预算加10万", "increase the budget by 100k"])
async def test_where_no_value_stands_there_is_nothing_to_ask(said: str) -> None:
    talk = PlainTalk(reply="OK.")
    assert await talk.reply(said) == "OK."
    assert await talk.updates() == []
