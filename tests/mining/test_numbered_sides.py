"""Tests of mining.numbered_sides."""

import itertools

import numpy as np
import pytest

from mining.numbered_sides import NumberedSides

ITEMSETS = [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]
RULES = [
    (antecedent, consequent)
    for antecedent, consequent in itertools.permutations(ITEMSETS, 2)
    if not set(antecedent) & set(consequent)
]
"""Every rule between three items: six with one item on each side, six with two on one."""


def test_rules_get_their_sides_back() -> None:
    sides = NumberedSides.of(RULES)
    assert len(sides.itemsets) == len(set(sides.itemsets)) == 6
    named = [
        (sides.itemsets[antecedent], sides.itemsets[consequent])
        for antecedent, consequent in zip(sides.antecedents, sides.consequents, strict=True)
    ]
    assert named == RULES


def test_different_pairs_of_sides_have_different_codes() -> None:
    sides = NumberedSides.of(RULES)
    every = np.arange(len(sides.itemsets))
    codes = sides.codes(every[:, None], every[None, :])
    assert len(np.unique(codes)) == len(every) ** 2


@pytest.mark.parametrize("seed", range(5))
def test_a_pair_is_counted_once_in_the_order_of_first_appearance(seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(RULES))
    rules = [RULES[position] for position in order]
    first, pairs = NumberedSides.of(rules).undirected()
    seen: list[frozenset[tuple[int, ...]]] = []
    for rule, pair in zip(rules, pairs.tolist(), strict=True):
        sides = frozenset(rule)
        if sides not in seen:
            seen.append(sides)
        assert pair == seen.index(sides)
    assert [frozenset(rules[position]) for position in first.tolist()] == seen
    assert len(seen) == 6


def test_no_rules_have_no_sides() -> None:
    sides = NumberedSides.of([])
    first, pairs = sides.undirected()
    assert sides.itemsets == ()
    assert first.tolist() == pairs.tolist() == []


def test_a_code_counts_antecedents_in_numbers_of_itemsets() -> None:
    sides = NumberedSides.of([((0,), (1,)), ((1,), (2,)), ((2,), (0,))])
    codes = sides.codes(np.array([0, 2, 1]), np.array([1, 0, 2]))
    assert codes.tolist() == [1, 6, 5]
    assert codes.dtype == np.int64
