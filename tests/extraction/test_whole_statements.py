"""Rules propose whole statements: a clause that hangs on another, or narrows it, is one with it."""

from __future__ import annotations

import json

import pytest

from shared.extraction.rules import rule_items
from tests.extraction.room import Room
from tests.stm.messages import make_message

WHOLE = [
    ("no meetings before 10am please, and never on Fridays", "constraint"),
    ("10点前不要开会，周五也不要", "constraint"),
    ("We decided to go with Postgres, not Mongo", "decision"),
    ("我们决定用Postgres，不用Mongo", "decision"),
    ("let's go with Marlow, instead of Acme", "decision"),
    ("定了用A方案，而不是B方案", "decision"),
    ("Prices must include tax, and also shipping", "constraint"),
    ("价格必须含税，还要包邮", "constraint"),
    ("I like tea, but not green tea", "preference"),
    ("我喜欢茶，但不喜欢绿茶", "preference"),
    ("No calls on Monday, or on Friday", "constraint"),
    ("不要在周一开会，尤其是上午", "constraint"),
]


@pytest.mark.parametrize(("said", "kind"), WHOLE)
def test_a_statement_is_proposed_whole(said: str, kind: str) -> None:
    items = rule_items(make_message(1, "user", said), number=1)
    assert [(item.text, item.quote, item.kind) for item in items] == [(said, said, kind)]


@pytest.mark.parametrize(
    ("said", "want"),
    [
        ("不要打电话，不要发短信", ["不要打电话", "不要发短信"]),
        ("价格必须含税，发票必须是专票", ["价格必须含税", "发票必须是专票"]),
        ("Keep it short, and prices must include tax", ["prices must include tax"]),
        ("写短一点，而且价格必须含税", ["价格必须含税"]),
        ("记住：价格必须含税，还要包邮", ["价格必须含税，还要包邮"]),
        ("We decided on Postgres. Not sure about the host.", ["We decided on Postgres"]),
    ],
)
def test_statements_of_their_own_stay_apart(said: str, want: list[str]) -> None:
    assert [item.text for item in rule_items(make_message(1, "user", said), number=1)] == want


@pytest.mark.parametrize(("said", "kind"), WHOLE)
async def test_a_whole_statement_passes_the_gate(said: str, kind: str) -> None:
    room = Room(lambda _body: json.dumps({"items": []}))
    await room.say(("user", said))
    await room.extract()
    assert [(update.new, update.kind) for update in await room.waiting()] == [(said, kind)]
