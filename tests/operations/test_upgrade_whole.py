"""Upgrades on both databases: what older programs wrote, and took without mixing, goes on under this one.

The older programs are commits of this repository: the predecessor of the first release, the last state before
1.0.0rc1, and each tag. They run in this environment, in folders of their own, and write their own data.
tests/operations/test_upgrade.py installs one by its own lock.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Final

import pytest
from django.db import connection

from benchmarks.proxies import free_port
from privacy.survey.layout import Layout
from surveys.questionnaire.definition import definition_parse
from tests.cast.devices import wide_definition
from tests.conftest import ROOT
from tests.operations.test_backup import Machine, another_machine

pytestmark = pytest.mark.django_db(transaction=True)

PREDECESSOR: Final = "673974c802e4cebfbd00ccd0171e62c2a4ae5837"
BEFORE_THE_FIRST_RELEASE: Final = "b096bd19a5eb8130ef32ca42a3c82449d85f0541"
# What a report is made of and what must not be lost, without the inbox, whose rows are sealed on the way.
TABLES: Final = (
    *(
        "surveys_survey",
        "surveys_version",
        "surveys_batch",
        "surveys_receipt",
        "surveys_verdict",
        "auth_user",
    ),
    *("surveys_run", "surveys_itemsetrow", "surveys_rulerow", "surveys_ruleinference", "surveys_auditevent"),
)
WAITING: Final = 160
SEND_AGAIN: Final = """
import sys, django; django.setup()
from django.utils import timezone
from surveys.intake.keys import mixer_ready
from surveys.intake.receive import submission_receive
assert mixer_ready()
print([submission_receive(line.strip().encode(), now=timezone.now()).status for line in sys.stdin])
"""


def releases() -> list[str]:
    """List the older programs."""
    tags = subprocess.run(
        ["git", "tag", "--list", "v*"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return [PREDECESSOR, BEFORE_THE_FIRST_RELEASE, *tags.stdout.split()]


def unpacked(commit: str, into: Path, *, repository: Path = ROOT) -> Path:
    """Unpack an older program, or fail with words where this clone does not have it."""
    archive = subprocess.run(["git", "archive", commit], cwd=repository, capture_output=True, check=False)
    if archive.returncode:
        pytest.fail(
            f"this clone has no {commit[:8]}, the program to upgrade from: it is shallow, or no clone. Type "
            f"git fetch --unshallow, and run the test again. git said: {archive.stderr.decode().strip()}",
            pytrace=False,
        )
    into.mkdir()
    subprocess.run(["tar", "-x"], cwd=into, input=archive.stdout, check=True)
    return into


def columns(machine: Machine, table: str) -> list[str]:
    """Return the names of a table's columns."""
    query = (
        f"SELECT name FROM pragma_table_info('{table}')"
        if connection.vendor == "sqlite"
        else f"SELECT column_name FROM information_schema.columns WHERE table_name = '{table}'"
    )
    return sorted(name for (name,) in machine.ask(query))


def rows(machine: Machine, wanted: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return what stands in these columns of each table, in one order."""
    found = {}
    for table, names in wanted.items():
        chosen = ", ".join('"' + name + '"' for name in names)
        found[table] = sorted(map(repr, machine.ask(f"SELECT {chosen} FROM {table}")))
    return found


def exits(machine: Machine, code: int, *command: str, program: Path = ROOT) -> str:
    """Run a command, which has to end with this code; return what it said."""
    ended, said = machine.types(*command, program=program)
    assert ended == code, f"{command} ended with {ended}:\n{said}"
    return said


def test_a_clone_without_the_older_program_says_so_and_what_to_type(tmp_path: Path) -> None:
    shallow = tmp_path / "clone"
    subprocess.run(["git", "init", "--quiet", str(shallow)], check=True)
    with pytest.raises(pytest.fail.Exception, match=r"this clone has no 673974c8.*git fetch --unshallow"):
        unpacked(PREDECESSOR, tmp_path / "older", repository=shallow)


def demonstrated(machine: Machine, program: Path) -> None:
    """Have a program make its demonstration: surveys, 6,366 answers, a run, a member of the staff."""
    (Path(machine.environment["SOTTO_HOME"])).mkdir(mode=0o700, exist_ok=True)
    # It starts a broker of its own.
    machine.environment["REDIS_URL"] = ""
    for _ in range(3):
        code, said = machine.types("dev", "--once", "--port", str(free_port()), program=program)
        # An older program gave up where one answer found no key for a moment; what is there is kept.
        if "was refused with 503" not in said:
            break
    assert code == 0, said


def answered(machine: Machine, program: Path) -> list[str]:
    """Have a program store answers to another survey and mix none; return the bytes of each device."""
    script = str(ROOT / "tests" / "operations" / "older_program.py")
    said = subprocess.run(
        [sys.executable, script, str(WAITING)], cwd=program, env={**os.environ, **machine.environment},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return said.stdout.splitlines()


def received(machine: Machine, sent: list[str]) -> list[int]:
    """Send these bytes to this program; return the status of each answer."""
    said = subprocess.run(
        [sys.executable, "-c", SEND_AGAIN], cwd=ROOT, env={**os.environ, **machine.environment},
        input="\n".join(sent), capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [int(status) for status in json.loads(said.stdout)]


def mixed(machine: Machine) -> Counter[bytes]:
    """Count the rows in batches of the survey that the older program took."""
    size = Layout(definition_parse(wide_definition("older")).design).n_bytes
    query = (
        "SELECT packed FROM surveys_batch JOIN surveys_version ON surveys_version.id = version_id "
        "JOIN surveys_survey ON surveys_survey.id = survey_id WHERE slug = 'older'"
    )
    packed = b"".join(bytes(batch) for (batch,) in machine.ask(query))
    return Counter(packed[start : start + size] for start in range(0, len(packed), size))


@pytest.mark.soak
@pytest.mark.parametrize("release", releases())
def test_what_an_older_program_wrote_and_took_goes_on_under_this_one(release: str, tmp_path: Path) -> None:
    older, backups = unpacked(release, tmp_path / "older"), tmp_path / "backups"
    with (
        another_machine(tmp_path / "other") as machine,
        another_machine(tmp_path / "back") as back,
        another_machine(tmp_path / "later") as later,
    ):
        demonstrated(machine, older)
        sent = answered(machine, older)
        before = {table: columns(machine, table) for table in TABLES}
        written = rows(machine, before)
        assert written["surveys_rulerow"]

        # docs/operators.md, Upgrade: the new program backs up what the older one wrote.
        exits(machine, 2, "upgrade-check")
        exits(machine, 0, "backup", str(backups), "--keep", "9")
        assert "look  the database has the tables" in exits(machine, 1, "upgrade-check")
        exits(machine, 0, "migrate")
        exits(machine, 0, "upgrade-check")
        assert rows(machine, before) == written

        # A device that was not heard sends the same bytes again, and counts once; all that waited is mixed.
        assert set(received(machine, sent)) == {200}
        exits(machine, 0, "close", "older", "--now")
        exits(machine, 0, "sweep", "--once")
        assert mixed(machine) == Counter(bytes.fromhex(json.loads(raw)["body"]) for raw in sent)

        # The way back: the backup from before, restored and not migrated, is the older program's again.
        (first,) = sorted(backups.iterdir())
        exits(back, 0, "restore", str(first))
        assert rows(back, before) == written
        exits(back, 0, "sweep", "--once", program=older)
        # Restored for trial: that backup, migrated on the way, and then one of now.
        exits(machine, 0, "try-restore", str(backups))
        exits(machine, 0, "backup", str(backups), "--keep", "9")
        exits(machine, 0, "try-restore", str(backups))
        *_, last = sorted(backups.iterdir())
        exits(later, 0, "restore", str(last))
        exits(later, 0, "migrate", "--check")
        now = {table: columns(machine, table) for table in TABLES}
        assert rows(later, now) == rows(machine, now)
