import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.sdc.generalisation import Space
from tests.fixtures.tables import random_space, random_table, table_of, tree_of


def test_unchanged_values_cost_zero_and_the_whole_domain_one():
    table = table_of(["age", "sex"], [("20", "F"), ("30", "M"), ("40", "M")], numeric=["age"])
    space = Space.of(table, tree_of(table, {}))
    alone = space.penalties(space.boxes(np.array([0, 1, 2]), 3))
    together = space.penalties(space.boxes(np.array([0, 0, 0]), 1))
    assert alone.tolist() == [[0, 0], [0, 0], [0, 0]]
    assert together.tolist() == [[1, 1]]


def test_node_sizes_count_only_observed_leaves():
    table, _ = random_table(0, 5)
    rows = [("state",), ("city",), ("own",)]
    table = table_of(["work"], rows)
    tree = tree_of(table, {"work": {"state": "public", "city": "public"}})
    space = Space.of(table, tree)
    assert space.penalties(space.boxes(np.array([0, 0, 1]), 2)).tolist() == [[2 / 3], [0]]
    assert space.labels(space.boxes(np.array([0, 0, 1]), 2)) == [["public", "own"]]


def test_constant_columns_cost_nothing_and_are_listed():
    table = table_of(["age", "sex"], [("20", "F"), ("20", "F")], numeric=["age"])
    space = Space.of(table, tree_of(table, {}))
    assert space.constant == ("age", "sex")
    assert space.penalties(space.boxes(np.array([0, 0]), 1)).tolist() == [[0, 0]]


def test_labels_keep_the_column_order_of_the_table():
    table = table_of(["sex", "age"], [("F", "20"), ("M", "30")], numeric=["age"])
    space = Space.of(table, tree_of(table, {}))
    assert space.labels(space.boxes(np.array([0, 0]), 1)) == [["*"], ["[20,30]"]]


def test_outer_leaves_share_the_ancestor_of_all_leaves_between():
    space, _ = random_space(1, 200)
    tree = space.categorical[0]
    leaves = range(len(tree.hierarchy.labels[0]))
    for low in leaves:
        for high in leaves[low:]:
            level = int(tree.levels(np.array([low]), np.array([high]))[0])
            below = [len(set(nodes[low : high + 1].tolist())) for nodes in tree.hierarchy.node]
            assert below[level] == 1
            assert all(count > 1 for count in below[:level])


def test_leaves_of_a_node_are_adjacent_for_any_value_order():
    rows = [("a1",), ("b1",), ("a2",), ("b2",), ("c",)]
    table = table_of(["work"], rows)
    space = Space.of(table, tree_of(table, {"work": {"a1": "a", "a2": "a", "b1": "b", "b2": "b"}}))
    for nodes in space.categorical[0].hierarchy.node:
        assert np.count_nonzero(np.diff(nodes)) == len(set(nodes.tolist())) - 1
    published = space.labels(space.boxes(np.array([0, 1, 0, 1, 2]), 3))
    assert published == [["a", "b", "c"]]


def test_a_table_without_quasi_identifiers_is_refused():
    table = table_of(["sex"], [("F",)], sensitive=["sex"])
    with pytest.raises(PrivacyError, match="no column is a quasi-identifier"):
        Space.of(table, {})


def test_categorical_columns_without_a_hierarchy_are_rejected_by_name():
    table = table_of(["sex"], [("F",)])
    with pytest.raises(PrivacyError, match="'sex' is categorical and has no hierarchy"):
        Space.of(table, {})


@pytest.mark.parametrize(
    "weights",
    [
        {"age": 1},
        {"age": -1, "school": 1, "work": 1, "sex": 1},
        dict.fromkeys(["age", "school", "work", "sex"], 0),
    ],
)
def test_invalid_weights_are_rejected(weights):
    space, _ = random_space(0, 10)
    with pytest.raises(PrivacyError) as caught:
        space.weights(weights)
    assert caught.value.code == "weight"


def test_a_subset_of_a_space_keeps_the_full_domain():
    space, _ = random_space(3, 100)
    part = space.take(np.array([0, 1]))
    assert part.numeric[0].extent == space.numeric[0].extent


def test_positions_run_evenly_over_leaves_and_in_proportion_over_numbers():
    rows = [("20", "a", "x"), ("25", "b", "x"), ("40", "c", "x")]
    table = table_of(["age", "work", "one"], rows, numeric=["age"])
    lines = {axis.name: axis.line.tolist() for axis in Space.of(table, tree_of(table, {})).axes}
    assert lines == {"age": [0, 0.25, 1], "work": [0, 0.5, 1], "one": [0]}
    constant = table_of(["age"], [("7",), ("7",)], numeric=["age"])
    assert Space.of(constant, {}).axes[0].line.tolist() == [0]


def test_weights_follow_the_axes_and_sum_to_one():
    table = table_of(["age", "day"], [("20", "1"), ("30", "2")], numeric=["age", "day"])
    space = Space.of(table, {})
    assert space.weights(None).tolist() == [0.5, 0.5]
    assert space.weights({"age": 3, "day": 1}).tolist() == [0.75, 0.25]
    assert space.weights({"age": 0, "day": 5}).tolist() == [0, 1]
