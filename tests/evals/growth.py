"""What grows when a model proposes every sentence: `python -m tests.evals.growth --data PATH`.

Real conversations (MemoryBank in both languages, LoCoMo) are archived and extracted with a scripted model
that proposes every user sentence. Printed for each set: calls, what was dropped and why, what waits at the
end, pairs of near duplicates in it (none may be), how importance spreads over all that the users stated.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC
from itertools import combinations
from pathlib import Path

from shared.extraction.importance import importance_of
from shared.extraction.kinds import settle_kind
from shared.language.dates import has_time_expression
from shared.language.numbers import find_numbers
from shared.language.terms import index_terms
from shared.ltm.proposals import MAX_OPEN
from shared.ltm.tombstones import is_denied
from shared.model.memory import MemoryKind
from tests.evals.sets import Conversation, load_set
from tests.extraction.room import Room
from tests.fakes.extractions import propose_sentences, sentences_of

SETS = ("memorybank-zh", "memorybank-en", "locomo")
MOST_IN_A_TENTH = 0.3
NEAR = 0.8


@dataclass(slots=True)
class Grown:
    """What came of one set."""

    messages: int = 0
    calls: int = 0
    proposed: int = 0
    waiting: int = 0
    most_waiting: int = 0
    near: list[tuple[str, str]] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    tenths: Counter[int] = field(default_factory=Counter)

    @property
    def fullest_tenth(self) -> float:
        """The share of rows in the fullest tenth of the range of importance."""
        return max(self.tenths.values(), default=0) / max(self.tenths.total(), 1)


async def grow(conversation: Conversation, grown: Grown) -> None:
    """Take one conversation in, session after session."""
    room = Room(propose_sentences)
    speaker = conversation.sessions[0][0].speaker
    for number, session in enumerate(conversation.sessions):
        name = f"s{number}"
        for message in session:
            role = "user" if message.speaker in {speaker, "user"} else "assistant"
            at = message.created_at if message.created_at.tzinfo else message.created_at.replace(tzinfo=UTC)
            await room.say((role, message.text), session=name, at=at)
        report = await room.extract(name)
        grown.calls += report.calls
        grown.proposed += report.proposed
        grown.reasons.update(report.rejected)
        for text in sentences_of(message.text for message in session if message.speaker in {speaker, "user"}):
            claimed: MemoryKind = "event" if has_time_expression(text) else "fact"
            grown.tenths[min(int(importance_of(settle_kind(claimed, text), text) * 10 + 1e-9), 9)] += 1
    grown.messages += sum(map(len, conversation.sessions))
    texts = [str(update.new) for update in await room.waiting()]
    grown.waiting += len(texts)
    grown.most_waiting = max(grown.most_waiting, len(texts))
    grown.near += [pair for pair in combinations(texts, 2) if is_near(*pair)]


def is_near(one: str, other: str) -> bool:
    """Whether two texts say nearly the same: four fifths of their terms, the same numbers and polarity."""
    terms, others = set(index_terms(one)), set(index_terms(other))
    if len(terms & others) < NEAR * len(terms | others) or is_denied(one) != is_denied(other):
        return False
    return _numbers(one) == _numbers(other)


def _numbers(text: str) -> set[str]:
    return {number.canonical for number in find_numbers(text)}


def describe(name: str, grown: Grown) -> str:
    """Return the figures as text."""
    tenths = " ".join(
        f"{tenth / 10:.1f}:{grown.tenths[tenth] / max(grown.tenths.total(), 1):.0%}" for tenth in range(10)
    )
    reasons = ", ".join(f"{reason} {count}" for reason, count in grown.reasons.most_common())
    per_hundred = 100 * grown.calls / max(grown.messages, 1)
    return (
        f"{name}: {grown.messages} messages, {grown.calls} calls ({per_hundred:.1f} per 100 messages), "
        f"{grown.proposed} proposed, {grown.waiting} waiting (at most {grown.most_waiting} a user), "
        f"{len(grown.near)} pairs of near duplicates\n  dropped: {reasons}\n"
        f"  importance, share of rows by tenth: {tenths} (fullest {grown.fullest_tenth:.0%})"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; 1 where growth has no bound, two proposals say the same, or a tenth is too full."""
    parser = argparse.ArgumentParser(prog="python -m tests.evals.growth", description="Growth by bad models.")
    parser.add_argument("--data", type=Path, required=True, help="folder that holds the sets")
    parser.add_argument(
        "--set", choices=SETS, action="append", dest="sets", help="only this set (repeatable)"
    )
    parser.add_argument("--limit", type=int, default=None, help="only the first N conversations of each set")
    options = parser.parse_args(arguments)
    if not options.data.is_dir():
        sys.stdout.write(f"{options.data} is no folder, so nothing is evaluated: give it with --data PATH.\n")
        return 0
    failed = False
    for name in options.sets or SETS:
        conversations = load_set(options.data, name)[: options.limit]
        if not conversations:
            sys.stdout.write(f"{name}: not in {options.data}, skipped\n")
            continue
        grown = asyncio.run(_grow_all(conversations))
        sys.stdout.write(describe(name, grown) + "\n")
        for one, other in grown.near[:10]:
            sys.stdout.write(f"  NEAR: {one} | {other}\n")
        is_bounded = grown.most_waiting <= MAX_OPEN and not grown.near
        failed = failed or not is_bounded or grown.fullest_tenth > MOST_IN_A_TENTH
    return int(failed)


async def _grow_all(conversations: Sequence[Conversation]) -> Grown:
    grown = Grown()
    for conversation in conversations:
        await grow(conversation, grown)
    return grown


if __name__ == "__main__":
    sys.exit(main())
