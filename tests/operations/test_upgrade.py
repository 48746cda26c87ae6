"""Upgrades: an installation that an older Sotto made goes on under this one, with every figure as it was.

The older programs come from the history of this repository: the last commit before Sotto was a package, and
each tag since. Each is installed as its own lock says, so this runs in ./test --soak.
"""

from __future__ import annotations

import contextlib
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from benchmarks.proxies import free_port
from tests.conftest import ROOT
from tests.operations.test_wheel import clean

BEFORE_PACKAGES: Final = "2560a277^"
# What a report is made of, and what must not be lost; Django's own tables may change as they like.
TABLES: Final = (
    *("surveys_survey", "surveys_version", "surveys_batch", "surveys_receipt", "surveys_inbox"),
    *("surveys_run", "surveys_itemsetrow", "surveys_rulerow", "surveys_ruleinference", "surveys_auditevent"),
)


def releases() -> list[str]:
    """List the older programs; the first alone where there is no history, so that the test says so."""
    tags = subprocess.run(
        ["git", "tag", "--list", "v*"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return [BEFORE_PACKAGES, *tags.stdout.split()]


def rows(
    database: Path, like: dict[str, list[str]] | None = None
) -> dict[str, tuple[list[str], list[tuple[object, ...]]]]:
    """Return the columns and rows of each table; of the columns in `like` alone."""
    found = {}
    with contextlib.closing(sqlite3.connect(database)) as link:
        for table in TABLES:
            columns = like[table] if like else [row[1] for row in link.execute(f"PRAGMA table_info({table})")]
            query = f"SELECT {', '.join(columns)} FROM {table}"
            found[table] = (columns, sorted(link.execute(query).fetchall(), key=repr))
    return found


def types(*command: str, home: Path, cwd: Path = ROOT) -> tuple[int, str]:
    """Run a command on an installation; return its exit code and what it said."""
    done = subprocess.run(
        command, cwd=cwd, env=clean(SOTTO_HOME=str(home)), capture_output=True, text=True, timeout=3000
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.soak
@pytest.mark.parametrize("release", releases())
def test_an_installation_of_an_older_program_goes_on_under_this_one(release: str, tmp_path: Path) -> None:
    older, home = tmp_path / "older", tmp_path / "home"
    older.mkdir()
    archive = subprocess.run(["git", "archive", release], cwd=ROOT, capture_output=True, check=True)
    subprocess.run(["tar", "-x"], cwd=older, input=archive.stdout, check=True)
    once = ("./run", "--once", "--port", str(free_port()))
    code, said = types(*once, home=home, cwd=older)
    assert code == 0, said
    before = rows(home / "sotto.sqlite3")
    assert before["surveys_rulerow"][1]

    manage = (sys.executable, "-m", "surveys.management")
    # docs/operators.md, Upgrade
    assert types(*manage, "upgrade-check", home=home)[0] == 2
    code, said = types(*manage, "backup", str(tmp_path / "backup"), home=home)
    assert code == 0, said
    assert types(*manage, "upgrade-check", home=home)[0] == 1
    for step in (("migrate",), ("collectstatic", "--no-input")):
        code, said = types(*manage, *step, home=home)
        assert code == 0, said
    code, said = types(*manage, "dev", "--once", "--port", str(free_port()), home=home)
    assert code == 0, said
    assert "the demo's report exists and everything is well" in said
    assert types(*manage, "upgrade-check", home=home)[0] == 0

    after = rows(home / "sotto.sqlite3", {table: columns for table, (columns, _rows) in before.items()})
    assert after == before
    # There is no way back but the backup, and the older program says so.
    code, said = types(*once, home=home, cwd=older)
    assert code != 0
    assert "was written by a newer Sotto" in said
