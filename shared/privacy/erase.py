"""Erasing a user: index, rows, short-term memory, caches and queued jobs, then the key, then the receipt.

Every step may be done twice, so a run that was cut off at any moment is begun again from the top.
"""

from __future__ import annotations

from shared.errors import Missing
from shared.model.erasure import ErasedStores, Erasure
from shared.model.scope import Scope
from shared.ports.directory import JobLedger
from shared.ports.erasures import Erasures
from shared.ports.llm import JobQueue
from shared.ports.snapshots import Snapshots
from shared.ports.stm import ShortTermMemory


async def begin_erasure(
    scope: Scope, *, actor: str, request_id: str, erasures: Erasures, stm: ShortTermMemory
) -> Erasure:
    """End a scope at once and note its erasure; asked again, the same one is returned."""
    erasure = await erasures.begin(scope, actor=actor, request_id=request_id)
    await stm.end_scope(erasure.scope)
    return erasure


async def erase_scope(
    erasure: Erasure,
    *,
    erasures: Erasures,
    stm: ShortTermMemory,
    ledger: JobLedger,
    queue: JobQueue,
    snapshots: Snapshots,
) -> Erasure:
    """Erase what is left of a scope and return its erasure with the receipt.

    Raises:
        Missing: there is no such erasure.
        Unavailable: a store does not answer now; begin again later.
    """
    scope = erasure.scope
    await stm.end_scope(scope)
    waiting = await ledger.ids_of_scope(scope)
    await erasures.count(erasure, ErasedStores(jobs=await queue.remove(waiting)))
    while await erasures.delete_slice(erasure):
        pass
    keys, cache = await stm.erase_scope(scope)
    await erasures.count(erasure, ErasedStores(stm_keys=keys, cache=cache))
    if erasure.key_destroyed_at_ms is None:
        darkened = [
            each for each in await snapshots.list() if each.created_at_ms >= erasure.scope_created_at_ms
        ]
        await erasures.destroy_key(erasure, snapshots_darkened=len(darkened))
    await erasures.settle_files()
    done = await erasures.find(erasure.tenant_id, erasure.id)
    if done is None:
        raise Missing("There is no such erasure.")
    return await erasures.finish(done)
