"""How many rules a run could find, fixed before any row is read: the family that its tests belong to."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mining.thresholds import Sides
from privacy.survey.design import Design

__all__ = ["Family", "itemset_family", "rule_family"]


@dataclass(frozen=True, kw_only=True)
class Family:
    """The hypotheses of a run, whatever its data and thresholds.

    Attributes
    ----------
    by_size : tuple of (int, int)
        Number of items on both sides together, and how many hypotheses have so many; sizes with none are
        left out.

    Examples
    --------
    >>> family = Family(by_size=((2, 42), (3, 270)))
    >>> family.total, round(family.weight(2), 3), round(family.weight(3), 3)
    (312, 3.714, 0.578)
    """

    by_size: tuple[tuple[int, int], ...]

    @property
    def total(self) -> int:
        """M."""
        return sum(number for _, number in self.by_size)

    def weight(self, size: int) -> float:
        """Return w = M / (S M_size): with p / w each of the S sizes has an equal share of the level.

        Infinite for a size that the family does not hold.
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
        Most items of both sides together.
    ordered : bool
        True for confidence, where A -> B and B -> A say different things; False for lift, where {A, B} is one
        hypothesis however often it is listed.

    Notes
    -----
    Each question gives one factor of a polynomial in x (an item before the arrow) and y (after it): a yes/no
    question and each option of a multi-select 1 + x + y, a single choice with c options 1 + c x + c y, since
    nobody has two of them; x and y only where the side allows the item. The coefficient of x^a y^b counts the
    rules with a items before and b after the arrow.

    Examples
    --------
    Two yes/no questions make one pair for lift, and two rules for confidence:

    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> ask = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "ab")
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(Block(key="b", protected=True,
    ...     truth_probability=5000, refusal=None, asked_if=None, questions=ask),))
    >>> [rule_family(design, Sides(), 2, ordered=ordered).total for ordered in (False, True)]
    [1, 2]
    """
    before, after = _allowed(sides.antecedent, design), _allowed(sides.consequent, design)
    longest = max_size if sides.longest_consequent is None else sides.longest_consequent
    found = _by_size(_coefficients(design, before, after, max_size), longest, max_size)
    if not ordered:
        both = before & after
        turned = _coefficients(design, both, both, max_size)
        # Pairs whose two orders are both allowed were counted twice.
        turned[longest + 1 :] = 0
        found -= _by_size(turned, longest, max_size) // 2
    return Family(by_size=tuple((size, int(number)) for size, number in enumerate(found) if number))


def itemset_family(design: Design, max_size: int) -> Family:
    """Count the itemsets that anybody could have: no two options of one single-choice question."""
    everything = frozenset(item.index for item in design.items)
    table = _coefficients(design, everything, frozenset(), max_size)[:, 0]
    return Family(by_size=tuple((size, int(number)) for size, number in enumerate(table) if size and number))


def _allowed(side: tuple[int, ...] | None, design: Design) -> frozenset[int]:
    return frozenset(range(len(design.items)) if side is None else side)


def _coefficients(
    design: Design, before: frozenset[int], after: frozenset[int], max_size: int
) -> NDArray[np.object_]:
    """Rules by items before (first axis) and after the arrow, up to `max_size` on each side."""
    table = np.zeros((max_size + 1, max_size + 1), dtype=object)
    table[0, 0] = 1
    for number, question in enumerate(design.questions):
        items = [item.index for item in design.items if item.question == number]
        groups = [items] if question.is_exclusive else [[item] for item in items]
        for group in groups:
            grown = table.copy()
            grown[1:] += table[:-1] * sum(item in before for item in group)
            grown[:, 1:] += table[:, :-1] * sum(item in after for item in group)
            table = grown
    return table


def _by_size(table: NDArray[np.object_], longest_consequent: int, max_size: int) -> NDArray[np.object_]:
    found = np.zeros(max_size + 1, dtype=object)
    for a in range(1, max_size + 1):
        for b in range(1, min(longest_consequent, max_size - a) + 1):
            found[a + b] += table[a, b]
    return found
