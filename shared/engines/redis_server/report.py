"""What a running Redis says of itself: whether it keeps every write, and whether it evicts."""

import re
from dataclasses import dataclass

import redis

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
        RedisStartError: it cannot be reached.
    """
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
        why = str(error).rstrip(".")
        raise RedisStartError(
            f"Redis at {without_password(url)} cannot be reached: {why}. "
            "Start it, or correct BILAYER_REDIS_URL, or unset it to let `bilayer up` start one."
        ) from error


def _config(client: "redis.Redis", name: str) -> str | None:
    try:
        answer = client.config_get(name)
    except redis.ResponseError:  # managed services refuse CONFIG
        return None
    value = answer.get(name)
    return None if value is None else str(value)


def without_password(url: str) -> str:
    return re.sub(r"//[^@/]*@", "//***@", url)
