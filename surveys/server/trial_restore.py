"""A trial restore: the newest backup becomes an installation that is looked at and thrown away.

It is done as somebody would after a loss, by the commands restore, migrate and doctor, in processes of their
own with a home and a database of their own. What runs is not touched.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit, urlunsplit

from django.conf import settings
from django.db import ProgrammingError, connection

from surveys.errors.error import SurveyError
from surveys.server.backup import backup_newest
from surveys.server.backup_notes import TRIAL_FAILED, TRIED, note

_FOLDER: Final = ".trial-restore"


def trial_restore(directory: Path, *, now: datetime) -> Path:
    """Restore the newest backup of a folder for trial, and note how that went; return which one it was.

    Raises
    ------
    SurveyError
        ``backup.trial``: a command failed; ``backup.none``; ``backup.may_not``: the role makes no database.
    """
    try:
        backup = backup_newest(directory)
        with _elsewhere(directory) as environment:
            for command in (
                ["restore", str(backup)],
                ["migrate", "--verbosity", "0"],
                ["doctor", "--stored"],
            ):
                _run(command, environment)
    except (SurveyError, OSError) as error:
        note(TRIAL_FAILED, now=now, reason=str(error)[:300])
        raise
    note(TRIED, now=now)
    return backup


def _run(command: list[str], environment: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "surveys.management", *command],
        cwd=settings.BASE_DIR,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    # The doctor's 1 is somebody's to judge, and no fault of a backup.
    if done.returncode > (command[0] == "doctor"):
        lines = [line for line in done.stdout.splitlines() if "BROKEN" in line] or done.stdout.splitlines()[
            -1:
        ]
        raise SurveyError("backup.trial", command=command[0], said=" ".join(lines)[:300])


@contextmanager
def _elsewhere(directory: Path) -> Iterator[dict[str, str]]:
    """Give the environment of an empty installation, and remove it afterwards."""
    folder = directory.absolute() / _FOLDER
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "home").mkdir(mode=0o700, parents=True)
    folder.chmod(0o700)
    try:
        with _database(folder / "home") as url:
            yield {
                **os.environ,
                "SOTTO_HOME": str(folder / "home"),
                "SOTTO_MIXER_KEYS": str(folder / "keys"),
                "DATABASE_URL": url,
            }
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _database(home: Path) -> Iterator[str]:
    if connection.vendor == "sqlite":
        yield f"sqlite:///{home / 'sotto.sqlite3'}"
        return
    name = f"{connection.settings_dict['NAME']}_trial_restore"
    quoted = connection.ops.quote_name(name)
    drop = f"DROP DATABASE IF EXISTS {quoted} WITH (FORCE)"
    with connection.cursor() as cursor:
        try:
            cursor.execute(drop)
            cursor.execute(f"CREATE DATABASE {quoted} ENCODING 'UTF8' TEMPLATE template0")
        except ProgrammingError:
            raise SurveyError("backup.may_not", role=connection.settings_dict["USER"]) from None
    try:
        yield urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}"))
    finally:
        with connection.cursor() as cursor:
            cursor.execute(drop)
