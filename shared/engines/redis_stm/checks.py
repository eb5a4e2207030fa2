"""Whether a Redis is fit to hold memory: what is wrong with it, and what to do about it."""

from __future__ import annotations

from redis.exceptions import ResponseError

from shared.engines.redis_stm.link import RedisLink
from shared.errors import StartupProblem, Unavailable

_ENVIRONMENT = "bilayer:environment"
_UNKNOWN = "unknown: this Redis does not tell"
_FULL = "Redis is full and refuses to write: raise its maxmemory, or let the workers archive what waits"


async def check_server(link: RedisLink) -> list[tuple[str, bool, str]]:
    """Return findings (name, ok, what to do); settings that the server hides count as fine."""
    try:
        told = await _read_info(link)
    except Unavailable as problem:
        todo = f"{problem.detail}: start Redis, or correct BILAYER_REDIS_URL"
        return [("reachable", False, todo)]
    policy, appends = told.get("maxmemory_policy"), told.get("aof_enabled")
    evicts = policy not in (None, "noeviction")
    todo_policy = f"maxmemory-policy is {policy}: set it to noeviction, or Redis drops memories when full"
    todo_append = "appendonly is no: set it to yes, or a restart of Redis loses what is not yet archived"
    is_full = _is_full(told)
    return [
        ("reachable", not is_full, _FULL if is_full else "answers"),
        ("maxmemory-policy", not evicts, todo_policy if evicts else policy or _UNKNOWN),
        ("appendonly", appends != "0", todo_append if appends == "0" else "yes" if appends else _UNKNOWN),
    ]


def _is_full(told: dict[str, str]) -> bool:
    """Whether a Redis that evicts nothing has no room left: it answers reads and refuses every write."""
    most, used = told.get("maxmemory", "0"), told.get("used_memory", "0")
    evicts = told.get("maxmemory_policy", "noeviction") != "noeviction"
    return not evicts and most.isdigit() and used.isdigit() and 0 < int(most) <= int(used)


async def check_environment(link: RedisLink, name: str) -> None:
    """Write this deployment's environment into an unmarked Redis.

    Raises:
        StartupProblem: the Redis belongs to another environment.
    """
    await link.do("SET", _ENVIRONMENT, name, "NX")
    marked = (await link.do("GET", _ENVIRONMENT) or b"").decode()
    if marked != name:
        raise StartupProblem(
            f"This Redis belongs to the environment {marked!r}, and this process to {name!r}. "
            "Set BILAYER_ENVIRONMENT to match, or point BILAYER_REDIS_URL to another Redis."
        )


async def _read_info(link: RedisLink) -> dict[str, str]:
    """Return what INFO tells; nothing where the command is forbidden, as on some managed servers."""
    try:
        info = await link.do("INFO", "everything")
    except ResponseError:
        await link.do("EXISTS", _ENVIRONMENT)
        return {}
    if isinstance(info, bytes):
        lines = (line.partition(":") for line in info.decode().splitlines())
        return {name: value for name, _, value in lines}
    return {str(name): str(value) for name, value in info.items()}
