"""What every long-term memory does, whatever it is made of."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from shared.errors import Conflict, Missing
from shared.model.memory import Episode, FieldVersion, Memory, Source
from shared.model.scope import Scope
from shared.ports.ltm import LtmReader, LtmWriter, MemoryFilter
from tests.contracts.ltm.samples import EPOCH, EVENT, Stores, episode, memory, pairs, record

BUDGET = "business_context.budget.ceiling"


async def put(stores: Stores, scope: Scope, value: Any, *, at_ms: int, path: str = BUDGET) -> FieldVersion:
    return await stores.ltm.write(
        scope, lambda w: w.put_field(path, value, origin="user", source=EVENT, at_ms=at_ms)
    )


async def archive(stores: Stores, scope: Scope, *texts: str, session_id: str = "s-1") -> list[Episode]:
    episodes = pairs(*texts, session_id=session_id)
    await stores.ltm.write(scope, lambda w: w.add_episodes(episodes))
    return [kept for kept, _ in episodes]


async def remember(stores: Stores, scope: Scope, kept: Memory, *, normal: str | None = None) -> Memory:
    await stores.ltm.write(
        scope, lambda w: w.add_memory(kept, record(kept.text), normal_text=normal or kept.text)
    )
    return kept


def texts_found(reader: LtmReader, term: str) -> list[str]:
    rows = reader.scope_rows()
    posting = reader.postings([term])[term]
    ids = [int(rows.row_ids[place]) for place in posting.positions]
    found = reader.rows(ids)
    return [
        kept.text if isinstance(kept, Memory) else kept.message.text for kept in map(found.get, ids) if kept
    ]


async def test_a_field_keeps_all_its_versions_and_the_newest_is_current(stores: Stores, scope: Scope) -> None:
    await put(stores, scope, {"amount": 300_000}, at_ms=100)
    second = await put(stores, scope, {"amount": 500_000}, at_ms=200)
    assert second.version == 2
    history = await stores.ltm.read(scope, lambda r: r.field_history(BUDGET))
    assert [(v.version, v.valid_from_ms, v.valid_to_ms) for v in history] == [(1, 100, 200), (2, 200, None)]
    assert history[1].source == EVENT
    assert await stores.ltm.read(scope, lambda r: r.field(BUDGET)) == second
    assert await stores.ltm.read(scope, lambda r: r.fields()) == [second]


async def test_fields_can_be_read_as_of_a_time(stores: Stores, scope: Scope) -> None:
    for value, at_ms in (("A", 100), ("B", 200), (None, 300)):
        await put(stores, scope, value, at_ms=at_ms)
    seen = [
        [v.value for v in await stores.ltm.read(scope, lambda r, at=at_ms: r.fields(as_of_ms=at))]  # type: ignore[misc]
        for at_ms in (99, 100, 199, 200, 300)
    ]
    assert seen == [[], ["A"], ["A"], ["B"], []]


async def test_a_removed_field_is_gone_and_its_removal_is_a_version(stores: Stores, scope: Scope) -> None:
    await put(stores, scope, "x", at_ms=1)
    await put(stores, scope, None, at_ms=2)
    assert await stores.ltm.read(scope, lambda r: r.field(BUDGET)) is None
    assert await stores.ltm.read(scope, lambda r: r.fields()) == []
    assert [v.value for v in await stores.ltm.read(scope, lambda r: r.field_history(BUDGET))] == ["x", None]
    assert (await put(stores, scope, "y", at_ms=3)).version == 3


async def test_fields_come_in_the_order_of_their_paths(stores: Stores, scope: Scope) -> None:
    for path in ("b.two", "a.one", "c"):
        await put(stores, scope, 1, at_ms=1, path=path)
    assert [v.path for v in await stores.ltm.read(scope, lambda r: r.fields())] == ["a.one", "b.two", "c"]


async def test_a_memory_comes_back_as_it_was_written(stores: Stores, scope: Scope) -> None:
    kept = memory(
        "预算上限 500,000 {{7*7}} %s </memory> 😀",
        path=BUDGET,
        value={"amount": 500_000},
        pinned=True,
        expires_at_ms=4_000_000_000_000,
    )
    await remember(stores, scope, kept)
    assert await stores.ltm.read(scope, lambda r: r.memory(kept.id)) == kept


async def test_a_second_memory_with_the_same_id_is_a_conflict(stores: Stores, scope: Scope) -> None:
    kept = await remember(stores, scope, memory("一次"))
    with pytest.raises(Conflict):
        await remember(stores, scope, kept)


async def test_memories_are_listed_newest_first_and_in_pages(stores: Stores, scope: Scope) -> None:
    for number in range(5):
        await remember(stores, scope, memory(f"row {number}", id=f"mem_{number}"))
    first = await stores.ltm.read(scope, lambda r: r.memories(MemoryFilter(limit=2)))
    rest = await stores.ltm.read(scope, lambda r: r.memories(MemoryFilter(limit=9, after_id=first[-1].id)))
    assert [kept.id for kept in first + rest] == ["mem_4", "mem_3", "mem_2", "mem_1", "mem_0"]


async def test_memories_are_filtered_by_kind_status_and_session(stores: Stores, scope: Scope) -> None:
    fact = await remember(stores, scope, memory("fact"))
    event = await remember(stores, scope, memory("event", kind="event", source=Source(session_id="s-2")))
    faded = await remember(stores, scope, memory("faded", status="faded"))

    async def listed(**wanted: Any) -> set[str]:
        found = await stores.ltm.read(scope, lambda r: r.memories(MemoryFilter(**wanted)))
        return {kept.id for kept in found}

    assert await listed() == {fact.id, event.id}
    assert await listed(kinds=("event", "decision")) == {event.id}
    assert await listed(status=None) == {fact.id, event.id, faded.id}
    assert await listed(status="faded") == {faded.id}
    assert await listed(session_id="s-2") == {event.id}


async def test_an_active_memory_is_found_by_its_normal_text(stores: Stores, scope: Scope) -> None:
    await remember(stores, scope, memory("Old", status="superseded"), normal="likes tea")
    assert await stores.ltm.read(scope, lambda r: r.memory_with_text("likes tea")) is None
    kept = await remember(stores, scope, memory("Likes tea."), normal="likes tea")
    assert await stores.ltm.read(scope, lambda r: r.memory_with_text("likes tea")) == kept
    assert await stores.ltm.read(scope, lambda r: r.memory_with_text("likes")) is None


async def test_an_expired_memory_is_neither_listed_nor_found(stores: Stores, scope: Scope) -> None:
    soon = stores.clock.now_ms() + 60_000
    kept = await remember(stores, scope, memory("green tea", expires_at_ms=soon))
    assert await stores.ltm.read(scope, lambda r: texts_found(r, "green")) == ["green tea"]
    stores.clock.offset = timedelta(minutes=2)
    assert await stores.ltm.read(scope, lambda r: texts_found(r, "green")) == []
    assert await stores.ltm.read(scope, lambda r: r.memories(MemoryFilter())) == []
    found = await stores.ltm.read(scope, lambda r: r.memory(kept.id))
    assert found is not None
    assert found.status == "expired"
    stores.clock.offset = timedelta(0)
    assert await stores.ltm.read(scope, lambda r: texts_found(r, "green")) == ["green tea"]


async def test_a_deleted_memory_is_gone_from_the_index_too(stores: Stores, scope: Scope) -> None:
    kept = await remember(stores, scope, memory("green tea"))
    await remember(stores, scope, memory("black tea"))
    assert await stores.ltm.read(scope, lambda r: texts_found(r, "tea")) == ["green tea", "black tea"]
    assert await stores.ltm.write(scope, lambda w: w.delete_memory(kept.id))
    assert not await stores.ltm.write(scope, lambda w: w.delete_memory(kept.id))
    assert await stores.ltm.read(scope, lambda r: texts_found(r, "tea")) == ["black tea"]
    assert await stores.ltm.read(scope, lambda r: r.memory(kept.id)) is None


async def test_episodes_are_archived_once_and_read_in_order(stores: Stores, scope: Scope) -> None:
    episodes = pairs("one", "two", "three")
    assert await stores.ltm.write(scope, lambda w: w.add_episodes(episodes[:2])) == 2
    assert await stores.ltm.write(scope, lambda w: w.add_episodes(episodes)) == 1
    found = await stores.ltm.read(scope, lambda r: r.episodes("s-1", epoch=None, after_seq=1, limit=9))
    assert [kept.message for kept in found] == [kept.message for kept, _ in episodes[1:]]
    assert found[0].session_id == "s-1"
    one = await stores.ltm.read(scope, lambda r: r.episode(episodes[0][0].message.id))
    assert one is not None
    assert one.message == episodes[0][0].message


async def test_an_episode_keeps_parts_and_tool_calls(stores: Stores, scope: Scope) -> None:
    parts = [{"type": "text", "text": "看图"}, {"type": "image_url", "image_url": {"url": "x"}}]
    kept = episode("", tool_calls=[{"id": "c1"}], name="Li", client_id="c-9", asks_paths=("a.b",))
    body = kept.message.body.model_copy(update={"content": parts})
    kept = kept.model_copy(update={"message": kept.message.model_copy(update={"body": body})})
    await stores.ltm.write(scope, lambda w: w.add_episodes([(kept, record("看图"))]))
    found = await stores.ltm.read(scope, lambda r: r.episode(kept.message.id))
    assert found is not None
    assert found.message == kept.message


async def test_a_session_without_an_epoch_means_its_newest(stores: Stores, scope: Scope) -> None:
    for epoch, text in ((EPOCH, "old"), (EPOCH + 5, "new")):
        episodes = pairs(text, epoch=epoch)
        await stores.ltm.write(scope, lambda w, e=episodes: w.add_episodes(e))  # type: ignore[misc]

    async def words(epoch: int | None) -> list[str]:
        found = await stores.ltm.read(scope, lambda r: r.episodes("s-1", epoch=epoch, after_seq=0, limit=9))
        return [kept.message.text for kept in found]

    assert await words(None) == ["new"]
    assert await words(EPOCH) == ["old"]


async def test_messages_are_found_by_the_ids_of_clients(stores: Stores, scope: Scope) -> None:
    kept = episode("hello", client_id="c-1")
    await stores.ltm.write(scope, lambda w: w.add_episodes([(kept, record("hello"))]))
    found = await stores.ltm.read(scope, lambda r: r.messages_of_clients("s-1", ["c-1", "c-2"]))
    assert found == {"c-1": kept.message.id}
    assert await stores.ltm.read(scope, lambda r: r.messages_of_clients("s-2", ["c-1"])) == {}


async def test_a_deleted_session_leaves_nothing_in_any_epoch(stores: Stores, scope: Scope) -> None:
    await archive(stores, scope, "tea one", "tea two")
    later = pairs("tea three", epoch=EPOCH + 9)
    await stores.ltm.write(scope, lambda w: w.add_episodes(later))
    await archive(stores, scope, "tea elsewhere", session_id="s-2")
    assert await stores.ltm.write(scope, lambda w: w.delete_session("s-1")) == 3
    assert await stores.ltm.read(scope, lambda r: texts_found(r, "tea")) == ["tea elsewhere"]
    assert await stores.ltm.read(scope, lambda r: r.episodes("s-1", epoch=None, after_seq=0, limit=9)) == []


async def test_a_long_session_is_deleted_in_slices(stores: Stores, scope: Scope) -> None:
    await archive(stores, scope, *[f"tea {number}" for number in range(5)])
    slices = [await stores.ltm.write(scope, lambda w: w.delete_session("s-1", limit=2)) for _ in range(4)]
    assert slices == [2, 2, 1, 0]
    assert await stores.ltm.read(scope, lambda r: texts_found(r, "tea")) == []
    await archive(stores, scope, "tea again")
    assert await stores.ltm.read(scope, lambda r: texts_found(r, "tea")) == ["tea again"]


async def test_postings_say_where_and_how_often(stores: Stores, scope: Scope) -> None:
    await archive(stores, scope, "tea and tea", "coffee", "tea")
    rows, postings = await stores.ltm.read(
        scope, lambda r: (r.scope_rows(), r.postings(["tea", "coffee", "milk", "d:2025-06-15"]))
    )
    assert rows.seq.tolist() == [1, 2, 3]
    assert rows.length.tolist() == [3, 1, 1]
    found = {
        term: (posting.positions.tolist(), posting.frequencies.tolist()) for term, posting in postings.items()
    }
    assert found == {
        "tea": ([0, 2], [2, 1]),
        "coffee": ([1], [1]),
        "milk": ([], []),
        "d:2025-06-15": ([0, 1, 2], [1, 1, 1]),
    }


async def test_rows_tell_what_scoring_needs(stores: Stores, scope: Scope) -> None:
    first = record("什么时候", mentions=((5, 6), (9, 9)), speaker="Li", ends_with_question=True, day=0)
    second = record("明天", has_time_expression=True, mentions=((7, 7),))
    episodes = [(episode("什么时候", seq=1), first), (episode("明天", seq=2), second)]
    await stores.ltm.write(scope, lambda w: w.add_episodes(list(reversed(episodes))))
    await remember(stores, scope, memory("红茶"))
    rows = await stores.ltm.read(scope, lambda r: r.scope_rows())
    assert rows.session.tolist() == [0, 0, 1]
    assert rows.seq.tolist()[:2] == [1, 2]
    assert rows.day.tolist() == [0, 739_417, 739_417]
    assert [rows.speakers[number] for number in rows.speaker] == ["Li", "user", "user"]
    assert rows.ends_with_question.tolist() == [True, False, False]
    assert rows.has_time_expression.tolist() == [False, True, False]
    assert rows.mention_offsets.tolist() == [0, 2, 3, 3]
    assert rows.mention_start.tolist() == [5, 9, 7]
    assert rows.mention_end.tolist() == [6, 9, 7]


async def test_each_memory_stands_alone_behind_the_sessions(stores: Stores, scope: Scope) -> None:
    await remember(stores, scope, memory("红茶"))
    await archive(stores, scope, "a", "b", session_id="s-1")
    await archive(stores, scope, "c", session_id="s-2")
    await remember(stores, scope, memory("绿茶"))
    rows = await stores.ltm.read(scope, lambda r: r.scope_rows())
    assert rows.session.tolist() == [0, 0, 1, 2, 3]


async def test_rows_that_come_later_are_seen_at_once(stores: Stores, scope: Scope) -> None:
    for number in range(4):
        await archive(stores, scope, f"tea number{number}", session_id=f"s-{number}")
        found = await stores.ltm.read(scope, lambda r: texts_found(r, "tea"))
        assert found == [f"tea number{n}" for n in range(number + 1)]


async def test_a_ranking_s_inputs_do_not_change_when_others_write(stores: Stores, scope: Scope) -> None:
    await archive(stores, scope, "项目预算", "项目编号")
    before = await stores.ltm.read(scope, lambda r: (r.scope_rows(), r.postings(["项目", "预算"])))
    for name in ("u2", "u3"):
        other = await stores.directory.ensure_scope("t1", "user", outside_id=name)
        await archive(stores, other, *["项目预算"] * 30)
    after = await stores.ltm.read(scope, lambda r: (r.scope_rows(), r.postings(["项目", "预算"])))
    assert after[0].row_ids.tolist() == before[0].row_ids.tolist()
    for term in ("项目", "预算"):
        assert after[1][term].positions.tolist() == before[1][term].positions.tolist()
        assert after[1][term].frequencies.tolist() == before[1][term].frequencies.tolist()


async def test_another_scope_s_things_are_not_there(stores: Stores, scope: Scope) -> None:
    (kept,) = await archive(stores, scope, "tea")
    other = await stores.directory.ensure_scope("t1", "user", outside_id="u2")
    ids = (await stores.ltm.read(scope, lambda r: r.scope_rows())).row_ids.tolist()
    assert await stores.ltm.read(other, lambda r: r.episode(kept.message.id)) is None
    assert await stores.ltm.read(other, lambda r: r.rows(ids)) == {}
    assert await stores.ltm.read(other, lambda r: texts_found(r, "tea")) == []


async def test_rows_are_found_by_a_single_character(stores: Stores, scope: Scope) -> None:
    await archive(stores, scope, "我喝茶的", "喝咖啡", "茶杯")
    rows, found = await stores.ltm.read(scope, lambda r: (r.scope_rows(), r.rows_with_character("茶")))
    assert sorted(found) == [int(rows.row_ids[0]), int(rows.row_ids[2])]


async def test_a_forgotten_span_leaves_the_index_and_is_remembered(stores: Stores, scope: Scope) -> None:
    (kept, other) = await archive(stores, scope, "green tea cake", "tea")
    before = (await stores.ltm.read(scope, lambda r: r.scope_rows())).row_ids.tolist()
    for _ in range(2):
        await stores.ltm.write(
            scope, lambda w: w.forget_span(kept.message.id, "green tea", record=record("cake"))
        )
    assert await stores.ltm.read(scope, lambda r: texts_found(r, "green")) == []
    assert await stores.ltm.read(scope, lambda r: texts_found(r, "cake")) == ["green tea cake"]
    assert (await stores.ltm.read(scope, lambda r: r.scope_rows())).row_ids.tolist() == before
    await stores.ltm.write(scope, lambda w: w.forget_span(kept.message.id, "cake", record=None))
    assert await stores.ltm.read(scope, lambda r: texts_found(r, "cake")) == []
    spans = await stores.ltm.read(scope, lambda r: r.forgotten_spans([kept.message.id, other.message.id]))
    assert spans == {kept.message.id: ("green tea", "cake")}


async def test_a_span_is_forgotten_before_its_message_is_archived(stores: Stores, scope: Scope) -> None:
    await stores.ltm.write(scope, lambda w: w.forget_span("msg_later", "tea", record=None))
    assert await stores.ltm.read(scope, lambda r: r.forgotten_spans(["msg_later"])) == {"msg_later": ("tea",)}


async def test_what_was_applied_is_remembered_for_seven_days(stores: Stores, scope: Scope) -> None:
    await stores.ltm.write(scope, lambda w: w.mark_applied("turn:s-1:m-1", {"done": [1, "二"]}))
    assert await stores.ltm.read(scope, lambda r: r.applied("turn:s-1:m-1")) == {"done": [1, "二"]}
    assert await stores.ltm.read(scope, lambda r: r.applied("turn:s-1:m-2")) is None
    stores.clock.offset = timedelta(days=7, seconds=5)
    assert await stores.ltm.read(scope, lambda r: r.applied("turn:s-1:m-1")) is None


async def test_accesses_are_counted_and_gone_rows_passed_over(stores: Stores, scope: Scope) -> None:
    (kept,) = await archive(stores, scope, "tea")
    noted = await remember(stores, scope, memory("cake"))
    ids = (await stores.ltm.read(scope, lambda r: r.scope_rows())).row_ids.tolist()
    counts = {ids[0]: 2, ids[1]: 1, 999_999: 4}
    await stores.ltm.write(scope, lambda w: w.count_accesses(counts, at_ms=77))
    await stores.ltm.write(scope, lambda w: w.count_accesses({ids[0]: 1}, at_ms=88))
    said = await stores.ltm.read(scope, lambda r: r.episode(kept.message.id))
    written = await stores.ltm.read(scope, lambda r: r.memory(noted.id))
    assert said is not None
    assert written is not None
    assert (said.access_count, said.last_accessed_at_ms) == (3, 88)
    assert (written.access_count, written.last_accessed_at_ms) == (1, 77)


async def test_a_write_that_raises_leaves_nothing(stores: Stores, scope: Scope) -> None:
    episodes = pairs("tea")

    def fail(writer: LtmWriter) -> None:
        writer.put_field(BUDGET, 1, origin="user", source=EVENT, at_ms=1)
        writer.add_episodes(episodes)
        assert texts_found(writer, "tea") == ["tea"]
        writer.add_audit("set", path=BUDGET, details={}, actor="key_1", request_id="r")
        raise ValueError(BUDGET)

    with pytest.raises(ValueError, match="budget"):
        await stores.ltm.write(scope, fail)
    assert await stores.ltm.read(scope, lambda r: r.fields()) == []
    assert await stores.ltm.read(scope, lambda r: texts_found(r, "tea")) == []
    assert await stores.ltm.read(scope, lambda r: r.audit(limit=9)) == []
    assert await stores.directory.verify_audit("t1") == (True, 0, "")


async def test_audit_lines_are_read_newest_first_and_in_pages(stores: Stores, scope: Scope) -> None:
    other = await stores.directory.ensure_scope("t1", "user", outside_id="u2")
    for number in range(4):
        whose = other if number == 1 else scope
        await stores.ltm.write(
            whose,
            lambda w, n=number: w.add_audit(  # type: ignore[misc]
                "set", path=BUDGET, details={"new": n}, actor="key_1", request_id=f"req_{n}"
            ),
            durable=True,
        )
    lines = await stores.ltm.read(scope, lambda r: r.audit(limit=2))
    assert [(line.seq, line.details, line.request_id) for line in lines] == [
        (4, {"new": 3}, "req_3"),
        (3, {"new": 2}, "req_2"),
    ]
    assert [line.seq for line in await stores.ltm.read(scope, lambda r: r.audit(limit=9, before_seq=3))] == [
        1
    ]
    assert await stores.directory.verify_audit("t1") == (True, 4, "")


async def test_nothing_is_written_into_an_ended_scope(stores: Stores, scope: Scope) -> None:
    await archive(stores, scope, "tea")
    stores.end_scope(scope)
    for attempt in (
        stores.ltm.write(scope, lambda w: w.mark_applied("k", 1)),
        stores.ltm.read(scope, lambda r: r.fields()),
    ):
        with pytest.raises(Missing) as caught:
            await attempt
        assert caught.value.code == "scope_ended"
