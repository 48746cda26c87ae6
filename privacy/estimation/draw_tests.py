"""Test that the draw of questions does not depend on the answers, which estimates from all rows assume.

The device draws, and a respondent can leave or reload the page after seeing the questions. Then the asked
questions no longer follow the random draw, or skipping depends on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy
from numpy.typing import ArrayLike

from privacy.arrays import Array, Whole
from privacy.estimation.counts import Columns
from privacy.estimation.design_index import BLANK
from privacy.p_values import PValue
from privacy.policy import DRAW_TEST_SIZE, FEW_ROWS
from privacy.printed import UNCHECKED, Origin
from privacy.survey.block import Block
from privacy.survey.booklets import MOST_LISTED, Booklets
from privacy.survey.design import Design


def draw_p_value(about: str, p_value: float, n: int, origin: Origin) -> PValue:
    """Return the p-value of a test of the draws.

    Parameters
    ----------
    about : {"draw", "skip"}
    p_value : float
    n : int
        Number of rows.
    origin : Origin
    """
    return PValue(
        value=p_value, test="skips" if about == "skip" else "drawn questions", n=n, estimable=n > 0,
        adjustment="none", family=1, origin=origin,
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class DrawTest:
    """Result of a chi-square test of the drawn questions.

    Parameters
    ----------
    about : {"draw", "skip"}
        "draw" tests whether each question was asked as often as expected, "skip" whether skipping depends on
        the asked questions.
    key : str
        Key of the block; for a rotation, the keys of its blocks.
    n : int
        Number of rows.
    p_value : float
    """

    about: str
    key: str
    n: int
    p_value: float

    @property
    def test(self) -> PValue:
        """The p-value with its test."""
        return draw_p_value(self.about, self.p_value, self.n, UNCHECKED)

    @property
    def rejects(self) -> bool:
        """Whether the data contradict the published random draw."""
        return self.p_value < DRAW_TEST_SIZE


@dataclass(frozen=True, kw_only=True)
class DrawTests:
    """All tests of a survey's draws.

    Parameters
    ----------
    tests : tuple of DrawTest
    """

    tests: tuple[DrawTest, ...]

    @property
    def rejections(self) -> tuple[DrawTest, ...]:
        """Failed tests, because of which rows that were asked a part of an itemset are not used."""
        return tuple(test for test in self.tests if test.rejects)

    @property
    def all_rows(self) -> bool:
        """Whether rows that were asked a part of an itemset may be used."""
        return not self.rejections


def draw_test(
    sets: Booklets,
    requests: ArrayLike,
    n: int,
    *,
    draws: ArrayLike | None = None,
    places: Sequence[int] | None = None,
) -> float:
    """Test whether questions, and sets of questions, were asked as often as the random draw implies.

    Parameters
    ----------
    sets : Booklets
        The published sets, all equally likely.
    requests : array_like of int, shape (total,)
        Number of rows that were asked each question, or each of `places`.
    n : int
        Number of rows that drew.
    draws : array_like of int, shape (count,), optional
        Number of rows that drew each set, if counted.
    places : sequence of int, optional
        Questions to test; all by default.

    Returns
    -------
    float
        p-value: twice the smaller p-value of two tests, or that of the first test if it is the only one.

    Notes
    -----
    The counts of the questions have means n f_i and covariances n (f_ij - f_i f_j). Their quadratic form
    with the inverse covariance is a chi-square, which detects questions that respondents avoid. Respondents
    who avoid two questions only in combination affect the counts of the sets,
    sum (n_J - n/B)^2 / (n/B) with B - 1 degrees of freedom. These are tested if each expected count is at
    least 5. With 4 of 10 questions, n = 20,000 and size .001, the test detects with probability .99 that a
    tenth of the respondents who are asked a question leave.

    Examples
    --------
    Devices of 1,500 people ask two of three questions; the first was asked of 940 people instead of 1,000:

    >>> sets = Booklets(key="b", total=3, size=2)
    >>> round(draw_test(sets, [1000, 1000, 1000], 1500), 3)
    1.0
    >>> draw_test(sets, [940, 1030, 1030], 1500) < 0.01
    True
    """
    counts = np.asarray(requests, dtype=np.float64)
    positions = range(sets.total) if places is None else places
    together = _joint_probabilities(sets, tuple(positions))
    probabilities = np.diag(together)
    by_question = _quadratic_p_value(
        counts - n * probabilities, n * (together - np.outer(probabilities, probabilities))
    )
    if draws is None or n < FEW_ROWS * sets.count:
        return by_question
    each = n / sets.count
    statistic = float(((np.asarray(draws, dtype=np.float64) - each) ** 2).sum() / each)
    return min(1.0, 2 * min(by_question, float(scipy.special.chdtrc(sets.count - 1, statistic))))


@lru_cache(maxsize=64)
def _joint_probabilities(sets: Booklets, places: tuple[int, ...]) -> Array:
    """Return the probabilities that two questions are drawn together, shape (m, m)."""
    probabilities = np.array([[float(sets.share_asked({i, j})) for j in places] for i in places])
    probabilities.flags.writeable = False
    return probabilities


def skip_test(
    together: Sequence[ArrayLike], skip_counts: Sequence[ArrayLike], n: Sequence[int], most: int
) -> float:
    """Test whether respondents skip equally often, whichever questions they were asked.

    Parameters
    ----------
    together : sequence of array_like of int, shape (m, m)
        For each group of rows with the same disguise, the number of rows that were asked two questions.
    skip_counts : sequence of array_like of int, shape (m,)
        For each group, the number of rows that were asked a question and report a skip.
    n : sequence of int
        Number of rows in each group.
    most : int
        j, the number of questions that each row was asked.

    Returns
    -------
    float
        p-value.

    Notes
    -----
    If a share s reports a skip regardless of the draw, the counts S_i of skips among rows that were asked
    question i have means s n_i and, with s estimated, covariances s (1 - s) (n_ij - n_i n_j / n).
    """
    statistic, degrees = 0.0, 0
    for both, skips, rows in zip(together, skip_counts, n, strict=True):
        pairs, single = np.asarray(both, dtype=np.float64), np.asarray(skips, dtype=np.float64)
        n_drawn = np.diag(pairs)
        share = single.sum() / (most * rows) if rows else 0.0
        if 0 < share < 1:
            spread = share * (1 - share) * (pairs - np.outer(n_drawn, n_drawn) / rows)
            form, rank = _quadratic_form(single - share * n_drawn, spread)
            statistic, degrees = statistic + form, degrees + rank
    return float(scipy.special.chdtrc(degrees, statistic)) if degrees else 1.0


def draw_terms(design: Design) -> tuple[Columns, ...]:
    """Return the sets of columns to count for `draw_tests_of`.

    Parameters
    ----------
    design : Design
        The design whose devices draw their questions.
    """
    return _plan_tests(design).terms


def draw_requests(design: Design) -> Whole:
    """Return `draw_terms` as a cached array, shape (terms, width), padded in front with `BLANK`.

    Parameters
    ----------
    design : Design
        The design whose devices draw their questions.
    """
    return _plan_tests(design).requests


def draw_tests_of(counts: Whole, design: Design) -> DrawTests:
    """Test the devices' draws.

    Parameters
    ----------
    counts : ndarray of int64, shape (terms, 2)
        Counts of `draw_terms(design)`, in the same order, direct group first.
    design : Design
        The design whose devices draw their questions.

    Notes
    -----
    For a block with a condition, only rows that were asked it are used. For a rotation, only its blocks
    without a condition are tested.
    """
    draws = _plan_tests(design)
    tests: list[DrawTest] = []
    for part in draws.parts:
        single = counts[part.single]
        n = single.sum(axis=0) // part.sets.size
        sets = None if part.booklets is None else counts[part.booklets].sum(axis=1)
        p_value = draw_test(part.sets, single.sum(axis=1), int(n.sum()), draws=sets)
        tests.append(DrawTest(about="draw", key=part.sets.key, n=int(n.sum()), p_value=p_value))
        if part.answer_column is not None and part.pairs is not None:
            skips, pairs = single - counts[part.answer_column], counts[part.pairs]
            p_value = skip_test(
                [pairs[..., group] for group in (0, 1)],
                [skips[:, group] for group in (0, 1)],
                n.tolist(),
                part.sets.size,
            )
            tests.append(DrawTest(about="skip", key=part.sets.key, n=int(n.sum()), p_value=p_value))
    for tested in draws.rotations:
        n_rows = int(counts[0].sum())
        # A row that was asked a block is counted once for each of the `each` questions that it was asked.
        n_asked = [counts[rows].sum() // each for rows, each in zip(tested.rows, tested.each, strict=True)]
        p_value = draw_test(tested.sets, n_asked, n_rows, places=tested.places)
        tests.append(DrawTest(about="draw", key=tested.key, n=n_rows, p_value=p_value))
    return DrawTests(tests=tuple(tests))


@dataclass(frozen=True, eq=False)
class _DrawnQuestions:
    """A rotating block: its booklets, and positions of the counts of each question and each booklet."""

    sets: Booklets
    single: Whole
    booklets: Whole | None
    answer_column: Whole | None
    """Positions of the counts of rows that answered each question; None if the block cannot be skipped."""
    pairs: Whole | None


@dataclass(frozen=True, eq=False)
class _RotationTest:
    """A rotation: its blocks without a condition, and positions of their counts."""

    key: str
    sets: Booklets
    places: tuple[int, ...]
    rows: tuple[Whole, ...]
    each: tuple[int, ...]
    """Number of questions of each block that a row was asked."""


@dataclass(frozen=True, eq=False)
class _TestPlan:
    """The sets of columns to count for the tests of a design, and positions of each test's counts."""

    terms: tuple[Columns, ...]
    requests: Whole
    parts: tuple[_DrawnQuestions, ...]
    rotations: tuple[_RotationTest, ...]


@lru_cache(maxsize=16)
def _plan_tests(design: Design) -> _TestPlan:
    """Return the cached terms of a design, which can be more than a thousand."""
    row_of: dict[Columns, int] = {(): 0}

    def rows(sets: Iterable[Columns]) -> Whole:
        return np.array([row_of.setdefault(columns, len(row_of)) for columns in sets], dtype=np.int64)

    parts = []
    for number, block in enumerate(design.blocks):
        if not block.is_rotating:
            continue
        columns = _asked_columns(design, number)
        sets, skips = _sets(block), block.refusal is not None
        parts.append(
            _DrawnQuestions(
                sets=sets,
                single=rows((column,) for column in columns),
                # A row that was asked all questions of a booklet was asked no others of the block.
                booklets=rows(tuple(columns[position] for position in booklet) for booklet in sets)
                if block.n_booklets <= MOST_LISTED
                else None,
                answer_column=rows((column, design.answered_column(number)) for column in columns)
                if skips
                else None,
                pairs=rows(tuple(sorted({first, other})) for first in columns for other in columns).reshape(
                    len(columns), -1
                )
                if skips
                else None,
            )
        )
    rotations = tuple(_rotations(design, rows))
    terms = tuple(row_of)
    width = max(map(len, terms))
    requests = np.array([(BLANK,) * (width - len(columns)) + columns for columns in terms], dtype=np.int64)
    requests.flags.writeable = False
    return _TestPlan(terms=terms, requests=requests, parts=tuple(parts), rotations=rotations)


def _rotations(design: Design, rows: Callable[[Iterable[Columns]], Whole]) -> Iterator[_RotationTest]:
    """Yield the rotations to test, without blocks whose condition hides which rows drew them."""
    numbers = {block.key: number for number, block in enumerate(design.blocks)}
    for rotation in design.rotations:
        testable = [
            (position, numbers[key])
            for position, key in enumerate(rotation.blocks)
            if design.blocks[numbers[key]].asked_if is None
        ]
        if testable:
            yield _RotationTest(
                key=", ".join(rotation.blocks),
                sets=rotation.sets,
                places=tuple(position for position, _ in testable),
                rows=tuple(
                    rows((column,) for column in _asked_columns(design, number)) for _, number in testable
                ),
                each=tuple(design.blocks[number].most_asked for _, number in testable),
            )


def _asked_columns(design: Design, block: int) -> list[int]:
    first = design.first_questions[block]
    return [design.asked_column(first + position) for position in range(len(design.blocks[block].questions))]


def _sets(block: Block) -> Booklets:
    return Booklets(key=block.key, total=len(block.questions), size=block.most_asked, listed=block.booklets)


def _quadratic_p_value(off: Array, covariance: Array) -> float:
    statistic, degrees = _quadratic_form(off, covariance)
    return float(scipy.special.chdtrc(degrees, statistic)) if degrees else 1.0


def _quadratic_form(off: Array, covariance: Array) -> tuple[float, int]:
    """Return the quadratic form of the deviations with their inverse covariance, and its rank."""
    sizes, directions = np.linalg.eigh(covariance)
    # In directions without randomness, eigenvalues are rounding errors, about 1e-16 of the largest.
    free = sizes > 1e-9 * sizes.max(initial=0.0)
    return float((((off @ directions) ** 2)[free] / sizes[free]).sum()), int(free.sum())
