"""Count the hypotheses of a run's tests, its family, before any row is read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mining.thresholds import Sides
from privacy.arrays import Array, Flags
from privacy.policy import SIGNIFICANCE_LEVEL
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
        own = dict(self.by_size).get(size, 0)
        return self.total / (len(self.by_size) * own) if own else math.inf


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


def adjust_p_values(p_values: ArrayLike, total: int) -> Array:
    """Correct p-values of some hypotheses of a family whose other hypotheses all have p = 1.

    Parameters
    ----------
    p_values : array_like of float, shape (m,)
        Weighted: each divided by its hypothesis's weight. Values above 1, and NaN, count as 1.
    total : int
        M, the size of the family, at least m.

    Returns
    -------
    float array, shape (m,)
        The smallest level at which each hypothesis is rejected.

    Notes
    -----
    Benjamini and Yekutieli's correction, valid whatever the dependence. With p_(1) <= p_(2) ...: the minimum
    over j >= i of M p_(j) / j, times 1 + 1/2 + ... + 1/M.

    References
    ----------
    Benjamini and Yekutieli 2001.

    Examples
    --------
    >>> adjust_p_values([0.01, 0.04], 4).round(3).tolist()  # 4 * .01 * 25/12, 4 * .04 / 2 * 25/12
    [0.083, 0.167]
    """
    observed = np.asarray(p_values, dtype=np.float64)
    capped_p = np.fmin(observed, 1.0)
    if not capped_p.size:
        return capped_p
    order = np.argsort(observed, kind="stable")
    ranks = np.arange(1, len(capped_p) + 1)
    factor = total * _harmonic(total)
    adjusted_p = np.minimum.accumulate((factor * capped_p[order] / ranks)[::-1])[::-1]
    result = np.empty_like(capped_p)
    result[order] = np.minimum(adjusted_p, 1.0)
    return result


def _harmonic(total: int) -> float:
    """Return 1 + 1/2 + ... + 1/M; beyond a million terms by Euler-Maclaurin, exact to 1e-13 there."""
    if total <= 1_000_000:
        return float((1 / np.arange(1, total + 1)).sum())
    return float(np.log(total) + np.euler_gamma + 1 / (2 * total))


def selection_level(count: int, total: int) -> float:
    """Return the level at which intervals of `count` of `total` parameters have .05 false coverage.

    Parameters
    ----------
    count : int
        Number of parameters whose intervals are shown.
    total : int
        Number of parameters that could have been shown, at least 1.

    Notes
    -----
    1 - .05 R/M.

    References
    ----------
    Benjamini and Yekutieli 2005.

    Examples
    --------
    >>> round(selection_level(31, 312), 5)
    0.99503
    """
    return 1 - SIGNIFICANCE_LEVEL * max(count, 1) / max(total, count, 1)


@dataclass(frozen=True, kw_only=True, eq=False)
class Decisions:
    """Results of a run's tests, rule by rule.

    Attributes
    ----------
    p_values : float array, shape (R,)
        One-sided, for each rule alone.
    adjusted : float array, shape (R,)
        Corrected within the family, with the weights of the sizes.
    cut_off : float array, shape (R,)
        The p-value threshold for a rule of this size.
    passes : bool array, shape (R,)
    """

    p_values: Array
    adjusted: Array
    cut_off: Array

    @property
    def passes(self) -> Flags:
        """Whether each rule passes at the level, given the family."""
        return self.adjusted <= SIGNIFICANCE_LEVEL


def decisions(
    p_values: ArrayLike, hypotheses: Sequence[object], sizes: ArrayLike, family: Family
) -> Decisions:
    """Correct the p-values of a run's rules within its family.

    Parameters
    ----------
    p_values : array_like of float, shape (R,)
    hypotheses : sequence of R hashable objects
        Rules with equal keys are one hypothesis, such as A -> B and B -> A for lift; their p-values agree.
    sizes : array_like of int, shape (R,)
        Items on both sides together.
    family : Family

    Notes
    -----
    Weighted: p / w with w = M / (S M_size), so that the many long rules do not use up the level of the few
    short ones. Rules that the run did not examine, or that miss its thresholds, count with p = 1.

    References
    ----------
    Genovese, Roeder and Wasserman 2006, for weights; Blanchard and Roquain 2008, for weights with
    Benjamini and Yekutieli's correction.
    """
    raw = np.asarray(p_values, dtype=np.float64)
    weights = np.array([family.weight(int(size)) for size in np.asarray(sizes)], dtype=np.float64)
    places: dict[object, int] = {}
    back = np.array([places.setdefault(hypothesis, len(places)) for hypothesis in hypotheses], dtype=np.int64)
    single = np.full(len(places), np.inf)
    np.minimum.at(single, back, raw / weights)
    total = max(family.total, len(single))
    p_adjusted = adjust_p_values(single, total)
    cut = _cut_off(p_adjusted, total)
    return Decisions(p_values=raw, adjusted=p_adjusted[back], cut_off=np.minimum(cut * weights, 1.0))


def _cut_off(p_values: Array, total: int) -> float:
    """Return the weighted p-value threshold of the last accepted hypothesis, or else of the first one."""
    # A family is empty if the run has only single items, which form no rules.
    if total == 0:
        return SIGNIFICANCE_LEVEL
    passing = int((p_values <= SIGNIFICANCE_LEVEL).sum())
    return SIGNIFICANCE_LEVEL * max(passing, 1) / (total * _harmonic(total))
