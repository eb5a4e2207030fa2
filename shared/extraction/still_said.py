"""Whether what was read for proposals still stands when they are written, a model's call later.

A session may be deleted meanwhile, everything wiped, a message or some words of it forgotten, or the range
extracted by another run. Asked in the transaction that writes, so that nothing comes back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shared.extraction.evidence import Grounded
from shared.model.extraction import Extraction
from shared.ports.ltm import LtmReader
from shared.text import cut_texts


def find_extraction(reader: LtmReader, known: Extraction) -> Extraction | None:
    """Return how far this epoch of a session is read by now; None where it was deleted."""
    if reader.is_deleted(known.session_key, known.epoch):
        return None
    found = reader.extractions(known.session_key)
    return next((each for each in found if each.epoch == known.epoch), None)


def is_still_said(reader: LtmReader, message_id: str, *, quote: str, mask: Callable[[str], str]) -> bool:
    """Return whether a message stands and holds these words, secrets masked, forgotten ones left out."""
    episode = reader.episode(message_id)
    if episode is None:
        return False
    spans = reader.forgotten_spans([message_id]).get(message_id, ())
    return quote in mask(cut_texts(episode.message.said, spans))


def keep_said(
    reader: LtmReader, found: Sequence[Grounded], *, mask: Callable[[str], str]
) -> tuple[list[Grounded], int]:
    """Return the items whose words still stand, and how many others there were."""
    kept = [
        each for each in found if is_still_said(reader, each.said.message_id, quote=each.quote, mask=mask)
    ]
    return kept, len(found) - len(kept)
