"""Without releases in SOTTOVOCE_APPS, surveys work and nothing of releases can be reached."""

import json
from pathlib import Path

import pytest
from django.core.management import get_commands
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from surveys import tasks
from surveys.accounts.roles import Role
from surveys.extension import extensions
from surveys.jobs.queue import enqueue
from surveys.management.commands import sweep
from surveys.models import Job
from surveys.server.middleware import StaffFormsMiddleware
from tests.fixtures.processes import python
from tests.fixtures.staff import member

pytestmark = pytest.mark.slow

START = """
import json
import sys
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("check")
from tests.anonymisation.site.test_nowhere import found
print(json.dumps(found(sys.argv[1])))
"""


def found(name: str) -> dict[str, object]:
    """Return what this installation shows of releases to an administrator of this name."""
    client = Client(headers={"host": "localhost"})
    client.force_login(member(name, Role.ADMINISTRATOR))
    first = client.get("/en/staff/")
    job = enqueue(kind="release", requested_by=None, now=timezone.now(), announce=False)
    tasks.run_job(job.pk)
    return {
        "first page": first.status_code,
        "menu": "/staff/releases/" in first.content.decode(),
        "releases": client.get("/en/staff/releases/").status_code,
        "for programs": client.get("/en/staff/releases.json").status_code,
        "commands": sorted({"release", "verify", "query"} & set(get_commands())),
        "step": "releases" in dict(sweep.every_step()),
        "checks": [check.__name__ for app in extensions() for check in app.doctor_checks()],
        "failed steps": sweep.sweep_once(),
        "job": Job.objects.get(pk=job.pk).state,
        "forms": "releases" in StaffFormsMiddleware(lambda request: HttpResponse()).namespaces,
    }


@pytest.mark.soak
def test_without_the_application_releases_are_nowhere(tmp_path: Path) -> None:
    done = python(tmp_path, "-c", START, "ana", SOTTOVOCE_APPS="")
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == {
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


@pytest.mark.soak
@pytest.mark.django_db
def test_with_the_application_all_is_there() -> None:
    assert found("ana") == {
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
