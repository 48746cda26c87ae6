"""Modules that web process, sweeper and launcher must not load, to save memory and time."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

COMPUTING = {"numpy", "scipy", "pandas", "mlxtend", "numba", "llvmlite", "matplotlib", "pyarrow"}
"""Modules for computations of runs and reports."""

MATHEMATICS = {"mlxtend.frequent_patterns", "openpyxl", "scipy.optimize", "scipy.special", "scipy.stats"}
"""Modules that the first figure of a page loads."""

PROVIDER = {"authlib", "joserfc", "requests"}
"""Modules for log-ins by a provider, if one is configured."""

BROKER = {"celery", "kombu", "redis", "yaml"}
"""Modules for sending tasks; the sweeper only writes to the database, where workers look for jobs."""

WORKING = {"celery.worker", "celery.fixups.django", "celery.app.trace", "billiard.pool"}
"""Modules for receiving tasks, which senders do not need."""

# The command without its steps, and without checks, which would load every page.
SWEEPER = """
import django
django.setup()
from django.core.management import execute_from_command_line
from surveys.management.commands import sweep
sweep_once, sweep.sweep_once = sweep.sweep_once, lambda: []
execute_from_command_line(["sottovoce", "sweep", "--once"])
# And a design that is read, and a round with a step that asks for a task.
from privacy.survey.block import Block
from privacy.survey.design import Design
from privacy.survey.group_policy import GroupPolicy
from privacy.survey.question import Question
from surveys.jobs.dispatch import Task, dispatch
from surveys.models import Version
questions = (Question(key="a", kind="yes_no", options=(), unrelated=(5000,)),)
block = Block(
    key="b", protected=True, truth_probability=5000, questions=questions
)
design = Design(blocks=(block,), group=GroupPolicy(), use="live")
assert Version(design=design.to_json()).row_bytes == 1
sweep.every_step()
assert sweep_once((("asks", lambda: dispatch(Task.RUN_JOB, 1)),)) == []
"""
PACKAGES = {
    "surveys.authoring.views",
    "surveys.report.results.results",
    "surveys.report.risk_page.risk_view",
    "surveys.report.export.export_page",
    "anonymisation.releases.views",
}
"""Staff pages; a package is loaded on its first request."""

# Starts `surveys.asgi` and requests a URL that belongs to no package.
HOME = """
import surveys.asgi
from django.urls import get_resolver, reverse
reverse("home")
"""
# Then requests pages of all packages.
WEB = """
def read(resolver):
    for one in resolver.url_patterns:
        if hasattr(one, "url_patterns"):
            read(one)
read(get_resolver())
"""
TELL = """
import json, sys
print(json.dumps(sorted(sys.modules)))
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home with a prepared database, without which no process starts."""
    made = tmp_path_factory.mktemp("home")
    command = [sys.executable, "manage.py", "migrate", "-v", "0"]
    subprocess.run(command, cwd=ROOT, env=variables_of(made), check=True)
    return made


def variables_of(home: Path) -> dict[str, str]:
    """Return the environment of an installation in this home."""
    return {
        **os.environ,
        "SOTTOVOCE_HOME": str(home),
        "DJANGO_SETTINGS_MODULE": "surveys.settings",
        "REDIS_URL": f"redis+socket://{home}/nobody.sock",
        "DATABASE_URL": f"sqlite:///{home}/sottovoce.sqlite3",
    }


def loaded(starts: list[str], home: Path) -> list[set[str]]:
    """Return the names of the modules that a process has loaded after each of these steps."""
    done = subprocess.run(
        [sys.executable, "-c", "".join(start + TELL for start in starts)],
        cwd=ROOT,
        env=variables_of(home),
        capture_output=True,
        text=True,
        check=True,
    )
    told = [line for line in done.stdout.splitlines() if line.startswith("[")]
    return [set(json.loads(line)) for line in told]


LAUNCHER = """
import django
django.setup()
from django.core.management import execute_from_command_line
from surveys.management.commands import dev
dev.launch = lambda wish, say: 0
try:
    execute_from_command_line(["sottovoce", "dev"])
except SystemExit:
    pass
"""


@pytest.mark.soak
@pytest.mark.parametrize(
    "steps",
    [
        [
            (SWEEPER, COMPUTING | {"openpyxl"} | PROVIDER | BROKER),
            (LAUNCHER, COMPUTING | PROVIDER | {"celery", "redis"}),
        ],
        [("import django.conf, surveys.imports.files.uploaded_tables", COMPUTING - {"numpy"})],
        [
            (HOME, PACKAGES | MATHEMATICS | {"pandas", "numba"} | PROVIDER | WORKING),
            (WEB, {"pandas", "numba", "llvmlite", "matplotlib", "pyarrow"} | PROVIDER | WORKING),
        ],
    ],
    ids=["sweeper with work, then launcher", "child that reads a table", "web at its first page and at all"],
)
def test_processes_do_not_load_modules_they_do_not_use(steps: list[tuple[str, set[str]]], home: Path) -> None:
    for found, (_, absent) in zip(loaded([start for start, _ in steps], home), steps, strict=True):
        assert {"django", "surveys"} <= found
        assert all(map(find_spec, absent & PACKAGES)), "a module that was moved is never loaded"
        assert not [
            name for name in found for other in absent if name == other or name.startswith(f"{other}.")
        ]
