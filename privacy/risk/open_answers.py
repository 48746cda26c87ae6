"""Rows that are unique by their open answers, which act as quasi-identifiers.

With rotation, the questions that a row was asked also distinguish it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from privacy import validation
from privacy.arrays import Whole
from privacy.survey.booklets import Rotation
from privacy.survey.design import Design, Question


@dataclass(frozen=True, kw_only=True)
class OpenAudit:
    """Audit of the open questions of a survey.

    Parameters
    ----------
    questions : tuple of str
        Keys of the open questions.
    combinations : int
        Number of distinct complete answers to all of them.
    expected_unique : float or None
        Expected number of rows, out of n, with unique open answers if all combinations are equally frequent;
        None without n.
    unique, unique_direct : int or None
        Number of unique rows after launch, and of unique direct rows. A unique direct row discloses its
        respondent's true answers; `unique_direct` is 0 if no answers are sent undisguised.
    """

    questions: tuple[str, ...]
    combinations: int
    expected_unique: float | None = None
    unique: int | None = None
    unique_direct: int | None = None


def combinations_of(design: Design) -> int:
    """Return the number of distinct complete answers to all open questions; 1 without open questions.

    Parameters
    ----------
    design : Design
        Design of a survey.

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> age = Question(key="age", kind="single", options=("22", "27", "32"), unrelated=())
    >>> pets = Question(key="pets", kind="multi", options=("cat", "dog"), unrelated=())
    >>> combinations_of(Design(blocks=(Block(key="you", protected=False, truth_probability=10_000,
    ...     questions=(age, pets)),), group=GroupPolicy(), use="live"))
    12
    """
    return math.prod(block.patterns for block in design.blocks if not block.protected)


def expected_unique(n: int, combinations: int) -> float:
    """Return the expected number of unique rows out of n, if all combinations are equally frequent.

    Parameters
    ----------
    n : int
        Number of rows, 1 or more.
    combinations : int
        Number of distinct complete answers to the open questions, 1 or more.

    Notes
    -----
    The number is n (1 - 1/C)^(n - 1). Real combinations are uneven, which makes fewer or more rows unique:
    see `most_unique`.

    Examples
    --------
    >>> expected_unique(2, 4), expected_unique(1, 1)
    (1.5, 1.0)
    """
    rows = validation.number_of_rows(n)
    return rows * share_unique(combinations, rows)


def share_unique(combinations: int, n: int) -> float:
    """Return the expected share of unique rows out of n, if all combinations are equally frequent.

    Parameters
    ----------
    combinations : int
        Number of equally frequent combinations, 1 or more.
    n : int
        Number of rows, 1 or more.

    Examples
    --------
    A batch of fifty rows with all 210 sets of four out of ten questions, and with a list of fifteen sets:

    >>> round(share_unique(210, 50), 2), round(share_unique(15, 50), 2)
    (0.79, 0.03)
    """
    # log1p, because 1 - 1/C may round to 1.
    return math.exp((n - 1) * math.log1p(-1 / combinations)) if combinations > 1 else float(n == 1)


def most_unique(n: int, combinations: int, *, cells: int = 1) -> float:
    """Return an upper bound of the expected number of unique rows, however the answers are distributed.

    Parameters
    ----------
    n : int
        Number of rows, 1 or more.
    combinations : int
        Number of combinations of open answers, 1 or more, of unknown frequencies.
    cells : int, optional
        Number of equally likely question sets that a device draws independently of these answers.

    Notes
    -----
    A combination of probability x is unique with probability n f(x), f(x) = x (1 - x)^(n - 1). f increases up
    to 1/n, is concave up to 2/n, and decreases after 1/n. So its tangent at any x0 <= 1/n is nowhere below
    it, and the sum over C combinations is at most C f(1/C) if C >= n (reached if all are equally frequent),
    and at most C f(1/n) otherwise. With M question sets, C is M times the combinations of answers.

    Uneven answers make fewer rows unique than equal ones if there are more combinations than rows, and can
    make more rows unique if there are fewer.

    Examples
    --------
    More combinations than rows: the number if all are equally frequent. Fewer: up to 1/e of them, not one in
    23,000.

    >>> round(most_unique(250, 863), 1), round(expected_unique(250, 863), 1)
    (187.3, 187.3)
    >>> round(most_unique(1000, 100), 1), round(expected_unique(1000, 100), 2)
    (36.8, 0.04)
    """
    rows = validation.number_of_rows(n)
    if combinations == 1:
        return rows * share_unique(cells, rows)
    number = combinations * cells
    if number >= rows:
        return rows * share_unique(number, rows)
    # At the largest value of f: n C (1/n) (1 - 1/n)^(n - 1).
    return number * share_unique(rows, rows)


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
        question.patterns + (design.can_be_missing(number) and not question.is_arm)
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


def open_questions(design: Design) -> list[Question]:
    """Return the questions that are not disguised, in design order.

    Parameters
    ----------
    design : Design
        Design of a survey.
    """
    return [question for block in design.blocks if not block.protected for question in block.questions]


def open_before(design: Design, *, n: int | None) -> OpenAudit:
    """Describe the open questions before launch.

    Parameters
    ----------
    design : Design
        Design of a survey.
    n : int or None
        Number of expected respondents.
    """
    keys = tuple(question.key for question in open_questions(design))
    combinations = combinations_of(design)
    return OpenAudit(
        questions=keys,
        combinations=combinations,
        expected_unique=None if n is None else expected_unique(n, combinations),
    )


def open_after(design: Design, cells: Whole) -> OpenAudit:
    """Count the rows whose open answers are unique.

    Parameters
    ----------
    design : Design
        Design of a survey.
    cells : int64 array, shape (cells, 2)
        As in `privacy.risk.data_audit.Observed.open`.
    """
    before = open_before(design, n=None)
    if not before.questions:
        return before
    alone = cells.sum(axis=1) == 1
    return replace(
        before,
        unique=int(alone.sum()),
        unique_direct=int(cells[alone, 0].sum()) if design.sends_undisguised else 0,
    )


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
