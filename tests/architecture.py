"""The imports of a layer as a graph: which modules import each other in a circle, and which packages do."""

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
    """Return every node of a file's syntax, the module first: parsed once and cached.

    They stay, and are many: garbage collection among them would be as slow as parsing them.
    """
    gc.disable()
    try:
        return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    finally:
        gc.freeze()
        gc.enable()


@functools.cache
def graph(layer: str) -> Graph:
    """Return for each module of a layer the modules of the layer that it imports, anywhere in it.

    An import inside a function counts: it only hides from Python that two modules need each other.
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
        # A package counts as imported if more than its modules is imported from it.
        if not wholes or wholes - known.keys():
            found |= {source} & known.keys()
    return found


def cycles(imports: Graph) -> list[tuple[str, ...]]:
    """Return the sets of modules that reach each other (strongly connected components, Tarjan 1972).

    >>> cycles({"a": frozenset({"b"}), "b": frozenset({"a", "c"}), "c": frozenset()})
    [('a', 'b')]
    """
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_ones: list[str] = []
    found: list[tuple[str, ...]] = []

    def visit(module: str) -> None:
        number[module] = lowest[module] = len(number)
        open_ones.append(module)
        for other in sorted(imports[module]):
            if other not in number:
                visit(other)
                lowest[module] = min(lowest[module], lowest[other])
            elif other in open_ones:
                lowest[module] = min(lowest[module], number[other])
        if lowest[module] == number[module]:
            at = open_ones.index(module)
            component = open_ones[at:]
            del open_ones[at:]
            if len(component) > 1:
                found.append(tuple(sorted(component)))

    for module in sorted(imports):
        if module not in number:
            visit(module)
    return sorted(found)


def package_of(module: str) -> str:
    """Return the package of a module: the second part of its name.

    >>> package_of("surveys.report.rules"), package_of("surveys")
    ('report', 'surveys')
    """
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else parts[0]


def packages(imports: Graph) -> dict[str, set[str]]:
    """Return for each package the packages that it imports.

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
"""Pages of the architecture, and the layers whose packages each lists."""


def package_list(page: str) -> str:
    """Return the folders of a page's layers, the lowest first, with what each says of itself and imports."""
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
    """The packages of `surveys` that a package of another application imports, with the name of the layer."""
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
    for page in PAGES:
        print(f"{page}\n{package_list(page)}\n")  # noqa: T201 - what the pages of the architecture are to hold
