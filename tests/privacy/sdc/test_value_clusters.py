from itertools import combinations

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.sdc.value_clusters import _merge_small_clusters, _starts, cluster_values, lloyd

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


def test_small_clusters_join_by_their_own_medians():
    """The medians are 4.5, 11.5 and 17.5, so that the middle two values are nearer to the last."""
    matrix, cluster = np.array([[1.0], [8], [9], [14], [17], [18]]), np.array([0, 0, 1, 1, 2, 2])
    for records, joined in (
        ([9, 9, 1, 1, 9, 9], [0, 0, 1, 1, 1, 1]),
        ([9, 9, 5, 5, 9, 9], [0, 0, 1, 1, 2, 2]),
    ):
        assert _merge_small_clusters(matrix, cluster, np.array(records), 10).tolist() == joined
    # The smallest joins first: to the first, of which the rest then is far enough away.
    assert _merge_small_clusters(matrix, cluster, np.array([1, 1, 2, 2, 9, 9]), 10).tolist() == [0] * 6


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


def test_all_records_together_may_be_just_enough():
    values, records = np.array([[0.0], [1.0]]), np.array([2, 3])
    assert cluster_values(values, least_values=1, record_counts=records, least_records=5).tolist() == [0, 0]


def test_random_starts_name_each_value_once():
    starts = [*_starts(40, 8, np.random.default_rng(5))]
    assert len(starts) == 100
    assert all(sorted({*start}) == [*start] and len(start) == 8 for start in starts)
    # Choosing 2 of 100 or 101 values is possible in 4,950 or 5,050 ways; up to 5,000 are all tried.
    assert len([*_starts(100, 2, None)]) == 4950
    assert len([*_starts(101, 2, np.random.default_rng(5))]) == 100
