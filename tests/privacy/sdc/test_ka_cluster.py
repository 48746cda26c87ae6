import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.sdc import bottom_up, ka_cluster, loss
from privacy.sdc.ka_cluster import random_rounds
from tests.fixtures.tables import random_space


def test_classes_lie_within_clusters_and_have_at_least_k_records():
    space, table = random_space(3, 300)
    disease = table.column("disease")
    made = ka_cluster(space, disease, 5, rng=np.random.default_rng(1))
    assert made.classes.sizes.min() >= 5
    clusters = made.value_cluster[disease.codes]
    for number in range(made.classes.count):
        assert len(set(clusters[made.classes.number == number].tolist())) == 1


def test_the_same_seed_gives_the_same_classes_and_another_seed_others():
    space, table = random_space(3, 120)
    one, two, three = (
        ka_cluster(space, table.column("disease"), 4, rng=np.random.default_rng(seed)).classes.number.tolist()
        for seed in (1, 1, 2)
    )
    assert one == two
    assert one != three


def test_random_partners_cost_more_than_chosen_ones():
    space, table = random_space(4, 300)
    random_classes = ka_cluster(space, table.column("disease"), 5, rng=np.random.default_rng(1)).classes
    assert loss(space, random_classes).ilp > loss(space, bottom_up(space, 5)).ilp


@pytest.mark.parametrize(("n", "k"), [(7, 2), (7, 3), (9, 5), (10, 10), (33, 4)])
def test_random_rounds_leave_nobody_out(n, k):
    classes = random_rounds(n, k, np.random.default_rng(0))
    assert classes.sizes.sum() == n
    assert classes.sizes.min() >= k


def test_k_above_n_is_refused():
    space, table = random_space(4, 10)
    with pytest.raises(PrivacyError, match="k = 11"):
        ka_cluster(space, table.column("disease"), 11, rng=np.random.default_rng(1))
