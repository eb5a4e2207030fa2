"""Commands that take away: forget, topic bans, undo, confirm and reject.

To delete is a verb of daily work (删除第二段, delete the last paragraph): a deletion counts only where
its object is a field or something said or kept. 忘了带钥匙 and "forget it" are no commands either.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from shared.extraction import command_words_en as en
from shared.extraction import command_words_zh as zh
from shared.extraction.assignments import read_label
from shared.extraction.clause import MARKS, Clause
from shared.extraction.command import EVERYTHING, NOT_KEPT, SESSION, STANDING, Command
from shared.extraction.forget_words import (
    ASKS_FOR_IT,
    FORGET_LEAD,
    FORGET_MEMORY,
    FORGET_TAIL,
    FORGET_TAIL_BEHIND,
    NO_THING,
    NOT_FORGOTTEN,
    OWN_MEMORY,
    SAID_LEAD,
    TELLS_OF_FORGETTING,
)
from shared.extraction.in_work import is_of_work, undoes_work
from shared.extraction.pages import Page, trim_span
from shared.language.attributes import HEAD_EN, HEAD_ZH
from shared.language.scripts import fold_aligned
from shared.ltm.schema import SchemaPath
from shared.stm.topics import find_topic_commands

MAX_TOPIC_CHARS: Final = 40
_ANYTHING: Final = re.compile(r"(?P<target>.+)", re.DOTALL)
_WHOLE_STATEMENT: Final = re.compile(r"\s*that\s+(?!ever\b)(?:\S+\s+){2}\S")
"""forget that expense reports close on the 25th: a clause, where "forget that idea" names a thing."""

_NAMES_LAST: Final = re.compile(r"[刚上前最]|\b(?:that|this|it|last|previous|just|change|update|edit)\b")
"""What the question 能取消吗 / "can you undo?" lacks: asked so, it may be of anything."""

_RESTARTS: Final = re.compile(
    r"\s*,?\s+(?:and|then|so)\s+(?:let'?s\s+|then\s+)?(?:start|begin|try|go)\s+(?:all\s+)?(?:over|again|afresh|fresh|anew|from)\b"
)
_ALL_OF_IT: Final = re.compile(r"\s*(?:everything|all(?:\s+of\s+(?:it|this|that))?|anything)\s*")
"""Forget everything and start over: a new draft, no wipe."""
_WORD: Final = re.compile(r"\w")
_AND: Final = re.compile(r"\s*(?:[和跟与及、]|,|\band\b)\s*")
_PRONOUN: Final = re.compile(r"[他她它我咱你您](?:们)?|\s*(?:him|her|them|it|me|us|you|myself)\s*")
"""把他忘掉吧 consoles, as "forget him" does; 我 alone names no one thing."""

_VERB_OF_FORGETTING: Final = re.compile(r"忘|\bforget\b")


Rule = Callable[[Clause], list[Command] | None]


def take_away(clause: Clause) -> list[Command] | None:
    """The commands of the clause if it takes something away; None where it is none of these."""
    for rule in _RULES:
        found = rule(clause)
        if found and rule in _OF_DAILY_WORK and is_of_work(clause):
            return []
        if found is not None:
            return found
    return None


def read_confirmation(page: Page) -> list[Command] | None:
    """The spelled-out confirmation that is the whole message: 确认清空, "yes, delete everything"."""
    match = zh.CONFIRM.fullmatch(page.open) or en.CONFIRM.fullmatch(page.open)
    if match is None:
        return None
    groups = match.groupdict()
    name = "target" if groups.get("target") else "target2"
    span = trim_span(page.text, 0, end=len(page.text))
    text = page.text[match.start(name) : match.end(name)]
    return [Command("confirm", None, None, text, page.text[span.start : span.end], span.start, span.end)]


def _leave_alone(clause: Clause) -> list[Command] | None:
    """A ban of a topic, as `stm.topics` reads it: nothing else is read from its clause."""
    found = find_topic_commands(clause.page.text[clause.span.start : clause.span.end])
    return [
        clause.command("ban_topic", text=each.topic, value=STANDING if each.lasting else SESSION)
        for each in found
        if each.action == "ban"
    ] or None


def _undo(clause: Clause) -> list[Command] | None:
    found = clause.match(zh.UNDO) or clause.match(zh.UNDO_THAT) or clause.match(en.UNDO)
    if found is not None:
        if found["polite"] and not _NAMES_LAST.search(found[0]):
            return None
        if undoes_work(clause):
            return []
        return [clause.command("undo", text=clause.verbatim(clause.span.start, clause.span.end))]
    for pattern in (zh.UNDO_BACK, zh.UNDO_TO, en.UNDO_TO):
        match = clause.match(pattern)
        if match is None:
            continue
        name = next(key for key, value in match.groupdict().items() if key.startswith("target") and value)
        target = re.sub(
            r"\b(?:old|previous|former|original|earlier)\s+|原来的?|之前的?|旧的?",
            "",
            clause.words(match, name),
        )
        path = read_label(target, clause.reader.schema)
        if path is not None:
            return [clause.command("undo", text=clause.verbatim(*match.span(name)), path=path.path)]
    return None


def _reject(clause: Clause) -> list[Command] | None:
    for pattern in (zh.REJECT, en.REJECT):
        match = clause.match(pattern)
        if match is not None:
            return [clause.command("reject", text=clause.verbatim(*match.span("target")))]
    return None


def _stop_keeping(clause: Clause) -> list[Command] | None:
    for pattern in (zh.STOP_KEEPING, en.STOP_KEEPING):
        match = clause.match(pattern)
        if match is not None:
            return _forget_target(clause, match)
    match = clause.match(zh.KEEP_NO_MORE)
    if match is None:
        return None
    target = clause.words(match, "target")
    named = _names_field(clause, target) or zh.NAMED_THING.search(target) or target.startswith("我的")
    return _forget_target(clause, match) if named else None


def _keep_out(clause: Clause) -> list[Command] | None:
    """别记我开特斯拉这件事 / "please don't remember that I drive a Tesla".

    A field that it names by its label (不用记住我的邮箱) stays, but with 了: it is kept no longer.
    """
    match = clause.match(zh.NOT_TO_KEEP)
    if match is None:
        match = clause.match(en.NOT_TO_KEEP)
        if match is None:
            return None
        before = clause.page.folded[clause.span.start : match.start("target")]
        if not (match["stated"] or match["told"] or ASKS_FOR_IT.search(before)):
            return None
    is_over = clause.words(match, "target").strip(MARKS).endswith("了")
    found = [each for each in _forget_target(clause, match) if not each.is_wipe]
    return [replace(each, value=NOT_KEPT) for each in found if is_over or each.path is None]


def _not_wanted(clause: Clause) -> list[Command] | None:
    """我不想让你记住我的邮箱 / "please don't keep my phone number": to be forgotten, and not kept.

    To keep and to save are verbs of daily work: they count for what is known of somebody.
    """
    match = clause.match(zh.NOT_WANTED)
    if match is not None:
        name = "target" if match["target"] else "target2"
        is_wish, is_known = bool(match["wish"] or match["wish2"]), bool(match["know"] or match["target2"])
        head, asks = HEAD_ZH, True
    else:
        match = clause.match(en.NOT_WANTED)
        if match is None:
            return None
        name, is_wish = "target", bool(match["wish"])
        is_known = (match["know"] or "").startswith(("remember", "memori", "know"))
        asks = ASKS_FOR_IT.search(clause.folded) is not None
        head = HEAD_EN
        if not is_wish and not (asks and match["keep"]):
            return None
    target = FORGET_TAIL.sub("", clause.words(match, name))
    if zh.DELETE_IN_WORK.search(target) or en.DELETE_IN_WORK.search(target):
        return None
    if not (is_wish and is_known) and not (_names_field(clause, target) or head.search(target)):
        return None
    return [
        replace(each, value=NOT_KEPT) for each in _forget_words(clause, match, name=name) if not each.is_wipe
    ]


def _forget_all(clause: Clause) -> list[Command] | None:
    """把我忘了, 都忘了吧 / "forget me", where it is the whole message."""
    page = clause.page
    clauses = [each for sentence in page.sentences for each in sentence.clauses]
    if clause.span.end != clauses[-1].end:
        return None
    is_zh = zh.FORGET_ME.fullmatch(page.open) is not None
    if not is_zh and en.FORGET_ME.fullmatch(page.open) is None:
        return None
    if is_zh and zh.COMPLAINS.match(page.open) and not ASKS_FOR_IT.search(page.open):
        return []
    span = trim_span(page.text, 0, end=len(page.text))
    text = page.text[span.start : span.end]
    return [Command("forget", None, EVERYTHING, text, text, span.start, span.end)]


def _forget_named_before(clause: Clause) -> list[Command] | None:
    """What the clause before names: 之前关于跳槽的那些话，麻烦全部忘掉."""
    before = clause.before
    if before is None:
        return None
    words = clause.page.folded[before.start : before.end]
    match = clause.match(zh.FORGET_IT)
    if match is not None:
        asks = match["asks"] or match["soft"] or zh.REQUEST.search(match[0])
        named = zh.NAMED_THING.search(words) or clause.field_before
    else:
        match = clause.match(en.FORGET_IT)
        asks, named = match, en.NAMED_THING.match(words) or clause.field_before
    if match is None or not (asks and named):
        return None
    in_work = zh.DELETE_IN_WORK.search(words) or en.DELETE_IN_WORK.search(words)
    if in_work and not _VERB_OF_FORGETTING.search(match[0]):
        return None
    whole = _ANYTHING.match(clause.page.open, before.start, before.end)
    return _forget_target(clause, whole) if whole is not None else None


def _forget(clause: Clause) -> list[Command] | None:
    match = clause.match(zh.FORGET)
    if match is not None:
        target = clause.words(match, "target")
        hard = "忘掉" in match[0][: match.start("target") - match.start()] or target.startswith("掉")
        soft = zh.SAID_THING.match(target.removeprefix("了")) or target.endswith("吧")
        named = read_label(target.removeprefix("了"), clause.reader.schema) is not None
        named = named or _names_thing(clause, match, head=HEAD_ZH)
        if TELLS_OF_FORGETTING.fullmatch(clause.folded) and not ASKS_FOR_IT.search(clause.folded):
            return []
        if NOT_FORGOTTEN.match(target) or not (hard or soft or named) or not target.strip("掉了吧 "):
            return []
        return _forget_target(clause, match)
    match = _without_restart(clause, clause.match(en.FORGET), pattern=en.FORGET)
    if match is None:
        return None
    target = clause.words(match, "target")
    restarts = _RESTARTS.match(clause.page.open, match.end(), clause.span.end) is not None
    if en.IDIOM.match(target) or not target.strip() or (restarts and _ALL_OF_IT.fullmatch(target)):
        return []
    is_alone = clause.span.end == clause.sentence.end
    said = (
        en.SAID_THING.match(target)
        or (is_alone and target.strip().startswith(("the ", "about ")))
        or en.SAID_TAIL.search(target)
        or (is_alone and _names_field(clause, re.sub(r"^\s*that\s+", "", target)))
        or (is_alone and _WHOLE_STATEMENT.match(target))
        or _names_thing(clause, match, head=HEAD_EN)
    )
    return _forget_target(clause, match) if said else []


def _without_restart(
    clause: Clause, match: re.Match[str] | None, *, pattern: re.Pattern[str]
) -> re.Match[str] | None:
    """Return the match without a new start behind what it names: forget my budget and start over."""
    if match is None:
        return None
    restart = _RESTARTS.search(clause.page.open, match.start("target"), match.end("target"))
    return pattern.match(clause.page.open, clause.span.start, restart.start()) if restart else match


def _names_thing(clause: Clause, match: re.Match[str], *, head: re.Pattern[str]) -> bool:
    """忘记报销截止日 / "forget Bob's phone number": all that is said, or asked for, names what is known.

    忘记报销截止日了 tells that it slipped the mind, 忘记填日期 that something was not done.
    请忘记团子 / "please forget Pebble" asks for it, whatever it names.
    """
    before = clause.page.folded[clause.span.start : match.start("target")]
    asks = ASKS_FOR_IT.search(before) is not None
    is_alone = len(clause.sentence.clauses) == 1 and not before.endswith("忘了")
    if clause.sentence.is_marked_question or not (asks or is_alone):
        return False
    target = clause.words(match, "target").strip(MARKS)
    if len(target) > MAX_TOPIC_CHARS or NO_THING.search(target):
        return False
    found = head.search(FORGET_TAIL.sub("", target))
    return (asks and is_alone) or (found is not None and found.start() > 0)


def _delete(clause: Clause) -> list[Command] | None:
    for pattern, words in ((zh.DELETE_TARGET, zh), (zh.DELETE, zh), (en.DELETE, en), (zh.TOPIC_DELETE, zh)):
        match = clause.match(pattern)
        if match is None:
            continue
        target = clause.words(match, "target")
        if _is_wipe(target) and OWN_MEMORY.search(target):
            return _forget_target(clause, match)
        if _PRONOUN.fullmatch(target):
            return []
        verb = clause.page.open[match.end("target") : match.end()]
        forgets = bool(_VERB_OF_FORGETTING.search(verb))
        kept = words.KEPT_THING.search(target) is not None
        if pattern is zh.TOPIC_DELETE and not _is_request(clause, verb, forgets=forgets, kept=kept):
            continue
        if words.DELETE_IN_WORK.search(target):
            continue
        if kept or (forgets and pattern is zh.DELETE_TARGET) or _names_field(clause, target):
            return _forget_target(clause, match)
    return None


def _names_field(clause: Clause, target: str) -> bool:
    named = FORGET_TAIL.sub("", target)
    return read_label(named, clause.reader.schema) is not None or bool(_fields_named(clause, named))


def _fields_named(clause: Clause, target: str) -> list[tuple[str, SchemaPath]]:
    """Return the user's own fields that a target names, one after the other: 我的邮箱和手机号."""
    parts = [part for part in _AND.split(target) if part.strip()] if OWN_MEMORY.search(target) else []
    paths = [read_label(part, clause.reader.schema) for part in parts] if len(parts) > 1 else []
    named = [(part, path) for part, path in zip(parts, paths, strict=False) if path is not None]
    return named if len(named) == len(parts) else []


def _is_request(clause: Clause, verb: str, *, forgets: bool, kept: bool) -> bool:
    """手机号删了吧 asks for it; 我的密码忘了 tells of it."""
    asks = "吧" in verb or re.search(r"请|麻烦|帮我", clause.folded) is not None
    return asks or (kept and not forgets and re.search(r"删除|删掉|去掉|清除|清空|抹掉", verb) is not None)


def _is_wipe(target: str) -> bool:
    target = target.rstrip("吗么")
    return bool(zh.WIPE.fullmatch(target) or en.WIPE.fullmatch(target)) and bool(target.strip())


def _forget_target(clause: Clause, match: re.Match[str]) -> list[Command]:
    return _forget_words(clause, match, name="target")


def _forget_words(clause: Clause, match: re.Match[str], *, name: str) -> list[Command]:
    target = clause.words(match, name)
    stripped = target.strip(MARKS + "了掉吧")
    if _is_wipe(stripped) or _is_wipe(target):
        text = clause.verbatim(*match.span(name))
        return [clause.command("forget", text=text, value=EVERYTHING)]
    named = FORGET_TAIL.sub("", re.sub(r"^(?:了|掉)", "", target))
    path = read_label(named, clause.reader.schema) or read_label(target, clause.reader.schema)
    start, end = match.span(name)
    if path is None and (paths := _fields_named(clause, named)):
        return [clause.command("forget", text=part, path=each.path) for part, each in paths]
    memory = FORGET_MEMORY.match(clause.page.folded, start, end)
    start = memory.end() if memory else start
    is_behind = not _WORD.search(clause.page.folded, end, clause.span.end)
    tail = FORGET_TAIL_BEHIND if is_behind else FORGET_TAIL
    text = _clean(clause, start, end=end, lead=FORGET_LEAD, tail=tail) or clause.verbatim(start, end)
    bare = SAID_LEAD.sub("", text)
    if path is None:
        path = read_label(fold_aligned(bare), clause.reader.schema)
        text = text if path is None else bare
    return [clause.command("forget", text=text, path=path.path if path else None)] if text else []


def _clean(clause: Clause, start: int, *, end: int, lead: re.Pattern[str], tail: re.Pattern[str]) -> str:
    page = clause.page
    span = trim_span(page.text, start, end=end, marks=MARKS)
    begin = lead.match(page.folded, span.start, span.end)
    start = begin.end() if begin else span.start
    ending = tail.search(page.folded[: span.end], start)
    end = ending.start() if ending and ending.start() > start else span.end
    return clause.verbatim(start, end)


_RULES: Final[tuple[Rule, ...]] = (
    _leave_alone,
    _forget_all,
    _not_wanted,
    _undo,
    _reject,
    _stop_keeping,
    _keep_out,
    _forget_named_before,
    _forget,
    _delete,
)
_OF_DAILY_WORK: Final = frozenset({_forget_named_before, _forget, _delete})
"""Their verbs are said of a draft as well."""
