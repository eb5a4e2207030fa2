"""The one place that names concrete classes: which engine stands behind which port.

A process opens its services once, workers after the fork, and closes them when it ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any

from shared.clock import Clock
from shared.engines.llm_http.client import HttpChatModel
from shared.engines.llm_http.null import NullChatModel
from shared.engines.redis_stm.store import RedisStm
from shared.engines.rq_queue import RqQueue
from shared.engines.sqlite.stores import SqliteStores, open_sqlite
from shared.errors import StartupProblem
from shared.ltm.default_schema import DEFAULT_SCHEMA
from shared.ltm.schema import Schema
from shared.privacy.mask import mask_field
from shared.settings import Settings
from shared.turn.request import TurnLimits, TurnRules

DEFAULT_TENANT = "default"
ObserveLlm = Callable[[str, str, int, int], None]


@dataclass(frozen=True, slots=True)
class Services:
    """The engines of one process, and what its settings say of turns."""

    settings: Settings
    clock: Clock
    stm: RedisStm
    queue: RqQueue
    stores: SqliteStores
    model: HttpChatModel | NullChatModel
    schema: Schema
    turn_rules: TurnRules
    background: set[asyncio.Task[Any]] = field(default_factory=set)
