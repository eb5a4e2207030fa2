"""What a job has read and the user deletes meanwhile does not come back by what the job then writes."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from shared.clock import Clock
from shared.engines.redis_stm.limits import StmLimits
from shared.errors import Missing
from shared.extraction.extract import ExtractionFailed, ExtractRules, extract_session
from shared.extraction.habits import count_choice, without_choices
from shared.ids import new_id
from shared.ltm.archive import archive_session
from shared.ltm.edit import Why, delete_memory
from shared.ltm.schema import DEFAULT_SCHEMA
from shared.ltm.wipe import wipe_all
from shared.model.extraction import Habit
from shared.model.message import MessageBody, NewMessage
from shared.model.pending import PendingUpdate
from shared.model.scope import Scope
from shared.ports.llm import CompletionRequest
from shared.ports.ltm import LtmReader, PendingFilter
from shared.privacy.classify import find_secrets
from shared.privacy.mask import mask_secrets
from shared.stm.leave import leave_digest
from shared.turn.history import delete_session
from tests.fakes.memory_ltm import MemoryLtm
from tests.fakes.memory_state import MemoryState
from tests.fakes.memory_stm import MemoryShortTermMemory

SCOPE = Scope(tenant_id="t1", scope_id="scp_1", kind="user")
RULES = ExtractRules(DEFAULT_SCHEMA, mask_secrets, find_secrets, timezone=None, keep_days=7)
SAID = {
    "zh": "我女儿叫团团，她今年上小学二年级。",
    "en": "My daughter is called Tuva, she is in second grade.",
}
QUOTES = {"zh": "我女儿叫团团", "en": "My daughter is called Tuva"}
LANGUAGES = pytest.mark.parametrize("language", ["zh", "en"])


class Place:
    """One user's two layers; what `meanwhile` does happens once, between a job's reading and its writing."""

    def __init__(self) -> None:
        clock = Clock()
        self.stm = MemoryShortTermMemory(MemoryState(), clock=clock, limits=StmLimits())
        self.ltm = MemoryLtm(clock)
        self.why = Why(actor="key", request_id="req", origin="api", at=datetime.now(UTC))
        self.answer = ""
        self.meanwhile: Callable[[], Awaitable[object]] | None = None

    async def happen(self) -> None:
        """Do what happens meanwhile."""
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile is not None:
            await meanwhile()

    # The store of long-term memory as a job sees it.
    async def read(self, scope: Scope, work: Callable[[LtmReader], Any]) -> Any:
        """Read."""
        return await self.ltm.read(scope, work)

    async def write(self, scope: Scope, work: Callable[[Any], Any], *, durable: bool = False) -> Any:
        """Write, after what happens meanwhile."""
        await self.happen()
        return await self.ltm.write(scope, work, durable=durable)

    # The model as a job sees it.
    def breaker_state(self) -> Any:
        """Return the state of a model that answers."""
        return "closed"

    def stream(self, request: Any) -> Any:
        """Refuse: this model only extracts."""
        raise NotImplementedError(request)

    async def complete(self, _request: CompletionRequest) -> str:
        """Answer, after what happens meanwhile."""
        await self.happen()
        return self.answer

    async def say(self, text: str, session_id: str = "s") -> str:
        """Append a message of the user's; returns its id."""
        message = NewMessage(id=new_id("msg"), role="user", body=MessageBody(content=text), tokens=20)
        done = await self.stm.append_messages(SCOPE, session_id, messages=[message])
        return done.message_ids[0]

    async def archive(self, ltm: Any) -> int:
        """Archive the session; returns how many messages were new."""
        report = await archive_session(
            SCOPE, "s", window_tokens=4_000, mask=mask_secrets, stm=self.stm, ltm=ltm
        )
        return report.messages

    async def extract(self) -> None:
        """Extract the session with the model; a partial answer is no matter here."""
        try:
            await extract_session(
                SCOPE,
                "s",
                now=datetime.now(UTC),
                request_id="",
                rules=RULES,
                ltm=self.ltm,
                model=self,
            )
        except ExtractionFailed as failed:
            assert failed.code == "partial_answer"  # noqa: PT017

    async def delete(self) -> object:
        """Delete the session."""
        return await delete_session(SCOPE, "s", actor="k", request_id="r", stm=self.stm, ltm=self.ltm)

    async def wipe(self) -> object:
        """Delete everything."""
        return await wipe_all(SCOPE, why=self.why, ltm=self.ltm, stm=self.stm)

    async def episodes(self) -> list[str]:
        """Return the archived texts."""
        found = await self.ltm.read(SCOPE, lambda r: r.episodes("s", epoch=None, after_seq=0, limit=9))
        return [each.message.text for each in found]

    async def open_updates(self) -> list[PendingUpdate]:
        """Return what waits for the user."""
        return await self.ltm.read(SCOPE, lambda reader: reader.pending_updates(PendingFilter(limit=9)))


def answer_with(quote: str, *, whole: bool = True) -> str:
    """Return a model's answer that proposes a quote as it stands."""
    item = {
        "op": "remember",
        "kind": "fact",
        "text": quote,
        "quote": quote,
        "subject": "user",
        "confidence": 0.9,
    }
    text = json.dumps({"items": [item]}, ensure_ascii=False)
    return text if whole else text[:-2] + ', {"op": "rem'


@pytest.mark.parametrize("deletion", ["delete", "wipe"])
async def test_an_archive_brings_no_deleted_session_back(deletion: str) -> None:
    place = Place()
    await place.say(SAID["zh"])
    place.meanwhile = getattr(place, deletion)
    assert await place.archive(place) == 0
    assert await place.episodes() == []
    assert await place.ltm.read(SCOPE, lambda reader: reader.extractions("s")) == []
    await place.say("a new talk")
    assert await place.archive(place) == 1
    assert await place.episodes() == ["a new talk"]


async def test_an_archive_goes_on_with_the_session_that_followed_a_deleted_one() -> None:
    place = Place()
    await place.say("gone")

    async def replace_session() -> None:
        await place.delete()
        await place.say("a new talk")

    place.meanwhile = replace_session
    assert await place.archive(place) == 1
    assert await place.episodes() == ["a new talk"]


@pytest.mark.parametrize("deletion", ["delete", "wipe"])
async def test_a_deleted_session_leaves_no_digest(deletion: str) -> None:
    place = Place()
    await place.say("I have to sign the lease of the flat in Porto on Friday.")
    place.meanwhile = getattr(place, deletion)
    assert not await leave_digest(SCOPE, "s", find_secrets=find_secrets, stm=place.stm, ltm=place)
    assert await place.ltm.read(SCOPE, lambda reader: reader.digest("s")) is None
    await place.say("I have to sign the lease of the flat in Braga on Monday.")
    assert await leave_digest(SCOPE, "s", find_secrets=find_secrets, stm=place.stm, ltm=place)


@LANGUAGES
@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("deletion", ["delete", "wipe"])
async def test_what_was_deleted_during_the_models_call_is_not_proposed(
    deletion: str, *, whole: bool, language: str
) -> None:
    place = Place()
    await place.say(SAID[language])
    await place.archive(place.ltm)
    place.answer = answer_with(QUOTES[language], whole=whole)
    place.meanwhile = getattr(place, deletion)
    await place.extract()
    assert await place.open_updates() == []
    assert await place.ltm.read(SCOPE, lambda reader: reader.extractions("s")) == []


@LANGUAGES
@pytest.mark.parametrize("whole", [True, False])
async def test_what_nobody_deleted_is_proposed(language: str, *, whole: bool) -> None:
    place = Place()
    await place.say(SAID[language])
    await place.archive(place.ltm)
    place.answer = answer_with(QUOTES[language], whole=whole)
    await place.extract()
    assert [update.quote for update in await place.open_updates()] == [QUOTES[language]]


@LANGUAGES
async def test_a_message_that_was_forgotten_during_the_models_call_is_not_proposed(language: str) -> None:
    place = Place()
    message_id = await place.say(SAID[language])
    await place.archive(place.ltm)
    place.answer = answer_with(QUOTES[language])
    place.meanwhile = lambda: delete_memory(SCOPE, message_id, why=place.why, ltm=place.ltm, stm=place.stm)
    await place.extract()
    assert await place.open_updates() == []


async def test_a_new_session_is_not_proposed_from_the_answer_about_a_deleted_one() -> None:
    place = Place()
    await place.say(SAID["en"])
    await place.archive(place.ltm)
    place.answer = answer_with(QUOTES["en"], whole=False)

    async def replace_session() -> None:
        await place.delete()
        await place.say("What shall we cook tonight?")
        await place.archive(place.ltm)

    place.meanwhile = replace_session
    await place.extract()
    assert await place.open_updates() == []


async def test_choices_of_a_deleted_session_are_neither_counted_nor_quoted() -> None:
    habit = Habit(name="format:table")
    for number in range(5):
        habit = count_choice(habit, f"as a table {number}", message_id=f"msg_{number}")
    left = without_choices(habit, ["msg_1", "msg_3"])
    assert (left.count, left.message_ids) == (3, ("msg_0", "msg_2", "msg_4"))
    assert left.quotes == ("as a table 2", "as a table 4")
    assert without_choices(habit, []) == habit

    place = Place()
    asked = ["请用表格列出来。", "Please put it in a table.", "还是用表格发我。"]
    for text in asked[:2]:
        await place.say(text)
        await place.archive(place.ltm)
    place.answer = '{"items": []}'
    await place.extract()
    assert (await place.ltm.read(SCOPE, lambda reader: reader.habit("format:table"))).count == 2
    await place.delete()
    await place.say(asked[2])
    await place.archive(place.ltm)
    await place.extract()
    habit = await place.ltm.read(SCOPE, lambda reader: reader.habit("format:table"))
    assert (habit.count, len(habit.quotes)) == (1, 1)
    assert await place.open_updates() == []


async def test_nothing_is_deleted_where_there_is_no_session() -> None:
    with pytest.raises(Missing):
        await Place().delete()
