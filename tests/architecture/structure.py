"""How modules hang together: cycles, hidden imports, blind excepts, pure nouns, the top level."""

import ast
import subprocess
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from tests.architecture.source import ENTRY_POINTS, FIRST_PARTY, Module, functions_of, imports_of

TOP_LEVEL = frozenset(
    [
        "pyproject.toml",
        "docker-compose.yml",
        "workers",
        "api",
        "shared",
        "tests",
        "README.md",
        "Makefile",
        "Dockerfile",
        "CHANGELOG.md",
        "LICENSE",
        ".ci",
        "docs",
        ".gitignore",
        ".dockerignore",
        "requirements.lock",
    ]
)
# The edges of the process, where whatever was raised becomes an answer, a retry or a failed write.
BLIND_EXCEPT_ALLOWED = (
    "workers/runner.py",
    "workers/runner/*.py",
    "api/errors.py",
    "shared/engines/sqlite/write*.py",
)
NOUN_ROOMS = tuple(
    f"shared/{room}/"
    for room in [
        "model",
        "language",
        "stm",
        "ltm",
        "recall",
        "extraction",
        "forgetting",
        "privacy",
        "checkpoints",
        "turn",
    ]
)
IMPURE = frozenset(
    [
        "time",
        "random",
        "secrets",
        "uuid",
        "os",
        "io",
        "sys",
        "socket",
        "ssl",
        "select",
        "selectors",
        "signal",
        "threading",
        "multiprocessing",
        "concurrent",
        "asyncio",
        "anyio",
        "subprocess",
        "shutil",
        "tempfile",
        "glob",
        "sqlite3",
        "urllib",
        "http",
        "logging",
        "redis",
        "rq",
        "httpx",
        "apsw",
        "psycopg",
        "fastapi",
        "starlette",
        "uvicorn",
        "structlog",
        "prometheus_client",
        "click",
        "rich",
    ]
)
IMPURE_OURS = ("shared.engines", "shared.services", "shared.clock", "shared.log", "shared.settings")
IMPURE_CALLS = frozenset({"now", "utcnow", "today"})
# A verb awaits its ports, and may bound, shield and gather them; it still takes clock and chance as ports.
VERBS_MAY = frozenset({"asyncio"})


def import_cycles(modules: list[Module]) -> list[str]:
    """Modules that reach themselves through imports at any level of a file."""
    edges = {m.name: imported_modules(m, {x.name for x in modules}) for m in modules}
    found = []
    for name in edges:
        path = path_back(name, edges)
        if path and name == min(path):
            found.append(" -> ".join([*path, name]))
    return found


def imported_modules(module: Module, known: set[str]) -> set[str]:
    targets = set()
    for item in imports_of(module):
        full = f"{item.module}.{item.name}"
        target = full if full in known else item.module
        if target in known and target != module.name:
            targets.add(target)
    return targets


def path_back(start: str, edges: dict[str, set[str]]) -> list[str]:
    """The shortest way from a module to itself, empty when there is none."""
    paths = [[start]]
    seen = {start}
    for path in paths:
        for target in sorted(edges[path[-1]]):
            if target == start:
                return path
            if target not in seen:
                seen.add(target)
                paths.append([*path, target])
    return []


def hidden_imports(modules: Iterable[Module]) -> list[str]:
    """First-party imports inside a function: a cycle that hides, or a start that is slow by surprise."""
    return sorted(
        {
            f"{module.path}:{item.line} imports {item.module} inside {function.node.name}"
            for module in modules
            if module.path not in ENTRY_POINTS
            for function in functions_of(module)
            for item in imports_of(module, function.node)
            if item.root in FIRST_PARTY
        }
    )


def blind_excepts(modules: Iterable[Module]) -> list[str]:
    """`except Exception` and wider, unless it raises again; `suppress(Exception)` is the same in disguise."""
    found = []
    for module in modules:
        if any(PurePosixPath(module.path).match(pattern) for pattern in BLIND_EXCEPT_ALLOWED):
            continue
        for node in ast.walk(module.tree):
            blind_clause = (
                isinstance(node, ast.ExceptHandler) and is_blind(node.type) and not raises_again(node)
            )
            if blind_clause or suppresses_all(node):
                found.append(f"{module.path}:{getattr(node, 'lineno', 0)} catches whatever comes")
    return found


def is_blind(caught: ast.expr | None) -> bool:
    if isinstance(caught, ast.Tuple):
        return any(is_blind(item) for item in caught.elts)
    return caught is None or (isinstance(caught, ast.Name) and caught.id in {"Exception", "BaseException"})


def raises_again(clause: ast.ExceptHandler) -> bool:
    last = clause.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def suppresses_all(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name == "suppress" and any(is_blind(argument) for argument in node.args)


def impure_rooms(modules: Iterable[Module]) -> list[str]:
    """Nouns take values and return values; verbs (modules with a coroutine) reach the world by ports."""
    found = []
    for module in modules:
        if not module.path.startswith(NOUN_ROOMS):
            continue
        is_verb = any(isinstance(node, ast.AsyncFunctionDef) for node in ast.walk(module.tree))
        refused = IMPURE - VERBS_MAY if is_verb else IMPURE
        for item in imports_of(module):
            full = f"{item.module}.{item.name}"
            if item.root in refused or any(is_below(full, ours) for ours in IMPURE_OURS):
                found.append(f"{module.path}:{item.line} imports {item.module}")
        found += [f"{module.path}:{line} {what}" for line, what in impure_calls(module)]
    return found


def is_below(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def impure_calls(module: Module) -> list[tuple[int, str]]:
    found = []
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Attribute) and node.func.attr in IMPURE_CALLS:
            owner = ast.unparse(node.func.value).split(".")[-1]
            if owner in {"datetime", "date"}:
                found.append((node.lineno, f"asks {owner}.{node.func.attr}() for the time"))
        elif isinstance(node.func, ast.Name) and node.func.id in {"open", "print", "input"}:
            found.append((node.lineno, f"calls {node.func.id}()"))
    return found


def tracked_top_level(root: Path) -> set[str]:
    """First path parts of all files git tracks, or would with `git add .`."""
    listing = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    )
    return {line.strip('"').split("/")[0] for line in listing.stdout.splitlines()}


def stray_entries(entries: Iterable[str]) -> list[str]:
    return [f"{entry} does not belong at the top level" for entry in sorted(set(entries) - TOP_LEVEL)]
