"""Plug-in applications add to `surveys` if they are enabled, and not otherwise."""

import json
import re
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from surveys.environment import applications
from tests.fixtures.processes import python

ASK = """
import json, sys
import django
django.setup()
from django.urls import NoReverseMatch, reverse
from django.utils.translation import override
from surveys.management.commands import sweep
from surveys.accounts.permissions import Role
from surveys.accounts.audit_log import label_of
from surveys.accounts.permissions import StaffMenu
from surveys.errors.error import SurveyError
from surveys.extension import extensions
from surveys.server.middleware import StaffFormsMiddleware

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

print(json.dumps({
    "page": address("planted:page"),
    "menu": [[entry.page, entry.label] for entry in StaffMenu(builds=True).menu],
    "menu of others": [entry.page for entry in StaffMenu(reviews=True).menu],
    "refusal": refusal(),
    "log": label_of("plant"),
    "forms": "planted" in StaffFormsMiddleware(lambda request: None).namespaces,
    "steps": [name for name, _ in sweep.every_step() if name in ("wilt", "water", "alerts")],
    "in doubt": [name for name in sweep.in_doubt() if name in ("wilt", "water")],
}))
"""


def test_an_enabled_application_adds_its_pages_and_menu_items(tmp_path: Path) -> None:
    done = python(tmp_path, "-c", ASK, SOTTOVOCE_APPS="tests.fixtures.planted_app")
    assert json.loads(done.stdout or "{}") == {
        "page": "/en/staff/plants/",
        "menu": [["planted:page", "Planted things"]],
        "menu of others": [],
        "refusal": ["3 was planted", "dig it out", 418],
        "log": "planted something",
        "forms": True,
        "steps": ["wilt", "water", "alerts"],
        "in doubt": ["wilt"],
    }, done.stderr


def test_a_disabled_application_adds_nothing(tmp_path: Path) -> None:
    done = python(tmp_path, "-c", ASK, SOTTOVOCE_APPS="")
    assert json.loads(done.stdout or "{}") == {
        "page": None,
        "menu": [],
        "menu of others": [],
        "refusal": None,
        "log": "plant",
        "forms": False,
        "steps": ["alerts"],
        "in doubt": [],
    }, done.stderr


def test_a_job_waits_while_its_application_is_disabled(tmp_path: Path) -> None:
    program = (
        "import django; django.setup()\n"
        "from django.core.management import call_command\n"
        "from django.utils import timezone\n"
        "call_command('migrate', verbosity=0)\n"
        "from surveys.jobs.lease import enqueue\n"
        "from surveys.models import Job\n"
        "from surveys.tasks import run_job\n"
        "job = enqueue(kind='plant', requested_by=None, now=timezone.now(), announce=False)\n"
        "run_job(job.pk)\n"
        "print(Job.objects.get(pk=job.pk).state)\n"
    )
    on = python(tmp_path, "-c", program, SOTTOVOCE_APPS="tests.fixtures.planted_app")
    assert on.stdout.splitlines() == ["the work of a planted job", "finished"], on.stderr
    off = python(tmp_path, "-c", program, SOTTOVOCE_APPS="")
    assert off.stdout.splitlines() == ["queued"], off.stderr


def test_the_doctor_includes_checks_of_applications(tmp_path: Path) -> None:
    done = python(
        tmp_path,
        "manage.py",
        "doctor",
        "--json",
        SOTTOVOCE_APPS="tests.fixtures.planted_app",
        SECRET_KEY="k" * 50,
    )
    promises = [finding["promise"] for finding in json.loads(done.stdout)["findings"]]
    assert promises[-1] == "planted things grow"


@pytest.mark.parametrize("name", ["nothing", "surveys.nothing", "a b", ".", "tests.fixtures"])
def test_a_missing_application_prevents_startup(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOTTOVOCE_APPS", f"tests.fixtures.planted_app,{name}")
    with pytest.raises(
        ImproperlyConfigured, match=re.escape(f"names {name!r}, which is no application here")
    ):
        applications(usual=["anonymisation"])
