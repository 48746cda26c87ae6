"""Whatever a command says of an option, it has that option."""

from __future__ import annotations

import ast
import re
from collections import ChainMap
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from surveys.errors.catalogue import WORDS
from surveys.extension import extensions
from tests.reach import APPS

ROOT = Path(__file__).parents[3]
COMMANDS = sorted(path for app in APPS for path in (ROOT / app / "management/commands").glob("[a-z]*.py"))
BELOW = {
    "anonymisation/microdata/checking.py": ("verify", "release"),
    "anonymisation/microdata/reading.py": ("release",),
    "anonymisation/microdata/publishing.py": ("release",),
    "anonymisation/microdata/files.py": ("release", "query"),
}
"""Modules whose remedies are read in the terminal of these commands."""


def texts(path: Path) -> Iterator[str]:
    """Every text of a module except docstrings, and the words of every refusal that it names."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {
        node.body[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docstrings:
            yield node.value
            yield from ChainMap(WORDS, *(dict(app.refusals) for app in extensions())).get(node.value, ())


def options_named(path: Path) -> set[str]:
    # Arguments for another command belong to that command.
    own = (re.sub(r"(manage\.py|\./run|\./test) .*", "", text) for text in texts(path))
    found = {name for text in own for name in re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", text)}
    # This test cannot identify a name that continues in a placeholder.
    return {name for name in found if not name.endswith("-")}


def options_of(command: str) -> set[str]:
    parser = load_command_class(get_commands()[command], command).create_parser("manage.py", command)
    return {option for action in parser._actions for option in action.option_strings}


@pytest.mark.parametrize(
    ("path", "commands"),
    [*((path.relative_to(ROOT).as_posix(), (path.stem,)) for path in COMMANDS), *BELOW.items()],
)
def test_an_option_that_is_named_exists(path: str, commands: tuple[str, ...]) -> None:
    assert options_named(ROOT / path) <= {option for command in commands for option in options_of(command)}


def test_the_walk_finds_options_and_would_miss_none() -> None:
    verify = options_named(ROOT / "anonymisation/management/commands/verify.py")
    assert {"--k", "--people", "--recursive-l", "--quasi-identifiers"} <= verify
    assert not verify <= options_of("query")
