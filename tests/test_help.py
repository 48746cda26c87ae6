"""Every script and program of a checkout explains itself, and refuses unknown arguments by name."""

import ast
import re
import subprocess
import sys
from collections import ChainMap
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from surveys.errors.error import WORDS
from surveys.extension import extensions
from surveys.management import __main__ as command_line
from tests.reach import APPS

ROOT = Path(__file__).resolve().parents[1]


def is_program(path: Path) -> bool:
    """Return whether a module can be run."""
    return any(
        isinstance(node, ast.If) and ast.unparse(node.test) == "__name__ == '__main__'"
        for node in ast.parse(path.read_text(encoding="utf-8")).body
    )


PROGRAMS = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("benchmarks", "deploy", "docs", "examples", "tests")
    for path in (ROOT / folder).rglob("*.py")
    if is_program(path)
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_parse_their_arguments(program: str) -> None:
    """`argparse` gives `--help`, and names unknown arguments."""
    source = (ROOT / program).read_text(encoding="utf-8")
    assert "ArgumentParser(" in source, "also without arguments: argparse.ArgumentParser(...).parse_args()"


@pytest.mark.parametrize(
    "script", [["sh", "check"], ["sh", "test"], ["sh", "run"], [sys.executable, "deploy/materials.py"]]
)
def test_scripts_print_help_and_refuse_unknown_arguments_by_name(script: list[str]) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*script, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)

    helped, refused = run("--help"), run("--no-such-option")
    assert helped.returncode == 0
    assert helped.stdout.startswith("usage: ")
    assert "--help" in helped.stdout
    assert refused.returncode == 2
    assert "--no-such-option" in refused.stdout + refused.stderr


@pytest.mark.parametrize("words", [["check", "HEAD"], ["test", "--soak"]])
def test_scripts_refuse_a_second_argument(words: list[str]) -> None:
    done = subprocess.run(["sh", *words, "extra"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "extra" in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["no-such-command"], "Unknown command: 'no-such-command'\nType 'sottovoce help' for usage."),
        (
            ["doctor", "--no-such-option"],
            "sottovoce: unrecognized arguments: --no-such-option. To list the arguments, type: "
            ".venv/bin/python manage.py doctor --help",
        ),
    ],
)
def test_commands_refuse_unknown_words_by_name(arguments: list[str], said: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "surveys.management", *arguments],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "SOTTOVOCE_HOME": str(tmp_path), "SECRET_KEY": "only for tests " * 4},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert done.stderr.strip().endswith(said)


def test_the_help_lists_every_command_with_its_purpose() -> None:
    lines = [line for line in command_line.overview() if line.startswith("  ")]
    own = [name for name, where in get_commands().items() if where in ("surveys", "anonymisation")]
    assert sorted(line.split()[0] for line in lines) == sorted(own)
    assert all(re.fullmatch(r"  .{26} [a-z].*\.", line) for line in lines)


COMMANDS = sorted(path for app in APPS for path in (ROOT / app / "management/commands").glob("[a-z]*.py"))


BELOW = {
    "anonymisation/microdata/checks.py": ("verify", "release"),
    "anonymisation/microdata/hierarchies.py": ("release",),
    "anonymisation/microdata/survey_table.py": ("release",),
    "anonymisation/microdata/publication.py": ("release",),
    "anonymisation/microdata/files.py": ("release",),
    "anonymisation/microdata/deposit_reader.py": ("release", "query"),
}
"""Modules whose remedies these commands print."""


def texts(path: Path) -> Iterator[str]:
    """Yield every string of a module except docstrings, and the messages of every refusal that it names."""
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
            yield from ChainMap(WORDS, *(dict(app.refusals) for app in extensions())).get(node.value, ())[:2]


def options_named(path: Path) -> set[str]:
    # Options of other commands belong to those commands.
    own = (re.sub(r"(manage\.py|\./run|\./test) .*", "", text) for text in texts(path))
    found = {name for text in own for name in re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", text)}
    # Skip names that continue in a placeholder.
    return {name for name in found if not name.endswith("-")}


def options_of(command: str) -> set[str]:
    parser = load_command_class(get_commands()[command], command).create_parser("manage.py", command)
    return {option for action in parser._actions for option in action.option_strings}


@pytest.mark.parametrize(
    ("path", "commands"),
    [*((path.relative_to(ROOT).as_posix(), (path.stem,)) for path in COMMANDS), *BELOW.items()],
)
def test_documented_options_exist(path: str, commands: tuple[str, ...]) -> None:
    assert options_named(ROOT / path) <= {option for command in commands for option in options_of(command)}


def test_the_option_check_finds_every_documented_option() -> None:
    verify = options_named(ROOT / "anonymisation/management/commands/verify.py")
    assert {"--k", "--people", "--recursive-l", "--quasi-identifiers"} <= verify
    assert not verify <= options_of("query")
