"""Every error of the product, by what the caller can do about it.

No room knows HTTP: `api/errors.py` maps this tree to status codes and `workers/runner.py` to
retry, dead-letter or drop. `code` is stable and part of the contract; `detail` is for people and
never holds user text.
"""

# BilayerError
# ├── Rejected          the request is bad or forbidden: change it
# │   ├── InvalidInput      a value is wrong (names its field)
# │   ├── TooLarge          a value or body is over its limit
# │   ├── Unauthenticated   no credential, or a wrong one
# │   └── Forbidden         the credential lacks a permission
# ├── Missing           no such thing, or another's thing
# ├── Conflict          the state has moved: read it anew and retry
# │   └── KeyReused         an idempotency key came back with another body
# ├── Unavailable       not now: try later (`retry_after_seconds`)
# └── StartupProblem    the process cannot start: the message says the way out

from __future__ import annotations


class BilayerError(Exception):
    """Base of all errors that a caller may see."""

    code = "error"

    def __init__(self, detail: str, *, code: str | None = None, field: str | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.field = field
        if code is not None:
            self.code = code


class Rejected(BilayerError):
    """The request is bad or forbidden; the same request will fail again."""

    code = "rejected"


class InvalidInput(Rejected):
    """A value is wrong; `field` names it."""

    code = "invalid_value"


class TooLarge(Rejected):
    """A value or a body is over its limit."""

    code = "too_large"


class Unauthenticated(Rejected):
    """No credential, or one that nobody knows."""

    code = "unauthenticated"


class Forbidden(Rejected):
    """The credential is known and lacks the permission."""

    code = "forbidden"


class Missing(BilayerError):
    """No such thing, or a thing of somebody else: the two look alike on purpose.

    `scope_ended`: its user was erased. `unreadable`: it is there and does not open with the scope's key.
    """

    code = "not_found"


class Conflict(BilayerError):
    """The state has moved; read it anew and retry."""

    code = "conflict"


class KeyReused(Conflict):
    """An idempotency key came back with another body."""

    code = "idempotency_mismatch"


class Unavailable(BilayerError):
    """A part the request needs does not answer now; nothing was half-written."""

    code = "unavailable"

    def __init__(self, detail: str, *, code: str | None = None, retry_after_seconds: int = 1) -> None:
        super().__init__(detail, code=code)
        self.retry_after_seconds = retry_after_seconds


class StartupProblem(BilayerError):
    """The process cannot start; `detail` tells what happened and the way out."""

    code = "startup"
