"""Accuracy of columns."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.sdc.column_accuracy import column_error
from privacy.sdc.published_labels import Domain, label_column
from tests.fixtures.tables import table_of

AGES = table_of(["age"], [("20",), ("24",), ("25",), ("31",)], numeric=["age"]).column("age")
NUMBERS = Domain(name="age", numeric=True)


def test_intervals_count_as_their_middle_and_lose_inner_information():
    labels = label_column("age", "quasi_identifier", ["[20,24]", "[20,24]", "[25,31]", "[25,31]"])
    found = column_error(AGES, labels, NUMBERS)
    # 20 and 24 are read as 22, 25 and 31 as 28. Four ages have two bits, two groups have one.
    assert found.root_mean_square == pytest.approx(math.sqrt((4 + 4 + 9 + 9) / 4))
    assert (found.entropy, found.information) == (pytest.approx(2), pytest.approx(1))
    assert found.deviation == pytest.approx(np.std([20, 24, 25, 31]))


def test_stars_count_as_the_column_middle_and_groups_as_their_mean():
    star = column_error(AGES, label_column("age", "quasi_identifier", ["*"] * 4), NUMBERS)
    assert star.root_mean_square == pytest.approx(
        math.sqrt(np.mean([(age - 25.5) ** 2 for age in (20, 24, 25, 31)]))
    )
    assert star.information == pytest.approx(0, abs=1e-12)
    named = Domain(name="age", numeric=True, leaves={"some": ("20", "25"), "24": ("24",), "31": ("31",)})
    found = column_error(AGES, label_column("age", "quasi_identifier", ["some", "24", "some", "31"]), named)
    assert found.root_mean_square == pytest.approx(math.sqrt((2.5**2 + 2.5**2) / 4))
    assert found.information == pytest.approx(1.5)


def test_unbounded_intervals_extend_to_the_column_range():
    labels = label_column("age", "quasi_identifier", ["(-inf,25)", "(-inf,25)", "[25,inf)", "[25,inf)"])
    # 20 to 25 and 25 to 31 are read as 22.5 and 28.
    expected = math.sqrt((2.5**2 + 1.5**2 + 9 + 9) / 4)
    assert column_error(AGES, labels, NUMBERS).root_mean_square == pytest.approx(expected)


def test_categories_have_information_but_no_numeric_error():
    towns = table_of(["town"], [("Ulm",), ("Ulm",), ("Bonn",), ("Kiel",)]).column("town")
    found = column_error(
        towns,
        label_column("town", "quasi_identifier", ["south", "south", "*", "*"]),
        Domain(name="town", numeric=False),
    )
    assert (found.entropy, found.information) == (pytest.approx(1.5), pytest.approx(1))
    assert (found.root_mean_square, found.deviation) == (None, None)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2)), min_size=1, max_size=30))
def test_grouping_adds_no_bits_and_unchanged_columns_lose_none(rows):
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


def test_the_mean_square_is_that_of_the_root_or_unknown():
    error = column_error(AGES, label_column("age", "quasi_identifier", ["[20,30]"] * 4), NUMBERS)
    assert error.mean_square == pytest.approx((5**2 + 1 + 0 + 6**2) / 4)
    work = table_of(["work"], [("own",), ("city",)]).column("work")
    assert column_error(work, work, Domain(name="work", numeric=False)).mean_square is None
