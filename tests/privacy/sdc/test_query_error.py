import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.sdc.labels import Domain, label_column
from privacy.sdc.query_error import query_error
from privacy.sdc.table import Table
from tests.cast.tables import random_table

EXACT = {
    name: Domain(name=name, numeric=name in ("age", "school")) for name in ("age", "school", "work", "sex")
}


def test_a_table_published_as_it_is_answers_without_error():
    table, _ = random_table(1, 80)
    found = query_error(table, table, EXACT, rng=np.random.default_rng(0), queries=20)
    assert (found.mean_absolute, found.median_relative, found.inside, found.mean_width) == (0, 0, 1, 0)


def test_a_wholly_general_table_has_wide_bounds_that_hold_the_truth():
    table, _ = random_table(1, 80)
    stars = Table(
        columns=tuple(
            label_column(column.name, column.role, ["*"] * 80)
            if column.role == "quasi_identifier"
            else column
            for column in table.columns
        ),
        source_rows=np.arange(80),
    )
    found = query_error(table, stars, EXACT, rng=np.random.default_rng(0), queries=20)
    assert found.inside == 1
    assert found.mean_width == 80
    assert found.mean_absolute > 5


@pytest.mark.parametrize("wish", [{"columns": 5}, {"columns": 0}, {"queries": 0}])
def test_questions_that_cannot_be_asked_are_refused(wish):
    table, _ = random_table(1, 20)
    with pytest.raises(PrivacyError, match="quasi-identifiers"):
        query_error(table, table, EXACT, rng=np.random.default_rng(0), **wish)
