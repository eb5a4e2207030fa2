"""Moments said in words are kept with the user's zone; the clock time that a day lacks is asked for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from shared.ltm.schema import parse_schema
from tests.turn.plain_talk import PlainTalk

SCHEMA = parse_schema(
    {
        "version": 1,
        "paths": [
            {
                "path": "plan.meeting_time",
                "type": "datetime",
                "labels": {"zh": ["会议时间", "会议"], "en": ["meeting time", "meeting"]},
            }
        ],
    }
)
ZONE = "Asia/Shanghai"


def talk_in(zone: str | None = ZONE) -> PlainTalk:
    return PlainTalk(schema=SCHEMA, timezone=zone)


def tomorrow(hour: int, minute: int = 0, *, zone: str = ZONE) -> str:
    day = datetime.now(UTC).astimezone(ZoneInfo(zone)).date() + timedelta(days=1)
    return datetime(day.year, day.month, day.day, hour, minute, tzinfo=ZoneInfo(zone)).isoformat()


COMMANDS = [
    "把会议时间设为明天下午3点",
    "会议定在明天下午三点，记一下",
    "记住会议时间是明天下午三点",
    "set the meeting to tomorrow 3pm",
    "set the meeting time to 3 pm tomorrow",
    "remember the meeting time is tomorrow at 3pm",
]


@pytest.mark.parametrize("said", COMMANDS)
async def test_a_moment_is_kept_with_the_users_zone(said: str) -> None:
    talk = talk_in()
    await talk.say(said)
    assert await talk.fields() == {"meeting_time": tomorrow(15)}


@pytest.mark.parametrize(
    "zone", ["Asia/Shanghai", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "UTC", None]
)
@pytest.mark.parametrize("said", [COMMANDS[0], COMMANDS[3]])
async def test_the_offset_is_that_of_the_zone_on_that_day(said: str, zone: str | None) -> None:
    talk = talk_in(zone)
    await talk.say(said)
    assert await talk.fields() == {"meeting_time": tomorrow(15, zone=zone or "UTC")}


async def test_a_moment_that_names_its_zone_keeps_it() -> None:
    talk = talk_in()
    await talk.say("set the meeting time to 2099-03-01T15:30:00-05:00")
    assert await talk.fields() == {"meeting_time": "2099-03-01T15:30:00-05:00"}


@pytest.mark.parametrize(
    ("said", "again", "other"),
    [
        ("把会议时间设为明天下午3点", "会议时间是明天15:00", "会议时间改成明天下午4点"),
        (
            "set the meeting time to tomorrow 3pm",
            "the meeting time is tomorrow at 15:00",
            "the meeting time is now tomorrow 4pm",
        ),
    ],
)
async def test_the_same_moment_is_no_contradiction(said: str, again: str, other: str) -> None:
    talk = talk_in()
    await talk.say(said)
    assert (await talk.say(again)).pending == ()
    (update,) = (await talk.say(other)).pending
    assert update.new == tomorrow(16)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("把会议时间定在明天", "下午3点"),
        ("把会议时间定在明天", "明天下午3点"),
        ("把会议时间设为明天", "15:00"),
        ("set the meeting time to tomorrow", "3pm"),
        ("set the meeting to tomorrow", "tomorrow at 3pm"),
        ("set the meeting time to tomorrow", "at 15:00, please"),
    ],
)
async def test_a_day_alone_is_asked_about_and_the_answer_is_kept(said: str, answer: str) -> None:
    talk = talk_in()
    asked = await talk.say(said)
    assert [(each.outcome, each.reason) for each in asked.commands] == [("pending", "needs_time")]
    assert asked.reply["content"].rstrip().endswith(("？", "?"))
    assert tomorrow(15)[:10] in asked.reply["content"]
    assert await talk.fields() == {}
    await talk.say(answer)
    assert await talk.fields() == {"meeting_time": tomorrow(15)}


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("把会议时间定在明天", "算了，以后再说"),
        ("把会议时间定在明天", "今天天气不错"),
        ("set the meeting time to tomorrow", "never mind"),
        ("set the meeting time to tomorrow", "how is the weather?"),
    ],
)
async def test_what_is_no_time_leaves_the_moment_open(said: str, answer: str) -> None:
    talk = talk_in()
    await talk.say(said)
    await talk.say(answer)
    assert await talk.fields() == {}


@pytest.mark.parametrize("said", ["把预算定在明天", "set the meeting room to tomorrow", "把会议室定在明天"])
async def test_nothing_else_is_taken_for_a_moment(said: str) -> None:
    talk = talk_in()
    assert (await talk.say(said)).commands == ()
