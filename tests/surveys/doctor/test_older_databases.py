"""Before `migrate` the new program reads and backs up what every release that can be upgraded has left."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db.migrations.loader import MigrationLoader

from surveys.server.backup_manifest import MANIFEST
from tests.cast.earlier import without_squashed
from tests.conftest import ROOT

# Older than the oldest release that is upgraded, whose newest is 0027.
OLDEST = "0004_runs"
# One process for all: each begins where the one before it ended.
TRY = """
import sys
import django
django.setup()
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from django.core.management import call_command
from surveys.doctor import upgrade
from surveys.doctor.diagnosis import CheckContext, Severity, examine
from surveys.server.backup import backup_make
from tests.cast.earlier import without_squashed

place, *names = sys.argv[1:]
now = datetime.now(UTC)
for name in names:
    # The first is made by the migrations of then; a database that has some of them takes the others so, too.
    with without_squashed() if name == names[0] else nullcontext():
        call_command("migrate", "surveys", name, verbosity=0)
    context = CheckContext(address=None, client_digest=None, now=now)
    before = [finding.seen for finding in examine(context, upgrade.CHECKS)]
    backup_make(Path(place) / name, version="of a test", now=now)
    after = {finding.level for finding in examine(context, upgrade.CHECKS)}
    blind = [seen for seen in before if "could not look" in seen]
    if blind or (Severity.ERROR in after):
        print(name, blind, after)
"""


@pytest.mark.soak
@pytest.mark.only("sqlite")
def test_every_database_from_the_oldest_release_on_is_looked_at_and_backed_up(tmp_path: Path) -> None:
    with without_squashed():
        graph = MigrationLoader(None).graph
    plan = graph.forwards_plan(graph.leaf_nodes("surveys")[0])
    names = [name for app, name in plan if app == "surveys"]
    older = names[names.index(OLDEST) :]
    given = {"SOTTO_HOME": str(tmp_path / "home"), "DATABASE_URL": ""}
    done = subprocess.run(
        [sys.executable, "-c", TRY, str(tmp_path / "backup"), *older],
        cwd=ROOT,
        env={**os.environ, **given, "DJANGO_SETTINGS_MODULE": "surveys.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr[-2000:]
    assert {path.parent.name for path in (tmp_path / "backup").glob(f"*/{MANIFEST}")} == set(older)
