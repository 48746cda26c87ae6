"""The table of policy numbers is whole: each has its reason, its readers and its test."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from privacy import policy
from tests.reach import ROOMS

ROOT = Path(__file__).resolve().parents[2]
NUMBERS = {
    name: value for name, value in vars(policy).items() if isinstance(value, int | float) and name.isupper()
}


def readers() -> dict[str, set[str]]:
    """The modules that import each number."""
    found: dict[str, set[str]] = {name: set() for name in NUMBERS}
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            module = path.relative_to(ROOT).as_posix().removesuffix(".py").replace("/", ".")
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module == "privacy.policy":
                    for alias in node.names:
                        found[alias.name].add(module)
                elif (
                    isinstance(node, ast.Attribute)
                    and ast.unparse(node.value) == "policy"
                    and node.attr in found
                ):
                    found[node.attr].add(module)
    return found


def test_the_table_says_of_each_number_what_it_decides_and_why() -> None:
    assert list(policy.TABLE) == list(NUMBERS)
    assert [name for name, one in policy.TABLE.items() if not (one.meaning and one.reason)] == []


@pytest.mark.soak
def test_the_table_names_the_modules_that_read_a_number() -> None:
    assert {name: set(one.used) for name, one in policy.TABLE.items()} == readers()
    assert [name for name, one in policy.TABLE.items() if not one.used] == []


@pytest.mark.parametrize("name", NUMBERS)
def test_each_number_has_a_test_of_its_own(name: str) -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert re.search(rf"^def test_{name.lower()}__", text, re.MULTILINE)
