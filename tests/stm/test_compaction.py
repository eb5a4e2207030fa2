"""When a session is summarised, and what of it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.model.message import Message, Role
from shared.stm.compaction import CompactionState, Watermarks, plan_compaction, watermarks
from tests.stm.messages import make_calls, make_message, talk

MARKS = Watermarks(high=300, low=180, capacity=500, least_tokens=0)


def small_talk(turns: int) -> list[Message]:
    pairs = [(("user", f"第{n}轮，聊点别的"), ("assistant", f"收到第{n}轮")) for n in range(turns)]
    return talk(*[message for pair in pairs for message in pair])  # type: ignore[arg-type]


def long_turns() -> list[Message]:
    turn: list[tuple[Role, str]] = [("user", "长" * 400), ("assistant", "好")]
    return talk(*turn * 3)


def test_the_marks_are_shares_of_what_history_may_take() -> None:
    marks = watermarks(3_000)
    assert (marks.capacity, marks.high, marks.low) == (3_000, 1_800, 1_080)
    assert not marks.is_lowered


def test_marks_above_the_window_are_lowered_and_said_so() -> None:
    marks = watermarks(3_700, high_tokens=90_000, low_tokens=80_000)
    assert marks.high == marks.low == marks.capacity == 3_700
    assert marks.is_lowered


def test_under_the_high_mark_nothing_is_planned() -> None:
    assert plan_compaction(small_talk(5), CompactionState(marks=MARKS)) is None
    assert plan_compaction([], CompactionState(marks=MARKS)) is None


def test_over_the_high_mark_the_oldest_half_goes_until_the_low_mark_is_passed() -> None:
    messages = small_talk(20)
    total = sum(message.tokens for message in messages)
    plan = plan_compaction(messages, CompactionState(marks=MARKS))
    assert plan is not None
    assert plan.messages == tuple(messages[: len(plan.messages)])
    assert plan.from_seq == 1
    assert plan.tokens >= total / 2
    assert plan.remaining_tokens <= MARKS.low
    assert messages[len(plan.messages)].role == "user"


def test_what_a_summary_holds_already_is_passed_over() -> None:
    messages = small_talk(40)
    plan = plan_compaction(messages, CompactionState(marks=MARKS, compacted_to=20))
    assert plan is not None
    assert plan.from_seq == 21


def test_the_last_three_turns_stay_whatever_the_marks_say() -> None:
    messages = long_turns()
    assert plan_compaction(messages, CompactionState(marks=MARKS)) is None
    longer = [
        *talk(("user", "早"), ("assistant", "早")),
        *long_turns(),
    ]
    renumbered = [message.model_copy(update={"seq": seq}) for seq, message in enumerate(longer, 1)]
    plan = plan_compaction(renumbered, CompactionState(marks=MARKS))
    assert plan is not None
    assert plan.to_seq == 2


def test_a_call_whose_result_comes_after_another_message_goes_whole() -> None:
    messages = small_talk(20)
    messages[15] = make_message(16, "assistant", None, tool_calls=make_calls("late"))
    messages.append(make_message(41, "tool", "found", tool_call_id="late"))
    plan = plan_compaction(messages, CompactionState(marks=MARKS))
    assert plan is not None
    assert plan.to_seq < 16


def test_by_default_a_long_conversation_costs_a_call_in_1500_tokens() -> None:
    marks = watermarks(3_000)
    messages: list[Message] = []
    compacted_to = calls = 0
    for message in small_talk(1_000):
        messages.append(message)
        plan = plan_compaction(messages, CompactionState(marks=marks, compacted_to=compacted_to))
        if plan is not None:
            calls, compacted_to = calls + 1, plan.to_seq
            assert plan.tokens + plan.remaining_tokens <= marks.capacity
    assert 0 < calls <= sum(message.tokens for message in messages) / 1_500


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(["user", "assistant", "call", "tool"]), max_size=40),
    st.integers(10, 400),
    st.integers(0, 10),
)
def test_any_plan_is_a_prefix_of_whole_turns_and_leaves_three(roles: list[str], high: int, done: int) -> None:
    messages: list[Message] = []
    for seq, role in enumerate(roles, 1):
        if role == "call":
            messages.append(make_message(seq, "assistant", None, tool_calls=make_calls(f"c{seq}")))
        elif role == "tool":
            messages.append(make_message(seq, "tool", "r", tool_call_id=f"c{max(1, seq - 1)}"))
        else:
            messages.append(make_message(seq, role, "说点什么吧" * 4))  # type: ignore[arg-type]
    marks = Watermarks(high=high, low=high * 6 // 10, capacity=high * 10 // 6, least_tokens=0)
    plan = plan_compaction(messages, CompactionState(marks=marks, compacted_to=done))
    if plan is None:
        return
    rest = [message for message in messages if message.seq > plan.to_seq]
    assert plan.from_seq == done + 1
    assert rest[0].role == "user"
    starts = [m for n, m in enumerate(rest) if m.role == "user" and (n == 0 or rest[n - 1].role != "user")]
    assert len(starts) >= 3
    called = {call["id"] for message in plan.messages for call in message.body.tool_calls or ()}
    assert not called & {message.body.tool_call_id for message in rest}


@pytest.mark.parametrize("history", [-40, 0, 1, 192, 3_000, 128_000])
def test_marks_are_ordered_for_any_window(history: int) -> None:
    marks = watermarks(history)
    assert 0 <= marks.low <= marks.high <= marks.capacity
