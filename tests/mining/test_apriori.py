from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mining import mlxtend_search
from mining.apriori import join, single_items
from mining.mlxtend_search import frequent_itemsets
from privacy.errors import PrivacyError
from privacy.survey.design import Question
from tests.fixtures.questionnaires import grouped, questionnaire, undisguised, yes_no
from tests.vectors.designs import opened

BOTH_WAYS = pytest.mark.parametrize("on_arrays", [False, True], ids=["mlxtend", "arrays"])


@pytest.mark.slow
@given(data=st.data(), size=st.integers(1, 4))
def test_candidates_are_the_sets_whose_subsets_were_all_kept(data: st.DataObject, size: int) -> None:
    everything = list(combinations(range(7), size))
    kept = sorted(data.draw(st.sets(st.sampled_from(everything), min_size=1)))
    expected = [
        candidate
        for candidate in combinations(range(7), size + 1)
        if all(subset in kept for subset in combinations(candidate, size))
    ]
    for on_arrays in (False, True):
        found = join(undisguised(7), np.array(kept), on_arrays=on_arrays)
        assert list(map(tuple, found.tolist())) == expected, on_arrays


@BOTH_WAYS
def test_candidates_never_contain_two_options_of_one_single_choice(on_arrays: bool) -> None:
    age = Question(key="age", kind="single", options=("22", "27", "32"), unrelated=())
    reads = Question(key="reads", kind="multi", options=("news", "novels"), unrelated=())
    design = questionnaire(opened("open", yes_no("married", None), age, reads))
    pairs = join(design, single_items(design), on_arrays=on_arrays)
    ages = {1, 2, 3}
    assert all(len(ages & set(pair)) < 2 for pair in pairs.tolist())
    assert len(pairs) == 15 - 3
    triples = join(design, pairs, on_arrays=on_arrays)
    assert all(len(ages & set(triple)) < 2 for triple in triples.tolist())
    assert [4, 5] in pairs.tolist()


@BOTH_WAYS
def test_too_many_candidates_are_refused(on_arrays: bool) -> None:
    design = grouped([6])
    items = single_items(design)
    assert len(join(design, items, max_candidates=15, on_arrays=on_arrays)) == 15
    with pytest.raises(
        PrivacyError, match=r"more than 14 itemsets of 2 items .* raise the support"
    ) as refusal:
        join(design, items, max_candidates=14, on_arrays=on_arrays)
    assert (refusal.value.code, refusal.value.value) == ("max_candidates", 14)


@BOTH_WAYS
def test_joining_a_single_set_gives_no_candidates(on_arrays: bool) -> None:
    assert join(grouped([3]), np.array([[0, 1]]), on_arrays=on_arrays).shape == (0, 3)


def test_large_item_numbers_do_not_overflow() -> None:
    kept = np.array(list(combinations(range(3990, 4000), 6)))
    assert np.array_equal(join(undisguised(2), kept, on_arrays=True), join(undisguised(2), kept))


@pytest.mark.slow
@given(
    n=st.integers(1, 60),
    support=st.sampled_from([0.001, 0.05, 0.1, 0.25, 0.5, 1.0]),
    max_size=st.integers(1, 4),
    little_memory=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
)
def test_all_itemsets_above_the_threshold_are_listed_in_order(
    n: int, support: float, max_size: int, little_memory: bool, seed: int
) -> None:
    rows = np.random.default_rng(seed).random((n, 5)) < 0.6
    expected = [
        (items, rows[:, items].all(axis=1).mean())
        for size in range(1, max_size + 1)
        for items in combinations(range(5), size)
        if rows[:, items].all(axis=1).sum() / n >= support
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mlxtend_search, "_LARGEST_TABLE", 0 if little_memory else 1 << 28)
        found = frequent_itemsets(rows, support=support, max_size=max_size)
    assert list(found) == [items for items, _ in expected]
    assert list(found.values()) == pytest.approx([share for _, share in expected], abs=1e-12)
