"""What rules find without a model: constraints, preferences and decisions in the user's own words. Pure.

The same gate judges them as judges a model. Values of fields are found and proposed in the turn itself.
"""

from __future__ import annotations

from shared.extraction.items import Item
from shared.extraction.kinds import DECIDES
from shared.extraction.support import content_units
from shared.model.memory import MemoryKind
from shared.model.message import Message
from shared.stm.clauses import split_clauses
from shared.stm.key_facts import lift_key_facts

CONFIDENCE = 0.7
MOST_ITEMS = 100
"""So many items of one message are judged, the last of it: each is held against the whole message."""
_LEAST_UNITS = 2


def rule_items(message: Message, *, number: int) -> list[Item]:
    """The items that rules find in a user's message, masked before; `number` is its place in the batch."""
    if message.role != "user":
        return []
    facts = [fact for fact in lift_key_facts(message) if fact.kind != "value"]
    items = [
        _item(fact.text, number, kind="preference" if fact.kind == "preference" else "constraint")
        for fact in facts
    ]
    lifted = {fact.text for fact in facts}
    for clause in split_clauses(message.text):
        if clause.is_question or clause.text in lifted or not DECIDES.search(clause.folded):
            continue
        if len(content_units(clause.text)) >= _LEAST_UNITS:
            items.append(_item(clause.text, number, kind="decision"))
    distinct = {(item.kind, item.text): item for item in items}
    return list(distinct.values())[-MOST_ITEMS:]


def _item(text: str, number: int, *, kind: MemoryKind) -> Item:
    return Item(
        op="remember",
        quote=text,
        kind=kind,
        value=text,
        text=text,
        message=number,
        confidence=CONFIDENCE,
        origin="rule",
    )
