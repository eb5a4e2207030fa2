"""A search whose first answers a model reads beside the question, where there is one and it answers in time.

Only what the search has found is read: its scope, what holds no longer, what is forgotten or banned are
settled before. A turn never waits for this.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from shared.errors import Rejected, Unavailable
from shared.language.scripts import fold
from shared.model.memory import Episode
from shared.model.scope import Scope
from shared.ports.embedder import Embedder
from shared.ports.ltm import LongTermMemory, LtmReader
from shared.ports.reranker import MOST_CHARACTERS, MOST_TEXTS, Reranker
from shared.ports.stm import ShortTermMemory
from shared.recall.answers import Hit
from shared.recall.ask_meaning import asked_part
from shared.recall.collect import SearchQuery
from shared.recall.find import find_memories
from shared.recall.query import asks_nothing
from shared.recall.relevance import order_by_relevance
from shared.recall.said import said_text

_LEAST: Final = 2


class Found(NamedTuple):
    """The answers of a search, best first; `is_reranked` is None where nobody was asked for an order."""

    hits: list[Hit]
    is_reranked: bool | None


async def find_reranked(
    scopes: Sequence[Scope],
    query: SearchQuery,
    *,
    mask: Callable[[str], str],
    stm: ShortTermMemory,
    ltm: LongTermMemory,
    embedder: Embedder,
    reranker: Reranker,
) -> Found:
    """Return the rows of all scopes that answer the query, best first.

    A reranker that is away or slow costs its order, not the search. `mask` hides secrets in what it reads:
    in the question, and in rows that were stored when fewer of them were known.
    """
    if not reranker.model:
        found = await find_memories(scopes, query, stm=stm, ltm=ltm, embedder=embedder)
        return Found(found, is_reranked=None)
    wide = replace(query, limit=max(query.limit, MOST_TEXTS))
    found = await find_memories(scopes, wide, stm=stm, ltm=ltm, embedder=embedder)
    first = found[:MOST_TEXTS]
    if len(first) < _LEAST or asks_nothing(fold(query.text[:MOST_CHARACTERS])):
        return Found(found[: query.limit], is_reranked=None)
    texts = [mask(text) for text in await _read_texts(first, ltm=ltm)]
    try:
        relevance = await reranker.score(asked_part(mask(query.text)), texts)
    except (Unavailable, Rejected):
        return Found(found[: query.limit], is_reranked=False)
    ordered = order_by_relevance(first, relevance, query=query)
    return Found([*ordered, *found[MOST_TEXTS:]][: query.limit], is_reranked=True)


async def _read_texts(hits: Sequence[Hit], *, ltm: LongTermMemory) -> list[str]:
    """Return what is read of each hit, forgotten spans cut out."""
    forgotten: dict[str, tuple[str, ...]] = {}
    for scope in {hit.scope for hit in hits if hit.scope is not None}:
        said = [hit.row.message.id for hit in hits if hit.scope == scope and isinstance(hit.row, Episode)]
        forgotten |= await ltm.read(scope, partial(_forgotten_spans, message_ids=said))
    return [said_text(hit.row, forgotten=forgotten) for hit in hits]


def _forgotten_spans(reader: LtmReader, message_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    return reader.forgotten_spans(message_ids)
