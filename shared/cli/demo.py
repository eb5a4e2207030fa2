"""`bilayer demo`: the real stack on a folder of its own, a conversation played to it, nothing left behind.

Of the user's settings only those of the model and of the Redis program count; without a model a small
scripted one on loopback answers from the prompt.
"""

import asyncio
import contextlib
import os
import socket
import sys
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click
from pydantic import SecretStr
from rich.console import Console

from shared.cli.chat import Conversation
from shared.cli.children import Child, child_environ
from shared.cli.demo_script import Play
from shared.cli.front import address_of
from shared.cli.remote import Remote
from shared.cli.supervise import Supervisor
from shared.cli.told import told
from shared.cli.up import running
from shared.services import make_first_key
from shared.settings import Settings, load_settings

MODEL_SETTINGS = ("llm_base_url", "llm_api_key", "llm_model", "llm_first_token_timeout_seconds")


@click.command()
def demo() -> None:
    """Play a conversation to a stack of its own and show what is remembered."""
    supervisor = Supervisor(say=lambda text: click.echo(text, err=True))
    supervisor.listen_for_signals()
    with told(), tempfile.TemporaryDirectory(prefix="bilayer-demo-") as folder:
        mine = load_settings()
        port = None if mine.llm_base_url else free_port()
        settings = demo_settings(mine, Path(folder), model_port=port)
        problems = play_on_stack(settings, supervisor, model_port=port)
    if problems is None:
        raise click.Abort
    if problems:
        raise click.ClickException(" ".join(problems))
    click.echo("\nAll of it is as it should be; the folder is removed and nothing runs on.")


def demo_settings(mine: Settings, folder: Path, *, model_port: int | None) -> Settings:
    """Return the settings of the demo's stack; `model_port` is that of the scripted model, if it is used."""
    chosen = {name: getattr(mine, name) for name in MODEL_SETTINGS}
    if model_port is not None:
        chosen["llm_base_url"] = f"http://127.0.0.1:{model_port}/v1"
    chosen["redis_server"] = mine.redis_server.absolute() if mine.redis_server else None
    own = {"data_dir": folder / "data", "port": free_port(), "workers": 1}
    # Nothing is archived before the play asks for it.
    named = {"environment": "demo", "log_level": "ERROR", "idle_flush_seconds": 600.0}
    defaults = {name: field.get_default() for name, field in Settings.model_fields.items()}
    return Settings(**{**defaults, **chosen, **own, **named})


def environ_of(settings: Settings, environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment with these settings and no others of ours."""
    kept = {name: value for name, value in environ.items() if not name.startswith("BILAYER_")}
    given = {}
    for name in Settings.model_fields:
        value = getattr(settings, name)
        if value is not None:
            text = value.get_secret_value() if isinstance(value, SecretStr) else str(value)
            given[f"BILAYER_{name.upper()}"] = text
    return {**kept, **given}


def play_on_stack(settings: Settings, supervisor: Supervisor, *, model_port: int | None) -> list[str] | None:
    """Return the problems that the play found; None where someone asked to stop.

    Raises:
        StartError, RedisStartError, Refused, Unreachable: it could not be played.
    """
    environ = environ_of(settings, os.environ)
    click.echo(f"Starting Redis, front, worker and scheduler in {settings.data_dir.parent} ...")
    # In their own folder the children meet no bilayer.toml of the user's.
    with contextlib.chdir(settings.data_dir.parent), ThreadPoolExecutor(1) as pool:
        with running(
            settings,
            supervisor,
            environ=environ,
            prepare=lambda _environ: asyncio.run(make_first_key(settings)),
            say=click.echo,
        ) as key:
            if model_port is not None and not supervisor.is_stopping:
                supervisor.add(scripted_model(model_port, environ))
                supervisor.run_until(lambda: is_open(model_port))
            if supervisor.is_stopping or key is None:
                return None
            played = pool.submit(play, address_of(settings), key)
            supervisor.run_until(played.done)
            was_stopped = supervisor.is_stopping
        return None if was_stopped else played.result()


def scripted_model(port: int, environ: Mapping[str, str]) -> Child:
    argv = (sys.executable, "-P", "-m", "shared.cli.demo_upstream", str(port))
    return Child("model", argv, child_environ(environ))


def play(address: str, key: str) -> list[str]:
    """Play the conversation to the front at this address; returns the problems."""
    console = Console(highlight=False, soft_wrap=True)
    with Remote(address, key=key, user="demo") as remote, Remote(address, key=key, user="other") as other:
        return Play(
            Conversation(remote, console, session="one"),
            Conversation(remote, console, session="two"),
            stranger=Conversation(other, console, session="one"),
        ).run()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_open(port: int) -> bool:
    """Whether somebody listens on this port of the loopback."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0
