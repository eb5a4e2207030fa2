"""What is gone is not told by what a session leaves: words, values, and most of the terms."""

from __future__ import annotations

from typing import Any

import pytest

from shared.model.message import Message, Session, SessionNotes
from shared.model.pending import Tombstone
from shared.model.session_state import Summary
from shared.stm.digest import make_digest, render_digest
from shared.stm.gone import gone_of, leave_out_gone, tells_gone
from shared.stm.summary import extractive_summary
from shared.stm.withheld import Withheld
from tests.stm.messages import make_message, talk

AT_MS = 1_000


def stone(value: Any, *, path: str | None = None) -> Tombstone:
    return Tombstone(id="tmb_1", path=path, value=value, cause="forgotten", at_ms=AT_MS)


@pytest.mark.parametrize(
    ("path", "value", "text", "is_told"),
    [
        (None, "我的猫叫团子", "我的猫叫团子", True),
        (None, "my cat is called Pebble", "My cat is called Pebble.", True),
        (None, "我的猫叫团子", "好的，记下了：我的猫叫团子", True),
        (None, "my cat is called Pebble", "Noted: my cat is called Pebble", True),
        (None, "我的储物柜是77号", "你的储物柜77", True),
        (None, "my locker is number 77", "Noted, your locker is 77", True),
        (None, "我喜欢吃榴莲，讨厌香菜", "讨厌香菜", True),
        (None, "I love durian, I hate coriander", "I hate coriander", True),
        (None, "我的猫叫团子", "我的狗很乖", False),
        (None, "my cat is called Pebble", "my dog is very good", False),
        (None, "我的预算是9000", "我的预算要含税", False),
        (None, "my budget is 9000", "my budget must include tax", False),
        (None, "我妈妈有糖尿病", "我爸爸有糖尿病", False),
        (None, "My mother has diabetes", "My father has diabetes", False),
        (None, "客户B要求先付50%定金", "客户A要求先付30%定金", False),
        (None, "The office in Madrid closes at six", "The office in Berlin closes at six", False),
        ("home.city", "Work", "the workshop is closed", False),
        ("budget.ceiling", 91234, "预算 91234", True),
        ("budget.ceiling", 91234, "budget 91,234", True),
        ("budget.ceiling", 500_000, "预算五十万", True),
        ("budget.ceiling", 500_000, "a budget of $500,000", True),
        ("budget.ceiling", 500_000, "预算六十万", False),
        ("budget.ceiling", 500_000, "a budget of $600,000", False),
        ("team.size", 3, "三天后交付", False),
        ("team.size", 3, "due in 3 days", False),
        ("home.city", "苏州", "我住在苏州", True),
        ("home.city", "Oslo", "I live in Oslo", True),
        ("tags", ["苏州", "常州"], "我住在常州", True),
        ("tags", ["Oslo", "Bergen"], "I live in Bergen", True),
        ("is_member", True, "我是会员", False),
        ("is_member", True, "I am a member", False),
    ],
)
def test_what_speaks_of_a_tombstone_is_gone(
    path: str | None, value: Any, *, text: str, is_told: bool
) -> None:
    gone = gone_of([stone(value, path=path)])
    assert tells_gone(text, gone) is is_told
    assert tells_gone(text, gone, said_at_ms=AT_MS) is is_told
    assert not tells_gone(text, gone, said_at_ms=AT_MS + 1)


IN_PART = [
    ("我在字节跳动上海办公室的年薪是80万", "年薪 80万", True),
    (
        "as a senior engineer at the Acme office in Berlin my salary is 128000",
        "berlin my salary 128000",
        True,
    ),
    ("给Acme的报价不能低于90万", "报价 90万", True),
    ("Acme in Berlin pays us a monthly retainer of 45,000 euros", "monthly retainer 45,000 euros", True),
    ("我的律师叫王大明，负责整个并购案", "律师 王大明", True),
    ("our lawyer for the whole merger is called Bob and sits in Oslo", "lawyer Bob", True),
    ("我女儿在实验小学三年级二班，身高138厘米", "身高 138厘米", True),
    ("my daughter is in the second year and her height is 98 cm", "height 98 cm", True),
    ("我在字节跳动上海办公室的年薪是80万", "房价 80万", False),
    ("my salary at the Acme office in Berlin is 128000", "mortgage 128000", False),
    ("我在字节跳动上海办公室的年薪是80万", "年薪 60万", False),
    ("my salary at the Acme office in Berlin is 128000", "salary 99000", False),
    ("那只狗吃了很好的东西", "狗很好", False),
    ("the old dog ate all of the good food", "a good dog", False),
]


@pytest.mark.parametrize(("value", "text", "is_told"), IN_PART)
def test_a_piece_of_a_longer_sentence_is_told_by_its_value(value: str, text: str, *, is_told: bool) -> None:
    gone = gone_of([stone(value)])
    assert tells_gone(text, gone) is is_told
    assert tells_gone(text, gone, said_at_ms=AT_MS) is is_told
    assert not tells_gone(text, gone, said_at_ms=AT_MS + 1)


@pytest.mark.parametrize(
    ("value", "text", "is_told"),
    [
        ("给Acme的报价不能低于90万", "客户那边的报价底线是90万", True),
        ("the quote for Acme must not be below 900000", "The client's lowest quote is 900,000", True),
        ("我们2027年去罗马的旅行取消了", "2027年的旅行计划", False),
        ("our trip to Rome in 2027 is cancelled", "Anna books all trips of 2027", False),
        ("三个人的报价", "三份报价", False),
        ("a quote for 3 people", "3 quotes came today", False),
    ],
)
def test_a_number_beside_the_same_noun_goes_where_nobody_knows_who_said_it(
    value: str, text: str, *, is_told: bool
) -> None:
    gone = gone_of([stone(value)])
    assert tells_gone(text, gone) is is_told
    assert not tells_gone(text, gone, said_at_ms=AT_MS)


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("预算是500,000", True),
        ("经费上限 500000", True),
        ("项目经费已定。一共50万", True),
        ("改成50万吧", True),
        ("500000", True),
        ("我的月薪是50万", False),
        ("李雷欠我50万", False),
        ("the budget is 500,000", True),
        ("Spend cap: 500,000", True),
        ("The spend cap is fixed. It comes to 500,000", True),
        ("set to 500k", True),
        ("my salary is 500,000", False),
        ("Tom owes me 500,000", False),
    ],
)
def test_a_number_is_told_beside_what_its_field_was_called(text: str, is_told: bool) -> None:
    names = ("经费", "Spend cap", "预算", "budget")
    gone = gone_of([stone(500_000, path="budget.ceiling").model_copy(update={"names": names})])
    assert tells_gone(text, gone) is is_told
    assert tells_gone(text, gone_of([stone(500_000, path="budget.ceiling")]))


@pytest.mark.parametrize(
    ("value", "left", "out"),
    [
        ("我的猫叫团子", "周五去苏州", "我的猫叫团子"),
        ("my cat is called Pebble", "on Friday I go to Oslo", "my cat is called Pebble"),
    ],
)
def test_every_part_of_a_summary_is_looked_at(value: str, left: str, out: str) -> None:
    lists: dict[str, Any] = dict.fromkeys(
        ("done", "pending", "constraints", "preferences", "decisions", "open_questions"), (out, left)
    )
    summary = Summary(goal=out, confirmed={"x": out, "y": left}, text=f"{out}; {left}", **lists)
    cut = leave_out_gone(summary, gone_of([stone(value)]))
    assert all(value not in phrase for phrase in cut.phrases())
    assert cut.goal == ""
    assert left in cut.text
    assert cut.done == (left,)
    assert list(cut.confirmed) == ["y"]
    assert leave_out_gone(summary, ()) == summary


@pytest.mark.parametrize(
    ("value", "asked", "left"),
    [
        ("钓竿坏了，需要修理", "忘掉钓竿坏了", "周末去爬山吧"),
        ("the kayak is broken, it needs repair", "forget that the kayak is broken", "we go hiking"),
    ],
)
def test_what_asked_to_forget_is_in_no_summary_either(value: str, asked: str, left: str) -> None:
    told = f"{asked}, {left}, You said: {asked}"
    cut = leave_out_gone(Summary(text=told, done=(asked, left)), gone_of([stone(value)]))
    assert (cut.text, cut.done) == (left, (left,))
    made = extractive_summary([make_message(1, "user", f"{asked}, {value}. {left}.")], "en")
    assert asked not in made.text


def session_of(messages: list[Message], summary: Summary | None = None) -> Session:
    made = {"summary": summary, "version": 1, "to_seq": 0, "made_at_ms": 1, "made_by": "rule"}
    return Session.model_validate(
        {
            "id": "s",
            "key": "k",
            "epoch": 1,
            "last_seq": len(messages),
            "archived_to": 0,
            "extracted_to": 0,
            "compacted_to": 0,
            "total_tokens": 1,
            "created_at_ms": 1,
            "last_at_ms": 1,
            "expires_at_ms": 2,
            "notes": SessionNotes(),
            "summary": made if summary else None,
        }
    )


def digest_text(messages: list[Message], language: str, **more: Any) -> str:
    former = more.pop("former", None)
    digest = make_digest(session_of(messages, former), messages, find_secrets=lambda _: (), **more)
    return render_digest(digest, language) if digest else ""


@pytest.mark.parametrize(
    ("language", "said", "reply", "closing"),
    [
        ("zh", "我想把储物柜换掉", "换柜需要三天。", "如果要把已保存的相关内容也删掉，请说“确认删除”。"),
        (
            "en",
            "I want another locker",
            "That takes three days.",
            "Please say yes if I should delete it too.",
        ),
    ],
)
def test_what_our_code_says_is_no_content(language: str, said: str, reply: str, closing: str) -> None:
    whole = f"{reply}\n\n{closing}"
    user = make_message(1, "user", said)
    marked = digest_text([user, make_message(2, "assistant", whole, closing_from=len(reply))], language)
    assert said in marked
    assert closing[:8] not in marked
    assert reply.rstrip("。.") in marked
    own = digest_text([user, make_message(2, "assistant", whole, is_fallback=True)], language)
    assert said in own
    assert reply[:8] not in own
    assert closing[:8] not in own


@pytest.mark.parametrize(
    ("language", "said", "title", "claim"),
    [
        ("zh", "我的预算是91234元", "提到过", "已确认"),
        ("en", "My budget is 91234 dollars", "Mentioned", "Confirmed"),
    ],
)
def test_a_value_that_was_only_said_is_not_called_confirmed(
    language: str, said: str, title: str, claim: str
) -> None:
    text = digest_text(talk(("user", said)), language)
    assert title in text
    assert claim not in text
    withheld = Withheld({}, gone_of([stone(91234, path="budget.ceiling")]))
    assert "91234" not in digest_text(talk(("user", said)), language, withheld=withheld)
    former = Summary(confirmed={"budget": "91234"}, text=said)
    assert "91234" not in digest_text(talk(("user", "hello")), language, withheld=withheld, former=former)


def test_masking_keeps_the_place_where_our_words_begin() -> None:
    body = make_message(1, "assistant", "code 1234 ok\n\nStored: 1234", closing_from=12).body
    masked = body.masked(lambda text: text.replace("1234", "[***]"))
    assert masked.content == "code [***] ok\n\nStored: [***]"
    assert masked.content[: masked.closing_from] == "code [***] ok"
