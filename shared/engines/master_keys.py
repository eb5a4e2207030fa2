"""Master keys: they wrap the key of every scope and tenant, and seal nothing else.

The first one wraps; all of them unwrap, so that a new one can be put in front while old wraps remain.
They come from the settings, or from a file that the first start makes. A missing file beside a
database is never made anew: the new key could open nothing of what is there.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from shared.engines.private_files import create_private_file, make_private_folder
from shared.errors import StartupProblem

DATA_KEY_BYTES = 32


class MasterKeys:
    """Fernet keys; the first wraps, all unwrap."""

    def __init__(self, keys: Sequence[str]) -> None:
        try:
            every = [Fernet(key.strip()) for key in keys if key.strip()]
            self._fernet, self._first = MultiFernet(every), every[0]
        except ValueError:
            raise StartupProblem(
                "The master key is not a Fernet key (44 characters of URL-safe base64). Set "
                "BILAYER_MASTER_KEY to the key of this database; several with commas, the newest first."
            ) from None

    def make_wrapped_key(self) -> bytes:
        """Return a fresh data key, wrapped."""
        return self._fernet.encrypt(os.urandom(DATA_KEY_BYTES))

    def wrap(self, key: bytes) -> bytes:
        """Return `key` wrapped by the first master key."""
        return self._fernet.encrypt(key)

    def unwrap(self, wrapped: bytes) -> bytes:
        """Return the key in `wrapped`. Raises `StartupProblem` where no master key opens it."""
        try:
            return self._fernet.decrypt(wrapped)
        except InvalidToken:
            raise StartupProblem(
                "The master key does not open the keys in the database. Put the key that this database was "
                "made with into BILAYER_MASTER_KEY (or back into keys/master.key in the data folder)."
            ) from None

    def renew(self, wrapped: bytes) -> bytes:
        """Return the same key wrapped by the first master key: `wrapped` itself where that opens it."""
        try:
            self._first.decrypt(wrapped)
        except InvalidToken:
            return self.wrap(self.unwrap(wrapped))
        return wrapped


def load_master_keys(given: Sequence[str], *, data_dir: Path, database_exists: bool) -> MasterKeys:
    """Return the keys given, or those in `keys/master.key`, made there on the very first start.

    Call it under the migration lock, so that two first starts agree on one key.

    Raises:
        StartupProblem: there is a database and no key.
    """
    if any(key.strip() for key in given):
        return MasterKeys(given)
    path = data_dir / "keys" / "master.key"
    if not path.exists():
        if database_exists:
            raise StartupProblem(
                f"There is a database but no master key at {path}. Put the key file back, or set "
                "BILAYER_MASTER_KEY; without the key nothing in the database can be read."
            )
        make_private_folder(path.parent)
        create_private_file(path, Fernet.generate_key() + b"\n")
    return MasterKeys(path.read_text("ascii", errors="replace").replace(",", "\n").split())
