"""What is installed: one private folder and the launcher, from a lock file that names hashes and no hosts."""

import importlib.util
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
SAYS_WHERE = "import bilayer_app; bilayer_app.lay_path(); import shared; print(shared.__file__)"


def pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if importlib.util.find_spec("hatchling") is None:
        pytest.skip("hatchling, which builds the wheel, is not installed (make test installs it)")
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", str(folder), ".")
    return next(folder.glob("*.whl"))


@pytest.mark.slow
def test_the_wheel_holds_one_private_folder_and_the_launcher(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        entry_points = archive.read(next(n for n in names if n.endswith("entry_points.txt"))).decode()
    top = {name.split("/")[0] for name in names}
    assert {entry for entry in top if not entry.endswith(".dist-info")} == {"bilayer_app"}
    assert {"bilayer_app/api/__init__.py", "bilayer_app/shared/cli/app.py"} <= set(names)
    assert "bilayer = bilayer_app:main" in entry_points


@pytest.mark.slow
def test_the_wheel_carries_every_file_of_the_three_folders(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    for folder in ("api", "workers", "shared"):
        for file in (ROOT / folder).rglob("*"):
            if file.is_file() and "__pycache__" not in file.parts:
                path = file.relative_to(ROOT).as_posix()
                installed = "__init__.py" if path == "shared/cli/launcher.py" else path
                assert f"bilayer_app/{installed}" in names


@pytest.mark.slow
def test_an_installed_wheel_runs_its_own_code_whatever_lies_around(wheel: Path, tmp_path: Path) -> None:
    site, elsewhere = tmp_path / "site", tmp_path / "elsewhere"
    pip("install", "--no-deps", "--no-index", "--target", str(site), str(wheel))
    for name in ("api", "shared"):
        (elsewhere / name).mkdir(parents=True)
        (elsewhere / name / "__init__.py").write_text("raise SystemExit('not ours')\n")
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(elsewhere)])}

    def run(*argv: str) -> str:
        return subprocess.run(
            argv, cwd=elsewhere, env=environ, check=True, capture_output=True, text=True
        ).stdout

    assert Path(run(sys.executable, "-P", "-c", SAYS_WHERE).strip()).is_relative_to(site / "bilayer_app")
    assert "doctor" in run(sys.executable, "-P", str(site / "bin" / "bilayer"), "--help")


def test_in_the_tree_the_launcher_changes_nothing() -> None:
    argv = [sys.executable, "-c", "from shared.cli.launcher import main; main()", "--help"]
    done = subprocess.run(argv, cwd=ROOT, check=True, capture_output=True, text=True)
    assert "Usage:" in done.stdout


def test_every_requirement_is_locked_with_hashes() -> None:
    extras = PROJECT["project"]["optional-dependencies"].values()
    wanted = {name_of(line) for group in [PROJECT["project"]["dependencies"], *extras] for line in group}
    entries = re.split(r"\n(?=\S)", re.sub(r"^\s*#.*\n?", "", LOCK, flags=re.MULTILINE).strip())
    assert wanted <= {name_of(entry) for entry in entries}
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []


def test_the_lock_names_no_host() -> None:
    assert re.findall(r"https?:|file:|--(?:extra-)?index-url|--find-links|--trusted-host", LOCK) == []


def name_of(requirement: str) -> str:
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert match is not None, requirement
    return re.sub(r"[._-]+", "-", match[0]).lower()
