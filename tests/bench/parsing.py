"""What reading a message without commands costs: `python -m tests.bench.parsing` prints milliseconds.

The promise is less than 0.3 ms of parsing for a message of 4,000 characters, on the path that a turn takes:
commands, statements and patterns, the noun of a field that is asked for when mentioned, the question for a
source. Masking, topics and key facts stand beside it. Nothing here asserts a time.
"""

from __future__ import annotations

import statistics
import timeit
from collections.abc import Callable
from datetime import date
from typing import Final

from shared.extraction.sources import asked_sources
from shared.ltm.schema import DEFAULT_SCHEMA
from shared.model.message import Message, MessageBody
from shared.privacy.classify import find_secrets
from shared.privacy.mask import mask_secrets
from shared.stm.key_facts import lift_key_facts
from shared.stm.topics import decide_topics
from shared.turn.heartbeat import find_missing_path
from shared.turn.reading import read_message

CHARS: Final = 4000
ROUNDS: Final = 20
RUNS: Final = 31
TODAY: Final = date(2024, 3, 1)
TEXTS: Final = {
    "zh": "今天我们开了一上午的会，大家都觉得方案整体还不错，只是细节要再打磨。午饭后看了样品，颜色偏深。",
    "en": "We spent the morning in a meeting and everyone liked the plan. After lunch we saw two samples. ",
    "mixed": "上午review了两版PPT，design team觉得layout还行。下午跟vendor对了一遍API的返回值，有3处要改。",
}
VARIED: Final = {
    "zh varied": (
        "早上出门的时候下着小雨，地铁里人不多，我顺便看完了昨晚没读完的那篇文章。作者讲的是小镇图书馆怎么慢慢变成邻居们的客厅，"
        "老人来下棋，孩子来写作业，连猫都有自己的座位。读到一半有人给我让了个位置，其实我站着也挺好。到了办公室，窗外的玉兰已经开了，"
        "同事泡了一壶新茶，味道有点像去年春天在山里喝过的那种。我们聊起周末的骑行路线，河边那段修好了，坡也不算陡，就是风大。"
    ),
    "en varied": (
        "It was drizzling when I left the house, the train was half empty, and I finally finished the long "
        "essay from last night. The author describes how a small-town library slowly turned into everybody's "
        "living room: old men play chess, pupils do their homework, even the cat owns a chair. Outside the "
        "office the magnolias had opened, a colleague brewed fresh tea, and we chatted over which road to "
        "cycle on Sunday; the stretch along the river is repaired, though the wind there is strong. "
    ),
}


def read_all(message: Message) -> None:
    """Parse a message as a turn does."""
    read_message(message, None, schema=DEFAULT_SCHEMA, today=TODAY)
    find_missing_path(message.text, schema=DEFAULT_SCHEMA, filled=(), asked=())
    asked_sources(message.text, schema=DEFAULT_SCHEMA)


READERS: Final[dict[str, Callable[[Message], object]]] = {
    "parsing": read_all,
    "masking": lambda message: mask_secrets(message.text),
    "topics": lambda message: decide_topics(message.text, session=(), standing=()),
    "key facts": lambda message: lift_key_facts(message, find_secrets=find_secrets),
}


def make_message(sentence: str) -> Message:
    """Return a user's message of 4,000 characters."""
    text = (sentence * (CHARS // len(sentence) + 1))[:CHARS]
    return Message(
        id="m",
        seq=1,
        role="user",
        body=MessageBody(content=text),
        tokens=1,
        turn_id=None,
        state="complete",
        created_at_ms=0,
        received_at_ms=0,
    )


def measure(reader: Callable[[Message], object], message: Message) -> float:
    """Milliseconds of one reading, the median of 31 runs of 20."""

    def read() -> object:
        return reader(message)

    read()
    return statistics.median(timeit.repeat(read, number=ROUNDS, repeat=RUNS)) / ROUNDS * 1000


def main() -> None:
    for language, sentence in (TEXTS | VARIED).items():
        message = make_message(sentence)
        for name, reader in READERS.items():
            print(f"{language:10} {name:10} {measure(reader, message):.3f} ms")  # noqa: T201


if __name__ == "__main__":
    main()
