"""A running front as the command line speaks to it: requests, streamed turns, and errors in one sentence."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote, urlsplit

import httpx

from shared.cli.front import NO_CERTIFICATES
from shared.errors import BilayerError

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
CONNECT_SECONDS = 5.0
# A turn waits for the one before it (30 s) and for the model's first token (8 s).
ANSWER_SECONDS = 60.0


class Refused(BilayerError):
    """The front answered with a problem."""

    def __init__(self, detail: str, *, status: int, code: str, field: str | None = None) -> None:
        super().__init__(detail, code=code, field=field)
        self.status = status


class Unreachable(BilayerError):
    """Nobody answers at the address, or somebody who is not Bilayer."""

    code = "unreachable"


class Remote:
    """One front, spoken to with one key for one user."""

    def __init__(self, url: str, *, key: str, user: str) -> None:
        self.url = url.rstrip("/")
        if urlsplit(self.url).scheme not in {"http", "https"} or not urlsplit(self.url).hostname:
            raise Unreachable(f"{url} is no address: give one such as http://127.0.0.1:8420 with --url.")
        if not key.isascii() or not key.isprintable():
            raise Refused(
                "This is no key: keys look like bl_... (`bilayer key create`).", status=401, code=""
            )
        try:
            headers = {"Authorization": f"Bearer {key}", "Bilayer-User": quote(user, safe="")}
        except UnicodeEncodeError:
            raise Refused("The user's id is not valid UTF-8: give another.", status=422, code="") from None
        is_here = urlsplit(self.url).hostname in LOOPBACK
        self._client = httpx.Client(
            base_url=self.url,
            headers=headers,
            timeout=httpx.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS),
            trust_env=not is_here,
            verify=NO_CERTIFICATES if is_here and urlsplit(self.url).scheme == "http" else True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()

    def get(self, path: str, **params: str | int) -> Any:
        """Return what a GET answers. Raises `Refused` or `Unreachable`."""
        with self._told():
            return _body_of(self._client.get(path, params=params))

    def post(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Return what a POST answers. Raises `Refused` or `Unreachable`."""
        with self._told():
            return _body_of(self._client.post(path, json=body))

    def stream_turn(self, session: str, message: str) -> Iterator[tuple[str, Any]]:
        """Take a turn; yields its events (`recalled`, `delta`, `notice`, `done`) with their bodies.

        Raises:
            Refused: the front refused the turn, before or in the middle of it.
            Unreachable: the connection broke.
        """
        path = f"/v1/sessions/{quote(session, safe='')}/turns"
        body = {"message": message, "stream": True}
        with self._told(), self._client.stream("POST", path, json=body) as answer:
            if not answer.is_success:
                answer.read()
                _body_of(answer)
            for name, event in _events(answer.iter_lines()):
                if name == "error":
                    raise _refusal(event, status=int(event.get("status", 500)))
                yield name, event

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except httpx.TransportError as error:
            raise Unreachable(
                f"Bilayer does not answer at {self.url} ({type(error).__name__}): "
                "start it with `bilayer up`, or name its address with --url."
            ) from None
        except (ValueError, httpx.InvalidURL):
            raise Unreachable(
                f"What answers at {self.url} is not Bilayer: name its address with --url."
            ) from None


def _events(lines: Iterator[str]) -> Iterator[tuple[str, Any]]:
    """Yield server-sent events, each with its name and its JSON."""
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def _body_of(answer: httpx.Response) -> Any:
    """Return the JSON of a good answer. Raises `Refused`, or `ValueError` where it is not JSON."""
    body = answer.json()
    if not answer.is_success:
        if not isinstance(body, dict) or "code" not in body:
            raise ValueError("no problem of ours")
        raise _refusal(body, status=answer.status_code)
    return body


def _refusal(problem: Mapping[str, Any], *, status: int) -> Refused:
    detail, code = str(problem.get("detail", "")), str(problem.get("code", ""))
    return Refused(detail, status=status, code=code, field=problem.get("field"))
