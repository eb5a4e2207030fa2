"""The one place that names concrete classes: which engine stands behind which port.

A process opens its services once, workers after the fork, and closes them when it ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from shared.clock import Clock
from shared.engines.embeddings.http import HttpEmbedder
from shared.engines.embeddings.local import LocalEmbedder
from shared.engines.embeddings.null import NullEmbedder
from shared.engines.llm_http.client import HttpChatModel
from shared.engines.llm_http.null import NullChatModel
from shared.engines.llm_http.opening import tls_context
from shared.engines.redis_server import read_report
from shared.engines.redis_stm.checks import check_environment
from shared.engines.redis_stm.due import RedisDueStore
from shared.engines.redis_stm.limits import limits_of
from shared.engines.redis_stm.link import RedisLink
from shared.engines.redis_stm.store import RedisShortTermMemory
from shared.engines.rerankers.http import HttpReranker
from shared.engines.rerankers.null import NullReranker
from shared.engines.rq_queue import RqJobQueue
from shared.engines.sqlite.opening import check_master_key, inspect_database
from shared.engines.sqlite.stores import SqliteStores, open_sqlite
from shared.engines.tokenizer import load_tokenizer
from shared.errors import BilayerError, StartupProblem
from shared.forgetting.score import ForgetRules
from shared.language.synonyms import make_synonyms
from shared.language.tokens import use_tokenizer
from shared.ltm.schema import DEFAULT_SCHEMA, parse_schema
from shared.model.job import JobOrder
from shared.model.scope import Permission
from shared.ports.directory import (
    NO_VERSIONS,
    Directory,
    Extractions,
    JobLedger,
    SchemaStore,
    SynonymStore,
)
from shared.ports.embedder import Embedder
from shared.ports.erasures import Erasures
from shared.ports.llm import ChatModel, JobQueue, LlmUse
from shared.ports.ltm import LongTermMemory
from shared.ports.reranker import Reranker
from shared.ports.snapshots import Snapshots
from shared.ports.stm import DueStore, ShortTermMemory
from shared.ports.vault import Vault
from shared.privacy.classify import find_secrets
from shared.privacy.mask import field_masker, mask_secrets
from shared.settings import Settings
from shared.stm.compact import CompactRules
from shared.stm.compaction import watermarks
from shared.stm.order import order_jobs
from shared.turn.heartbeat import HeartbeatPolicy
from shared.turn.request import TurnLimits, TurnRules

DEFAULT_TENANT = "default"
ObserveLlm = Callable[[LlmUse], None]
FIRST_PERMISSIONS = tuple(
    permission for permission in Permission if permission is not Permission.FIELDS_AUTHORITATIVE
)


@dataclass(frozen=True, slots=True)
class Services:
    """The ports of one process, and what its settings say of turns."""

    settings: Settings
    clock: Clock
    stm: ShortTermMemory
    due: DueStore
    ltm: LongTermMemory
    directory: Directory
    ledger: JobLedger
    erasures: Erasures
    snapshots: Snapshots
    extractions: Extractions
    queue: JobQueue
    model: ChatModel
    embedder: Embedder
    reranker: Reranker
    turn_rules: TurnRules
    compact_rules: CompactRules
    forget_rules: ForgetRules
    vault: Vault
    schemas: SchemaStore
    synonyms: SynonymStore
    close: Callable[[], Awaitable[None]]
    background: set[asyncio.Task[Any]] = field(default_factory=set)
    rules_by_tenant: dict[str, TurnRules] = field(default_factory=dict)

    async def rules_of(self, tenant_id: str) -> TurnRules:
        """Return the rules of a tenant, with the newest schema and synonyms of its own where it has any."""
        versions = await self.schemas.versions(tenant_id)
        if versions == NO_VERSIONS:
            return self.turn_rules
        known = self.rules_by_tenant.get(tenant_id)
        if known is not None and known.versions == versions:
            return known
        rules = replace(self.turn_rules, versions=versions)
        if versions.schema:
            schema = parse_schema(await self.schemas.schema_document(tenant_id) or {})
            rules = replace(rules, schema=schema, mask=field_masker(schema))
        own = await self.synonyms.synonyms(tenant_id)
        if own is not None:
            rules = replace(rules, synonyms=make_synonyms(own[1]))
        self.rules_by_tenant[tenant_id] = rules
        return rules

    async def refresh_clock(self) -> None:
        """Read the test clock's offset; outside of tests the clock has none."""
        if self.settings.test_clock:
            self.clock.offset = timedelta(milliseconds=await self.due.read_clock_offset_ms())

    async def move_clock(self, now_ms: int) -> None:
        """Make the service's clock show this moment, in all processes."""
        real_ms = self.clock.now_ms() - int(self.clock.offset / timedelta(milliseconds=1))
        await self.due.write_clock_offset_ms(now_ms - real_ms)
        await self.refresh_clock()

    async def order(self, orders: Sequence[JobOrder]) -> None:
        """Queue jobs."""
        now_ms = self.clock.now_ms()
        await order_jobs(orders, now_ms=now_ms, due=self.due, ledger=self.ledger, queue=self.queue)

    def check_vault(self) -> tuple[bool, str]:
        """Return whether the master key still stands where this process took it from."""
        file = self.settings.data_dir / "keys" / "master.key"
        if self.settings.master_key is not None or file.is_file():
            return True, "open"
        return False, f"{file} is gone: put it back from your copy before anything restarts"

    async def check_ltm(self) -> tuple[bool, str]:
        """Return whether long-term memory answers, and what it says."""
        try:
            await self.directory.find_key("")
        except BilayerError as error:
            return False, error.detail
        return True, "answers"


def check_start(settings: Settings) -> None:
    """Look at what a front needs before it listens. Raises `StartupProblem` with the way out."""
    check_redis(settings)
    if settings.embeddings_engine == "local":
        LocalEmbedder(settings)
    open_stores(settings, Clock()).close()


def load_for_forks(settings: Settings) -> None:
    """Do once what each job's services would do anew after the fork: read the certificates."""
    if settings.llm_base_url or settings.embeddings_base_url or settings.reranker_base_url:
        tls_context()


def open_embedder(settings: Settings, clock: Clock) -> Embedder:
    """Return what finds memories by meaning. Raises `StartupProblem` where it cannot be opened."""
    if settings.embeddings_engine == "local":
        return LocalEmbedder(settings)
    return HttpEmbedder(settings, clock) if settings.embeddings_engine == "http" else NullEmbedder()


def open_reranker(settings: Settings, clock: Clock) -> Reranker:
    """Return what reads a search's answers anew. Raises `StartupProblem` where it cannot be opened."""
    return HttpReranker(settings, clock) if settings.reranker_base_url else NullReranker()


def check_restore(settings: Settings) -> None:
    """Raise `StartupProblem` where a restore into an empty folder lacks the master key or the key backup."""
    if not settings.database_path.exists():
        check_master_key(settings.data_dir, _master_keys(settings))


def inspect_store(settings: Settings) -> str | None:
    """Return what was seen of the database, opened to read alone; None where there is none yet.

    Raises:
        StartupProblem: it cannot be read with the present key; the text says the way out.
    """
    path = settings.database_path
    version = inspect_database(
        path,
        data_dir=settings.data_dir,
        master_keys=_master_keys(settings),
        environment=settings.environment,
    )
    return None if version is None else f"{path.absolute()}, schema version {version}"


def check_redis(settings: Settings) -> None:
    """Raise `StartupProblem` with the way out unless Redis is named and answers."""
    for url in dict.fromkeys(redis_urls(settings)):
        read_report(url)


def redis_urls(settings: Settings) -> tuple[str, str]:
    """Return the addresses of short-term memory's Redis and of the queue's.

    Raises:
        StartupProblem: none is named.
    """
    if settings.redis_url is None:
        raise StartupProblem(
            "No Redis is named: set BILAYER_REDIS_URL, or start all parts with `bilayer up`."
        )
    return settings.redis_url, settings.queue_redis_url or settings.redis_url


def open_stores(settings: Settings, clock: Clock) -> SqliteStores:
    """Open long-term memory, the directory and the vault. Raises `StartupProblem` with the way out."""
    return open_sqlite(
        settings.database_path,
        data_dir=settings.data_dir,
        environment=settings.environment,
        clock=clock,
        master_keys=_master_keys(settings),
        synchronous=settings.ltm_synchronous,
    )


def _master_keys(settings: Settings) -> list[str]:
    given = settings.master_key.get_secret_value().split(",") if settings.master_key else []
    return [key.strip() for key in given if key.strip()]


async def open_services(settings: Settings, *, observe_llm: ObserveLlm | None = None) -> Services:
    """Open everything; the result's `close` ends it.

    Raises:
        StartupProblem: a part is missing or not ours; the message says the way out.
        Unavailable: Redis does not answer.
    """
    stm_url, queue_url = redis_urls(settings)
    use_tokenizer(load_tokenizer(settings.llm_tokenizer) if settings.llm_tokenizer else None)
    clock = Clock()
    stores = open_stores(settings, clock)
    link = RedisLink(stm_url)
    limits = limits_of(settings)
    model = _open_model(settings, clock, observe=observe_llm)
    embedder = open_embedder(settings, clock)
    reranker = open_reranker(settings, clock)
    queue = RqJobQueue(queue_url)

    async def close() -> None:
        await model.aclose()
        await embedder.aclose()
        await reranker.aclose()
        await queue.close()
        await link.close()
        stores.close()

    try:
        await check_environment(link, settings.environment)
    except BilayerError:
        await close()
        raise
    return Services(
        settings=settings,
        clock=clock,
        stm=RedisShortTermMemory(link, vault=stores.vault, clock=clock, limits=limits),
        due=RedisDueStore(link, clock=clock, limits=limits),
        ltm=stores.ltm,
        directory=stores.directory,
        ledger=stores.ledger,
        erasures=stores.erasures,
        snapshots=stores.snapshots,
        extractions=stores.extractions,
        queue=queue,
        model=model,
        embedder=embedder,
        reranker=reranker,
        turn_rules=_turn_rules(settings),
        compact_rules=_compact_rules(settings),
        forget_rules=_forget_rules(settings),
        vault=stores.vault,
        schemas=stores.schemas,
        synonyms=stores.synonyms,
        close=close,
    )


def _heartbeat_of(settings: Settings) -> HeartbeatPolicy:
    return HeartbeatPolicy(
        missing=settings.heartbeat_missing,
        expired=settings.heartbeat_expired,
        conflict=settings.heartbeat_conflict,
    )


def _forget_rules(settings: Settings) -> ForgetRules:
    return ForgetRules(
        max_rows=settings.max_rows_per_scope,
        min_score=settings.min_score,
        base_ttl_days=settings.base_ttl_days,
        undo_days=settings.undo_days,
    )


def _turn_rules(settings: Settings) -> TurnRules:
    return TurnRules(
        schema=DEFAULT_SCHEMA,
        mask=field_masker(DEFAULT_SCHEMA),
        mask_text=mask_secrets,
        heartbeat=_heartbeat_of(settings),
        pending_days=settings.pending_days,
        find_secrets=find_secrets,
        echo_reasoning=settings.llm_echo_reasoning,
        limits=TurnLimits(
            prompt_tokens=settings.prompt_tokens,
            reply_tokens=settings.window_tokens - settings.prompt_tokens,
            recall_tokens=settings.recall_tokens,
        ),
    )


def _compact_rules(settings: Settings) -> CompactRules:
    return CompactRules(
        marks=watermarks(
            settings.history_tokens,
            high_tokens=settings.summary_high_watermark_tokens,
            low_tokens=settings.summary_low_watermark_tokens,
        ),
        prompt_tokens=settings.prompt_tokens,
        find_secrets=find_secrets,
        mask_secrets=mask_secrets,
    )


def _open_model(
    settings: Settings, clock: Clock, *, observe: ObserveLlm | None
) -> HttpChatModel | NullChatModel:
    return HttpChatModel(settings, clock, observe=observe) if settings.llm_base_url else NullChatModel()


async def make_first_key(settings: Settings) -> str | None:
    """Lay the stores; return the first key, shown once, or None where the tenant has keys already."""
    stores = open_stores(settings, Clock())
    try:
        if await stores.directory.list_keys(DEFAULT_TENANT):
            return None
        _, secret = await stores.directory.create_key(
            DEFAULT_TENANT, label="first", permissions=FIRST_PERMISSIONS
        )
        return secret
    finally:
        stores.close()


async def rotate_master_key(settings: Settings) -> int:
    """Wrap by the first master key what another one wraps; return how many keys that were."""
    stores = open_stores(settings, Clock())
    try:
        return await stores.rotate_keys()
    finally:
        stores.close()
