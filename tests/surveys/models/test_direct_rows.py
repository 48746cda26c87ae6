"""The count of direct rows stands in each batch, also of those written before there was such a count."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from surveys.models import Batch
from surveys.models.answers import direct_rows
from surveys.rows.disclosure import groups_of
from tests.fixtures.earlier import back_to
from tests.fixtures.runs import answer, answered, published


@pytest.mark.parametrize("n_bytes", [1, 3])
def test_direct_rows_are_those_whose_first_bit_is_set(n_bytes: int) -> None:
    rows = [bytes([first]).ljust(n_bytes, b"\xff") for first in (0x80, 0x7F, 0xFF, 0x00, 0x81)]
    assert direct_rows(b"".join(rows), len(rows)) == 3


@pytest.mark.django_db
def test_groups_are_counted_without_reading_a_row() -> None:
    version = answered(600, n_direct=150)
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert groups_of(version).n_direct == 150
    assert not any("packed" in query["sql"] for query in asked.captured_queries)


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_batches_that_were_written_earlier_are_counted_when_the_database_is_migrated() -> None:
    version = published("earlier")
    answer(version, 300, n_direct=70, batches=3)
    stored = list(Batch.objects.values("pk", "n", "n_direct", "packed", "digest", "version_id"))
    assert sum(row["n_direct"] for row in stored) == 70
    try:
        back_to("0018")
        with connection.cursor() as cursor, pytest.raises(DatabaseError), transaction.atomic():
            cursor.execute("SELECT n_direct FROM surveys_batch")
        with connection.cursor() as cursor, pytest.raises(DatabaseError, match="immutable"):
            cursor.execute("UPDATE surveys_batch SET n = 1")
    finally:
        call_command("migrate", "surveys", verbosity=0)
    assert list(Batch.objects.values("pk", "n", "n_direct", "packed", "digest", "version_id")) == stored
    for change in ("UPDATE surveys_batch SET n_direct = 0", "DELETE FROM surveys_batch"):
        with connection.cursor() as cursor, pytest.raises(DatabaseError, match="immutable"):
            cursor.execute(change)
    # Its counter goes on where it was.
    answer(version, 50, batches=1, seed=3)
    assert Batch.objects.latest("pk").pk == stored[-1]["pk"] + 1
