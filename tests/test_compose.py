"""The compose file and the image: what they promise about durability, health, scale and privacy."""

from pathlib import Path
from typing import Any

import click
import pytest
import yaml  # type: ignore[import-untyped]

from shared.cli import cli

ROOT = Path(__file__).resolve().parents[1]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = ["api", "worker", "scheduler"]
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


def test_workers_can_be_scaled() -> None:
    worker = SERVICES["worker"]
    assert worker["scale"] == 2
    assert not {"container_name", "ports"} & set(worker)


def test_the_front_is_reachable_from_this_machine_alone() -> None:
    assert SERVICES["api"]["ports"] == ["127.0.0.1:8420:8420"]


def test_the_image_runs_as_a_plain_user_from_the_lock_file() -> None:
    assert "USER bilayer" in DOCKERFILE
    assert "--require-hashes -r requirements.lock" in DOCKERFILE
    assert "HEALTHCHECK" in DOCKERFILE
    assert DOCKERFILE.index("USER bilayer") < DOCKERFILE.index('CMD ["bilayer", "api"]')
