"""Unique rows by asked questions and open answers together."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from privacy import validation
from privacy.risk.open_answers import combinations_of, share_alone
from privacy.survey.booklets import Rotation
from privacy.survey.design import Design

__all__ = ["OwnCombinations", "expected_own", "own_combinations"]

_ENOUGH: Final = 1_000_000
"""So many combinations for each row leave all but one row in a million alone, and more of them no fewer."""


@dataclass(frozen=True, kw_only=True)
class OwnCombinations:
    """Number of rows unique by asked questions and open answers.

    Parameters
    ----------
    n : int
        Rows.
    share : float
        Of them, those with a combination of their own: expected if all open answers are equally frequent, or
        counted.
    counted : bool
    """

    n: int
    share: float
    counted: bool


def own_combinations(design: Design, n: int | None, *, own: int | None = None) -> OwnCombinations | None:
    """Return how many of n rows have a combination of their own.

    Parameters
    ----------
    design : Design
    n : int or None
        Rows that are expected, or that came.
    own : int, optional
        Those that were counted.

    Returns
    -------
    OwnCombinations or None
        None where everybody is asked the same, and without rows.
    """
    if not design.rotates or not n:
        return None
    share = expected_own(design, n) if own is None else own / n
    return OwnCombinations(n=n, share=share, counted=own is not None)


def expected_own(design: Design, n: int) -> float:
    """Return the share of n rows that are expected to have a combination of their own.

    Parameters
    ----------
    design : Design
    n : int
        Rows, the one that is looked for among them.

    Notes
    -----
    A row shows the booklet of each part that its device asks, which parts these are, and its open answers.
    With P_c the chance of a combination c, sum_c P_c (1 - P_c)^(n - 1). Booklets are equally likely; open
    answers are taken to be. A part with a condition is taken to be asked of everybody: less is then shown
    than is counted.

    Examples
    --------
    Five of twenty questions have 15,504 booklets: of 2,000 rows 88 % are alone with theirs. Four of ten have
    210: of a batch of 50 rows 79 %.

    >>> from privacy.survey import Block, GroupPolicy, Question
    >>> def asking(size, total):
    ...     questions = tuple(Question(key=f"q{n}", kind="yes_no", options=(), unrelated=(5000,))
    ...                   for n in range(total))
    ...     return Design(blocks=(Block(key="b", protected=True, truth_probability=5000, refusal=None,
    ...         asked_if=None, questions=questions, questions_per_person=size),),
    ...         group=GroupPolicy(), use="live")
    >>> round(expected_own(asking(5, 20), 2000), 2), round(expected_own(asking(4, 10), 50), 2)
    (0.88, 0.79)
    """
    rows = validation.number_of_rows(n)
    opened = combinations_of(design)
    return math.fsum(
        float(mass) * share_alone(number * opened, rows)
        for number, mass in _numbers_of_combinations(design, most=_ENOUGH * rows).items()
    )


def _numbers_of_combinations(design: Design, *, most: int) -> dict[int, Fraction]:
    """Return by 1/P_c the chance of all combinations with this chance; open answers are left aside.

    Numbers from `most` on are not told apart: there are exponentially many of unlike parts.
    """
    rotated = {key for rotation in design.rotations for key in rotation.blocks}
    booklets = {block.key: block.n_booklets for block in design.blocks}
    shares = {math.prod(count for key, count in booklets.items() if key not in rotated): Fraction(1)}
    for rotation in design.rotations:
        shares = _product(shares, _of_rotation(rotation, booklets, most=most), most=most)
    return shares


def _of_rotation(rotation: Rotation, booklets: Mapping[str, int], *, most: int) -> dict[int, Fraction]:
    # By how many parts were drawn, and the product of their numbers of booklets: sets of parts.
    sets: dict[tuple[int, int], int] = {(0, 1): 1}
    total = rotation.sets.count
    highest = -(-most // total)
    for key in rotation.blocks:
        with_it: dict[tuple[int, int], int] = {}
        for (drawn, number), count in sets.items():
            if drawn < rotation.parts_per_person:
                state = drawn + 1, min(highest, number * booklets[key])
                with_it[state] = with_it.get(state, 0) + count
        sets = {state: sets.get(state, 0) + with_it.get(state, 0) for state in {**sets, **with_it}}
    return {
        number * total: Fraction(count, total)
        for (drawn, number), count in sets.items()
        if drawn == rotation.parts_per_person
    }


def _product(
    first: Mapping[int, Fraction], other: Mapping[int, Fraction], *, most: int
) -> dict[int, Fraction]:
    product: dict[int, Fraction] = {}
    for number, mass in first.items():
        for more, share in other.items():
            both = min(most, number * more)
            product[both] = product.get(both, Fraction(0)) + mass * share
    return product
