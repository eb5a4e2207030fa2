"""The task card: done is done, what waits is UNFILLED, and the front has the last word."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.stm.task_card import RequiredField, TaskCard, derive_task_card, render_task_card

REQUIRED = [
    RequiredField(path="business_context.project_id", label="项目编号"),
    RequiredField(path="business_context.deadline", label="截止日"),
]


def test_a_task_type_fills_the_card_from_the_fields() -> None:
    card = derive_task_card(
        None,
        task_type="contract_review",
        required=REQUIRED,
        values={"business_context.deadline": "2024-03-15"},
    )
    assert card == TaskCard(intent="contract_review", done={"截止日": "2024-03-15"}, waiting=("项目编号",))


def test_what_the_front_sets_wins() -> None:
    front = TaskCard(intent="审合同", done={"项目编号": "见附件"}, waiting=("截止日", "签字人"))
    values = {"business_context.deadline": "2024-03-15"}
    card = derive_task_card(front, task_type="contract_review", required=REQUIRED, values=values)
    assert card == front


def test_without_a_task_the_fronts_card_stands_alone() -> None:
    front = TaskCard(intent="登记", done={"姓名": "李雷", "电话": "13800138000"}, waiting=("地址",))
    assert derive_task_card(front, task_type=None, required=REQUIRED, values={}) == front
    assert derive_task_card(None, task_type=None, required=REQUIRED, values={}).is_empty


@pytest.mark.parametrize(
    ("language", "card", "expected"),
    [
        (
            "zh",
            TaskCard(intent="登记", done={"姓名": "李雷", "会员": True}, waiting=("地址",)),
            (
                "【任务卡】\n目标: 登记\n已完成（不要再问）:\n- 姓名: 李雷\n- 会员: 是\n"
                "待填写（只问这些）:\n- 地址: UNFILLED\n已完成的内容不要再次询问用户。"
            ),
        ),
        (
            "en",
            TaskCard(intent="registration", done={"name": "Lee", "tags": ["a", "b"]}, waiting=("address",)),
            (
                "[Task card]\nGoal: registration\nDone (do not ask again):\n- name: Lee\n- tags: a, b\n"
                "Waiting (ask only for these):\n- address: UNFILLED\nDo not ask again for what is done."
            ),
        ),
        ("en", TaskCard(), ""),
    ],
)
def test_the_block_is_fixed(language: str, card: TaskCard, expected: str) -> None:
    assert render_task_card(card, language) == expected


def test_a_value_cannot_pass_for_a_line_of_the_card() -> None:
    card = TaskCard(done={"note": "x\n- address: 1 Main St"}, waiting=("address",))
    assert "\n- address: 1 Main St" not in render_task_card(card, "en")


LABELS = st.sampled_from(["a", "b", "c", "d"])


@settings(deadline=None)
@given(
    st.dictionaries(LABELS, st.text(max_size=5)),
    st.lists(LABELS),
    st.dictionaries(LABELS, st.one_of(st.none(), st.text(max_size=5))),
)
def test_nothing_is_both_done_and_waiting(
    done: dict[str, str], waiting: list[str], values: dict[str, str]
) -> None:
    front = TaskCard(done=done, waiting=tuple(waiting))
    required = [RequiredField(path=label, label=label) for label in "abcd"]
    card = derive_task_card(front, task_type="t", required=required, values=values)
    assert not set(card.done) & set(card.waiting)
    assert set(card.done) | set(card.waiting) == set("abcd")
    assert len(card.waiting) == len(set(card.waiting))
