"""`/v1/topics`: what this user has banned for good, and lifting that."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query

from api.auth import Access, ReadAccess, ServicesDep, reading, writing
from api.paging import PageDep
from api.views import show_page, show_topic
from shared.errors import Missing
from shared.ltm.edit import Why
from shared.model.scope import Permission
from shared.turn.topics import lift_topics

router = APIRouter(prefix="/v1/topics", tags=["topics"])
TopicsRead = Annotated[ReadAccess, Depends(reading(Permission.CHAT))]
TopicsWrite = Annotated[Access, Depends(writing(Permission.CHAT))]


@router.get("")
async def list_topics(access: TopicsRead, services: ServicesDep, *, page: PageDep) -> dict[str, Any]:
    """List this user's standing bans, oldest first."""
    if access.scope is None:
        return show_page([], next_cursor=None)
    topics = await services.ltm.read(access.scope, lambda reader: reader.topics())
    return page.show(topics, name_of=lambda topic: topic.topic, show=show_topic)


@router.delete("")
async def delete_topics(
    access: TopicsWrite,
    services: ServicesDep,
    *,
    topic: Annotated[str | None, Query(min_length=1, max_length=100)] = None,
) -> dict[str, Any]:
    """Lift one standing ban, or all of them."""
    caller = access.caller
    why = Why(actor=caller.key_id, request_id=caller.request_id, origin="api", at=services.clock.now())
    lifted = await lift_topics(access.scope, topic, why=why, ltm=services.ltm)
    if topic is not None and not lifted:
        raise Missing("There is no such ban.")
    return {"lifted": lifted}
