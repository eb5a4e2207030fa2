"""Where the front listens, and whether it answers there."""

import ssl

import httpx

from shared.cli.config import LaunchSettings

NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For plain HTTP on this machine, where none has to be read: it trusts nobody."""


def front_answers(address: str) -> bool:
    try:
        return httpx.get(address, timeout=2, trust_env=False, verify=NO_CERTIFICATES).is_success
    except httpx.HTTPError:
        return False


def address_of(settings: LaunchSettings) -> str:
    """Where a client on this machine reaches the front."""
    # S104: nothing is bound here; an address that means "all" is turned into one that can be called.
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)  # noqa: S104 - asked, not bound
    return f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"
