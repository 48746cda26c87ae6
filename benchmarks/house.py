"""Measure the size and shape of the code: lines, statements, cycles, small modules, inline error messages.

``python -m benchmarks.house`` prints a table for the current checkout. Lines are counted in the committed
files, which are formatted. Statements are counted too, because formatting changes the number of lines but not
of statements.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.architecture import cycles, graph, packages_both_ways

ROOT = Path(__file__).resolve().parent.parent
SMALL = 40
REFUSALS = ("Error", "Refusal", "Refused")
GUARDS = {"TypeError", "ValueError", "RuntimeError", "AssertionError", "AttributeError", "OperationalError"}
"""Not refusals: programming errors, or exceptions that nearby code catches without using the text."""


def tracked(*patterns: str) -> list[Path]:
    """List the committed files that match, except migrations."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", *patterns], cwd=ROOT, capture_output=True, check=True, text=True
    ).stdout
    return [ROOT / name for name in listed.split("\0") if name and "/migrations/" not in name]


def lines(paths: Iterable[Path]) -> int:
    """Count lines."""
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def trees(paths: Iterable[Path]) -> Iterator[ast.Module]:
    """Parse Python files."""
    for path in paths:
        yield ast.parse(path.read_text(encoding="utf-8"))


def statements(paths: Iterable[Path]) -> int:
    """Count Python statements, except docstrings."""
    return sum(
        isinstance(node, ast.stmt)
        and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for tree in trees(paths)
        for node in ast.walk(tree)
    )


def error_classes(paths: Iterable[Path]) -> list[str]:
    """List refusal classes, recognised by name and by having a base class (unlike errors of estimates)."""
    return [
        node.name
        for tree in trees(paths)
        for node in tree.body
        if isinstance(node, ast.ClassDef) and node.bases and node.name.endswith(REFUSALS)
    ]


def prose_raised(paths: Iterable[Path]) -> int:
    """Count the places that raise a refusal with an inline sentence."""
    return sum(
        isinstance(node, ast.Raise)
        and isinstance(node.exc, ast.Call)
        and (name := ast.unparse(node.exc.func).split(".")[-1]).endswith(REFUSALS)
        and name not in GUARDS
        and any(_is_sentence(part) for part in ast.walk(node.exc))
        for tree in trees(paths)
        for node in ast.walk(tree)
    )


def _is_sentence(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.count(" ") >= 2


def figures() -> dict[str, object]:
    """Return the figures of this checkout."""
    product = tracked("surveys/*.py")
    shown = tracked("surveys/*.js", "surveys/*.css", "templates/*.html")
    core = tracked("privacy/*.py", "mining/*.py")
    imports = graph("surveys")
    small = [path for path in product if path.name != "__init__.py" and lines([path]) < SMALL]
    loose = [path for path in product if path.parent.name == "surveys" and path.name != "__init__.py"]
    return {
        "lines of surveys (Python, JavaScript, CSS) and templates": lines([*product, *shown]),
        "statements of surveys": statements(product),
        "lines of privacy and mining": lines(core),
        "statements of privacy and mining": statements(core),
        "import cycles in surveys": len(cycles(imports)),
        "pairs of packages that import each other": len(packages_both_ways(imports)),
        "loose modules at the top of surveys": len(loose),
        f"modules of surveys below {SMALL} lines": f"{len(small)} of {len(product)}",
        "error classes of surveys": len(error_classes(product)),
        "raise sites of surveys with prose": prose_raised(product),
        "error classes of privacy and mining": len(error_classes(core)),
        "raise sites of privacy and mining with prose": prose_raised(core),
    }


def main() -> None:
    """Print the figures as a table."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    print("| figure | value |\n|---|---|")
    for name, value in figures().items():
        print(f"| {name} | {value} |")


if __name__ == "__main__":
    main()
