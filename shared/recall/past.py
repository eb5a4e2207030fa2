"""What holds no longer: when a question asks for it, and what is shown beside the words that said it. Pure.

A memory that was superseded or has expired stands in no index; a question for the past (我以前住哪, "where
did I live before?") or a search as of a day ranks it beside the rest. The message that it came from is found
as ever, and says until when it held and what took its place. Of two statements that fill one slot of the
user's (我住北京, 我搬到上海了) the newer one comes first, whether anything of them was ever confirmed or not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from shared.language.scripts import fold, fold_aligned
from shared.ltm.index import normal_text
from shared.ltm.slots import slot_of
from shared.model.memory import Ended, Episode, FieldVersion, Memory
from shared.model.scope import Scope
from shared.recall.answers import Hit, Past
from shared.recall.asked import Asked, only_asks

_CHANGE_ZH: Final = (
    "(?:搬(?:家|走|来|去|过来|过去|到[^\\s,，。]{1,6}?)?|换(?:工作|公司|岗位?|房子?|住处|手机|号码?|城市)|跳槽|离职"
    "|辞职|入职|转学|转行|转岗|转专业|改名|结婚|离婚|毕业|退休|升职|调岗|调动|调任|分手|出国|回国)"
)
_PAST_ZH: Final = re.compile(
    f"{_CHANGE_ZH}(?:之|以)?前(?!面|[^,，。]{{0,4}}(?:要|需|应|该|得|准备|别|记得|打算|必须))"
    "|以前|之前|原来|原先|过去|从前|曾经?|先前|早先|当时|那时候?|当初"
)
"""搬家前我住哪 asks for what was, 搬家前要准备什么 for what is to come."""
_PAST_EN: Final = re.compile(
    r"\b(?:before|used? to|previous(?:ly)?|former(?:ly)?|earlier|originally|back then|at first)\b"
)
_CHANGE_EN: Final = re.compile(
    r"\bbefore (?:(?:i|we)(?:['’]d| had)? )?(?:(?:moved|moving|relocated|relocating)"
    r"(?: (?:in|out|away|here|there|houses?|home)| to [a-z]+)?"
    r"|(?:changed|switched|left|quit) (?:my |our |the )?(?:jobs?|compan(?:y|ies)|work|city|cities|home|house)"
    r"|quit|resigned|retired|graduated|(?:got )?(?:married|divorced))\b"
)
_NEARLY: Final = 0.6
_FAIRLY: Final = 0.3
"""The same for words that only others of the same slot ended: 住 and 搬 share no term."""
_BEHIND: Final = 2
_LEAST_WORDS: Final = 4
_TEXTS_KEPT: Final = 1_024
_SLOTS_KEPT: Final = 8_192
_PLACES: Final = frozenset((hash("home"), hash("work")))
_SLOTS: Final[dict[tuple[int, int], tuple[int, int] | None]] = {}
"""Hashes of slot and value by length and hash of the text. No text is kept."""


class Ending(NamedTuple):
    """A memory's id (None: a field's version), its words, the message they stand in, and its end."""

    memory_id: str | None
    words: tuple[str, ...]
    message_id: str | None
    past: Past


def asks_for_past(text: str) -> bool:
    """True where a question asks for what was: 以前, 搬家前, "used to", "before"."""
    folded = fold(text)
    return _PAST_ZH.search(folded) is not None or _PAST_EN.search(folded) is not None


def without_past(text: str) -> str:
    """Return a question without the words that ask for the past: they stand in no statement of it.

    我搬家前住哪 asks for 住, "before I moved" not for the move; other English ones are stop words anyway.
    """
    folded = fold_aligned(text)
    pieces, place = [], 0
    for match in sorted([*_PAST_ZH.finditer(folded), *_CHANGE_EN.finditer(folded)], key=re.Match.start):
        pieces.append(text[place : match.start()])
        place = match.end()
    return " ".join([*pieces, text[place:]])


def former_memories(ended: Sequence[Ended], *, as_of_ms: int | None) -> list[Memory]:
    """Return the memories among what has ended; those that held at a time, where one is given."""
    return [
        each.row
        for each in ended
        if isinstance(each.row, Memory)
        and (as_of_ms is None or each.row.valid_from_ms <= as_of_ms < each.until_ms)
    ]


def endings_of(ended: Sequence[Ended], *, as_of_ms: int | None) -> list[Ending]:
    """Return what had ended by a time (None: by now), the first before the others."""
    by_end = sorted(ended, key=lambda each: each.until_ms)
    return [_ending(each, ended) for each in by_end if as_of_ms is None or each.until_ms <= as_of_ms]


def _ending(each: Ended, ended: Sequence[Ended]) -> Ending:
    row, source = each.row, each.row.source
    texts = (source.quote, row.text if isinstance(row, Memory) else "")
    return Ending(
        memory_id=row.id if isinstance(row, Memory) else None,
        words=tuple(dict.fromkeys(words for words in map(_normal_once, texts) if len(words) >= _LEAST_WORDS)),
        message_id=next(iter(source.message_ids), None),
        past=Past(each.until_ms, _newer_words(each, ended)),
    )


def past_of(row: Memory | Episode, endings: Sequence[Ending]) -> Past | None:
    """Return what became of a memory, or of a message's words: of the first that ended after it was said."""
    if not endings:
        return None
    if isinstance(row, Memory):
        return next((each.past for each in endings if each.memory_id == row.id), None)
    message = row.message
    words = _normal_once(message.text)
    for each in endings:
        is_said = message.id == each.message_id or any(_stand_in(words, one) for one in each.words)
        if is_said and message.created_at_ms < each.past.until_ms:
            return each.past
    return None


def _stand_in(text: str, words: str) -> bool:
    """Whether words stand in a text, whole: "live in York" does not in "live in Yorkshire"."""
    start = text.find(words)
    while start >= 0:
        if not (_cuts_word(text, start) or _cuts_word(text, start + len(words))):
            return True
        start = text.find(words, start + 1)
    return False


def _cuts_word(text: str, place: int) -> bool:
    around = text[max(place - 1, 0) : place + 1]
    return 0 < place < len(text) and around.isascii() and around.isalnum()


def mark_past(hits: Sequence[Hit], endings: Sequence[Ending]) -> list[Hit]:
    """Return the hits with what became of them; of statements on one slot the newest comes first."""
    marked = [hit._replace(past=past_of(hit.row, endings)) for hit in hits] if endings else list(hits)
    for places in _places_of_slots(marked):
        newest = sorted((marked[place] for place in places), key=_at_ms, reverse=True)
        for place, hit in zip(places, _superseded_by_words(newest), strict=True):
            marked[place] = hit
    said = [_statement(hit, hit.past) for hit in marked if hit.past and not hit.past.is_settled]
    if not said:
        return marked
    # The assistant's echo of what was said holds no longer than that does.
    return [hit if hit.past else hit._replace(past=past_of(hit.row, said)) for hit in marked]


def newest_first(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits, of statements on one slot the newest first, in the places that these have."""
    arranged = list(hits)
    for places in _places_of_slots(hits):
        newest = sorted((hits[place] for place in places), key=_at_ms, reverse=True)
        for place, hit in zip(places, newest, strict=True):
            arranged[place] = hit
    return arranged


def _places_of_slots(hits: Sequence[Hit]) -> list[list[int]]:
    """Return the places of statements that fill one slot of one scope, where there are several."""
    slots: dict[tuple[Scope | None, int], list[int]] = {}
    for place, hit in enumerate(hits):
        key = said_slot(hit.row)
        if key is not None:
            slots.setdefault((hit.scope, key[0]), []).append(place)
    return [places for places in slots.values() if len(places) > 1]


def hide_newer(hits: Sequence[Hit], is_barred: Callable[[str, int], bool]) -> list[Hit]:
    """Return the hits without newer words that may not be said; `is_barred` gets them and their time."""
    return [
        hit._replace(past=hit.past._replace(newer=None))
        if hit.past and hit.past.newer and is_barred(hit.past.newer, hit.past.until_ms)
        else hit
        for hit in hits
    ]


def answers_first(hits: Sequence[Hit], question: str, *, is_past: bool) -> list[Hit]:
    """Return the hits, answers first: the question itself, said earlier, and what holds no longer go behind.

    What has ended and was followed by nothing goes only behind what is nearly as good: nothing better is
    known of it. To a question for the past what held before is the answer, where it is nearly as good as the
    best.
    """
    asked = Asked(question)
    best = max((hit.score for hit in hits), default=0.0)

    def rank(hit: Hit) -> int:
        if isinstance(hit.row, Episode) and asked.is_asked_by(_text_of(hit.row)):
            return 3
        if hit.past is None:
            return 1
        if is_past:
            least = _NEARLY if hit.past.is_settled else _FAIRLY
            return 0 if hit.score >= least * best else 1
        return _BEHIND if hit.past.is_settled else 1

    ranked = sorted(((rank(hit), hit) for hit in hits), key=lambda each: each[0])
    for each in ranked.copy():
        place, hit = each
        if place == _BEHIND and hit.past is not None and hit.past.newer is None:
            ranked.remove(each)
            ranked.insert(_behind_better(ranked, _NEARLY * hit.score), each)
    arranged = [hit for _, hit in ranked]
    return arranged if asked.is_for_what_was_asked() else _statements_first(arranged)


def _statements_first(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits, what the user once asked behind the next statement that is nearly as good."""
    arranged = list(hits)
    for at in range(len(hits) - 1, -1, -1):
        asks = arranged[at]
        if not _is_users_question(asks):
            continue
        for place in range(at + 1, len(arranged)):
            if not _is_users_question(arranged[place]):
                if arranged[place].score >= _NEARLY * asks.score:
                    arranged.insert(at, arranged.pop(place))
                break
    return arranged


def _is_users_question(hit: Hit) -> bool:
    row = hit.row
    is_users = isinstance(row, Episode) and row.message.role == "user" and row.message.body.name is None
    return is_users and only_asks(_text_of(row))


def _behind_better(ranked: Sequence[tuple[int, Hit]], least: float) -> int:
    """Return the place behind the last answer that holds and scores so much."""
    better = [place for place, (rank, hit) in enumerate(ranked) if rank < _BEHIND and hit.score >= least]
    return better[-1] + 1 if better else 0


def _statement(hit: Hit, past: Past) -> Ending:
    return Ending(None, words=(_normal_once(_text_of(hit.row)),), message_id=None, past=past)


def _superseded_by_words(hits: Sequence[Hit]) -> list[Hit]:
    """Return statements on one slot, newest first, the older ones of another value marked as such."""
    marked: list[Hit] = []
    for hit in hits:
        value = said_slot(hit.row)
        newer = next((each for each in reversed(marked) if said_slot(each.row) != value), None)
        if newer is not None and hit.past is None:
            past = Past(said_at_ms(newer.row), _text_of(newer.row), is_settled=False)
            marked.append(hit._replace(past=past))
        else:
            marked.append(hit)
    return marked


def said_slot(row: Memory | Episode) -> tuple[int, int] | None:
    """Return `slot_key` of what the user said in a row; None where another speaks."""
    if isinstance(row, Episode) and row.message.role != "user":
        return None
    return slot_key(_text_of(row))


def _text_of(row: Memory | Episode) -> str:
    return row.message.text if isinstance(row, Episode) else row.text


def _at_ms(hit: Hit) -> int:
    return said_at_ms(hit.row)


def said_at_ms(row: Memory | Episode) -> int:
    """Return when a row was said."""
    return row.message.created_at_ms if isinstance(row, Episode) else row.created_at_ms


@lru_cache(maxsize=_TEXTS_KEPT)
def _normal_once(text: str) -> str:
    return normal_text(text)


def slot_key(text: str) -> tuple[int, int] | None:
    """Return numbers for the slot that a statement fills and for its value; None for what fills none."""
    name = (len(text), hash(text))
    if name not in _SLOTS:
        if len(_SLOTS) >= _SLOTS_KEPT:
            _SLOTS.clear()
        found = slot_of(text)
        _SLOTS[name] = None if found is None else (hash(found[0]), hash(found[1]))
    return _SLOTS[name]


def is_of_another(older: Memory | Episode, newer: Memory | Episode) -> bool:
    """Whether the older says where the user lives or works, and the newer does not: 我姐搬到青岛了."""
    slot = said_slot(older)
    if slot is None or slot[0] not in _PLACES:
        return False
    other = said_slot(newer)
    return other is None or other[0] != slot[0]


def _newer_words(each: Ended, ended: Sequence[Ended]) -> str | None:
    newer = each.newer
    if newer is None and isinstance(each.row, Memory) and each.row.path is not None:
        # It was a field that changed, and the memory of its value ended with it.
        newer = next(
            (
                other.newer
                for other in ended
                if isinstance(other.row, FieldVersion)
                and other.row.path == each.row.path
                and other.until_ms == each.until_ms
            ),
            None,
        )
    if isinstance(newer, Memory):
        return newer.text
    return None if newer is None else _shown(newer.value)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
