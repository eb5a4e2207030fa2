"""README and guide say what is so: settings, routes, commands, codes, links, and lines that one may paste."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import httpx
import pytest

from api.app import create_app
from api.schemas import ClockBody
from shared.cli import cli
from shared.cli.up import welcome
from shared.services import Services
from shared.settings import NO_SETTINGS, Settings
from tests.cli.stand_in import PlainSettings
from tests.e2e.stack import Stack

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")
GUIDE = (ROOT / "docs/guide.md").read_text("utf-8")
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
SETTING_ROW = re.compile(r"^\| `(BILAYER_[A-Z_]+)` \| (.+?) \| (.+?) \|$", re.MULTILINE)
ROUTE_ROW = re.compile(r"^\| `([A-Z]+) (/\S*)` \|", re.MULTILINE)
# Bases that are never raised as they are, and what ends a start.
UNSEEN_CODES = {"error", "startup"}


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A running front, for the lines that one may paste."""
    with Stack(tmp_path_factory.mktemp("docs"), workers=0) as running:
        yield running


def described(value: object) -> str:
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return f"`{int(value)}`"
    return f"`{value:g}`" if isinstance(value, float) else f"`{value}`"


def test_every_setting_has_its_row_with_its_default(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"BILAYER_{name.upper()}", raising=False)
    defaults = Settings()
    wanted = {f"BILAYER_{name.upper()}": described(getattr(defaults, name)) for name in Settings.model_fields}
    assert {name: default for name, default, _ in SETTING_ROW.findall(GUIDE)} == wanted


def test_no_page_names_a_setting_that_does_not_exist() -> None:
    known = {f"BILAYER_{name.upper()}" for name in Settings.model_fields} | NO_SETTINGS
    named = {name for page in PAGES for name in re.findall(r"BILAYER_[A-Z_]*[A-Z]", page.read_text("utf-8"))}
    assert named <= known


ASKING = {"/v1/memories/search", "/v1/sessions/{session_id}/context", "/v1/test/clock"}


async def open_nothing() -> Services:
    raise AssertionError("a description needs no services")


def test_the_guide_lists_the_routes_that_exist_and_no_other() -> None:
    paths = create_app(open_nothing).openapi()["paths"]
    routes = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    assert set(ROUTE_ROW.findall(GUIDE)) == routes


def test_the_body_that_moves_the_clock_is_one_that_the_route_takes() -> None:
    row = next(line for line in GUIDE.splitlines() if line.startswith("| `POST /v1/test/clock` |"))
    body = re.search(r"`(\{.+?\})`", row)
    assert body is not None
    assert ClockBody.model_validate_json(body[1]).now.utcoffset() is not None


def test_the_description_of_the_api_names_the_key_the_headers_and_the_errors() -> None:
    document = create_app(open_nothing).openapi()
    assert document["components"]["securitySchemes"]["key"]["scheme"] == "bearer"
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            headers = {each["name"] for each in operation.get("parameters", ()) if each["in"] == "header"}
            is_ours = path.startswith("/v1/")
            assert ("security" in operation, "Bilayer-User" in headers) == (is_ours, is_ours)
            is_once = is_ours and method == "post" and path not in ASKING
            assert ("Idempotency-Key" in headers) == is_once
            assert "application/problem+json" in operation["responses"]["4XX"]["content"]


def commands_of(command: click.Command, name: str) -> Iterator[str]:
    if isinstance(command, click.Group):
        context = click.Context(command)
        for word in command.list_commands(context):
            part = command.get_command(context, word)
            assert part is not None
            yield from commands_of(part, f"{name} {word}")
    else:
        yield name


def test_the_guide_lists_the_commands_that_exist_and_no_other() -> None:
    assert set(re.findall(r"^\| `(bilayer [a-z ]+)` \|", GUIDE, re.MULTILINE)) == set(
        commands_of(cli, "bilayer")
    )


def test_the_guide_lists_every_code_of_an_error() -> None:
    product = [file for room in ("api", "shared") for file in (ROOT / room).rglob("*.py")]
    texts = [file.read_text("utf-8") for file in product if "cli" not in file.parts]
    codes = {code for text in texts for code in re.findall(r'\bcode ?= ?"([a-z_]+)"', text)}
    listed = set(re.findall(r"^\| `([a-z_]+)` \| \d{3} \|", GUIDE, re.MULTILINE))
    assert codes - UNSEEN_CODES <= listed


def anchor_of(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_relative_link_is_dead(page: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", page.read_text("utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = page.parent / path if path else page
        assert file.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.+)$", file.read_text("utf-8"), re.MULTILINE)
            assert anchor in {anchor_of(heading) for heading in headings}, target


def curl_lines(page: str) -> list[str]:
    blocks = re.findall(r"^```\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    return [
        line.strip() for block in blocks for line in block.splitlines() if line.strip().startswith("curl ")
    ]


def send(line: str, stack: Stack) -> httpx.Response:
    """Send what a curl line would, to this stack."""
    key = stack.user("x").client.headers["authorization"].removeprefix("Bearer ")
    for name, value in (("$KEY", key), ("$A", stack.url), ("http://127.0.0.1:8420", stack.url)):
        line = line.replace(name, value)
    words = shlex.split(line)[1:]
    headers: dict[str, str] = {}
    body, method, url = None, "", ""
    while words:
        word = words.pop(0)
        if word == "-H":
            name, _, value = words.pop(0).partition(": ")
            headers[name] = value
        elif word == "-d":
            body = words.pop(0)
        elif word == "-X":
            method = words.pop(0)
        elif not word.startswith("-"):
            url = word
    return httpx.request(
        method or ("POST" if body else "GET"), url, headers=headers, content=body, timeout=30
    )


@pytest.mark.e2e
def test_the_lines_of_the_readme_work_one_after_the_other(stack: Stack) -> None:
    first, second = (send(line, stack) for line in curl_lines(README))
    assert [command["outcome"] for command in first.json()["commands"]] == ["applied"]
    recalled: list[dict[str, Any]] = second.json()["recalled"]
    assert any("my reports go out on Fridays" in row["text"] for row in recalled)


@pytest.mark.e2e
def test_the_lines_of_the_guide_work(stack: Stack) -> None:
    lines = curl_lines(GUIDE)
    assert len(lines) >= 7
    for line in lines:
        answer = send(line, stack)
        assert answer.is_success, (line, answer.text)
        assert '"stream": true' not in line or "event: done" in answer.text


@pytest.mark.e2e
def test_the_line_that_the_first_start_prints_works(stack: Stack, tmp_path: Path) -> None:
    text = welcome(PlainSettings(tmp_path, port=stack.port), "$KEY")
    line = text.splitlines()[-1].strip()
    assert send(line, stack).json()["commands"][0]["outcome"] == "applied"
    assert line.split(" -d ")[1] == curl_lines(README)[0].split(" -d ")[1]
