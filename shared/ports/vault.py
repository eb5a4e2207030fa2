"""The vault: keys of scopes, sealing, blind terms."""

from __future__ import annotations

from typing import Protocol

from shared.model.scope import Scope


class Sealer(Protocol):
    """The keys of one scope, unwrapped."""

    def seal(self, plaintext: bytes, context: str) -> bytes:
        """Return `plaintext` sealed; only the same `context` (row id and column) opens it."""

    def open(self, sealed: bytes, context: str) -> bytes:
        """Return what was sealed. Raises `Missing` (code `unreadable`) where key or context differ."""

    def blind(self, term: str) -> str:
        """Return the keyed hash of a term: 10 characters of a-z and 2-7, the same for the same scope."""

    def blind_id(self, kind: str, value: str) -> str:
        """Return a keyed 128-bit name (26 characters a-z, 2-7) for an outside id of some kind."""


class Vault(Protocol):
    """Hands out sealers; keeps unwrapped keys at most 60 seconds."""

    def sealer(self, scope: Scope) -> Sealer:
        """Return the scope's sealer. Raises `Missing` (code `scope_ended`) once its key is destroyed."""
