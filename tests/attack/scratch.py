"""Run attacks in a separate process, on a database that is created for them and removed afterwards.

SOTTOVOCE_HOME and DATABASE_URL determine an installation: the mixer's keys, the column cache, the database.
The process gets its own home and, on a PostgreSQL server, its own database.
"""

import contextlib
import json
import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

from django.conf import settings
from django.db import connection

from tests.attack.learnt import AttackError, Learnt

__all__ = ["attack_in_scratch", "database_url", "scratch_database"]


def database_url() -> str:
    """Return the DATABASE_URL with which another process opens this database."""
    values = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{values['NAME']}"
    user, password = quote(str(values["USER"])), quote(str(values["PASSWORD"]))
    host, port = quote(str(values["HOST"]), safe=""), values["PORT"] or 5432
    return f"postgres://{user}:{password}@{host}:{port}/{values['NAME']}"


def attack_in_scratch(*arguments: str) -> list[Learnt]:
    """Run the attacks on simulated surveys in a separate database, and return their results.

    Raises
    ------
    AttackError
        The database could not be created, or the attacks could not run; the message contains the output.
    """
    with tempfile.TemporaryDirectory(prefix="sottovoce-attack-") as directory, scratch_database() as url:
        home = Path(directory)
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("SOTTOVOCE_")},
            "SOTTOVOCE_HOME": str(home),
            "DATABASE_URL": url or f"sqlite:///{home / 'sottovoce.sqlite3'}",
        }
        _run("surveys.management", ["migrate", "--verbosity", "0"], environment)
        output = _run("tests.attack", ["--made-up-here", "--json", *arguments], environment)
    return [Learnt(**each) for each in json.loads(output)["attacks"]]


@contextlib.contextmanager
def scratch_database() -> Iterator[str]:
    """Create a database on the same server and yield its URL; for SQLite, yield an empty string."""
    if connection.vendor == "sqlite":
        yield ""
        return
    name = f"sottovoce_attack_{secrets.token_hex(6)}"
    parts = urlsplit(database_url())
    with connection.cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{name}"')
    try:
        yield urlunsplit(parts._replace(path=f"/{name}"))
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def _run(module: str, arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    done: Any = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=settings.BASE_DIR,
        env=dict(environment),
        stdout=subprocess.PIPE,
        # Let the attack's progress appear immediately.
        stderr=None if module == "tests.attack" else subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1) or not (done.stdout or module == "surveys.management"):
        said = (done.stderr or "").strip().splitlines()[-1:] or done.returncode
        raise AttackError(f"the made-up surveys could not be attacked: {said}")
    return str(done.stdout)
