"""What only Redis can show: round trips, bytes on disk, expiries, a full server, lost marks."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from shared.clock import Clock
from shared.engines.redis_stm.checks import check_environment
from shared.engines.redis_stm.due import RedisDueStore
from shared.engines.redis_stm.limits import StmLimits
from shared.engines.redis_stm.link import DISPATCHING, DUE_INDEX, RedisLink
from shared.engines.redis_stm.store import RedisShortTermMemory
from shared.errors import Conflict, StartupProblem, Unavailable
from shared.ids import new_id
from shared.model.message import MessageBody, NewMessage, Role, SessionNotes
from shared.model.scope import Scope
from shared.ports.stm import Claim, TurnEnd
from tests.conftest import RedisServer, start_redis, stop_redis
from tests.fakes.plain_vault import PlainVault

SCOPE = Scope(tenant_id="ten_1", scope_id="scp_1")
LIMITS = StmLimits(session_ttl_seconds=600, session_wait_seconds=5, lease_seconds=0.3)
WIDE = 100_000

Launch = Callable[..., tuple[RedisServer, "Engines"]]


@dataclass
class Engines:
    """The engines over one server."""

    link: RedisLink
    stm: RedisShortTermMemory
    due: RedisDueStore
    clock: Clock


def _engines(url: str) -> Engines:
    link, clock = RedisLink(url), Clock()
    stm = RedisShortTermMemory(link, vault=PlainVault(), clock=clock, limits=LIMITS)
    return Engines(link, stm, RedisDueStore(link, clock=clock, limits=LIMITS), clock)


@pytest.fixture
async def engines(redis_server: RedisServer) -> AsyncIterator[Engines]:
    opened = _engines(redis_server.url)
    yield opened
    await opened.link.close()


@pytest.fixture
async def launch() -> AsyncIterator[Launch]:
    """Starts servers with options of their own, all in one folder."""
    started: list[tuple[RedisServer, Engines]] = []
    with tempfile.TemporaryDirectory(prefix="bl") as folder:

        def start(*options: str) -> tuple[RedisServer, Engines]:
            server = start_redis(Path(folder), *options)
            started.append((server, _engines(server.url)))
            return started[-1]

        yield start
        for server, opened in started:
            await opened.link.close()
            stop_redis(server)


def say(text: str, *, role: Role = "user", client_id: str | None = None) -> NewMessage:
    body = MessageBody(content=text, client_id=client_id)
    return NewMessage(id=new_id("msg"), role=role, body=body, tokens=max(1, len(text) // 4))


async def _take_turn(engines: Engines, session_id: str, text: str, *, claim: Claim | None = None) -> None:
    start = await engines.stm.begin_turn(
        SCOPE, session_id, message=say(text), claim=claim, window_tokens=WIDE
    )
    reply = say(f"re: {text}", role="assistant")
    end = TurnEnd(
        session_id=session_id,
        fence=start.fence,
        reply=reply,
        claim=claim,
        result_json=f'{{"reply":"{text}"}}',
        accessed_row_ids=(1, 2),
    )
    await engines.stm.finish_turn(SCOPE, end)


async def _archive(engines: Engines, session_id: str) -> None:
    session = await engines.stm.read_session(SCOPE, session_id, window_tokens=0)
    await engines.stm.mark_archived(
        SCOPE, session.key, epoch=session.epoch, to_seq=session.last_seq, window_tokens=WIDE
    )


class CountingProxy:
    """Stands between engine and server, and counts how often the talk turns round."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._is_asking = False
        self.round_trips = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server_reader, server_writer = await asyncio.open_unix_connection(self._path)
        await asyncio.gather(
            self._pass(reader, server_writer, is_asking=True),
            self._pass(server_reader, writer, is_asking=False),
        )

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_asking: bool
    ) -> None:
        while chunk := await reader.read(1 << 20):
            if is_asking and not self._is_asking:
                self.round_trips += 1
            self._is_asking = is_asking
            writer.write(chunk)
        writer.close()


async def test_a_turn_takes_two_round_trips(redis_server: RedisServer) -> None:
    proxy = CountingProxy(redis_server.url.removeprefix("unix://"))
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    engines = _engines(f"redis://127.0.0.1:{port}")
    await _take_turn(engines, "room", "first", claim=Claim(key="k0", body_hash="b"))
    proxy.round_trips = 0
    await _take_turn(engines, "room", "second", claim=Claim(key="k1", body_hash="b"))
    assert proxy.round_trips == 2
    await _take_turn(engines, "new", "third")
    assert proxy.round_trips == 4
    await engines.link.close()
    server.close()
    await server.wait_closed()


def _read_all(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


async def test_no_word_of_a_user_lies_on_the_disk(launch: Launch) -> None:
    server, engines = launch("--appendonly", "yes", "--appendfsync", "always")
    claim = Claim(key="zebra-key", body_hash="zebra-hash")
    await _take_turn(engines, "zebra/session", "zebra message 斑马", claim=claim)
    notes = SessionNotes(system="zebra system", timezone="Zebra/Zone")
    await engines.stm.append_messages(
        SCOPE, "zebra/session", messages=[say("zebra two", client_id="zebra-client")], notes=notes
    )
    assert await engines.stm.claim_request(SCOPE, claim.model_copy(update={"key": "zebra-post"})) is None
    await engines.stm.settle_request(
        SCOPE, claim.model_copy(update={"key": "zebra-post"}), result_json='"zebra-done"'
    )
    server.command("BGREWRITEAOF")
    await asyncio.sleep(0.3)
    stop_redis(server)
    written = _read_all(server.folder)
    assert b"scp_1" in written
    assert b"zebra" not in written.lower()
    assert "斑马".encode() not in written


async def test_a_restart_of_redis_loses_nothing(launch: Launch) -> None:
    server, engines = launch("--appendonly", "yes", "--appendfsync", "always")
    await _take_turn(engines, "room", "before")
    server.process.kill()
    server.process.wait(10)
    started = time.monotonic()
    with pytest.raises(Unavailable) as caught:
        await _take_turn(engines, "room", "while it is down")
    assert (caught.value.code, caught.value.retry_after_seconds) == ("stm_unavailable", 1)
    assert time.monotonic() - started < 2
    launch("--appendonly", "yes")
    await _take_turn(engines, "room", "after")
    session = await engines.stm.read_session(SCOPE, "room", window_tokens=WIDE)
    assert [message.text for message in session.window] == ["before", "re: before", "after", "re: after"]


async def test_scripts_that_the_server_forgot_are_sent_again(
    engines: Engines, redis_server: RedisServer
) -> None:
    await _take_turn(engines, "room", "one")
    redis_server.command("SCRIPT", "FLUSH")
    await _take_turn(engines, "room", "two")
    redis_server.command("SCRIPT", "FLUSH")
    assert (await engines.due.sum_debts()).count == 4


async def test_a_full_redis_refuses_and_keeps_what_it_took(launch: Launch) -> None:
    _, engines = launch("--maxmemory", "8mb", "--maxmemory-policy", "noeviction")
    accepted: list[str] = []

    async def fill() -> None:
        for number in range(4_000):
            text = f"fill {number} " + "x" * 2_000
            await engines.stm.append_messages(SCOPE, f"s{number % 7}", messages=[say(text)])
            accepted.append(text)

    with pytest.raises(Unavailable) as caught:
        await fill()
    assert caught.value.code == "stm_unavailable"
    assert len(accepted) > 500
    kept: list[str] = []
    for number in range(7):
        messages = await engines.stm.read_messages(SCOPE, f"s{number}", after_seq=0, limit=4_000)
        kept += [message.text for message in messages]
    assert sorted(kept) == sorted(accepted)
    # The archive makes room even then, and turns go on.
    taken = await engines.due.take_due(limit=30, lease_seconds=60)
    works = [work for work, _ in taken if work.job == "archive"]
    assert len(works) == 7
    for work in works:
        session, _ = await engines.stm.read_unarchived(SCOPE, work.session_key, limit=1)
        assert session is not None
        await engines.stm.mark_archived(
            SCOPE, session.key, epoch=session.epoch, to_seq=session.last_seq, window_tokens=3_000
        )
        assert not await engines.due.settle_due(work)
    await _take_turn(engines, "s0", "room again")


def _keys(server: RedisServer) -> list[str]:
    keys = server.command("KEYS", "{scp_1}:s:*")
    assert isinstance(keys, list)
    return sorted(key.decode() for key in keys)


async def test_all_keys_of_a_session_have_one_expiry_once_it_is_archived(
    engines: Engines, redis_server: RedisServer
) -> None:
    await _take_turn(engines, "s1", "a")
    await engines.stm.append_messages(SCOPE, "s1", messages=[say("b", client_id="c1")])
    assert [redis_server.command("PTTL", key) for key in _keys(redis_server)] == [-1, -1, -1]
    await _archive(engines, "s1")
    lives = [redis_server.command("PTTL", key) for key in _keys(redis_server)]
    assert len(lives) == 3
    assert all(isinstance(life, int) and 598_000 < life <= 600_000 for life in lives)
    await _take_turn(engines, "s1", "c")
    assert [redis_server.command("PTTL", key) for key in _keys(redis_server)] == [-1, -1, -1]


async def test_no_key_is_left_of_a_session_that_expired(engines: Engines, redis_server: RedisServer) -> None:
    for read in ("read", "sum", "archive"):
        await _take_turn(engines, "s1", "a")
        if read != "archive":
            await _archive(engines, "s1")
        engines.clock.offset += timedelta(seconds=601)
        if read == "read":
            assert await engines.stm.find_session(SCOPE, "s1", window_tokens=WIDE) == (None, ())
        elif read == "sum":
            assert (await engines.due.sum_debts()).count == 0
        else:
            assert (await engines.due.sum_debts()).count == 2
            works = await engines.due.take_due(limit=9, lease_seconds=9)
            (key,) = [work.session_key for work, _ in works if work.job == "archive"]
            session, _ = await engines.stm.read_unarchived(SCOPE, key, limit=9)
            assert session is not None
            await engines.stm.mark_archived(
                SCOPE, session.key, epoch=session.epoch, to_seq=2, window_tokens=WIDE
            )
        assert _keys(redis_server) == []
        assert redis_server.command("EXISTS", "{scp_1}:sessions", "{scp_1}:t") == 0


async def test_a_session_whose_turn_runs_does_not_expire(engines: Engines) -> None:
    await engines.stm.put_notes(SCOPE, "s1", notes=SessionNotes(ttl_seconds=1))
    start = await engines.stm.begin_turn(SCOPE, "s1", message=say("q"), claim=None, window_tokens=WIDE)
    engines.clock.offset += timedelta(seconds=2)
    assert (await engines.stm.read_session(SCOPE, "s1", window_tokens=WIDE)).last_seq == 1
    await engines.stm.append_messages(SCOPE, "s1", messages=[say("meanwhile")])
    reply = await engines.stm.finish_turn(
        SCOPE, TurnEnd(session_id="s1", fence=start.fence, reply=say("r", role="assistant"))
    )
    assert reply is not None
    assert reply.seq == 3


async def test_a_waiter_that_went_away_loses_its_place(engines: Engines) -> None:
    start = await engines.stm.begin_turn(SCOPE, "room", message=say("q"), claim=None, window_tokens=WIDE)

    async def hold() -> None:
        is_held = True
        while is_held:
            await asyncio.sleep(0.05)
            is_held = await engines.stm.renew_lease(SCOPE, "room", fence=start.fence)

    holder = asyncio.create_task(hold())
    first = asyncio.create_task(_take_turn(engines, "room", "gone"))
    await asyncio.sleep(0.1)
    second = asyncio.create_task(_take_turn(engines, "room", "patient"))
    await asyncio.sleep(0.1)
    first.cancel()
    await engines.stm.finish_turn(SCOPE, TurnEnd(session_id="room", fence=start.fence, reply=None))
    await holder
    await second
    session = await engines.stm.read_session(SCOPE, "room", window_tokens=WIDE)
    assert [message.text for message in session.window] == ["q", "patient", "re: patient"]


async def test_work_of_a_dispatcher_that_died_comes_back(engines: Engines, redis_server: RedisServer) -> None:
    await _take_turn(engines, "room", "q")
    engines.clock.offset += timedelta(seconds=31)
    now_ms = engines.clock.now_ms()
    await engines.link.run("take_scopes", [DUE_INDEX, DISPATCHING], args=(now_ms, 9, 10_000))
    assert await engines.due.take_due(limit=9, lease_seconds=9) == []
    redis_server.command("ZINCRBY", DISPATCHING, -11_000, "ten_1/scp_1")
    assert len(await engines.due.take_due(limit=9, lease_seconds=9)) == 1
    assert redis_server.command("EXISTS", DISPATCHING) == 0


async def test_the_walk_marks_again_what_has_no_mark(engines: Engines, redis_server: RedisServer) -> None:
    for number in range(3):
        await engines.stm.append_messages(SCOPE, f"s{number}", messages=[say("x"), say("y")])
    redis_server.command("DEL", "{scp_1}:due", DUE_INDEX)
    assert await engines.due.take_due(limit=9, lease_seconds=9) == []
    assert (await engines.due.sum_debts()).count == 6
    assert len(await engines.due.take_due(limit=9, lease_seconds=9)) == 3


async def test_the_check_says_what_to_do(launch: Launch) -> None:
    server, engines = launch("--maxmemory-policy", "allkeys-lru")
    findings = {name: (is_ok, todo) for name, is_ok, todo in await engines.due.check()}
    assert findings["reachable"][0]
    assert findings["maxmemory-policy"][0] is False
    assert "noeviction" in findings["maxmemory-policy"][1]
    assert findings["appendonly"][0] is False
    server.command("CONFIG", "SET", "maxmemory-policy", "noeviction", "appendonly", "yes")
    assert all(is_ok for _, is_ok, _ in await engines.due.check())
    server.command("CONFIG", "SET", "maxmemory", "100kb")
    assert (await engines.due.check())[0][1] is False
    with pytest.raises(Unavailable, match="full"):
        await engines.stm.append_messages(SCOPE, "s", messages=[say("x")])
    server.command("CONFIG", "SET", "maxmemory", "0")
    server.command("ACL", "SETUSER", "default", "-info")
    hidden = await engines.due.check()
    assert [is_ok for _, is_ok, _ in hidden] == [True, True, True]
    assert "unknown" in hidden[1][2]
    stop_redis(server)
    ((name, is_ok, todo),) = await engines.due.check()
    assert (name, is_ok) == ("reachable", False)
    assert "BILAYER_REDIS_URL" in todo


async def test_a_redis_belongs_to_one_environment(engines: Engines) -> None:
    await check_environment(engines.link, "production")
    await check_environment(engines.link, "production")
    with pytest.raises(StartupProblem, match="test"):
        await check_environment(engines.link, "test")


async def test_many_turns_at_once_share_a_small_pool(redis_server: RedisServer) -> None:
    link, clock = RedisLink(redis_server.url, max_connections=4), Clock()
    stm = RedisShortTermMemory(link, vault=PlainVault(), clock=clock, limits=LIMITS)
    engines = Engines(link, stm, RedisDueStore(link, clock=clock, limits=LIMITS), clock)
    await asyncio.gather(*(_take_turn(engines, f"s{number}", "q") for number in range(60)))
    assert len(await stm.list_sessions(SCOPE, limit=100, before_ms=None)) == 60
    await link.close()


async def test_a_client_that_leaves_in_the_middle_disturbs_no_other(engines: Engines) -> None:
    for number in range(30):
        task = asyncio.create_task(_take_turn(engines, f"s{number}", f"gone {number}"))
        for _ in range(number % 10):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await _take_turn(engines, "room", f"m{number}")
    session = await engines.stm.read_session(SCOPE, "room", window_tokens=WIDE)
    texts = [message.text for message in session.window if message.role == "user"]
    assert texts == [f"m{number}" for number in range(30)]


async def test_an_unexpected_refusal_of_a_claim_leaves_the_line(engines: Engines) -> None:
    claim = Claim(key="k", body_hash="b")
    start = await engines.stm.begin_turn(SCOPE, "room", message=say("q"), claim=claim, window_tokens=WIDE)
    with pytest.raises(Conflict):
        await engines.stm.begin_turn(SCOPE, "room", message=say("q"), claim=claim, window_tokens=WIDE)
    assert await engines.stm.renew_lease(SCOPE, "room", fence=start.fence)
