"""Count the hypotheses of a run's tests, its family, before any row is read."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mining.thresholds import Sides
from privacy.survey.design import Block, Design

Polynomial: TypeAlias = NDArray[np.object_]

MOST_QUESTION_SETS: Final = 20_000
"""Largest number of question sets of a block to list when counting which questions its booklets combine."""


@dataclass(frozen=True, kw_only=True)
class Family:
    """The hypotheses of a run, independent of its data and thresholds.

    Attributes
    ----------
    by_size : tuple of (int, int)
        Number of hypotheses by number of items on both sides together; sizes without hypotheses are left out.

    Examples
    --------
    >>> family = Family(by_size=((2, 42), (3, 270)))
    >>> family.total, round(family.weight(2), 3), round(family.weight(3), 3)
    (312, 3.714, 0.578)
    """

    by_size: tuple[tuple[int, int], ...]

    @property
    def total(self) -> int:
        """Number of hypotheses, M."""
        return sum(number for _, number in self.by_size)

    def weight(self, size: int) -> float:
        """Return the weight w = M / (S M_size).

        Dividing p-values by w gives each of the S sizes an equal share of the level. The weight is infinite
        for sizes that the family does not contain.
        """
        rules_of_size = dict(self.by_size).get(size, 0)
        return self.total / (len(self.by_size) * rules_of_size) if rules_of_size else math.inf


def rule_family(design: Design, sides: Sides, max_size: int, *, ordered: bool) -> Family:
    """Count the rules that a questionnaire, the longest itemset and the allowed sides permit.

    Parameters
    ----------
    design : Design
    sides : Sides
    max_size : int
        Largest number of items on both sides together.
    ordered : bool
        True for confidence, where A -> B and B -> A are different hypotheses; False for lift, where {A, B} is
        one hypothesis even if listed twice.

    Notes
    -----
    Each question gives one factor of a polynomial in x (an item before the arrow) and y (after it): a yes/no
    question and each option of a multi-select gives 1 + x + y. A single choice with c options gives 1 + c x +
    c y, since no one chooses two of them. x and y appear only if the side allows the item. The coefficient of
    x^a y^b counts the rules with a items before and b after the arrow. For a rotating block, the sum runs
    over the sets of questions in one booklet; for a rotation, over sets of its blocks. So items that no
    device is asked together form no hypothesis.

    Examples
    --------
    Two yes/no questions make one pair for lift, and two rules for confidence:

    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> ask = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "ab")
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(Block(key="b", protected=True,
    ...     truth_probability=5000, questions=ask),))
    >>> [rule_family(design, Sides(), 2, ordered=ordered).total for ordered in (False, True)]
    [1, 2]
    """
    before, after = _allowed_items(sides.antecedent, design), _allowed_items(sides.consequent, design)
    longest = max_size if sides.longest_consequent is None else sides.longest_consequent
    by_size = _by_size(_coefficients(design, before, after, max_size), longest, max_size)
    if not ordered:
        both = before & after
        both_ways = _coefficients(design, both, both, max_size)
        # Pairs whose two orders are both allowed were counted twice.
        both_ways[longest + 1 :] = 0
        by_size -= _by_size(both_ways, longest, max_size) // 2
    return Family(by_size=tuple((size, int(number)) for size, number in enumerate(by_size) if number))


def itemset_family(design: Design, max_size: int) -> Family:
    """Count the itemsets that one device can be asked and that have no two options of one single choice.

    Parameters
    ----------
    design : Design
        Design of the rows that are searched.
    max_size : int
        Length of the longest itemset.
    """
    everything = frozenset(item.index for item in design.items)
    table = _coefficients(design, everything, frozenset(), max_size)[:, 0]
    return Family(by_size=tuple((size, int(number)) for size, number in enumerate(table) if size and number))


def _allowed_items(side: tuple[int, ...] | None, design: Design) -> frozenset[int]:
    return frozenset(range(len(design.items)) if side is None else side)


def _coefficients(design: Design, before: frozenset[int], after: frozenset[int], max_size: int) -> Polynomial:
    """Count rules by items before (first axis) and after the arrow (second axis), each up to `max_size`."""
    empty = np.zeros((max_size + 1, max_size + 1), dtype=object)
    empty[0, 0] = 1
    blocks: dict[str, Polynomial] = {}
    for block, first in zip(design.blocks, design.first_questions, strict=True):
        if block.is_anchor:
            # Anchors are in no itemset.
            blocks[block.key] = empty
            continue
        questions = []
        for number in range(first, first + len(block.questions)):
            items = [item.index for item in design.items if item.question == number]
            groups = [items] if design.questions[number].is_exclusive else [[item] for item in items]
            product_so_far = empty
            for group in groups:
                product = product_so_far.copy()
                product[1:] += product_so_far[:-1] * sum(item in before for item in group)
                product[:, 1:] += product_so_far[:, :-1] * sum(item in after for item in group)
                product_so_far = product
            questions.append(product_so_far)
        blocks[block.key] = _block_polynomial(block, questions, empty)
    for rotation in design.rotations:
        parts = [blocks.pop(key) for key in rotation.blocks]
        blocks[rotation.blocks[0]] = _at_most(rotation.parts_per_person, parts, empty)
    return _at_most(len(blocks), list(blocks.values()), empty)


def _block_polynomial(block: Block, questions: list[Polynomial], empty: Polynomial) -> Polynomial:
    """Return the polynomial of a block, over sets of questions that one device can be asked."""
    if block.booklets is None:
        return _at_most(block.most_asked, questions, empty)
    tops = [question - empty for question in questions]
    sets: dict[frozenset[int], Polynomial] = {frozenset(): empty}
    for booklet in block.booklets:
        for size in range(1, min(len(empty) - 1, block.most_asked) + 1):
            for subset in combinations(booklet, size):
                if frozenset(subset) not in sets:
                    sets[frozenset(subset)] = _times(sets[frozenset(subset[:-1])], tops[subset[-1]])
            if len(sets) > MOST_QUESTION_SETS:
                # This counts more hypotheses than exist, so the correction is too strict, which is safe.
                return _at_most(block.most_asked, questions, empty)
    total: Polynomial = np.sum(list(sets.values()), axis=0)
    return total


def _at_most(most: int, factors: list[Polynomial], empty: Polynomial) -> Polynomial:
    """Multiply factors, of which at most `most` may contribute an item."""
    if most >= len(factors):
        for_all = empty
        for factor in factors:
            for_all = _times(for_all, factor)
        return for_all
    by_number = [empty, *(np.zeros_like(empty) for _ in range(most))]
    for factor in factors:
        for number in range(most, 0, -1):
            by_number[number] = by_number[number] + _times(by_number[number - 1], factor - empty)
    total: Polynomial = np.sum(by_number, axis=0)
    return total


def _times(left: Polynomial, right: Polynomial) -> Polynomial:
    product = np.zeros_like(left)
    size = len(left)
    for a, b in np.argwhere(right).tolist():
        product[a:, b:] += left[: size - a, : size - b] * right[a, b]
    return product


def _by_size(table: Polynomial, longest_consequent: int, max_size: int) -> NDArray[np.object_]:
    counts = np.zeros(max_size + 1, dtype=object)
    for a in range(1, max_size + 1):
        for b in range(1, min(longest_consequent, max_size - a) + 1):
            counts[a + b] += table[a, b]
    return counts
