from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mining.candidates import join, single_items
from mining.errors import OverBudget
from privacy.disguise.design import Question
from tests.mining.cast import grouped, opened, questionnaire, undisguised, yes_no


@given(data=st.data(), size=st.integers(1, 4))
def test_a_candidate_is_exactly_a_set_whose_subsets_one_shorter_were_all_kept(
    data: st.DataObject, size: int
) -> None:
    everything = list(combinations(range(7), size))
    kept = sorted(data.draw(st.sets(st.sampled_from(everything), min_size=1)))
    expected = [
        candidate
        for candidate in combinations(range(7), size + 1)
        if all(subset in kept for subset in combinations(candidate, size))
    ]
    assert [tuple(row) for row in join(undisguised(7), np.array(kept)).tolist()] == expected


def test_no_candidate_holds_two_options_of_one_single_choice_question() -> None:
    age = Question(key="age", kind="single", options=("22", "27", "32"), unrelated=())
    reads = Question(key="reads", kind="multi", options=("news", "novels"), unrelated=())
    design = questionnaire(opened("open", yes_no("married", None), age, reads))
    pairs = join(design, single_items(design))
    ages = {1, 2, 3}
    assert all(len(ages & set(pair)) < 2 for pair in pairs.tolist())
    assert len(pairs) == 15 - 3
    triples = join(design, pairs)
    assert all(len(ages & set(triple)) < 2 for triple in triples.tolist())
    assert [4, 5] in pairs.tolist()


def test_it_gives_up_when_there_are_more_candidates_than_allowed() -> None:
    design = grouped([6])
    assert len(join(design, single_items(design), max_candidates=15)) == 15
    with pytest.raises(OverBudget, match=r"more than 14 itemsets of 2 items .* raise the support") as refusal:
        join(design, single_items(design), max_candidates=14)
    assert (refusal.value.code, refusal.value.value) == ("max_candidates", 14)


def test_nothing_is_joined_from_a_single_set() -> None:
    assert join(grouped([3]), np.array([[0, 1]])).shape == (0, 3)
