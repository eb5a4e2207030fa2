"""One user's long texts do not hold up others: they are read up to a bound, or beside the loop."""

import asyncio
import threading
from datetime import UTC, datetime
from typing import Any

import pytest

from shared.aside import LONG_CHARS, run_aside
from shared.ltm.index import MAX_INDEXED_CHARS, describe_row
from shared.model.message import TailMessage
from shared.model.recall import RowRecord
from shared.privacy.mask import mask_secrets
from shared.recall import find
from shared.recall.find import TAIL_CHARS, SearchQuery
from shared.recall.near import Told
from shared.recall.tail import newest_within
from shared.text import ends_of
from shared.turn.context import Record, fit_records
from tests.stm.messages import make_message


@pytest.mark.parametrize("filler", ["quarterly report ", "季度报告，", "pass api token 密码 "])
@pytest.mark.parametrize(
    ("said", "secret"),
    [
        ("my password is hunter2", "hunter2"),
        ("数据库密码是 Tr0ub4dor&3", "Tr0ub4dor&3"),
        ("Authorization: Bearer abcdefghijklmnop1234", "abcdefghijklmnop1234"),
        ("postgres://bob:s3cr3tpw@db/x", "s3cr3tpw"),
        ("api_key=abcdef1234567890abcd", "abcdef1234567890abcd"),
        ("身份证号是110101199003071234", "199003071234"),
    ],
)
def test_a_secret_is_masked_wherever_it_stands_in_a_long_text(filler: str, said: str, secret: str) -> None:
    many = filler * (199_000 // len(filler))

    masked = mask_secrets(f"{many} {said} . {many[:100]}")

    assert secret not in masked
    assert masked.startswith(many)


def test_only_long_texts_are_read_in_a_thread() -> None:
    async def name_of(chars: int) -> int:
        return await run_aside(threading.get_ident, chars=chars)

    assert asyncio.run(name_of(LONG_CHARS)) == threading.get_ident()
    assert asyncio.run(name_of(LONG_CHARS + 1)) != threading.get_ident()


def test_others_go_on_while_a_long_text_is_read() -> None:
    went_on = threading.Event()

    async def other() -> None:
        went_on.set()

    async def both() -> bool:
        return (await asyncio.gather(run_aside(lambda: went_on.wait(10), chars=LONG_CHARS + 1), other()))[0]

    assert asyncio.run(both())


def _tail(*texts: str) -> list[TailMessage]:
    return [
        TailMessage(session_id="room", session_key="room", epoch=1, message=make_message(place, "user", text))
        for place, text in enumerate(texts, start=1)
    ]


def test_the_newest_messages_of_the_tail_are_described_within_a_bound() -> None:
    book = "x" * 199_000  # counts as what is indexed of it
    tail = _tail("I moved to Porto", book, book, book, "my cat is Pebble")

    kept = newest_within(tail, chars=TAIL_CHARS)

    assert TAIL_CHARS < 3 * MAX_INDEXED_CHARS
    assert [each.message.seq for each in kept] == [1, 4, 5]
    assert newest_within(tail[-1:], chars=TAIL_CHARS) == tail[-1:]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", ""), ("abcdef", "abcdef"), ("abcdefg", "abc\nefg"), ("一二三四五六七八", "一二三\n六七八")],
)
def test_a_long_text_is_looked_for_by_its_ends(text: str, expected: str) -> None:
    assert ends_of(text, 6) == expected


def test_a_record_that_can_have_no_room_is_passed_over() -> None:
    records = [Record("报告 " * 50_000, "2024-06-05", "user"), Record("预算50万", "2024-06-05", "user")]

    assert fit_records(records, budget_tokens=800) == [1]


def test_two_long_texts_are_one_answer_only_where_they_are_the_same() -> None:
    book = "the annual report of 50 offices. " * 200
    told = Told()

    assert [told.again(text, day=0) for text in (book, book.upper(), book)] == [False, False, True]


async def test_a_long_tail_is_described_beside_the_loop_and_only_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    threads: list[int] = []

    def describe(*args: Any, **named: Any) -> RowRecord:
        threads.append(threading.get_ident())
        return describe_row(*args, **named)

    monkeypatch.setattr(find, "describe_row", describe)
    query = SearchQuery(text="where do I live?", asked_at=datetime(2024, 6, 5, tzinfo=UTC))
    await find.describe_tail(_tail("I moved to Porto"), query)
    assert threads == []

    tail = _tail("I moved to Porto", *(f"{number} {'x' * 19_000}" for number in range(2)))
    await find.describe_tail(tail, query)
    await find.describe_tail(tail, query)

    assert len(threads) == len(tail)
    assert threading.get_ident() not in threads
