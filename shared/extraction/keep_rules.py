"""Commands that keep: remember, set, append, remove, corrections, and from-now-on rules.

Each rule looks at one clause and answers where its payload begins, or the finished commands.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from shared.errors import InvalidInput
from shared.extraction import command_words_en as en
from shared.extraction import command_words_zh as zh
from shared.extraction.assignments import is_of_any_page, read_assignment, read_label, read_value
from shared.extraction.clause import Clause
from shared.extraction.command import NEEDS_TIME, Command
from shared.extraction.list_rules import add_items, remove_items
from shared.extraction.pages import FILLER, Span
from shared.extraction.repairs import last_value
from shared.language.model_orders import is_planted
from shared.ltm.schema import Schema, SchemaPath, normalise_value

_RECALL_CHARS: Final = 12
_UPDATES: Final = frozenset({"更新", "update", "correct"})


@dataclass(frozen=True, slots=True)
class Opening:
    """A verb of keeping was read; what it keeps stands from `start` on, to the next command or the end."""

    start: int
    must_assign: bool = False
    needs_verb: bool = False
    is_polite: bool = False
    is_favour: bool = False
    is_correction: bool = False
    is_rule: bool = False
    skip: Span | None = None

    @property
    def takes_lines(self) -> bool:
        """False for a correction and for a rule from now on: they are one sentence."""
        return not self.is_correction and not self.is_rule


Keep = Opening | list[Command]
Rule = Callable[[Clause], Keep | None]


def keep(clause: Clause) -> Keep | None:
    """What the clause opens or commands if it keeps something; None where it is none of these."""
    for rule in _RULES:
        found = rule(clause)
        if found is not None:
            return found
    return None


def is_trailing(clause: Clause) -> bool:
    """True for a clause that asks to keep what was said before: …，帮我记一下 / …, keep that in mind."""
    if zh.NOTED.fullmatch(clause.page.open, clause.span.start, clause.span.end):
        return False
    for pattern in (zh.TRAILING, en.TRAILING):
        match = pattern.match(clause.page.open, clause.span.start, clause.span.end)
        if match is None or match.end() != clause.span.end:
            continue
        return not (zh.WEAK_TRAILING.search(match[0]) and not zh.REQUEST.search(match[0]))
    return False


def _set(clause: Clause) -> Keep | None:
    match = clause.match(zh.SET) or clause.match(zh.SET_AT)
    if match is not None:
        path = read_label(clause.words(match, "label"), clause.reader.schema)
        if path is not None and not _is_of_work(clause.words(match, "label")):
            return _set_value(clause, path, span=Span(match.end(), clause.span.end), verb=match["verb"])
    if clause.match(zh.NOTE_AS):
        return Opening(clause.span.start)
    for pattern in (zh.SET_IT, en.SET_IT):
        match = clause.match(pattern)
        path = clause.field_before if match is not None else None
        if match is not None and path is not None:
            return _set_value(clause, path, span=Span(match.end(), clause.span.end), verb="")
    match = clause.match(en.USE_AS)
    path = read_label(clause.words(match, "label"), clause.reader.schema) if match is not None else None
    if match is not None and path is not None and not _is_of_work(clause.words(match, "label")):
        return _set_value(clause, path, span=Span(*match.span("value")), verb="use")
    return None


def _is_of_work(label: str) -> bool:
    """True where what is to be set is a name, a stage, a scope of the work at hand: 把名字设为total."""
    return is_of_any_page(label.strip(" 的").removeprefix("the "), label)


def _set_value(clause: Clause, path: SchemaPath, *, span: Span, verb: str) -> list[Command]:
    value = read_value(clause.page, span, path=path, reader=clause.reader)
    if value is None and path.is_list:
        try:
            value = normalise_value(path, clause.page.text[span.start : span.end], today=clause.reader.today)
        except InvalidInput:
            value = None
    if value is None:
        return _lacking_clock(clause, path, span=span)
    return [_with_update(_set_last(clause, path, value=value), verb)]


def _lacking_clock(clause: Clause, path: SchemaPath, *, span: Span) -> list[Command]:
    """The command that gives a moment its day alone: 把会议时间定在明天 / set the meeting to tomorrow."""
    if path.type != "datetime":
        return []
    day = read_value(clause.page, span, path=_as_day(path), reader=clause.reader)
    return [] if day is None else [clause.command("set", text=day, value=NEEDS_TIME, path=path.path)]


def _as_day(path: SchemaPath) -> SchemaPath:
    return path.model_copy(update={"type": "date"})


def _lacking_clock_first(clause: Clause, start: int) -> list[Command]:
    """As `_lacking_clock`, where the label is still to be found behind the verb."""
    moments = [path for path in clause.reader.schema.paths if path.type == "datetime"]
    if not moments:
        return []
    days = replace(clause.reader, schema=Schema(paths=tuple(map(_as_day, moments))))
    said = read_assignment(clause.page, Span(start, clause.span.end), reader=days)
    if said is None or not said.is_labelled:
        return []
    return [clause.command("set", text=said.value, value=NEEDS_TIME, path=said.path.path)]


def _set_last(clause: Clause, path: SchemaPath, *, value: Any) -> Command:
    """The command with the value that stands last: set the budget to 500k, no, 600k."""
    later = last_value(clause.page, clause.span, sentence=clause.sentence, path=path, reader=clause.reader)
    if later is None:
        return clause.command("set", text=str(value), value=value, path=path.path)
    made = clause.command("set", text=str(later[0]), value=later[0], path=path.path)
    return replace(made, quote=clause.page.text[made.start : later[1]], end=later[1])


def _set_first(clause: Clause) -> Keep | None:
    for pattern in (zh.SET_FIRST, en.SET_FIRST):
        match = clause.match(pattern)
        if match is None:
            continue
        assignment = read_assignment(clause.page, Span(match.end(), clause.span.end), reader=clause.reader)
        if assignment is None:
            lacking = _lacking_clock_first(clause, match.end())
            if lacking:
                return lacking
            continue
        if not (assignment.is_labelled and assignment.is_owned):
            continue
        made = _set_last(clause, assignment.path, value=assignment.value)
        return [_with_update(made, match["verb"])]
    return None


def _with_update(command: Command, verb: str) -> Command:
    if verb not in _UPDATES and not verb.startswith(("更新", "更正", "修正")):
        return command
    return replace(command, is_correction=True)


def _remember_target(clause: Clause) -> Keep | None:
    match = clause.match(zh.TO_TARGET)
    if match is None:
        return None
    start, end = match.span("target")
    asked = zh.REQUEST.search(match[0][: start - match.start()]) is not None
    introduces = clause.page.folded[match.end() : match.end() + 1] in {":", "："}
    if not (asked or introduces) and (len(clause.page.sentences) > 1 or len(clause.sentence.clauses) > 1):
        return []
    if match[0].rstrip().endswith("了") and not asked:
        return []
    if not _says(clause, start, end=end):
        return Opening(match.end(), is_favour=True)
    return Opening(start, is_favour=True, skip=Span(end, match.end()))


def _note_field(clause: Clause) -> Keep | None:
    match = zh.NOTE_FIELD.match(clause.page.open, clause.span.start, clause.sentence.end)
    if match is None or read_label(clause.words(match, "label"), clause.reader.schema) is None:
        return None
    return Opening(match.start("label"), is_favour=True, skip=Span(*match.span("verb")))


def _says(clause: Clause, start: int, *, end: int) -> bool:
    words = clause.page.folded[start:end]
    return re.fullmatch(r"(?:这|那|它|他|她|刚才|上面|以上|我说|这些|下面|以下).{0,8}", words) is None


def _remember(clause: Clause) -> Keep | None:
    match = clause.match(zh.REMEMBER)
    if match is not None:
        polite, favour = match["polite"] is not None, match["favour"] is not None
        weak = match["weak"] is not None and not _is_told(clause, match)
        return Opening(match.end(), is_polite=polite, is_favour=favour, must_assign=weak)
    match = clause.match(zh.KEEP_MIND)
    if match is not None:
        return Opening(match.end())
    match = clause.match(zh.RECALL_VERB)
    if match is not None:
        recalls = zh.RECALLING.search(clause.page.folded, clause.span.start, match.end() + _RECALL_CHARS)
        told = zh.REMINISCES.fullmatch(clause.page.folded, match.end(), clause.span.end)
        return [] if recalls or told else Opening(match.end())
    match = clause.match(zh.REMEMBER_TO)
    if match is not None and _is_whole_message(clause):
        recalls = zh.RECALLING.search(clause.page.folded, clause.span.start, clause.span.end)
        return [] if recalls else Opening(match.end())
    return _remember_english(clause)


def _is_whole_message(clause: Clause) -> bool:
    """True where nothing else is said, and nothing is asked: of a letter one says 记得加上日期 too."""
    is_only = len(clause.page.sentences) == len(clause.sentence.clauses) == 1
    return is_only and not clause.sentence.is_marked_question


def _is_told(clause: Clause, match: re.Match[str]) -> bool:
    """True where a verb that also means one's own notes (记下, 记录一下) is said to the memory."""
    if clause.page.folded[match.end() : match.end() + 1] in {"", ":", "：", ",", "，", "\n"}:
        return True
    said = (clause.page.open, match.end(), clause.span.end)
    notes_down = match["weak"].startswith(("记下", "记上"))
    if notes_down and (zh.SAYS_SOMETHING.search(*said) or zh.THIS_QUESTION.match(*said)):
        return True
    leads = clause.span.start == clause.sentence.start or zh.REQUEST.search(match[0]) is not None
    return leads and zh.OWN_WORDS.match(clause.page.folded, match.end(), clause.span.end) is not None


def _remember_english(clause: Clause) -> Keep | None:
    match = clause.match(en.REMEMBER)
    if match is None:
        match = clause.match(en.KEEP_MIND)
    if match is None:
        return None
    if en.TITLE.match(clause.page.text, clause.span.start, clause.span.end):
        return []
    if en.NOTICE.match(clause.page.folded, clause.span.start, clause.span.end):
        return []
    if en.REMINISCES.fullmatch(clause.page.folded, match.end(), clause.span.end):
        return []
    says_that = match[0].rstrip().endswith("that")
    is_told = says_that or is_planted(clause.page.folded[match.end() : clause.sentence.end])
    if not is_told and en.NOT_CONTENT.match(clause.page.folded, match.end(), clause.span.end):
        return []
    opening = _opening(clause, match)
    to_do = en.TO_DO.match(clause.page.folded, match.end(), clause.span.end)
    return replace(opening, start=to_do.end(), needs_verb=False) if to_do else opening


def _opening(clause: Clause, match: re.Match[str]) -> Opening:
    words = match[0]
    payload = clause.page.open[match.end() : clause.span.end]
    says_something = en.NOTES.search(words) and en.FINITE.search(payload)
    holds_value = FILLER in payload and en.NOTES.search(words)
    introduced = words.rstrip().endswith((":", "that", "-", ",")) and not words.rstrip().endswith("note,")
    return Opening(
        match.end(),
        must_assign=en.MUST_ASSIGN.search(words) is not None and not (holds_value or says_something),
        needs_verb=not introduced,
        is_polite=match.groupdict().get("polite") is not None,
    )


_FOR_US: Final = re.compile(
    r"你|您|请|[叫给帮对跟和回问为替让]我|我(?:说|问|让|叫|发)|别|不要|不用|不许|勿|回[答复]|输出|报价|提醒|称呼|推荐|默认|先(?:给|问|说|讲|用)|用.{0,12}(?:回|写|说|表示|格式|展示|显示|语|文|币|元|列|单位)"
    r"|都用(?![来于])|简[短洁要]|详细|中文|英文|英语|语气|格式|表格|列表|单位|结论|markdown|typescript|每次|一律|统一|按.{1,6}算"
)
"""What shows that 以后… tells the assistant what to do, and is no plan of the user's own: 以后按时吃饭."""


def _from_now(clause: Clause) -> Keep | None:
    for pattern in (zh.FROM_NOW, en.FROM_NOW):
        match = pattern.match(clause.page.open, clause.span.start, clause.sentence.end)
        if match is not None:
            name = "clause" if match["clause"] else "tail"
            is_plan = _FOR_US.search(clause.page.open, match.start(), clause.sentence.end) is None
            return None if is_plan and pattern is zh.FROM_NOW else Opening(match.start(name), is_rule=True)
    return None


def _correct(clause: Clause) -> Keep | None:
    for pattern in (zh.CORRECTION, en.CORRECTION):
        match = pattern.match(clause.page.open, clause.span.start, clause.sentence.end)
        if match is not None:
            return Opening(match.end(), is_correction=True, needs_verb=True)
    return None


_RULES: Final[tuple[Rule, ...]] = (
    add_items,
    remove_items,
    _remember_target,
    _note_field,
    _set,
    _set_first,
    _correct,
    _from_now,
    _remember,
)
