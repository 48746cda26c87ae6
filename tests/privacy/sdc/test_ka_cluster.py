import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.sdc.ka_cluster import ka_cluster, random_rounds
from tests.fixtures.tables import random_space


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
