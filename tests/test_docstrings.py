"""Docstrings agree with signatures: the parameters and classes that they name exist."""

import ast
import builtins
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

from tests.architecture import nodes
from tests.reach import LAYERS
from tests.test_architecture import ROOT, modules, named, tracked

Documented = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef

_FOREIGN = frozenset({"DataFrame", "Series"})
"""Library classes that a layer accepts without importing them."""


def sections(docstring: str) -> Iterator[tuple[str, str]]:
    """Yield the unindented lines of a docstring's sections, each with the name of its section."""
    section = ""
    for line, below in pairwise([*docstring.splitlines(), ""]):
        if re.fullmatch(r"-{3,}", below):
            section = line
        elif section and line and not line.startswith((" ", "---")):
            yield section, line


def parameters(node: Documented) -> set[str] | None:
    """Return the parameters of a function or class; None for a class that inherits them."""
    if isinstance(node, ast.ClassDef):
        init = [own for own in node.body if isinstance(own, ast.FunctionDef) and own.name == "__init__"]
        if init:
            return parameters(init[0])
        fields = {ast.unparse(own.target) for own in node.body if isinstance(own, ast.AnnAssign)}
        return None if node.bases else fields
    given = node.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return {argument.arg for argument in every if argument is not None}


def stale(tree: tuple[ast.AST, ...], classes: frozenset[str]) -> Iterator[str]:
    """Yield the names in a module's docstrings that do not exist."""
    for node in tree:
        if not isinstance(node, Documented):
            continue
        taken = parameters(node)
        for section, line in sections(ast.get_docstring(node) or ""):
            names, _, kind = line.partition(" : ")
            if section == "Parameters" and taken is not None:
                own = {name.strip().lstrip("*") for name in names.split(",")}
                yield from (f"{node.name}: unknown parameter {name}" for name in own - taken)
            if section in ("Parameters", "Attributes", "Returns", "Yields"):
                kind = kind or (names if section in ("Returns", "Yields") else "")
                types = set(re.findall(r"(?<![\w.])[A-Z]\w*[a-z]\w*", kind))
                yield from (f"{node.name}: unknown class {name}" for name in types - classes)


@cache
def product() -> dict[Path, tuple[ast.AST, ...]]:
    """Return the syntax nodes of every module of the product."""
    return {path: nodes(path) for path in modules(*LAYERS)}


def names_bound(tree: tuple[ast.AST, ...]) -> Iterator[str]:
    """Yield the names that a module imports, defines or assigns."""
    for node in tree:
        if isinstance(node, Documented):
            yield node.name
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in node.names)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def test_docstrings_match_parameters_and_classes() -> None:
    classes = _FOREIGN.union(dir(builtins), *(names_bound(tree) for tree in product().values()))
    gone = {named(path): [*stale(tree, classes)] for path, tree in product().items()}
    assert {path: names for path, names in gone.items() if names} == {}, "correct these docstrings"


def referred_to(text: str) -> set[str]:
    """Return the dotted names of the product that a text puts in backticks."""
    return set(re.findall(r"`((?:privacy|mining|surveys)(?:\.\w+)+)`", text))


def is_there(name: str) -> bool:
    """Return whether a dotted name refers to a package, a module, or a name in a module."""
    steps = name.split(".")
    for split in range(len(steps), 0, -1):
        path = ROOT.joinpath(*steps[:split])
        if path.is_dir() and split == len(steps):
            return True
        module = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if module.is_file():
            return split == len(steps) or steps[split] in names_bound(nodes(module))
    return False


def undescribed(tree: ast.Module) -> Iterator[str]:
    """Yield the public functions of a module whose docstring does not describe their parameters."""
    exported: set[str] | None = None
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            exported = set(ast.literal_eval(node.value))
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
            continue
        if exported is not None and node.name not in exported:
            continue
        described = {
            name.strip().lstrip("*")
            for section, line in sections(ast.get_docstring(node) or "")
            if section == "Parameters"
            for name in line.partition(" : ")[0].split(",")
        }
        if (parameters(node) or set()) - described:
            yield node.name


def test_public_core_functions_document_their_parameters() -> None:
    core = [path for path in product() if path.relative_to(ROOT).parts[0] in ("privacy", "mining")]
    trees = {named(path): ast.parse(path.read_text(encoding="utf-8")) for path in core}
    lacking = {name: own for name, tree in trees.items() if (own := list(undescribed(tree)))}
    assert lacking == {}, "describe all parameters of these functions in their docstrings"


def test_partially_documented_parameters_are_detected() -> None:
    module = '''
def share(counts, n):
    """Return a share.

    Parameters
    ----------
    counts : ndarray
    """
'''
    assert list(undescribed(ast.parse(module))) == ["share"]


def test_names_in_backticks_exist() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in (*product(), *tracked(".md"))}
    names = {name: named(path) for path, text in texts.items() for name in referred_to(text)}
    # The changelog and decisions may name removed things.
    kept = {name: path for name, path in names.items() if not path.startswith(("CHANGELOG", "docs/adr"))}
    gone = {name: path for name, path in kept.items() if not is_there(name)}
    assert gone == {}, "these names in backticks do not exist: correct the texts"


def test_references_to_removed_names_are_detected() -> None:
    text = "`privacy.survey.design.Design`, `mining`, `privacy.desing`, `mining.pipeline.mined`, `mining.x y`"
    gone = [name for name in sorted(referred_to(text)) if not is_there(name)]
    assert gone == ["mining.pipeline.mined", "privacy.desing"]


def test_stale_names_are_detected() -> None:
    module = '''
class Row:
    """One row.

    Parameters
    ----------
    size, weight : int
    """

    size: int

def read(path, *rest) -> Row:
    """Read.

    Parameters
    ----------
    path : Path or None
    *rest : str
        Which Clue it has.
    kind : Kind

    Returns
    -------
    Line
        It is a Clue.
    """
'''
    found = set(stale(tuple(ast.walk(ast.parse(module))), frozenset({"Path", "None"})))
    assert found == {
        "Row: unknown parameter weight",
        "read: unknown parameter kind",
        "read: unknown class Kind",
        "read: unknown class Line",
    }
