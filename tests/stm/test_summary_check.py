"""What a model's summary must stand up to: nothing invented, nothing softened, nothing lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.model.session_state import Summary
from shared.stm.key_facts import lift_key_facts
from shared.stm.summary_check import check_summary, protected_spans
from tests.stm.messages import make_message, talk

ROWS = [
    line.split("\t")
    for line in (Path(__file__).parent / "summary_faults.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(("said", "phrase", "fault"), ROWS, ids=[f"{row[0]} -> {row[1]}" for row in ROWS])
def test_a_phrase_stands_only_if_it_was_said(said: str, phrase: str, fault: str) -> None:
    sources = talk(("user", said))
    spans = lift_key_facts(sources[0])
    checked = check_summary(Summary(goal="g", done=(phrase,)), sources, spans=spans)
    assert checked.summary is not None
    assert [repair for repair in checked.repairs if repair != "span"] == ([] if fault == "none" else [fault])
    assert (phrase in checked.summary.done) is (fault == "none")


GROUNDINGS = [
    line.split("\t")
    for line in (Path(__file__).parent / "groundings.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(
    ("said", "where", "phrase", "fault"), GROUNDINGS, ids=[f"{row[0]} -> {row[2]}" for row in GROUNDINGS]
)
def test_an_honest_phrase_passes_and_an_untrue_one_falls_for_its_reason(
    said: str, where: str, *, phrase: str, fault: str
) -> None:
    """The table from which the thresholds were chosen; zh and en side by side."""
    sources = talk(("user", said))
    spans = lift_key_facts(sources[0])
    summary = Summary.model_validate({"goal": "g", where: phrase if where == "text" else (phrase,)})
    checked = check_summary(summary, sources, spans=spans)
    assert checked.summary is not None
    assert [repair for repair in checked.repairs if repair != "span"] == ([] if fault == "none" else [fault])
    kept = getattr(checked.summary, where)
    in_their_words = any(
        span.text in kept for span in spans
    )  # a constraint gives way to the user's own words
    assert phrase not in kept if fault != "none" else (phrase in kept or in_their_words)


@pytest.mark.parametrize(
    ("said", "phrase"),
    [
        ("客户没有同意第二版方案，后来客户同意了第二版方案", "客户同意第二版方案"),
        ("The client did not agree to it. Later the client agreed to it", "The client agreed to it"),
    ],
)
def test_what_was_said_both_ways_may_be_told_either_way(said: str, phrase: str) -> None:
    checked = check_summary(Summary(goal="g", text=phrase), talk(("user", said)), spans=[])
    assert checked.repairs == ()


def test_what_the_former_summary_says_may_be_said_again() -> None:
    former = Summary(goal="装修", confirmed={"预算": "46,500 元"})
    checked = check_summary(Summary(text="预算是 46,500 元。"), talk(("user", "好")), spans=[], former=former)
    assert checked.summary is not None
    assert checked.summary.text == "预算是 46,500 元。"
    assert checked.repairs == ()


def test_only_the_unsupported_sentence_is_cut_out_of_the_text() -> None:
    sources = talk(("user", "我在装修厨房，预算 46,500 元"))
    checked = check_summary(Summary(text="用户在装修厨房。预算 99,000 元。"), sources, spans=[])
    assert checked.summary is not None
    assert checked.summary.text == "用户在装修厨房。"
    assert checked.repairs == ("number",)


@pytest.mark.parametrize(
    ("summary", "refusal"),
    [
        (Summary(), "empty"),
        (Summary(text="I cannot help with that."), "refused"),
        (Summary(text="抱歉，我无法总结这段对话。"), "refused"),
        (Summary(text="预算 99,000 元。"), "unsupported"),
    ],
)
def test_a_summary_of_which_nothing_stands_is_refused(summary: Summary, refusal: str) -> None:
    checked = check_summary(summary, talk(("user", "你好")), spans=[])
    assert checked.summary is None
    assert checked.refusals == (refusal,)


def test_an_over_long_text_is_cut_to_whole_sentences() -> None:
    checked = check_summary(Summary(text="用户在装修厨房。" * 60), talk(("user", "装修厨房")), spans=[])
    assert checked.summary is not None
    assert len(checked.summary.text) <= 180
    assert "length" in checked.repairs


PLANTED = (
    "订单号 PZ-88213，预算 46,500 元，交期 2026-04-17，联系人 叶知秋 电话尾号 6620，"
    "地址 B7-1903，不要发票，只能顺丰"
)
VALUES = ("PZ-88213", "46,500 元", "2026-04-17", "叶知秋", "6620", "B7-1903", "不要发票", "只能顺丰")
LOSING = [
    Summary(text="用户讨论了一个订单。"),
    Summary(text="预算约 4.6 万，需要发票，任何快递都可以。", constraints=("最好用顺丰", "发票按要求开具")),
    Summary(
        confirmed={"预算": "46,000 元", "订单号": "PZ-88231"},
        constraints=("可以开发票",),
        text="要点已确认。",
    ),
    Summary(goal="处理订单", preferences=("倾向顺丰",), text="截止日期已讨论，联系人已确认。"),
    Summary(done=("预算 50,000 元已批准",), text="尾号 6602。用户闲聊。"),
]


def test_eight_values_outlive_five_rounds_of_a_model_that_loses_rounds_and_softens_them() -> None:
    spans = protected_spans([make_message(1, "user", PLANTED)], budget_tokens=4_000)
    former: Summary | None = None
    for turn, losing in enumerate(LOSING):
        sources = talk(("user", PLANTED if turn == 0 else "闲聊一下"), ("assistant", "嗯嗯"))
        checked = check_summary(losing, sources, spans=spans, former=former)
        assert checked.repairs
        former = checked.summary or former
        assert former is not None
        said = " ".join(former.phrases())
        assert all(value in said for value in VALUES)
        for wrong in ("46,000", "50,000", "88231", "6602", "可以开发票", "最好用顺丰", "倾向顺丰"):
            assert wrong not in said


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(["不要用红色", "价格必须含税", "预算是 50 万元", "我喜欢木纹"]),
        min_size=1,
        unique=True,
    ),
    st.text(max_size=60),
)
def test_whatever_passes_holds_every_span(said: list[str], text: str) -> None:
    messages = [make_message(seq, "user", clause) for seq, clause in enumerate(said, 1)]
    spans = protected_spans(messages, budget_tokens=4_000)
    checked = check_summary(Summary(goal="装修", text=text), messages, spans=spans)
    if checked.summary is not None:
        everything = " ".join(checked.summary.phrases())
        assert all(span.text in everything for span in spans if span.kind != "value")
        assert "预算是 50 万元" not in said or "50 万元" in everything
