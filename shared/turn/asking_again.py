"""A yes that answers nothing: a question of ours stands open, and other talk has come between. Pure.

Only the last message's question is resolved by a bare yes. Without a model nobody would say so: the reply
from memory then names what is still open and asks again, so that the next yes counts; once for each proposal.
"""

from __future__ import annotations

from collections.abc import Sequence

from shared.extraction.answers import read_consent
from shared.model.message import Message, SessionNotes
from shared.model.pending import PendingUpdate


def left_open(
    text: str, before: Message | None, *, notes: SessionNotes, waiting: Sequence[PendingUpdate]
) -> tuple[PendingUpdate, ...]:
    """Return the proposals asked about last that a bare yes may mean, those of one message, oldest first.

    `before` is the assistant's message right before, None where there is none. Empty where that one asks
    something itself, where a model wrote it (the yes may be for its words), or where nothing is open.
    """
    if before is None or not before.body.is_fallback or not notes.asked_pending or _asks(before):
        return ()
    consent = read_consent(text)
    if consent.answer != "yes" or consent.picks:
        return ()
    still = {update.id: update for update in waiting}
    asked = [still[each] for each in notes.asked_pending if each in still and each not in notes.asked_again]
    if not asked:
        return ()
    return tuple(update for update in asked if update.message_id == asked[-1].message_id)


def _asks(message: Message) -> bool:
    body = message.body
    return bool(body.asks_pending or body.asks_paths or body.asks_forget or body.asks_wipe)
