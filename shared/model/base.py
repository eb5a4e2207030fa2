"""What all values share: they are frozen, and a misspelled name is an error."""

from __future__ import annotations

from typing import Any, Final, Self

from pydantic import BaseModel, ConfigDict

_SET: Final = object.__setattr__
_NAMES: Final[dict[type, set[str]]] = {}
"""The names of a class's fields, one set for all of its values: nothing changes a frozen value's."""


class Value(BaseModel):
    """A frozen value of the product's vocabulary."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    @classmethod
    def of_checked(cls, fields: dict[str, Any]) -> Self:
        """Return the value of fields that were checked before: what our own code sealed, or another value's.

        Takes a fifth of the time. `fields` names every field, defaults too, with values of their final types;
        it becomes the value's own.
        """
        value = cls.__new__(cls)
        _SET(value, "__dict__", fields)
        names = _NAMES.get(cls)
        _SET(value, "__pydantic_fields_set__", names or _NAMES.setdefault(cls, set(cls.model_fields)))
        _SET(value, "__pydantic_extra__", None)
        _SET(value, "__pydantic_private__", None)
        return value
