"""Topics: what bans, what lifts, what matches; Chinese and English side by side."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.stm.topic_words import is_sensitive_topic, matches_topic
from shared.stm.topics import find_returns, find_topic_commands, render_topic_bans

ROWS = [
    line.split("\t")
    for line in (Path(__file__).parent / "topics.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]

RETURNS = [
    line.split("\t")
    for line in (Path(__file__).parent / "returns.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(("text", "action", "topic", "lasting"), ROWS, ids=[row[0] for row in ROWS])
def test_a_message_bans_or_lifts_just_what_it_says(text: str, action: str, topic: str, lasting: str) -> None:
    commands = find_topic_commands(text)
    found = [(c.action, c.topic, "good" if c.lasting else "session") for c in commands]
    assert found == ([] if action == "none" else [(action, topic, lasting)])


@pytest.mark.parametrize(
    ("text", "topic", "expected"),
    [
        ("我孩子今天上学了", "孩子", True),
        ("my son started school today", "kids", True),
        ("女儿发烧了", "孩子", True),
        ("最近在办离婚手续", "离婚", True),
        ("the divorce papers came", "divorce", True),
        ("给我一些周末放松的建议", "离婚", False),
        ("what should I cook tonight?", "divorce", False),
        ("我没钱了", "工资", True),
        ("这台电脑多少钱", "工资", False),
        ("我的电脑中病毒了", "病", False),
        ("我的病又犯了", "病", True),
        ("我爸爸住院了", "爸", True),
        ("项目进度如何", "项目进度", True),
        ("进度如何", "项目进度", False),
        ("a personal matter", "kids", False),
        ("the skiing season", "kids", False),
        ("家里的Wi-Fi又断了", "Wi-Fi", True),
        ("Who has the Wi-Fi?", "the Wi-Fi", True),
        ("wifi密码是谁设的", "Wi-Fi", True),
        ("the Wi-Fi is down", "wifi", True),
        ("明天去拍X-ray", "X-ray", True),
        ("my X-ray is tomorrow", "X-ray", True),
        ("a rowing boat for two", "rowing-boat", True),
        ("the boat leaves at six", "rowing-boat", False),
        ("a ray of hope", "X-ray", False),
        ("2024-03-05的会", "会议", False),
    ],
)
def test_a_text_matches_a_topic_by_its_words_or_related_ones(text: str, topic: str, expected: bool) -> None:
    assert matches_topic(text, topic) is expected


def test_the_users_own_return_lifts_a_ban_and_another_ban_does_not() -> None:
    assert find_returns("我孩子今天上学了", ["孩子", "离婚"]) == ["孩子"]
    assert find_returns("重新可以聊离婚的事了，律师费怎么算？", ["孩子", "离婚"]) == ["离婚"]
    assert find_returns("别再提我孩子的事", ["孩子"]) == []
    assert find_returns("stop bringing up my kids", ["kids"]) == []
    assert find_returns("周末去哪玩", ["孩子"]) == []


@pytest.mark.parametrize(("text", "topic", "want"), RETURNS, ids=[row[0] for row in RETURNS])
def test_a_return_lifts_a_ban_and_a_request_to_forget_does_not(text: str, topic: str, want: str) -> None:
    assert find_returns(text, [topic]) == ([topic] if want == "lifted" else [])


def test_the_head_names_what_not_to_bring_up() -> None:
    assert render_topic_bans(["离婚", "孩子"], "zh") == "用户不想谈以下话题，不要主动提起：离婚、孩子"
    assert render_topic_bans(["my divorce"], "en").endswith("do not bring up: my divorce")
    assert render_topic_bans([], "en") == ""


def test_health_family_money_and_cards_are_sensitive() -> None:
    for topic in ("我的病", "孩子", "欠债", "信用卡", "my health", "my kids", "my debts", "my credit card"):
        assert is_sensitive_topic(topic)
    for topic in ("装修", "足球", "the project", "football"):
        assert not is_sensitive_topic(topic)


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_read_without_error_and_quotes_stand_in_it(text: str) -> None:
    assert all(command.quote in text for command in find_topic_commands(text))
