"""The share of rows that are unique by asked questions and open answers, with rotation."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from privacy import validation
from privacy.risk.open_answers import combinations_of
from privacy.risk.unique_records import most_unique, share_unique
from privacy.survey.design import Design
from privacy.survey.rotation import Rotation

_ENOUGH: Final = 1_000_000
"""Largest number of combinations per row to distinguish: here, only one row in a million is not unique."""
_MOST_COMBINATIONS: Final = 10**12
"""Largest number of distinguished question sets: far more than there are people."""


@dataclass(frozen=True, kw_only=True)
class UniqueCombinations:
    """Rows that are unique by asked questions and open answers.

    Parameters
    ----------
    n : int
        Number of rows.
    share : float
        Share of unique rows: counted, or expected if all open answers are equally frequent.
    counted : bool
        Whether `share` was counted.
    """

    n: int
    share: float
    counted: bool


def unique_combinations(
    design: Design, n: int | None, *, own: int | None = None
) -> UniqueCombinations | None:
    """Return the share of n rows that are unique by asked questions and open answers.

    Parameters
    ----------
    design : Design
    n : int or None
        Number of rows, expected or received.
    own : int, optional
        Counted number of unique rows.

    Returns
    -------
    UniqueCombinations or None
        None if everyone is asked the same questions, or without rows.
    """
    if not design.rotates or not n:
        return None
    share = unique_share_of_design(design, n) if own is None else own / n
    return UniqueCombinations(n=n, share=share, counted=own is not None)


def unique_share_of_design(design: Design, n: int) -> float:
    """Return the expected share of n rows that are unique by asked questions and open answers.

    Parameters
    ----------
    design : Design
    n : int
        Number of rows, including the target's.

    Notes
    -----
    A row shows its open answers, the blocks that its device asks, and the booklet of each. With P_c the
    probability of a combination c, the expected share is sum_c P_c (1 - P_c)^(n - 1). Booklets are equally
    likely; open answers are assumed to be. Conditions of blocks are ignored, so the result overestimates
    unique rows.

    Examples
    --------
    Five out of twenty questions have 15,504 booklets, and 88% of 2,000 rows are unique. Four out of ten have
    210, and 79% of a batch of 50 rows are unique.

    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> def asking(size, total):
    ...     questions = tuple(Question(key=f"q{n}", kind="yes_no", options=(), unrelated=(5000,))
    ...                   for n in range(total))
    ...     return Design(blocks=(Block(key="b", protected=True, truth_probability=5000,
    ...         questions=questions, questions_per_person=size),),
    ...         group=GroupPolicy(), use="live")
    >>> [round(unique_share_of_design(asking(*sizes), n), 2) for *sizes, n in [(5, 20, 2000), (4, 10, 50)]]
    [0.88, 0.79]
    """
    rows = validation.number_of_rows(n)
    n_open = combinations_of(design)
    return math.fsum(
        float(mass) * share_unique(number * n_open, rows)
        for number, mass in _numbers_of_combinations(design, most=_ENOUGH * rows).items()
    )


def question_sets(design: Design) -> tuple[int, Fraction]:
    """Return the number of question sets, and the probability of the rarest one.

    Parameters
    ----------
    design : Design
        Conditions of its blocks are ignored.

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> questions = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "abcd")
    >>> block = Block(key="b", protected=True, truth_probability=5000,
    ...               questions=questions, questions_per_person=2)
    >>> question_sets(Design(blocks=(block,), group=GroupPolicy(), use="live"))
    (6, Fraction(1, 6))
    """
    numbers = _numbers_of_combinations(design, most=_MOST_COMBINATIONS)
    return round(sum(mass * number for number, mass in numbers.items())), Fraction(1, max(numbers))


def _numbers_of_combinations(design: Design, *, most: int) -> dict[int, Fraction]:
    """Map 1/P_c to the total probability of the combinations with probability P_c, ignoring open answers.

    Numbers of `most` or more are merged, because blocks of unequal size give exponentially many.
    """
    in_rotation = {key for rotation in design.rotations for key in rotation.blocks}
    booklets = {block.key: block.n_booklets for block in design.blocks}
    shares = {math.prod(count for key, count in booklets.items() if key not in in_rotation): Fraction(1)}
    for rotation in design.rotations:
        shares = _product(shares, _rotation_numbers(rotation, booklets, most=most), most=most)
    return shares


def _rotation_numbers(rotation: Rotation, booklets: Mapping[str, int], *, most: int) -> dict[int, Fraction]:
    # Number of sets of blocks, keyed by size and by the product of their numbers of booklets.
    sets: dict[tuple[int, int], int] = {(0, 1): 1}
    total = rotation.sets.count
    highest = -(-most // total)
    for key in rotation.blocks:
        with_it: dict[tuple[int, int], int] = {}
        for (n_drawn, number), count in sets.items():
            if n_drawn < rotation.parts_per_person:
                state = n_drawn + 1, min(highest, number * booklets[key])
                with_it[state] = with_it.get(state, 0) + count
        sets = {state: sets.get(state, 0) + with_it.get(state, 0) for state in {**sets, **with_it}}
    numbers: dict[int, Fraction] = {}
    for (n_drawn, number), count in sets.items():
        # The other positions of a draw are blanks, and no one sees which.
        n_ways = math.comb(rotation.blanks, rotation.parts_per_person - n_drawn)
        if n_ways:
            merged = -(-number * total // n_ways)
            numbers[merged] = numbers.get(merged, Fraction(0)) + Fraction(count * n_ways, total)
    return numbers


def _product(
    first: Mapping[int, Fraction], other: Mapping[int, Fraction], *, most: int
) -> dict[int, Fraction]:
    product: dict[int, Fraction] = {}
    for number, mass in first.items():
        for more, share in other.items():
            both = min(most, number * more)
            product[both] = product.get(both, Fraction(0)) + mass * share
    return product


def distinguishable(design: Design) -> int:
    """Return the number of different open answers that rows can show, with questions left empty.

    Parameters
    ----------
    design : Design

    Examples
    --------
    Three ages, or none:

    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> age = Question(key="age", kind="single", options=("22", "27", "32"), unrelated=())
    >>> block = Block(key="you", protected=False, truth_probability=10_000, questions=(age,))
    >>> design = Design(blocks=(block,), group=GroupPolicy(), use="live")
    >>> combinations_of(design), distinguishable(design)
    (3, 4)
    """
    return math.prod(
        question.patterns + (not question.is_arm)
        for number, question in enumerate(design.questions)
        if not design.blocks[design.block_of(number)].protected
    )


def most_unique_of_design(design: Design, n: int) -> float:
    """Return an upper bound of the expected number of n rows that are unique, whatever people answer.

    Parameters
    ----------
    design : Design
    n : int
        Number of rows, 1 or more.

    Notes
    -----
    Rows show asked questions and open answers, see `unique_share_of_design` and `most_unique`.
    """
    rows, answers = validation.number_of_rows(n), distinguishable(design)
    return min(
        float(rows),
        math.fsum(
            # Of all question sets, mass * number have the probability 1 / number.
            float(mass) * most_unique(rows, answers, cells=number)
            for number, mass in _numbers_of_combinations(design, most=_ENOUGH * rows).items()
        ),
    )
