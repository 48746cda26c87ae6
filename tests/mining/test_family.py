"""The family of a run is counted without listing it; these tests list it to compare."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import false_discovery_control

from mining.family import Family, adjust_p_values, decisions, itemset_family, rule_family, selection_level
from mining.thresholds import Sides
from privacy.policy import SIGNIFICANCE_LEVEL
from privacy.survey.design import Design
from surveys.management.commands.demo import definition, thresholds
from surveys.questionnaire.definition import definition_parse
from tests.fixtures.questionnaires import EVERYTHING, grouped


def possible(design: Design, size: int) -> list[tuple[int, ...]]:
    found = []
    for items in combinations(range(len(design.items)), size):
        chosen = [design.items[item].question for item in items]
        single = [number for number in chosen if design.questions[number].kind == "single"]
        if len(set(single)) == len(single):
            found.append(items)
    return found


def listed(design: Design, sides: Sides, size: int) -> list[tuple[frozenset[int], frozenset[int]]]:
    return [
        (frozenset(before), frozenset(items) - frozenset(before))
        for items in possible(design, size)
        for length in range(1, size)
        for before in combinations(items, length)
        if sides.allow(before, tuple(set(items) - set(before)))
    ]


SIDES = {
    "all": Sides(),
    "one item after": Sides(longest_consequent=1),
    "some items": Sides(antecedent=(0, 1, 2, 3, 6), consequent=(3, 5, 6, 7)),
    "overlapping, two after": Sides(antecedent=(0, 3, 5, 6), consequent=(3, 4, 5, 6), longest_consequent=2),
}


@pytest.mark.parametrize("name", SIDES)
def test_the_family_size_equals_the_number_of_listed_rules(name: str) -> None:
    for size in (2, 3, 4):
        rules = [listed(EVERYTHING, SIDES[name], length) for length in range(2, size + 1)]
        ordered = {length + 2: len(found) for length, found in enumerate(rules) if found}
        pairs = {length + 2: len({frozenset(rule) for rule in found}) for length, found in enumerate(rules)}
        assert dict(rule_family(EVERYTHING, SIDES[name], size, ordered=True).by_size) == ordered
        unordered = dict(rule_family(EVERYTHING, SIDES[name], size, ordered=False).by_size)
        assert unordered == {length: number for length, number in pairs.items() if number}


def test_the_itemset_family_size_equals_the_number_of_itemsets() -> None:
    for design in (EVERYTHING, grouped([2, 1])):
        assert dict(itemset_family(design, 3).by_size) == {
            size: len(possible(design, size)) for size in (1, 2, 3) if possible(design, size)
        }


def test_the_demos_family_has_312_rules() -> None:
    design = definition_parse(definition()).design
    asked = thresholds(design)
    found = rule_family(design, asked.sides, asked.max_size, ordered=False)
    assert (found.by_size, found.total) == (((2, 42), (3, 270)), 312)


def test_weights_give_each_size_an_equal_share_of_the_level() -> None:
    family = rule_family(EVERYTHING, Sides(), 4, ordered=True)
    shares = [number * family.weight(size) / family.total for size, number in family.by_size]
    np.testing.assert_allclose(shares, 1 / len(family.by_size))
    assert family.weight(9) == np.inf


RNG = np.random.default_rng(4)
SOME = np.concatenate([RNG.random(40) ** 6, [0.0, 0.01, 0.01, 1.0]])
TOTAL = 120


def padded(p_values: np.ndarray) -> np.ndarray:
    return np.concatenate([p_values, np.ones(TOTAL - len(p_values))])


def test_the_correction_matches_scipy_with_other_p_values_at_1() -> None:
    expected = false_discovery_control(padded(SOME), method="by")[: len(SOME)]
    np.testing.assert_allclose(adjust_p_values(SOME, TOTAL), expected, rtol=1e-12)


def test_no_hypotheses_need_no_correction_and_p_values_are_capped() -> None:
    assert adjust_p_values([], 10).tolist() == []
    assert adjust_p_values([3.0], 1).tolist() == [1.0]
    assert adjust_p_values([0.01, np.nan], 4).tolist() == adjust_p_values([0.01, 1.0], 4).tolist()


def test_billions_of_hypotheses_are_corrected_without_a_list() -> None:
    # The harmonic number by definition, a million terms at a time.
    total = 3_000_000
    harmonic = sum((1 / np.arange(start, start + 1_000_000)).sum() for start in range(1, total, 1_000_000))
    np.testing.assert_allclose(adjust_p_values([1e-12], total), total * harmonic * 1e-12, rtol=1e-12)


def test_both_orders_of_a_pair_count_as_one_hypothesis() -> None:
    family = Family(by_size=((2, 3),))
    pair, other = frozenset({(0,), (1,)}), frozenset({(0,), (2,)})
    found = decisions([0.01, 0.01, 0.02], [pair, pair, other], [2, 2, 2], family)
    # 3 * .01 / 1 and 3 * .02 / 2, each times 1 + 1/2 + 1/3.
    np.testing.assert_allclose(found.adjusted, [0.055, 0.055, 0.055])
    assert decisions([0.001] * 3, [pair, pair, other], [2, 2, 2], family).passes.all()


def test_few_short_rules_keep_their_level_among_many_long_ones() -> None:
    family = Family(by_size=((2, 10), (3, 990)))
    found = decisions([0.001, 0.0001], ["short", "long"], [2, 3], family)
    harmonic = (1 / np.arange(1, 1001)).sum()
    # Weights are 50 and 1000/1980, so .00002 comes first and .000198 second of 1,000.
    np.testing.assert_allclose(
        found.adjusted, [1000 * harmonic * 0.001 / 50, 1000 * harmonic * 0.0001 * 1.98 / 2]
    )


def test_a_rule_passes_if_its_p_value_meets_the_cut_off() -> None:
    family = Family(by_size=((2, 60), (3, 60)))
    sizes = np.where(np.arange(len(SOME)) % 2, 2, 3)
    found = decisions(SOME, list(range(len(SOME))), sizes, family)
    np.testing.assert_array_equal(found.passes, found.p_values <= found.cut_off)
    assert 0 < found.passes.sum() < len(SOME)


def test_without_passing_rules_the_cut_off_is_the_first_threshold() -> None:
    family = Family(by_size=((2, 10),))
    found = decisions([0.5, 0.9], ["a", "b"], [2, 2], family)
    assert not found.passes.any()
    np.testing.assert_allclose(found.cut_off, SIGNIFICANCE_LEVEL / 10 / (1 / np.arange(1, 11)).sum())


def test_a_family_without_rules_gives_no_verdicts() -> None:
    found = decisions([], [], [], Family(by_size=()))
    assert found.p_values.size == found.adjusted.size == found.cut_off.size == found.passes.size == 0


def test_intervals_widen_with_the_strictness_of_selection() -> None:
    assert selection_level(10, 10) == pytest.approx(0.95)
    assert selection_level(0, 200) == pytest.approx(1 - 0.05 / 200)
