"""Efficiency of designs: the variance of supports under a total epsilon, and the least that any design has.

Everything is at uniform truth (all answers to m yes/no questions are equally likely) and per respondent:
divide by n. A support of k items is 2^-k times a signed sum of the Fourier coefficients of its subsets, and a
design measures the coefficient of a questions with variance 1 / (f_a b_a^2): f_a is the share of people who
are asked all of them, b_a the factor by which the disguise shrinks it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from privacy import validation
from privacy.arrays import Array, Whole
from privacy.coins import SCALE
from privacy.planning.part_variance import AskedPart, mean_variance, variance_of_size

__all__ = [
    "SampledDesign",
    "best_split",
    "least_variance",
    "sampled_designs",
    "split_variance",
]


@dataclass(frozen=True, kw_only=True)
class SampledDesign:
    """Each person is asked j of m yes/no questions, which share a coin.

    Parameters
    ----------
    questions : int
        m.
    asked : int
        j, drawn by the device, all sets of j equally likely; m asks everything.
    epsilon : float

    Raises
    ------
    PrivacyError
        ``out_of_range``: a number outside its range.

    Notes
    -----
    What is sent is k-ary randomised response: b_a = p = (e^eps - 1)/(e^eps - 1 + 2^j), and
    f_a = C(m - a, j - a)/C(m, j).

    References
    ----------
    Warner 1965 (one question); Cormode, Kulkarni and Srivastava 2018 (sampling with the whole epsilon).

    Examples
    --------
    Two of three questions at e^eps = 5: b = 4/8, f = 2/3 and 1/3, so a share has variance
    1/4 / (2/3 x 1/4) = 3/2.

    >>> design = SampledDesign(questions=3, asked=2, epsilon=math.log(5))
    >>> round(design.part.truth, 12), round(design.variance(1), 12)
    (0.5, 1.5)
    """

    questions: int
    asked: int
    epsilon: float

    def __post_init__(self) -> None:
        """Refuse numbers outside their ranges."""
        validation.whole_number(self.questions, "number of questions", low=1, high=60)
        validation.whole_number(self.asked, "questions asked of a person", low=1, high=self.questions)

    @property
    def part(self) -> AskedPart:
        """The questions as one part with a coin."""
        weight = math.expm1(self.epsilon)
        return AskedPart(
            questions=self.questions,
            truth=weight / (weight + 2.0**self.asked),
            per_person=self.asked,
        )

    @property
    def odds(self) -> float:
        """How many times likelier the answer sent to one asked question is from those of whom it is true."""
        return (1 + self.part.truth) / (1 - self.part.truth)

    @property
    def can_be_built(self) -> bool:
        """Whether a survey can ask this way: p is one ten-thousandth or more.

        Examples
        --------
        >>> SampledDesign(questions=30, asked=27, epsilon=6.0).can_be_built
        False
        """
        return self.part.truth * SCALE >= 1

    def variance(self, size: int) -> float:
        """Return n times the variance of the support of so many items; infinite where it is out of reach."""
        return variance_of_size([self.part], size)

    def mean_variance(self, sizes: Sequence[int]) -> float:
        """Return the mean of `variance` over these sizes."""
        return mean_variance([self.part], sizes)


def sampled_designs(
    questions: int, epsilon: float, *, sizes: Sequence[int], most_odds: float
) -> list[SampledDesign]:
    """Return each sampled design that can be built and keeps odds and sizes, the most precise first.

    Parameters
    ----------
    questions : int
    epsilon : float
        Of the whole row, at most.
    sizes : sequence of int
        Supports of so many items, which count alike.
    most_odds : float
        Of one asked question, at most; where a design has more, less epsilon is used.

    Examples
    --------
    >>> designs = sampled_designs(4, 3.0, sizes=(1, 2), most_odds=math.inf)
    >>> [design.asked for design in designs[:2]]
    [3, 4]
    """
    designs: list[SampledDesign] = []
    for per_person in range(max(sizes), questions + 1):
        design = SampledDesign(
            questions=questions, asked=per_person, epsilon=_within(per_person, epsilon, most_odds)
        )
        is_possible = design.epsilon > 0 and design.can_be_built
        if is_possible and math.isfinite(design.mean_variance(sizes)):
            designs.append(design)
    return sorted(designs, key=lambda design: design.mean_variance(sizes))


def _within(per_person: int, epsilon: float, most_odds: float) -> float:
    """Return the largest epsilon up to this one at which the odds of one question are kept; 0 for none."""
    if most_odds <= 1:
        return 0.0
    # (1 + p)/(1 - p) <= odds is p <= c, and p is g / (g + 2^j): solved for g.
    most = (most_odds - 1) / (most_odds + 1) if math.isfinite(most_odds) else 1.0
    room = 1 - most
    return epsilon if room <= 0 else min(epsilon, math.log1p(most * 2**per_person / room))


def split_variance(
    parts: Sequence[int], epsilon: float, *, sizes: Sequence[int], most_odds: float = math.inf
) -> float:
    """Return the mean variance where a row is split into parts with an equal epsilon each.

    Parameters
    ----------
    parts : sequence of int
        Questions of each part; their answers share a coin, decoys are fair coins.
    epsilon : float
        Of the whole row.
    sizes : sequence of int
        Supports of so many items, which count alike, as do all sets of questions of a size.
    most_odds : float
        (1 + p)/(1 - p), at most.

    Examples
    --------
    Two parts of one question: a share has variance 1/4 / b^2, b = tanh(eps / 4).

    >>> round(split_variance([1, 1], 4 * math.atanh(0.5), sizes=(1,)), 12)
    1.0
    """
    gain = math.expm1(epsilon / len(parts))
    most = (most_odds - 1) / (most_odds + 1) if math.isfinite(most_odds) else 1.0
    drawn_parts = [AskedPart(questions=size, truth=min(gain / (gain + 2**size), most)) for size in parts]
    return mean_variance(drawn_parts, sizes)


def best_split(
    questions: int, epsilon: float, *, sizes: Sequence[int], most_odds: float = math.inf
) -> tuple[list[int], float]:
    """Return the parts, of sizes as equal as can be, whose mean variance is the least, and that variance.

    Parameters
    ----------
    questions : int
        Yes/no questions to be divided among the parts.
    epsilon : float
        Of all parts together, above 0.
    sizes : sequence of int
        Of the itemsets over whose variance the mean is taken.
    most_odds : float, optional
        Largest amplification that one part may have.
    """
    ways = [
        [questions // count + (part < questions % count) for part in range(count)]
        for count in range(1, questions + 1)
    ]
    splits = ((parts, split_variance(parts, epsilon, sizes=sizes, most_odds=most_odds)) for parts in ways)
    return min(splits, key=lambda x: x[1])


def least_variance(questions: int, epsilon: float, *, sizes: Sequence[int]) -> float:
    """Return a bound below the mean variance of every design, where only "all are there" counts.

    A design may favour "yes": one that asks "are all of them true?" measures a pair better than any design
    can measure all patterns of it. This bound holds for those too.

    Parameters
    ----------
    questions, epsilon, sizes
        As for `sampled_designs`.

    Notes
    -----
    The mean variance is at least tr(W I^-1), W = sum_E w_E g_E g_E' with g_E the coefficients of the support
    of E, for the information matrix I of the design, tr I <= sinh^2(eps/2), I_AA <= tanh^2(eps/2). For every
    diagonal M = l + D >= 0 it is at least 2 tr (M^1/2 W M^1/2)^1/2 - l sinh^2 - tanh^2 sum D_A; the best of
    these is searched, and each of them is a bound. By the symmetry of the questions W falls into blocks, one
    for each i up to the largest size, C(m, i) - C(m, i - 1) times, in which an inclusion matrix of a in k has
    the value sqrt(C(k - i, k - a) C(m - a - i, k - a)).

    Examples
    --------
    >>> round(least_variance(1, 2.0, sizes=(1,)), 6)
    0.431015
    """
    cap, room = math.tanh(epsilon / 2) ** 2, math.sinh(epsilon / 2) ** 2
    for size in sizes:
        validation.whole_number(size, "size of an itemset", low=1, high=questions)
    counts = np.array([math.comb(questions, a) for a in range(1, max(sizes) + 1)], dtype=float)
    blocks = _blocks(questions, sizes)

    def bound(multipliers: Array) -> float:
        m = multipliers[0] + multipliers[1:]
        roots = 0.0
        for times, levels, block in blocks:
            root = np.sqrt(m[levels - 1])
            values = np.linalg.eigvalsh(root[:, None] * block * root)
            roots += times * np.sqrt(np.maximum(values, 0)).sum()
        return float(2 * roots - multipliers[0] * room - cap * (counts * multipliers[1:]).sum())

    unit_weight = np.zeros(len(counts) + 1)
    unit_weight[0] = 1.0
    trace = (bound(unit_weight) + room) / 2
    scale = (trace / room) ** 2
    starts = [
        unit_weight * scale,
        np.concatenate([[0.0], np.full(len(counts), (trace / (cap * counts.sum())) ** 2)]),
    ]
    best = 0.0
    for start in starts:
        if not (unit := start.max()):
            continue  # an epsilon so large that its multipliers are below all floats
        optimum = scipy.optimize.minimize(
            lambda x, unit=unit: -bound(np.maximum(x, 0) * unit),
            start / unit,
            method="L-BFGS-B",
            bounds=[(0, None)] * len(unit_weight),
        )
        best = max(best, bound(np.maximum(optimum.x, 0) * unit), bound(start))
    return best


def _blocks(questions: int, sizes: Sequence[int]) -> list[tuple[int, Whole, Array]]:
    """Return how often each block of W occurs, the sizes that it has, and the block."""
    counts, largest = [], max(sizes)
    for i in range(min(largest, questions // 2) + 1):
        levels = np.arange(max(i, 1), min(largest, questions - i) + 1)
        block = np.zeros((len(levels), len(levels)))
        for k in sorted(set(sizes) & set(levels.tolist())):
            weight = 1 / (len(sizes) * math.comb(questions, k) * 4**k)
            inclusion = np.array(
                [
                    math.sqrt(math.comb(k - i, k - a) * math.comb(questions - a - i, k - a))
                    if a <= k
                    else 0.0
                    for a in levels.tolist()
                ]
            )
            block += weight * np.outer(inclusion, inclusion)
        times = math.comb(questions, i) - (math.comb(questions, i - 1) if i else 0)
        counts.append((times, levels, block))
    return counts
