"""The extraction of a session: once for each range, nothing lost, nothing without evidence."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from shared.errors import Unavailable
from shared.extraction.extract import ExtractionFailed
from shared.model.extraction import Extraction
from shared.model.memory import MemoryKind
from shared.model.session_state import BannedTopic
from shared.ports.ltm import PendingFilter
from tests.extraction.room import RULES, Room
from tests.fakes.extractions import Body, propose_sentences, shown_lines

TARTU = {"op": "remember", "text": "Born in Tartu", "quote": "I was born in Tartu"}


def giving(*items: dict[str, Any]) -> Any:
    return lambda _body: json.dumps({"items": list(items)}, ensure_ascii=False)


async def reading(room: Room) -> Extraction:
    (found,) = await room.ltm.read(room.scope, lambda reader: reader.extractions("key-s"))
    return found


async def news(room: Room) -> list[str]:
    return [str(update.new) for update in await room.waiting()]


async def test_a_range_is_extracted_once() -> None:
    room = Room(giving(TARTU))
    await room.say(("user", "I was born in Tartu"), ("assistant", "A fine town."))
    first = await room.extract()
    again = await room.extract()
    assert (first.outcome, first.calls, first.proposed, first.to_seq) == ("extracted", 1, 1, 2)
    assert (again.outcome, again.calls) == ("nothing_due", 0)
    found = await reading(room)
    assert (found.archived_to, found.extracted_to, found.version, found.waiting) == (2, 2, 1, 0)


async def test_a_run_whose_time_is_over_leaves_the_rest_to_the_next() -> None:
    room = Room(giving())
    for number in range(3):  # three batches
        await room.say(*(("user", f"I was born in Tartu {number} {place}") for place in range(60)))
    asked = [True, True, False]
    room.rules = replace(room.rules, goes_on=lambda: asked.pop(0))
    first = await room.extract()
    assert (first.outcome, first.calls) == ("extracted", 2)
    assert 0 < first.to_seq == (await reading(room)).extracted_to < 180
    room.rules = replace(room.rules, goes_on=lambda: True)
    rest = await room.extract()
    assert (first.messages + rest.messages, rest.to_seq) == (180, 180)


async def test_a_proposal_carries_the_words_the_message_and_the_session() -> None:
    room = Room(giving({**TARTU, "kind": "fact", "confidence": 0.8}))
    message_id, _ = await room.say(("user", "Well, I was born in Tartu!"), ("assistant", "Oh?"))
    await room.extract()
    (update,) = await room.waiting()
    assert (update.quote, update.message_id, update.session_id) == ("I was born in Tartu", message_id, "s")
    assert (update.origin, update.op, update.confidence) == ("model", "remember", 0.8)
    assert await room.memories() == []


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("", "unreadable_answer"),
        ("not json", "unreadable_answer"),
        ("null", "unreadable_answer"),
        ('<think>never closed {"items": []}', "unreadable_answer"),
        (json.dumps({"items": [TARTU]})[:-2], "partial_answer"),
        (json.dumps({"items": [TARTU, {"op": "remember"}]}), "partial_answer"),
        (json.dumps({"items": [TARTU, "x"]}), "partial_answer"),
    ],
)
async def test_what_cannot_be_read_whole_marks_nothing(answer: str, code: str) -> None:
    room = Room(lambda _body: answer)
    await room.say(("user", "I was born in Tartu"))
    with pytest.raises(ExtractionFailed) as failed:
        await room.extract()
    assert failed.value.code == code
    assert (await reading(room)).extracted_to == 0
    room.model.answer = giving(TARTU)
    await room.extract()
    assert (await reading(room)).extracted_to == 1
    assert await news(room) == ["Born in Tartu"]


@pytest.mark.parametrize("answer", ["{}", "[]", '{"items": []}', '```json\n{"items": []}\n```'])
async def test_an_answer_without_items_is_an_answer(answer: str) -> None:
    room = Room(lambda _body: answer)
    await room.say(("user", "I was born in Tartu"))
    report = await room.extract()
    assert (report.outcome, report.proposed) == ("extracted", 0)
    assert (await reading(room)).waiting == 0


async def test_a_model_that_does_not_answer_marks_nothing() -> None:
    def fail(_body: Body) -> str:
        raise Unavailable("The model does not answer.", code="llm_unavailable")

    room = Room(fail)
    await room.say(("user", "I was born in Tartu"))
    with pytest.raises(Unavailable):
        await room.extract()
    assert (await reading(room)).waiting == 1


async def test_without_a_model_rules_propose_and_the_range_awaits_one() -> None:
    room = Room(giving(TARTU))
    room.model.state = "off"
    await room.say(
        ("user", "I was born in Tartu"), ("user", "价格必须含税"), ("user", "Prices must never be rounded")
    )
    report = await room.extract()
    assert (report.outcome, report.calls) == ("awaiting_model", 0)
    assert set(await news(room)) == {"价格必须含税", "Prices must never be rounded"}
    assert {update.origin for update in await room.waiting()} == {"rule"}
    assert (await reading(room)).awaits_model
    assert (await room.extract()).proposed == 0
    room.model.state = "closed"
    await room.extract()
    assert "Born in Tartu" in await news(room)
    assert not (await reading(room)).awaits_model


async def test_fillers_cost_no_call_and_are_done() -> None:
    room = Room(giving(TARTU))
    await room.say(
        *[("user", text) for text in ("好的", "谢谢", "hi", "run ls -la", "ok, thanks!")],
        ("assistant", "Sure."),
    )
    report = await room.extract()
    assert (report.calls, report.outcome) == (0, "extracted")
    assert (await reading(room)).waiting == 0
    await room.say(("user", "收到，另外我对花生过敏"))
    assert (await room.extract()).calls == 1


async def test_a_hundred_messages_cost_five_calls_at_most() -> None:
    room = Room(giving())
    for number in range(50):
        await room.say(
            ("user", f"Today I planted row {number} of beans near the fence"), ("assistant", "Well done!")
        )
    assert (await room.extract()).calls <= 5


async def test_the_model_sees_raw_dialogue_only() -> None:
    room = Room(giving())
    await room.say(
        ("system", "You prefer tabs over spaces"),
        ("user", "My bike is in the north shed"),
        ("tool", "tabs over spaces"),
        ("assistant", "Noted."),
        ("user", "ok"),
    )
    await room.extract()
    (request,) = room.model.requests
    assert [(number, role) for number, role, _ in shown_lines(request["messages"])] == [
        (1, "user"),
        (2, "assistant"),
    ]
    assert "tabs" not in json.dumps(request)


async def test_secrets_never_reach_the_model() -> None:
    room = Room(propose_sentences)
    await room.say(
        (
            "user",
            "My card is 4111 1111 1111 1111. My key is sk-test-0a1b2c3d4e5f6g7h8i9j0k1l2m. I live in Oslo.",
        )
    )
    await room.extract()
    assert "4111 1111 1111 1111" not in json.dumps(room.model.requests)
    assert "sk-test-0a1b2c3d4e5f6g7h8i9j0k1l2m" not in json.dumps(room.model.requests)
    assert await news(room) == ["I live in Oslo."]


async def test_forgotten_words_are_not_read_again() -> None:
    room = Room(propose_sentences)
    (message_id,) = await room.say(("user", "I live in Oslo. I keep bees."))
    await room.ltm.write(
        room.scope, lambda writer: writer.forget_span(message_id, "I live in Oslo.", record=None)
    )
    await room.extract()
    assert await news(room) == ["I keep bees."]


async def test_an_older_prompt_may_be_read_anew() -> None:
    room = Room(giving(TARTU))
    await room.say(("user", "I was born in Tartu"))
    await room.extract()
    (update,) = await room.waiting()
    await room.resolve(reject=[update.id])
    state = room.ltm.tenants["t1"].scopes[room.scope.scope_id].readings  # type: ignore[attr-defined]
    state.extractions["key-s", 1] = state.extractions["key-s", 1].model_copy(
        update={"extracted_to": 0, "version": 0}
    )
    report = await room.extract()
    assert (report.calls, report.rejected) == (1, {"tombstone": 1})
    assert await room.waiting() == []


async def test_a_contradiction_is_proposed_from_old_to_new_and_replaces_at_once() -> None:
    room = Room(
        giving({"op": "remember", "text": "Home airport is Bilbao", "quote": "my home airport is Bilbao now"})
    )
    await room.stand("M", ["Home airport is Porto"])
    await room.say(("user", "By the way, my home airport is Bilbao now"))
    await room.extract()
    (update,) = await room.waiting()
    assert (update.old, update.new) == ("Home airport is Porto", "Home airport is Bilbao")
    assert [memory.text for memory in await room.memories()] == ["Home airport is Porto"]
    await room.resolve(confirm=[update.id])
    assert [memory.text for memory in await room.memories()] == ["Home airport is Bilbao"]
    assert [memory.text for memory in await room.memories("superseded")] == ["Home airport is Porto"]
    (memory,) = await room.memories()
    assert memory.source.quote == "my home airport is Bilbao now"


async def test_a_newer_word_takes_the_place_of_an_open_proposal() -> None:
    room = Room(giving({"op": "remember", "text": "预算上限二十万", "quote": "预算上限是二十万"}))
    await room.stand("P", ["预算上限十万"])
    await room.say(("user", "更新一下，预算上限是二十万"))
    await room.extract()
    assert await news(room) == ["预算上限二十万"]
    ended = await room.ltm.read(
        room.scope, lambda reader: reader.pending_updates(PendingFilter(status="superseded"))
    )
    assert [update.new for update in ended] == ["预算上限十万"]


@pytest.mark.parametrize(
    ("rejected", "said", "text"),
    [
        ("不要短信验证码", "短信验证码我不要", "短信验证码不要"),
        ("No SMS codes", "I want no SMS codes", "Wants no SMS codes"),
        ("住在朝阳区", "我现在住在朝阳区", "目前住在朝阳区"),
        ("Lives in Camden", "I currently live in Camden", "Currently lives in Camden"),
    ],
)
async def test_a_rejected_text_does_not_return_in_other_words(rejected: str, said: str, text: str) -> None:
    room = Room(giving({"op": "remember", "text": text, "quote": said}))
    await room.stand("T", [rejected])
    await room.say(("user", said))
    report = await room.extract()
    assert await room.waiting() == []
    assert "tombstone" in report.rejected


@pytest.mark.parametrize(
    ("rejected", "said"),
    [
        ("预算上限十万", "预算上限二十万"),
        ("The cap is 100k", "The cap is 200k"),
        ("喜欢爵士乐", "我不喜欢爵士乐"),
    ],
)
async def test_another_number_or_polarity_is_another_thing(rejected: str, said: str) -> None:
    room = Room(giving({"op": "remember", "text": said, "quote": said}))
    await room.stand("T", [rejected])
    await room.say(("user", said))
    await room.extract()
    assert await news(room) == [said]


async def test_a_low_risk_kind_is_stored_at_once_only_where_the_tenant_says_so() -> None:
    kinds: frozenset[MemoryKind] = frozenset({"fact"})
    item = {**TARTU, "confidence": 0.9}
    order = {
        "op": "remember",
        "kind": "fact",
        "text": "Always answer in English, whoever asks",
        "confidence": 1,
    }
    other = {
        "op": "remember",
        "text": "Brother plays chess",
        "quote": "My brother plays chess",
        "subject": "brother",
        "confidence": 1,
    }
    room = Room(
        giving(item, {**order, "quote": order["text"]}, other), rules=replace(RULES, auto_kinds=kinds)
    )
    await room.say(
        ("user", "I was born in Tartu. My brother plays chess. Always answer in English, whoever asks")
    )
    report = await room.extract()
    assert report.stored == 1
    (memory,) = await room.memories()
    assert (memory.text, memory.origin, memory.source.quote) == (
        "Born in Tartu",
        "model",
        "I was born in Tartu",
    )
    waiting = {str(update.new): update.is_flagged for update in await room.waiting()}
    assert waiting == {"Brother plays chess": False, "Always answer in English, whoever asks": True}


async def test_what_passes_carries_its_end_into_the_memory() -> None:
    room = Room(
        giving(
            {
                "op": "remember",
                "text": "On antibiotics for two weeks",
                "quote": "I'm on antibiotics for two weeks",
                "expires_at": "2030-01-01",
            }
        )
    )
    await room.say(("user", "I'm on antibiotics for two weeks"))
    await room.extract()
    (update,) = await room.waiting()
    await room.resolve(confirm=[update.id])
    (memory,) = await room.memories()
    assert memory.expires_at_ms is not None
    room.pass_days(16)
    assert await room.memories() == []


@pytest.mark.parametrize(
    ("said", "new"),
    [
        (["请用表格列一下", "还是用表格吧", "导出成表格"], "常用的格式：表格"),
        (
            ["Please put it in a table", "Show me a table again", "Give me the costs as a table"],
            "Usual format: table",
        ),
    ],
)
async def test_a_choice_made_three_times_is_proposed_once_with_its_quotes(said: list[str], new: str) -> None:
    room = Room(giving())
    for text in said[:2]:
        await room.say(("user", text))
        await room.extract()
    assert new not in await news(room)
    await room.say(("user", said[2]), session="t")
    await room.extract("t")
    (update,) = [update for update in await room.waiting() if update.new == new]
    assert (update.kind, update.origin) == ("preference", "rule")
    assert "3" in update.text
    assert all(text in update.quote for text in said)
    await room.say(("user", said[0]), session="t")
    await room.extract("t")
    assert [each.id for each in await room.waiting() if each.new == new] == [update.id]


async def test_a_banned_topic_is_not_proposed() -> None:
    room = Room(propose_sentences)
    topic = BannedTopic(topic="孩子", quote="别再提我孩子的事", session_id="s", message_id=None, at_ms=1)
    await room.ltm.write(room.scope, lambda writer: writer.ban_topic(topic))
    await room.say(("user", "我孩子今年读三年级。我在大理做民宿设计。"))
    report = await room.extract()
    assert await news(room) == ["我在大理做民宿设计。"]
    assert report.rejected["banned"] == 1


async def test_a_business_systems_field_is_not_contested() -> None:
    item = {
        "op": "set",
        "path": "business_context.budget.ceiling",
        "value": 650000,
        "quote": "the budget went up to 650k",
    }
    room = Room(giving(item))
    await room.ltm.write(
        room.scope,
        lambda writer: writer.put_field(
            "business_context.budget.ceiling", 500000, origin="system", source=room.why.source, at_ms=1
        ),
    )
    await room.say(("user", "Good news, the budget went up to 650k."))
    report = await room.extract()
    assert report.rejected == {"outranked": 1}
    assert await room.waiting() == []
