"""Where SOTTOVOCE_APPS leaves releases out the surveys go on, and nothing of releases is reached."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.slow

ASK = """
import json
import django
django.setup()
from django.core.management import call_command, get_commands
from django.test import Client
from django.utils import timezone
call_command("migrate", verbosity=0)
call_command("check")

from surveys.management.commands import sweep
from surveys import tasks
from surveys.accounts.permissions import Role
from surveys.extension import extensions
from surveys.jobs.lease import enqueue
from surveys.models import Job
from surveys.server.middleware import StaffFormsMiddleware
from tests.fixtures.staff import member

client = Client(headers={"host": "localhost"})
client.force_login(member("ana", Role.ADMINISTRATOR))
first = client.get("/en/staff/")
job = enqueue(kind="release", requested_by=None, now=timezone.now(), announce=False)
tasks.run_job(job.pk)
print(json.dumps({
    "first page": first.status_code,
    "menu": "/staff/releases/" in first.content.decode(),
    "releases": client.get("/en/staff/releases/").status_code,
    "for programs": client.get("/en/staff/releases.json").status_code,
    "commands": sorted({"release", "verify", "query"} & set(get_commands())),
    "step": "releases" in dict(sweep.every_step()),
    "checks": [check.__name__ for app in extensions() for check in app.doctor_checks()],
    "failed steps": sweep.sweep_once(),
    "job": Job.objects.get(pk=job.pk).state,
    "forms": "releases" in StaffFormsMiddleware(lambda request: None).namespaces,
}))
"""


def run(tmp_path: Path, *program: str, apps: str) -> str:
    names = {"PATH", "HOME", "LANG"}
    done = subprocess.run(
        [sys.executable, *program],
        cwd=ROOT,
        env={
            **{name: value for name, value in os.environ.items() if name in names},
            "SOTTOVOCE_HOME": str(tmp_path),
            "DJANGO_SETTINGS_MODULE": "surveys.settings",
            "SOTTOVOCE_APPS": apps,
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_process_without_releases_serves_works_and_sweeps(tmp_path: Path) -> None:
    assert json.loads(run(tmp_path, "-c", ASK, apps="").splitlines()[-1]) == {
        "first page": 200,
        "menu": False,
        "releases": 404,
        "for programs": 404,
        "commands": [],
        "step": False,
        "checks": [],
        "failed steps": [],
        "job": "queued",
        "forms": False,
    }


def test_and_with_them_all_of_it_is_there(tmp_path: Path) -> None:
    assert json.loads(run(tmp_path, "-c", ASK, apps="anonymisation").splitlines()[-1]) == {
        "first page": 200,
        "menu": True,
        "releases": 200,
        "for programs": 200,
        "commands": ["query", "release", "verify"],
        "step": True,
        "checks": ["records_go_on_their_day"],
        "failed steps": [],
        "job": "finished",
        "forms": True,
    }


def test_releases_can_be_put_on_afterwards(tmp_path: Path) -> None:
    run(tmp_path, "manage.py", "migrate", "--verbosity=0", apps="")
    counted = (
        "import django; django.setup(); from django.core.management import call_command; "
        "call_command('migrate', verbosity=0); from anonymisation.models import Release; "
        "print(Release.objects.count())"
    )
    assert run(tmp_path, "-c", counted, apps="anonymisation").strip() == "0"
