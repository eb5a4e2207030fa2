"""What the command line reads of the settings, so that it can be tested with plain values."""

from pathlib import Path
from typing import Protocol

from shared.errors import StartupProblem


class LaunchSettings(Protocol):
    """The part of `shared.settings.Settings` that starting and checking needs."""

    @property
    def data_dir(self) -> Path: ...
    @property
    def host(self) -> str: ...
    @property
    def port(self) -> int: ...
    @property
    def workers(self) -> int: ...
    @property
    def redis_url(self) -> str | None: ...
    @property
    def redis_server(self) -> Path | None: ...
    @property
    def ltm_url(self) -> str | None: ...
    @property
    def llm_base_url(self) -> str | None: ...
    @property
    def master_key(self) -> object | None: ...


class StartError(StartupProblem):
    """Bilayer cannot start; the text tells what happened and the way out."""
