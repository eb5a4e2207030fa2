"""Records and terms come back exactly as they were packed; kept rows stay within their bound."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.engines.sqlite.packing import pack_json, pack_text, unpack_json, unpack_text
from shared.engines.sqlite.records import (
    RawRows,
    join_rows,
    pack_record,
    pack_terms,
    text_of_terms,
    unpack_records,
    unpack_terms,
)
from shared.engines.sqlite.scope_rows import KeptRows, RowsCache, order_rows, sort_rows
from tests.contracts.ltm.samples import record

TERMS = st.lists(
    st.one_of(st.text(max_size=6), st.sampled_from(["项目", "目编", "编号", "号项", "tea", "茶"]))
)


@given(TERMS, st.lists(st.text(alphabet="d:0123456789-", min_size=1, max_size=12)))
def test_terms_come_back_exactly(terms: list[str], dates: list[str]) -> None:
    packed = pack_terms(terms, dates)
    assert unpack_terms(packed) == (terms, dates)
    for character in ("茶", "项"):
        assert (character in text_of_terms(packed)) == any(character in term for term in terms)


def test_overlapping_pairs_take_the_room_of_their_text() -> None:
    text = "项目预算上限五十万元项目编号截止日期"
    assert len(pack_terms([text[i : i + 2] for i in range(len(text) - 1)], [])) <= 2 * len(text) + 5


def test_every_character_of_unicode_survives_packing() -> None:
    everything = [chr(code) for code in range(0x110000) if not 0xD800 <= code <= 0xDFFF]
    for start in range(0, len(everything), 100):
        text = "".join(everything[start : start + 100])
        assert unpack_text(pack_text(text)) == text
    long_text = "预算" * 5_000
    assert unpack_text(pack_text(long_text)) == long_text
    assert len(pack_text(long_text)) < 500


def test_records_come_back_and_speakers_are_numbered_on() -> None:
    rows = [
        record("项目预算", speaker="user", mentions=((1, 2), (-3, 4))),
        record("x", speaker="李", ends_with_question=True),
    ]
    packed = [pack_record(row, session_no=4, seq=number) for number, row in enumerate(rows)]
    first = unpack_records([10, 11], packed, speakers=())
    assert first.speakers == ("user", "李")
    assert first.mention_days.tolist() == [1, 2, -3, 4]
    assert first.length.tolist() == [3, 1]
    later = unpack_records(
        [12], [pack_record(record("y", speaker="李"), session_no=4, seq=9)], speakers=first.speakers
    )
    joined = join_rows([first, later])
    assert joined.speaker.tolist() == [0, 1, 1]
    assert joined.seq.tolist() == [0, 1, 9]


def raw(first_id: int, count: int) -> RawRows:
    packed = [pack_record(record("茶杯"), session_no=1, seq=number) for number in range(count)]
    return unpack_records(list(range(first_id, first_id + count)), packed, speakers=())


def test_rows_left_out_take_their_mentions_along() -> None:
    packed = [
        pack_record(record("茶杯", mentions=((number, number),)), session_no=1, seq=9 - number)
        for number in range(4)
    ]
    unsorted = unpack_records([1, 2, 3, 4], packed, speakers=())
    rows = order_rows(sort_rows(unsorted), without=frozenset({2})).rows
    assert rows.row_ids.tolist() == [4, 3, 1]
    assert rows.mention_start.tolist() == [3, 2, 0]
    assert rows.mention_offsets.tolist() == [0, 1, 2, 3]


def test_an_empty_scope_has_empty_arrays() -> None:
    rows = order_rows(unpack_records([], [], speakers=()), without=frozenset()).rows
    assert rows.row_ids.dtype == np.int64
    assert rows.mention_offsets.tolist() == [0]


def test_the_cache_lets_the_scope_go_that_was_used_longest_ago() -> None:
    cache = RowsCache(most_rows=25)

    def keep(name: str) -> None:
        rows = raw(1, 10)
        cache.put(("t", name), KeptRows(0, 10, rows, frozenset(), order_rows(rows, without=frozenset())))

    keep("a")
    keep("b")
    assert cache.get(("t", "a")) is not None
    keep("c")
    assert cache.get(("t", "b")) is None
    assert cache.get(("t", "a")) is not None
    cache.drop(("t", "a"))
    keep("d")
    assert cache.get(("t", "c")) is not None


@pytest.mark.parametrize(
    "value",
    [
        {"content": "项目编号是 PROJ-2024-001"},
        {"content": ""},
        {"content": "x" * 2_000},
        {"content": None},
        {"content": "see", "name": "Ana"},
        {"text": "content"},
        ["content"],
        "content",
        17,
    ],
)
def test_a_json_value_comes_back_as_it_was_packed(value: object) -> None:
    assert unpack_json(pack_json(value)) == value


def test_a_bare_content_takes_no_more_than_its_text() -> None:
    assert len(pack_json({"content": "自行车在车棚"})) == len(pack_text("自行车在车棚")) + 1


def test_a_body_that_a_former_version_packed_is_still_read() -> None:
    assert unpack_json(pack_text('{"content":"自行车在车棚"}')) == {"content": "自行车在车棚"}
