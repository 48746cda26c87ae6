"""An application can be deleted with its tests and templates: the rest starts, and its tests pass."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.reach import APPS, files

pytestmark = pytest.mark.slow
OTHERS = [app for app in APPS if app != "surveys"]

TESTS = (
    "tests/site/test_roles.py::test_the_role_table_lists_exactly_the_existing_urls",
    "tests/site/test_roles.py::test_every_user_gets_what_their_roles_allow_at_every_address",
    "tests/surveys/accounts/test_permissions.py",
    "tests/surveys/accounts/test_token_requests.py::test_api_responses_match_their_schemas",
    "tests/surveys/test_extension.py",
    "tests/surveys/test_declarations.py",
    "tests/policy/test_table.py",
    "tests/surveys/server/test_backup.py::test_a_backup_contains_no_mixer_keys_and_no_staff_sessions",
)
"""Tests of addresses, accounts and backups: what an application adds to."""

STARTS = """
import os, sys
from importlib.util import find_spec

app, backup = sys.argv[1:]
os.environ["DJANGO_SETTINGS_MODULE"] = "surveys.settings"
assert find_spec(app) is None, "this Python finds the application elsewhere"
import django

django.setup()
from django.core.management import call_command
from django.urls import reverse

call_command("migrate", verbosity=0)
call_command("check")
call_command("backup", backup)
import surveys.asgi

reverse("home")
"""
"""One process prepares a database, backs it up and loads every page."""


class Copy:
    """A copy of the repository without an application."""

    def __init__(self, app: str, folder: Path) -> None:
        self.root, self.home = folder / "copy", folder / "home"
        gone = (f"{app}/", f"tests/{app}/", f"templates/{app}/")
        for name in files():
            if not name.startswith(gone) and (ROOT / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / name, self.root / name)
        assert all(not (self.root / name).exists() for name in gone)

    def runs(self, *arguments: str) -> str:
        """Run Python in the copy, which must succeed; return what it prints."""
        kept = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
        own = {"SOTTOVOCE_HOME": str(self.home), "PYTHONPATH": str(self.root)}
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.root,
            env={**kept, **own},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.mark.parametrize("app", OTHERS)
@pytest.mark.soak
def test_the_rest_starts_without_the_application(app: str, tmp_path: Path) -> None:
    copy = Copy(app, tmp_path)
    assert "backed up" in copy.runs("-c", STARTS, app, str(tmp_path / "backup"))
    assert "backup" in copy.runs("manage.py", "help")


@pytest.mark.soak
@pytest.mark.parametrize("app", OTHERS)
def test_the_tests_of_the_rest_pass_without_the_application(app: str, tmp_path: Path) -> None:
    Copy(app, tmp_path).runs("-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *TESTS)
