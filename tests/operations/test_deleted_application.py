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


@pytest.mark.parametrize("app", [app for app in APPS if app != "surveys"])
def test_the_rest_works_without_the_application(app: str, tmp_path: Path) -> None:
    copy, home = tmp_path / "copy", tmp_path / "home"
    gone = (f"{app}/", f"tests/{app}/", f"templates/{app}/")
    for name in files():
        if not name.startswith(gone) and (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, copy / name)
    assert all(not (copy / name).exists() for name in gone)

    def runs(*arguments: str) -> str:
        kept = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=copy,
            env={**kept, "SOTTOVOCE_HOME": str(home), "PYTHONPATH": str(copy)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    look = f"from importlib.util import find_spec; print(find_spec({app!r}))"
    assert runs("-c", look).strip() == "None", "this Python finds the application elsewhere"
    assert "backup" in runs("manage.py", "help")
    runs("manage.py", "migrate", "--verbosity=0")
    runs("manage.py", "check")
    assert "backed up" in runs("manage.py", "backup", str(tmp_path / "backup"))
    runs("-c", "import surveys.asgi; from django.urls import reverse; reverse('home')")
    runs("-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *TESTS)
