"""Random schedules of an installation break no promise (3, 5, 6 and 7), and planted faults are detected."""

import sqlite3
import sys
import time
from collections.abc import Collection, Iterator
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from hypothesis import HealthCheck, Phase
from hypothesis import settings as hypothesis
from hypothesis.stateful import run_state_machine_as_test

from surveys.errors.error import SurveyError
from surveys.intake import key_age, keys, receive, store
from surveys.intake import mix as mixer
from surveys.intake.payload import DisguisedSubmission
from surveys.models import Beat, MixerKey, Version
from surveys.runs import disclosure, run_requests
from surveys.server import backup
from tests.conftest import SOAK
from tests.faults.schedules import LEAST, MANY, WORLD, Installation, World
from tests.faults.test_nth_call import design_of
from tests.fixtures.devices import published, wide_definition
from tests.fixtures.invitations import codes_of, invited

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.only("sqlite")]

SCHEDULES = hypothesis(
    # Three seconds of a core outside the soak.
    max_examples=2_000 if SOAK else 10,
    stateful_step_count=50,
    suppress_health_check=list(HealthCheck),
    deadline=None,
)
# No shrinking: a planted fault needs no shortest schedule.
UNTIL_FOUND = hypothesis(SCHEDULES, max_examples=400, phases=[Phase.generate], derandomize=True)


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[World]:
    """Set up a database in memory with two surveys, a clock, and small batches."""
    for module, name, value in (
        (mixer, "LEAST_WAITING", 2 * LEAST),
        (mixer, "LEAST_BATCH_ROWS", LEAST),
        (mixer, "POOL", LEAST),
        (disclosure, "LEAST_PROTECTED", 2 * LEAST),
        (Version, "to_design", design_of),
        (run_requests, "rule_family", cache(run_requests.rule_family)),
    ):
        monkeypatch.setattr(module, name, value)
    settings.SOTTOVOCE_MIXER_KEYS = tmp_path / "installation" / "keys"
    name = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = ":memory:"
    connection.connect()
    with sqlite3.connect(name) as file:
        file.backup(connection.connection)
    published(wide_definition("open", questions=16))
    codes = codes_of(invited(wide_definition("invited", questions=16)), 60)
    MixerKey.objects.all().delete()
    Beat.objects.all().delete()
    template = sqlite3.connect(":memory:")
    connection.connection.backup(template)
    one = World(template=template, codes=codes, folder=tmp_path / "installation")
    WORLD.append(one)
    monkeypatch.setattr(timezone, "now", lambda: one.now)
    yield one
    WORLD.pop()
    template.close()
    connection.connection.close()
    connection.connection = None
    connection.settings_dict["NAME"] = name


@pytest.mark.slow
def test_random_schedules_break_no_promise(world: World) -> None:
    began = time.process_time()
    run_state_machine_as_test(Installation, settings=SCHEDULES)
    seconds = time.process_time() - began
    sys.stdout.write(f"\n{world.steps} steps, {seconds:.1f} s of processor time\n")
    # The goal is 10,000 steps a minute; docs/evidence/soak.md reports a measurement.
    assert world.steps > 25 * SCHEDULES.max_examples


_EVERY_KEY = (
    'INSERT INTO surveys_inbox ("key", version_id, box, sealed_under) SELECT %s, %s, %s, %s WHERE %s <= %s'
)


def all_retired_keys(_keys: object, names: Collection[bytes], _users: object, _field: str) -> set[bytes]:
    return set(names)


def reveal_used_codes(receipt: Any, submission: DisguisedSubmission) -> None:
    if receipt is receive._Receipt.OTHER:
        raise SurveyError("other_body")


PLANTED: dict[str, tuple[Any, str, object, str]] = {
    "a row is sealed under any key": (store, "_SQLITE_ROW", _EVERY_KEY, "a received answer is lost"),
    "keys of waiting rows are destroyed": (
        keys,
        "_unused_keys",
        all_retired_keys,
        "a received answer is lost",
    ),
    "a restore keeps keys current": (backup, "_RETIRE", "SELECT 1", "a received answer is lost"),
    "keys live for days": (key_age, "MINUTES", timedelta(days=9), "a key outlives its answers"),
    "a batch of one row": (mixer, "LEAST_WAITING", LEAST + 1, "two reports differ"),
    "a receipt is replaced": (
        store,
        "_SQLITE_RECEIPT",
        store._SQLITE_RECEIPT.replace("INSERT", "INSERT OR REPLACE").replace("ON CONFLICT DO NOTHING", ""),
        "another answer is accepted|the same bytes are refused|stored twice|disagree|can be opened",
    ),
    "a used code is told apart": (
        receive,
        "_check_key",
        reveal_used_codes,
        "reveals that a code is used|accepted",
    ),
}


# Faults that few schedules reveal; finding one takes hundreds of tries.
FOUND_LATE = PLANTED.keys() - {"a receipt is replaced"}


def test_a_batch_of_one_row_between_two_reports_is_detected(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def two_reports() -> None:
        schedule = Installation()
        schedule.first_pass(people=MANY)
        for people in (1, 1, 1):
            schedule.report(process=0, people=people)
        schedule.teardown()

    two_reports()
    module, attribute, fault, said = PLANTED["a batch of one row"]
    monkeypatch.setattr(module, attribute, fault)
    with pytest.raises(AssertionError, match=said):
        two_reports()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.soak] if name in FOUND_LATE else []) for name in PLANTED]
)
def test_planted_faults_are_detected(name: str, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    module, attribute, fault, said = PLANTED[name]
    monkeypatch.setattr(module, attribute, fault)
    with pytest.raises(AssertionError, match=said):
        run_state_machine_as_test(Installation, settings=UNTIL_FOUND)
