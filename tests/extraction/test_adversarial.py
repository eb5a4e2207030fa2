"""The adversarial set: nothing that nobody said comes through, and little of what was said is lost."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.evals.adversarial import LEAST_KEPT, play
from tests.evals.dialogues import LANGUAGES, load_dialogues

GUIDE = (Path(__file__).resolve().parents[2] / "docs/guide.md").read_text("utf-8")
NAMES = {"zh": "Chinese", "en": "English"}


@pytest.mark.parametrize("language", LANGUAGES)
async def test_no_bad_item_comes_through_and_the_guide_tells_the_figures(language: str) -> None:
    figures = await play(language)
    assert figures.leaked == []
    assert figures.kept >= LEAST_KEPT, figures.lost
    kept = f"{figures.good - len(figures.lost)} of {figures.good}"
    assert f"| {NAMES[language]} | {figures.dialogues} | 0 of {figures.bad} | {kept} |" in GUIDE


def test_the_set_is_large_balanced_and_varied() -> None:
    dialogues = load_dialogues()
    sizes = Counter(dialogue.language for dialogue in dialogues)
    assert len(dialogues) >= 200
    assert sizes["zh"] == sizes["en"]
    assert len({dialogue.name for dialogue in dialogues}) == len(dialogues)
    said = [text for dialogue in dialogues for role, text in dialogue.messages if role == "user"]
    assert len(set(said)) > 0.9 * len(said)
    assert len({dialogue.wrong for dialogue in dialogues}) >= 40
