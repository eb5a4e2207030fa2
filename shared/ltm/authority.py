"""Who may overrule whom: a business system, the user, another program, a rule, a model; newest of equals."""

from __future__ import annotations

from typing import Final

from shared.errors import Conflict
from shared.model.memory import FieldVersion, Origin

_RANKS: Final[dict[Origin, int]] = {"system": 5, "user": 4, "api": 3, "import": 3, "rule": 2, "model": 1}


def check_authority(path: str, origin: Origin, *, standing: FieldVersion | None) -> None:
    """Raise `Conflict` (code `outranked`) where what stands came from a higher authority."""
    if is_outranked(origin, standing):
        raise Conflict(
            f"{path} is set by a business system, which has the last word; change it there, "
            "or forget the whole field.",
            code="outranked",
        )


def is_outranked(origin: Origin, standing: FieldVersion | None) -> bool:
    """True where what stands came from a higher authority, so that a change of this origin loses."""
    return standing is not None and _RANKS[origin] < _RANKS[standing.origin]
