"""Leaving: what a session would leave to the user's next one is kept in long-term memory, sealed.

It is written whenever the session is archived, so that it stands when the session idles out, and its
card follows the front's.
"""

from __future__ import annotations

from functools import partial

from shared.model.scope import Scope
from shared.model.session_state import TaskCard
from shared.ports.ltm import LongTermMemory, LtmWriter
from shared.ports.stm import ShortTermMemory
from shared.stm.digest import make_digest, open_card
from shared.stm.key_facts import FindSecrets
from shared.stm.withheld import read_withheld

_READ_MESSAGES = 400


async def leave_digest(
    scope: Scope,
    session_key: str,
    *,
    find_secrets: FindSecrets,
    stm: ShortTermMemory,
    ltm: LongTermMemory,
) -> bool:
    """Keep a session's digest as of now, without what is gone; False where it has nothing to leave."""
    session, messages = await stm.read_open(scope, session_key, limit=_READ_MESSAGES)
    if session is None:
        return False

    make = partial(make_digest, session, messages, find_secrets=find_secrets)
    message_ids = [message.id for message in messages]
    session_id, epoch = session.id, session.epoch
    known = await ltm.read(scope, partial(read_withheld, message_ids=message_ids))
    digest = make(withheld=known)

    def work(writer: LtmWriter) -> bool:
        if writer.is_deleted(session_key.partition("~")[0], epoch):  # since it was read
            return False
        present = read_withheld(writer, message_ids)
        left = digest if present == known else make(withheld=present)  # something was forgotten meanwhile
        if left is not None:
            writer.put_digest(left)
        elif present.gone and writer.digest(session_key) is not None:
            writer.delete_digest(session_id)
        return left is not None

    return await ltm.write(scope, work)


async def leave_card(
    scope: Scope, session_key: str, *, card: TaskCard | None, since_ms: int, ltm: LongTermMemory
) -> None:
    """Let the digests follow the card that the front has set; closing it closes the one carried over."""

    def work(writer: LtmWriter) -> None:
        own = writer.digest(session_key)
        if own is not None:
            writer.put_digest(own.model_copy(update={"card": open_card(card)}))
        last = writer.newest_digest(without_key=session_key, since_ms=since_ms)
        if last is not None and last.card is not None and open_card(card) is None:
            writer.put_digest(last.model_copy(update={"card": None}))

    await ltm.write(scope, work)
