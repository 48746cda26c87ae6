import json
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mining import thresholds as module
from mining.thresholds import Sides, Thresholds, concatenate, frequent_itemsets, join, single_items, take
from privacy.errors import PrivacyError
from privacy.survey.design import Question
from tests.fixtures.questionnaires import grouped, questionnaire, undisguised, yes_no
from tests.vectors.designs import opened


@pytest.mark.parametrize(
    ("field", "value", "remedy"),
    [
        ("support", 0, "use a number above 0 and at most 1"),
        ("support", -0.1, "use a number above 0 and at most 1"),
        ("support", 1.01, "use a number above 0 and at most 1"),
        ("support", float("nan"), "use a number above 0 and at most 1"),
        ("support", "0.05", "use a number above 0 and at most 1"),
        ("confidence", -0.1, "use a number in"),
        ("confidence", 1.1, "use a number in"),
        ("lift", -1.0, "use a number in"),
        ("max_size", 0, "use one from 1 to 20"),
        ("max_size", 21, "use one from 1 to 20"),
        ("max_size", 2.5, "use one from 1 to 20"),
        ("policy", "all", "choose one of 'inclusive', 'estimate'"),
        ("sides", None, "pass a Sides object"),
    ],
)
def test_out_of_range_thresholds_are_refused_with_value_and_remedy(
    field: str, value: Any, remedy: str
) -> None:
    with pytest.raises(PrivacyError, match=remedy) as refusal:
        Thresholds(**{"support": 0.05, field: value})
    assert refusal.value.code == field
    assert refusal.value.value is value or refusal.value.value == value or value != value


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("antecedent", (), "sides"),
        ("antecedent", (1, 1), "sides"),
        ("consequent", (-1,), "sides"),
        ("consequent", (True,), "sides"),
        ("consequent", "12", "sides"),
        ("longest_consequent", 0, "longest_consequent"),
    ],
)
def test_impossible_sides_are_refused(field: str, value: Any, code: str) -> None:
    with pytest.raises(PrivacyError) as refusal:
        Sides(**{field: value})
    assert refusal.value.code == code


def test_sides_with_unknown_items_are_refused() -> None:
    Sides(antecedent=(0, 2)).check(grouped([3]))
    with pytest.raises(
        PrivacyError, match="the items allowed for the consequent include an unknown one: 3"
    ) as refusal:
        Sides(consequent=(3,)).check(grouped([3]))
    assert refusal.value.code == "unknown_item"


def test_both_sides_of_a_rule_must_use_allowed_items() -> None:
    sides = Sides(antecedent=(0, 1), consequent=(2, 3))
    assert sides.allow((0, 1), (2, 3))
    assert not sides.allow((0, 2), (3,))
    assert not sides.allow((0,), (1,))
    assert Sides().allow((5,), (6, 7))


def test_thresholds_survive_json() -> None:
    thresholds = Thresholds(support=0.1, lift=1.0, sides=Sides(consequent=(3, 1), longest_consequent=1))
    assert Thresholds.from_json(json.loads(json.dumps(thresholds.to_json()))) == thresholds


@dataclass(frozen=True)
class Inner:
    low: NDArray[np.float64]


@dataclass(frozen=True)
class Outer:
    name: str
    value: NDArray[np.float64]
    interval: Inner


TABLE = Outer("pooled", np.array([0.1, 0.2, 0.3]), Inner(np.array([1.0, 2.0, 3.0])))


def test_selected_rows_keep_the_requested_order_at_every_depth() -> None:
    some = take(TABLE, np.array([2, 0]))
    assert (some.name, some.value.tolist(), some.interval.low.tolist()) == ("pooled", [0.3, 0.1], [3.0, 1.0])


def test_nested_tables_are_concatenated_at_every_level() -> None:
    both = concatenate([TABLE, take(TABLE, np.array([1]))])
    assert both.value.tolist() == [0.1, 0.2, 0.3, 0.2]
    assert both.interval.low.tolist() == [1.0, 2.0, 3.0, 2.0]


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
        patch.setattr(module, "_LARGEST_TABLE", 0 if little_memory else 1 << 28)
        found = frequent_itemsets(rows, support=support, max_size=max_size)
    assert list(found) == [items for items, _ in expected]
    assert list(found.values()) == pytest.approx([share for _, share in expected], abs=1e-12)
