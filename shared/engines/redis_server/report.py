"""What a running Redis says of itself: whether it keeps every write, and whether it evicts."""

from dataclasses import dataclass

import redis

from shared.addresses import told_address
from shared.engines.redis_server.failure import RedisStartError


@dataclass(frozen=True)
class RedisReport:
    """What a running server says of itself: how it evicts, and whether and how it logs writes."""

    version: str
    maxmemory_policy: str | None
    appendonly: bool | None
    appendfsync: str | None

    @property
    def keeps_writes(self) -> bool:
        return self.appendonly is True and self.appendfsync == "always"

    @property
    def evicts(self) -> bool:
        return self.maxmemory_policy not in {None, "noeviction"}


def read_report(url: str) -> RedisReport:
    """Ask a running server how it keeps its data; None stands for what it does not let us read.

    Raises:
        RedisStartError: it cannot be reached, or the address is none.
    """
    place = told_address(url)
    if not place:
        raise RedisStartError(
            "BILAYER_REDIS_URL is no address of a Redis. Write it as redis://:password@host:6379/0; "
            "in a password, / is %2F, @ is %40 and : is %3A."
        )
    try:
        with redis.Redis.from_url(url, socket_timeout=5, socket_connect_timeout=5) as client:
            info = client.info("server")
            return RedisReport(
                version=str(info.get("redis_version", "unknown")),
                maxmemory_policy=_config(client, "maxmemory-policy"),
                appendonly={"yes": True, "no": False}.get(_config(client, "appendonly") or ""),
                appendfsync=_config(client, "appendfsync"),
            )
    except (redis.RedisError, OSError, ValueError) as error:
        why = type(error).__name__ if isinstance(error, ValueError) else str(error).rstrip(".")
        raise RedisStartError(
            f"Redis at {place} cannot be reached: {why}. "
            "Start it, or correct BILAYER_REDIS_URL, or unset it to let `bilayer up` start one."
        ) from None


def _config(client: "redis.Redis", name: str) -> str | None:
    try:
        answer = client.config_get(name)
    except redis.ResponseError:  # managed services refuse CONFIG
        return None
    value = answer.get(name)
    return None if value is None else str(value)
