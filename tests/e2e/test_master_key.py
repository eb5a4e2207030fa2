"""The master key is changed step by step, and what is left does without the old one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from tests.e2e.stack import Stack

pytestmark = pytest.mark.e2e


def _rotate(stack: Stack, keys: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "shared.cli", "key", "rotate"],
        env={**stack.environ, "BILAYER_MASTER_KEY": keys},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_master_key_is_changed_while_everything_runs(folder: Path) -> None:
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    with Stack(folder, environ={"BILAYER_MASTER_KEY": old}) as stack:
        stack.user("ann").turn("s1", "记住我的猫叫团子")
        stack.restart_with({"BILAYER_MASTER_KEY": f"{new},{old}"})
        stack.user("bob").turn("s1", "remember my dog is called Rex")
        done = _rotate(stack, f"{new},{old}")
        assert "wrapped anew" in done.stdout, done.stderr
        assert "the others may go" in _rotate(stack, f"{new},{old}").stdout
        stack.restart_with({"BILAYER_MASTER_KEY": new})
        assert "团子" in str(stack.user("ann").history("s1"))
        assert "Rex" in str(stack.user("bob").history("s1"))
        refused = _rotate(stack, old)
        assert refused.returncode == 1
        assert "BILAYER_MASTER_KEY" in refused.stderr
