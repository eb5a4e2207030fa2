"""Whether two texts say yes or no to the same thing, and how sure they are of it. Pure.

A text is compared with those pieces of the quoted clauses that speak of what it speaks of, so that the no of
one half sentence does not fall on the other: 我不吃辣，但喜欢甜的 denies the one and affirms the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from shared.extraction.evidence_words import AT_LEAST, AT_MOST, DENIES, NO_DENIAL, PIECE_END, SLIP
from shared.extraction.items import Item
from shared.extraction.quotes import Clause
from shared.extraction.support import all_units, content_units, tokens_in
from shared.language.scripts import fold

MAX_PIECES = 40


def denies(text: str) -> bool:
    """True where a text says that something is not so; an odd look of denial (不错, "no problem") is none."""
    return DENIES.search(NO_DENIAL.sub(" ", plain(text))) is not None


def plain(text: str) -> str:
    """The text folded, with straight apostrophes, and without the words of a slip."""
    return SLIP.sub(" ", fold(text).replace("’", "'"))


def split_pieces(text: str) -> list[str]:
    """The parts of a text that each affirm or deny for themselves."""
    return [piece for piece in (part.strip() for part in PIECE_END.split(plain(text))) if piece]


def same_polarity(text: str, said: str) -> bool:
    """Whether each part of a text denies just where the parts that speak of the same in `said` do."""
    if plain(text) == plain(said):
        return True
    pieces = [
        (denies(piece), content_units(piece) | all_units(piece)) for piece in split_pieces(said)[:MAX_PIECES]
    ]
    for part in split_pieces(text)[:MAX_PIECES]:
        near = _nearest(part, pieces)
        if near and denies(part) != any(near):
            return False
    return True


def rests_on_denied(text: str, said: str) -> bool:
    """Whether a text that denies nothing takes a word from where all is denied: "never the 7:45"."""
    pieces = [(denies(piece), words_of(piece)) for piece in split_pieces(said)[:MAX_PIECES]]
    affirmed = frozenset().union(*(words for is_denied, words in pieces if not is_denied))
    denied = frozenset().union(*(words for is_denied, words in pieces if is_denied))
    parts = [part for part in split_pieces(text)[:MAX_PIECES] if not denies(part)]
    return any((content_words(part) & denied) - affirmed for part in parts)


def words_of(text: str) -> frozenset[str]:
    """All words of a text, those with digits too."""
    return all_units(text) | content_units(text) | tokens_in(text)


def content_words(text: str) -> frozenset[str]:
    """The words of a text that make a claim, those with digits too."""
    return content_units(text) | tokens_in(text)


def same_bounds(text: str, said: str) -> bool:
    """Whether a limit of the text (at most, at least) is one of what was said."""
    ours, theirs = plain(text), plain(said)
    return all(
        pattern.search(ours) is None or pattern.search(theirs) is not None for pattern in (AT_MOST, AT_LEAST)
    )


def pick_clauses(item: Item, clauses: Sequence[Clause]) -> list[Clause]:
    """The quoted clauses that speak of what the item says; all of them where none stands out."""
    if len(clauses) == 1:
        return list(clauses)
    wanted = content_units(item.text) or all_units(item.text)
    shares = [len(wanted & all_units(clause.text)) for clause in clauses]
    best = max(shares)
    return [
        clause for clause, share in zip(clauses, shares, strict=True) if share == best or share * 2 >= best
    ]


def _nearest(part: str, pieces: Sequence[tuple[bool, frozenset[str]]]) -> list[bool]:
    """Whether each of the pieces denies that share most with a part."""
    wanted = content_units(part) or all_units(part)
    shares = [len(wanted & units) for _, units in pieces]
    best = max(shares, default=0)
    return [is_denied for (is_denied, _), share in zip(pieces, shares, strict=True) if share == best]
