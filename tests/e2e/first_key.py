"""Print the first key of the deployment that the environment names."""

from __future__ import annotations

import asyncio

from shared.services import make_first_key
from shared.settings import load_settings

if __name__ == "__main__":
    print(asyncio.run(make_first_key(load_settings())))  # noqa: T201 - its one answer
