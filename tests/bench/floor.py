"""The floor: the same front answering the same turns without any memory, to stand beside the real one.

Same FastAPI and uvicorn, same middleware, same body and kind of credential (SHA-256 of a bearer key), same
streaming call of the same upstream. What a turn costs above this is what memory costs.

    python -m tests.bench.floor --port N --upstream http://127.0.0.1:9000/v1 --key KEY
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

import uvicorn
from fastapi import Depends, FastAPI, Request

from api.errors import install_error_answers
from api.middleware import RequestContext
from api.responses import SafeJSONResponse
from api.schemas import TurnBody
from shared.clock import Clock
from shared.engines.llm_http.client import HttpChatModel
from shared.errors import Unauthenticated
from shared.ports.llm import ChatRequest
from shared.settings import Settings

_REPLY_TOKENS = 1_500


async def _authenticate(request: Request) -> str:
    _, _, secret = request.headers.get("authorization", "").partition(" ")
    if hashlib.sha256(secret.encode()).hexdigest() != request.app.state.key_hash:
        raise Unauthenticated("This key is unknown.")
    return request.headers.get("bilayer-user", "")


def create_floor(upstream: str, key: str) -> FastAPI:
    """Return the app; `upstream` is the address of the model, `key` the only credential."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.key_hash = hashlib.sha256(key.encode()).hexdigest()
        app.state.model = model = HttpChatModel(Settings(llm_base_url=upstream), Clock())
        try:
            yield
        finally:
            await model.aclose()

    app = FastAPI(title="Floor", lifespan=lifespan, default_response_class=SafeJSONResponse)
    install_error_answers(app)
    app.add_middleware(RequestContext, read_clock=None)
    app.add_api_route("/v1/sessions/{session_id}/turns", _post_turn, methods=["POST"])
    return app


async def _post_turn(
    request: Request, session_id: str, body: TurnBody, user_id: Annotated[str, Depends(_authenticate)]
) -> SafeJSONResponse:
    model: HttpChatModel = request.app.state.model
    messages: tuple[dict[str, Any], ...] = ({"role": "user", "content": body.message},)
    asked = ChatRequest(messages=messages, max_tokens=_REPLY_TOKENS)
    text = "".join([piece.text async for piece in model.stream(asked)])
    reply = {"role": "assistant", "content": text}
    return SafeJSONResponse({"session_id": session_id, "user": user_id, "reply": reply})


def _main() -> None:
    options = argparse.ArgumentParser(description="A front without memory.")
    options.add_argument("--port", type=int, required=True)
    options.add_argument("--upstream", required=True)
    options.add_argument("--key", required=True)
    given = options.parse_args()
    app = create_floor(given.upstream, given.key)
    uvicorn.run(
        app, host="127.0.0.1", port=given.port, log_config=None, access_log=False, server_header=False
    )


if __name__ == "__main__":
    _main()
