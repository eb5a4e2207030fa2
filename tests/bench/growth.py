"""Whether a turn costs more late in a long conversation: over Redis, with a model's summaries and without.

Long-term memory archives into nothing here; what grows with it is measured by the engine's part.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Final

from shared.model.scope import Scope
from tests.bench.figures import Table
from tests.conftest import start_redis, stop_redis
from tests.turn.conversation import ChattyModel, Conversation
from tests.turn.long_talk import growth, hold_beside, hold_everything

_BESIDE: Final = Scope(tenant_id="ten_1", scope_id="scp_2")
_SUMMARY: Final = json.dumps({"goal": "聊天", "text": "用户闲聊。"}, ensure_ascii=False)


async def measure_growth(table: Table, *, turns: int) -> None:
    """Hold a conversation of so many turns twice, and add the p50 of its first and of its last hundred."""
    for has_model in (True, False):
        model = ChattyModel((lambda _: _SUMMARY) if has_model else None)
        with tempfile.TemporaryDirectory(prefix="bl") as folder:
            server = start_redis(Path(folder), "--maxmemory-policy", "noeviction")
            talk = Conversation(server, model)
            fresh = Conversation(server, model, scope=_BESIDE)
            try:
                await hold_everything(talk, turns)
                grown = growth(talk)
                beside = await hold_beside(talk, fresh)
            finally:
                await talk.link.close()
                await fresh.link.close()
                stop_redis(server)
        figures = {
            **grown,
            "ratio to a fresh one beside": beside,
            "most bytes in Redis": talk.most_bytes,
            "summary calls": model.summaries,
        }
        name = "a model's summaries" if has_model else "summaries by rule"
        table.add(
            f"{turns:,} turns, {name}", figures, note="p50 of 100 turns; first: after the window filled"
        )
