"""The gate and what stands around it, over tables of both languages: each failure has its name."""

from __future__ import annotations

from datetime import date
from typing import cast, get_args

import pytest

from shared.extraction.candidates import Claim, relate
from shared.extraction.evidence import Batch, Grounded, check_evidence
from shared.extraction.evidence_checks import Reason
from shared.extraction.expiry import last_day_of
from shared.extraction.habits import find_choices
from shared.extraction.items import Item
from shared.extraction.kinds import settle_kind
from shared.extraction.quotes import Said
from shared.extraction.rules import MOST_ITEMS, rule_items
from shared.ltm.schema import DEFAULT_SCHEMA
from shared.model.memory import MemoryKind
from shared.privacy.classify import find_secrets
from tests.extraction.tables import read_table
from tests.stm.messages import make_message

DAY = date(2026, 3, 4)
KNOWN_LATER = {
    "duplicate",
    "gone",
    "tombstone",
    "contradicted",
    "outranked",
    "banned",
    "malformed",
    "surplus",
}


def batch_of(*texts: str, role: str = "user") -> Batch:
    said = [Said(number, f"msg_{number}", role, text, DAY) for number, text in enumerate(texts, start=1)]
    return Batch(said, DEFAULT_SCHEMA, find_secrets)


def item_of(what: str, quote: str, text: str, *, message: int | None = 1) -> Item:
    kind, _, path = what.partition(" ")
    if path:
        return Item(
            "set", quote, path=path, value=int(text) if text.isdecimal() else text, text=text, message=message
        )
    return Item("remember", quote, kind=cast("MemoryKind", kind), value=text, text=text, message=message)


@pytest.mark.parametrize(("said", "what", "quote", "text", "want"), read_table("evidence.tsv"))
def test_an_item_passes_or_fails_by_name(said: str, what: str, quote: str, text: str, want: str) -> None:
    checked = check_evidence(item_of(what, quote, text), batch_of(said))
    assert ("ok" if isinstance(checked, Grounded) else checked.reason) == want


def test_every_reason_of_the_gate_stands_in_the_table() -> None:
    shown = {row[4] for row in read_table("evidence.tsv")}
    elsewhere = {"unknown_message", "not_user"}
    assert shown | elsewhere | KNOWN_LATER >= set(get_args(Reason))


@pytest.mark.parametrize("role", ["assistant", "tool", "system"])
def test_what_others_said_is_never_evidence(role: str) -> None:
    item = item_of("fact", "I run a shop", "Runs a shop")
    checked = check_evidence(item, batch_of("I run a shop", role=role))
    assert not isinstance(checked, Grounded)
    assert checked.reason == "not_user"
    searched = check_evidence(
        item_of("fact", "I run a shop", "Runs a shop", message=None), batch_of("I run a shop", role=role)
    )
    assert not isinstance(searched, Grounded)
    assert searched.reason == "not_user"


@pytest.mark.parametrize("number", [0, 2, 99, -1])
def test_a_number_that_no_message_has_drops_the_item(number: int) -> None:
    checked = check_evidence(
        item_of("fact", "I run a shop", "Runs a shop", message=number), batch_of("I run a shop")
    )
    assert not isinstance(checked, Grounded)
    assert checked.reason == "unknown_message"


@pytest.mark.parametrize("unit", ["我们决定用第{}家供应商。", "We decided on the oak table number {}. "])
def test_rules_find_a_thing_once_and_a_hundred_things_of_a_message_at_most(unit: str) -> None:
    assert len(rule_items(make_message(1, "user", unit.format(7) * 200), number=1)) == 1
    many = "".join(unit.format(number) for number in range(200))
    found = [item.text for item in rule_items(make_message(1, "user", many), number=1)]
    assert len(found) == MOST_ITEMS
    assert "199" in found[-1]


def test_an_item_without_a_number_is_looked_for_the_newest_message_first() -> None:
    checked = check_evidence(
        item_of("fact", "I run a shop", "Runs a shop", message=None),
        batch_of("I run a shop", "hm", "Yes, I run a shop"),
    )
    assert isinstance(checked, Grounded)
    assert checked.said.number == 3


def test_a_standing_order_passes_flagged() -> None:
    for said, quote in (
        ("请以后都用英文回答我", "请以后都用英文回答我"),
        ("From now on always answer in English", "always answer in English"),
    ):
        checked = check_evidence(item_of("preference", quote, quote), batch_of(said))
        assert isinstance(checked, Grounded)
        assert checked.is_flagged


def test_the_middle_of_a_long_paste_is_no_evidence() -> None:
    text = (
        "Look at this. " + "The weather was mild. " * 90 + "I live in Oslo. " + "The weather was mild. " * 90
    )
    checked = check_evidence(item_of("fact", "I live in Oslo", "Lives in Oslo"), batch_of(text))
    assert not isinstance(checked, Grounded)
    assert checked.reason == "pasted"


def test_a_text_in_another_language_gives_way_to_the_users_words() -> None:
    quote = "我在澜舟建材上班，上司叫尉迟恒"
    checked = check_evidence(
        item_of("fact", quote, "Works at Lanzhou Building Materials, boss is Yuchi Heng"), batch_of(quote)
    )
    assert isinstance(checked, Grounded)
    assert checked.text == quote


@pytest.mark.parametrize(("new", "old", "want"), read_table("relations.tsv"))
def test_two_claims_stand_to_each_other_by_words_numbers_and_polarity(new: str, old: str, want: str) -> None:
    assert relate(Claim(new), Claim(old)) == want


@pytest.mark.parametrize(("said", "kind", "want"), read_table("lasting.tsv"))
def test_what_passes_has_an_end(said: str, kind: str, want: str) -> None:
    found = last_day_of(said, kind=cast("MemoryKind", kind), said_on=DAY)
    assert ("-" if found is None else found.isoformat()) == want


@pytest.mark.parametrize(("said", "claimed", "want"), read_table("kinds.tsv"))
def test_the_words_decide_the_kind(said: str, claimed: str, want: str) -> None:
    assert settle_kind(cast("MemoryKind", claimed), said) == want


@pytest.mark.parametrize(("said", "want"), read_table("habits.tsv"))
def test_choices_are_found_where_they_are_made(said: str, want: str) -> None:
    assert (" ".join(sorted(find_choices(said))) or "-") == want
