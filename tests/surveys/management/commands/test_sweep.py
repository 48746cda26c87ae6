from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError

from surveys.management.commands import sweep
from surveys.models import Beat

pytestmark = pytest.mark.django_db


def test_a_failing_step_prevents_neither_later_steps_nor_the_heartbeat() -> None:
    done = []

    def fail() -> None:
        raise ValueError("planted")

    failed = sweep.sweep_once((("first", fail), ("second", lambda: done.append("second"))))
    assert failed == ["first"]
    assert done == ["second"]
    assert Beat.objects.filter(name=sweep.SWEEPER_HEARTBEAT).exists()


def test_a_failed_heartbeat_is_listed_among_the_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object, **_kwargs: object) -> None:
        raise DatabaseError("planted: disk is full")

    monkeypatch.setattr(sweep, "record_heartbeat", refuse)
    assert sweep.sweep_once(()) == ["beat"]


@pytest.mark.soak
def test_the_command_runs_one_round_and_succeeds() -> None:
    call_command("sweep", "--once", stdout=StringIO())
    assert Beat.objects.filter(name=sweep.SWEEPER_HEARTBEAT).exists()


def test_the_command_names_the_failed_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("surveys.management.commands.sweep.sweep_once", lambda: ["mix"])
    with pytest.raises(CommandError, match=r"Failed: mix\. See the log above for the reason"):
        call_command("sweep", "--once")


def test_a_host_that_is_not_named_does_not_sweep(settings: Any) -> None:
    settings.SOTTOVOCE_MIXERS = ["mix1", "mix2"]
    with pytest.raises(CommandError, match=f"SOTTOVOCE_MIXERS is “mix1,mix2”, .* is “{sweep.host_name()}”"):
        call_command("sweep", "--once")
    settings.SOTTOVOCE_MIXERS = ["mix1", sweep.host_name()]
    call_command("sweep", "--once", stdout=StringIO())
