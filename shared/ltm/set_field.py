"""Setting a field from outside of a conversation: a form, a button, a business system, an agent.

A change that loses by authority, or comes from a key that may not resolve proposals, waits for the user.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from shared.errors import Conflict
from shared.ltm.authority import is_outranked
from shared.ltm.edit import MaskField, StatedMemory, Why
from shared.ltm.field_edit import change_items, check_version, write_field
from shared.ltm.index import normal_text
from shared.ltm.no_orders import refuse_orders
from shared.ltm.proposals import Proposal, propose_update
from shared.ltm.tombstones import keys_of, normal_value
from shared.model.memory import FieldVersion, Memory
from shared.model.pending import PendingUpdate
from shared.model.scope import Scope
from shared.ports.ltm import LongTermMemory, LtmWriter

_TOMBSTONED: Final = "The user rejected or forgot this value; only the user can bring it back."


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A wanted change: a value to set, or with `is_item` an item to append.

    `must_wait`: whoever sends it may only propose. `may_return`: they may bring back what the user had
    forgotten. `keep_days`: how long a proposal waits.
    """

    path: str
    value: Any
    is_item: bool = False
    if_version: int | None = None
    must_wait: bool = False
    may_return: bool = True
    keep_days: int = 7


async def change_field(
    scope: Scope, change: FieldChange, *, why: Why, mask: MaskField, ltm: LongTermMemory
) -> FieldVersion | PendingUpdate:
    """Set a field, or propose it where the caller may not.

    Raises:
        Conflict: the version is another (`version_conflict`); the value was rejected or forgotten and this
            caller cannot bring it back (`tombstoned`).
        InvalidInput: the value is an order to a model.
    """
    refuse_orders(change.value)

    def work(writer: LtmWriter) -> FieldVersion | PendingUpdate:
        check_version(writer, change.path, if_version=change.if_version)
        standing = writer.field(change.path)
        is_same = standing is not None and normal_value(standing.value) == normal_value(change.value)
        if standing is not None and is_same and not change.is_item:
            return standing
        if change.must_wait or is_outranked(why.origin, standing):
            return _propose(writer, change, why=why, standing=standing)
        if standing is None and not change.may_return:
            _refuse_forgotten(writer, change)
        if not change.is_item:
            return write_field(writer, change.path, value=change.value, why=why, mask=mask)
        changed = change_items(writer, change.path, add=[change.value], why=why, mask=mask)
        if changed is None:
            raise Conflict("The list changed meanwhile.", code="conflict")
        return changed

    return await ltm.write(scope, work)


def _refuse_forgotten(writer: LtmWriter, change: FieldChange) -> None:
    """Raise `Conflict` (`tombstoned`) for a value that the user had forgotten."""
    stones = writer.tombstones(keys_of(change.path, change.value))
    if any(stone.cause == "forgotten" for stone in stones):
        raise Conflict(_TOMBSTONED, code="tombstoned")


def _propose(
    writer: LtmWriter, change: FieldChange, *, why: Why, standing: FieldVersion | None
) -> FieldVersion | PendingUpdate:
    proposal = Proposal(
        op="append" if change.is_item else "set",
        path=change.path,
        new=change.value,
        text=str(change.value),
        quote="",
        origin="api",
        confidence=1.0,
    )
    update, _ = propose_update(writer, proposal, why=why, keep_days=change.keep_days)
    if update is not None:
        return update
    if standing is not None and not writer.tombstones([f"field:{change.path}={normal_value(change.value)}"]):
        return standing
    raise Conflict(_TOMBSTONED, code="tombstoned")


async def propose_memory(
    scope: Scope, stated: StatedMemory, *, why: Why, keep_days: int, ltm: LongTermMemory
) -> PendingUpdate | Memory:
    """Propose a memory; the one that stands already is returned.

    Raises:
        Conflict: the user rejected or forgot it (`tombstoned`).
        InvalidInput: the text is an order to a model.
    """
    refuse_orders(stated.text, field="text")
    proposal = Proposal(
        op="remember",
        path=None,
        new=stated.text,
        text=stated.text,
        quote="",
        origin="api",
        confidence=1.0,
    )

    def work(writer: LtmWriter) -> PendingUpdate | Memory:
        update, _ = propose_update(writer, proposal, why=why, keep_days=keep_days)
        found = update or writer.memory_with_text(normal_text(stated.text))
        if found is None:
            raise Conflict(
                "The user rejected or forgot this; only the user can bring it back.", code="tombstoned"
            )
        return found

    return await ltm.write(scope, work)
