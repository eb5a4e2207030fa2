"""One first look at a message for all readers of a turn: does it hold any word of what they read?"""

from __future__ import annotations

from functools import lru_cache

from shared.extraction.off_record_words import OFF_RECORD_WORDS
from shared.extraction.pattern_words import CUES
from shared.extraction.trigger_words import TRIGGERS_EN, TRIGGERS_ZH
from shared.extraction.unsaid import UNSAID_WORDS
from shared.ltm.raw_words import RawWords
from shared.ltm.schema import Schema


def may_speak(text: str, schema: Schema) -> bool:
    """False where a raw text holds no verb of memory, no cue and no label: cheap, folds nothing."""
    return _words_with(schema.label_names).occur_in(text)


@lru_cache(maxsize=64)
def _words_with(labels: tuple[str, ...]) -> RawWords:
    return RawWords((*TRIGGERS_ZH, *TRIGGERS_EN, *OFF_RECORD_WORDS, *UNSAID_WORDS, *CUES, *labels))
