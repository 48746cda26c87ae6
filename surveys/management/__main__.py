"""The command line: ``manage.py`` in a checkout, ``sottovoce`` in an installed wheel."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from surveys.declarations import declarations
from surveys.jobs.installed_version import installed_version
from surveys.management.commit import installed_commit
from surveys.typed_program import IS_CHECKOUT, typed_program, typed_start


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

        from surveys.server.refused_database import RefusedDatabaseError
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
        from surveys.server.state import StateKind, database_state, state_unreachable

        try:
            state = database_state()
        except DatabaseError as unreachable:
            state = state_unreachable(unreachable)
        if state.kind is StateKind.OK:
            raise
        sys.exit(f"sottovoce: {RefusedDatabaseError(state.sentence)}")


def overview() -> Iterator[str]:
    """Yield the lines of the help: each command with its purpose, from the first line of its module."""
    yield f"sottovoce {installed_program()}"
    yield f"\nStart here:  {typed_start() if IS_CHECKOUT else f'{typed_program()} demo'}\n"
    for folder in (Path(__file__).parents[1], *(each.folder for each in declarations())):
        for path in sorted(folder.glob("management/commands/[!_]*.py")):
            docstring = str(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))))
            usage, _, purpose = docstring.split("\n")[0].partition("`: ")
            yield f"  {usage.removeprefix('`manage.py '):<26} {purpose}"
    program = typed_program()
    yield f"\nOptions of a command: {program} COMMAND --help\nDjango's commands: {program} help --commands"


def installed_program() -> str:
    """Return version and commit for display: "1.0.0 (commit 0123456789ab)", or only the version."""
    commit = installed_commit()
    return f"{installed_version()} (commit {commit})" if commit else installed_version()


if __name__ == "__main__":
    main()
