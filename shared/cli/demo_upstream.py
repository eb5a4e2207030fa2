"""The chat upstream of `bilayer demo`: no model, but it answers from the prompt that memory built.

It speaks just enough of OpenAI's protocol to be streamed from, on loopback, and says in every reply
that it is a demo. What it quotes is the line of the prompt's memory that has most in common with the
user's message, so that one sees what a real model would have been given.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from shared.language.scripts import detect_language
from shared.language.terms import index_terms, query_terms

_MODEL = "bilayer-demo"
_MAX_BODY_BYTES = 8_000_000
_PIECE_CHARS = 6
_PIECE_SECONDS = 0.02
_STREAM_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
_REFUSED = b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
_TEXTS = {
    "zh": {
        "found": "（演示模型）你的记忆里最相关的一条是：",
        "nothing": "（演示模型）这次的提示里没有与你的话相关的记忆。接上真正的模型后，它会在这里回答。",
    },
    "en": {
        "found": "(Demo model) The most relevant line of your memory is: ",
        "nothing": "(Demo model) Nothing in your memory is about this. A real model would answer here.",
    },
}


def demo_reply(messages: list[dict[str, Any]]) -> str:
    """Return the reply to a prompt, in the language of the user's last message."""
    said = [str(message.get("content") or "") for message in messages if message.get("role") == "user"]
    question = said[-1] if said else ""
    texts = _TEXTS[detect_language(question)]
    line = _most_related(question, messages)
    return f"{texts['found']}{line}" if line else texts["nothing"]


def _most_related(question: str, messages: list[dict[str, Any]]) -> str:
    """Return the listed line of the system messages that shares most terms; empty where none does."""
    asked = {term.term: term.weight for term in query_terms(question)}
    best, best_score = "", 0.0
    for message in messages:
        if message.get("role") != "system":
            continue
        for line in str(message.get("content") or "").splitlines():
            score = sum(asked.get(term, 0.0) for term in set(index_terms(line)))
            if line.startswith("- ") and score > best_score:
                best, best_score = line.removeprefix("- "), score
    return best


@asynccontextmanager
async def demo_upstream(*, port: int = 0) -> AsyncIterator[str]:
    """Serve on loopback; yields the value for `BILAYER_LLM_BASE_URL`. Port 0 takes a free one."""
    server = await asyncio.start_server(_answer, "127.0.0.1", port)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"


def run_demo_upstream(port: int) -> None:
    """Serve until the process is ended."""

    async def serve() -> None:
        async with demo_upstream(port=port):
            await asyncio.Event().wait()

    with suppress(KeyboardInterrupt):
        asyncio.run(serve())


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            await _stream_reply(await _read_request(reader), writer)
    finally:
        writer.close()


async def _read_request(reader: asyncio.StreamReader) -> list[dict[str, Any]] | None:
    """Return the messages of a chat request, None for anything else."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    lengths = [line.partition(":")[2] for line in head.split("\r\n") if line.startswith("content-length:")]
    length = int(lengths[0]) if lengths else 0
    if "/chat/completions " not in head.partition("\r\n")[0] or length > _MAX_BODY_BYTES:
        return None
    body = json.loads(await reader.readexactly(length))
    if isinstance(body, dict) and body.get("response_format"):
        return []  # a job's question: the demo's model finds nothing to remember
    messages = body.get("messages") if isinstance(body, dict) else None
    return [one for one in messages if isinstance(one, dict)] if isinstance(messages, list) else None


async def _stream_reply(messages: list[dict[str, Any]] | None, writer: asyncio.StreamWriter) -> None:
    writer.write(_REFUSED if messages is None else _STREAM_HEAD)
    text = ""
    if messages is not None:
        text = demo_reply(messages) if messages else '{"items": []}'
    for start in range(0, len(text), _PIECE_CHARS):
        last = start + _PIECE_CHARS >= len(text)
        choice = {
            "index": 0,
            "delta": {"content": text[start : start + _PIECE_CHARS]},
            "finish_reason": "stop" if last else None,
        }
        writer.write(b"data: %b\n\n" % json.dumps({"model": _MODEL, "choices": [choice]}).encode())
        await writer.drain()
        await asyncio.sleep(0 if last else _PIECE_SECONDS)
    writer.write(b"data: [DONE]\n\n" if text else b"")
    await writer.drain()


if __name__ == "__main__":
    run_demo_upstream(int(sys.argv[1]))
