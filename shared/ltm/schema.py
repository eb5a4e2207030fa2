"""The schema: which fields may be stored at all, and how people call them.

An unknown path is refused with the nearest valid one. Labels are found in folded text (預算 = 预算), the
longest first, Latin ones at word borders. Invariant: no path twice, none inside another.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final, NamedTuple

from pydantic import Field, ValidationError, model_validator

from shared.errors import InvalidInput
from shared.language.scripts import fold, fold_aligned
from shared.ltm.default_schema import DEFAULT_PATHS
from shared.ltm.field_values import normalise_value, show_value, split_items
from shared.ltm.raw_words import RawWords
from shared.ltm.schema_path import Labels, SchemaPath
from shared.model.base import Value
from shared.model.wrong_value import place_of, tell_wrong

__all__ = [
    "DEFAULT_SCHEMA",
    "LabelSpan",
    "Labels",
    "Schema",
    "SchemaPath",
    "normalise_value",
    "parse_schema",
    "show_value",
    "split_items",
    "vanished_paths",
]

MAX_PATHS: Final = 200
_SPACES: Final = re.compile(r"[\s_]+")


class LabelSpan(NamedTuple):
    """A label of a path as it stands in a text, at [start:end]."""

    path: SchemaPath
    start: int
    end: int
    words: str = ""


class Schema(Value):
    """All fields of a tenant, and the version of their list."""

    version: int = Field(default=1, ge=1)
    paths: tuple[SchemaPath, ...] = Field(max_length=MAX_PATHS)

    @model_validator(mode="after")
    def _check_paths(self) -> Schema:
        seen: set[str] = set()
        for each in self.paths:
            if each.path in seen:
                raise ValueError(f"the path {each.path} stands twice")
            seen.add(each.path)
        for each in self.paths:
            parent = each.path
            while "." in parent:
                parent = parent.rpartition(".")[0]
                if parent in seen:
                    raise ValueError(f"the path {each.path} lies inside {parent}")
        return self

    def find(self, path: str) -> SchemaPath:
        """The path of this name.

        Raises:
            InvalidInput: there is none (code `unknown_path`); the nearest valid one is named.
        """
        found = self._by_path.get(path)
        if found is not None:
            return found
        near = self.nearest(path)
        hint = f" Did you mean {near}?" if near else ""
        raise InvalidInput(f"The schema has no such path.{hint}", code="unknown_path", field="path")

    def nearest(self, path: str) -> str | None:
        """The valid path that a mistyped one most likely means; None for an empty schema."""
        wanted = path[:200].lower().removesuffix("[]")
        leaves = {each.path: each.leaf for each in self.paths}
        return max(
            leaves,
            key=lambda each: (
                difflib.SequenceMatcher(None, wanted, each).ratio()
                + difflib.SequenceMatcher(None, wanted.rpartition(".")[2], leaves[each]).ratio()
            ),
            default=None,
        )

    def path_for_label(self, text: str) -> SchemaPath | None:
        """The path whose label, alias or name the whole text is; None where it is none."""
        return self._by_label.get(_normal_label(text))

    def find_labels(self, text: str) -> list[LabelSpan]:
        """The labels in a text, in order; of overlapping ones the longest that starts first."""
        return self.find_folded_labels(fold_aligned(text))

    def find_folded_labels(self, folded: str) -> list[LabelSpan]:
        """As `find_labels`, for a text that `fold_aligned` has already folded."""
        found: list[LabelSpan] = []
        for place in self._raw_labels.places_in(folded):
            if found and place < found[-1].end:
                continue
            match = self._labels.match(folded, place)
            if match is not None:
                words = _normal_label(match[0])
                found.append(LabelSpan(self._by_label[words], *match.span(), words))
        return found

    def may_hold_label(self, text: str) -> bool:
        """False where a raw text holds no label in any script or case: cheap, folds nothing."""
        return self._raw_labels.occur_in(text)

    @cached_property
    def label_names(self) -> tuple[str, ...]:
        """Every label, alias and name of a path, folded."""
        return tuple(self._by_label)

    @cached_property
    def _raw_labels(self) -> RawWords:
        return RawWords(self._by_label)

    @cached_property
    def _by_path(self) -> dict[str, SchemaPath]:
        return {each.path: each for each in self.paths}

    @cached_property
    def _by_label(self) -> dict[str, SchemaPath]:
        found: dict[str, SchemaPath] = {}
        for each in self.paths:
            for name in each.names:
                found.setdefault(_normal_label(name), each)
        return found

    @cached_property
    def _labels(self) -> re.Pattern[str]:
        names = sorted(self._by_label, key=len, reverse=True)
        return re.compile("|".join(map(_label_pattern, names)) or r"(?!)")


DEFAULT_SCHEMA: Final = Schema(version=1, paths=DEFAULT_PATHS)


def parse_schema(document: Mapping[str, Any]) -> Schema:
    """A schema from a JSON document.

    Raises:
        InvalidInput: the document is no schema; `field` names the place, as `paths.3.type`.
    """
    try:
        return Schema.model_validate(document)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = place_of(first["loc"]) or "schema"
        raise InvalidInput(tell_wrong(place, first), field=place) from None


def vanished_paths(old: Schema, new: Schema) -> tuple[str, ...]:
    """The paths of `old` that `new` no longer has, or has with another type: their values need a decision."""
    kept = {each.path: each.type for each in new.paths}
    return tuple(each.path for each in old.paths if kept.get(each.path) != each.type)


def _normal_label(text: str) -> str:
    return _SPACES.sub(" ", fold(text)).strip()


def _label_pattern(name: str) -> str:
    words = r"[\s_]+".join(re.escape(word) for word in name.split(" "))
    before = r"(?<![a-z0-9_])" if name[0].isascii() else ""
    after = r"(?![a-z0-9_])" if name[-1].isascii() and name[-1].isalnum() else ""
    return before + words + after
