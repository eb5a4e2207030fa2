"""The front: routes, errors, and services opened for as long as the app lives."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from fastapi import Depends, FastAPI
from fastapi_offline import FastAPIOffline

from api.auth import CredentialFirst
from api.errors import LastResort, install_error_answers
from api.garbage import Traffic, collect_when_calm
from api.middleware import RequestContext
from api.openapi import describe
from api.queries import refuse_unknown_queries
from api.responses import SafeJSONResponse
from api.routes import (
    admin,
    fields,
    health,
    memories,
    pending,
    privacy,
    schema,
    sessions,
    show,
    snapshots,
    synonyms,
    topics,
    turns,
)
from api.without_body import refuse_needless_bodies
from shared.services import Services

_DRAIN_SECONDS = 5.0


def create_app(open_services: Callable[[], Awaitable[Services]], *, test_clock: bool = False) -> FastAPI:
    """Return the app; `open_services` runs when it starts, its services are closed when it ends."""
    traffic = Traffic()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.services = services = await open_services()
        collecting = asyncio.create_task(collect_when_calm(traffic))
        try:
            yield
        finally:
            collecting.cancel()
            if services.background:
                await asyncio.wait(services.background, timeout=_DRAIN_SECONDS)
            await services.close()

    app = FastAPIOffline(  # /docs loads nothing from anybody else's server
        title="Bilayer",
        redoc_url=None,
        version="1",
        summary="A memory backend for LLM chat",
        lifespan=lifespan,
        default_response_class=SafeJSONResponse,
    )

    async def read_clock() -> None:
        services: Services = app.state.services
        await services.refresh_clock()

    install_error_answers(app)
    strict = [Depends(refuse_unknown_queries), Depends(refuse_needless_bodies)]
    for module in (
        sessions,
        topics,
        fields,
        pending,
        schema,
        synonyms,
        memories,
        privacy,
        snapshots,
        admin,
        show,
    ):
        app.include_router(module.router, dependencies=strict)
    for module in (turns, health):  # a turn is not slowed by it, and a probe may add what it likes
        app.include_router(module.router)
    describe(app)
    inner = LastResort(CredentialFirst(app.build_middleware_stack()))
    # Outermost, so that every reply carries its request's id, those to unforeseen errors too.
    app.middleware_stack = RequestContext(
        inner, read_clock=read_clock if test_clock else None, traffic=traffic
    )
    return app
