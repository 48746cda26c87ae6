"""Messages name commands in words that the reader can type."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from django.core.management import get_commands

from surveys.errors.error import SurveyError
from surveys.errors.typed_commands import as_typed
from surveys.typed_program import _installed
from tests.architecture import nodes
from tests.conftest import ROOT

VERBS: Final = {"audit", "backup", "check", "demo", "embed", "flush", "mine", "publish", "query", "release",
                "restore", "shell", "test", "verify", "watch"}  # fmt: skip
"""Commands whose names are words of sentences. Only after "type" they must be commands."""
OTHERS: Final = sorted(set(get_commands()) - VERBS)
BARE: Final = re.compile(
    rf"\b(?:type:? |start with:? )(?:{'|'.join(map(re.escape, get_commands()))})\b"
    rf"|\b(?:run|then|next:|start|and|applied:) (?:{'|'.join(map(re.escape, OTHERS))})\b",
    re.IGNORECASE,
)


def texts_of(path: Path) -> Iterator[str]:
    """Yield the texts of a file that are not docstrings; adjacent literals are one text."""
    tree = nodes(path)
    documentation = {
        id(part.body[0].value)
        for part in tree
        if isinstance(part, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and part.body
        and isinstance(part.body[0], ast.Expr)
    }
    for part in tree:
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and id(part) not in documentation:
            yield part.value


def test_no_message_names_a_command_without_the_program() -> None:
    bare = {
        f"{path.relative_to(ROOT)}: {text}"
        for package in ("surveys", "anonymisation")
        for path in (ROOT / package).rglob("*.py")
        for text in texts_of(path)
        if BARE.search(text)
    }
    assert bare == set()


def test_bare_commands_are_found() -> None:
    assert BARE.search("Type: migrate.")
    assert BARE.search("back it up, then run doctor again")
    assert not BARE.search("Type: sottovoce migrate.")
    assert not BARE.search("install that release, then restore")


def test_messages_name_commands_as_in_a_checkout(settings: Any) -> None:
    assert SurveyError("state.unfinished").remedy == "type: sottovoce migrate"
    settings.PROGRAM = ".venv/bin/python manage.py"
    assert SurveyError("state.unfinished").remedy == "type: .venv/bin/python manage.py migrate"


def test_no_message_names_the_command_of_a_checkout() -> None:
    """Messages name `sottovoce dev`, which `as_typed` writes as ./run in a checkout."""
    of_checkouts = re.compile(r"\./run\b|\bpython -m (?!benchmarks)")
    programs = {"typed_program.py", "typed_commands.py"}
    named = {
        f"{path.relative_to(ROOT)}: {text}"
        for package in ("surveys", "anonymisation")
        for path in (ROOT / package).rglob("*.py")
        if path.name not in programs
        for text in texts_of(path)
        if of_checkouts.search(text)
    }
    named |= {
        str(path.relative_to(ROOT))
        for path in (ROOT / "templates").rglob("*.*")
        if of_checkouts.search(path.read_text(encoding="utf-8"))
    }
    assert named == set()


def test_starting_everything_is_named_as_it_is_typed(settings: Any) -> None:
    assert as_typed("Type: sottovoce dev.") == "Type: sottovoce dev."
    settings.PROGRAM, settings.START = "sv/bin/sottovoce", "sv/bin/sottovoce dev"
    assert as_typed("Type: sottovoce dev, then sottovoce device.") == (
        "Type: sv/bin/sottovoce dev, then sv/bin/sottovoce device."
    )
    assert as_typed(as_typed("- sottovoce dev")) == "- sv/bin/sottovoce dev"
    settings.PROGRAM, settings.START = ".venv/bin/python manage.py", "./run"
    assert as_typed("Type: sottovoce dev --port 8001.") == "Type: ./run --port 8001."


def test_an_installed_program_is_named_by_what_a_terminal_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "sv/bin/sottovoce"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "/nowhere")
    assert _installed("sv/bin/sottovoce", tmp_path / "sv") == "sv/bin/sottovoce"
    assert _installed("sv/lib/surveys/management/__main__.py", tmp_path / "sv") == str(program)
    monkeypatch.setenv("PATH", str(program.parent))
    assert _installed("sv/bin/sottovoce", tmp_path / "sv") == "sottovoce"


def test_a_command_in_an_empty_home_says_what_to_type(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "SOTTOVOCE_HOME": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "surveys.settings",
    }
    environment.pop("DATABASE_URL", None)
    done = subprocess.run(
        [sys.executable, "manage.py", "mine", "work"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.endswith("are to be applied. Type: .venv/bin/python manage.py migrate.\n")
