"""Each batch stores its count of direct rows."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from surveys.models.answers import direct_rows
from surveys.rows.disclosure import groups_of
from tests.fixtures.runs import answered


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
