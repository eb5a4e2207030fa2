"""The vault: one data key per scope, from which come a sealing key and an index key.

A data key is 32 random bytes, kept wrapped by the master key. HKDF makes two keys of it: one for
AES-256-GCM, whose associated data are tenant, scope and `context` (so that a sealed value opens only
where it was put), and one for keyed BLAKE2b hashes (so that no two scopes share the hash of a word).
An unwrapped key is kept at most 60 seconds of real time, whatever the service's clock says.

Sealed: version byte 1, nonce (12 bytes), ciphertext with its tag (16 bytes).
"""

from __future__ import annotations

import hmac
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Generic, Protocol, TypeVar

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from shared.engines.master_keys import MasterKeys
from shared.errors import Missing, StartupProblem, Unavailable
from shared.model.scope import Scope

KEY_LIFETIME_SECONDS = 60.0
_KEYS_KEPT = 512
_VERSION = b"\x01"
_NONCE_BYTES = 12
_SHORTEST = len(_VERSION) + _NONCE_BYTES + 16
_BLIND_CHARS = 10
_NAME_CHARS = 26
_TERMS_KEPT = 512
# One letter for each byte of a digest, by its lowest five bits.
_LETTERS = b"abcdefghijklmnopqrstuvwxyz234567" * 8
_HALF = 32

UNREADABLE = "unreadable"
"""The code of a sealed value that does not open."""

T = TypeVar("T")


class KeySource(Protocol):
    """Where wrapped keys lie; each is one point read. None: there is no such key (any more)."""

    def wrapped_scope_key(self, tenant_id: str, scope_id: str) -> bytes | None: ...

    def wrapped_tenant_key(self, tenant_id: str) -> bytes | None: ...


def _derive(key: bytes, purpose: bytes) -> tuple[bytes, bytes]:
    derived = HKDF(SHA256(), 2 * _HALF, salt=None, info=b"bilayer 1 " + purpose).derive(key)
    return derived[:_HALF], derived[_HALF:]


def _name(key: bytes, *, kind: str, value: str) -> str:
    named = f"{len(kind)}:{kind}{value}".encode()
    digest = blake2b(named, key=key, digest_size=_NAME_CHARS, person=b"name").digest()
    return digest.translate(_LETTERS).decode("ascii")


class ScopeSealer:
    """The keys of one scope, unwrapped. Safe to use from several threads."""

    def __init__(self, scope: Scope, key: bytes) -> None:
        sealing, self._index_key = _derive(key, b"scope")
        self._cipher = AESGCM(sealing)
        self._prefix = (
            f"{len(scope.tenant_id)}:{scope.tenant_id}{len(scope.scope_id)}:{scope.scope_id}".encode()
        )
        self._keyed = blake2b(key=self._index_key, digest_size=_BLIND_CHARS, person=b"term")
        self._terms: dict[str, str] = {}

    def seal(self, plaintext: bytes, context: str) -> bytes:
        """Return `plaintext` sealed; only the same `context` opens it. It grows by 29 bytes."""
        nonce = os.urandom(_NONCE_BYTES)
        return _VERSION + nonce + self._cipher.encrypt(nonce, plaintext, self._prefix + context.encode())

    def open(self, sealed: bytes, context: str) -> bytes:
        """Return what was sealed. Raises `Missing` (code `unreadable`) where key or context differ."""
        if len(sealed) < _SHORTEST or sealed[:1] != _VERSION:
            raise Missing("A sealed value has a form that this version does not know.", code=UNREADABLE)
        try:
            return self._cipher.decrypt(
                sealed[1 : 1 + _NONCE_BYTES], sealed[1 + _NONCE_BYTES :], self._prefix + context.encode()
            )
        except InvalidTag:
            raise Missing("A sealed value does not open with its scope's key.", code=UNREADABLE) from None

    def blind(self, term: str) -> str:
        """Return the keyed hash of a term: 10 characters, 50 bits."""
        known = self._terms.get(term)
        if known is not None:
            return known
        keyed = self._keyed.copy()  # cheaper than keying it anew
        keyed.update(term.encode())
        hashed = keyed.digest().translate(_LETTERS).decode("ascii")
        if len(self._terms) >= _TERMS_KEPT:
            self._terms.clear()
        self._terms[term] = hashed
        return hashed

    def blind_id(self, kind: str, value: str) -> str:
        """Return a keyed name of 130 bits (26 characters) for an outside id of some kind."""
        return _name(self._index_key, kind=kind, value=value)


class TenantKeys:
    """The keys of one tenant: codes of its audit chain, names of its outside ids."""

    def __init__(self, key: bytes) -> None:
        self._audit_key, self._name_key = _derive(key, b"tenant")

    def sign(self, message: bytes) -> bytes:
        """Return the HMAC-SHA256 of `message`."""
        return hmac.digest(self._audit_key, message, "sha256")

    def name_outside(self, kind: str, outside_id: str) -> str:
        """Return the 26 characters that stand for an outside id of some kind within this tenant."""
        return _name(self._name_key, kind=kind, value=outside_id)


@dataclass(frozen=True, slots=True)
class _Kept(Generic[T]):
    loaded_at: float
    keys: T


class _Shelf(Generic[T]):
    """Unwrapped keys by name, oldest first; what is over age is dropped at the next touch of any."""

    def __init__(self, *, lifetime_seconds: float, monotonic: Callable[[], float]) -> None:
        self._lifetime_seconds = lifetime_seconds
        self._monotonic = monotonic
        self._kept: OrderedDict[tuple[str, str], _Kept[T]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, name: tuple[str, str]) -> T | None:
        oldest_kept = self._monotonic() - self._lifetime_seconds
        with self._lock:
            while self._kept and next(iter(self._kept.values())).loaded_at <= oldest_kept:
                self._kept.popitem(last=False)
            kept = self._kept.get(name)
        return None if kept is None else kept.keys

    def put(self, name: tuple[str, str], keys: T) -> T:
        with self._lock:
            self._kept.pop(name, None)
            self._kept[name] = _Kept(self._monotonic(), keys)
            while len(self._kept) > _KEYS_KEPT:
                self._kept.popitem(last=False)
        return keys

    def drop(self, name: tuple[str, str]) -> None:
        with self._lock:
            self._kept.pop(name, None)


class KeyVault:
    """Hands out sealers; keeps unwrapped keys at most `lifetime_seconds` of real time."""

    def __init__(
        self,
        master: MasterKeys,
        source: KeySource,
        *,
        lifetime_seconds: float = KEY_LIFETIME_SECONDS,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.master = master
        self._source = source
        self._scopes: _Shelf[ScopeSealer] = _Shelf(lifetime_seconds=lifetime_seconds, monotonic=monotonic)
        self._tenants: _Shelf[TenantKeys] = _Shelf(lifetime_seconds=lifetime_seconds, monotonic=monotonic)

    def sealer(self, scope: Scope) -> ScopeSealer:
        """Return the scope's sealer. Raises `Missing` (code `scope_ended`) once its key is destroyed."""
        kept = self._scopes.get((scope.tenant_id, scope.scope_id))
        if kept is not None:
            return kept
        return self.sealer_of(scope, self._source.wrapped_scope_key(scope.tenant_id, scope.scope_id))

    def sealer_of(self, scope: Scope, wrapped: bytes | None) -> ScopeSealer:
        """Return the sealer for a wrapped key just read; None (no key) drops what was kept and raises."""
        name = (scope.tenant_id, scope.scope_id)
        if wrapped is None:
            self._scopes.drop(name)
            raise Missing("This scope has ended.", code="scope_ended")
        kept = self._scopes.get(name)
        return kept or self._scopes.put(name, ScopeSealer(scope, self._unwrap(wrapped)))

    def passing_sealer(self, scope: Scope, wrapped: bytes) -> ScopeSealer:
        """Return the sealer for a wrapped key just read; nothing of it is kept (an erasure, a restore)."""
        return ScopeSealer(scope, self._unwrap(wrapped))

    def tenant_keys(self, tenant_id: str) -> TenantKeys | None:
        """Return the tenant's keys; None where it has none yet."""
        kept = self._tenants.get((tenant_id, ""))
        if kept is not None:
            return kept
        return self.tenant_keys_of(tenant_id, self._source.wrapped_tenant_key(tenant_id))

    def tenant_keys_of(self, tenant_id: str, wrapped: bytes | None) -> TenantKeys | None:
        """Return the keys for a wrapped key just read; None where there is none."""
        if wrapped is None:
            return None
        kept = self._tenants.get((tenant_id, ""))
        return kept or self._tenants.put((tenant_id, ""), TenantKeys(self._unwrap(wrapped)))

    def make_tenant_keys(self) -> tuple[bytes, TenantKeys]:
        """Return fresh keys for a tenant and the wrapped key they come from, to be stored."""
        wrapped = self.master.make_wrapped_key()
        return wrapped, TenantKeys(self._unwrap(wrapped))

    def _unwrap(self, wrapped: bytes) -> bytes:
        try:
            return self.master.unwrap(wrapped)
        except StartupProblem:  # rotated meanwhile, to a master key that this process was not given
            raise Unavailable(
                "This process does not have the master key in use; restart it with the new key.",
                code="ltm_unavailable",
            ) from None
