"""The command finds every leak that is planted in the running product, and nothing without a leak."""

import json
import shutil
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO

import pytest
from django.conf import settings
from django.db import connection

from surveys.jobs.home_files import columns_clear
from surveys.server.process_commands import web_command
from tests.attack import half_sent
from tests.attack.__main__ import main
from tests.attack.learnt import Learnt
from tests.fixtures.planted_leaks import LEAKS

pytestmark = pytest.mark.django_db(transaction=True)

QUICK = {"a log line with key and row"}


def attacked(*arguments: str) -> tuple[int, list[Learnt]]:
    """Run the command on this empty database; return its exit code and results."""
    printed = StringIO()
    with redirect_stdout(printed):
        code = main(["--made-up-here", "--json", *arguments])
    return code, [Learnt(**each) for each in json.loads(printed.getvalue())["attacks"]]


def planted_web_command(host: str, port: int) -> list[str]:
    command = web_command(host, port)
    return [*command[:-1], "tests.fixtures.planted_web:application"]


@pytest.fixture(autouse=True)
def _no_files_of_earlier_tests(own_log: None) -> None:
    """Delete columns and mixer keys of earlier tests, because the attack tries each small file as a key.

    Each earlier database left a folder of keys. After all tests of surveys, trying them took ten times as
    long as the attack.
    """
    columns_clear()
    shutil.rmtree(settings.SOTTOVOCE_MIXER_KEYS, ignore_errors=True)


@pytest.fixture
def planted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Plant a leak in this process, and in the web server that the attack starts."""
    name: str = request.param
    monkeypatch.setenv("PLANTED_LEAK", name)
    monkeypatch.setattr(half_sent.web_server.__wrapped__, "__defaults__", (planted_web_command,))
    LEAKS[name].plant(monkeypatch.setattr)
    yield name
    # Remove what the leak left behind, or the next attack would find it.
    for left in ("spool", "keys.txt"):
        (settings.SOTTOVOCE_HOME / left).unlink(missing_ok=True)
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS notes")


@pytest.mark.parametrize(
    "planted",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.soak) for name in LEAKS],
    indirect=True,
)
@pytest.mark.soak
def test_each_planted_leak_is_detected(planted: str) -> None:
    leak = LEAKS[planted]
    code, results = attacked("--only", leak.attack, "--share", leak.share)
    broken = [each for each in results if each.beyond_chance]
    assert code == 1
    assert any(leak.seen in each.learnt for each in broken), broken


@pytest.mark.soak
@pytest.mark.parametrize(("attack", "share"), sorted({(leak.attack, leak.share) for leak in LEAKS.values()}))
def test_the_same_attack_passes_without_a_leak(attack: str, share: str) -> None:
    code, results = attacked("--only", attack, "--share", share, "--seed", "1")
    assert not [each for each in results if each.beyond_chance]
    assert code == 0


def test_at_least_twelve_leaks_are_planted() -> None:
    assert len(LEAKS) >= 12
