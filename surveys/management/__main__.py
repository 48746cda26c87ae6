"""The command line, as ``manage.py`` in a checkout, as ``sotto`` where a wheel is installed."""

from __future__ import annotations

import os
import sys
import tomllib
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"


def main() -> None:
    """Hand the command line to Django; ``--version`` tells Sotto's own."""
    if sys.argv[1:] in (["--version"], ["version"]):
        sys.stdout.write(f"sotto {installed_version()}\n")
        return
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")
    try:
        from django.core.management import execute_from_command_line
        from django.db import DatabaseError

        from surveys.server.newer_database import NewerDatabaseError, pending_migrations
    except ModuleNotFoundError as missing:
        sys.exit(
            f"sotto: {missing.name} is not installed. The library works without it; the commands need what"
            ' the server needs: pip install "sotto[server]".'
        )
    try:
        execute_from_command_line(sys.argv)
    except NewerDatabaseError as error:
        sys.exit(f"sotto: {error}")
    except DatabaseError:
        with suppress(DatabaseError):
            pending = pending_migrations()
            if pending:
                # A table that is missing says nothing of what to do; that migrations are, does.
                sys.exit(
                    f"sotto: the database has not been prepared for this release: {len(pending)} migrations"
                    f" are missing, {pending[0]} first. Type: migrate. Where another database is meant,"
                    " name it by SOTTO_HOME or DATABASE_URL."
                )
        raise


def installed_version() -> str:
    """Return the version of a checkout by its own page, else that of the installed distribution."""
    if PROJECT.is_file():
        return str(tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"])
    return version("sotto")


if __name__ == "__main__":
    main()
