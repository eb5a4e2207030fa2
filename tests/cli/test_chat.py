"""`bilayer chat` as a program: piped, on a terminal, interrupted, and with nobody at the other end."""

import os
import pty
import select
import signal
import subprocess
import sys
import time
import uuid

import pytest
from click.testing import CliRunner

from shared.cli import cli
from shared.cli.children import CODE_FOLDER
from tests.e2e.stack import Stack

pytestmark = pytest.mark.e2e

COMMAND = (sys.executable, "-P", "-m", "shared.cli", "chat")


def environ_for(stack: Stack | None, **settings: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BILAYER_")}
    key = stack.user("x").client.headers["authorization"].removeprefix("Bearer ") if stack else "bl_none"
    return {**kept, "PYTHONPATH": str(CODE_FOLDER), "BILAYER_KEY": key, "COLUMNS": "200", **settings}


def run(stack: Stack, *words: str, said: bytes, **settings: str) -> subprocess.CompletedProcess[bytes]:
    command = [*COMMAND, "--url", stack.url, *words]
    environ = environ_for(stack, **settings)
    return subprocess.run(command, input=said, env=environ, capture_output=True, timeout=60, check=False)


@pytest.fixture
def name() -> str:
    return f"chatter-{uuid.uuid4().hex[:8]}"


def test_a_pipes_lines_are_turns_and_what_was_recalled_is_shown(plain_stack: Stack, name: str) -> None:
    first = run(plain_stack, "--user", name, "--session", "a", said="所有报表用企业微信接收\n".encode())
    assert first.returncode == 0, first.stderr
    asked = "记住我的邮箱是dev@abc.com\n\n我上次说过报告怎么接收？\n".encode()
    second = run(
        plain_stack, "--user", name, said=asked, LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="utf-8"
    )
    shown = second.stdout.decode()
    assert second.returncode == 0, second.stderr
    assert "applied: set user_profile.contact.email = dev@abc.com" in shown
    assert "degraded: " in shown
    assert any("recalled 0." in line and "企业微信" in line for line in shown.splitlines())
    sessions = plain_stack.user(name).get("/v1/sessions")["items"]
    assert sorted(one["messages"] for one in sessions) == [2, 4]


def test_a_line_that_is_refused_is_told_and_the_next_one_is_taken(plain_stack: Stack, name: str) -> None:
    said = b"x" * 32_001 + b"\nRemember: tea at four.\n"
    result = run(plain_stack, "--user", name, said=said)
    assert result.returncode == 1
    assert b"a turn takes 32000" in result.stdout
    assert b"applied: remember" in result.stdout


def test_bytes_that_are_no_utf8_are_replaced(plain_stack: Stack, name: str) -> None:
    result = run(plain_stack, "--user", name, "--session", "a", said=b"caf\xe9\n")
    assert result.returncode == 0, result.stderr
    assert plain_stack.user(name).history("a")[0]["content"] == "caf\ufffd"


@pytest.mark.parametrize(
    ("words", "settings", "told"),
    [
        (["--user", "me"], {"BILAYER_KEY": "bl_wrong"}, "unknown or revoked"),
        (["--user", "me"], {"BILAYER_KEY": ""}, "set BILAYER_KEY"),
        (["--user", "me"], {"BILAYER_KEY": "钥匙"}, "This is no key"),
        (["--url", "http://127.0.0.1:1"], {}, "start it with `bilayer up`"),
        (["--url", "127.0.0.1:8420"], {}, "is no address"),
        (["--session", "a b"], {}, "a session id takes"),
        (["--user", "x" * 129], {}, "1 to 128 characters"),
    ],
)
def test_what_is_wrong_is_one_sentence_and_no_traceback(
    plain_stack: Stack, words: list[str], settings: dict[str, str], told: str
) -> None:
    environ = environ_for(plain_stack, **settings)
    command = ["chat", "--url", plain_stack.url, *words]
    result = CliRunner().invoke(cli, command, input="hello\n", env=environ)
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    assert told in result.output
    assert result.output.splitlines()[-1].startswith("Error: ")


class Terminal:
    """The program on a terminal of its own."""

    def __init__(self, stack: Stack, *words: str) -> None:
        self.pid, self.screen = pty.fork()
        if self.pid == 0:
            os.execve(  # noqa: S606 - our own program
                COMMAND[0], [*COMMAND, "--url", stack.url, *words], environ_for(stack)
            )
        self.seen = b""

    def type(self, keys: bytes) -> None:
        os.write(self.screen, keys)

    def wait_for(self, text: bytes, *, seconds: float = 20.0) -> None:
        """Until the text was shown after what was waited for before."""
        deadline = time.monotonic() + seconds
        while text not in self.seen:
            assert time.monotonic() < deadline, self.seen.decode(errors="replace")
            if select.select([self.screen], [], [], 0.1)[0]:
                self.seen += os.read(self.screen, 65_536)
        self.seen = self.seen.partition(text)[2]

    def leave_by(self, key: bytes) -> int:
        """Press a key until the program ends, and return its exit code.

        Python may miss an interrupt that falls between its prompt and its reading: a user presses again.
        """
        self.type(key)
        try:
            while True:
                if not select.select([self.screen], [], [], 10.0)[0]:
                    self.type(key)
                elif not os.read(self.screen, 65_536):
                    break
        except OSError:  # the program has closed its end
            pass
        os.close(self.screen)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


@pytest.mark.parametrize("leave", [b"\x04", b"\x03"], ids=["ctrl-d", "ctrl-c"])
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_on_a_terminal_it_prompts_and_leaves_cleanly(plain_stack: Stack, name: str, leave: bytes) -> None:
    terminal = Terminal(plain_stack, "--user", name)
    terminal.wait_for(b"> ")
    terminal.type("记住：茶四点喝\n".encode())
    terminal.wait_for(b"applied: remember")
    terminal.wait_for(b"> ")
    assert terminal.leave_by(leave) == 0


def test_an_interrupt_in_the_middle_of_a_pipe_leaves_cleanly(plain_stack: Stack, name: str) -> None:
    process = subprocess.Popen(
        [*COMMAND, "--url", plain_stack.url, "--user", name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environ_for(plain_stack, PYTHONUNBUFFERED="1"),
    )
    assert process.stdout is not None
    assert b"Ctrl-D ends it" in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=20)
    assert (process.returncode, told) == (0, b"")
