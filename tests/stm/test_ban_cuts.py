"""What is left of a message beside its bans; Chinese and English side by side."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.stm.ban_cuts import cut_bans, without_banned


@pytest.mark.parametrize(
    ("text", "topic", "left"),
    [
        ("我对花生过敏，别提我前男友的事", "前男友", "我对花生过敏"),
        ("I am allergic to peanuts. Never mention my divorce.", "divorce", "I am allergic to peanuts"),
        ("别提我前男友的事，我对花生过敏", "前男友", "我对花生过敏"),
        ("Never mention my divorce. I am allergic to peanuts.", "divorce", "I am allergic to peanuts"),
        ("我对花生过敏但是别提我前男友的事", "前男友", "我对花生过敏"),
        ("I'm allergic to peanuts and please never mention my divorce", "divorce", "I'm allergic to peanuts"),
        ("我对花生过敏 别再提离婚的事", "离婚", "我对花生过敏"),
        ("I'm allergic to peanuts, but don't bring up my ex", "ex", "I'm allergic to peanuts"),
        ("我住北京，我前男友的事，别提了，我对花生过敏", "前男友", "我住北京，我对花生过敏"),
        ("I live in York. My divorce: never bring it up. I dance.", "divorce", "I live in York. I dance"),
        ("别再提离婚的事。我前夫对花生过敏", "离婚", ""),
        ("Never mention my divorce. My ex-husband loves peanuts.", "divorce", ""),
        ("别再提离婚的事", "离婚", ""),
        ("Never mention my divorce.", "divorce", ""),
        ("最近在办离婚手续，我对花生过敏", "离婚", ""),
        ("We are filing for divorce. I am allergic to peanuts.", "divorce", ""),
        ("我对花生过敏，别提我前男友的事", "装修", "我对花生过敏，别提我前男友的事"),
        (
            "I am allergic to peanuts. Never mention my divorce.",
            "football",
            "I am allergic to peanuts. Never mention my divorce.",
        ),
    ],
)
def test_what_stands_beside_a_ban_is_left_and_nothing_of_the_topic(text: str, topic: str, left: str) -> None:
    assert without_banned(text, (topic,)) == left


@given(
    st.text(
        alphabet=st.sampled_from("我对花生过敏，别再提离婚的事。但是 aI and never mention my ex."),
        max_size=60,
    )
)
def test_what_is_left_of_any_text_was_said_in_it(text: str) -> None:
    assert set(cut_bans(text)) <= set(text)
