"""The Redis of our own: found in order, private, durable, and clear about what is wrong."""

import os
import shutil
import stat
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from shared.addresses import told_address
from shared.cli.checks import check_redis_server
from shared.engines import redis_server
from shared.engines.redis_server import RedisStartError, find, launch


def fake_server(folder: Path, name: str, *, version: str = "7.2.4") -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\necho 'Redis server v={version} sha=0:0'\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "packaged_binary", lambda: None)


@pytest.fixture(scope="session")
def binary() -> Path:
    return redis_server.find_redis_binary(os.environ)


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A data folder whose path leaves room for a socket, with a blank and a Han character in it."""
    folder = Path("/tmp") / f"bl {os.getpid()} 数"  # noqa: S108 - pytest's own folders are too long for a socket
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def test_the_named_program_comes_first(tmp_path: Path) -> None:
    named = fake_server(tmp_path / "a", "my-redis")
    fake_server(tmp_path / "b", "redis-server")
    environ = {"BILAYER_REDIS_SERVER": str(named), "PATH": str(tmp_path / "b")}
    assert redis_server.find_redis_binary(environ) == named


def test_the_path_comes_before_the_wheel_and_redis_before_valkey(tmp_path: Path) -> None:
    valkey = fake_server(tmp_path / "b", "valkey-server")
    assert redis_server.find_redis_binary({"PATH": str(tmp_path / "b")}) == valkey
    plain = fake_server(tmp_path / "b", "redis-server")
    assert redis_server.find_redis_binary({"PATH": str(tmp_path / "b")}) == plain


@pytest.mark.usefixtures("no_package")
def test_a_program_that_is_too_old_or_broken_is_passed_over_and_named(tmp_path: Path) -> None:
    fake_server(tmp_path / "b", "redis-server", version="5.0.3")
    fake_server(tmp_path / "b", "valkey-server", version="none")
    with pytest.raises(RedisStartError) as caught:
        redis_server.find_redis_binary({"PATH": str(tmp_path / "b")})
    assert "version 5.0 is older than 6.2" in str(caught.value)
    assert "does not run as a Redis server" in str(caught.value)


@pytest.mark.usefixtures("no_package")
def test_without_any_program_the_message_says_what_to_install() -> None:
    with pytest.raises(RedisStartError) as caught:
        redis_server.find_redis_binary({"PATH": ""})
    for way_out in ("apt install redis-server", "brew", "bilayer[embedded]", "BILAYER_REDIS_SERVER"):
        assert way_out in str(caught.value)


def test_a_named_program_that_is_none_is_an_error_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(RedisStartError, match="BILAYER_REDIS_SERVER names"):
        redis_server.find_redis_binary({"BILAYER_REDIS_SERVER": str(tmp_path / "gone"), "PATH": ""})


def test_it_keeps_every_write_evicts_nothing_and_is_private(short_folder: Path, binary: Path) -> None:
    old = os.umask(0)
    try:
        server = redis_server.start_redis(short_folder, binary=binary)
    finally:
        os.umask(old)
    try:
        assert server.url.startswith("unix://")
        report = redis_server.read_report(server.url)
        assert (report.keeps_writes, report.evicts) == (True, False)
        with redis.Redis.from_url(server.url) as client:
            client.set("key", "value")
            assert not any(module[b"path"] for module in client.module_list())
        assert_private(short_folder / "redis")
    finally:
        server.stop()
    assert_private(short_folder / "redis")


def assert_private(folder: Path) -> None:
    for path in [folder, *folder.rglob("*")]:
        expected = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.lstat().st_mode) == expected, path


def test_a_kill_loses_nothing_that_was_acknowledged(short_folder: Path, binary: Path) -> None:
    server = redis_server.start_redis(short_folder, binary=binary)
    with redis.Redis.from_url(server.url) as client:
        client.set("key", "value")
    server.process.kill()
    server.process.wait()
    again = redis_server.start_redis(short_folder, binary=binary)
    with redis.Redis.from_url(again.url) as client:
        assert client.get("key") == b"value"
    again.stop()


def test_a_long_path_falls_back_to_a_loopback_port_behind_a_password(tmp_path: Path, binary: Path) -> None:
    folder = tmp_path / ("long" * 25)
    server = redis_server.start_redis(folder, binary=binary)
    try:
        assert server.url.startswith("redis://:")
        assert "@127.0.0.1:" in server.url
        assert redis_server.answers(server.url)
        open_url = "redis://" + server.url.split("@")[1]
        assert not redis_server.answers(open_url)
        assert_private(folder / "redis")
    finally:
        server.stop()


def test_a_server_that_outlived_its_supervisor_is_ended_before_the_next_starts(
    short_folder: Path, binary: Path
) -> None:
    first = redis_server.start_redis(short_folder, binary=binary)
    second = redis_server.start_redis(short_folder, binary=binary)
    assert first.process.wait(5) is not None
    assert redis_server.answers(second.url)
    second.stop()
    assert redis_server.end_left_over(short_folder) is False


def test_a_server_that_ends_at_start_shows_its_last_words(tmp_path: Path, binary: Path) -> None:
    folder = tmp_path / "data" / "redis" / "appendonlydir"
    folder.mkdir(parents=True)
    (folder / "appendonly.aof.manifest").write_text("this is no manifest\n")
    with pytest.raises(RedisStartError, match="ended while starting") as caught:
        redis_server.start_redis(tmp_path / "data", binary=binary)
    assert "redis.log" in str(caught.value)


def test_one_that_never_answers_is_given_up(tmp_path: Path) -> None:
    plan = launch.plan_redis(Path("/bin/true"), tmp_path)
    with pytest.raises(RedisStartError, match=r"within 0\.05 seconds"):
        redis_server.wait_for_redis(plan, wait_seconds=0.05, is_alive=lambda: True)


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("redis://user:secret@127.0.0.1:1/0", "redis://127.0.0.1:1"),
        ("rediss://secret@[::1]:1/0", "rediss://[::1]:1"),
        ("redis://127.0.0.1:1/0?password=secret", "redis://127.0.0.1:1"),
        ("unix://:secret@/no/such.sock?password=secret", "unix:///no/such.sock"),
        ("redis://:secret/part@127.0.0.1:1", ""),
        ("redis://secret/secret@127.0.0.1:1", ""),
        ("redis://:secret#part@127.0.0.1:1", ""),
        ("redis://:secret?part@127.0.0.1:1", ""),
        ("unix://secret/secret@/no/such.sock", ""),
        ("redis://[secret", ""),
        ("secret", ""),
        ("https://secret@127.0.0.1:1", ""),
    ],
)
def test_an_unreachable_redis_is_named_without_its_password(
    url: str, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(RedisStartError) as caught:
        redis_server.read_report(url)
    assert told_address(url) == told
    shown = "".join(traceback.format_exception(caught.value))
    assert "secret" not in shown.replace(repr(url), "").replace(f'"{url}"', "")
    assert "secret" not in caplog.text
    assert "BILAYER_REDIS_URL" in str(caught.value)
    check = check_redis_server(url)
    assert "secret" not in f"{check.detail}{check.way_out}"
    assert not check.ok
    assert check.way_out.startswith("Start it" if told else "Write it")
