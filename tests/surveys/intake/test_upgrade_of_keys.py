"""An installation with one key for all surveys goes over to keys of designs, and back, without loss."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from surveys.intake.keys import current_key, key_folder
from surveys.intake.mix import mix_waiting
from surveys.models import Inbox, Version
from tests.fixtures.devices import published, wide_definition
from tests.fixtures.earlier import back_to
from tests.fixtures.waiting import waiting_counted
from tests.surveys.intake.test_mix import answer

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("own_log"),
    pytest.mark.soak,
]

BEFORE = "0056"


@pytest.fixture
def versions(transactional_db: None, settings: Any, tmp_path: Path) -> Iterator[list[Version]]:
    settings.SOTTOVOCE_MIXER_KEYS = tmp_path / "keys"
    try:
        yield [published(wide_definition(slug)) for slug in ("busy", "quiet")]
    finally:
        call_command("migrate", verbosity=0)


def current_before() -> list[bytes]:
    """Return the current keys as the release before reads them."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM surveys_mixerkey WHERE current")
        return [bytes(name) for (name,) in cursor.fetchall()]


def named() -> set[bytes]:
    return {bytes(row.sealed_under) for row in Inbox.objects.all()}


def test_what_waits_under_the_shared_key_is_sealed_anew_and_that_key_is_destroyed(
    versions: list[Version],
) -> None:
    bodies = answer(versions[0], 40) + answer(versions[1], 1, seed=1)
    back_to(BEFORE)
    [shared] = current_before()
    assert named() == {shared}, "as an installation of before has them"
    call_command("migrate", verbosity=0)
    key = current_key(anew=True)
    assert key is not None
    assert key.name == shared, "answers are taken before the mixer's first round"
    bodies += answer(versions[1], 1, seed=2)
    for _ in range(2):
        mix_waiting()
    assert waiting_counted() == Counter(bodies)
    assert shared not in named() | key_folder().names()
    assert len(named()) == 2


def test_the_release_before_finds_one_current_key_and_opens_what_waits(versions: list[Version]) -> None:
    bodies = answer(versions[0], 3) + answer(versions[1], 1, seed=1)
    mix_waiting()
    assert len(named()) == 2
    shared = current_key(anew=True)
    assert shared is not None
    back_to(BEFORE)
    assert current_before() == [shared.name]
    assert named() <= key_folder().names()
    assert waiting_counted() == Counter(bodies)
    call_command("migrate", verbosity=0)
    for _ in range(2):
        mix_waiting()
    assert waiting_counted() == Counter(bodies)
