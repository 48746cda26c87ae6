"""The mixer's machine is gone during traffic, with its folder of keys: with a spare nothing is lost.

Two web servers, PostgreSQL and the sweepers are real. Host names are made up, because all run on one machine.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import Popen

import pytest

from tests.conftest import ROOT, kill_group, start_group, wait_until
from tests.fixtures.devices import published, wide_definition
from tests.fixtures.web_server import WebServer
from tests.operations.machine import Devices, Machine
from tests.operations.test_killed_postgresql import PUBLISH
from tests.postgresql import fresh_server

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.soak]

ANSWERS = 2_400
SWEEPER = """
import socket, sys
socket.gethostname = lambda: sys.argv[1]
from django.core.management import execute_from_command_line
execute_from_command_line(["manage.py", "sweep"])
"""
# Waiting answers that the mixer which holds the lease cannot open.
LOST = """SELECT COUNT(*) FROM surveys_inbox WHERE sealed_under NOT IN (
    SELECT name FROM surveys_mixerkey WHERE mixer = (
        SELECT mixer FROM surveys_mixerkey WHERE current AND version_id IS NULL))"""
WAITING = "SELECT COUNT(*) FROM surveys_inbox"
STORED = f"SELECT ({WAITING}) + (SELECT COALESCE(SUM(n), 0) FROM surveys_batch)"


@dataclass
class Installation:
    """Two web servers, a database, and a sweeper for each named host."""

    machine: Machine
    place: Path
    server: WebServer
    devices: tuple[Devices, Devices]
    sweepers: dict[str, Popen[bytes]] = field(default_factory=dict)

    def sweeps(self, host: str) -> None:
        """Start the sweeper of a host, which keeps its keys there."""
        variables = {**os.environ, **self.machine.environment}
        variables |= {"SOTTOVOCE_MIXER_KEYS": str(self.place / host)}
        self.sweepers[host] = start_group([sys.executable, "-c", SWEEPER, host], env=variables)

    def loses(self, host: str) -> None:
        """Kill a host's sweeper, and remove its keys."""
        kill_group(self.sweepers.pop(host))
        shutil.rmtree(self.place / host)

    def ready(self) -> dict[str, str]:
        address = f"http://127.0.0.1:{self.server.port}/ready"
        try:
            with urllib.request.urlopen(address) as answer:
                found: dict[str, str] = json.load(answer)
        except urllib.error.HTTPError as refusal:
            found = json.load(refusal)
        return found

    def count(self, query: str) -> int:
        ((number,),) = self.machine.ask(query)
        return int(number)

    def received(self) -> int:
        return sum(len(each.received) for each in self.devices)

    def more(self, number: int) -> None:
        wanted = self.received() + number
        faults = [each.faults for each in self.devices]
        wait_until(lambda: self.received() >= wanted or any(faults), what="answers", seconds=300)


@contextlib.contextmanager
def installation(place: Path, **variables: str) -> Iterator[Installation]:
    """Set up an installation whose people answer all the time."""
    version = published(wide_definition("wide", questions=90))
    with fresh_server() as postgresql, contextlib.ExitStack() as stack:
        machine = Machine(place, postgresql.url)
        machine.environment |= variables
        assert machine.types("migrate")[0] == 0
        environment = {**os.environ, **machine.environment}
        subprocess.run([sys.executable, "-c", PUBLISH], cwd=ROOT, env=environment, check=True)
        one, two = (
            stack.enter_context(WebServer(place / f"web{number}.log", **machine.environment))
            for number in (1, 2)
        )
        devices = (Devices(one, version), Devices(two, version))
        made = Installation(machine, place, one, devices)
        stack.callback(lambda: [kill_group(each) for each in made.sweepers.values()])
        made.sweeps("mix1")
        wait_until(lambda: made.ready()["mixer"] == "ok", what="the mixer")
        if variables:
            made.sweeps("mix2")
            wait_until(lambda: made.ready()["spare"] == "ok", what="the spare", seconds=120)
        for each in devices:
            stack.enter_context(each)
        yield made
        for each in devices:
            each.finish()
        assert made.count(STORED) == sum(len(each.sent) for each in devices)


def names_the_mixer(made: Installation) -> tuple[int, float]:
    """Wait until /ready names the mixer; return the answers confirmed meanwhile, and the seconds."""
    before, start = made.received(), time.monotonic()
    wait_until(lambda: made.ready()["mixer"] == "no key", what="/ready to name the mixer", seconds=60)
    return made.received() - before, time.monotonic() - start


def test_with_a_spare_no_confirmed_answer_is_lost_with_the_mixers_machine(tmp_path: Path) -> None:
    with installation(tmp_path, SOTTOVOCE_MIXERS="mix1,mix2") as made:
        made.more(ANSWERS // 3)
        made.loses("mix1")
        confirmed, seconds = names_the_mixer(made)
        start = time.monotonic()
        wait_until(lambda: made.ready()["mixer"] == "ok", what="the spare to take over", seconds=120)
        gap = time.monotonic() - start
        wait_until(lambda: made.count(LOST) == 0, what="the waiting answers to be sealed again", seconds=120)
        assert made.ready()["spare"] == "no spare"
        made.more(ANSWERS - made.received())
        # A new machine becomes the spare, and the second one is lost, too.
        made.sweeps("mix1")
        wait_until(lambda: made.ready()["spare"] == "ok", what="the new spare", seconds=120)
        made.loses("mix2")
        names_the_mixer(made)
        wait_until(lambda: made.ready()["mixer"] == "ok", what="the new mixer", seconds=120)
        wait_until(lambda: made.count(LOST) == 0, what="the waiting answers to be sealed again", seconds=120)
        sys.stdout.write(
            f"{made.received():,} answers, none lost; {confirmed} confirmed in the {seconds:.1f} s until "
            f"/ready named the mixer, refused for {gap:.1f} s\n"
        )
    assert made.received() >= ANSWERS


def test_without_a_spare_only_waiting_answers_and_those_of_seconds_are_lost(tmp_path: Path) -> None:
    with installation(tmp_path) as made:
        made.more(ANSWERS // 3)
        made.loses("mix1")
        # What had been confirmed, but not mixed.
        waited = made.count(WAITING)
        confirmed, seconds = names_the_mixer(made)
        made.sweeps("mix2")
        wait_until(lambda: made.ready()["mixer"] == "ok", what="a new mixer", seconds=120)
        made.more(ANSWERS - made.received())
        lost = made.count(LOST)
        sys.stdout.write(
            f"{made.received():,} answers; lost: {waited} or fewer that waited, and {lost - waited} of those "
            f"confirmed in the {seconds:.1f} s until /ready named the mixer\n"
        )
        # Eight devices may each have had a request on its way at either end.
        assert 0 < lost <= waited + confirmed + 16
        code, said = made.machine.types("doctor", "--json")
        assert code
        assert f"rows that need the key of another mixer, which does not run: {lost}" in said
