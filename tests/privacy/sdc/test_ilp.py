import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.sdc import blocks
from privacy.sdc.classes import Classes
from privacy.sdc.ilp import diversify, ilp_l_diversity
from tests.fixtures.tables import random_space


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
    monkeypatch.setattr(blocks, "BLOCK_FROM", 100)
    monkeypatch.setattr(blocks, "BLOCK_SIZE", 50)
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
