"""A Redis server of our own: find the program, run it durably, read how a server keeps its data."""

from shared.engines.redis_server.failure import RedisStartError
from shared.engines.redis_server.find import INSTALL_HINT, find_redis_binary, packaged_binary
from shared.engines.redis_server.launch import (
    RedisLaunch,
    RedisServer,
    answers,
    end_left_over,
    plan_redis,
    running_url,
    start_redis,
    wait_for_redis,
)
from shared.engines.redis_server.report import RedisReport, read_report

__all__ = [
    "INSTALL_HINT",
    "RedisLaunch",
    "RedisReport",
    "RedisServer",
    "RedisStartError",
    "answers",
    "end_left_over",
    "find_redis_binary",
    "packaged_binary",
    "plan_redis",
    "read_report",
    "running_url",
    "start_redis",
    "wait_for_redis",
]
