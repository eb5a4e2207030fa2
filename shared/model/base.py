"""What all values share: they are frozen, and a misspelled name is an error."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """A frozen value of the product's vocabulary."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)
