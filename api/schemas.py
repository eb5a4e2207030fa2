"""The bodies that the API takes. An unknown name is an error; every text is cleaned once, here."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    ValidationInfo,
    field_validator,
    model_validator,
)

from api.texts import Json, Moment, Text, Words, clean_json
from shared.language.synonyms import MOST_GROUPS, MOST_PHRASE_CHARS, MOST_PHRASES
from shared.model.job import RunnableJob
from shared.model.memory import MemoryKind, MemoryStatus
from shared.model.message import Role
from shared.model.snapshot import TAG

MAX_TURN_CHARS = 32_000
MAX_MESSAGE_CHARS = 200_000
MAX_TOOL_CHARS = 1_000_000
MAX_METADATA_CHARS = 8_192
_MAX_MESSAGES = 1_000


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("no such time zone; use an IANA name such as Asia/Shanghai") from None
    return name


TimeZone = Annotated[str, Field(min_length=1, max_length=64), AfterValidator(_known_zone)]


CardLabel = Annotated[Words, Field(min_length=1, max_length=100)]


class Body(BaseModel):
    """Base of all bodies."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True, strict=True)


class TurnMetadata(BaseModel):
    """What the front notes of a turn: `action` names the button, for the audit; other names are its own."""

    model_config = ConfigDict(extra="allow", hide_input_in_errors=True, strict=True)

    action: Annotated[Text, Field(max_length=100)] | None = None

    @model_validator(mode="before")
    @classmethod
    def _is_small(cls, given: Any) -> Any:
        if isinstance(given, dict) and len(json.dumps(given, ensure_ascii=False)) > MAX_METADATA_CHARS:
            raise ValueError(f"metadata takes at most {MAX_METADATA_CHARS} characters as JSON")
        return given

    @model_validator(mode="after")
    def _is_clean(self) -> TurnMetadata:
        clean_json(self.model_extra or {})
        return self


class TurnBody(Body):
    """A chat turn. The message's length is checked by the route, whose answer is 413."""

    message: Annotated[Words, Field(min_length=1)]
    stream: bool = False
    system: Annotated[Text, Field(max_length=MAX_MESSAGE_CHARS)] | None = None
    timezone: TimeZone | None = None
    metadata: TurnMetadata = Field(default_factory=TurnMetadata)
    teams: list[str] = Field(default_factory=list, max_length=0, description="no team scopes exist yet")

    @property
    def action(self) -> str | None:
        """The front's button, for the audit."""
        return self.metadata.action


class ContentPart(BaseModel):
    """One part of a message's content, kept whole: a text, or what another `type` carries."""

    model_config = ConfigDict(extra="allow", hide_input_in_errors=True, strict=True)

    type: Annotated[Words, Field(min_length=1, max_length=64)]

    @model_validator(mode="after")
    def _is_whole(self) -> ContentPart:
        extra = clean_json(self.model_extra or {})
        if self.type == "text" and not isinstance(extra.get("text"), str):
            raise ValueError("a part of type text has a text")
        return self

    def text_of(self) -> str:
        """Return the words of a part of type text."""
        return str((self.model_extra or {}).get("text", ""))


class ToolFunction(BaseModel):
    """What a tool call calls; `arguments` is JSON as the model wrote it."""

    model_config = ConfigDict(extra="allow", hide_input_in_errors=True, strict=True)

    name: Annotated[Words, Field(min_length=1, max_length=256)]
    arguments: Text = ""


class ToolCall(BaseModel):
    """A call that the assistant makes of a tool, kept whole."""

    model_config = ConfigDict(extra="allow", hide_input_in_errors=True, strict=True)

    id: Annotated[Words, Field(min_length=1, max_length=256)]
    function: ToolFunction | None = None

    @model_validator(mode="after")
    def _is_storable(self) -> ToolCall:
        clean_json(self.model_extra or {})
        return self


def _content_form(content: Any) -> str | None:
    """Return which form a message's content has; None for one that is none."""
    if isinstance(content, list):
        return "(parts)"
    return "(text)" if isinstance(content, str) else None


Content = Annotated[
    Annotated[Text, Tag("(text)")]
    | Annotated[list[ContentPart], Field(min_length=1, max_length=200), Tag("(parts)")],
    Discriminator(
        _content_form,
        custom_error_type="content_form",
        custom_error_message="must be a text, a list of parts, or null",
    ),
]


def _is_blank(content: str | list[ContentPart] | None, role: Role) -> bool:
    """True for null, blanks and blank text parts; a tool may well have answered a bare line end."""
    if role == "tool":
        return not content
    if isinstance(content, list):
        return all(part.type == "text" and not part.text_of().strip() for part in content)
    return not (content or "").strip()


class MessageBodyIn(Body):
    """One message that a front with its own model appends."""

    id: Annotated[Words, Field(min_length=1, max_length=128)] | None = None
    role: Role
    name: Annotated[Words, Field(min_length=1, max_length=128)] | None = None
    created_at: Moment | None = None
    tool_calls: Annotated[list[ToolCall], Field(min_length=1, max_length=200)] | None = None
    tool_call_id: Annotated[Words, Field(min_length=1, max_length=256)] | None = Field(
        default=None, validate_default=True
    )
    content: Content | None = Field(default=None, validate_default=True)
    """Read behind `role` and `tool_calls`, which say whether it may be blank."""

    asks_pending: list[Annotated[str, Field(max_length=64)]] | None = Field(default=None, max_length=10)
    reasoning_content: Annotated[Text, Field(max_length=MAX_MESSAGE_CHARS)] | None = None

    @field_validator("tool_call_id")
    @classmethod
    def _names_its_call(cls, call_id: str | None, others: ValidationInfo) -> str | None:
        if call_id is None and others.data.get("role") == "tool":
            raise ValueError("a tool message names the call it answers")
        return call_id

    @field_validator("content")
    @classmethod
    def _says_something(
        cls, content: str | list[ContentPart] | None, others: ValidationInfo
    ) -> str | list[ContentPart] | None:
        role, calls = others.data.get("role"), others.data.get("tool_calls")
        if role is not None and _is_blank(content, role) and not (role == "assistant" and calls):
            raise ValueError("it is blank; that it may be only beside tool_calls")
        return content

    def given(self) -> dict[str, Any]:
        """Return the message as it was sent; names that were left out of parts and calls stay out."""
        parts = self.content
        if isinstance(parts, list):
            content: Any = [part.model_dump(exclude_unset=True) for part in parts]
        else:
            content = parts
        calls = self.tool_calls
        dumped = None if calls is None else [call.model_dump(exclude_unset=True) for call in calls]
        return {**self.model_dump(), "content": content, "tool_calls": dumped}


class MessagesBody(Body):
    """Messages to append, oldest first."""

    messages: list[MessageBodyIn] = Field(min_length=1, max_length=_MAX_MESSAGES)
    timezone: TimeZone | None = None


class ContextBody(Body):
    """What a turn would send, for a message that is not appended."""

    message: Annotated[Text, Field(max_length=MAX_TURN_CHARS)] | None = None
    token_budget: int | None = Field(default=None, ge=128, le=2_000_000)
    timezone: TimeZone | None = None


class TaskCardBody(Body):
    """A task card as the front sets it; labels are in the user's language."""

    intent: Annotated[Text, Field(max_length=500)] | None = None
    done: dict[CardLabel, Any] = Field(default_factory=dict, max_length=100)
    waiting: list[CardLabel] = Field(default_factory=list, max_length=100)


class SessionPatch(Body):
    """Changes of a session; a name that is not sent stays as it is, null clears."""

    system: Annotated[Text, Field(max_length=MAX_MESSAGE_CHARS)] | None = None
    timezone: TimeZone | None = None
    ttl_seconds: int | None = Field(default=None, ge=1, le=366 * 86_400)
    task_card: TaskCardBody | None = None
    banned_topics: list[Annotated[Words, Field(min_length=1, max_length=40)]] | None = Field(
        default=None, max_length=20
    )


class MemoryBody(Body):
    """A memory that the caller states."""

    text: Annotated[Words, Field(min_length=1, max_length=4_000)]
    kind: MemoryKind = "fact"
    importance: float | None = Field(default=None, ge=0, le=1)
    expires_at: Moment | None = None
    pinned: bool = False
    scope: Literal["user"] = "user"


class MemoryQuery(BaseModel):
    """Which memories to list: of any of the kinds; `all` lists every status."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    kind: list[MemoryKind] | None = Field(default=None, max_length=10)
    status: Literal[MemoryStatus, "all"] = "active"
    session_id: str | None = Field(default=None, max_length=128)
    limit: int = Field(default=50, ge=1, le=200)
    cursor: str | None = Field(default=None, max_length=200)


class AuditQuery(BaseModel):
    """Which audit lines to list: the user's, or those of the tenant itself."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    scope: Literal["user", "tenant"] = "user"
    path: str | None = Field(default=None, max_length=128)
    actor: str | None = Field(default=None, max_length=128)
    since: Moment | None = None
    limit: int = Field(default=50, ge=1, le=200)
    cursor: str | None = Field(default=None, max_length=200)


class PendingQuery(BaseModel):
    """Which pending updates to list; `all` lists every status."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    status: Literal["open", "confirmed", "rejected", "expired", "superseded", "all"] = "open"
    limit: int = Field(default=50, ge=1, le=200)
    cursor: str | None = Field(default=None, max_length=200)


class SearchBody(Body):
    """A search over memories and episodes; times bound when a row was said, `as_of` what was known."""

    query: Annotated[Words, Field(min_length=1, max_length=10_000)]
    limit: int = Field(default=10, ge=1, le=100)
    kinds: Annotated[list[Literal[MemoryKind, "episode"]], Field(min_length=1, max_length=10)] | None = None
    since: Moment | None = None
    until: Moment | None = None
    as_of: Moment | None = None
    scopes: Annotated[list[Literal["user"]], Field(min_length=1, max_length=10)] | None = None
    include_episodes: bool = True
    explain: bool = False
    timezone: TimeZone | None = None


class FieldMetadata(Body):
    """What the front notes of a change; `action` names the button."""

    action: Annotated[Text, Field(max_length=100)] | None = None


class FieldBody(Body):
    """A field's new value; `origin` user marks a form that the user has filled in."""

    value: Json
    if_version: int | None = Field(default=None, ge=0)
    origin: Literal["user"] | None = None
    metadata: FieldMetadata = FieldMetadata()


class ItemBody(Body):
    """An item to append to a list; `origin` user marks a form that the user has filled in."""

    value: Annotated[Words, Field(min_length=1, max_length=2_000)]
    origin: Literal["user"] | None = None
    metadata: FieldMetadata = FieldMetadata()


class ConfirmBody(Body):
    """A confirmation; `value` edits what was proposed before it is accepted."""

    value: Json = None


class ResolveBody(Body):
    """Several pending updates at once, all or none."""

    confirm: list[Annotated[str, Field(max_length=64)]] = Field(default_factory=list, max_length=50)
    reject: list[Annotated[str, Field(max_length=64)]] = Field(default_factory=list, max_length=50)


class SchemaBody(Body):
    """A schema document: the version that was read, and all its paths."""

    version: int = Field(ge=1)
    paths: list[dict[str, Any]] = Field(max_length=200)


class SynonymsBody(Body):
    """A table of synonyms; `version` is the one that was read, and 409 follows where that has moved."""

    groups: list[
        Annotated[
            list[Annotated[Text, Field(min_length=1, max_length=MOST_PHRASE_CHARS)]],
            Field(min_length=2, max_length=MOST_PHRASES),
        ]
    ] = Field(max_length=MOST_GROUPS)
    version: int | None = Field(default=None, ge=0)


class JobRunBody(Body):
    """A job to run now, for all that is due; a dry run of the sweep lists what it would do."""

    job: RunnableJob
    dry_run: bool = False

    @model_validator(mode="after")
    def _can_run_dry(self) -> JobRunBody:
        if self.dry_run and self.job != "sweep":
            raise ValueError("dry_run goes with the job sweep alone")
        return self


class SnapshotBody(Body):
    """A snapshot to make; the tag says why."""

    tag: Annotated[str, Field(pattern=f"^{TAG.pattern}$")] = ""


class RestoreBody(Body):
    """A restore takes no choices: the whole store comes back."""


class ClockBody(Body):
    """The time that the service's clock shall show."""

    now: Moment


class KeyBody(Body):
    """A new service key."""

    label: Annotated[Words, Field(min_length=1, max_length=100)] = "key"
    permissions: list[str] = Field(min_length=1, max_length=20)
