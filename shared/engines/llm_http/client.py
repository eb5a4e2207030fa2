"""The chat model over HTTP: any upstream that speaks OpenAI's `POST …/chat/completions`.

A request is sent again only where it cannot have been worked on: the connection was refused, the
upstream said "in a moment" (429 or 503 with `Retry-After` of at most a second), or it refused a
parameter. After the first token nothing is ever repeated. Closing the iterator closes the upstream's
connection at once. Logs carry statuses and reasons; never text, never a key.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, suppress
from http import HTTPStatus
from typing import Literal, NamedTuple

import httpx

from shared.clock import Clock
from shared.engines.llm_http.breaker import BreakerState, CircuitBreaker, Permit
from shared.engines.llm_http.dialect import Dialect, plainer_dialect, request_body
from shared.engines.llm_http.opening import ClientBounds, endpoint, open_client
from shared.engines.llm_http.reply import ReplyBounds, ReplyReader
from shared.engines.llm_http.sending import RequestSender
from shared.engines.llm_http.sse import BrokenStreamError
from shared.errors import Unavailable
from shared.log import get_logger
from shared.ports.llm import ChatPiece, ChatRequest, CompletionRequest, LlmUse
from shared.settings import Settings

Outcome = Literal["ok", "unavailable", "interrupted", "cancelled", "refused"]
Observe = Callable[[LlmUse], None]

_OUTAGES: frozenset[Outcome] = frozenset({"unavailable", "interrupted"})

_OF_THE_REQUEST = frozenset(
    {HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNPROCESSABLE_ENTITY}
)
_IN_A_MOMENT = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})
_MAX_REFUSAL_BYTES = 8_192
_SECONDS = re.compile(r"[0-9]{1,4}(\.[0-9]{1,6})?")


class UpstreamBounds(ClientBounds):
    """What one upstream may cost us: seconds, connections, bytes.

    `tail_seconds` is the wait for usage after the finish reason, `drain_seconds` that for the end of the
    body after `[DONE]`, `answer_seconds` that for a whole answer which nobody watches coming.
    """

    idle_seconds: float = 30.0
    reply_seconds: float = 600.0
    tail_seconds: float = 2.0
    drain_seconds: float = 0.1
    answer_seconds: float = 60.0
    refused_pause_seconds: float = 0.05
    longest_retry_after_seconds: float = 1.0
    reply: ReplyBounds = ReplyBounds()


class _UpstreamError(Exception):
    """The upstream did not give a reply; `counts` says whether that is a failure of its health."""

    def __init__(self, reason: str, *, status: int = 0, counts: bool = True) -> None:
        super().__init__(reason)
        self.reason, self.status, self.counts = reason, status, counts


class _Attempt(NamedTuple):
    """How to send: after which pause, and whether the one repetition is used up."""

    dialect: Dialect
    repeated: bool = False
    pause_seconds: float = 0.0


class HttpChatModel:
    """A chat upstream behind its breaker. One per process, made after any fork.

    `observe` is called once for each request;
    tokens are the upstream's own counts, 0 where it gave none.
    """

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        *,
        observe: Observe | None = None,
        purpose: str = "reply",
        bounds: UpstreamBounds | None = None,
    ) -> None:
        self._bounds = bounds or UpstreamBounds()
        self._clock = clock
        self._observe = observe
        self._purpose = purpose
        self._model = settings.llm_model
        self._keeps_reasoning = settings.llm_echo_reasoning != "never"
        self._first_token_seconds = settings.llm_first_token_timeout_seconds
        address = settings.llm_base_url or ""
        self._url = endpoint(address, "/chat/completions", setting="BILAYER_LLM_BASE_URL")
        self._breaker = CircuitBreaker()
        self._dialect = Dialect()
        self._client = open_client(settings.llm_api_key, self._bounds, setting="BILAYER_LLM_API_KEY")
        self._sender = RequestSender(self._client)

    def breaker_state(self) -> BreakerState:
        """Return the breaker's state now; its pauses follow the service's clock."""
        return self._breaker.state(self._now())

    async def aclose(self) -> None:
        """Close all connections."""
        await self._sender.aclose()

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ChatPiece]:
        """Yield the reply's pieces, then one with the upstream's counts where it gives them.

        Raises:
            Unavailable: `llm_unavailable` before the first piece, `llm_interrupted` after it.
        """
        permit = self._admit()
        reader = ReplyReader(self._bounds.reply, model=self._model)
        outcome: Outcome = "cancelled"
        counts = True
        try:
            async with aclosing(self._pieces(request, reader)) as pieces:
                async for piece in pieces:
                    permit = self._breaker.answered(permit)
                    yield piece
            outcome = "ok"
        except (httpx.HTTPError, TimeoutError, BrokenStreamError, _UpstreamError) as error:
            outcome = "interrupted" if reader.has_text else "unavailable"
            counts = _counts(error)
            _log_failure(error, outcome)
            raise _unavailable(interrupted=reader.has_text) from None
        finally:
            self._settle(permit, outcome, counts=counts)
            self._report(outcome, reader, is_outage=counts and outcome in _OUTAGES)

    async def complete(self, request: CompletionRequest) -> str:
        """Return the whole answer to a request of the service's own.

        Raises:
            Unavailable: `llm_unavailable`, an answer cut off at its longest included.
        """
        permit = self._admit(request.purpose)
        reader = ReplyReader(self._bounds.reply, model=self._model)
        outcome: Outcome = "cancelled"
        counts = True
        try:
            async with asyncio.timeout(self._bounds.answer_seconds):
                answer = await self._read_answer(request, reader)
            outcome = "ok"
        except (httpx.HTTPError, TimeoutError, BrokenStreamError, _UpstreamError) as error:
            outcome, counts = "unavailable", _counts(error)
            _log_failure(error, outcome)
            raise _unavailable() from None
        else:
            return answer
        finally:
            self._settle(permit, outcome, counts=counts)
            is_outage = counts and outcome in _OUTAGES
            self._report(outcome, reader, purpose=request.purpose, is_outage=is_outage)

    async def _read_answer(self, request: CompletionRequest, reader: ReplyReader) -> str:
        response = await self._open(request, _real_time() + self._bounds.answer_seconds)
        chunks = _read_body(response)
        try:
            pieces: list[ChatPiece] = []
            async for chunk in chunks:
                pieces += reader.feed(chunk)
            pieces += reader.finish()
        finally:
            await response.aclose()
            await chunks.aclose()
        if reader.finish_reason == "length" or not reader.has_text:
            raise _UpstreamError("cut_answer" if reader.has_text else "empty_reply", counts=False)
        return "".join(piece.text for piece in pieces)

    async def _pieces(self, request: ChatRequest, reader: ReplyReader) -> AsyncGenerator[ChatPiece]:
        started = _real_time()
        deadline = first_token_by = started + self._first_token_seconds
        response = await self._open(request, first_token_by)
        chunks = _read_body(response)
        try:
            while not reader.done:
                thought = reader.thought_chars
                chunk = await _next_chunk(chunks, deadline=deadline, reader=reader)
                pieces = reader.finish() if chunk is None else reader.feed(chunk)
                for piece in pieces:
                    yield piece
                if chunk is None:
                    break
                if pieces or reader.finished or reader.thought_chars > thought:
                    deadline = self._next_deadline(started, finished=reader.finished)
            if not reader.has_text:
                raise _UpstreamError("empty_reply", counts=False)
            if last := reader.counts():
                yield last
            if self._keeps_reasoning and reader.reasoning:
                yield ChatPiece(reasoning=reader.reasoning)
            await self._drain(chunks)
        finally:
            await response.aclose()
            await chunks.aclose()

    def _next_deadline(self, started: float, *, finished: bool) -> float:
        wait = self._bounds.tail_seconds if finished else self._bounds.idle_seconds
        return min(_real_time() + wait, started + self._bounds.reply_seconds)

    async def _drain(self, chunks: AsyncIterator[bytes]) -> None:
        """Read to the end of the body, which is there already as a rule: the connection lives on."""
        with suppress(TimeoutError, httpx.HTTPError):
            async with asyncio.timeout(self._bounds.drain_seconds):
                async for _ in chunks:
                    pass

    async def _open(self, request: ChatRequest | CompletionRequest, first_token_by: float) -> httpx.Response:
        """Send until the upstream answers 200, as often as nothing can have been worked on."""
        attempt = _Attempt(self._dialect)
        async with asyncio.timeout_at(first_token_by):
            while True:
                answer = await self._try(request, attempt)
                if isinstance(answer, httpx.Response):
                    self._dialect = attempt.dialect
                    return answer
                attempt = answer
                await asyncio.sleep(attempt.pause_seconds)

    async def _try(
        self, request: ChatRequest | CompletionRequest, attempt: _Attempt
    ) -> httpx.Response | _Attempt:
        """Return the answer with its body unread, or how to try again."""
        body = request_body(request, model=self._model, dialect=attempt.dialect)
        try:
            response = await self._sender.send(self._client.build_request("POST", self._url, content=body))
        except httpx.ConnectError:
            if attempt.repeated:
                raise
            return attempt._replace(repeated=True, pause_seconds=self._bounds.refused_pause_seconds)
        status = response.status_code
        if status == HTTPStatus.OK:
            return response
        refusal = await _read_refusal(response)
        is_stream = isinstance(request, ChatRequest)
        if plainer := plainer_dialect(attempt.dialect, status=status, refusal=refusal, is_stream=is_stream):
            return attempt._replace(dialect=plainer, pause_seconds=0.0)
        pause = self._pause_asked(response)
        if pause is None or attempt.repeated:
            raise _refusal(status)
        return attempt._replace(repeated=True, pause_seconds=pause)

    def _pause_asked(self, response: httpx.Response) -> float | None:
        """Return the `Retry-After` of a busy upstream in seconds, None where it is too long or absent."""
        asked = response.headers.get("retry-after", "")
        if response.status_code not in _IN_A_MOMENT or not _SECONDS.fullmatch(asked):
            return None
        return pause if (pause := float(asked)) <= self._bounds.longest_retry_after_seconds else None

    def _admit(self, purpose: str | None = None) -> Permit:
        now = self._now()
        permit = self._breaker.admit(now)
        if permit is None:
            self._report("refused", None, purpose=purpose)
            raise _unavailable(retry_after_seconds=math.ceil(self._breaker.remaining_seconds(now)))
        return permit

    def _settle(self, permit: Permit, outcome: Outcome, *, counts: bool) -> None:
        if outcome == "ok":
            self._breaker.succeeded(permit)
        elif outcome == "cancelled" or not counts:
            self._breaker.released(permit)
        else:
            self._breaker.failed(permit, self._now())

    def _report(
        self,
        outcome: Outcome,
        reader: ReplyReader | None,
        *,
        purpose: str | None = None,
        is_outage: bool = False,
    ) -> None:
        if self._observe is not None:
            prompt = (reader and reader.prompt_tokens) or 0
            completion = (reader and reader.completion_tokens) or 0
            use = LlmUse(
                purpose=purpose or self._purpose,
                outcome=outcome,
                prompt_tokens=prompt,
                completion_tokens=completion,
                is_outage=is_outage,
            )
            self._observe(use)

    def _now(self) -> float:
        return self._clock.now_ms() / 1000


async def _read_body(response: httpx.Response) -> AsyncGenerator[bytes]:
    async for chunk in response.aiter_bytes():
        yield chunk


async def _next_chunk(chunks: AsyncIterator[bytes], *, deadline: float, reader: ReplyReader) -> bytes | None:
    """Return the next bytes, None at their end; a reply that is whole may end in any way."""
    try:
        async with asyncio.timeout_at(deadline):
            return await anext(chunks, None)
    except (TimeoutError, httpx.TransportError):
        if reader.finished:
            return None
        raise


async def _read_refusal(response: httpx.Response) -> str:
    """Close a refused request; return what the refusal says where it may be about a parameter."""
    text = bytearray()
    try:
        if response.status_code in _OF_THE_REQUEST:
            async for chunk in response.aiter_bytes():
                text += chunk
                if len(text) > _MAX_REFUSAL_BYTES:
                    break
    finally:
        await response.aclose()
    return text.decode("utf-8", "replace")


def _real_time() -> float:
    return asyncio.get_running_loop().time()


def _refusal(status: int) -> _UpstreamError:
    """Return the failure that a status means.

    A wrong key or address (401, 403, 404) opens the breaker like an upstream that is down. What the
    upstream says of one request (400, 413, 422) does not: else one user's over-long or filtered
    message would take the model away from all others.
    """
    return _UpstreamError("status", status=status, counts=status not in _OF_THE_REQUEST)


def _counts(error: Exception) -> bool:
    """Whether a failure tells of the upstream's health; a full pool is our own crowd."""
    if isinstance(error, _UpstreamError):
        return error.counts
    return not isinstance(error, httpx.PoolTimeout)


def _log_failure(error: Exception, outcome: Outcome) -> None:
    reason = getattr(error, "reason", type(error).__name__)
    get_logger().warning("llm_failed", outcome=outcome, reason=reason, status=getattr(error, "status", 0))


def _unavailable(*, interrupted: bool = False, retry_after_seconds: int = 1) -> Unavailable:
    if interrupted:
        return Unavailable(
            "The model's reply broke off; what came is kept. Send the turn again for a whole one.",
            code="llm_interrupted",
        )
    return Unavailable(
        "The model does not answer now.",
        code="llm_unavailable",
        retry_after_seconds=max(1, retry_after_seconds),
    )
