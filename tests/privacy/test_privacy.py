"""What is sensitive is found, what is secret never leaves, and masking is stable."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.privacy.classify import find_sensitive
from shared.privacy.mask import MASK, mask_secrets, mask_value

_LINES = (Path(__file__).parent / "sensitive.tsv").read_text(encoding="utf-8").splitlines()
ROWS = [line.replace("\\n", "\n").split("\t") for line in _LINES if line and not line.startswith("#")]


@pytest.mark.parametrize(("text", "want", "masked"), ROWS)
def test_sensitive_spans_and_masks_are_exact(text: str, want: str, masked: str) -> None:
    found = [f"{span.kind}:{text[span.start : span.end]}" for span in find_sensitive(text)]
    assert (" ".join(found) or "-") == want
    assert mask_secrets(text) == masked


@pytest.mark.parametrize(
    ("value", "sensitivity", "shown"),
    [
        ("dev@abc.com", "sensitive", "d***@abc.com"),
        ("13812345678", "sensitive", "138****5678"),
        ("+1 415-555-0100", "sensitive", "+1 41*-***-0100"),
        ("张三丰", "sensitive", "张***"),
        ("Amara Osei", "sensitive", "A***"),
        ("110101199003071234", "sensitive", "110101********1234"),
        (["dev@abc.com", "李雷"], "sensitive", ["d***@abc.com", "李***"]),
        (500000, "sensitive", MASK),
        ("110101199003071234", "secret", "110101********1234"),
        ("anything", "secret", MASK),
        ({"a": 1}, "secret", MASK),
        (500000, "internal", 500000),
        ("SaaS", "internal", "SaaS"),
        ("密码是abc123", "internal", "密码是******"),
        (True, "public", True),
        (None, "secret", None),
    ],
)
def test_audit_masks_by_sensitivity(value: object, sensitivity: str, shown: object) -> None:
    assert mask_value(value, sensitivity) == shown  # type: ignore[arg-type]


_SECRETS = st.sampled_from(
    [
        ("我的身份证号是{}，记住", "110101199003071234", "199003071"),
        ("身份证{}", "11010519491231002X", "19491231"),
        ("my card is {} ok", "4111 1111 1111 1111", "4111 1111"),
        ("卡号{}。", "6222021234567890123", "622202123"),
        ("密码是{}，谢谢", "Tr0ub4dor&3", "Tr0ub4dor"),
        ("my password is {}", "hunter2!x", "hunter2"),
        ("key {} here", "sk-test-0a1b2c3d4e5f6g7h8i9j", "0a1b2c3d"),
        ("api_key={}", "abcdef1234567890abcd", "abcdef1234"),
        ("postgres://bob:{}@db/x", "s3cr3tpw", "s3cr3tpw"),
    ]
)
_AROUND = st.text(alphabet=st.sampled_from("你好谢谢，。 \n（）请看一下"), max_size=30)


@settings(max_examples=300, deadline=None)
@given(_SECRETS, _AROUND, _AROUND)
def test_no_secret_stands_in_masked_text(secret: tuple[str, str, str], before: str, after: str) -> None:
    form, value, inner = secret
    masked = mask_secrets(f"{before}{form.format(value)} {after}")
    assert inner not in masked
    assert value not in masked
    assert masked.startswith(before)
    assert masked.endswith(after)


@settings(max_examples=300, deadline=None)
@given(
    st.text(max_size=200)
    | st.lists(_SECRETS, max_size=4).map(lambda all_: " ".join(f.format(v) for f, v, _ in all_))
)
def test_masking_twice_changes_nothing_and_spans_are_in_order(text: str) -> None:
    masked = mask_secrets(text)
    assert mask_secrets(masked) == masked
    spans = find_sensitive(text)
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(one.end <= other.start for one, other in pairwise(spans))
