"""How long a message without commands costs to parse: `python -m tests.bench.parsing` prints milliseconds.

The promise is less than 0.3 ms for the commands of a message of 4,000 characters; nothing here asserts time.
"""

from __future__ import annotations

import timeit
from collections.abc import Callable
from datetime import date
from typing import Final

from shared.extraction.commands import find_statements, parse_commands
from shared.extraction.patterns import find_candidates
from shared.ltm.schema import DEFAULT_SCHEMA

CHARS: Final = 4000
ROUNDS: Final = 50
TODAY: Final = date(2024, 3, 1)
TEXTS: Final = {
    "zh": "今天我们开了一上午的会，大家都觉得方案整体还不错，只是细节要再打磨。午饭后看了样品，颜色偏深。",
    "en": "We spent the morning in a meeting and everyone liked the plan. After lunch we saw two samples. ",
}
READERS: Final[tuple[Callable[..., object], ...]] = (parse_commands, find_statements, find_candidates)


def measure(reader: Callable[..., object], text: str) -> float:
    """Milliseconds of one reading, the best of five runs."""

    def read() -> object:
        return reader(text, schema=DEFAULT_SCHEMA, today=TODAY)

    read()
    return min(timeit.repeat(read, number=ROUNDS, repeat=5)) / ROUNDS * 1000


def main() -> None:
    for language, sentence in TEXTS.items():
        text = (sentence * (CHARS // len(sentence) + 1))[:CHARS]
        for reader in READERS:
            print(f"{language} {reader.__name__:16} {measure(reader, text):.3f} ms")  # noqa: T201


if __name__ == "__main__":
    main()
