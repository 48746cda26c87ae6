import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.sdc import Space, axis_weights, expert_matrix, utility_matrix, value_weights
from tests.fixtures.tables import patients, table_of, tree_of


def test_utilities_are_ranges_and_counts_among_the_records_of_a_value():
    table = patients()
    matrix = utility_matrix(Space.of(table, tree_of(table, {})), table.column("disease"))
    values = table.column("disease").values
    # Ages reach from 25 to 40; flu is had at 37 and 26, by men, in two of six places.
    assert matrix[values.index("flu")].tolist() == pytest.approx([11 / 15, 1 / 2, 2 / 6])
    assert matrix[values.index("AIDS")].tolist() == pytest.approx([0, 1 / 2, 1 / 6])


def test_a_constant_column_has_utility_one():
    table = table_of(["age", "s"], [("30", "a"), ("30", "b")], numeric=["age"], sensitive=["s"])
    assert utility_matrix(Space.of(table, {}), table.column("s")).tolist() == [[1.0], [1.0]]


def test_weights_sum_to_one_over_the_whole_matrix():
    table = patients()
    space = Space.of(table, tree_of(table, {}))
    for reading in ("literal", "complement", "uniform"):
        weights = axis_weights(
            value_weights(utility_matrix(space, table.column("disease")), reading=reading), space
        )
        assert sum(weights.values()) == pytest.approx(1)
        assert set(weights) == {"age", "sex", "zip"}


def test_the_readings_of_tau_are_those_named():
    matrix = np.array([[0.5, 1.0]])
    assert value_weights(matrix).tolist() == [[0.5, 1.0]]
    assert value_weights(matrix, reading="complement").tolist() == [[0.5, 0.0]]
    assert value_weights(matrix, reading="inverse").tolist() == [[2.0, 1.0]]
    assert value_weights(matrix, reading="uniform").tolist() == [[1.0, 1.0]]


def test_the_inverse_reading_refuses_a_utility_of_zero_by_place():
    with pytest.raises(PrivacyError, match="sensitive value 0 on axis 1"):
        value_weights(np.array([[0.5, 0.0]]), reading="inverse")


def test_weights_that_all_vanish_are_refused():
    with pytest.raises(PrivacyError, match="all weights are zero"):
        value_weights(np.ones((2, 2)), reading="complement")


def test_an_unknown_reading_is_refused():
    with pytest.raises(PrivacyError, match="'log' is unknown"):
        value_weights(np.ones((1, 1)), reading="log")


def test_the_five_levels_of_an_expert_are_ordered_and_never_nothing():
    names = ["very high", "high", "medium", "low", "very low"]
    levels = expert_matrix([names], n_values=1, n_axes=5)[0].tolist()
    assert levels == sorted(levels, reverse=True)
    assert min(levels) > 0


@pytest.mark.parametrize("rows", [[["huge", 1]], [[1.2, 0]], [[0.5]], [], [[float("nan"), 0]]])
def test_an_expert_matrix_of_another_shape_or_range_is_refused(rows):
    with pytest.raises(PrivacyError) as caught:
        expert_matrix(rows, n_values=1, n_axes=2)
    assert caught.value.code == "utility_matrix"
