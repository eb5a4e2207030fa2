"""Stories of other systems' failures, each told for its whole kind, in both languages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from shared.errors import Unavailable
from shared.extraction.support import people_in
from tests.extraction.room import Room
from tests.fakes.extractions import propose_sentences

Item = dict[str, Any]


def giving(*items: Item) -> Any:
    return lambda _body: json.dumps({"items": list(items)}, ensure_ascii=False)


def remember(text: str, quote: str, **more: Any) -> Item:
    return {"op": "remember", "kind": "fact", "text": text, "quote": quote, **more}


async def news(room: Room) -> list[str]:
    return sorted(str(update.new) for update in await room.waiting())


async def proposals_of(said: str, *items: Item) -> list[str]:
    room = Room(giving(*items))
    await room.say(("user", said))
    await room.extract()
    return await news(room)


@pytest.mark.parametrize(
    ("question", "reply", "thanks"),
    [
        (
            "How would you cache results in a Flask app?",
            "I built one with a Postgres table keyed by URL; I prefer a TTL of 15 minutes.",
            "thanks, good to know",
        ),
        ("Flask 的结果怎么缓存？", "我用 Postgres 建过一张表，我偏好 15 分钟过期。", "谢谢，明白了"),
    ],
)
@pytest.mark.parametrize("cited", [1, 2, 3, None])
async def test_what_the_assistant_said_never_becomes_the_users(
    question: str, reply: str, thanks: str, cited: int | None
) -> None:
    """The story of ATT-01."""
    more = {} if cited is None else {"message": cited}
    parts = [part for part in reply.replace("，", "；").replace("; ", "；").split("；") if part]
    room = Room(giving(*[remember(part, part, **more) for part in parts], remember(reply, thanks, **more)))
    await room.say(("user", question), ("assistant", reply), ("user", thanks))
    await room.extract()
    assert await news(room) == []


OTHERS = [
    ("My colleague Omar is allergic to shellfish", "Allergic to shellfish", "user"),
    ("我同事老魏对海鲜过敏", "对海鲜过敏", "user"),
    ("My sister turns 30 next month", "Turns 30 next month", "user"),
    ("我妹妹下个月满三十岁", "下个月满三十岁", "user"),
    ("He said he can't work Fridays", "Can't work Fridays", "user"),
    ("他说他周五不能加班", "周五不能加班", "user"),
]


@pytest.mark.parametrize(("said", "text", "subject"), OTHERS)
async def test_facts_about_others_are_not_the_users(said: str, text: str, subject: str) -> None:
    """The story of ATT-03."""
    made = await proposals_of(said, remember(text, said, subject=subject))
    assert text not in made
    assert all(people_in(each) or "Omar" in each for each in made), made


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Pull the revenue figures for customer Dana Whitlock", "Dana Whitlock"),
        ("帮我查一下客户邵敏的营收", "邵敏"),
        ("My colleague Omar is on leave", "Omar"),
        ("我同事叫老魏", "老魏"),
    ],
)
async def test_a_name_that_is_mentioned_is_not_the_users(said: str, name: str) -> None:
    """The story of ATT-03."""
    item = {"op": "set", "path": "user_profile.name", "value": name, "quote": said}
    assert await proposals_of(said, item) == []


async def test_what_is_recalled_is_not_extracted_again() -> None:
    """The story of ATT-05."""
    room = Room(propose_sentences)
    await room.stand("M", ["Prefers tabs over spaces"])
    for number in range(10):
        await room.say(
            ("system", "Prefers tabs over spaces"),
            ("user", f"next topic {number}, please continue"),
            ("assistant", "As you prefer tabs over spaces, here is topic."),
        )
        await room.extract()
    assert await room.waiting() == []
    assert len(await room.memories()) == 1


SUPPOSED = [
    ("假设我有五百万，应该怎么投资？", "有五百万"),
    ("Would Obsidian be useful for a team like ours?", "The team uses Obsidian"),
    ("写个小说：主角叫陆沉，三十岁，是外科医生", "是外科医生"),
    ("Write a story: the hero Lars is thirty, a surgeon", "Is a surgeon"),
    ("Pretend you are my boss and I earn 90k", "Earns 90k"),
    ("假装你是我老板，我年薪九十万", "年薪九十万"),
    ("测试数据：手机号 13900000000，预算 1 元", "预算 1 元"),
    ("Test data: phone 555-010-9999, budget 1 dollar", "Budget 1 dollar"),
    ("如果下周去不了北京怎么办", "下周去不了北京"),
    ("What if I can't make it to Beijing next week", "Can't make it to Beijing next week"),
]


@pytest.mark.parametrize(("said", "text"), SUPPOSED)
async def test_what_is_supposed_asked_or_made_up_is_not_stored(said: str, text: str) -> None:
    """The story of FAB-01: neither by a model nor by a rule."""
    assert await proposals_of(said, remember(text, said), remember(said, said)) == []


@pytest.mark.parametrize(
    "said", ["好的", "谢谢", "hi", "run ls -la", "run echo ok", "嗯嗯", "ok", "Thanks!", "你好"]
)
async def test_fillers_cost_nothing_and_leave_nothing(said: str) -> None:
    """The story of FAB-03."""
    room = Room(propose_sentences)
    await room.say(("user", said), ("assistant", "Anything else?"))
    assert (await room.extract()).calls == 0
    assert await room.waiting() == []


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("好的方案是把缓存放到第二层，以后都这么做", "好的方案是把缓存放到第二层，以后都这么做"),
        ("收到，另外我对花生过敏", "我对花生过敏"),
        ("OK, and I'm allergic to peanuts", "I'm allergic to peanuts"),
    ],
)
async def test_a_filler_with_content_behind_it_is_read(said: str, kept: str) -> None:
    """The story of FAB-03."""
    assert any(kept[-6:] in text for text in await proposals_of(said, remember(kept, kept)))


DISLIKES = [
    ("I can't stand durian", "Likes durian", "Can't stand durian"),
    ("I hate early meetings", "Likes early meetings", "Hates early meetings"),
    ("I don't like pop-up windows", "Likes pop-up windows", "Doesn't like pop-up windows"),
    ("I never drink milk", "Drinks milk", "Never drinks milk"),
    ("I can not bear perfume", "Likes perfume", "Can not bear perfume"),
    ("我受不了榴莲", "喜欢榴莲", "受不了榴莲"),
    ("我讨厌早会", "喜欢早会", "讨厌早会"),
    ("我不喜欢弹窗", "喜欢弹窗", "不喜欢弹窗"),
    ("我从不喝牛奶", "喝牛奶", "从不喝牛奶"),
]


@pytest.mark.parametrize(("said", "flipped", "right"), DISLIKES)
async def test_no_one_comes_out_liking_what_they_hate(said: str, flipped: str, right: str) -> None:
    """The story of NEG-01: by the whole sentence, and by the words cut out of it."""
    cut = said.rsplit(maxsplit=1)[-1] if said.isascii() else said[-2:]
    made = await proposals_of(said, remember(flipped, said), remember(flipped, cut), remember(right, said))
    assert flipped not in made
    assert made


@pytest.mark.parametrize(
    ("said", "wrong", "right"),
    [
        ("My seat is 14A - actually scratch that, 15C", "Seat is 14A", "Seat is 15C"),
        ("我的尺码是M，等等说错了，是L", "尺码是M", None),
        ("我住三楼，啊不对，四楼", "住三楼", "住四楼"),
        ("My budget is 900. On second thought, forget I said that.", "Budget is 900", None),
        ("预算是900。算了，当我没说", "预算是900", None),
    ],
)
async def test_what_is_taken_back_in_one_breath_is_not_stored(
    said: str, wrong: str, right: str | None
) -> None:
    """The story of NEG-05."""
    head = (
        said.split(" - ", maxsplit=1)[0]
        .split("，", maxsplit=1)[0]
        .split(". ", maxsplit=1)[0]
        .split("。", maxsplit=1)[0]
    )
    items = [remember(wrong, head), *([remember(right, said)] if right else [])]
    made = await proposals_of(said, *items)
    assert wrong not in made
    assert (right in made) is (right is not None)


@pytest.mark.parametrize(
    ("first", "then", "texts"),
    [
        ("样品先做12套", "刚才12套说错了，最后定8套", ("样品数量12套", "样品数量8套")),
        ("Let's make 12 samples", "12 was wrong, we make 8 samples", ("Make 12 samples", "Make 8 samples")),
    ],
)
@pytest.mark.parametrize("order", [1, -1])
async def test_of_one_answer_the_later_statement_holds(
    first: str, then: str, texts: tuple[str, str], order: int
) -> None:
    """The story of STALE-04, in whichever order the model gives them."""
    quotes = (first, then.rsplit("，", maxsplit=1)[-1].rsplit(", ", maxsplit=1)[-1])
    items = [
        remember(text, quote, message=message)
        for text, quote, message in zip(texts, quotes, (1, 3), strict=True)
    ]
    room = Room(giving(*items[::order]))
    await room.say(("user", first), ("assistant", "OK, 12."), ("user", then))
    await room.extract()
    made = await news(room)
    assert any("8" in text for text in made)
    assert not any("12" in text for text in made), made


@pytest.mark.parametrize(
    ("old", "said", "new"),
    [
        ("Home airport is Porto", "My home airport is Bilbao now", "Home airport is Bilbao"),
        ("住在北京", "我搬到上海了", "搬到上海了"),
        ("Likes jazz", "I changed my mind, I don't like jazz", "Doesn't like jazz"),
        ("不喜欢爵士乐", "我改主意了，我喜欢爵士乐", "喜欢爵士乐"),
    ],
)
async def test_however_often_the_mind_changes_the_last_word_holds(old: str, said: str, new: str) -> None:
    """The stories of STALE-01 and STALE-06: old -> new -> old again, each confirmed."""
    room = Room(giving(remember(new, said)))
    await room.stand("M", [old])
    await room.say(("user", said))
    await room.extract()
    for update in await room.waiting():
        await room.resolve(confirm=[update.id])
    (standing,) = await room.memories()
    assert standing.text in {new, said, said.rsplit("，", maxsplit=1)[-1], said.rsplit(", ", maxsplit=1)[-1]}
    assert [memory.text for memory in await room.memories("superseded")] == [old]


@pytest.mark.parametrize(
    ("stored", "said", "wish"),
    [
        ("Prefers answers in French", "For this message only, answer in English please", "Answer in English"),
        ("偏好简短的回答", "这次请详细展开", "请详细展开"),
    ],
)
async def test_a_wish_for_one_reply_is_no_new_preference(stored: str, said: str, wish: str) -> None:
    """The story of STALE-08."""
    room = Room(giving(remember(wish, said, kind="preference")))
    await room.stand("M", [stored])
    await room.say(("user", said))
    report = await room.extract()
    assert report.rejected.get("once") == 1
    assert await room.waiting() == []
    assert [memory.text for memory in await room.memories()] == [stored]


@pytest.mark.parametrize(
    ("stored", "again"),
    [
        ("Runs on Sundays", ["I run on Sundays", "I run on sundays."]),
        ("周日跑步", ["我周日跑步", "我周日跑步。"]),
    ],
)
async def test_an_equal_fact_changes_nothing(stored: str, again: list[str]) -> None:
    """The story of DUP-01."""
    room = Room(propose_sentences)
    await room.stand("M", [stored])
    (before,) = await room.memories()
    for text in again:
        await room.say(("user", text))
        await room.extract()
    assert await room.memories() == [before]
    assert await room.waiting() == []


@pytest.mark.parametrize(
    ("said", "name"), [("你好，我是林溪，第{}次来咨询", "林溪"), ("Hello, I'm Kit, visit number {}", "Kit")]
)
async def test_an_unchanged_value_is_not_proposed_again(said: str, name: str) -> None:
    """The story of DUP-03."""
    quote = said.split("，第", maxsplit=1)[0].split(", visit", maxsplit=1)[0]
    room = Room(giving({"op": "set", "path": "user_profile.name", "value": name, "quote": quote}))
    for number in range(6):
        await room.say(("user", said.format(number)))
        await room.extract()
        waiting = [update for update in await room.waiting() if update.path == "user_profile.name"]
        assert len(waiting) == (1 if number == 0 else 0)
        await room.resolve(confirm=[update.id for update in waiting])
    versions = await room.ltm.read(room.scope, lambda reader: reader.field_history("user_profile.name"))
    assert [version.value for version in versions] == [name]


ONE = json.dumps({"items": [remember("Plays the oboe", "I play the oboe")]})
WRAPPED = [
    (f"```json\n{ONE}\n```", 1),
    (f"Here you go:\n{ONE}\nAnything else?", 1),
    (f"About {{music habits}}, result: {ONE}", 1),
    (f'<think>maybe {{"items":[]}} first</think>{ONE}', 1),
    (ONE.replace("}]", "},]"), 1),
    (ONE.replace('"', "“"), 1),
    ("{'items': []}", 0),
    ("{}", 0),
    ("[]", 0),
]


@pytest.mark.parametrize(("answer", "count"), WRAPPED)
async def test_an_answer_is_read_however_it_is_wrapped(answer: str, count: int) -> None:
    """The story of JSON-01."""
    room = Room(lambda _body: answer)
    await room.say(("user", "I play the oboe"))
    assert (await room.extract()).outcome == "extracted"
    assert len(await room.waiting()) == count


@pytest.mark.parametrize(
    "answer", ["", "null", "not json", f"<think>never closed {ONE}", '{"fields": {"a": 1}}']
)
async def test_an_answer_that_is_none_is_asked_for_again(answer: str) -> None:
    """The stories of JSON-01 and JSON-04."""
    room = Room(lambda _body: answer)
    await room.say(("user", "I play the oboe"))
    with pytest.raises(Unavailable):
        await room.extract()
    room.model.answer = lambda _body: ONE
    await room.extract()
    assert await news(room) == ["Plays the oboe"]


@pytest.mark.parametrize(
    ("said", "translated", "kept"),
    [
        (
            "我在澜舟建材上班，上司叫尉迟恒",
            "The user works at Lanzhou Building Materials, boss is Yuchi Heng",
            "尉迟恒",
        ),
        (
            "I work at Hofmann & Söhne with Frau Dietrich",
            "用户在霍夫曼公司和迪特里希女士共事",
            "Frau Dietrich",
        ),
    ],
)
async def test_names_stay_in_the_users_script(said: str, translated: str, kept: str) -> None:
    """The story of JSON-05."""
    made = await proposals_of(said, remember(translated, said))
    assert made == [said]
    assert kept in made[0]
