"""The window: legal for every provider, within its budget, and nothing protected is lost."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.model.message import EchoReasoning, Message
from shared.stm.window import fit_window, minimum_tokens, to_openai
from tests.stm.messages import find_faults, make_calls, make_message, talk


def tool_conversation(turns: int) -> list[Message]:
    """Return the conversation of case WIN-01: a system text, then turns with two tool calls each."""
    messages = [make_message(1, "system", "sys")]
    for turn in range(turns):
        seq = 2 + 5 * turn
        calls = make_calls(f"a{turn}", f"b{turn}")
        messages += [
            make_message(seq, "user", f"q{turn}"),
            make_message(seq + 1, "assistant", "", tool_calls=calls),
            make_message(seq + 2, "tool", f"ra{turn}", tool_call_id=f"a{turn}"),
            make_message(seq + 3, "tool", f"rb{turn}", tool_call_id=f"b{turn}"),
            make_message(seq + 4, "assistant", f"done{turn}"),
        ]
    return [*messages, make_message(2 + 5 * turns, "user", "next")]


@pytest.mark.parametrize("size", range(1, 60))
def test_every_window_over_tool_calls_is_legal_and_within_budget(size: int) -> None:
    messages = tool_conversation(10)
    budget = sum(message.tokens for message in (messages[0], *messages[-size:]))
    window = fit_window(messages, budget_tokens=budget)
    assert find_faults(to_openai(window.messages)) == []
    assert window.tokens <= budget
    assert window.messages[0].text == "sys"
    assert window.messages[-1].text == "next"
    assert window.dropped == len(messages) - len(window.messages)


def test_what_fits_is_kept_whole() -> None:
    messages = tool_conversation(3)
    window = fit_window(messages, budget_tokens=10_000)
    assert window.messages == tuple(messages)
    assert (window.dropped, window.cut_ids) == (0, ())


def test_the_newest_messages_are_kept() -> None:
    messages = talk(*[("user", f"问题{n}") if n % 2 else ("assistant", f"回答{n}") for n in range(1, 200)])
    window = fit_window(messages, budget_tokens=200)
    assert window.messages == tuple(messages[-len(window.messages) :])
    assert window.tokens > 150


@pytest.mark.parametrize("text", ["中文内容，" * 12_000, "plain words and more, " * 3_000, "x" * 200_000])
def test_an_over_long_current_message_is_cut_with_a_marker_and_stays_whole_in_store(text: str) -> None:
    messages = talk(("user", "你好"), ("assistant", "您好"), ("user", text))
    window = fit_window(messages, budget_tokens=2_000)
    current = window.messages[-1]
    assert window.tokens <= 2_000
    assert window.cut_ids == (messages[-1].id,)
    assert current.text.startswith(text[:200])
    assert current.text.endswith(text[-100:])
    assert "省略" in current.text or "left out" in current.text
    assert messages[-1].text == text


def test_after_an_over_long_message_the_next_turn_still_sees_both_its_ends() -> None:
    messages = talk(
        ("user", "第一段" + "长" * 60_000 + "最后一段"), ("assistant", "收到"), ("user", "刚才那段说了什么")
    )
    window = fit_window(messages, budget_tokens=3_000)
    assert window.messages[0].text.startswith("第一段")
    assert window.messages[0].text.endswith("最后一段")
    assert len(window.messages) == 3


def test_a_cut_never_halves_a_number() -> None:
    text = "总价 46,500 元 " * 4_000
    for budget in range(150, 400, 7):
        cut = fit_window(talk(("user", text)), budget_tokens=budget).messages[-1].text
        assert set(cut.split()) <= {
            "总价",
            "46,500",
            "元",
            *cut[cut.index("…") : cut.rindex("…") + 1].split(),
        }


def test_a_long_tool_output_of_the_current_turn_is_cut_and_a_former_one_dropped_whole() -> None:
    big = "row 1, value 2\n" * 15_000
    old = [
        make_message(1, "user", "before"),
        make_message(2, "assistant", None, tool_calls=make_calls("c1")),
        make_message(3, "tool", big, tool_call_id="c1"),
        make_message(4, "assistant", "42 rows"),
    ]
    current = [
        make_message(5, "user", "again"),
        make_message(6, "assistant", None, tool_calls=make_calls("c1", "c2")),
        make_message(7, "tool", big, tool_call_id="c1"),
        make_message(8, "tool", "short", tool_call_id="c2"),
    ]
    window = fit_window([*old, *current], budget_tokens=1_500)
    assert [message.seq for message in window.messages] == [1, 4, 5, 6, 7, 8]
    assert window.cut_ids == ("msg_7",)
    assert window.tokens <= 1_500
    assert find_faults(to_openai(window.messages)) == []


def test_calls_and_results_that_lack_each_other_are_left_out() -> None:
    messages = [
        make_message(1, "tool", "orphan", tool_call_id="zz"),
        make_message(2, "user", "q"),
        make_message(3, "assistant", "let me look", tool_calls=make_calls("a", "b")),
        make_message(4, "tool", "ra", tool_call_id="a"),
        make_message(5, "user", "and?"),
        make_message(6, "assistant", None, tool_calls=make_calls("c")),
    ]
    items = to_openai(fit_window(messages, budget_tokens=1_000).messages)
    assert items == [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": "let me look"},
        {"role": "user", "content": "and?"},
    ]


def test_an_interrupted_reply_gives_way_to_the_complete_one_of_its_turn() -> None:
    messages = [
        make_message(1, "user", "讲个故事", turn_id="t1"),
        make_message(2, "assistant", "从前有", state="interrupted", turn_id="t1"),
        make_message(3, "assistant", "从前有座山。", turn_id="t1"),
        make_message(4, "user", "再讲一个", turn_id="t2"),
        make_message(5, "assistant", "海边", state="interrupted", turn_id="t2"),
        make_message(6, "user", "继续", turn_id="t3"),
    ]
    window = fit_window(messages, budget_tokens=1_000)
    assert [message.seq for message in window.messages] == [1, 3, 4, 5, 6]


def test_neighbours_of_one_role_become_one_message() -> None:
    image: dict[str, Any] = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
    messages = [
        make_message(1, "user", "第一句"),
        make_message(2, "user", [{"type": "text", "text": "第二句"}, image]),
        make_message(3, "assistant", "好"),
        make_message(4, "assistant", "", tool_calls=make_calls("a")),
        make_message(5, "tool", "", tool_call_id="a"),
        make_message(6, "user", "hi", name="Ann"),
        make_message(7, "user", "hello", name="Bo"),
    ]
    items = to_openai(messages)
    assert find_faults(items) == []
    assert [item["role"] for item in items] == ["user", "assistant", "tool", "user"]
    assert items[0]["content"] == [
        {"type": "text", "text": "第一句"},
        {"type": "text", "text": "第二句"},
        image,
    ]
    assert items[1]["content"] == "好"
    assert items[1]["tool_calls"] == make_calls("a")
    assert items[3] == {"role": "user", "content": "Ann: hi\n\nBo: hello"}


THOUGHTS = [("never", []), ("tool_turns", [1]), ("always", [1, 3])]


@pytest.mark.parametrize(("echo", "places"), THOUGHTS)
def test_reasoning_goes_back_only_where_the_policy_says(echo: EchoReasoning, places: list[int]) -> None:
    messages = [
        make_message(1, "user", "q"),
        make_message(2, "assistant", None, tool_calls=make_calls("a"), reasoning="thought 1"),
        make_message(3, "tool", "r", tool_call_id="a"),
        make_message(4, "assistant", "42", reasoning="thought 2"),
        make_message(5, "user", "next"),
    ]
    items = to_openai(messages, echo=echo)
    assert [place for place, item in enumerate(items) if "reasoning_content" in item] == places
    assert all("thought" not in str(item["content"]) for item in items)


def test_what_is_cut_carries_no_reasoning() -> None:
    long = make_message(2, "assistant", "word " * 4_000, reasoning="thought")
    window = fit_window([make_message(1, "user", "q"), long, make_message(3, "user", "x")], budget_tokens=900)
    assert window.cut_ids == ("msg_2",)
    assert all("reasoning_content" not in item for item in to_openai(window.messages, echo="always"))


def test_empty_messages_are_skipped() -> None:
    messages = talk(("user", "在吗"), ("assistant", " "), ("user", ""), ("assistant", "在"), ("user", "好"))
    assert [m.seq for m in fit_window(messages, budget_tokens=500).messages] == [1, 4, 5]
    assert fit_window([], budget_tokens=100).messages == ()


def test_system_messages_stand_first_and_are_never_left_out() -> None:
    messages = [
        make_message(1, "user", "q" * 40),
        make_message(2, "system", "speak like a pirate"),
        make_message(3, "user", "next"),
    ]
    window = fit_window(messages, budget_tokens=minimum_tokens(messages))
    assert [message.seq for message in window.messages] == [2, 3]


CALL_IDS = st.lists(st.sampled_from(["a", "b", "c"]), max_size=2)
TEXTS = st.one_of(
    st.sampled_from(["", " ", "好的", "ok", "不要用短信验证码", "预算 46,500 元"]),
    st.text(max_size=40),
    st.builds(
        lambda unit, times: unit * times,
        st.sampled_from(["长文本。", "long text. ", "x", "😀"]),
        st.integers(50, 900),
    ),
)


@st.composite
def conversations(draw: st.DrawFn) -> list[Message]:
    """Any sequence of messages, whether it makes sense or not."""
    messages: list[Message] = []
    for seq in range(1, draw(st.integers(1, 18)) + 1):
        role = draw(st.sampled_from(["user", "assistant", "assistant", "tool", "tool", "system"]))
        text: Any = draw(TEXTS)
        if role == "user" and draw(st.booleans()):
            text = [{"type": "text", "text": text}, {"type": "image_url", "image_url": {"url": "u"}}]
        body: dict[str, Any] = {}
        if role == "assistant":
            body["tool_calls"] = make_calls(*draw(CALL_IDS)) or None
        if role == "tool":
            body["tool_call_id"] = draw(st.sampled_from(["a", "b", "c"]))
        state = draw(st.sampled_from(["complete", "interrupted"])) if role == "assistant" else "complete"
        turn_id = draw(st.sampled_from([None, "t1", "t2"]))
        messages.append(make_message(seq, role, text, state=state, turn_id=turn_id, **body))  # type: ignore[arg-type]
    return messages


@settings(max_examples=100, deadline=None)
@given(conversations(), st.integers(0, 3_000))
def test_any_window_is_legal_within_budget_in_order_and_keeps_what_is_protected(
    messages: list[Message], extra: int
) -> None:
    budget = minimum_tokens(messages) + extra
    window = fit_window(messages, budget_tokens=budget)
    items = to_openai(window.messages)
    assert window.tokens <= budget
    assert find_faults(items) == []
    kept = [message.seq for message in window.messages]
    assert len(kept) == len(set(kept)) == len(messages) - window.dropped
    for spoken in ("system", "user"):
        order = [message.seq for message in window.messages if message.role == spoken]
        assert order == sorted(order)
    said = {message.seq for message in messages if message.role == "system" and message.text.strip()}
    assert said <= set(kept)
    users = [message.seq for message in messages if message.role == "user" and message.body.content != ""]
    users = [
        seq
        for seq in users
        if messages[seq - 1].text.strip() or isinstance(messages[seq - 1].body.content, list)
    ]
    if users:
        assert users[-1] in kept
    stored = {message.seq: message for message in messages}
    for message in window.messages:
        if message.id not in window.cut_ids:
            assert message.body.content == stored[message.seq].body.content


@settings(max_examples=25, deadline=None)
@given(conversations())
def test_with_room_enough_nothing_is_cut(messages: list[Message]) -> None:
    window = fit_window(messages, budget_tokens=4 * sum(message.tokens for message in messages) + 100)
    assert window.cut_ids == ()
