"""Trials are commands of a checkout, and of an installation that names them; nobody meets them elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

OFFERED = {path.stem for path in (ROOT / "trials/management/commands").glob("[a-z]*.py")}


def said(*arguments: str, home: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    own = {name: value for name, value in os.environ.items() if name not in ("SOTTO_APPS", "DATABASE_URL")}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=own | {"SOTTO_HOME": str(home), "DJANGO_SETTINGS_MODULE": "surveys.settings"} | environment,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(
    ("environment", "offered"),
    [({}, OFFERED), ({"SOTTO_APPS": "releases,trials"}, OFFERED), ({"SOTTO_APPS": ""}, set())],
)
def test_a_checkout_offers_the_commands_of_trials_unless_it_is_told_not_to(
    environment: dict[str, str], offered: set[str], tmp_path: Path
) -> None:
    assert {"coverage", "simulate"} <= OFFERED
    commands = set(said("help", "--commands", home=tmp_path, **environment).stdout.split())
    assert "doctor" in commands
    assert commands & OFFERED == offered


def test_where_trials_are_off_an_attack_is_no_command(tmp_path: Path) -> None:
    done = said("simulate", home=tmp_path, SOTTO_APPS="")
    assert done.returncode == 1
    assert "Unknown command: 'simulate'" in done.stderr


def test_trials_alone_are_refused_with_what_to_write(tmp_path: Path) -> None:
    done = said("help", "--commands", home=tmp_path, SOTTO_APPS="trials")
    assert done.returncode != 0
    assert done.stderr.rstrip().endswith("write releases,trials.")
