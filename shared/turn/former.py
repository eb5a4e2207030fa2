"""What a prompt and a reply say of words that hold no longer: until when, and what was said instead. Pure."""

from __future__ import annotations

from datetime import datetime

from shared.model.moment import from_ms
from shared.prompts.load import Language, fill_prompt
from shared.recall.answers import Past


def day_of(moment_ms: int, *, now: datetime) -> str:
    """Return the day of a moment in the zone of `now`."""
    return from_ms(moment_ms).astimezone(now.tzinfo).date().isoformat()


def past_note(past: Past, *, now: datetime, language: Language) -> str:
    """Return in a few words what became of a row: changed to what and when, or just ended."""
    gaps = {"until": day_of(past.until_ms, now=now), "newer": past.newer or ""}
    if past.newer is None:
        return fill_prompt(language, "past_until", gaps=gaps)
    return fill_prompt(language, "past_changed" if past.is_settled else "past_later", gaps=gaps)
