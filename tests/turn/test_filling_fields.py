"""A task's fields are asked for until they are filled or not answered, in whole turns without a model."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from shared.ltm.edit import Why
from shared.ltm.field_edit import write_field
from shared.model.memory import Source
from shared.ports.ltm import LtmWriter
from tests.turn.plain_talk import SCOPE, PlainTalk


async def reviewing() -> PlainTalk:
    """Return a talk whose task needs a project and a deadline."""
    talk = PlainTalk()

    def work(writer: LtmWriter) -> None:
        why = Why(actor="a", request_id="r", origin="user", source=Source(), at=datetime.now(UTC))
        write_field(
            writer, "current_task.type", value="contract_review", why=why, mask=lambda _path, value: value
        )

    await talk.ltm.write(SCOPE, work)
    return talk


ASKED = [
    ("帮我看看这份合同", "项目编号", "截止日"),
    ("please review this contract", "project id", "deadline"),
]
ZH, EN = ASKED


@pytest.mark.parametrize(
    ("first", "answers", "labels"),
    [
        (ZH[0], ["PROJ-77", "12月25号"], ZH[1:]),
        (EN[0], ["PROJ-77", "Dec 25"], EN[1:]),
        (ZH[0], ["12月25号", "PROJ-77"], ZH[1:]),
        (EN[0], ["Dec 25", "PROJ-77"], EN[1:]),
        (ZH[0], ["PROJ-77，12月25号"], ZH[1:]),
        (EN[0], ["PROJ-77 and Dec 25"], EN[1:]),
        (ZH[0], ["12月25号，P-77"], ZH[1:]),
        (EN[0], ["Dec 25, P-77"], EN[1:]),
    ],
)
async def test_answers_fill_what_was_asked_for(
    first: str, answers: list[str], labels: tuple[str, str]
) -> None:
    talk = await reviewing()
    reply = await talk.reply(first)
    assert all(label in reply for label in labels)
    for answer in answers:
        reply = await talk.reply(answer)
    fields = await talk.fields()
    assert str(fields["project_id"]).endswith("-77")
    assert str(fields["deadline"])[5:10] == "12-25"
    assert not reply.endswith(("?", "？"))


@pytest.mark.parametrize(("first", "answer", "left"), [(ZH[0], "PROJ-77", ZH[2]), (EN[0], "PROJ-77", EN[2])])
async def test_the_rest_is_asked_for_again_after_an_answer(first: str, answer: str, left: str) -> None:
    talk = await reviewing()
    await talk.say(first)
    reply = (await talk.reply(answer)).rpartition("\n\n")[2]
    assert left in reply
    assert reply.endswith(("?", "？"))


@pytest.mark.parametrize(
    ("first", "then", "labels"),
    [
        (ZH[0], ["不知道", "今天有点累", "随便吧"], ZH[1:]),
        (EN[0], ["no idea", "I am a bit tired", "whatever"], EN[1:]),
        (ZH[0], ["这合同风险大吗？", "PROJ-77和12月25号哪个？", "好的谢谢"], ZH[1:]),
        (EN[0], ["is it risky?", "PROJ-77 and Dec 25, which one?", "ok thanks"], EN[1:]),
    ],
)
async def test_what_is_not_answered_is_asked_for_no_more(
    first: str, then: list[str], labels: tuple[str, str]
) -> None:
    talk = await reviewing()
    await talk.say(first)
    for text in then:
        reply = await talk.reply(text)
        assert not any(label in reply for label in labels)
    assert list(await talk.fields()) == ["type"]
