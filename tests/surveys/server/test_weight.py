"""What web part, sweeper and launcher do not load: memory and seconds for what they do not use."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

COMPUTING = {"numpy", "scipy", "pandas", "mlxtend", "numba", "llvmlite", "matplotlib", "pyarrow"}
"""What runs and reports compute with."""

PROVIDER = {"authlib", "joserfc", "requests"}
"""What a log-in by a provider needs, where one is named."""

BROKER = {"celery", "kombu", "redis", "yaml"}
"""What tasks are sent with: the sweeper loads it when it has one to send, and a quiet one has none."""

# The command as it is typed, but for its steps, which need a database: checks would load every page.
SWEEPER = """
import django
django.setup()
from django.core.management import execute_from_command_line
from surveys.management.commands import sweep
sweep.sweep_once = lambda: []
execute_from_command_line(["sotto", "sweep", "--once"])
"""
# As `surveys.asgi` begins, with all addresses: they are read for the first page.
WEB = """
import surveys.asgi
from django.urls import get_resolver
get_resolver().url_patterns
"""
TELL = """
import json, sys
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""


def loaded(start: str, home: Path) -> set[str]:
    """Return the names of the packages that a process holds after this start."""
    variables = {**os.environ, "SOTTO_HOME": str(home), "DJANGO_SETTINGS_MODULE": "surveys.settings"}
    done = subprocess.run(
        [sys.executable, "-c", start + TELL],
        cwd=ROOT,
        env=variables,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


LAUNCHER = """
import django
django.setup()
from django.core.management import execute_from_command_line
from surveys.management.commands import dev
dev.launch = lambda wish, say: 0
try:
    execute_from_command_line(["sotto", "dev"])
except SystemExit:
    pass
"""


@pytest.mark.parametrize(
    ("start", "absent"),
    [
        (SWEEPER, COMPUTING | PROVIDER | BROKER),
        (LAUNCHER, COMPUTING | PROVIDER),
        (WEB, {"pandas", "numba", "llvmlite", "matplotlib", "pyarrow"} | PROVIDER),
    ],
    ids=["sweeper", "launcher", "web"],
)
def test_a_process_does_not_load_what_it_does_not_use(start: str, absent: set[str], tmp_path: Path) -> None:
    found = loaded(start, tmp_path)
    assert {"django", "surveys"} <= found
    assert not found & absent
