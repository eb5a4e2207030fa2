"""What was lifted or told from forgotten spans goes by the message it came from, however it reads."""

from __future__ import annotations

import pytest

from shared.model.message import SessionNotes
from shared.model.session_state import AssistantResult, KeyFact, Summary
from shared.stm.gone import gone_of
from shared.stm.withheld import Withheld, notes_outside, without_spans, without_withheld
from tests.stm.messages import make_message
from tests.stm.test_gone import digest_text, session_of, stone


def fact(text: str, message_id: str) -> KeyFact:
    return KeyFact(kind="preference", label=None, text=text, message_id=message_id)


@pytest.mark.parametrize(
    ("said", "span", "left"),
    [
        ("我对花生过敏。我总想坐靠窗的位子，别记", "我总想坐靠窗的位子，别记", "我对花生过敏"),
        (
            "I am allergic to nuts. I always want a window seat, don't store that",
            "I always want a window seat, don't store that",
            "I am allergic to nuts",
        ),
    ],
)
def test_a_forgotten_span_is_in_nothing_that_is_made_of_its_message(said: str, span: str, left: str) -> None:
    message = make_message(1, "user", said)
    words = span[:8]
    language = "en" if said.isascii() else "zh"
    assert words in digest_text([message], language)
    told = digest_text([message], language, withheld=Withheld({message.id: (span,)}, ()))
    assert left in told
    assert words not in told
    (cut,) = without_spans([message], {message.id: (span,)})
    assert cut.text.strip(" .。") == left
    assert without_spans([message], {"other": (span,)}) == (message,)


def test_a_span_of_a_reply_leaves_the_place_where_our_own_words_begin() -> None:
    reply = make_message(2, "assistant", "Yes, 1234. Fine.\n\nKept: 1234", closing_from=16)
    (cut,) = without_spans([reply], {reply.id: ("1234",)})
    assert cut.said == "Yes,  . Fine."[: len(cut.said)]
    assert "Kept" not in cut.said
    assert "1234" not in cut.text


def test_key_facts_and_results_go_with_their_own_message_only() -> None:
    facts = (fact("坐靠窗的位子", "m1"), fact("坐靠窗的位子", "m2"), fact("I want tea", "m1"))
    result = {"label": "x", "value": 1, "unit": None}
    results = tuple(
        AssistantResult.model_validate({**result, "quote": "the total is 9", "message_id": name})
        for name in ("m1", "m2")
    )
    notes = SessionNotes(key_facts=facts, results=results)
    left = notes_outside(notes, {"m1": ("我总想坐靠窗的位子，别记", "total is 9")})
    assert [each.message_id for each in left.key_facts] == ["m2", "m1"]
    assert [each.message_id for each in left.results] == ["m2"]


@pytest.mark.parametrize(
    ("stated", "pair", "words"),
    [
        ("我在字节跳动上海办公室的年薪是80万", ("年薪", "80万"), "年薪80万"),
        ("my salary at the Acme office in Berlin is 128000", ("salary", "128000"), "salary 128000"),
    ],
)
def test_a_rolling_summary_tells_no_value_that_was_forgotten(
    stated: str, pair: tuple[str, str], words: str
) -> None:
    former = Summary(confirmed=dict([pair]), text=f"{words}。", constraints=(words,))
    session = session_of([make_message(1, "user", stated)], former)
    notes = SessionNotes(key_facts=(fact(stated, "m1"),))
    session = session.model_copy(update={"notes": notes})
    left = without_withheld(session, Withheld({}, gone_of([stone(stated)])))
    assert left.summary is not None
    assert left.summary.summary.is_empty
    assert left.notes.key_facts == ()
    assert without_withheld(session, Withheld({}, ())) == session
