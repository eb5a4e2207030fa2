"""Answers that pick among several things: 第一个对，另一个不对, "keep the first, drop the rest". Pure.

To keep one means the same under every question, a yes to it does not: asked what to save it saves, asked what
to forget it forgets. What an answer does not name, nor mean by "the others", stays open.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from shared.extraction import consent_words as words

Rest = Literal["", "one", "all"]
_MARKS: Final = " ，,。.!！、"


@dataclass(frozen=True, slots=True)
class Pick:
    """One of several things asked about, by its place (1 the first, -1 the last) or by its noun.

    With `rest` it is what the answer names no other way: the one that is left, or all. `forgets` says whether
    it is to go where the question was what to forget.
    """

    index: int | None
    noun: str
    accepts: bool
    forgets: bool = False
    rest: Rest = ""


def place_of(index: int, *, count: int) -> int | None:
    """Return the place from 0 of the first (1) or last (-1) among so many; None where there is none."""
    place = index - 1 if index > 0 else count + index
    return place if 0 <= place < count else None


def places_meant(
    picks: Sequence[Pick], *, count: int, by_noun: Collection[int] = ()
) -> list[tuple[int, Pick]]:
    """Return the places, from 0, that picks mean by their place or as the rest; nouns are left out.

    The rest is nothing where no other is named, and "the other one" nothing where several are left; `by_noun`
    are places that nouns name.
    """
    found = [
        (place, pick)
        for pick in picks
        if pick.index is not None and (place := place_of(pick.index, count=count)) is not None
    ]
    named = {place for place, _ in found} | set(by_noun)
    left = [place for place in range(count) if place not in named]
    for pick in picks:
        if pick.rest and named and (pick.rest == "all" or len(left) == 1):
            found += [(place, pick) for place in left]
    return found


def places_to_forget(picks: Sequence[Pick], *, count: int) -> tuple[int, ...]:
    """Return the places, from 0, of what is to go where the question was what to forget."""
    return tuple(dict.fromkeys(place for place, pick in places_meant(picks, count=count) if pick.forgets))


def read_picks(folded: str) -> tuple[Pick, ...]:
    """Return what an answer picks; nothing where any part of it is something else."""
    found: list[Pick] = []
    for part in words.PICK_BREAK.split(_excepted(folded)):
        if not part.strip(_MARKS):
            continue
        picks = _pick(part.strip(_MARKS))
        if not picks:
            return ()
        found.extend(picks)
    return tuple(found)


def _excepted(folded: str) -> str:
    """Return an answer with "all but the first" as the two picks that it means."""
    for pattern in words.EXCEPTIONS:
        match = pattern.fullmatch(folded.strip(_MARKS))
        if match is None:
            continue
        if match.groupdict().get("noun"):
            return f"not {match['noun']}, yes the rest"
        is_zh = not match["which"].isascii() or "除" in match[0]
        refused = match.groupdict().get("no")
        if is_zh:
            return f"保留{match['which']}，其余不要" if refused else f"{match['which']}不要，其余要"
        return f"not {match['which']}, yes the rest"
    return folded


def _pick(part: str) -> list[Pick]:
    for pattern in words.FATES:
        match = pattern.fullmatch(part)
        if match is not None:
            drops = words.DROPS.search(match["verb"]) is not None
            accepts = drops == bool(match["no"])
            return _picks_of(match["which"], accepts=accepts, forgets=drops and not match["no"])
    for pattern in words.PICKS:
        match = pattern.fullmatch(part)
        if match is not None:
            accepts = match["no"] is None
            forgets = accepts and words.KEEPS.search(part) is None
            return _picks_of(match["which"], accepts=accepts, forgets=forgets)
    return []


def _picks_of(which: str, *, accepts: bool, forgets: bool) -> list[Pick]:
    places = [words.ORDINALS[each] for each in words.ORDINAL.findall(which)]
    bare = words.ORDINAL.sub("", which)
    rest = words.REST.search(bare)
    if not (places or rest) or words.PICK_JOIN.fullmatch(words.REST.sub("", bare)) is None:
        return [Pick(None, which.strip(), accepts, forgets)]
    picks = [Pick(place, "", accepts, forgets) for place in places]
    if rest is not None:
        picks.append(Pick(None, "", accepts, forgets, "one" if rest["one"] else "all"))
    return picks
