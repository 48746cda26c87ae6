"""Nothing of a mixed row is left in the database's files outside its batch."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from privacy.disguise.layout import Layout
from surveys.models import Inbox, Version
from surveys.respond.erase import erase_traces
from surveys.respond.mix import mix
from surveys.respond.receive import submission_receive
from tests.surveys.devices import published, request_of, sealed_body, wide_definition

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def version() -> Version:
    return published(wide_definition("wide", questions=90))


def answer(version: Version, times: int) -> None:
    design = version.to_design()
    rng = random.Random(times)
    for _ in range(times):
        body = sealed_body(design, rng).hex()
        assert submission_receive(request_of(version, body=body), now=timezone.now()).status == 200


def files() -> dict[str, bytes]:
    database = Path(connection.settings_dict["NAME"])
    return {path.name: path.read_bytes() for path in database.parent.glob(f"{database.name}*")}


def row_names() -> list[bytes]:
    """Return the random names of the waiting rows; each is 16 bytes that occur nowhere by chance."""
    return [bytes(key) for key in Inbox.objects.values_list("key", flat=True)]


def occurrences(names: list[bytes]) -> int:
    return sum(name in content for name in names for content in files().values())


def test_after_a_mix_no_file_holds_the_name_of_a_mixed_row(version: Version) -> None:
    other = published(wide_definition("other", questions=90))
    # Several hundred rows split pages of the table, and rows of another survey stay among them.
    answer(version, 700)
    answer(other, 30)
    mixed = [bytes(key) for key in Inbox.objects.filter(version=version).values_list("key", flat=True)]
    assert occurrences(mixed) >= 700, "the search finds what is there"
    assert mix(now=timezone.now()).erased
    assert len(row_names()) == 30
    assert occurrences(mixed) == 0
    assert Path(f"{connection.settings_dict['NAME']}-wal").stat().st_size == 0


def test_a_row_stands_in_the_files_once_after_a_mix(version: Version) -> None:
    design = version.to_design()
    bodies = [sealed_body(design, random.Random(seed)) for seed in range(60)]
    for body in bodies:
        submission_receive(request_of(version, body=body.hex()), now=timezone.now())
    mix(now=timezone.now())
    assert Layout(design).n_bytes > 20, "too long to occur twice by chance"
    content = b"".join(files().values())
    # A row that a page border cuts through is not found whole: at most one per page of the batch.
    found = [content.count(body) for body in bodies]
    assert max(found) == 1
    assert sum(found) >= 58


def test_a_reader_that_holds_on_to_old_pages_delays_the_erasing_and_does_not_prevent_it(
    version: Version,
) -> None:
    answer(version, 50)
    names = row_names()
    reader = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT COUNT(*) FROM surveys_inbox").fetchone()
    assert not mix(now=timezone.now()).erased
    assert occurrences(names) > 0
    reader.execute("ROLLBACK")
    reader.close()
    assert mix(now=timezone.now()).erased, "the next round of the sweeper, with nothing to mix"
    assert occurrences(names) == 0


def test_erasing_gives_the_connection_its_patience_back() -> None:
    with connection.cursor() as cursor:
        before = cursor.execute("PRAGMA busy_timeout").fetchone()
        assert erase_traces(after_mixing=True)
        assert cursor.execute("PRAGMA busy_timeout").fetchone() == before


def test_deleted_rows_are_overwritten_on_every_connection() -> None:
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA secure_delete").fetchone() == (1,)
        assert cursor.execute("PRAGMA journal_mode").fetchone() == ("wal",)
