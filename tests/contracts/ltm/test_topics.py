"""Banned topics and digests, on every engine."""

from __future__ import annotations

import pytest

from shared.errors import Missing
from shared.model.scope import Scope
from shared.model.session_state import BannedTopic, Digest, Summary, TaskCard
from tests.contracts.ltm.samples import EPOCH, Stores, pairs

DAY_MS = 86_400_000


def ban(topic: str, at_ms: int = EPOCH) -> BannedTopic:
    return BannedTopic(topic=topic, quote=f"别提{topic}", session_id="s", message_id="m", at_ms=at_ms)


def digest(key: str, at_ms: int, *, card: TaskCard | None = None) -> Digest:
    return Digest(
        session_id=f"id-{key}", session_key=key, at_ms=at_ms, summary=Summary(text="退款"), card=card
    )


async def test_a_ban_stands_once_until_it_is_lifted(stores: Stores, scope: Scope) -> None:
    assert await stores.ltm.write(scope, lambda w: w.ban_topic(ban("离婚"))) is True
    assert await stores.ltm.write(scope, lambda w: w.ban_topic(ban("离婚", EPOCH + 5))) is False
    await stores.ltm.write(scope, lambda w: w.ban_topic(ban("Work", EPOCH + 1)))
    assert await stores.ltm.read(scope, lambda r: r.topics()) == [ban("离婚"), ban("Work", EPOCH + 1)]
    assert await stores.ltm.write(scope, lambda w: w.lift_topic("work")) is True
    assert await stores.ltm.write(scope, lambda w: w.lift_topic("work")) is False
    assert [topic.topic for topic in await stores.ltm.read(scope, lambda r: r.topics())] == ["离婚"]


async def test_bans_and_digests_are_of_their_scope(stores: Stores, scope: Scope) -> None:
    other = await stores.directory.ensure_scope("t1", "user", outside_id="u2")
    await stores.ltm.write(scope, lambda w: w.ban_topic(ban("离婚")))
    await stores.ltm.write(scope, lambda w: w.put_digest(digest("k1", stores.clock.now_ms())))
    assert await stores.ltm.read(other, lambda r: r.topics()) == []
    assert await stores.ltm.read(other, lambda r: r.newest_digest(without_key="", since_ms=0)) is None


async def test_the_newest_digest_of_another_session_is_found(stores: Stores, scope: Scope) -> None:
    now_ms = stores.clock.now_ms()
    card = TaskCard(intent="退款", done={"单号": "R-1"}, waiting=("原因",))
    old, new = digest("k1", now_ms - 2_000, card=card), digest("k2", now_ms - 1_000)
    await stores.ltm.write(scope, lambda w: w.put_digest(new))
    await stores.ltm.write(scope, lambda w: w.put_digest(old))
    read = stores.ltm.read
    assert await read(scope, lambda r: r.newest_digest(without_key="k3", since_ms=0)) == new
    assert await read(scope, lambda r: r.newest_digest(without_key="k2", since_ms=0)) == old
    assert await read(scope, lambda r: r.newest_digest(without_key="k3", since_ms=now_ms)) is None
    assert await read(scope, lambda r: r.digest("k1")) == old
    replaced = digest("k1", now_ms)
    await stores.ltm.write(scope, lambda w: w.put_digest(replaced))
    assert await read(scope, lambda r: r.newest_digest(without_key="k3", since_ms=0)) == replaced
    assert await stores.ltm.write(scope, lambda w: w.delete_digest("id-k1")) is True
    assert await stores.ltm.write(scope, lambda w: w.delete_digest("id-k1")) is False


async def test_digests_older_than_fourteen_days_go(stores: Stores, scope: Scope) -> None:
    now_ms = stores.clock.now_ms()
    await stores.ltm.write(scope, lambda w: w.put_digest(digest("k1", now_ms - 15 * DAY_MS)))
    await stores.ltm.write(scope, lambda w: w.put_digest(digest("k2", now_ms)))
    assert await stores.ltm.read(scope, lambda r: r.digest("k1")) is None


async def test_an_ended_scope_takes_no_ban(stores: Stores, scope: Scope) -> None:
    stores.end_scope(scope)
    with pytest.raises(Missing):
        await stores.ltm.write(scope, lambda w: w.ban_topic(ban("离婚")))


async def test_deleted_sessions_are_known_by_their_last_time_and_within_their_scope(
    stores: Stores, scope: Scope
) -> None:
    other = await stores.directory.ensure_scope("t1", "user", outside_id="u2")
    asked = ["room", "room2", "hall"]
    assert await stores.ltm.read(scope, lambda r: r.deleted_sessions(asked)) == {}
    await stores.ltm.write(scope, lambda w: w.note_deleted_session("room"))
    first = await stores.ltm.read(scope, lambda r: r.deleted_sessions(asked))
    assert list(first) == ["room"]
    assert abs(first["room"] - stores.clock.now_ms()) < 60_000
    assert await stores.ltm.read(other, lambda r: r.deleted_sessions(asked)) == {}
    await stores.ltm.write(scope, lambda w: w.note_deleted_session(None))
    everything = await stores.ltm.read(scope, lambda r: r.deleted_sessions(asked))
    assert list(everything) == asked
    assert min(everything.values()) >= first["room"]
    assert await stores.ltm.read(other, lambda r: r.deleted_sessions(asked)) == {}


async def test_an_archived_message_takes_the_words_that_are_left_of_it(stores: Stores, scope: Scope) -> None:
    episodes = pairs("green tea cake", "tea", session_id="s-1")
    await stores.ltm.write(scope, lambda w: w.add_episodes(episodes))
    first, second = (kept.message for kept, _ in episodes)
    left = first.without(["green tea"])
    await stores.ltm.write(scope, lambda w: w.rewrite_episode(left))
    await stores.ltm.write(scope, lambda w: w.rewrite_episode(left.model_copy(update={"id": "msg_unknown"})))
    found = await stores.ltm.read(scope, lambda r: r.episodes("s-1", epoch=None, after_seq=0, limit=9))
    assert [each.message for each in found] == [left, second]
    assert left.text == "cake"
