"""Without releases in SOTTOVOCE_APPS, surveys work and nothing of releases can be reached."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.processes import python

pytestmark = pytest.mark.slow

ASK = """
import json
import sys
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
client.force_login(member(sys.argv[1], Role.ADMINISTRATOR))
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


def asked(tmp_path: Path, apps: str) -> Any:
    """Run the checks in a process with these applications."""
    done = python(tmp_path, "-c", ASK, f"ana of {apps}", SOTTOVOCE_APPS=apps)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_releases_are_nowhere_until_they_are_put_on_and_then_all_is_there(tmp_path: Path) -> None:
    assert asked(tmp_path, "") == {
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
    assert asked(tmp_path, "anonymisation") == {
        "first page": 200,
        "menu": True,
        "releases": 200,
        "for programs": 200,
        "commands": ["query", "release", "verify"],
        "step": True,
        "checks": ["records_expire_in_time"],
        "failed steps": [],
        "job": "finished",
        "forms": True,
    }
