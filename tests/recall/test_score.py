"""Scoring: what each part of the ranking does, on conversations small enough to read."""

from datetime import date, datetime

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shared.recall.query import plan_query
from shared.recall.rows import ScoredRows
from shared.recall.score import score_rows
from tests.evals.memory_index import build_index
from tests.evals.sets import Message

Line = tuple[str, str]


def talk(*lines: Line, day: str = "2024-03-01", name: str = "s") -> list[Message]:
    """A session of (speaker, text) lines on one day."""
    said = datetime.fromisoformat(day)
    return [Message(f"{name}{number}", speaker, text, said) for number, (speaker, text) in enumerate(lines)]


def scored(question: str, *sessions: list[Message]) -> ScoredRows:
    """The scores of all messages for a question asked on 13 March 2024."""
    index = build_index(sessions)
    query = plan_query(question, today=date(2024, 3, 13), years=index.years, speakers=index.speakers)
    return score_rows(index.rows, query, postings=index.postings)


def best(question: str, *sessions: list[Message]) -> str:
    """The text of the row that scores highest."""
    messages = [message for session in sessions for message in session]
    return messages[int(np.argmax(scored(question, *sessions).scores))].text


SMALL_TALK = [
    talk(("user", f"topic {word} today"), ("assistant", "fine"), name=word) for word in ("sun", "rain", "tea")
]


def test_a_row_with_the_words_comes_first_in_both_languages() -> None:
    office = talk(
        ("user", "项目预算上限是五十万"),
        ("assistant", "好的"),
        ("user", "会议改到周五"),
        ("assistant", "明白"),
    )
    assert best("预算上限是多少", office) == "项目预算上限是五十万"
    assert best("50万", office) == "项目预算上限是五十万"
    assert best("預算上限", office) == "项目预算上限是五十万"


def test_an_answer_inherits_the_words_of_the_question_before_it() -> None:
    chat = talk(
        ("assistant", "Which city did you grow up in?"),
        ("user", "Lisbon"),
        ("assistant", "Lovely"),
        ("user", "Yes"),
    )
    scores = scored("city grow up", chat, *SMALL_TALK).scores
    assert scores[1] > scores[2] > 0


def test_words_do_not_cross_the_edge_of_a_session() -> None:
    scores = scored(
        "violin", talk(("user", "my violin"), ("assistant", "ok")), talk(("user", "hello"), name="t")
    ).scores
    assert scores[1] > 0
    assert scores[2] == 0


def test_a_log_of_one_speaker_lends_fewer_words_than_a_talk() -> None:
    log = scored("violin", talk(("user", "my violin"), ("user", "lesson")), *SMALL_TALK)
    chat = scored("violin", talk(("user", "my violin"), ("assistant", "lesson")), *SMALL_TALK)
    assert log.neighbour[1] < chat.neighbour[1]


def test_a_day_finds_what_was_said_on_it_and_what_mentions_it() -> None:
    said = talk(("user", "bought a lamp"), day="2024-03-08", name="a")
    mentions = talk(("user", "the dinner is on March 8"), day="2024-02-20", name="b")
    other = talk(("user", "slept long"), day="2024-03-01", name="c")
    for question in ("What happened last Friday?", "上周五怎么样", "on 2024-03-08"):
        scores = scored(question, said, mentions, other).scores
        assert scores[0] > 0
        assert scores[1] > 0
        assert scores[2] == 0


def test_what_was_said_on_the_day_comes_before_what_mentions_it_and_a_wide_mention_last() -> None:
    said = talk(("user", "bought a lamp"), day="2024-03-08", name="a")
    mentions = talk(("user", "dinner on March 8"), day="2024-02-20", name="b")
    wide = talk(("user", "a good 2024 in 2024"), day="2024-02-20", name="c")
    dates = scored("2024-03-08", said, mentions, wide).date
    assert dates[0] > dates[1] > dates[2] > 0


def test_an_asked_day_weighs_where_the_words_are_hardly_found() -> None:
    asked = talk(("user", "rain all over"), ("assistant", "stay in"), day="2024-03-08", name="a")
    word = talk(("user", "how do you like the weather"), day="2024-02-20", name="b")
    question = "How was the weather for hiking, climbing, sailing, cycling and swimming on March 8?"
    assert best(question, asked, word, *SMALL_TALK) == "rain all over"


def test_the_first_and_the_last_talk_are_found_by_their_days() -> None:
    first = talk(("user", "badminton"), day="2024-01-02", name="a")
    last = talk(("user", "swimming"), day="2024-03-12", name="b")
    today = talk(("user", "sleeping"), day="2024-03-13", name="c")
    for question in ("我们第一次聊天聊了什么", "What did we discuss in our first conversation?"):
        assert best(question, *SMALL_TALK, first, last, today) == "badminton"
    for question in ("上次我们聊了什么", "What did we talk about last time we talked?"):
        assert best(question, *SMALL_TALK, first, last, today) == "swimming"


def test_what_is_mine_i_have_said() -> None:
    chat = talk(("assistant", "I like jazz music"), ("user", "I like rock music"))
    for question in ("What music do I like?", "What is my music?"):
        scores = scored(question, chat, *SMALL_TALK).scores
        assert scores[1] > scores[0]
    chat = talk(("assistant", "我喜欢爵士音乐"), ("user", "我喜欢摇滚音乐"))
    scores = scored("我喜欢什么音乐", chat, *SMALL_TALK).scores
    assert scores[1] > scores[0]


def test_a_list_is_gathered_from_several_talks() -> None:
    talks = [
        talk(*[("Ana", f"my books {word}"), ("Ben", "ok"), ("Ana", f"books books {word}")], name=word)
        for word in ("one", "two", "three")
    ]
    sessions = scored("What books has Ana read?", *talks, *SMALL_TALK).boost[: 3 * 3]
    assert len(set(sessions.round(6))) > len(set(scored("Did Ana read books?", *talks).boost.round(6)))


def test_the_named_speaker_comes_first() -> None:
    chat = talk(("Ana", "I paint at night"), ("Ben", "I paint at night"), ("Ana", "ok"), ("Ben", "ok"))
    scores = scored("What does Ben paint?", chat, *SMALL_TALK).scores
    assert scores[1] > scores[0]


def test_a_question_for_a_time_prefers_rows_with_one() -> None:
    rows = [talk(("user", "we moved house"), name="a"), talk(("user", "we moved yesterday"), name="b")]
    scores = scored("When did we move?", *rows, *SMALL_TALK).scores
    assert scores[1] > scores[0]


def test_greetings_and_empty_scopes_find_nothing() -> None:
    chat = talk(("user", "你好"), ("assistant", "你好，谢谢"))
    assert not scored("你好", chat).scores.any()
    assert not scored("换个话题", chat).scores.any()
    assert len(scored("预算").scores) == 0


def test_one_row_alone_can_be_found() -> None:
    assert scored("预算上限", talk(("user", "预算上限五十万"))).scores[0] > 0.05


WORDS = st.lists(st.sampled_from("red green 预算 上周五 May 5? what 50万".split()), max_size=6).map(" ".join)  # noqa: SIM905 (a table of words)
SESSIONS = st.lists(
    st.lists(st.tuples(st.sampled_from(["user", "assistant", "Ana"]), WORDS), max_size=4), max_size=4
)


@given(sessions=SESSIONS, question=WORDS)
def test_scores_are_shares_and_their_parts_add_up(sessions: list[list[Line]], question: str) -> None:
    found = scored(question, *[talk(*lines, name=str(number)) for number, lines in enumerate(sessions)])
    assert (found.scores >= 0).all()
    assert (found.scores <= 1).all()
    parts = found.terms + found.neighbour + found.date + found.session
    np.testing.assert_allclose(parts * found.boost, found.scores, atol=1e-9)
