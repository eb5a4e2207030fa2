"""Every SQL statement on a scoped table names its tenant and its scope.

The check reads the string literals (and .sql files) of the SQLite engine. A table that is not listed below
counts as scoped. A statement meant to run over all scopes says so inside itself: `/* all scopes: why */`.
"""

import ast
import re
from collections.abc import Iterable, Iterator

from tests.architecture.source import Module

# Tables of the deployment, with why no scope can be named.
EXEMPT_TABLES = {
    "migrations": "of the file, not of a tenant",
    "sqlite_master": "SQLite's own",
    "sqlite_schema": "SQLite's own",
    "tenants": "the row is the tenant",
    "api_keys": "looked up by hash, before the tenant is known",
    "snapshots": "copies of the whole file",
    "deployment": "what environment this file belongs to",
    "settings": "of the deployment",
}
# Tables whose rows belong to a tenant and to no one scope; they must name the tenant.
TENANT_TABLES = {
    "scopes": "maps a tenant's outside id to the scope id",
    "audit": "one chain per tenant",
    "schemas": "one list of fields per tenant",
    "synonyms": "one table of words per tenant",
    "jobs": "a job may run for a tenant or for all",
    "erasures": "the scope is gone, the receipt stays",
}
# Rows of these hold keyed hashes of one scope each, found by a hash that no other scope shares.
BLIND_TABLES = re.compile(r"(^|_)(fts|vocab|terms|postings|index)(_|$)")
STATEMENT = re.compile(
    r"^\s*(select\b.*\bfrom\b|insert\s+(or\s+\w+\s+)?into\b|replace\s+into\b|update\s+(or\s+\w+\s+)?\w+\s+set\b"
    r"|delete\s+from\b|with\b.*\bas\b.*\()",
    re.IGNORECASE | re.DOTALL,
)
TABLE = re.compile(r"\b(?:from|join|into|update(?:\s+or\s+\w+)?)\s+(?:main\.)?([a-z_]\w*)", re.IGNORECASE)
CTE = re.compile(
    r"(?:\bwith(?:\s+recursive)?|,)\s+([a-z_]\w*)\s*(?:\([^)]*\))?\s+as\s+(?:not\s+materialized\s+)?\(",
    re.IGNORECASE,
)
TRIGGER = re.compile(r"\bcreate\s+trigger\b.*?\bend\s*(;|$)", re.IGNORECASE | re.DOTALL)
LINE_COMMENT = re.compile(r"--[^\n]*")
ALL_SCOPES = re.compile(r"/\*\s*all scopes:\s*\w.+?\*/", re.DOTALL)
NOT_TABLES = frozenset({"json_each", "json_tree", "generate_series", "carray", "select", "values", "set"})


def unscoped_statements(modules: Iterable[Module]) -> list[str]:
    found = []
    for module in modules:
        for line, text in literals_of(module):
            found += [f"{module.path}:{line + offset} {why}" for offset, why in unscoped_in(text)]
    return found


def unscoped_in(text: str) -> Iterator[tuple[int, str]]:
    """(line within the text, what is missing) of each statement in a literal or a .sql file."""
    text = TRIGGER.sub(lambda match: "\n" * match[0].count("\n"), LINE_COMMENT.sub("", text))
    line = 0
    for statement in text.split(";"):
        missing = missing_names(statement)
        if missing:
            yield line, f"does not name {' and '.join(missing)}: {' '.join(statement.split())[:80]}"
        line += statement.count("\n")


def missing_names(statement: str) -> list[str]:
    if ALL_SCOPES.search(statement) or not STATEMENT.match(statement):
        return []
    named = set(CTE.findall(statement)) | NOT_TABLES
    tables = {t.lower() for t in TABLE.findall(statement)} - {n.lower() for n in named}
    needed: set[str] = set()
    for table in tables:
        if table in EXEMPT_TABLES or BLIND_TABLES.search(table):
            continue
        needed |= {"tenant_id"} if table in TENANT_TABLES else {"tenant_id", "scope_id"}
    condition = narrowing_part(statement)
    return sorted(name for name in needed if not re.search(rf"\b{name}\b", condition))


def narrowing_part(statement: str) -> str:
    """What decides on which rows it works: all of an INSERT, else what follows the first WHERE or ON."""
    if re.match(r"\s*(insert|replace)\b", statement, re.IGNORECASE):
        return statement
    parts = re.split(r"\b(?:where|on|using)\b", statement, maxsplit=1, flags=re.IGNORECASE)
    return parts[1] if len(parts) > 1 else ""


def literals_of(module: Module) -> Iterator[tuple[int, str]]:
    """String literals with their lines; parts of an f-string or a sum are joined, docstrings left out."""
    inner: set[int] = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            inner.add(id(node.value))
        if id(node) in inner:
            continue
        if isinstance(node, ast.JoinedStr | ast.BinOp | ast.Constant):
            text = fold(node)
            if text is not None:
                inner.update(id(child) for child in ast.walk(node))
                yield node.lineno, text


def fold(node: ast.expr) -> str | None:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(fold(part) or " ? " for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = fold(node.left), fold(node.right)
        return None if left is None and right is None else (left or " ? ") + (right or " ? ")
    return None
