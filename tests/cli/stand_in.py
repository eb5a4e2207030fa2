"""Plain values where the command line expects the settings."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class PlainSettings:
    data_dir: Path
    host: str = "127.0.0.1"
    port: int = 8420
    workers: int = 2
    redis_url: str | None = None
    redis_server: Path | None = None
    ltm_url: str | None = None
    llm_base_url: str | None = None
    master_key: str | None = None
