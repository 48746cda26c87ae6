"""The commit of a checkout, of an unpacked archive, or of neither."""

import ast
import gettext
import os
import re
import subprocess
from collections import ChainMap
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from surveys.errors.error import WORDS
from surveys.extension import extensions
from surveys.management import __main__ as command_line
from surveys.management import commit
from surveys.management.catalogue import CATALOGUE, compile_catalogue
from surveys.management.commit import commit_of, installed_commit
from tests.reach import APPS


def git(place: Path, *arguments: str) -> str:
    who = ("-c", "user.name=nobody", "-c", "user.email=nobody@example.org")
    done = subprocess.run(["git", *who, *arguments], cwd=place, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    place = tmp_path / "checkout"
    place.mkdir()
    (place / ".gitattributes").write_text(".git_archival.txt export-subst\n")
    (place / ".git_archival.txt").write_text("node: $Format:%H$\n")
    git(place, "init", "--quiet")
    git(place, "add", ".")
    git(place, "commit", "--quiet", "--message", "Begin")
    return place


def test_a_checkout_reports_its_commit_and_changes(checkout: Path) -> None:
    head = git(checkout, "rev-parse", "HEAD")
    assert commit_of(checkout) == head[:12]
    # A tag does not replace the commit.
    git(checkout, "tag", "v1.0")
    assert commit_of(checkout) == head[:12]
    (checkout / ".gitattributes").write_text("")
    assert commit_of(checkout) == f"{head[:12]}+changed"


def test_an_unpacked_archive_reports_its_commit(checkout: Path, tmp_path: Path) -> None:
    unpacked = tmp_path / "unpacked"
    unpacked.mkdir()
    git(checkout, "archive", "--output", str(tmp_path / "archive.tar"), "HEAD")
    subprocess.run(["tar", "-xf", tmp_path / "archive.tar", "-C", unpacked], check=True)
    assert commit_of(unpacked) == git(checkout, "rev-parse", "HEAD")[:12]


def test_a_copy_without_history_reports_no_commit(checkout: Path, tmp_path: Path) -> None:
    assert commit_of(tmp_path) == ""
    (tmp_path / ".git_archival.txt").write_text("node: $Format:%H$\n")
    assert commit_of(tmp_path) == ""
    # A copy with an unreadable history reports none either.
    (tmp_path / ".git").write_text("gitdir: nowhere\n")
    assert commit_of(tmp_path) == ""


def test_the_commit_recorded_by_the_build_takes_precedence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "commit.txt").write_text("0123456789ab\n")
    monkeypatch.setattr(commit, "_NAMED", tmp_path / "commit.txt")
    installed_commit.cache_clear()
    try:
        said = command_line.installed_program()
    finally:
        installed_commit.cache_clear()
    assert said == f"{command_line.installed_version()} (commit 0123456789ab)"
    monkeypatch.setattr(command_line, "installed_commit", lambda: "")
    assert command_line.installed_program() == command_line.installed_version()


def test_the_help_lists_every_command_with_its_purpose() -> None:
    lines = [line for line in command_line.overview() if line.startswith("  ")]
    own = [name for name, where in get_commands().items() if where in ("surveys", "anonymisation")]
    assert sorted(line.split()[0] for line in lines) == sorted(own)
    assert all(re.fullmatch(r"  .{26} [a-z].*\.", line) for line in lines)


HEADER = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n'


def test_translations_are_compiled_once_and_again_after_a_change(tmp_path: Path) -> None:
    source = tmp_path / CATALOGUE
    source.parent.mkdir(parents=True)
    source.write_text(f'{HEADER}\nmsgid "Save"\nmsgstr "保存"\n', encoding="utf-8")
    compile_catalogue(tmp_path)
    compiled = source.with_suffix(".mo")
    with compiled.open("rb") as file:
        assert gettext.GNUTranslations(file).gettext("Save") == "保存"
    compiled.write_bytes(b"kept")
    compile_catalogue(tmp_path)
    assert compiled.read_bytes() == b"kept"
    os.utime(source, ns=(compiled.stat().st_mtime_ns + 1, compiled.stat().st_mtime_ns + 1))
    compile_catalogue(tmp_path)
    assert compiled.read_bytes() != b"kept"
    assert [path.name for path in sorted(source.parent.iterdir())] == ["django.mo", "django.po"]


def test_missing_catalogues_are_not_compiled(tmp_path: Path) -> None:
    compile_catalogue(tmp_path)
    assert list(tmp_path.iterdir()) == []


ROOT = Path(__file__).parents[3]
COMMANDS = sorted(path for app in APPS for path in (ROOT / app / "management/commands").glob("[a-z]*.py"))
BELOW = {
    "anonymisation/microdata/checks.py": ("verify", "release"),
    "anonymisation/microdata/hierarchies.py": ("release",),
    "anonymisation/microdata/survey_table.py": ("release",),
    "anonymisation/microdata/publication.py": ("release",),
    "anonymisation/microdata/files.py": ("release", "query"),
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
