"""The repository's Python files as parsed values, for the checks beside this file to read."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("api", "workers", "shared")
FIRST_PARTY = frozenset({*PRODUCT, "tests"})
# The files that run before the import path is laid, or that are named to `python -m`.
ENTRY_POINTS = frozenset({"api/__main__.py", "workers/__main__.py", "shared/cli/launcher.py"})

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """One file: `path` is relative to the repository's root, with slashes."""

    path: str
    text: str
    tree: ast.Module

    @property
    def name(self) -> str:
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @property
    def is_package(self) -> bool:
        return self.path.endswith("/__init__.py")

    @property
    def lines(self) -> int:
        return len(self.text.splitlines())


@dataclass(frozen=True)
class Function:
    module: Module
    node: FunctionNode
    is_method: bool

    @property
    def where(self) -> str:
        return f"{self.module.path}:{self.node.lineno} {self.node.name}"

    @property
    def lines(self) -> int:
        """Lines from `def` to the end, decorators and docstring left out."""
        total = (self.node.end_lineno or self.node.lineno) - self.node.lineno + 1
        first = self.node.body[0]
        if ast.get_docstring(self.node, clean=False) is not None:
            total -= (first.end_lineno or first.lineno) - first.lineno + 1
        return total


def parse(path: str, text: str) -> Module:
    return Module(path=path, text=text, tree=ast.parse(text))


def read_modules(*folders: str, root: Path = ROOT) -> list[Module]:
    """All Python files below the given top-level folders."""
    files = sorted(file for folder in folders for file in (root / folder).rglob("*.py"))
    return [parse(file.relative_to(root).as_posix(), file.read_text(encoding="utf-8")) for file in files]


def functions_of(module: Module) -> Iterator[Function]:
    """Every function at any depth; a method is one whose nearest enclosing block is a class."""
    for parent in ast.walk(module.tree):
        for child in ast.iter_child_nodes(parent):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                is_static = any(
                    isinstance(d, ast.Name) and d.id == "staticmethod" for d in child.decorator_list
                )
                yield Function(module, child, isinstance(parent, ast.ClassDef) and not is_static)


@dataclass(frozen=True)
class ImportedName:
    """`module` is absolute; `name` is what is taken from it, None for a plain `import module`."""

    module: str
    name: str | None
    line: int

    @property
    def root(self) -> str:
        return self.module.split(".")[0]


def imports_of(module: Module, within: ast.AST | None = None) -> Iterator[ImportedName]:
    """The imports below a node (by default the whole file), relative ones made absolute."""
    for node in ast.walk(within or module.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield ImportedName(alias.name, None, node.lineno)
        elif isinstance(node, ast.ImportFrom):
            base = absolute_base(module, node)
            for alias in node.names:
                yield ImportedName(base, alias.name, node.lineno)


def absolute_base(module: Module, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    parts = module.name.split(".")
    up = node.level - 1 if module.is_package else node.level
    return ".".join([*parts[: len(parts) - up], *([node.module] if node.module else [])])
