"""The connection to Redis: a bounded pool, time-outs, scripts by hash, and one voice for failures.

Nothing is sent twice: a call whose answer is lost may have been done, so the caller is told
`Unavailable` and decides. (A connection that the server has closed is noticed before it is used.)
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from hashlib import sha1
from pathlib import Path
from typing import Any

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import (
    ClusterDownError,
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
    ResponseError,
    TryAgainError,
)
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from shared.errors import Unavailable

Arg = str | bytes | int | float

DUE_INDEX = "bilayer:{due}:scopes"
DISPATCHING = "bilayer:{due}:dispatching"
_LUA = Path(__file__).parent / "lua"
_RAW = frozenset({"hold", "note_scopes", "take_scopes"})
_PASSING_ERRORS = (
    RedisConnectionError,
    RedisTimeoutError,
    OutOfMemoryError,
    ReadOnlyError,
    ClusterDownError,
    TryAgainError,
)
_PASSING_CODES = frozenset({"MISCONF", "NOREPLICAS", "BUSY", "UNKILLABLE"})
_CONNECT_SECONDS = 1.0
_ANSWER_SECONDS = 5.0


def _load(path: Path, prelude: str) -> str:
    source = path.read_text("utf-8")
    if path.stem in _RAW:
        return source
    first, _, rest = source.partition("\n")
    if first.startswith("#!"):
        return f"{first}\n{prelude}\n{rest}"
    return f"{prelude}\n{source}"


def _load_scripts() -> dict[str, tuple[str, str]]:
    prelude = (_LUA / "prelude.lua").read_text("utf-8")
    scripts = {}
    for path in sorted(_LUA.glob("*.lua")):
        if path.stem != "prelude":
            source = _load(path, prelude)
            digest = sha1(source.encode(), usedforsecurity=False).hexdigest()
            scripts[path.stem] = (digest, source)
    return scripts


_SCRIPTS = _load_scripts()


def _is_passing(error: RedisError) -> bool:
    """Whether an error tells of the server's state, and not of a fault in what was sent."""
    if isinstance(error, _PASSING_ERRORS):
        return True
    return type(error) is ResponseError and str(error).partition(" ")[0] in _PASSING_CODES


@contextmanager
def _one_voice() -> Iterator[None]:
    try:
        yield
    except RedisError as error:
        if not _is_passing(error):
            raise
        detail = f"short-term memory does not answer ({type(error).__name__})"
        if isinstance(error, OutOfMemoryError):
            detail = "short-term memory is full: raise the maxmemory of Redis, or start workers to archive"
        raise Unavailable(detail, code="stm_unavailable") from error


@asynccontextmanager
async def _answer_in_time() -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(_ANSWER_SECONDS):
            yield
    except TimeoutError:
        raise RedisTimeoutError(f"no answer in {_ANSWER_SECONDS} s") from None


async def _read_answer(connection: AbstractConnection) -> Any:
    try:
        return await connection.read_response()
    except ResponseError as error:
        return error


class RedisLink:
    """One Redis, for all engines of this process."""

    def __init__(self, url: str, *, max_connections: int = 64) -> None:
        pool = BlockingConnectionPool.from_url(
            url,
            max_connections=max_connections,
            timeout=_ANSWER_SECONDS,
            socket_connect_timeout=_CONNECT_SECONDS,
            socket_timeout=None,  # one time limit for the whole round trip: see `_answer_in_time`
            retry=Retry(NoBackoff(), 0),
            protocol=2,
        )
        self._client = Redis(connection_pool=pool)
        self._pool = pool

    async def run(
        self, script: str, keys: Sequence[str], *, args: Sequence[Arg], due: tuple[str, int] | None = None
    ) -> Any:
        """Run a script; `due` (member, time) notes a scope in the global index in the same round trip.

        Where the script is done and the note is refused (the server has just become full), the call
        is done: the walk over all scopes finds what the index lacks.
        """
        digest, source = _SCRIPTS[script]
        call = ("EVALSHA", digest, len(keys), *keys, *args)
        beside = [] if due is None else [("ZADD", DUE_INDEX, "LT", due[1], due[0])]
        with _one_voice():
            answer, *_ = await self._send([call, *beside])
            if isinstance(answer, NoScriptError):
                (answer,) = await self._send([("EVAL", source, *call[2:])])
            if isinstance(answer, Exception):
                raise answer
        return answer

    async def run_many(self, script: str, calls: Sequence[tuple[str, Sequence[Arg]]]) -> list[Any]:
        """Run a script with several (key, arguments) in one round trip."""
        digest, source = _SCRIPTS[script]
        if not calls:
            return []
        with _one_voice():
            await self._plain("SCRIPT LOAD", source)
            answers = await self._send([("EVALSHA", digest, 1, key, *args) for key, args in calls])
            for each in answers:
                if isinstance(each, Exception):
                    raise each
        return answers

    async def do(self, *command: Arg) -> Any:
        """Send one plain command."""
        with _one_voice():
            return await self._plain(*command)

    async def note_due(self, *marks: tuple[str, int]) -> None:
        """Note scopes (member, time) in the global index; an earlier time stays."""
        if marks:
            words = [word for mark in marks for word in mark]
            await self.run("note_scopes", [DUE_INDEX, DISPATCHING], args=("note", *words))

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()
        await self._pool.disconnect()

    async def _plain(self, *command: Arg) -> Any:
        async with _answer_in_time():
            # redis-py types no part of this call
            return await self._client.execute_command(*command)  # type: ignore[no-untyped-call]

    async def _send(self, commands: Sequence[tuple[Arg, ...]]) -> list[Any]:
        """Send commands in one round trip; errors of single commands are returned in their place.

        This is what the client's pipeline does, in a third of its time: it counts and measures for others.
        """
        async with _answer_in_time():
            # nor of this one
            connection = await self._pool.get_connection()  # type: ignore[no-untyped-call]
            try:
                await connection.send_packed_command(connection.pack_commands(commands))
                return [await _read_answer(connection) for _ in commands]
            except BaseException:  # half a question or half an answer must not meet the next caller
                await connection.disconnect(nowait=True)
                raise
            finally:
                await self._pool.release(connection)
