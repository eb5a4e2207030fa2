"""The demo's upstream answers from the prompt, in the user's language, through the real client."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from shared.cli.demo_upstream import demo_reply, demo_upstream
from shared.clock import Clock
from shared.engines.llm_http.client import HttpChatModel
from shared.ports.llm import ChatRequest
from shared.settings import Settings


def prompt(question: str, *lines: str) -> tuple[dict[str, Any], ...]:
    records = "\n".join(f"- {line}" for line in lines)
    head = "你是助手，请依据报告、报表、预算回答。 Rely on what the user said of reports.\n"
    return ({"role": "system", "content": head + records}, {"role": "user", "content": question})


@pytest.mark.parametrize(
    ("question", "lines", "reply"),
    [
        (
            "预算上限是多少？",
            ("项目编号：PROJ-1", "预算上限：500000"),
            "（演示模型）你的记忆里最相关的一条是：预算上限：500000",
        ),
        (
            "Where do I want the reports?",
            ("[2024-03-01] user: Send all reports by WeCom", "phase: design"),
            (
                "(Demo model) The most relevant line of your memory is: "
                "[2024-03-01] user: Send all reports by WeCom"
            ),
        ),
        (
            "今天天气怎么样？",
            ("预算上限：500000",),
            "（演示模型）这次的提示里没有与你的话相关的记忆。接上真正的模型后，它会在这里回答。",
        ),
        (
            "How is the weather?",
            (),
            "(Demo model) Nothing in your memory is about this. A real model would answer here.",
        ),
    ],
)
async def test_the_reply_quotes_the_most_related_line(
    question: str, lines: tuple[str, ...], reply: str
) -> None:
    async with demo_upstream() as base_url:
        model = HttpChatModel(Settings(llm_base_url=base_url), Clock())
        request = ChatRequest(messages=prompt(question, *lines), max_tokens=100)
        pieces = [piece async for piece in model.stream(request)]
        await model.aclose()
    assert "".join(piece.text for piece in pieces) == reply
    assert pieces[0].model == "bilayer-demo"


def test_a_prompt_without_a_user_is_answered_too() -> None:
    assert demo_reply([]).startswith("(Demo model)")


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"POST /v1/chat/completions HTTP/1.1\r\ncontent-length: 3\r\n\r\n{{{",
        b"POST /v1/chat/completions HTTP/1.1\r\ncontent-length: x\r\n\r\n",
        b"POST /v1/chat/completions HTTP/1.1\r\ncontent-length: 2\r\n\r\n[]",
        b'POST /v1/chat/completions HTTP/1.1\r\ncontent-length: 14\r\n\r\n{"messages":7}',
        b"garbage\r\n\r\n",
        b"",
    ],
)
async def test_what_is_no_chat_request_ends_the_connection_and_not_the_demo(sent: bytes) -> None:
    async with demo_upstream() as base_url:
        port = int(base_url.rpartition(":")[2].partition("/")[0])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        writer.write_eof()
        answer = await reader.read()
        writer.close()
        await writer.wait_closed()
    assert answer in {b"", b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"}
