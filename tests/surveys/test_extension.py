"""Plug-in applications add to `surveys` if they are enabled, and not otherwise."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.processes import python

PLANTED = "tests.fixtures.planted_app"
ASK = """
import contextlib, io, json, sys
import django
django.setup()
from django.core.management import call_command
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.translation import override
from surveys.management.commands import sweep
from surveys.accounts.event_sentences import label_of
from surveys.accounts.staff_menu import StaffMenu
from surveys.errors.error import SurveyError
from surveys.jobs.queue import enqueue
from surveys.models import Job
from surveys.server.middleware import StaffFormsMiddleware
from surveys.tasks import run_job

def address(name):
    try:
        with override("en"):
            return reverse(name)
    except NoReverseMatch:
        return None

def refusal():
    error = SurveyError("planted", 3)
    try:
        return [error.message, error.remedy, error.status]
    except KeyError:
        return None

def job():
    queued = enqueue(kind="plant", requested_by=None, now=timezone.now(), announce=False)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        run_job(queued.pk)
    return [printed.getvalue(), Job.objects.get(pk=queued.pk).state]

def last_check():
    with contextlib.redirect_stdout(io.StringIO()) as report, contextlib.suppress(SystemExit):
        call_command("doctor", json=True)
    return json.loads(report.getvalue())["findings"][-1]["promise"]

call_command("migrate", verbosity=0)
print(json.dumps({
    "page": address("planted:page"),
    "menu": [[entry.page, entry.label] for entry in StaffMenu(builds=True).menu],
    "menu of others": [entry.page for entry in StaffMenu(reviews=True).menu],
    "refusal": refusal(),
    "log": label_of("plant"),
    "forms": "planted" in StaffFormsMiddleware(lambda request: None).namespaces,
    "steps": [name for name, _ in sweep.every_step() if name in ("wilt", "water", "alerts")],
    "in doubt": [name for name in sweep.in_doubt() if name in ("wilt", "water")],
    "job": job(),
    "last check": last_check(),
}))
"""


def asked(home: Path, apps: str) -> Any:
    """Return what an installation with these applications answers, in a process of its own."""
    done = python(home, "-c", ASK, SOTTOVOCE_APPS=apps, SECRET_KEY="k" * 50)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.soak
def test_an_application_adds_to_every_list_only_while_it_is_enabled(tmp_path: Path) -> None:
    """Its jobs wait while it is disabled."""
    assert asked(tmp_path, PLANTED) == {
        "page": "/en/staff/plants/",
        "menu": [["planted:page", "Planted things"]],
        "menu of others": [],
        "refusal": ["3 was planted", "dig it out", 418],
        "log": "planted something",
        "forms": True,
        "steps": ["wilt", "water", "alerts"],
        "in doubt": ["wilt"],
        "job": ["the work of a planted job\n", "finished"],
        "last check": "planted things grow",
    }
    without = asked(tmp_path, "")
    assert without.pop("last check") != "planted things grow"
    assert without == {
        "page": None,
        "menu": [],
        "menu of others": [],
        "refusal": None,
        "log": "plant",
        "forms": False,
        "steps": ["alerts"],
        "in doubt": [],
        "job": ["", "queued"],
    }
