"""Kinds: what a question for several things of a kind looks for beside its own words."""

import pytest

from shared.language.kinds import _TABLE, MOST_ADDED, WEIGHT, kind_terms
from shared.language.terms import index_terms, query_terms


@pytest.mark.parametrize(
    ("question", "member", "is_sought"),
    [
        ("我养过哪些宠物", "小狗", True),
        ("What pets have I had?", "dog", True),
        ("我有哪些家人", "妻子", True),
        ("Which relatives did I visit?", "aunt", True),
        ("她会哪些乐器", "钢琴", True),
        ("Which instruments does she play?", "piano", True),
        ("我的小狗叫什么", "宠物", False),
        ("What is my dog called?", "pet", False),
        ("用过哪些工具", "汽车", False),
        ("Which tools did I use?", "car", False),
        ("我养过哪些宠物", "dog", False),
    ],
)
def test_a_kind_looks_for_what_is_of_it_and_not_the_other_way_round(
    question: str, member: str, *, is_sought: bool
) -> None:
    assert (member in {term.term for term in kind_terms(query_terms(question))}) is is_sought


def test_members_weigh_less_than_words_are_few_and_are_none_of_the_query_itself() -> None:
    asked = query_terms("families relatives children pets animals hobbies sports and my dog 家人 宠物 运动")
    added = kind_terms(asked)
    assert len(added) == MOST_ADDED
    assert {term.weight for term in added} == {WEIGHT}
    assert not {term.term for term in added} & {term.term for term in asked}
    assert kind_terms([]) == []


def test_each_kind_is_one_term_so_that_no_part_of_it_stands_for_it() -> None:
    lines = _TABLE.strip().splitlines()
    for line in lines:
        kinds, _, things = line.partition(":")
        assert all(len(index_terms(kind)) == 1 for kind in kinds.split(",")), line
        assert all(index_terms(thing) for thing in things.split(",")), line
    chinese = [not line.isascii() for line in lines]
    assert chinese == [False, True] * (len(lines) // 2), "each kind stands in both languages"
