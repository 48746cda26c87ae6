import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.sdc.generalisation import Space
from privacy.sdc.utility_matrix import axis_weights, own_weights, utility_matrix
from tests.fixtures.refusals import refused
from tests.fixtures.tables import patients, table_of, tree_of


def test_utilities_measure_ranges_and_counts_per_sensitive_value():
    table = patients()
    matrix = utility_matrix(Space.of(table, tree_of(table, {})), table.column("disease"))
    values = table.column("disease").values
    # Ages range from 25 to 40; flu occurs at 37 and 26, among men, in two of six places.
    assert matrix[values.index("flu")].tolist() == pytest.approx([11 / 15, 1 / 2, 2 / 6])
    assert matrix[values.index("AIDS")].tolist() == pytest.approx([0, 1 / 2, 1 / 6])


def test_a_constant_column_has_utility_one():
    table = table_of(["age", "s"], [("30", "a"), ("30", "b")], numeric=["age"], sensitive=["s"])
    assert utility_matrix(Space.of(table, {}), table.column("s")).tolist() == [[1.0], [1.0]]


def test_a_column_may_range_over_a_single_unit():
    rows = [("30", "a"), ("31", "a"), ("30", "b")]
    table = table_of(["age", "s"], rows, numeric=["age"], sensitive=["s"])
    assert utility_matrix(Space.of(table, {}), table.column("s")).tolist() == [[1.0], [0.0]]


def test_weights_sum_to_one_over_the_whole_matrix():
    table = patients()
    space = Space.of(table, tree_of(table, {}))
    weights = axis_weights(utility_matrix(space, table.column("disease")), space)
    assert sum(weights.values()) == pytest.approx(1)
    assert set(weights) == {"age", "sex", "zip"}
    with pytest.raises(PrivacyError, match="all weights are 0"):
        axis_weights(np.zeros((4, 3)), space)


def test_own_weights_are_products_with_sum_one_per_value():
    """(.5 * 1, .5 * 3) and (.2 * 1, .6 * 3), divided by their sums 2 and 2."""
    found = own_weights(np.array([[0.5, 0.5], [0.2, 0.6]]), [1, 3])
    assert found.tolist() == [pytest.approx([0.25, 0.75]), pytest.approx([0.1, 0.9])]
    with refused("weight", 0):
        own_weights(np.array([[0.0, 1.0], [1.0, 0.0]]), [0, 1])


def test_weights_are_multiplied_by_their_factors():
    found = own_weights(np.array([[0.5, 0.5], [0.2, 0.6]]), [3, 1])
    assert found == pytest.approx(np.array([[0.75, 0.25], [0.5, 0.5]]))
