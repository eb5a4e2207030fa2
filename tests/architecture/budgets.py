"""The numbers of the house style: sizes of files and functions, parameters, annotations, names, docstrings.

Each check answers the list of what breaks it, in words that name the place; an empty list means it holds.
"""

import ast
import statistics
from collections.abc import Iterable, Iterator

from tests.architecture.source import Function, Module, functions_of

FILE_LINES = 400
FILE_LINES_MEDIAN = 120
FUNCTION_LINES = 60
FUNCTION_LINES_LONG = 50
FUNCTION_LONG_SHARE = 0.02
FUNCTION_LINES_P95 = 40
PARAMETERS = 6
POSITIONAL = 2
MODULE_DOCSTRING_LINES = 10
EMPTY_WORDS = frozenset(
    [
        "util",
        "utils",
        "helper",
        "helpers",
        "manager",
        "managers",
        "handler",
        "handlers",
        "process",
        "data",
        "common",
        "misc",
        "lib",
    ]
)
# Signatures that a language or a library gives us, with who gives them.
GIVEN_SIGNATURES = {
    "__exit__": "the context manager protocol",
    "__aexit__": "the context manager protocol",
    "__call__": "ASGI and logging processors are called with three values",
}


def long_files(modules: Iterable[Module]) -> list[str]:
    return [f"{m.path} has {m.lines} lines" for m in modules if m.lines > FILE_LINES]


def median_file(modules: Iterable[Module]) -> list[str]:
    sizes = [m.lines for m in modules if m.text.strip()]
    median = statistics.median(sizes) if sizes else 0
    return [f"the median file has {median} lines"] if median > FILE_LINES_MEDIAN else []


def long_functions(modules: Iterable[Module]) -> list[str]:
    return [f"{f.where} has {f.lines} lines" for f in all_functions(modules) if f.lines > FUNCTION_LINES]


def function_spread(modules: Iterable[Module]) -> list[str]:
    """The share of functions over 50 lines, and the 95th percentile."""
    sizes = sorted(f.lines for f in all_functions(modules))
    if not sizes:
        return []
    found = []
    long = sum(size > FUNCTION_LINES_LONG for size in sizes)
    if long > FUNCTION_LONG_SHARE * len(sizes):
        found.append(f"{long} of {len(sizes)} functions have more than {FUNCTION_LINES_LONG} lines")
    p95 = sizes[min(len(sizes) - 1, int(0.95 * len(sizes)))]
    if p95 > FUNCTION_LINES_P95:
        found.append(f"the 95th percentile of function length is {p95} lines")
    return found


def crowded_signatures(modules: Iterable[Module], *, ports: frozenset[str]) -> list[str]:
    """More than six parameters, or more than two that may be given by position; ports do not count."""
    found = []
    for function in all_functions(modules):
        if function.node.name in GIVEN_SIGNATURES:
            continue
        positional, keyword = parameters_of(function, ports=ports)
        if len(positional) + len(keyword) > PARAMETERS:
            found.append(f"{function.where} takes {len(positional) + len(keyword)} parameters")
        if len(positional) > POSITIONAL:
            found.append(f"{function.where} takes {len(positional)} by position: {', '.join(positional)}")
    return found


def parameters_of(function: Function, *, ports: frozenset[str]) -> tuple[list[str], list[str]]:
    """Names by position and names by keyword, without self, cls and ports."""
    arguments = function.node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    if function.is_method:
        positional = positional[1:]
    keyword = [a for a in arguments.kwonlyargs if not is_port(a, ports=ports)]
    return [a.arg for a in positional], [a.arg for a in keyword]


def is_port(argument: ast.arg, *, ports: frozenset[str]) -> bool:
    if argument.annotation is None:
        return False
    names = {n.id for n in ast.walk(argument.annotation) if isinstance(n, ast.Name)}
    names |= {n.attr for n in ast.walk(argument.annotation) if isinstance(n, ast.Attribute)}
    return bool(names & ports)


def port_names(modules: Iterable[Module]) -> frozenset[str]:
    """The Protocol classes of shared/ports.py (or of the package of that name)."""
    found: set[str] = set()
    for module in modules:
        if module.path == "shared/ports.py" or module.path.startswith("shared/ports/"):
            for node in ast.walk(module.tree):
                if isinstance(node, ast.ClassDef) and bases_of(node) & (found | {"Protocol"}):
                    found.add(node.name)
    return frozenset(found)


def bases_of(node: ast.ClassDef) -> set[str]:
    bases = (base.value if isinstance(base, ast.Subscript) else base for base in node.bases)
    return {base.id if isinstance(base, ast.Name) else getattr(base, "attr", "") for base in bases}


def unannotated(modules: Iterable[Module]) -> list[str]:
    found = []
    for function in all_functions(modules):
        arguments = function.node.args
        named = [*arguments.posonlyargs, *arguments.args][1 if function.is_method else 0 :]
        rest = [a for a in (arguments.vararg, arguments.kwarg) if a is not None]
        bare = [a.arg for a in [*named, *arguments.kwonlyargs, *rest] if a.annotation is None]
        if bare:
            found.append(f"{function.where} does not annotate {', '.join(bare)}")
        if function.node.returns is None:
            found.append(f"{function.where} does not annotate what it returns")
    return found


def empty_names(modules: Iterable[Module]) -> list[str]:
    """Module and folder names that say nothing of what is inside."""
    words = {m.path: {word for part in m.name.split(".") for word in part.split("_")} for m in modules}
    return [
        f"{path} is named {', '.join(sorted(w & EMPTY_WORDS))}"
        for path, w in words.items()
        if w & EMPTY_WORDS
    ]


def silent_modules(modules: Iterable[Module]) -> list[str]:
    """Modules with code whose docstring is missing or longer than ten lines."""
    found = []
    for module in modules:
        docstring = ast.get_docstring(module.tree)
        if module.tree.body and docstring is None:
            found.append(f"{module.path} does not say what it knows")
        elif docstring is not None and len(docstring.splitlines()) > MODULE_DOCSTRING_LINES:
            found.append(f"{module.path} says it in more than {MODULE_DOCSTRING_LINES} lines")
    return found


def all_functions(modules: Iterable[Module]) -> Iterator[Function]:
    return (function for module in modules for function in functions_of(module))
