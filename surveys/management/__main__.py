"""The command line: ``manage.py`` in a checkout, ``sottovoce`` in an installed wheel.

This module also finds the program's commit and compiles its Chinese catalogue.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

from surveys.jobs.provenance import installed_version

CATALOGUE: Final = Path("locale/zh_Hans/LC_MESSAGES/django.po")
"""Path of the editable catalogue from the root of a checkout."""

_ROOT: Final = Path(__file__).resolve().parents[2]
# The build of a wheel writes this file.
_NAMED: Final = Path(__file__).with_name("commit.txt")
# Git writes the commit into this file when it creates an archive.
_ARCHIVED: Final = ".git_archival.txt"
_SECONDS: Final = 10


@lru_cache(maxsize=1)
def installed_commit() -> str:
    """Return the commit of a wheel or a checkout, in twelve digits; "" if it is unknown.

    For a checkout with uncommitted changes, the result ends with ``+changed``.
    """
    if _NAMED.is_file():
        return _NAMED.read_text(encoding="ascii").strip()
    return commit_of(_ROOT)


def commit_of(root: Path) -> str:
    """Return the commit that a source folder was checked out or unpacked from; "" if it is unknown."""
    git = shutil.which("git")
    if (root / ".git").exists() and git:
        describe = [git, "describe", "--always", "--abbrev=12", "--exclude=*", "--dirty=+changed"]
        try:
            done = subprocess.run(
                describe, cwd=root, capture_output=True, text=True, timeout=_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return ""
        return done.stdout.strip() if done.returncode == 0 else ""
    archive_file = root / _ARCHIVED
    text = archive_file.read_text(encoding="ascii") if archive_file.is_file() else ""
    node = re.fullmatch(r"node: ([0-9a-f]{40})\s*", text)
    return node[1][:12] if node else ""


def compile_catalogue(root: Path, target: Path | None = None) -> None:
    """Compile a checkout's catalogue for gettext, unless the compiled file is newer.

    Parameters
    ----------
    root : Path
        Root of the checkout. In an installed wheel, there is no catalogue and nothing happens.
    target : Path, optional
        Compiled file; by default next to the catalogue.
    """
    source = root / CATALOGUE
    target = target or source.with_suffix(".mo")
    if not source.is_file() or (target.is_file() and target.stat().st_mtime_ns >= source.stat().st_mtime_ns):
        return
    import polib

    # Several processes may start at once. Each must read either the old file or a complete new one.
    part = target.with_name(f"{target.name}.{os.getpid()}")
    polib.pofile(str(source)).save_as_mofile(str(part))
    part.replace(target)


def main() -> None:
    """Pass the command line to Django, except ``--version`` and ``--help``, which are Sottovoce's own."""
    if sys.argv[1:] in (["--version"], ["version"]):
        sys.stdout.write(f"sottovoce {installed_program()}\n")
        return
    if sys.argv[1:] in ([], ["help"], ["--help"], ["-h"]):
        sys.stdout.write("\n".join(overview()) + "\n")
        return
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")
    try:
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
        from django.db import DatabaseError

        from surveys.server.database import RefusedDatabaseError
    except ModuleNotFoundError as missing:
        sys.exit(
            f"sottovoce: {missing.name} is not installed. The library works without it, but the commands "
            'need the extra "server". Install it with: pip install "FILE.whl[server]", or in a checkout: '
            'pip install ".[server]"'
        )
    name = Path(sys.argv[0]).name
    try:
        # Help and errors of `python -m surveys.management` name the command that users type.
        execute_from_command_line(["sottovoce" if name == "__main__.py" else name, *sys.argv[1:]])
    except ImproperlyConfigured as error:
        sys.stderr.write(f"sottovoce: {error}\n")
        sys.exit(2)
    except RefusedDatabaseError as error:
        sys.exit(f"sottovoce: {error}")
    except DatabaseError:
        # Report the state of the database instead of a missing table, so that the user knows what to do.
        from surveys.server.state import Kind, database_state, state_unreachable

        try:
            state = database_state()
        except DatabaseError as unreachable:
            state = state_unreachable(unreachable)
        if state.kind is Kind.OK:
            raise
        sys.exit(f"sottovoce: {RefusedDatabaseError(state.sentence)}")


def overview() -> Iterator[str]:
    """Yield the lines of the help: each command with its purpose, from the first line of its module."""
    yield f"sottovoce {installed_program()}"
    yield "\nStart here:  sottovoce demo\n"
    for application in ("surveys", "anonymisation"):
        folder = Path(__file__).parents[2] / application / "management" / "commands"
        for path in sorted(folder.glob("[!_]*.py")):
            docstring = str(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))))
            usage, _, purpose = docstring.split("\n")[0].partition("`: ")
            yield f"  {usage.removeprefix('`manage.py '):<26} {purpose}"
    yield "\nOptions of a command: sottovoce COMMAND --help\nDjango's commands: sottovoce help --commands"


def installed_program() -> str:
    """Return version and commit for display: "1.0.0 (commit 0123456789ab)", or only the version."""
    commit = installed_commit()
    return f"{installed_version()} (commit {commit})" if commit else installed_version()


if __name__ == "__main__":
    main()
