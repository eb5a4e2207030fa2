"""A small real vault for tests of other engines: AES-GCM, one key a scope, kept in memory."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from shared.errors import Missing
from shared.model.scope import Scope

_NONCE = 12


class PlainSealer:
    """Seals with the scope's key."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._cipher = AESGCM(key)

    def seal(self, plaintext: bytes, context: str) -> bytes:
        nonce = os.urandom(_NONCE)
        return nonce + self._cipher.encrypt(nonce, plaintext, context.encode())

    def open(self, sealed: bytes, context: str) -> bytes:
        try:
            return self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], context.encode())
        except InvalidTag:
            raise Missing("this value cannot be opened", code="unreadable") from None

    def blind(self, term: str) -> str:
        return self._name("term", term)[:10]

    def blind_id(self, kind: str, value: str) -> str:
        return self._name(kind, value)[:26]

    def _name(self, kind: str, value: str) -> str:
        digest = hmac.digest(self._key, f"{kind}\0{value}".encode(), "sha256")
        return base64.b32encode(digest).decode().lower()


class PlainVault:
    """Derives each scope's key from its id and a secret of this vault."""

    def __init__(self) -> None:
        self._secret = os.urandom(32)
        self._sealers: dict[str, PlainSealer] = {}

    def sealer(self, scope: Scope) -> PlainSealer:
        if scope.scope_id not in self._sealers:
            key = hashlib.sha256(self._secret + scope.scope_id.encode()).digest()
            self._sealers[scope.scope_id] = PlainSealer(key)
        return self._sealers[scope.scope_id]
