"""The upgrade seals what waits in the clear, and leaves none of it in any file."""

from __future__ import annotations

import random
import secrets
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from surveys.intake.keys import current_key
from surveys.models import Inbox, Version
from tests.attack.traces import database_files
from tests.fixtures.devices import published, sealed_body, wide_definition
from tests.fixtures.earlier import back_to
from tests.fixtures.traces import log_of_our_own, occurrences
from tests.fixtures.waiting import waiting_counted

pytestmark = pytest.mark.django_db(transaction=True)

BEFORE = "0022"


@pytest.fixture
def earlier(transactional_db: None, settings: Any, tmp_path: Path) -> Iterator[Version]:
    """Give a version in the database as the release before had it; it is up to date again afterwards."""
    settings.SOTTOVOCE_MIXER_KEYS = tmp_path / "keys"
    version = published(wide_definition("wide", questions=90))
    try:
        back_to(BEFORE)
        with log_of_our_own():
            yield version
    finally:
        call_command("migrate", verbosity=0)


@pytest.mark.soak
def test_rows_that_wait_in_the_clear_are_sealed_and_erased(earlier: Version) -> None:
    rng, design = random.Random(1), earlier.to_design()
    bodies = [sealed_body(design, rng) for _ in range(60)]
    with connection.cursor() as cursor:
        for body in bodies:
            cursor.execute(
                'INSERT INTO surveys_inbox ("key", version_id, packed) VALUES (%s, %s, %s)',
                [secrets.token_bytes(16), earlier.pk, body],
            )
    assert occurrences(bodies, database_files()), "the search finds what is there"
    call_command("migrate", verbosity=0)
    assert waiting_counted() == Counter(bodies)
    key = current_key(anew=True)
    assert key is not None
    assert {bytes(row.sealed_under) for row in Inbox.objects.all()} == {key.name}
    # PostgreSQL's log says what was written until its files are gone: docs/operators.md says so.
    files = {name: content for name, content in database_files().items() if "pg_wal" not in name}
    assert occurrences(bodies, files) == {}


@pytest.mark.soak
def test_an_older_release_gets_its_table_back_where_nothing_waits(earlier: Version) -> None:
    with connection.cursor() as cursor:
        cursor.execute('SELECT "key", version_id, packed FROM surveys_inbox')
        assert cursor.fetchall() == []
