"""What a test replaces in a module is read there when the product runs.

A test that replaces `store.store_once` has no effect if the only caller imported `store_once` by name, or if
a module read the replaced value once when it was imported. Such a test passes without testing anything.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
PRODUCT: Final = ("anonymisation", "audit", "mining", "privacy", "sottovoce", "surveys")
FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
REPLACING: Final = {"setattr", "object", "patch", "plant"}
KNOWN: Final = {
    # Invalidates the key of a scene; the name does not matter.
    ("tests.test_scenes", "surveys.intake.keys.NOTHING"),
}


def imported(nodes: Iterable[ast.AST]) -> dict[str, str]:
    """Return the full names of everything that a file imports, by its name in the file."""
    names = {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.update({each.asname or each.name: f"{node.module}.{each.name}" for each in node.names})
        elif isinstance(node, ast.Import):
            names.update({each.asname: each.name for each in node.names if each.asname})
    return names


def full_name(node: ast.AST, names: Mapping[str, str]) -> str:
    """Return the full name of an expression such as ``module.part``; empty if it is none."""
    match node:
        case ast.Name(id=name):
            return names.get(name, "")
        case ast.Attribute(value=value, attr=attribute) if inner := full_name(value, names):
            return f"{inner}.{attribute}"
    return ""


def read_when_called(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names that functions of a file read, apart from their default arguments and decorators.

    Parameters
    ----------
    nodes : iterable of ast.AST
        All nodes of the file, outer ones first.
    """
    read, inside = set[str](), set[ast.AST]()
    for node in nodes:
        if isinstance(node, FUNCTIONS) and node not in inside:
            for part in node.body if isinstance(node.body, list) else [node.body]:
                for each in ast.walk(part):
                    if isinstance(each, ast.Name):
                        read.add(each.id)
                    elif isinstance(each, FUNCTIONS):
                        inside.add(each)
    return read


def replaced(nodes: Iterable[ast.AST], names: Mapping[str, str]) -> Iterator[str]:
    """Yield the full names that a test file replaces."""
    for node in nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr=called) | ast.Name(id=called), args=[first, *rest]) if (
                called in REPLACING
            ):
                match first, rest:
                    case ast.Constant(value=str(target)), _:
                        yield target
                    case _, [ast.Constant(value=str(name)), *_] if module := full_name(first, names):
                        yield f"{module}.{name}"
            case ast.Tuple(elts=[first, ast.Constant(value=str(name)), *_]) if name.isidentifier():
                if module := full_name(first, names):
                    yield f"{module}.{name}"
            case ast.Assign(targets=targets):
                parts = [part for target in targets for part in getattr(target, "elts", [target])]
                yield from (full_name(part, names) for part in parts if isinstance(part, ast.Attribute))


def is_read(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)


def without_effect(texts: Mapping[str, str]) -> set[tuple[str, str]]:
    """Return pairs of a test module and a full name that it replaces although nothing reads it there.

    Parameters
    ----------
    texts : mapping of str to str
        Text of each module by its full name; modules below ``tests`` are tests.
    """
    trees = {module: list(ast.walk(ast.parse(text))) for module, text in texts.items()}
    names = {module: imported(nodes) for module, nodes in trees.items()}
    read = set[str]()
    for module, nodes in trees.items():
        read |= {f"{module}.{name}" for name in read_when_called(nodes)}
        attributes = {full_name(node, names[module]) for node in nodes if is_read(node)}
        # Tests read what they replace in the product, to call it.
        is_test = module.startswith("tests.")
        read |= {name for name in attributes if not is_test or name.startswith("tests.")}
    return {
        (module, name)
        for module, nodes in trees.items()
        if module.startswith("tests.")
        for name in replaced(nodes, names[module])
        if name.rpartition(".")[0] in trees and name not in trees and name not in read
    }


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.soak
def test_everything_that_tests_replace_is_read_there() -> None:
    paths = [path for folder in (*PRODUCT, "benchmarks", "tests") for path in (ROOT / folder).rglob("*.py")]
    texts = {module_name(path): path.read_text(encoding="utf-8") for path in paths}
    assert without_effect(texts) == KNOWN


PLANTED: Final = {
    "shop.store": "SIZE = 3\nLIMIT = 4\ndef keep(n=SIZE): return LIMIT\n",
    "shop.desk": "from shop import store\nfrom shop.store import keep\ndef sell(): keep(store.part)\n",
    "tests.test_shop": (
        "from shop import desk, store\n"
        "def test_it(monkeypatch):\n"
        "    monkeypatch.setattr(store, 'keep', None)\n"
        "    monkeypatch.setattr('shop.store.SIZE', 5)\n"
        "    store.gone = store.keep\n"
        "    monkeypatch.setattr(store, 'LIMIT', 5)\n"
        "    monkeypatch.setattr(desk, 'keep', None)\n"
        "    store.part = 1\n"
    ),
}


def test_names_imported_elsewhere_read_early_or_moved_away_are_detected() -> None:
    assert without_effect(PLANTED) == {
        ("tests.test_shop", "shop.store.keep"),
        ("tests.test_shop", "shop.store.SIZE"),
        ("tests.test_shop", "shop.store.gone"),
    }
