"""A base copy and archived log of PostgreSQL restore what was stored after the nightly backup."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from surveys.server.process_commands import manage
from tests.conftest import ROOT, kill_group, start_group, wait_until
from tests.fixtures.devices import published, wide_definition
from tests.fixtures.web_server import WebServer
from tests.operations.machine import Devices, Machine, key_of
from tests.operations.test_killed_postgresql import PUBLISH
from tests.postgresql import SETTINGS, base_copy, fresh_server

DIGESTS = "SELECT digest, n FROM surveys_batch ORDER BY digest"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.soak
def test_answers_and_batches_after_the_base_copy_are_recovered(tmp_path: Path) -> None:
    version = published(wide_definition("wide", questions=90))
    # Relative to the server's data directory, which belongs to another user.
    archived = SETTINGS | {
        "archive_mode": "on",
        "archive_command": "mkdir -p ../archive && cp %p ../archive/%f",
    }
    with fresh_server(archived) as lost:
        recovers = SETTINGS | {"restore_command": f"cp {lost.directory}/archive/%f %p"}
        machine = Machine(tmp_path, lost.url)
        environment = {**os.environ, **machine.environment}
        assert machine.types("migrate")[0] == 0
        subprocess.run([sys.executable, "-c", PUBLISH], cwd=ROOT, env=environment, check=True)
        sweeper = start_group(manage("sweep"), env=environment)
        try:
            with (
                WebServer(tmp_path / "web.log", **machine.environment) as server,
                Devices(server, version) as devices,
                base_copy(lost, recovers) as copy,
            ):
                devices.more(120)
                devices.finish()
                told = {key_of(raw) for raw in devices.received}
                wait_until(
                    lambda: machine.ask("SELECT COALESCE(SUM(n), 0) FROM surveys_batch")[0][0] >= 50,
                    what="a batch",
                )
                kill_group(sweeper)
                before = machine.ask(DIGESTS)
                ((last,),) = machine.ask("SELECT pg_walfile_name(pg_switch_wal())")
                wait_until(
                    lambda: machine.ask("SELECT last_archived_wal FROM pg_stat_archiver") >= [(last,)],
                    what="the archived log",
                )
                # From now on, only the archive of this machine is left.
                lost.stop()
                copy.start()
                again = Machine(tmp_path / "again", copy.url)
                stored = {bytes(key).hex() for (key,) in again.ask("SELECT key FROM surveys_receipt")}
                assert stored == told
                assert again.ask(DIGESTS) == before
        finally:
            kill_group(sweeper)
