"""Which sentences speak of a topic as the user's own, and which names their words bind to it."""

from __future__ import annotations

import pytest

from shared.extraction.bound_names import with_names
from shared.extraction.spoken import Topic, read_topic

TOLD = [
    ("我前妻", "顺便说下，我前妻叫苏禾", True),
    ("我前妻", "我和前妻离婚了", True),
    ("我前妻", "我讨厌的前妻又来了", True),
    ("我前妻", "我妻子叫李梅", False),
    ("我前妻", "同事的前妻叫王芳", False),
    ("我前妻", "我同事前妻叫王芳", False),
    ("我前妻", "他前妻很凶", False),
    ("我前妻", "我最好的朋友的前妻来了", False),
    ("我前妻", "我之前妻子住院", False),
    ("我前妻", "把我前妻的事全部忘掉", False),
    ("我妻子", "我前妻子女很多", False),
    ("我女友", "我前女友来了", False),
    ("我老板", "老板娘来了", False),
    ("我老板", "我老板脾气大", True),
    ("我妈妈", "我干妈妈来了", False),
    ("我的狗", "热狗好吃", False),
    ("我的狗", "我的狗病了", True),
    ("价格", "价格是每台1200元", True),
    ("价格", "我们的价格涨了", True),
    ("价格", "价格战很激烈", False),
    ("价格", "价格表发你", False),
    ("价格", "他的价格更高", False),
    ("离婚", "我去年离婚了", True),
    ("离婚", "他们离婚了", False),
    ("my ex-wife", "By the way, my ex-wife is called Sophie", True),
    ("my ex-wife", "I met the ex wife yesterday", True),
    ("my ex-wife", "my former wife rang", True),
    ("my ex-wife", "my wife is called Anna", False),
    ("my ex-wife", "His ex-wife is Clara", False),
    ("my ex-wife", "My boss's ex-wife left", False),
    ("my ex-wife", "the ex-wife of my boss", False),
    ("my ex-wife", "forget everything about my ex-wife", False),
    ("my wife", "my ex-wife left", False),
    ("my wife", "my ex wife left", False),
    ("my wife", "my wife's birthday is in May", True),
    ("my mother", "my mother-in-law is here", False),
    ("my mother", "my grandmother is here", False),
    ("my dog", "hot dogs are cheap", False),
    ("my dog", "the dog food is gone", False),
    ("my dog", "my old dog is sick", True),
    ("the price", "our price went up", True),
    ("the price", "price: 1200", True),
    ("the price", "a price war", False),
    ("the price", "his price is higher", False),
    ("my divorce", "I got a divorce last year", True),
    ("my divorce", "His divorce was easy", False),
]


@pytest.mark.parametrize(("target", "text", "is_told"), TOLD)
def test_a_sentence_speaks_of_the_users_own_and_of_nothing_alike(
    target: str, text: str, *, is_told: bool
) -> None:
    topic = read_topic(target)
    assert topic is not None
    assert topic.is_told(text) is is_told


@pytest.mark.parametrize(
    ("target", "texts", "names"),
    [
        ("我前妻", ["我前妻叫苏禾"], ("苏禾",)),
        ("我前妻", ["我前妻名字是苏小禾，她在杭州"], ("苏小禾",)),
        ("我前妻", ["苏禾是我前妻"], ("苏禾",)),
        ("我前妻", ["苏禾（我前妻）来了"], ("苏禾",)),
        ("我前妻", ["我前妻叫我还钱", "我前妻叫保安了", "我前妻是高手"], ()),
        ("我前妻", ["我前妻叫苏禾", "我同事也叫苏禾"], ()),
        ("我前妻", ["他前妻叫王芳", "我妻子叫李梅"], ()),
        ("我的狗", ["我的狗叫旺财"], ("旺财",)),
        ("my ex-wife", ["my ex-wife is called Sophie"], ("Sophie",)),
        ("my ex-wife", ["my ex-wife is called sophie"], ("sophie",)),
        ("my ex-wife", ["My ex-wife Sophie Miller lives in Bonn"], ("Sophie Miller", "Sophie")),
        ("my ex-wife", ["Sophie is my ex-wife"], ("Sophie",)),
        ("my ex-wife", ["I have an ex-wife called Sophie"], ("Sophie",)),
        ("my ex-wife", ["My ex-wife, Sophie, sings"], ("Sophie",)),
        ("my ex-wife", ["My ex-wife is French", "my ex-wife called Tom", "My ex-wife Monday evening"], ()),
        ("my ex-wife", ["My ex-wife is called Sophie", "My dog is called Sophie"], ()),
        ("my ex-wife", ["His ex-wife is called Clara", "My wife is called Anna"], ()),
        ("my dog", ["my dog is called Rex"], ("Rex",)),
    ],
)
def test_a_name_is_bound_by_the_users_words_and_to_one_thing(
    target: str, texts: list[str], names: tuple[str, ...]
) -> None:
    topic = read_topic(target)
    assert topic is not None
    assert with_names(topic, texts).names == names


@pytest.mark.parametrize(
    ("topic", "text", "left"),
    [
        (Topic(noun="前妻"), "预算50万。我前妻来了。她住在杭州！周末爬山", "预算50万。周末爬山"),
        (Topic(noun="前妻", names=("苏禾",)), "苏禾来了\n她还好\n她走了吗？好的", "好的"),
        (Topic(noun="前妻"), "我儿子很好。她来了。", "我儿子很好。她来了。"),
        (
            Topic(noun="ex-wife"),
            "The plan is ok. My ex-wife is here. She lives in Bonn! We hike v1.2.",
            "The plan is ok. We hike v1.2.",
        ),
        (Topic(noun="ex-wife", names=("Sophie",)), "Sophie came\nShe is fine\nShe left? Good", "Good"),
        (Topic(noun="ex-wife"), "My son is fine. She came.", "My son is fine. She came."),
        (Topic(noun="", names=("Anna",)), "Anna Karenina is a novel.", "Anna Karenina is a novel."),
        (Topic(noun="", names=("Will",)), "I will go. Will came.", "I will go."),
    ],
)
def test_whole_sentences_go_and_those_that_go_on(topic: Topic, text: str, left: str) -> None:
    assert topic.without(text) == left


@pytest.mark.parametrize(
    ("topic", "text"),
    [
        (Topic(noun="前妻"), "你的前妻还好吗"),
        (Topic(noun="前妻"), "用户的前妻叫苏禾"),
        (Topic(noun="前妻"), "你说：我前妻来了"),
        (Topic(noun="ex-wife"), "How is your ex-wife"),
        (Topic(noun="ex-wife"), "The user's ex-wife is here"),
    ],
)
def test_in_a_reply_you_are_the_user(topic: Topic, text: str) -> None:
    assert topic.is_told(text, is_user=False)


@pytest.mark.parametrize("target", ["它", "that", "", "。", "x" * 41])
def test_what_names_nothing_is_no_topic(target: str) -> None:
    assert read_topic(target) is None
