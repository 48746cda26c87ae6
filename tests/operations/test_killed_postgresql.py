"""Kill PostgreSQL with asynchronous commits while respondents answer."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from surveys.server.process_commands import manage
from tests.conftest import ROOT, kill_group, start_group
from tests.fixtures.devices import published, wide_definition
from tests.fixtures.web_server import WebServer
from tests.operations.machine import Devices, Machine, key_of
from tests.postgresql import SETTINGS, fresh_server

pytestmark = pytest.mark.django_db(transaction=True)

KILLS = 3
# With these settings, PostgreSQL writes asynchronous commits up to three delays later.
FORGETFUL = {**SETTINGS, "synchronous_commit": "off", "wal_writer_delay": "10s"}
PUBLISH = """
import django
django.setup()
from tests.fixtures.devices import published, wide_definition
published(wide_definition("wide", questions=90))
"""


@pytest.mark.soak
def test_acknowledged_answers_survive_three_kills_of_a_forgetful_database(tmp_path: Path, soak: int) -> None:
    version = published(wide_definition("wide", questions=90))
    rng = random.Random(20_261_123)
    with fresh_server(FORGETFUL) as postgresql:
        machine = Machine(tmp_path, postgresql.url)
        environment = {**os.environ, **machine.environment}
        assert machine.types("migrate")[0] == 0
        subprocess.run([sys.executable, "-c", PUBLISH], cwd=ROOT, env=environment, check=True)
        sweeper = start_group(manage("sweep"), env=environment)
        try:
            with (
                WebServer(tmp_path / "web.log", **machine.environment) as server,
                Devices(server, version) as devices,
            ):
                for _ in range(KILLS * min(soak, 10)):
                    devices.more(60)
                    time.sleep(rng.random() / 2)
                    postgresql.kill()
                    told = set(devices.received)
                    postgresql.start()
                    stored = {bytes(key).hex() for (key,) in machine.ask("SELECT key FROM surveys_receipt")}
                    assert {key_of(raw) for raw in told} <= stored
                devices.finish()
        finally:
            kill_group(sweeper)
        ((rows,),) = machine.ask("""SELECT
            (SELECT COUNT(*) FROM surveys_inbox) + (SELECT COALESCE(SUM(n), 0) FROM surveys_batch)""")
        assert rows == len(devices.sent)


@pytest.mark.soak
def test_the_planted_forgetful_database_loses_commits() -> None:
    with fresh_server(FORGETFUL) as postgresql:
        with psycopg.connect(postgresql.url.replace("postgres:", "postgresql:"), autocommit=True) as link:
            link.execute("CREATE TABLE told (number int)")
            link.execute("CHECKPOINT")
            link.execute("INSERT INTO told VALUES (1)")
            postgresql.kill()
        postgresql.start()
        with psycopg.connect(postgresql.url.replace("postgres:", "postgresql:")) as link:
            assert link.execute("SELECT COUNT(*) FROM told").fetchone() == (0,)
