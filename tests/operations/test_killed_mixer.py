"""The mixer is killed at every step of a pass: each received answer is in the inbox or in a batch, once."""

from __future__ import annotations

import os
import random
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from surveys.intake import keys
from surveys.intake import mix as mixer
from surveys.intake.keys import current_key, key_folder
from surveys.intake.mix import mix_waiting
from surveys.models import Batch, Beat, MixerKey, Receipt, Version
from tests.attack.kept_keys import minutes_pass
from tests.fixtures.devices import published, wide_definition
from tests.fixtures.waiting import waiting_counted
from tests.surveys.intake.test_mix import answer, rows

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("own_log")]

ROWS = 6


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> None:
    monkeypatch.setattr(mixer, "LEAST_WAITING", ROWS)
    monkeypatch.setattr(mixer, "POOL", ROWS // 2)
    settings.SOTTOVOCE_MIXER_KEYS = tmp_path / "keys"


@pytest.fixture
def version() -> Version:
    return published(wide_definition("wide"))


def in_a_process_of_its_own(kill_at: int | None = None) -> tuple[list[str], bool]:
    """Let the mixer come round in a forked process; return its steps, and whether it was killed at one."""
    connection.close()
    reader, writer = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            _noted(writer, kill_at)
            mix_waiting()
        except BaseException as fault:
            os.write(writer, f"fault {fault!r}\n".encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as said:
        steps = said.read().splitlines()
    _, status = os.waitpid(process, 0)
    assert not [step for step in steps if step.startswith("fault")], steps
    return steps, os.WIFSIGNALED(status)


def _noted(writer: int, kill_at: int | None) -> None:
    """Note every write to a key file, every statement and every commit, and die at one of them."""
    done = 0
    write = os.write

    def step(name: str) -> None:
        nonlocal done
        write(writer, f"{name}\n".encode())
        done += 1
        if done == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    def noting(name: str, act: Callable[..., Any]) -> Callable[..., Any]:
        def acting(*arguments: Any, **options: Any) -> Any:
            step(name)
            return act(*arguments, **options)

        return acting

    for name in ("write", "fsync", "open"):
        setattr(keys.os, name, noting(name, getattr(os, name)))
    Path.unlink = noting("unlink", Path.unlink)  # type: ignore[method-assign]
    connection.ensure_connection()
    connection._commit = noting("commit", connection._commit)
    connection.execute_wrappers.append(
        lambda execute, sql, parameters, many, context: (
            step(" ".join(sql.split()[:3])),
            execute(sql, parameters, many, context),
        )[1]
    )


def check(version: Version, bodies: list[bytes]) -> None:
    """Look that every body is there once, and that keys and files are the same."""
    stored = Counter(rows(version, list(Batch.objects.all()))) + waiting_counted()
    assert stored == Counter(bodies)
    assert Receipt.objects.count() == len(bodies)
    files = {path.name for path in key_folder().path.iterdir() if len(path.name) == 32}
    assert files == {bytes(key.name).hex() for key in MixerKey.objects.all()}


@pytest.mark.soak
def test_a_mixer_that_is_killed_at_any_step_loses_nothing_and_doubles_nothing(
    version: Version, soak: int
) -> None:
    quiet = published(wide_definition("quiet"))
    bodies = answer(version, ROWS) + answer(quiet, 1)
    # One pass makes keys, mixes, and seals anew what waits in the quiet survey, since the minutes of its key
    # are over; the next one destroys the keys before. Every other one is a night.
    in_a_process_of_its_own()
    bodies += answer(version, ROWS, seed=1)
    minutes_pass()
    Beat.objects.filter(name=mixer.NIGHT).delete()
    steps, _ = in_a_process_of_its_own()
    assert {"write", "fsync", "open", "unlink", "commit"} < set(steps)
    assert {"INSERT INTO surveys_batch", "DELETE FROM surveys_inbox", "DELETE FROM surveys_mixerkey"} <= {
        step.replace('"', "").replace("(", "") for step in steps
    }
    rng = random.Random(20_261_121)
    trials = list(range(1, len(steps) + 1))
    for _ in range(0 if soak == 1 else 2 * soak):
        trials.append(rng.randrange(1, len(steps) + 1))
    kills = 0
    for number, kill_at in enumerate(trials, start=2):
        bodies += answer(version, ROWS, seed=number)
        if number % 2:
            Beat.objects.filter(name=mixer.NIGHT).delete()
        minutes_pass()
        done, killed = in_a_process_of_its_own(kill_at)
        kills += killed
        stored = Counter(rows(version, list(Batch.objects.all()))) + waiting_counted()
        assert stored == Counter(bodies), (kill_at, done[-3:])
        in_a_process_of_its_own()
        assert current_key(anew=True) is not None
        check(version, bodies)
    for _ in range(2):
        in_a_process_of_its_own()
    # Two keys of designs of which something waits, and the shared one; all others are gone.
    assert len(key_folder().names()) == 3
    # A pass may have fewer steps than the one that was looked at, but hardly ever.
    assert kills >= 0.7 * len(trials)
