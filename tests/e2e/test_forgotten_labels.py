"""A forgotten field's number is looked for beside the labels that the tenant gave the field."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator

import pytest

from tests.e2e.stack import Stack
from tests.e2e.test_stm_cases import append

pytestmark = pytest.mark.e2e
BUDGET = "business_context.budget.ceiling"


@pytest.fixture(scope="module")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A stack without a model, whose tenant calls the budget 经费 and "spend cap"."""
    with Stack(tmp_path_factory.mktemp("labelled")) as stack, stack.admin() as admin:
        schema = admin.get("/v1/schema").json()
        for path in schema["paths"]:
            if path["path"] == BUDGET:
                path["labels"] = {"zh": ["经费"], "en": ["spend cap"]}
                path["aliases"] = []
        admin.put("/v1/schema", json={"version": 1, "paths": schema["paths"]}).raise_for_status()
        yield stack


@pytest.mark.parametrize(
    ("told", "other", "forget", "asked"),
    [
        pytest.param(
            "团队定的经费是7531元，下季度再看", "房租是7531元，月底付", "忘记我的经费", "经费是多少", id="zh"
        ),
        pytest.param(
            "The team set the spend cap at 7531 dollars",
            "The rent is 7531 dollars, paid monthly",
            "forget my spend cap",
            "what is the spend cap",
            id="en",
        ),
    ],
)
def test_neither_recall_nor_the_digest_tells_it_beside_the_tenants_label(
    labelled: Stack, told: str, other: str, forget: str, *, asked: str
) -> None:
    user = labelled.user(f"labels-{uuid.uuid4().hex[:8]}")
    append(user, "a", ("assistant", told), ("user", other))
    user.flush("a")
    user.client.put(f"/v1/fields/{BUDGET}", json={"value": 7531, "origin": "user"}).raise_for_status()
    assert told in user.texts(asked)
    done = user.turn("b", forget)
    assert [(each["kind"], each["outcome"]) for each in done["commands"]] == [("forget", "applied")]
    assert told not in user.texts(asked)
    assert other in user.texts(other)
    user.flush("a")
    user.flush("b")
    prompt = user.prompt("new", "hm")
    assert told not in prompt
    assert re.split("[，,]", other)[0] in prompt
    assert json.dumps(user.fields()) == "{}"
