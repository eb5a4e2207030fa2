"""What the next session begins with: what the last one had memory keep, as it holds now."""

from __future__ import annotations

import pytest

from tests.e2e.stack import User
from tests.e2e.test_stm_dialogues import head_of

pytestmark = pytest.mark.e2e


def test_a_deleted_session_takes_its_digest_and_its_open_proposals_along_and_counts_them(user: User) -> None:
    (update,) = user.turn("a", "总预算控制在五十万以内")["pending"]
    user.flush("a")
    counts = user.client.delete("/v1/sessions/a").json()["deleted"]
    assert (counts["episodes"], counts["proposals"], counts["digests"]) == (2, 1, 1)
    assert user.client.post(f"/v1/pending/{update['id']}/confirm").status_code == 404
    assert user.get("/v1/audit")["items"][0]["details"]["proposals"] == 1


@pytest.mark.parametrize(
    ("said", "kept", "correction", "corrected", "then", "more"),
    [
        pytest.param(
            "记住，千字稿酬是180",
            "千字稿酬是180",
            "更正：千字稿酬是210",
            "千字稿酬是210",
            "又找了一位译者，把条件发给她",
            "嗯，好的",
            id="zh",
        ),
        pytest.param(
            "Remember: the fee is 180 a page",
            "the fee is 180 a page",
            "Correction: the fee is 210 a page",
            "the fee is 210 a page",
            "Another translator has agreed, send her our terms",
            "All right",
            id="en",
        ),
    ],
)
def test_the_next_session_carries_what_the_last_one_had_kept_as_it_holds_now(
    user: User, said: str, kept: str, *, correction: str, corrected: str, then: str, more: str
) -> None:
    user.turn("a", said)
    user.turn("a", more)
    assert kept not in head_of(user, "elsewhere", then)
    user.flush("a")
    assert head_of(user, "b", then).count(f"\n- {kept}\n") == 1
    user.turn("a", correction)
    user.flush("a")
    (memory,) = user.get("/v1/memories")["items"]
    assert f"\n- {corrected}\n" in head_of(user, "b", then)
    assert kept not in head_of(user, "b", then)
    user.client.delete(f"/v1/memories/{memory['id']}").raise_for_status()
    assert corrected not in head_of(user, "b", then)
