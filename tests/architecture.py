"""The import graph of a layer: circular imports between modules, and between packages."""

import argparse
import ast
import functools
import gc
from collections.abc import Mapping
from pathlib import Path

from tests.reach import APPS, CORE, files, imported, statements

ROOT = Path(__file__).resolve().parent.parent

Graph = Mapping[str, frozenset[str]]


@functools.cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return every node of a file's syntax tree, the module first. Each file is parsed once.

    Garbage collection is off meanwhile. The cache keeps every node, so collecting would free nothing and
    take as long as parsing.
    """
    gc.disable()
    try:
        return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    finally:
        gc.freeze()
        gc.enable()


@functools.cache
def graph(layer: str) -> Graph:
    """Map each module of a layer to the modules of the same layer that it imports.

    Imports inside functions count too: they hide a cycle from Python, but do not remove it.
    """
    modules = {
        _name(path): ROOT / path
        for path in files()
        if path.startswith(f"{layer}/") and path.endswith(".py") and "/migrations/" not in path
    }
    return {name: frozenset(_imported(path, modules)) - {name} for name, path in modules.items()}


def _name(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def _imported(path: Path, known: Mapping[str, Path]) -> set[str]:
    found: set[str] = set()
    for source, names in statements(path.read_text(encoding="utf-8")):
        wholes = {f"{source}.{name}" for name in names}
        found |= wholes & known.keys()
        # A package counts as imported if anything but its modules is imported from it.
        if not wholes or wholes - known.keys():
            found |= {source} & known.keys()
    return found


def cycles(imports: Graph) -> list[tuple[str, ...]]:
    """Return the sets of modules that import each other (strongly connected components, Tarjan 1972).

    >>> cycles({"a": frozenset({"b"}), "b": frozenset({"a", "c"}), "c": frozenset()})
    [('a', 'b')]
    """
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_modules: list[str] = []
    found: list[tuple[str, ...]] = []

    def visit(module: str) -> None:
        number[module] = lowest[module] = len(number)
        open_modules.append(module)
        for other in sorted(imports[module]):
            if other not in number:
                visit(other)
                lowest[module] = min(lowest[module], lowest[other])
            elif other in open_modules:
                lowest[module] = min(lowest[module], number[other])
        if lowest[module] == number[module]:
            at = open_modules.index(module)
            component = open_modules[at:]
            del open_modules[at:]
            if len(component) > 1:
                found.append(tuple(sorted(component)))

    for module in sorted(imports):
        if module not in number:
            visit(module)
    return sorted(found)


def package_of(module: str) -> str:
    """Return the package of a module: the second part of its name.

    >>> package_of("surveys.report.rules.rule"), package_of("surveys")
    ('report', 'surveys')
    """
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else parts[0]


def packages(imports: Graph) -> dict[str, set[str]]:
    """Map each package to the packages that it imports.

    >>> packages({"s.a.x": frozenset({"s.b.y"}), "s.b.y": frozenset()})
    {'a': {'b'}, 'b': set()}
    """
    found: dict[str, set[str]] = {package_of(module): set() for module in sorted(imports)}
    for module, others in imports.items():
        found[package_of(module)] |= {package_of(other) for other in others} - {package_of(module)}
    return found


def packages_both_ways(imports: Graph) -> list[tuple[str, str]]:
    """Return the pairs of packages that import each other.

    >>> imports = {"s.a.x": frozenset({"s.b.y"}), "s.b.y": frozenset(), "s.b.z": frozenset({"s.a.x"})}
    >>> packages_both_ways(imports)
    [('a', 'b')]
    """
    table = packages(imports)
    return [
        (one, other)
        for one in sorted(table)
        for other in sorted(table[one])
        if one < other and one in table[other]
    ]


PAGES = {
    "ARCHITECTURE.md": (*CORE, "surveys"),
    **{f"{app}/ARCHITECTURE.md": (app,) for app in APPS if app != "surveys"},
}
"""Architecture pages, and the layers whose packages each page lists."""


def package_list(page: str) -> str:
    """List the packages of a page's layers, lowest first, each with its summary and its imports."""
    return "\n".join(line for layer in PAGES[page] for line in _lines_of(layer))


def _lines_of(layer: str) -> list[str]:
    table = packages(graph(layer))
    folders = {package for package in table if (ROOT / layer / package / "__init__.py").is_file()} - {
        "migrations"
    }
    heights: dict[str, int] = {}

    def height(package: str) -> int:
        if package not in heights:
            heights[package] = 1 + max((height(other) for other in table[package] & folders), default=-1)
        return heights[package]

    shown = sorted(
        (package for package in folders if package not in ("management", "templatetags")),
        key=lambda w: (height(w), w),
    )
    return [
        f"- `{layer}/{each}` — {_said(layer, each)}{_imports(table[each] & folders | _below(layer, each))}"
        for each in shown
    ]


def _below(layer: str, package: str) -> set[str]:
    """Return the `surveys` packages that a package of another application imports, by full name."""
    if layer not in APPS or layer == "surveys":
        return set()
    names = {
        name
        for path in (ROOT / layer / package).rglob("*.py")
        for name in imported(path.read_text(encoding="utf-8"))
    }
    return {".".join(name.split(".")[:2]) for name in names if name.startswith("surveys.")}


def _said(layer: str, package: str) -> str:
    tree = ast.parse((ROOT / layer / package / "__init__.py").read_text(encoding="utf-8"))
    return (ast.get_docstring(tree) or "").splitlines()[0]


def _imports(others: set[str]) -> str:
    return f" ← {', '.join(sorted(others))}" if others else ""


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    for page in PAGES:
        print(f"{page}\n{package_list(page)}\n")  # noqa: T201 - what the pages of the architecture are to hold
