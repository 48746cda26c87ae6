"""What a column loses: bits and errors counted by hand, and the ends between which they lie."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.sdc.column_error import column_error, query_error
from privacy.sdc.labels import Domain, label_column
from privacy.sdc.table import Table
from tests.fixtures.refusals import refused
from tests.fixtures.tables import random_table, table_of

AGES = table_of(["age"], [("20",), ("24",), ("25",), ("31",)], numeric=["age"]).column("age")
NUMBERS = Domain(name="age", numeric=True)


def test_intervals_are_read_as_their_middle_and_lose_the_bits_within_them():
    labels = label_column("age", "quasi_identifier", ["[20,24]", "[20,24]", "[25,31]", "[25,31]"])
    found = column_error(AGES, labels, NUMBERS)
    # 22 for 20 and 24, 28 for 25 and 31; four ages are two bits, two groups one.
    assert found.root_mean_square == pytest.approx(math.sqrt((4 + 4 + 9 + 9) / 4))
    assert (found.entropy, found.information) == (pytest.approx(2), pytest.approx(1))
    assert found.deviation == pytest.approx(np.std([20, 24, 25, 31]))


def test_a_star_is_read_as_the_middle_of_the_column_and_a_named_group_as_the_mean_of_its_numbers():
    star = column_error(AGES, label_column("age", "quasi_identifier", ["*"] * 4), NUMBERS)
    assert star.root_mean_square == pytest.approx(
        math.sqrt(np.mean([(age - 25.5) ** 2 for age in (20, 24, 25, 31)]))
    )
    assert star.information == pytest.approx(0, abs=1e-12)
    named = Domain(name="age", numeric=True, leaves={"some": ("20", "25"), "24": ("24",), "31": ("31",)})
    found = column_error(AGES, label_column("age", "quasi_identifier", ["some", "24", "some", "31"]), named)
    assert found.root_mean_square == pytest.approx(math.sqrt((2.5**2 + 2.5**2) / 4))
    assert found.information == pytest.approx(1.5)


def test_an_interval_without_an_end_reaches_as_far_as_the_column():
    labels = label_column("age", "quasi_identifier", ["(-inf,25)", "(-inf,25)", "[25,inf)", "[25,inf)"])
    # From 20 to 25, and from 25 to 31: read as 22.5 and 28.
    expected = math.sqrt((2.5**2 + 1.5**2 + 9 + 9) / 4)
    assert column_error(AGES, labels, NUMBERS).root_mean_square == pytest.approx(expected)


def test_categories_have_bits_and_no_error():
    towns = table_of(["town"], [("Ulm",), ("Ulm",), ("Bonn",), ("Kiel",)]).column("town")
    found = column_error(
        towns,
        label_column("town", "quasi_identifier", ["south", "south", "*", "*"]),
        Domain(name="town", numeric=False),
    )
    assert (found.entropy, found.information) == (pytest.approx(1.5), pytest.approx(1))
    assert (found.root_mean_square, found.deviation) == (None, None)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2)), min_size=1, max_size=30))
def test_no_grouping_gives_bits_and_a_column_as_it_is_loses_nothing(rows):
    column = table_of(["x"], [(str(number),) for number, _ in rows], numeric=["x"]).column("x")
    domain = Domain(name="x", numeric=True)
    groups = {
        group: [number for number, own in rows if own == group] for group in {group for _, group in rows}
    }
    labels = [f"[{min(groups[group])},{max(groups[group])}]" for _, group in rows]
    found = column_error(column, label_column("x", "quasi_identifier", labels), domain)
    assert -1e-12 <= found.information <= found.entropy + 1e-12
    assert found.root_mean_square is not None
    assert found.root_mean_square <= max(max(own) - min(own) for own in groups.values()) / 2 + 1e-12
    same = column_error(column, label_column("x", "quasi_identifier", column.texts), domain)
    assert (same.root_mean_square, same.information) == (0, pytest.approx(same.entropy, abs=1e-12))


def test_other_records_are_refused():
    with refused("column", "3 published labels"):
        column_error(AGES, label_column("age", "quasi_identifier", ["*"] * 3), NUMBERS)


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
