"""The adversarial set: `python -m tests.evals.adversarial [--language zh|en]`.

Every dialogue is archived and extracted with the answer that a bad model would give; the real gate,
comparison and proposals decide, on the fake of long-term memory. Printed: bad items that came through (none
may), good items kept, and why the others were dropped.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from shared.extraction.candidates import Claim, relate
from shared.ltm.index import normal_text
from tests.evals.dialogues import LANGUAGES, Dialogue, Expected, load_dialogues
from tests.extraction.room import Room

LEAST_KEPT = 0.95


@dataclass(slots=True)
class Figures:
    """What became of the items of some dialogues."""

    dialogues: int = 0
    good: int = 0
    bad: int = 0
    lost: list[str] = field(default_factory=list)
    leaked: list[str] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def kept(self) -> float:
        """The share of good items that were kept."""
        return 1 - len(self.lost) / self.good if self.good else 1.0


async def run_dialogue(dialogue: Dialogue, figures: Figures) -> None:
    """Play one dialogue and add what became of its items."""
    room = Room(lambda _body: dialogue.answer)
    for mark, cells in dialogue.before:
        await room.stand(mark, cells)
    before = {update.id for update in await room.waiting()} | {memory.id for memory in await room.memories()}
    await room.say(*dialogue.messages)
    report = await room.extract()
    figures.dialogues += 1
    figures.reasons.update(report.rejected)
    made = [str(update.new) for update in await room.waiting() if update.id not in before]
    made += [memory.text for memory in await room.memories() if memory.id not in before]
    for item in dialogue.items:
        _judge(item, dialogue, made=made, figures=figures)


def _judge(item: Expected, dialogue: Dialogue, *, made: Sequence[str], figures: Figures) -> None:
    """A bad item must not stand there; a good one may, in the words that a rule found."""
    is_there = normal_text(item.shown) in {normal_text(text) for text in made}
    if item.is_good and not is_there:
        wanted = str(item.raw["quote"]) if dialogue.wrong == "translated" else item.shown
        is_there = any(relate(Claim(wanted), Claim(text)) in {"same", "within"} for text in made)
    where = f"{dialogue.name} ({dialogue.wrong}): {item.shown}"
    if item.is_good:
        figures.good += 1
        figures.lost += [] if is_there else [where]
    else:
        figures.bad += 1
        figures.leaked += [where] if is_there else []


async def play(*languages: str) -> Figures:
    """Play the dialogues of these languages, of all where none is named."""
    figures = Figures()
    for dialogue in load_dialogues(*languages):
        await run_dialogue(dialogue, figures)
    return figures


def describe(name: str, figures: Figures) -> str:
    """Return the figures as text."""
    lines = [
        f"{name}: {figures.dialogues} dialogues",
        f"  bad items that came through: {len(figures.leaked)} of {figures.bad}",
        f"  good items kept: {figures.good - len(figures.lost)} of {figures.good} ({figures.kept:.1%})",
    ]
    lines += [f"  CAME THROUGH {each}" for each in figures.leaked]
    lines += [f"  lost {each}" for each in figures.lost]
    lines += [f"  {count:4d} {reason}" for reason, count in figures.reasons.most_common()]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; 1 where a bad item came through or too few good ones were kept."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.evals.adversarial", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--language", choices=LANGUAGES, action="append", dest="languages")
    options = parser.parse_args(arguments)
    failed = False
    for language in options.languages or LANGUAGES:
        figures = asyncio.run(play(language))
        sys.stdout.write(describe(language, figures) + "\n")
        failed = failed or bool(figures.leaked) or figures.kept < LEAST_KEPT
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
