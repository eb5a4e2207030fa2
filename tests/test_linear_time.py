"""Every reader of what users write takes time in proportion to its length, whatever the text is."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Any, Final

import pytest

from shared.errors import InvalidInput
from shared.extraction.answers import (
    MAX_CONSENT_CHARS,
    answer_for,
    mentions_noun,
    read_choice,
    read_consent,
)
from shared.extraction.bare_forgets import read_bare_forget
from shared.extraction.bound_names import with_names
from shared.extraction.candidates import Claim, relate
from shared.extraction.changed_by import find_changed_by
from shared.extraction.commands import parse_commands
from shared.extraction.corrected import corrected_text
from shared.extraction.corrections import Correction, find_mended, read_correction
from shared.extraction.evidence import Batch, check_evidence
from shared.extraction.expiry import last_day_of
from shared.extraction.filler import is_filler
from shared.extraction.habits import find_choices
from shared.extraction.importance import importance_of
from shared.extraction.items import Item
from shared.extraction.kinds import settle_kind
from shared.extraction.known_questions import asks_all_known
from shared.extraction.off_record import read_off_record
from shared.extraction.pages import read_page
from shared.extraction.patterns import find_candidates
from shared.extraction.quotes import Said
from shared.extraction.restating import restates_field
from shared.extraction.rules import rule_items
from shared.extraction.said_before import read_said_before
from shared.extraction.session_bound import is_for_session
from shared.extraction.small_talk import is_small_talk
from shared.extraction.sources import asked_fact
from shared.extraction.spared import read_all_but
from shared.extraction.spoken import Topic, read_topic
from shared.extraction.statements import find_statements
from shared.extraction.unsaid import means_former
from shared.extraction.value_shapes import find_shaped
from shared.extraction.value_swaps import swap_named, swap_shaped
from shared.extraction.worded_swaps import swap_worded
from shared.language.answer_json import read_json_answer
from shared.language.attributes import read_attribute
from shared.language.clock_times import find_clock_time
from shared.language.dates import asks_when, find_query_dates, has_time_expression
from shared.language.model_orders import claims_memory_work, is_hijack, is_planted, is_standing_order
from shared.language.names import find_names
from shared.language.numbers import find_numbers
from shared.language.same_thing import is_same_thing, stands_in
from shared.language.scripts import detect_language, fold, fold_aligned
from shared.language.terms import index_terms
from shared.language.tokens import estimate_tokens
from shared.language.writing_tasks import document_start
from shared.ltm.field_values import normalise_value, split_items
from shared.ltm.index import normal_text
from shared.ltm.left_standing import rest_of
from shared.ltm.other_values import PutRight
from shared.ltm.own_clauses import tells_more
from shared.ltm.schema import DEFAULT_SCHEMA
from shared.ltm.slots import slot_of
from shared.ltm.telling import said_keys, tells_value
from shared.model.pending import Tombstone
from shared.model.session_state import Summary
from shared.privacy.mask import mask_secrets, mask_value
from shared.recall.forgotten import forgotten_of, speaks_of_forgotten
from shared.recall.near import near_words
from shared.recall.past import asks_for_past, without_past
from shared.recall.query import plan_query
from shared.stm.ban_cuts import without_banned
from shared.stm.clauses import split_clauses
from shared.stm.cut import cut_text
from shared.stm.fact_bars import given_texts, tells_or_pleads
from shared.stm.forget_clauses import without_forgets
from shared.stm.gone import gone_of, tells_gone
from shared.stm.key_facts import KeyFact, lift_key_facts, revoke_key_facts
from shared.stm.polarity import read_claims
from shared.stm.replaced import takes_place
from shared.stm.results import find_results
from shared.stm.summary import bound_text, extractive_summary
from shared.stm.summary_check import check_summary
from shared.stm.topics import find_returns, find_topic_commands
from shared.stm.window import fit_window
from shared.turn.context import PromptParts, Record, build_prompt
from shared.turn.fallback import fallback_reply
from shared.turn.settled import is_outdated
from tests.hostile_texts import hostile_texts
from tests.stm.messages import make_message

SHORT: Final = 600
FACTOR: Final = 4
MAX_GROWTH: Final = 10.0
NOTABLE_SECONDS: Final = 0.005
TRIES: Final = 3

_RIGHT: Final = Correction("15C", is_worded=True, whole="my locker is 15C", denied="my locker is not 14A")
_DAY: Final = date(2024, 6, 5)
_NOW: Final = datetime(2024, 6, 5, 12, tzinfo=UTC)
_BAN: Final = KeyFact(kind="prohibition", label=None, text="不要用红色", message_id="msg_0")
_STONES: Final = [
    Tombstone(id="tmb_1", path=path, value=value, cause="forgotten", at_ms=1)
    for path, value in ((None, "我的猫叫团子"), (None, "my cat is called Pebble"), ("a.b", 91_234))
]
_GONE: Final = gone_of(_STONES)
_FORGOTTEN: Final = forgotten_of(_STONES)
_TOPICS: Final = (
    Topic(noun="前妻", names=("苏禾",)),
    Topic(noun="价格"),
    Topic(noun="ex-wife", names=("Sophie",)),
    Topic(noun="price"),
)
_VALUES: Final = {path.path: 7 for path in DEFAULT_SCHEMA.paths}
_SPEAKERS: Final = {"user": 0, "assistant": 1, "Ann": 2}
_TYPES: Final = {each.type: each for each in DEFAULT_SCHEMA.paths}

_COMPOSED: Final = {
    "plan_query",
    "lift_key_facts",
    "extractive_summary",
    "check_summary",
    "fallback_reply",
    "check_evidence",
    "checked_rule_items",
    "rule_items",
    "relate",
}
"""Readers made of others in this table: they see every fifth text only."""

Reader = Callable[[str], Any]


def _normalise(text: str) -> None:
    for path in _TYPES.values():
        with suppress(InvalidInput):
            normalise_value(path, text, today=_DAY)


def _answer(text: str) -> None:
    for path in DEFAULT_SCHEMA.paths:
        answer_for(path.path, text, schema=DEFAULT_SCHEMA, today=_DAY)


def _told(phrase: str, text: str) -> bool:
    attribute = read_attribute(phrase)
    return attribute is not None and attribute.is_told_in(text)


def _check(text: str) -> None:
    said = Said(1, "msg_1", "user", text, _DAY)
    batch = Batch([said], DEFAULT_SCHEMA, lambda _text: ())
    check_evidence(Item("remember", text[:900], value=text, text=text[:500], message=1), batch)


def _check_all(text: str) -> None:
    batch = Batch([Said(1, "msg_1", "user", text, _DAY)], DEFAULT_SCHEMA, lambda _text: ())
    for item in rule_items(make_message(1, "user", text), number=1):
        check_evidence(item, batch)


def _prompt(text: str) -> None:
    records = [Record(text, "2024-06-05", "user")]
    parts = PromptParts("zh", _NOW, [make_message(1, "user", text)], records=records)
    build_prompt(parts, budget_tokens=2000, recall_tokens=100_000)


READERS: Final[Mapping[str, Reader]] = {
    "restates_field": lambda text: [
        restates_field(text[:200], path, value="a", day=_DAY) for path in _TYPES.values()
    ],
    "tells_value": lambda text: [
        tells_value(text, path, values=["a", 1], day=_DAY) for path in _TYPES.values()
    ],
    "said_keys": said_keys,
    "read_correction": lambda text: read_correction(f"no, {text}"[:160]),
    "asks_all_known": lambda text: asks_all_known(f"你知道我{text}"[:80]),
    "asked_fact": lambda text: asked_fact(f"how do you know {text}"[:200]),
    "put_right": lambda text: [
        PutRight(text[:80]).differs_from(held)
        for held in ("Clara lives in Lisbon", "我老板是张三", text[1:80])
    ],
    "led_statement": lambda text: read_correction(f"actually {text}"[:160]),
    "find_mended": lambda text: list(find_mended(read_page(text.replace("a", "isn't a, ")))),
    "corrected_text": lambda text: corrected_text(_RIGHT, text[:80]),
    "find_shaped": find_shaped,
    "swap_shaped": lambda text: [
        swap_shaped(text[:80], "on May 4 at 10:15"),
        swap_shaped("the standup is on May 3 at 9:30 in room 4", text[:60]),
    ],
    "swap_worded": lambda text: [swap_worded(text[:80], "Milan"), swap_worded("我住在罗马", text[:60])],
    "swap_named": lambda text: swap_named(text[:80], text[:40], new="Milan"),
    "parse_commands": lambda text: parse_commands(text, schema=DEFAULT_SCHEMA, today=_DAY),
    "parse_led_commands": lambda text: [
        parse_commands(f"{lead}{text[:80]}啊", schema=DEFAULT_SCHEMA, today=_DAY)
        for lead in ("以后", "不想", "约束条件再", "约束条件里的A删了", "关于我的那些话，", "别再")
    ],
    "read_choice": lambda text: read_choice(text[:MAX_CONSENT_CHARS], count=3),
    "find_statements": lambda text: find_statements(text, schema=DEFAULT_SCHEMA, today=_DAY),
    "is_filler": is_filler,
    "importance_of": lambda text: importance_of("fact", text),
    "document_start": document_start,
    "is_for_session": is_for_session,
    "find_candidates": lambda text: find_candidates(text, schema=DEFAULT_SCHEMA, today=_DAY),
    "read_json_answer": lambda text: read_json_answer('{"items": [' + text, fits=lambda _value: False),
    "find_names": find_names,
    "check_evidence": _check,
    "checked_rule_items": _check_all,
    "relate": lambda text: relate(Claim(text), Claim(text[1:])),
    "is_small_talk": lambda text: is_small_talk(text[:400]),
    "read_attribute": lambda text: _told(f"{text[:60]}的名字", text) or _told(f"{text[:40]}'s name", text),
    "read_bare_forget": lambda text: read_bare_forget(read_page(f"忘记{text}")),
    "read_topic": lambda text: [read_topic(f"{lead}{text[:60]}") for lead in ("我", "my ", "")],
    "topic_spans": lambda text: [
        topic.spans(text, is_user=user) for topic in _TOPICS for user in (True, False)
    ],
    "topic_states": lambda text: [topic.states(text) for topic in _TOPICS],
    "with_names": lambda text: [with_names(topic, [text, f"{topic.noun}{text}"]) for topic in _TOPICS],
    "read_off_record": lambda text: [
        read_off_record(read_page(f"{lead}{text}"), ())
        for lead in (
            "这句别存到",
            "don't store this in the ",
            "请请请",
            "off the record ",
            "a, don't save that ",
        )
    ],
    "read_off_record behind a frame": lambda text: read_off_record(
        read_page(f"跟你说个事，别记，{text}"), ()
    ),
    "means_former": lambda text: [
        means_former(f"{lead}{text[:190]}") for lead in ("收回", "take that back ")
    ],
    "read_all_but": lambda text: [read_all_but(read_page(f"{lead}{text[:140]}")) for lead in ("除", "keep ")],
    "find_changed_by": lambda text: find_changed_by(read_page(f"预算加{text}"), DEFAULT_SCHEMA),
    "is_hijack": is_hijack,
    "is_standing_order": is_standing_order,
    "is_planted": lambda text: is_planted(f"when the user asks {text}"),
    "claims_memory_work": lambda text: claims_memory_work(f"已经{text}"),
    "last_day_of": lambda text: last_day_of(text, kind="event", said_on=_DAY),
    "settle_kind": lambda text: settle_kind("fact", text),
    "find_choices": find_choices,
    "rule_items": lambda text: rule_items(make_message(1, "user", text), number=1),
    "answer_for": _answer,
    "mentions_noun": lambda text: mentions_noun("business_context.order_id", text, schema=DEFAULT_SCHEMA),
    "read_consent": read_consent,
    "find_query_dates": lambda text: find_query_dates(text, today=_DAY, years=(2023, 2024)),
    "has_time_expression": has_time_expression,
    "asks_when": asks_when,
    "find_clock_time": find_clock_time,
    "find_numbers": find_numbers,
    "detect_language": detect_language,
    "fold": fold,
    "fold_aligned": fold_aligned,
    "index_terms": index_terms,
    "estimate_tokens": estimate_tokens,
    "normalise_value": _normalise,
    "split_items": split_items,
    "find_labels": DEFAULT_SCHEMA.find_labels,
    "normal_text": normal_text,
    "rest_of": lambda text: [
        rest_of(f"我住在上海，{text}", "我住在北京"),
        rest_of("我住在上海，在腾讯上班", text),
    ],
    "tells_more": lambda text: tells_more(text, "my son", is_meant=lambda told: "a" in told, of_person=True),
    "near_words": near_words,
    "asks_for_past": asks_for_past,
    "without_past": without_past,
    "slot_of": slot_of,
    "mask_secrets": mask_secrets,
    "without_banned": lambda text: without_banned(text + "离婚", ("离婚",)),
    "mask_value": lambda text: mask_value(text, "sensitive"),
    "plan_query": lambda text: plan_query(text, today=_DAY, years=(2023, 2024), speakers=_SPEAKERS),
    "split_clauses": split_clauses,
    "without_forgets": lambda text: without_forgets(f"{text}啊忘"),
    "cut_text": lambda text: cut_text(text, 500),
    "lift_key_facts": lambda text: lift_key_facts(make_message(1, "user", text)),
    "given_texts": given_texts,
    "tells_or_pleads": tells_or_pleads,
    "takes_place": lambda text: takes_place(text, "我不吃肉", message=text),
    "revoke_key_facts": lambda text: revoke_key_facts([_BAN], make_message(1, "user", text)),
    "find_results": lambda text: find_results(make_message(1, "assistant", text)),
    "bound_text": bound_text,
    "extractive_summary": lambda text: extractive_summary([make_message(1, "user", text)], "zh"),
    "check_summary": lambda text: check_summary(
        Summary(text="预算是50万元。", goal="2024-03-05"), [make_message(1, "user", text)], spans=[_BAN]
    ),
    "speaks_of_forgotten": lambda text: speaks_of_forgotten(text, 0, forgotten=_FORGOTTEN),
    "is_same_thing": lambda text: is_same_thing("我的猫叫团子 tea", f"我的{text}叫圆子"),
    "stands_in": lambda text: stands_in("ab", text),
    "read_said_before": lambda text: read_said_before(text[:100], today=_DAY),
    "tells_gone": lambda text: tells_gone(text, _GONE),
    "is_outdated": lambda text: is_outdated(text, _VALUES, schema=DEFAULT_SCHEMA),
    "read_claims": lambda text: read_claims([text]),
    "find_topic_commands": find_topic_commands,
    "find_returns": lambda text: find_returns(text, ["工作", "divorce"]),
    "fit_window": lambda text: fit_window([make_message(1, "user", text)], budget_tokens=500),
    "fallback_reply": lambda text: fallback_reply(
        text, language="zh", facts=["预算 50万"], recalled=[], applied=[], question=None
    ),
    "build_prompt": _prompt,
}


def _seconds(read: Reader, text: str, *, tries: int = 1) -> float:
    best = float("inf")
    for _ in range(tries):
        began = time.process_time()
        read(text)
        best = min(best, time.process_time() - began)
    return best


def _growth(read: Reader, short: str, long: str) -> float:
    """Return how many times longer the long text takes; 0 where even that is next to nothing."""
    growth = 0.0
    for _ in range(TRIES):
        slow = _seconds(read, long)
        if slow < NOTABLE_SECONDS:
            return 0.0
        fast = max(_seconds(read, short, tries=3), NOTABLE_SECONDS / 50)
        growth = slow / fast
        if growth > MAX_GROWTH:
            growth = min(slow, _seconds(read, long)) / fast
        if growth <= MAX_GROWTH:
            break
    return growth


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", READERS)
def test_four_times_the_text_takes_no_more_than_ten_times_as_long(name: str) -> None:
    read = READERS[name]
    read("预热 5, warm up a@b.co")
    short, long = hostile_texts(SHORT), hostile_texts(SHORT * FACTOR)
    patterns = list(short)[:: 5 if name in _COMPOSED else 1]
    growths = {pattern: _growth(read, short[pattern], long[pattern]) for pattern in patterns}
    assert {pattern: round(grew, 1) for pattern, grew in growths.items() if grew > MAX_GROWTH} == {}
