"""The gate before everything that long-term memory keeps of fields and memories: no orders to a model.

What stands in the prompt's head is read as this product's own word. "Ignore previous instructions" in a field
would be obeyed there, whoever wrote it.
"""

from __future__ import annotations

from typing import Any

from shared.errors import InvalidInput
from shared.language.model_orders import gives_orders


def refuse_orders(value: Any, *, standing: Any = None, field: str = "value") -> None:
    """Raise `InvalidInput` where a value is an order to a model; items of the list that stands may stay."""
    known = standing if isinstance(standing, list) else []
    news = [item for item in value if item not in known] if isinstance(value, list) else value
    if gives_orders(news):
        raise InvalidInput(
            f"{field} reads like an instruction to a model, not like something about the user; "
            "it is not stored. Say it as a fact, or put instructions into the session's system text.",
            field=field,
        )
