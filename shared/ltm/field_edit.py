"""Changing fields on purpose: set, append, remove, forget, each with its audit entry.

Setting a field supersedes the memories that say the same thing otherwise, and the proposals that waited for
it; taking one away leaves a tombstone and takes its words out of the index.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shared.errors import Conflict, Missing
from shared.ids import new_id
from shared.language.terms import query_terms
from shared.ltm.default_schema import DEFAULT_PATHS
from shared.ltm.edit import MaskField, Why, bury_text, forget_quotes, remove_memory
from shared.ltm.no_orders import refuse_orders
from shared.ltm.overtaken import end_replacing
from shared.ltm.proposals import supersede_updates
from shared.ltm.schema import SchemaPath
from shared.ltm.telling_proposals import close_telling
from shared.ltm.tombstones import keys_of, normal_value, text_keys
from shared.model.memory import FieldVersion, Source
from shared.model.moment import to_ms
from shared.model.pending import Tombstone, TombstoneCause
from shared.model.scope import Scope
from shared.ports.ltm import LongTermMemory, LtmWriter, MemoryFilter, PendingFilter
from shared.ports.stm import ShortTermMemory

_MOST_DERIVED = 200
_MOST_PROPOSED = 200
_LEAST_TERMS = 2


def write_field(writer: LtmWriter, path: str, *, value: Any, why: Why, mask: MaskField) -> FieldVersion:
    """Write a field's next version and all that follows from it; the same value again writes nothing.

    Raises `InvalidInput` where the value is an order to a model; an undo brings back what stood.
    """
    old = writer.field(path)
    if old is not None and normal_value(old.value) == normal_value(value):
        return old
    if why.undone_to is None:
        refuse_orders(value, standing=old.value if old else None)
    new = writer.put_field(path, value, origin=why.origin, source=why.source, at_ms=to_ms(why.at))
    is_explicit = why.origin in {"user", "api", "system"}
    said = text_keys(why.source.quote) if why.source.quote else ()
    lifted = writer.lift_tombstones((*keys_of(path, value), *said)) if is_explicit else 0
    superseded = _supersede_derived(writer, path, value=value, at_ms=to_ms(why.at))
    if not isinstance(value, list):
        supersede_updates(writer, path)
    details = {
        "old": mask(path, old.value) if old else None,
        "new": mask(path, value),
        "version": new.version,
        **_circumstances(path, why, mask=mask),
        **({"tombstones_lifted": lifted} if lifted else {}),
        **({"superseded_memories": superseded} if superseded else {}),
    }
    writer.add_audit("field.set", path=path, details=details, actor=why.actor, request_id=why.request_id)
    return new


def _supersede_derived(writer: LtmWriter, path: str, *, value: Any, at_ms: int) -> list[str]:
    found = writer.memories(MemoryFilter(path=path, limit=_MOST_DERIVED))
    changed = [memory.id for memory in found if normal_value(memory.value) != normal_value(value)]
    for memory_id in changed:
        writer.supersede_memory(memory_id, at_ms=at_ms)
        end_replacing(writer, memory_id)
    return changed


def _circumstances(path: str, why: Why, *, mask: MaskField) -> dict[str, Any]:
    return {
        "origin": why.origin,
        "session_id": why.source.session_id,
        "message_ids": list(why.source.message_ids),
        "quote": mask(path, why.source.quote) if why.source.quote else "",
        **why.marks,
        **({"undone_to": why.undone_to} if why.undone_to is not None else {}),
    }


def check_version(writer: LtmWriter, path: str, *, if_version: int | None) -> None:
    """Raise `Conflict` (code `version_conflict`) unless the field's newest version is `if_version`."""
    history = writer.field_history(path) if if_version is not None else []
    version = history[-1].version if history else 0
    if if_version is not None and if_version != version:
        raise Conflict(
            f"{path} is at version {version}, not {if_version}; read it and send the change again.",
            code="version_conflict",
            field="if_version",
        )


def change_items(
    writer: LtmWriter,
    path: str,
    *,
    add: Sequence[Any] = (),
    drop: Sequence[Any] = (),
    why: Why,
    mask: MaskField,
) -> FieldVersion | None:
    """Append items to a list and take others out; None once nothing is left of it."""
    standing = writer.field(path)
    items = list(standing.value) if standing else []
    gone = {normal_value(item) for item in drop}
    kept = [item for item in items if normal_value(item) not in gone]
    known = {normal_value(item) for item in kept}
    for item in add:
        if normal_value(item) not in known:
            kept.append(item)
            known.add(normal_value(item))
    if kept == items:
        return standing
    if not kept:
        remove_value(writer, path, why=why, mask=mask)
        return None
    return write_field(writer, path, value=kept, why=why, mask=mask)


def remove_value(writer: LtmWriter, path: str, *, why: Why, mask: MaskField) -> FieldVersion | None:
    """End a field with a version without a value; returns what stood, None where nothing did."""
    old = writer.field(path)
    if old is None:
        return None
    new = writer.put_field(path, None, origin=why.origin, source=why.source, at_ms=to_ms(why.at))
    superseded = _supersede_derived(writer, path, value=None, at_ms=to_ms(why.at))
    details = {
        "old": mask(path, old.value),
        "new": None,
        "version": new.version,
        **_circumstances(path, why, mask=mask),
        **({"superseded_memories": superseded} if superseded else {}),
    }
    writer.add_audit("field.remove", path=path, details=details, actor=why.actor, request_id=why.request_id)
    return old


def forget_field(
    writer: LtmWriter, path: SchemaPath, *, why: Why, mask: MaskField
) -> tuple[bool, Sequence[str]]:
    """Remove a field so that it stays gone; returns whether anything was there, and its source messages.

    Its history stays; open proposals for it are rejected, and those that tell one of its values. A tombstone
    stands for each value that it had or that was proposed, and the words that any of them came from go, with
    the memories that told one.
    """
    old = remove_value(writer, path.path, why=why, mask=mask)
    proposed = writer.pending_updates(PendingFilter(status=None, path=path.path, limit=_MOST_PROPOSED))
    waiting = [update for update in proposed if update.status == "open"]
    for update in waiting:
        writer.close_update(update.id, status="rejected")
    former = [version for version in writer.field_history(path.path) if version.value is not None]
    names = names_of(path)
    values = [version.value for version in former] + [update.new for update in proposed]
    telling, texts = close_telling(writer, path, values=values, at=why.at)
    if old is None and not waiting and not telling:
        return False, ()
    for value in values:
        bury(writer, path.path, value=value, cause="forgotten", why=why, names=names)
    for text in texts:
        bury_text(writer, text, why=why)
    sources = [version.source for version in former] + [
        Source(session_id=update.session_id, message_ids=(update.message_id,), quote=update.quote)
        for update in (*proposed, *telling)
        if update.message_id is not None
    ]
    message_ids = list(forget_quotes(writer, sources, why=why))
    for quote in {source.quote for source in sources if _tells_enough(source.quote)}:
        bury_text(writer, quote, why=why)
    for memory in writer.memories(MemoryFilter(path=path.path, status=None, limit=_MOST_DERIVED)):
        message_ids += remove_memory(writer, memory, why=why)
    writer.delete_digests()
    return True, list(dict.fromkeys(message_ids))


def _tells_enough(quote: str) -> bool:
    """Whether words may keep away what repeats them: a bare word stands in too much else."""
    return sum(not term.single_character for term in query_terms(quote)) >= _LEAST_TERMS


def names_of(path: SchemaPath) -> tuple[str, ...]:
    """Return what a field is called: by its tenant, and by the schema that every tenant begins with."""
    default = next((each.names for each in DEFAULT_PATHS if each.path == path.path), ())
    return tuple(dict.fromkeys((*path.names, *default)))


def bury(
    writer: LtmWriter,
    path: str | None,
    *,
    value: Any,
    cause: TombstoneCause,
    why: Why,
    names: tuple[str, ...] = (),
) -> None:
    """Leave a tombstone for a value, or for no path for a text; one that stands already is enough.

    `names` are what the field is called: its number is hidden beside one of them.
    """
    keys = keys_of(path, value)
    standing = writer.tombstones(keys)
    if any(stone.cause == cause and not stone.restated for stone in standing):
        return
    at_ms = to_ms(why.at)
    stone = Tombstone(
        id=new_id("tmb"),
        path=path,
        value=value,
        cause=cause,
        at_ms=at_ms,
        restated=bool(standing),
        names=names,
    )
    writer.add_tombstone(stone, keys=keys)


async def delete_field(
    scope: Scope, path: SchemaPath, *, why: Why, mask: MaskField, ltm: LongTermMemory, stm: ShortTermMemory
) -> None:
    """Forget a field, whoever set it. Raises `Missing` where it has no value."""

    def work(writer: LtmWriter) -> Sequence[str]:
        found, message_ids = forget_field(writer, path, why=why, mask=mask)
        if not found:
            raise Missing(f"{path.path} has no value.")
        return message_ids

    message_ids = await ltm.write(scope, work)
    if message_ids:
        await stm.forget_in_tail(scope, message_ids)
