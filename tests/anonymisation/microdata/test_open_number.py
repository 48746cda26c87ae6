"""A number that is stored as answered is published as answered."""

import pytest

from anonymisation.microdata.survey_table import table_of
from tests.site.test_open_number import answered, hours_in, records_in

pytestmark = pytest.mark.django_db


def test_the_column_of_a_stored_number_contains_the_answers() -> None:
    version = answered()
    header, rows = table_of(version.to_design(), records_in(version))
    column = [row[header.index("hours")] for row in rows]
    assert sorted(column) == sorted(
        "(not answered)" if hours < 0 else str(hours) for hours in hours_in(version)
    )
