"""`bilayer recall`: what a search finds, and why, as a table."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from click.testing import CliRunner, Result

from shared.cli import cli
from shared.cli.recall import PARTS, describe_hits
from tests.e2e.stack import Stack, User

WHY = dict.fromkeys(PARTS, 0.25)


def hit(text: str, **more: Any) -> dict[str, Any]:
    source = {"session_id": "s1", "message_ids": ["m1"], "quote": text, "said_at": "2024-03-01T02:00:00Z"}
    memory = {"text": text, "kind": "episode"}
    return {"memory": memory, "score": 0.5, "scope": "user", "source": source, "past": None} | more


def test_the_columns_stand_under_their_heads() -> None:
    lines = list(describe_hits([hit("报表用企业微信接收", why=WHY), hit("reports", why=WHY)], explain=True))
    assert lines[0].split() == ["score", *PARTS, "date", "scope", "session", "kind", "text"]
    assert [line.index("2024-03-01") for line in lines[1:]] == [lines[0].rindex(" date ") + 1] * 2
    assert lines[1].split()[: 1 + len(PARTS)] == ["0.50", *["0.25"] * len(PARTS)]
    assert lines[1].endswith("报表用企业微信接收")


def test_without_the_flag_there_are_no_parts() -> None:
    head, line = describe_hits([hit("reports")], explain=False)
    assert head.split() == ["score", "date", "scope", "session", "kind", "text"]
    assert line.split() == ["0.50", "2024-03-01", "user", "s1", "episode", "reports"]


@pytest.mark.parametrize(
    ("past", "wanted"),
    [
        (
            {"until": "2024-03-06T02:00:00Z", "newer": "我搬到上海了"},
            "我住北京  [until 2024-03-06: 我搬到上海了]",
        ),
        ({"newer": "我搬到上海了"}, "我住北京  [until 2024-03-06: 我搬到上海了]"),
        ({"newer": None}, "我住北京  [until 2024-03-06]"),
    ],
)
def test_what_holds_no_longer_says_so(past: dict[str, Any], wanted: str) -> None:
    ended = {"until": "2024-03-06T02:00:00Z", **past}
    assert [*describe_hits([hit("我住北京", past=ended)], explain=False)][1].endswith(wanted)


def test_a_user_s_words_cannot_move_the_cursor_nor_add_a_line() -> None:
    lines = list(describe_hits([hit("a\x1b[2J\nb\u202e")], explain=False))
    assert len(lines) == 2
    assert not set("\x1b\n\u202e") & set(lines[1])


@pytest.mark.e2e
class TestOverHttp:
    """The command against a running front."""

    @pytest.fixture
    def user(self, plain_stack: Stack) -> User:
        found = plain_stack.user(f"recalled-{uuid.uuid4().hex[:8]}")
        found.turn("s1", "记住：报销截止日是25号")
        found.turn("s1", "Remember: reports go out on Fridays.")
        return found

    def run(self, user: User, *words: str) -> Result:
        headers = user.client.headers
        key = headers["authorization"].removeprefix("Bearer ")
        named = ["--url", str(user.client.base_url), "--key", key, "--user", headers["bilayer-user"]]
        return CliRunner().invoke(cli, ["recall", *named, *words])

    @pytest.mark.parametrize(
        ("query", "found"),
        [("报销截止日是哪天", "报销截止日是25号"), ("when do reports go out", "reports go out")],
    )
    def test_it_prints_hits_with_the_parts_of_their_scores(self, user: User, query: str, found: str) -> None:
        result = self.run(user, query, "--explain")
        assert result.exit_code == 0, result.output
        head, best, *_ = result.output.splitlines()
        assert head.split()[:3] == ["score", "terms", "neighbour"]
        assert found in best
        assert float(best.split()[1]) > 0

    def test_it_prints_the_answer_itself_as_json(self, user: User) -> None:
        items = json.loads(self.run(user, "报销", "--json", "--limit", "1").output)["items"]
        assert [hit["memory"]["text"] for hit in items] == ["报销截止日是25号"]
        assert "why" not in items[0]

    @pytest.mark.parametrize("words", [(), ("--json",)])
    def test_nothing_found_is_told_and_is_exit_code_one(
        self, plain_stack: Stack, words: tuple[str, ...]
    ) -> None:
        nobody = plain_stack.user("recalled-nobody")
        result = self.run(nobody, "报销截止日是哪天", *words)
        assert result.exit_code == 1
        if words:
            assert json.loads(result.stdout) == {"items": []}
        else:
            assert "Nothing answers that" in result.output
            assert "recalled-nobody" in result.output

    def test_a_bad_time_and_a_bad_limit_are_one_sentence(self, user: User) -> None:
        for words in (["--as-of", "yesterday"], ["--limit", "0"]):
            result = self.run(user, "报销", *words)
            assert result.exit_code == 1
            assert result.output.startswith("Error: ")
