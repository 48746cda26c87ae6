"""The command line, as ``manage.py`` in a checkout, as ``sottovoce`` where a wheel is installed."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from surveys.jobs.provenance import installed_version
from surveys.management.checkout import installed_commit


def main() -> None:
    """Pass the command line to Django; ``--version`` and ``--help`` are Sottovoce's own."""
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

        from surveys.server.database import NewerDatabaseError, pending_migrations
    except ModuleNotFoundError as missing:
        sys.exit(
            f"sottovoce: {missing.name} is not installed. The library works without it, but the commands "
            'need the extra "server". Install it with: pip install "FILE.whl[server]", or in a checkout: '
            'pip install ".[server]"'
        )
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.stderr.write(f"sottovoce: {error}\n")
        sys.exit(2)
    except NewerDatabaseError as error:
        sys.exit(f"sottovoce: {error}")
    except DatabaseError:
        with suppress(DatabaseError):
            pending = pending_migrations()
            if pending:
                # A table that is missing says nothing of what to do; that migrations are, does.
                sys.exit(
                    f"sottovoce: the database has not been prepared for this release: {len(pending)} "
                    f"migrations"
                    f" are missing, {pending[0]} first. Type: migrate. Where another database is meant,"
                    " name it by SOTTOVOCE_HOME or DATABASE_URL."
                )
        raise


def overview() -> Iterator[str]:
    """Yield the lines of the help: each command with what it does, from the first line of its module."""
    yield f"sottovoce {installed_program()}"
    yield "\nStart here:  sottovoce demo\n"
    for application in ("surveys", "anonymisation"):
        folder = Path(__file__).parents[2] / application / "management" / "commands"
        for path in sorted(folder.glob("[!_]*.py")):
            said = str(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))))
            usage, _, purpose = said.split("\n")[0].partition("`: ")
            yield f"  {usage.removeprefix('`manage.py '):<26} {purpose}"
    yield "\nOptions of a command: sottovoce COMMAND --help\nDjango's commands: sottovoce help --commands"


def installed_program() -> str:
    """Return version and commit, for people: "1.0.0 (commit 0123456789ab)"; without the latter if unknown."""
    commit = installed_commit()
    return f"{installed_version()} (commit {commit})" if commit else installed_version()


if __name__ == "__main__":
    main()
