"""A request to forget names what is to be gone, so that its own words are kept out of all that is searched.

Else the next session would recall 忘掉团子, and tell the name with it. Of a message that says more, the rest
stays. What may be no request (把前妻送的表忘了) is one once its question was answered with a yes.
"""

from __future__ import annotations

from collections.abc import Sequence

from shared.extraction.bare_forgets import read_bare_forget
from shared.extraction.commands import parse_commands
from shared.extraction.pages import read_page
from shared.ltm.edit import forget_quotes
from shared.ltm.index import normal_text
from shared.model.memory import Source
from shared.ports.ltm import LtmWriter
from shared.turn.applying import Applying, Done
from shared.turn.forgetting import Forgotten
from shared.turn.reading import Reading


def hide_requests(
    writer: LtmWriter, reading: Reading, *, done: Sequence[Forgotten | Done], applying: Applying
) -> list[str]:
    """Take the words of requests that were carried out out of the index, and those of the one answered.

    Returns the ids of the messages that are nothing else.
    """
    if not applying.may_resolve:
        return []
    carried_out = [each.request for each in done if isinstance(each, Done) and each.request]
    own = applying.why.source.message_ids[0]
    hidden = _hide(writer, own, text=reading.text, quotes=carried_out, applying=applying)
    former = next((each for each in reversed(reading.exchange) if each.role == "user"), None)
    if reading.chosen and former is not None:
        quotes = _requests_in(former.text, applying=applying)
        hidden += _hide(writer, former.id, text=former.text, quotes=quotes, applying=applying)
    return hidden


def _requests_in(text: str, *, applying: Applying) -> list[str]:
    """Return what of a message asks to forget: all of it, or its commands where it says more."""
    if read_bare_forget(read_page(text)):
        return [text]
    found = parse_commands(text, schema=applying.schema, today=applying.today, zone=applying.zone)
    return [each.quote for each in found if each.kind == "forget"]


def _hide(
    writer: LtmWriter, message_id: str, *, text: str, quotes: Sequence[str], applying: Applying
) -> list[str]:
    said = [applying.mask_text(each) for each in quotes if each.strip()]
    if not said:
        return []
    why = applying.why
    source = Source(session_id=why.source.session_id, message_ids=(message_id,), quote=said[0])
    forget_quotes(writer, [source], why=why, also=said[1:])
    whole = normal_text(applying.mask_text(text))
    return [message_id] if any(normal_text(each) == whole for each in said) else []
