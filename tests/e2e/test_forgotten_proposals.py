"""What waits for a yes and tells what is being forgotten goes with it: no yes brings it back."""

from __future__ import annotations

import pytest

from tests.e2e.stack import User

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize(
    ("said", "forget", "value", "kept"),
    [
        (("记住，预算是50万", "我决定把预算提高到60万", "对"), "忘掉我的预算", "60", "我决定每周三跑步"),
        (("我决定把预算提高到60万",), "忘掉我的预算", "60", "我决定每周三跑步"),
        (
            ("set the budget to 8000", "I decided to raise the budget to 9500", "yes"),
            "forget my budget",
            "9500",
            "I decided to run every Wednesday",
        ),
        (
            ("I decided to raise the budget to 9500",),
            "forget my budget",
            "9500",
            "I decided to run every Wednesday",
        ),
    ],
)
def test_a_forgotten_field_leaves_no_proposal_that_tells_it(
    user: User, said: tuple[str, ...], forget: str, value: str, kept: str
) -> None:
    for text in (*said, kept):
        user.turn("s1", text)
    user.flush("s1")
    before = [update["text"] for update in user.get("/v1/pending")["items"]]
    assert [text for text in before if value in text], before
    done = user.turn("s1", forget)
    assert [(each["kind"], each["outcome"]) for each in done["commands"]] == [("forget", "applied")]
    left = [update["text"] for update in user.get("/v1/pending")["items"]]
    assert [text for text in left if value in text] == []
    assert [text for text in before if value not in text] == left
    assert user.fields() == {}
