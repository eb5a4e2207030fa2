"""Making a snapshot that is known to be good, and bringing one back without losing what stands now."""

from __future__ import annotations

from shared.errors import Conflict, Missing, Unavailable
from shared.ltm.retention import plan_retention
from shared.model.snapshot import PRE_RESTORE, RestoreReport, Snapshot
from shared.ports.snapshots import Snapshots


async def make_snapshot(snapshot_id: str, *, tag: str, now_ms: int, snapshots: Snapshots) -> Snapshot:
    """Make a snapshot, read it again, and drop those that have had their time.

    Raises `Unavailable` (code `snapshot_damaged`) where what was written is not what is read; it is dropped.
    """
    made = await snapshots.create(snapshot_id, tag=tag)
    seen = await snapshots.verify(made.id)
    if not seen.ok:
        await snapshots.drop([made.id])
        raise Unavailable(f"The snapshot was not written whole: {seen.detail}.", code="snapshot_damaged")
    await snapshots.drop(plan_retention(await snapshots.list(), now_ms=now_ms))
    return made


async def restore_snapshot(snapshot_id: str, *, safety_id: str, snapshots: Snapshots) -> RestoreReport:
    """Restore the whole store, after a snapshot of what stands now (`pre_restore`), if anything does.

    Raises:
        Missing: there is no such snapshot.
        Conflict: it is damaged (`snapshot_damaged`), or of another store (`snapshot_foreign`).
    """
    if all(each.id != snapshot_id for each in await snapshots.list()):
        raise Missing("There is no such snapshot.")
    seen = await snapshots.verify(snapshot_id)
    if not seen.ok:
        raise Conflict(f"The snapshot is damaged ({seen.detail}); choose another.", code="snapshot_damaged")
    safety = await snapshots.create(safety_id, tag=PRE_RESTORE)
    report = await snapshots.restore(snapshot_id)
    if safety.tables["scopes"].rows == 0:
        await snapshots.drop([safety_id])
        return report
    return report.model_copy(update={"safety_id": safety_id})
