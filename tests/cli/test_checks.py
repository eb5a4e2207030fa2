"""What `bilayer doctor` finds, and the way out it names."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.cli import checks, doctor, mounts
from shared.cli.checks import Check
from shared.engines import redis_server
from shared.engines.redis_server import RedisReport, find
from shared.errors import StartupProblem
from tests.cli.stand_in import PlainSettings


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        yield holder.getsockname()[1]


def test_a_machine_in_order_passes_all(tmp_path: Path) -> None:
    found = doctor.examine(PlainSettings(tmp_path, port=0), environ=os.environ, inspect=lambda: None)
    assert [check for check in found if not check.ok] == []
    assert doctor.is_fit(found)


def test_a_taken_port_names_another(taken_port: int) -> None:
    check = checks.check_port("127.0.0.1", taken_port)
    assert not check.ok
    assert str(taken_port) in check.detail
    assert f"BILAYER_PORT={taken_port + 1}" in check.way_out


def test_a_host_that_does_not_exist_is_no_traceback() -> None:
    assert not checks.check_port("no.such.host.invalid", 8420).ok


def test_a_port_that_closes_in_time_is_free() -> None:
    holder = socket.socket()
    holder.bind(("127.0.0.1", 0))
    holder.listen()
    port = holder.getsockname()[1]
    holder.close()
    assert checks.check_port("127.0.0.1", port, patience_seconds=1).ok


def test_an_old_python_is_refused() -> None:
    assert not checks.check_python((3, 10)).ok
    assert checks.check_python((3, 14)).ok


def test_a_data_folder_that_is_a_file_names_the_setting(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    check = checks.check_data_folder(tmp_path / "data")
    assert not check.ok
    assert "BILAYER_DATA_DIR" in check.way_out


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a folder that even root cannot write")
def test_a_folder_that_cannot_be_written_is_found() -> None:
    check = checks.check_data_folder(Path("/proc/1"))
    assert not check.ok
    assert "cannot be written" in check.detail


def test_a_database_without_its_key_is_an_error_and_with_it_none(tmp_path: Path) -> None:
    assert checks.check_master_key(PlainSettings(tmp_path)).ok
    (tmp_path / "ltm.sqlite").write_bytes(b"")
    lost = checks.check_master_key(PlainSettings(tmp_path))
    assert not lost.ok
    assert "master.key" in lost.way_out
    assert checks.check_master_key(PlainSettings(tmp_path, master_key="given")).ok
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys" / "master.key").write_text("key")
    assert checks.check_master_key(PlainSettings(tmp_path)).ok


def test_a_database_that_the_key_does_not_open_is_a_failure_with_the_way_out() -> None:
    def refuse() -> str | None:
        raise StartupProblem("The master key does not open it. Put the key back.")

    check = checks.check_database(refuse)
    assert not doctor.is_fit([check])
    assert (check.detail, check.way_out) == ("The master key does not open it", "Put the key back.")
    assert checks.check_database(lambda: None).ok
    assert "readable with the present key" in checks.check_database(lambda: "ltm.db").detail


@pytest.mark.parametrize(
    ("kind", "ok"), [("ext4", True), ("nfs4", False), ("fuse.sshfs", False), ("unknown", True)]
)
def test_a_network_file_system_is_refused_for_sqlite_alone(tmp_path: Path, kind: str, *, ok: bool) -> None:
    assert checks.check_file_system(PlainSettings(tmp_path), kind=kind).ok is ok
    other = PlainSettings(tmp_path, ltm_url="postgresql://db/bilayer")
    assert checks.check_file_system(other, kind=kind).ok


def test_the_deepest_mount_point_decides() -> None:
    linux = mounts.parse_linux(
        "/dev/a / ext4 rw 0 0\nsrv:/x /mnt/a\\040b nfs4 rw 0 0\n/dev/b /mnt/a\\040b/c xfs rw 0 0\n"
    )
    assert mounts.type_under(Path("/mnt/a b/data"), mounts=linux) == "nfs4"
    assert mounts.type_under(Path("/mnt/a b/c/data"), mounts=linux) == "xfs"
    assert mounts.type_under(Path("/mnt/a b2"), mounts=linux) == "ext4"
    mac = mounts.parse_mac("/dev/disk3s1 on / (apfs, local)\n//me@srv/x on /Volumes/x y (smbfs, nodev)\n")
    assert mounts.type_under(Path("/Volumes/x y/z"), mounts=mac) == "smbfs"


def test_this_machine_tells_its_file_system(tmp_path: Path) -> None:
    assert mounts.file_system_of(tmp_path / "not" / "there") != "unknown"


REPORTS = [
    (RedisReport("8.2.3", "noeviction", appendonly=True, appendfsync="always"), True, ""),
    (RedisReport("8.2.3", "allkeys-lru", appendonly=True, appendfsync="always"), False, "noeviction"),
    (RedisReport("8.2.3", "noeviction", appendonly=False, appendfsync="everysec"), False, "appendonly yes"),
    (RedisReport("8.2.3", None, appendonly=None, appendfsync=None), False, "appendfsync always"),
]


@pytest.mark.parametrize(("report", "ok", "way_out"), REPORTS)
def test_a_redis_that_may_forget_is_a_warning(
    monkeypatch: pytest.MonkeyPatch, report: RedisReport, *, ok: bool, way_out: str
) -> None:
    monkeypatch.setattr(checks, "read_report", lambda _url: report)
    check = checks.check_redis_server("redis://127.0.0.1:6379")
    assert check.ok is ok
    assert way_out in check.way_out
    assert doctor.is_fit([check])


def test_an_unreachable_redis_is_a_failure_with_a_way_out() -> None:
    check = checks.check_redis_server("redis://:secret@127.0.0.1:1")
    assert not doctor.is_fit([check])
    assert check.way_out.startswith("Start it, or correct BILAYER_REDIS_URL")
    assert "secret" not in check.detail


def test_a_missing_redis_program_on_a_new_python_says_why(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(find, "packaged_binary", lambda: None)
    settings = PlainSettings(tmp_path)
    check = checks.check_redis_binary(settings, environ={"PATH": ""}, python=(3, 14))
    assert not check.ok
    assert "does not exist for Python 3.14" in check.detail
    assert "BILAYER_REDIS_SERVER" in check.way_out
    assert checks.check_redis_binary(
        PlainSettings(tmp_path, redis_url="redis://h"), environ={}, python=(3, 14)
    ).ok


def test_the_program_named_in_the_settings_is_used(tmp_path: Path) -> None:
    packaged = redis_server.packaged_binary()
    settings = PlainSettings(tmp_path, redis_server=packaged or Path("/gone"))
    check = checks.check_redis_binary(settings, environ={"PATH": ""}, python=(3, 11))
    assert check.ok is (packaged is not None)


def test_the_report_shows_each_check_and_its_way_out() -> None:
    text = doctor.describe(
        [Check("a", ok=True, detail="good"), Check("b", ok=False, detail="bad", way_out="Mend it.")]
    )
    assert text == "ok    a: good\nFAIL  b: bad\n      Mend it."
    assert not doctor.is_fit([Check("b", ok=False, detail="bad")])


def test_the_models_address_is_tried_without_a_request(taken_port: int) -> None:
    assert checks.check_upstream(None).ok
    assert checks.check_upstream(f"http://key:s3cret@127.0.0.1:{taken_port}/v1").ok


def test_a_model_that_nobody_serves_is_a_warning_that_names_the_setting() -> None:
    with socket.socket() as holder:  # bound, and nobody listens
        holder.bind(("127.0.0.1", 0))
        check = checks.check_upstream(f"http://key:s3cret@127.0.0.1:{holder.getsockname()[1]}/v1")
    assert (check.ok, check.is_warning) == (False, True)
    assert "BILAYER_LLM_BASE_URL" in check.way_out
    assert "s3cret" not in doctor.describe([check])
