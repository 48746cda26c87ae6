from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.sdc import classes
from privacy.sdc.classes import Classes
from privacy.sdc.generalisation import Space
from privacy.sdc.utility_matrix import (
    axis_weights,
    cluster_values,
    diversify,
    ilp_l_diversity,
    ka_cluster,
    lloyd,
    random_rounds,
    utility_matrix,
)
from tests.fixtures.tables import patients, random_space, table_of, tree_of


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


def test_weights_sum_to_one_over_the_whole_matrix():
    table = patients()
    space = Space.of(table, tree_of(table, {}))
    weights = axis_weights(utility_matrix(space, table.column("disease")), space)
    assert sum(weights.values()) == pytest.approx(1)
    assert set(weights) == {"age", "sex", "zip"}
    with pytest.raises(PrivacyError, match="all weights are 0"):
        axis_weights(np.zeros((4, 3)), space)


def made(seed=3, n=400, **wish):
    space, table = random_space(seed, n)
    wish = {"k": 5, "l_value": 2, **wish}
    release = ilp_l_diversity(space, table.column("disease"), rng=np.random.default_rng(0), **wish)
    return space, table.column("disease"), release


def test_every_class_has_k_records_and_l_values():
    _, _, release = made()
    assert release.classes.sizes.min() >= 5
    distinct = [
        len(set(release.values[release.classes.number == one].tolist()))
        for one in range(release.classes.count)
    ]
    assert min(distinct) >= 2


def test_the_change_mask_marks_exactly_the_changed_records():
    _, disease, release = made(k=2)
    assert release.changed.any()
    assert (release.changed == (release.values != disease.codes)).all()
    assert release.change_ratio == release.changed.sum() / 400


def test_changed_values_stay_in_their_value_cluster():
    _, disease, release = made(k=2)
    assert (release.value_cluster[release.values] == release.value_cluster[disease.codes]).all()


def test_k_below_l_is_raised_to_l():
    _, _, lifted = made(k=2, l_value=3)
    assert lifted.classes.sizes.min() >= 3


def test_expert_weights_replace_the_computed_ones():
    weights = {"age": 1.0, "school": 0.0, "work": 0.0, "sex": 0.0}
    _, _, release = made(weights=weights)
    assert release.weights == weights


@pytest.mark.parametrize(
    ("wish", "message"),
    [({"k": 401}, "k = 401"), ({"l_value": 5}, "l = 5 is more than the 4 values"), ({"l_value": 0}, "l = 0")],
)
def test_unattainable_requirements_are_rejected(wish, message):
    with pytest.raises(PrivacyError, match=message):
        made(**wish)


def test_large_clusters_split_into_blocks_that_keep_k(monkeypatch):
    _, _, whole = made(k=4)
    monkeypatch.setattr(classes, "BLOCK_FROM", 100)
    monkeypatch.setattr(classes, "BLOCK_SIZE", 50)
    _, _, release = made(k=4)
    assert release.classes.sizes.min() >= 4
    assert release.classes.number.tolist() != whole.classes.number.tolist()


@given(
    st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=8), min_size=1, max_size=6), st.integers(1, 3)
)
def test_each_change_adds_exactly_one_value(groups, l_value):
    values = np.array([value for group in groups for value in group], dtype=np.int32)
    number = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    new, changed = diversify(
        Classes.from_numbers(number), values, np.zeros(5, dtype=np.int64), l_value, np.random.default_rng(0)
    )
    for label, group in enumerate(groups):
        before, after = len(set(group)), len(set(new[number == label].tolist()))
        assert after == max(before, l_value)
        assert changed[number == label].sum() == after - before


def test_classes_lie_within_clusters_and_have_at_least_k_records():
    space, table = random_space(3, 300)
    disease = table.column("disease")
    made = ka_cluster(space, disease, 5, rng=np.random.default_rng(1))
    assert made.classes.sizes.min() >= 5
    clusters = made.value_cluster[disease.codes]
    for number in range(made.classes.count):
        assert len(set(clusters[made.classes.number == number].tolist())) == 1


@pytest.mark.parametrize(("n", "k"), [(7, 2), (7, 3), (9, 5), (10, 10), (33, 4)])
def test_random_rounds_assign_every_record(n, k):
    classes = random_rounds(n, k, np.random.default_rng(0))
    assert classes.sizes.sum() == n
    assert classes.sizes.min() >= k


def test_k_above_n_is_refused():
    space, table = random_space(4, 10)
    with pytest.raises(PrivacyError, match="k = 11"):
        ka_cluster(space, table.column("disease"), 11, rng=np.random.default_rng(1))


APART = np.array([[0.0, 0.0], [0.1, 0.0], [0.0, 0.1], [1.0, 1.0], [0.9, 1.0], [1.0, 0.9]])
MANY = np.full(6, 100)


def test_every_cluster_contains_at_least_l_values():
    rng = np.random.default_rng(3)
    for _ in range(20):
        matrix = rng.random((9, 3))
        cluster = cluster_values(matrix, least_values=3, record_counts=np.full(9, 10), least_records=1)
        assert np.bincount(cluster).min() >= 3


def test_clustering_picks_the_feasible_start_of_least_distance():
    rng = np.random.default_rng(4)
    matrix = rng.random((8, 2))
    cluster = cluster_values(
        matrix, least_values=2, record_counts=np.full(8, 9), least_records=1, n_clusters=3
    )
    ends = [lloyd(matrix, start) for start in combinations(range(8), int(cluster.max()) + 1)]
    feasible = [end[1] for end in ends if end is not None and np.bincount(end[0]).min() >= 2]
    own = sum(
        np.abs(matrix[cluster == label] - np.median(matrix[cluster == label], axis=0)).sum()
        for label in range(int(cluster.max()) + 1)
    )
    assert own == pytest.approx(min(feasible))


def test_fewer_clusters_are_used_until_all_are_large_enough():
    lonely = np.array([[0.0], [0.0], [0.0], [5.0]])
    cluster = cluster_values(lonely, least_values=2, record_counts=np.full(4, 9), least_records=1)
    assert cluster.tolist() == [0, 0, 0, 0]


def test_a_cluster_with_too_few_records_joins_the_nearest():
    counts = np.array([50, 50, 50, 1, 1, 1])
    assert cluster_values(APART, least_values=3, record_counts=counts, least_records=10).tolist() == [0] * 6
    assert cluster_values(APART, least_values=3, record_counts=MANY, least_records=10).tolist() == [
        0,
        0,
        0,
        1,
        1,
        1,
    ]


def test_starts_with_an_empty_cluster_are_infeasible():
    assert lloyd(np.array([[0.0], [0.0], [1.0]]), [0, 1]) is None


@pytest.mark.parametrize(
    ("least_values", "least_records", "message"),
    [(7, 1, "l = 7 is more than the 6 values"), (1, 601, "each class needs 601")],
)
def test_cluster_sizes_above_the_available_records_are_rejected(least_values, least_records, message):
    with pytest.raises(PrivacyError, match=message):
        cluster_values(APART, least_values=least_values, record_counts=MANY, least_records=least_records)


def test_too_many_starts_need_a_generator_and_are_reproducible():
    matrix = np.random.default_rng(1).random((40, 2))
    counts = np.full(40, 9)
    with pytest.raises(PrivacyError, match="set a seed"):
        cluster_values(matrix, least_values=8, record_counts=counts, least_records=1)
    one, two = (
        cluster_values(
            matrix, least_values=8, record_counts=counts, least_records=1, rng=np.random.default_rng(2)
        )
        for _ in range(2)
    )
    assert one.tolist() == two.tolist()
