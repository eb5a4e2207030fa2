"""The window: which messages of a session go into the prompt word for word, within a budget of tokens.

Newest first. System messages, the newest user message and the newest message are never left out; a tool
call goes with all its results or not at all. What comes out is a sequence that every provider accepts:
system messages first, then a user message, no result without its call and no call without its results;
`to_openai` also merges neighbours of one role. Messages are cut here only as copies for the prompt.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from shared.language.tokens import message_tokens
from shared.model.base import Value
from shared.model.message import EchoReasoning, Message
from shared.stm.cut import cut_message, least_tokens, share_tokens

VERBATIM_TURNS: Final = 3
"""The newest turns stay in the window while there is any room: an over-long one is cut, not dropped."""

_SHARE_OF_ONE: Final = 3
"""No message before the current turn takes more than this part of the budget."""

_NO_ID: Final = "\x00"


class Window(Value):
    """Messages for the prompt in order, their tokens, how many were left out, and the ids of those cut."""

    messages: tuple[Message, ...]
    tokens: int
    dropped: int
    cut_ids: tuple[str, ...]


class _Unit:
    """What is kept or left out as one: a message, or a tool call with its results."""

    __slots__ = ("is_cut", "is_user", "messages", "tokens", "waiting")

    def __init__(self, messages: list[Message], *, tokens: int, waiting: set[str] | None = None) -> None:
        self.messages = messages
        self.waiting = waiting
        self.is_user = messages[0].role == "user"
        self.tokens = tokens
        self.is_cut = False

    def take_result(self, message: Message, call_id: str) -> None:
        """Add the result of one of the calls."""
        self.messages.append(message)
        self.tokens += message.tokens
        if self.waiting is not None:
            self.waiting.discard(call_id)

    @property
    def is_group(self) -> bool:
        return len(self.messages) > 1

    @property
    def least(self) -> int:
        return sum(self._least_parts())

    def _least_parts(self) -> list[int]:
        """Return the least of each message; the call of a group is never cut, only its results are."""
        first, *results = self.messages
        head = first.tokens if self.is_group else least_tokens(first)
        return [head, *map(least_tokens, results)]

    def cut(self, max_tokens: int) -> _Unit:
        """Return the unit within `max_tokens`, or at its least."""
        if self.tokens <= max_tokens:
            return self
        wanted = [message.tokens for message in self.messages]
        allotted = share_tokens(wanted, self._least_parts(), room=max_tokens)
        messages = list(map(cut_message, self.messages, allotted))
        cut = _Unit(messages, tokens=sum(message.tokens for message in messages))
        cut.is_cut = True
        return cut

    def cut_ids(self, whole: Collection[Message]) -> list[str]:
        """Return the ids of the messages of a cut unit that are not as they were."""
        return [message.id for message in self.messages if not any(message is other for other in whole)]


def fit_window(messages: Sequence[Message], *, budget_tokens: int) -> Window:
    """Return the newest messages that fit `budget_tokens`; the last message is the current one.

    `messages` are in the order of the session and carry their tokens (`language.tokens.message_tokens`).
    Where no user message stands among them, only the system messages remain. The result is over the
    budget only where the budget is less than `minimum_tokens(messages)`.
    """
    systems, units = _arrange(messages)
    places = _protected_places(units)
    fitted = _fit_protected(systems, [units[place] for place in places], budget=budget_tokens)
    kept = dict(zip(places, fitted[len(systems) :], strict=True))
    _add_others(kept, units, budget=budget_tokens, left=budget_tokens - sum(unit.tokens for unit in fitted))
    chosen = [*fitted[: len(systems)], *_from_first_user(kept)]
    result = [message for unit in chosen for message in unit.messages]
    return Window(
        messages=tuple(result),
        tokens=sum([unit.tokens for unit in chosen]),
        dropped=len(messages) - len(result),
        cut_ids=tuple(each for unit in chosen if unit.is_cut for each in unit.cut_ids(messages)),
    )


def minimum_tokens(messages: Sequence[Message]) -> int:
    """Return the tokens of what is never left out, cut as far as it can be."""
    systems, units = _arrange(messages)
    return sum(unit.least for unit in (*systems, *(units[place] for place in _protected_places(units))))


def _arrange(messages: Sequence[Message]) -> tuple[list[_Unit], list[_Unit]]:
    """Return the system messages, and all others as units; what no provider accepts is gone."""
    systems: list[_Unit] = []
    units: list[_Unit] = []
    calls: dict[str, _Unit] = {}
    superseded = _superseded_ids(messages)
    for message in messages:
        body = message.body
        if message.role != "tool" and body.tool_calls is None and type(body.content) is str:
            if body.content.strip() and message.id not in superseded:
                unit = _Unit([message], tokens=message.tokens)
                (systems if message.role == "system" else units).append(unit)
        elif message.role == "tool":
            call_id = message.body.tool_call_id or ""
            group = calls.pop(call_id, None)
            if group is not None:
                group.take_result(message, call_id)
        elif not (_is_empty(message) or message.id in superseded):
            waiting = set(_call_ids(message))
            unit = _Unit([message], tokens=message.tokens, waiting=waiting)
            calls.update(dict.fromkeys(waiting, unit))
            (systems if message.role == "system" else units).append(unit)
    closed = [unit if not unit.waiting else _close(unit) for unit in units]
    return systems, [unit for unit in closed if unit is not None]


def _superseded_ids(messages: Sequence[Message]) -> set[str]:
    """Return interrupted replies whose turn was answered in full by a later one."""
    if all(message.state == "complete" for message in messages):
        return set()
    answered: set[str] = set()
    superseded: set[str] = set()
    for message in reversed(messages):
        if message.role != "assistant" or message.turn_id is None:
            continue
        if message.state == "complete":
            answered.add(message.turn_id)
        elif message.turn_id in answered and not message.body.tool_calls:
            superseded.add(message.id)
    return superseded


def _is_empty(message: Message) -> bool:
    content = message.body.content
    if message.role == "assistant" and message.body.tool_calls:
        return False
    if isinstance(content, list) and any(part.get("type") != "text" for part in content):
        return False
    return not message.text.strip()


def _call_ids(message: Message) -> Iterator[str]:
    """Return the ids of an assistant's calls; one that has none, or has it twice, can never be answered."""
    seen: set[str] = set()
    for call in (message.body.tool_calls or ()) if message.role == "assistant" else ():
        call_id = call.get("id")
        yield call_id if isinstance(call_id, str) and call_id and call_id not in seen else _NO_ID
        seen.add(str(call_id))


def _close(unit: _Unit) -> _Unit | None:
    """Return of a call that lacks results only its words, if it has any."""
    message = unit.messages[0]
    if not message.text.strip():
        return None
    body = message.body.model_copy(update={"tool_calls": None, "reasoning": None})
    tokens = message_tokens(message.role, body.content, name=body.name)
    return _Unit([message.model_copy(update={"body": body, "tokens": tokens})], tokens=tokens)


def _protected_places(units: Sequence[_Unit]) -> list[int]:
    """Return the places of the newest user message and of the newest unit; none without a user message."""
    users = [place for place, unit in enumerate(units) if unit.is_user]
    return sorted({users[-1], len(units) - 1}) if users else []


def _fit_protected(systems: list[_Unit], current: list[_Unit], *, budget: int) -> list[_Unit]:
    """Return what must stay, cut where it must be: the current turn first, system messages last."""
    room = budget - sum(unit.tokens for unit in systems)
    if room >= sum(unit.least for unit in current):
        return systems + _cut_all(current, room)
    return _cut_all(systems + current, budget)


def _cut_all(units: list[_Unit], room: int) -> list[_Unit]:
    allotted = share_tokens([unit.tokens for unit in units], [unit.least for unit in units], room=room)
    return [unit.cut(tokens) for unit, tokens in zip(units, allotted, strict=True)]


def _add_others(kept: dict[int, _Unit], units: Sequence[_Unit], *, budget: int, left: int) -> None:
    """Add units to `kept`, newest first, until one does not fit in what is left of the budget."""
    anchor, turns = min(kept, default=0), 0
    for place in reversed(range(len(units) if kept else 0)):
        unit = units[place]
        turns += unit.is_user
        if place in kept:
            continue
        cap = max(budget // _SHARE_OF_ONE, left // 2 if place > anchor else 0)
        recent = place > anchor or turns < VERBATIM_TURNS or (turns == VERBATIM_TURNS and unit.is_user)
        fitted = _fit_one(unit, cap=cap, left=left, may_cut_group=place > anchor, recent=recent)
        if fitted is not None:
            kept[place] = fitted
            left -= fitted.tokens
        elif not (unit.is_group and unit.tokens > cap):
            return


def _fit_one(unit: _Unit, *, cap: int, left: int, may_cut_group: bool, recent: bool) -> _Unit | None:
    """Return the unit within what is left, cut if that is allowed; None where it does not fit."""
    if unit.is_group and not may_cut_group:
        return unit if unit.tokens <= min(cap, left) else None
    if unit.tokens <= cap and unit.tokens <= left:
        return unit
    if min(unit.tokens, cap) > left and not recent:
        return None
    fitted = unit.cut(min(cap, left))
    return fitted if fitted.tokens <= left else None


def _from_first_user(kept: dict[int, _Unit]) -> list[_Unit]:
    """Return the kept units in order, from the first user message on."""
    places = sorted(kept)
    first = next((place for place in places if kept[place].is_user), None)
    return [kept[place] for place in places if first is not None and place >= first]


def to_openai(messages: Sequence[Message], *, echo: EchoReasoning = "never") -> list[dict[str, Any]]:
    """Return messages in the form of the chat API; neighbours of one role become one message.

    Merged messages whose names differ say in their words who speaks. `echo` says which of them carry what the
    model thought (`reasoning_content`).
    """
    result: list[dict[str, Any]] = []
    for message in messages:
        item = _to_item(message, echo)
        last = result[-1] if result else {}
        if item["role"] == last.get("role") != "tool" and "tool_calls" not in last:
            result[-1] = _merge(last, item)
        else:
            result.append(item)
    return result


def _to_item(message: Message, echo: EchoReasoning) -> dict[str, Any]:
    body = message.body
    item: dict[str, Any] = {"role": message.role, "content": body.content}
    if body.name:
        item["name"] = body.name
    if message.role == "assistant" and body.tool_calls:
        item["tool_calls"] = body.tool_calls
        item["content"] = body.content or None
    if body.reasoning and (reasoning := body.with_reasoning(body.reasoning, echo).reasoning):
        item["reasoning_content"] = reasoning
    if message.role == "tool":
        item["tool_call_id"] = body.tool_call_id
        item["content"] = body.content or ""
    return item


def _merge(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """Return two messages of one role as one, with the calls of the second."""
    if first.get("name") != second.get("name"):
        first, second = _speak(first), _speak(second)
    merged = {**first, **second}
    contents = [item["content"] for item in (first, second) if item["content"]]
    if all(isinstance(content, str) for content in contents):
        merged["content"] = "\n\n".join(contents) or None
    else:
        merged["content"] = [part for content in contents for part in _parts(content)]
    return merged


def _speak(item: dict[str, Any]) -> dict[str, Any]:
    """Return a message with its name at the head of its words instead of beside them."""
    name = item.get("name")
    if name is None:
        return item
    content = item["content"]
    spoken = f"{name}: {content}" if isinstance(content, str) else [*_parts(f"{name}:"), *(content or ())]
    return {**{key: value for key, value in item.items() if key != "name"}, "content": spoken}


def _parts(content: str | list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content
