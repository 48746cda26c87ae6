"""The family of a run is counted without listing it; these tests list it to compare."""

from itertools import combinations

import numpy as np
import pytest

from mining.family import itemset_family, rule_family
from mining.thresholds import Sides
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
