"""A value that is refused is told of in the words of JSON, with its place in the document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from api import schemas
from shared.errors import InvalidInput
from shared.ltm.schema import parse_schema
from shared.model.wrong_value import place_of, tell_wrong

WORDS_OF_PYTHON = re.compile(
    r"\b(?:str|int|bool|float|dict|dictionary|tuple|instance|boolean|NoneType|[Ii]nput|literal|List|Value|validation)\b"
    r"|list\[|function-|\bvalid (?:string|integer|number|list)\b"
)
BODIES = sorted(
    {
        each
        for each in vars(schemas).values()
        if isinstance(each, type) and issubclass(each, BaseModel) and each.__module__ == "api.schemas"
    },
    key=lambda each: each.__name__,
)
VALUES: list[Any] = [
    None,
    7,
    7.5,
    -1,
    True,
    "x",
    "",
    [],
    [7],
    [["x"]],
    [{}],
    {},
    {"x": 7},
    "x" * 20_000,
    [None] * 300,
]


def wrongs(body: type[BaseModel], document: Any) -> Iterator[str]:
    try:
        body.model_validate(document)
    except ValidationError as error:
        for each in error.errors():
            yield tell_wrong(place_of(each["loc"]) or "body", each)


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.__name__)
def test_no_body_is_refused_in_words_of_python(body: type[BaseModel]) -> None:
    documents = [*VALUES, {"no_such_name": 1}]
    documents += [{name: value} for name in body.model_fields for value in VALUES]
    told = {sentence for document in documents for sentence in wrongs(body, document)}
    assert told
    assert [sentence for sentence in told if WORDS_OF_PYTHON.search(sentence)] == []


def test_half_of_a_pair_is_told_as_such_wherever_a_text_may_stand() -> None:
    broken = "a\ud800"
    for body in BODIES:
        told = [sentence for name in body.model_fields for sentence in wrongs(body, {name: broken})]
        told += [
            sentence
            for name in body.model_fields
            for sentence in wrongs(body, {name: [broken]})
            if sentence.startswith(f"{name}.0")
        ]
        assert [sentence for sentence in told if "must be a text" in sentence] == []
    told = list(wrongs(schemas.TurnBody, {"message": "x", "timezone": broken}))
    assert told == ["timezone holds half of a surrogate pair (a broken emoji?); remove it and send again."]


@pytest.mark.parametrize(
    ("body", "document", "told"),
    [
        (schemas.TurnBody, {"message": 7}, "message must be a text."),
        (schemas.TurnBody, {}, "message is missing."),
        (schemas.TurnBody, {"message": "x", "metadata": []}, "metadata must be an object."),
        (schemas.TurnBody, {"message": "x", "stream": "yes"}, "stream must be true or false."),
        (schemas.TurnBody, {"message": "x", "teams": ["a"]}, "teams must be empty."),
        (schemas.TurnBody, [], "body must be an object."),
        (schemas.TurnBody, {"message": "x", "mesage": "y"}, "mesage is no name that is known here."),
        (schemas.MessagesBody, {"messages": {}}, "messages must be a list."),
        (schemas.MessagesBody, {"messages": []}, "messages must have at least 1 item."),
        (
            schemas.MessagesBody,
            {"messages": [{"role": "user", "content": 5}]},
            "messages.0.content must be a text, a list of parts, or null.",
        ),
        (
            schemas.MessagesBody,
            {"messages": [{"role": "user", "content": [{"type": 5}]}]},
            "messages.0.content.0.type must be a text.",
        ),
        (
            schemas.MessagesBody,
            {"messages": [{"role": "human", "content": "x"}]},
            "messages.0.role must be user, assistant, system or tool.",
        ),
        (schemas.SessionPatch, {"ttl_seconds": 1.5}, "ttl_seconds must be a whole number."),
        (schemas.SessionPatch, {"ttl_seconds": 0}, "ttl_seconds must be at least 1."),
        (schemas.MemoryBody, {"text": "x", "importance": "high"}, "importance must be a number."),
        (schemas.MemoryBody, {"text": "x", "importance": 2}, "importance must be at most 1."),
        (
            schemas.MemoryBody,
            {"text": "x", "expires_at": "2026-01-01"},
            "expires_at must name its time zone, as 2026-03-01T09:00:00Z does.",
        ),
        (schemas.SearchBody, {"query": "x" * 10_001}, "query must have at most 10000 characters."),
    ],
)
def test_a_wrong_value_is_told_with_its_place(body: type[BaseModel], document: Any, told: str) -> None:
    assert next(wrongs(body, document)) == told


PATH = {"path": "a.b", "type": "string"}


@pytest.mark.parametrize(
    ("document", "field", "told"),
    [
        ({"version": 1, "paths": 5}, "paths", "paths must be a list."),
        ({"version": 1, "paths": [{"path": "a.b"}]}, "paths.0.type", "paths.0.type is missing."),
        ({"version": 1, "paths": [{**PATH, "path": 5}]}, "paths.0.path", "paths.0.path must be a text."),
        (
            {"version": 1, "paths": [{**PATH, "labels": {"zh": "名"}}]},
            "paths.0.labels.zh",
            "paths.0.labels.zh must be a list.",
        ),
        (
            {"version": 1, "paths": [{**PATH, "expires": "soon"}]},
            "paths.0.expires",
            'paths.0.expires: it is "deadline", a time to live in whole seconds, or null.',
        ),
    ],
)
def test_a_wrong_schema_is_told_with_its_place(document: Any, field: str, told: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse_schema(document)
    assert (refused.value.field, refused.value.detail) == (field, told)


def test_the_place_of_a_value_is_bounded() -> None:
    assert len(place_of(["x" * 10_000, 3])) <= 200
