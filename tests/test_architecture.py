"""The house style's numbers and rules, held over this repository; bad samples prove that each can fail."""

import re
import shutil
import tomllib
from collections.abc import Callable
from functools import cache

import pytest

from tests.architecture import budgets, reasons, sql, structure
from tests.architecture.source import FIRST_PARTY, PRODUCT, ROOT, Module, parse, read_modules

Check = Callable[[list[Module]], list[str]]


@cache
def all_modules() -> list[Module]:
    return read_modules(*sorted(FIRST_PARTY))


@cache
def product_modules() -> list[Module]:
    return [module for module in all_modules() if module.path.partition("/")[0] in PRODUCT]


@cache
def ports() -> frozenset[str]:
    return budgets.port_names(product_modules())


def crowded_signatures(modules: list[Module]) -> list[str]:
    return budgets.crowded_signatures(modules, ports=ports() | budgets.port_names(modules))


def function(lines: int, name: str = "f") -> str:
    return f"def {name}() -> None:\n" + "    x = 1\n" * (lines - 1)


EVERYWHERE: list[Check] = [
    budgets.long_files,
    budgets.long_functions,
    budgets.unannotated,
    budgets.empty_names,
    structure.import_cycles,
    structure.hidden_imports,
    structure.blind_excepts,
]
IN_THE_PRODUCT: list[Check] = [
    budgets.median_file,
    budgets.function_spread,
    budgets.silent_modules,
    crowded_signatures,
    structure.impure_rooms,
    reasons.unexplained_exceptions,
]


@pytest.mark.parametrize("check", EVERYWHERE, ids=lambda check: check.__name__)
def test_product_and_tests_keep_the_rule(check: Check) -> None:
    assert check(all_modules()) == []


@pytest.mark.parametrize("check", IN_THE_PRODUCT, ids=lambda check: check.__name__)
def test_the_product_keeps_the_rule(check: Check) -> None:
    assert check(product_modules()) == []


def test_every_statement_on_a_scoped_table_names_tenant_and_scope() -> None:
    modules = [m for m in product_modules() if m.path.startswith("shared/engines/sqlite")]
    found = sql.unscoped_statements(modules)
    for file in sorted((ROOT / "shared/engines").rglob("*.sql")):
        text = file.read_text(encoding="utf-8")
        found += [f"{file.relative_to(ROOT)}:{line + 1} {why}" for line, why in sql.unscoped_in(text)]
    assert found == []


@pytest.mark.skipif(
    shutil.which("git") is None or not (ROOT / ".git").exists(),
    reason="not a git checkout: nothing is tracked",
)
def test_the_top_level_holds_what_every_project_has() -> None:
    assert structure.stray_entries(structure.tracked_top_level(ROOT)) == []


def test_ruff_holds_complexity_to_ten_and_no_line_is_let_off() -> None:
    ruff = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["ruff"]["lint"]
    assert ruff["mccabe"]["max-complexity"] <= 10
    lists = [ruff["ignore"], *ruff["per-file-ignores"].values()]
    assert not any("C901".startswith(rule) for rules in lists for rule in rules)
    let_off = re.compile(r"#\s*noqa(?:\s*$|:[^#\n]*\bC901\b)", re.MULTILINE)
    assert [m.path for m in all_modules() if let_off.search(m.text)] == []


BAD: list[tuple[Check, str, str]] = [
    (budgets.long_files, "shared/x.py", "x = 1\n" * 401),
    (budgets.median_file, "shared/x.py", "x = 1\n" * 121),
    (budgets.long_functions, "shared/x.py", function(61)),
    (budgets.function_spread, "shared/x.py", function(51)),
    (budgets.function_spread, "shared/x.py", "\n".join(function(41, f"f{n}") for n in range(3))),
    (budgets.silent_modules, "shared/x.py", "x = 1\n"),
    (budgets.silent_modules, "shared/x.py", '"""' + "word\n" * 11 + '"""\n'),
    (budgets.unannotated, "shared/x.py", "def f(a) -> None: ...\n"),
    (budgets.unannotated, "shared/x.py", "def f(*, a: int): ...\n"),
    (budgets.unannotated, "shared/x.py", "class A:\n    def f(self, *rest) -> None: ...\n"),
    (budgets.empty_names, "shared/text_utils.py", ""),
    (budgets.empty_names, "shared/helpers/ids.py", ""),
    (crowded_signatures, "shared/x.py", "def f(a: int, b: int, c: int) -> None: ...\n"),
    (crowded_signatures, "shared/x.py", "class A:\n    def f(self, a: int, b: int, c: int) -> None: ...\n"),
    (crowded_signatures, "shared/x.py", "def f(a: A, *, b: A, c: A, d: A, e: A, g: A, h: A) -> None: ...\n"),
    (structure.hidden_imports, "shared/x.py", "def f() -> None:\n    import api.app\n"),
    (structure.hidden_imports, "shared/stm/x.py", "def f() -> None:\n    from . import window\n"),
    (structure.blind_excepts, "shared/x.py", "try:\n    x = 1\nexcept Exception:\n    pass\n"),
    (structure.blind_excepts, "shared/x.py", "try:\n    x = 1\nexcept:\n    pass\n"),
    (
        structure.blind_excepts,
        "shared/x.py",
        "try:\n    x = 1\nexcept (ValueError, BaseException):\n    pass\n",
    ),
    (structure.blind_excepts, "shared/x.py", "with contextlib.suppress(Exception):\n    x = 1\n"),
    (structure.impure_rooms, "shared/stm/window.py", "import time\n"),
    (structure.impure_rooms, "shared/stm/window.py", "from shared import clock\n"),
    (structure.impure_rooms, "shared/stm/window.py", "import datetime\nx = datetime.datetime.now()\n"),
    (structure.impure_rooms, "shared/turn/heartbeat.py", "from datetime import date\nx = date.today()\n"),
    (structure.impure_rooms, "shared/ltm/schema.py", "x = open('schema.json')\n"),
    (structure.impure_rooms, "shared/stm/compact.py", "import random\nasync def compact() -> None: ...\n"),
]


@pytest.mark.parametrize(("check", "path", "text"), BAD, ids=lambda value: getattr(value, "__name__", None))
def test_each_check_fails_on_a_bad_sample(check: Check, path: str, text: str) -> None:
    assert check([parse(path, text)]) != []


GOOD: list[tuple[Check, str, str]] = [
    (budgets.long_functions, "shared/x.py", 'def f() -> None:\n    """Say.\n' + "word\n" * 80 + '    """\n'),
    (structure.blind_excepts, "workers/runner.py", "try:\n    x = 1\nexcept Exception:\n    pass\n"),
    (
        structure.blind_excepts,
        "shared/x.py",
        "try:\n    x = 1\nexcept BaseException:\n    y = 1\n    raise\n",
    ),
    (structure.hidden_imports, "api/__main__.py", "def f() -> None:\n    import api.app\n"),
    (structure.impure_rooms, "shared/stm/compact.py", "import asyncio\nasync def compact() -> None: ...\n"),
    (structure.impure_rooms, "shared/engines/redis_stm.py", "import time\nimport redis\n"),
    (structure.impure_rooms, "shared/stm/window.py", "from datetime import datetime\nx = datetime.min\n"),
]


@pytest.mark.parametrize(("check", "path", "text"), GOOD, ids=lambda value: getattr(value, "__name__", None))
def test_no_check_fails_on_what_the_rules_allow(check: Check, path: str, text: str) -> None:
    assert check([parse(path, text)]) == []


def test_ports_do_not_count_towards_the_six_parameters() -> None:
    ports = parse(
        "shared/ports.py", "class Ltm(Protocol): ...\nclass Stm(Ltm, Protocol[T]): ...\nclass Plain: ...\n"
    )
    verb = "async def f(a: A, *, b: A, c: A, d: A, e: A, g: A, l: Ltm, s: ports.Stm | None) -> None: ...\n"
    assert budgets.port_names([ports]) == {"Ltm", "Stm"}
    assert crowded_signatures([ports, parse("shared/turn/take.py", verb)]) == []
    assert crowded_signatures([ports, parse("shared/turn/take.py", verb.replace("Ltm", "Plain"))]) != []


def test_a_cycle_is_found_through_names_and_relative_imports() -> None:
    first = parse("shared/stm/a.py", "from shared.stm import b\n")
    second = parse("shared/stm/b.py", "from .a import thing\n")
    assert structure.import_cycles([first, second]) == ["shared.stm.a -> shared.stm.b -> shared.stm.a"]
    assert structure.import_cycles([first, parse("shared/stm/b.py", "")]) == []


@pytest.mark.parametrize(
    ("line", "is_bare"),
    [
        ("x = f()  # noqa: S603", True),
        ("x = f()  # noqa: S603, PLR2004", True),
        ("x = f()  # noqa", True),
        ("x = f()  # type: ignore[misc]", True),
        ("x = f()  # type: ignore[misc]  # noqa: S603", True),
        ("x = f()  # noqa: S603 - our own program", False),
        ("x = f()  # noqa: SIM905 (a table of words)", False),
        ("x = f()  # type: ignore[misc]  # it has no types", False),
        ("# our own program\nx = f()  # noqa: S603", False),
        ("x = f()  # why", False),
    ],
)
def test_an_exception_without_its_reason_is_named(line: str, is_bare: bool) -> None:
    assert bool(reasons.unexplained_exceptions([parse("shared/x.py", line + "\n")])) == is_bare


def test_a_stray_entry_at_the_top_is_named() -> None:
    assert structure.stray_entries(["api", "notes.txt"]) == ["notes.txt does not belong at the top level"]


BAD_SQL = [
    "SELECT id FROM memories WHERE id = ?",
    "SELECT tenant_id, scope_id FROM memories",
    "select id from memories where tenant_id = ?",
    "UPDATE fields SET scope_id = ? WHERE tenant_id = ?",
    "DELETE FROM episodes",
    "INSERT INTO episodes (id) VALUES (?)",
    "INSERT OR IGNORE INTO episodes (id, tenant_id) VALUES (?, ?)",
    "SELECT e.id FROM migrations m JOIN episodes e ON e.id = m.id",
    "WITH newest AS (SELECT id FROM memories) SELECT id FROM newest",
    "SELECT 1; DELETE FROM pending_updates WHERE scope_id = ?",
    "SELECT id FROM audit WHERE scope_id = ?",
    "SELECT id FROM memories /* all scopes: */ WHERE id = ?",
]
GOOD_SQL = [
    "SELECT id FROM memories WHERE tenant_id = ? AND scope_id = ? AND id = ?",
    "INSERT INTO episodes (tenant_id, scope_id, id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
    "SELECT version FROM migrations",
    "SELECT tenant_id FROM api_keys WHERE hash = ?",
    "SELECT scope_id FROM scopes WHERE tenant_id = ? AND outside_id = ?",
    "SELECT doc, offset FROM memories_vocab WHERE term = ?",
    "INSERT INTO memories_fts (rowid, terms) VALUES (?, ?)",
    "WITH newest AS (SELECT id FROM memories WHERE tenant_id = ? AND scope_id = ?) SELECT id FROM newest",
    "/* all scopes: the reconciler counts for everyone */ SELECT count(*) FROM episodes",
    "CREATE TABLE memories (id TEXT)",
]


@pytest.mark.parametrize("statement", BAD_SQL)
def test_a_statement_without_tenant_or_scope_is_found(statement: str) -> None:
    module = parse("shared/engines/sqlite/x.py", f"QUERY = {statement!r}\n")
    assert sql.unscoped_statements([module]) != []


@pytest.mark.parametrize("statement", GOOD_SQL)
def test_a_statement_that_names_its_scope_or_needs_none_passes(statement: str) -> None:
    module = parse("shared/engines/sqlite/x.py", f"QUERY = {statement!r}\n")
    assert sql.unscoped_statements([module]) == []


def test_prose_in_a_docstring_is_no_sql() -> None:
    module = parse("shared/engines/sqlite/x.py", '"""Select the best row from whatever there is."""\n')
    assert sql.unscoped_statements([module]) == []


def test_sql_in_pieces_is_read_as_a_whole() -> None:
    parts = 'a = f"SELECT {c} FROM memories " + "WHERE tenant_id = ? " + where\n'
    found = sql.unscoped_statements([parse("shared/engines/sqlite/x.py", parts)])
    assert len(found) == 1
    assert "scope_id" in found[0]
