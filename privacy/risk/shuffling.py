"""Amplification of privacy by shuffling, for an adversary who sees shuffled batches.

Somebody who sees all rows, knows every answer but one person's, and does not know which row is that
person's, faces the decoys of the others. This is a promise of another kind than epsilon of a row: it leans on
the mixer, on honest rows, and on a chance of one in a million that is left aside.

References
----------
Balle and others 2019 (the privacy blanket); Feldman, McMillan and Talwar 2021 (hiding among the clones).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np
import scipy

from privacy import validation
from privacy.arrays import Array, Whole
from privacy.coins import SCALE
from privacy.policy import LEAST_BATCH_ROWS
from privacy.risk.budget import block_budget, budget
from privacy.survey.block import Block
from privacy.survey.design import Design

__all__ = [
    "LEFT_ASIDE",
    "SHUFFLED_ROWS",
    "Shuffled",
    "blanket_epsilon",
    "clones_epsilon",
    "shuffled",
]

LEFT_ASIDE: Final = 1e-6
"""delta: with this chance the promise may fail."""

SHUFFLED_ROWS: Final = (LEAST_BATCH_ROWS, 500, 5_000)
"""Numbers of rows for which an audit tells it: those of the smallest batch, and more."""

_STEPS_OF_A_DEVIATION: Final = 4
_NEGLIGIBLE: Final = LEFT_ASIDE * 1e-4
_PRECISION: Final = 2e-4
_HOPELESS: Final = 40.0
"""From this epsilon on no number of rows that a survey has brings a decoy like the person's own row."""


@dataclass(frozen=True, kw_only=True)
class Shuffled:
    """Privacy of one row among others that are shuffled with it.

    Parameters
    ----------
    rows : int
        Rows of the same group with the same open answers and the same questions asked, the person's own among
        them.
    epsilon : float
        What the row tells at most with a chance of 1 - delta; never more than the row alone.
    """

    rows: int
    epsilon: float


def shuffled(design: Design, rows: Sequence[int]) -> tuple[Shuffled, ...]:
    """Return the privacy of one disguised row for an adversary who sees all rows, shuffled.

    Parameters
    ----------
    design : Design
    rows : sequence of int
        Numbers of rows that are alike in all that is sent exactly.

    Returns
    -------
    tuple of Shuffled
        One for each number; empty where no bound holds for a row: nothing is protected, an epsilon is
        infinite, or a place is sent exactly outside its sensitive cells.

    Raises
    ------
    PrivacyError
        ``n``: a number of rows below 1.

    Notes
    -----
    Where one coin keeps or replaces all protected answers, its distribution is used (`blanket_epsilon`); else
    the general bound with the sum of the row's epsilons (`clones_epsilon`). The least of both, and of the row
    alone, holds.

    Examples
    --------
    >>> from privacy.survey import GroupPolicy, Question
    >>> questions = tuple(Question(key=f"q{n}", kind="yes_no", options=(), unrelated=(5000,))
    ...                   for n in range(3))
    >>> design = Design(blocks=(Block(key="b", protected=True, truth_probability=1768, refusal=None,
    ...     asked_if=None, questions=questions),), group=GroupPolicy(), use="live")
    >>> [round(each.epsilon, 2) for each in shuffled(design, (50, 500))]  # alone: ln(1 + .1768 * 8/.8232) = 1
    [0.42, 0.13]
    """
    bounds = budget(design)
    if not bounds.blocks or not 0 < bounds.epsilon < math.inf:
        return ()
    if any(block.exact_outside for block in bounds.blocks):
        return ()
    coins = [block for block in design.blocks if block.protected and not block.is_anchor]
    own = coins[0] if len(coins) == 1 and not coins[0].is_scale else None
    amplified = []
    for count in rows:
        each = clones_epsilon(bounds.epsilon, count)
        if own is not None:
            each = min(each, blanket_epsilon(own, count))
        amplified.append(Shuffled(rows=count, epsilon=each))
    return tuple(amplified)


def clones_epsilon(epsilon: float, rows: int) -> float:
    """Return the general bound on a shuffled row under any disguise of this epsilon.

    Parameters
    ----------
    epsilon : float
        Of one row before it is shuffled, above 0.
    rows : int
        Rows of the batch, 1 or more.

    Notes
    -----
    Each other row is, with a chance of e^-epsilon, drawn like the person's own under one of the two answers
    in question, each with one half. So the bound is that of a coin of two letters, among
    Bin(rows - 1, e^-epsilon) fair ones.

    References
    ----------
    Feldman, McMillan and Talwar 2021, theorem 3.2.

    Examples
    --------
    >>> round(clones_epsilon(4.0, 100_000), 2), clones_epsilon(4.0, 1)
    (0.17, 4.0)
    """
    return _least_epsilon(
        rows=rows,
        decoys=math.exp(-epsilon),
        truth=math.tanh(epsilon / 2),
        chances=(0.5, 0.5),
        alone=epsilon,
    )


def blanket_epsilon(block: Block, rows: int) -> float:
    """Return the epsilon of a row of one protected block among shuffled rows.

    Parameters
    ----------
    block : Block
        Protected, with a coin.
    rows : int

    Notes
    -----
    Of the other rows Bin(rows - 1, 1 - p) are decoys; the onlooker may know the rest. h of these decoys and
    the person's own row show x, h' show x'. Up to a common factor their chance is (1 - p) + p h/(m q(x)) if x
    is the person's answer, m being one more than the decoys, and the same with h' and x' if x' is. delta is
    the mean of the positive part of the one less e^epsilon times the other. It grows as q falls: rows of a
    less likely decoy are those of a likelier one thinned at random, h/q keeps its mean and spreads. So the
    two least likely decoys are the worst pair.

    References
    ----------
    Balle and others 2019, section 5.

    Examples
    --------
    >>> from privacy.survey import Question
    >>> affair = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> block = Block(key="b", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...               questions=(affair,))
    >>> round(blanket_epsilon(block, 1), 3), round(blanket_epsilon(block, 1000), 2)  # alone: ln 3
    (1.099, 0.17)
    """
    alone = block_budget(block).epsilon
    least, second = two_least_likely(block)
    return max(
        _least_epsilon(
            rows=rows,
            decoys=float(1 - block.truth),
            truth=float(block.truth),
            chances=chances,
            alone=alone,
        )
        for chances in {(float(least), float(second)), (float(second), float(least))}
    )


def two_least_likely(block: Block) -> tuple[Fraction, Fraction]:
    """Return the chances of the two rows of a protected block that decoys show least often.

    Notes
    -----
    Of a rotating block that of the rarest row of any booklet, twice: no booklet has a second row that is
    rarer, and what a row tells grows as either chance falls.

    Examples
    --------
    >>> from privacy.survey import Question
    >>> affair = Question(key="affair", kind="yes_no", options=(), unrelated=(3000,))
    >>> two_least_likely(Block(key="b", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...     questions=(affair, affair)))  # .3 * .3, .3 * .7
    (Fraction(9, 100), Fraction(21, 100))
    """
    if block.is_rotating:
        rarest, _second = two_least_likely(block.of_booklet(block.worst_booklet))
        return rarest, rarest
    skip = Fraction(block.refusal or 0, SCALE)
    least, ratios = 1 - skip, []
    for question in block.questions:
        if question.kind == "single":
            first, second, *_ = sorted(question.unrelated)
            least *= Fraction(first, SCALE)
            ratios.append(Fraction(second, first) if first else None)
            continue
        for share in question.unrelated:
            first, second = sorted((share, SCALE - share))
            least *= Fraction(first, SCALE)
            ratios.append(Fraction(second, first) if first else None)
    letters = [least, *(least * ratio for ratio in ratios if ratio is not None)]
    if block.refusal is not None:
        letters.append(skip)
    rarest, next_rarest, *_ = sorted(letters)
    return rarest, next_rarest


@dataclass(frozen=True, kw_only=True, eq=False)
class _Counts:
    """Decoys and the person's own row, by how many there are and how many show one of the two answers.

    Parameters
    ----------
    total, here : int64 arrays
        m, and h + h'.
    weight : float64 array
        Chance of each; what is missing to 1 is `rest`.
    rest : float
    truth : float
        p.
    chances : (float, float)
        q(x), q(x').
    """

    total: Whole
    here: Whole
    weight: Array
    rest: float
    truth: float
    chances: tuple[float, float]

    @classmethod
    def of(cls, *, rows: int, decoys: float, truth: float, chances: tuple[float, float]) -> _Counts:
        """Return the distribution among Bin(rows - 1, decoys) decoys.

        More decoys tell less: many numbers of them are counted as the least of their bin.
        """
        others = validation.whole_number(rows, "rows", low=1, high=1 << 30, code="n") - 1
        low, high = (
            int(scipy.stats.binom.ppf(end, others, decoys)) for end in (_NEGLIGIBLE, 1 - _NEGLIGIBLE)
        )
        step = max(1, int(math.sqrt(others * decoys * (1 - decoys)) / _STEPS_OF_A_DEVIATION))
        numbers = np.arange(low, high + 1, step)
        below = scipy.stats.binom.cdf(np.append(numbers, others + 1) - 1, others, decoys)
        totals, heres, weights = [], [], []
        for total, weight in zip((numbers + 1).tolist(), np.diff(below).tolist(), strict=True):
            here = np.arange(total + 1)
            chance = scipy.stats.binom.pmf(here, total, min(1.0, sum(chances)))
            likely = chance > _NEGLIGIBLE / (total + 1)
            totals.append(np.full(int(likely.sum()), total))
            heres.append(here[likely])
            weights.append(weight * chance[likely])
        weight = np.concatenate(weights)
        return cls(
            total=np.concatenate(totals),
            here=np.concatenate(heres),
            weight=weight,
            rest=max(0.0, 1 - float(weight.sum())),
            truth=truth,
            chances=chances,
        )

    def delta(self, epsilon: float) -> float:
        """Return the chance that is left aside at an epsilon: the mean of max(P - e^epsilon Q, 0)."""
        p, (first, second) = self.truth, self.chances
        factor = math.exp(epsilon)
        # P - e^epsilon Q is constant + slope h.
        constant = (1 - p) * (1 - factor) - p * factor * self.here / (self.total * second)
        slope = p / self.total * (1 / first + factor / second)
        share = first / (first + second)
        above = np.floor(-constant / slope)
        beyond, at = _beyond(above, self.here - 1, share)
        # Of h among s: P(h > above), and the mean of h where it is, s share P(h - 1 of s - 1 >= above).
        chance = np.where(self.here == 0, above < 0, beyond + share * at)
        mean = self.here * share * (beyond + at)
        positive = np.maximum(constant * chance + slope * mean, 0.0)
        return self.rest + float(self.weight @ positive)


def _beyond(least: Array, trials: Whole, share: float) -> tuple[Array, Array]:
    """Return the chances that a binomial number lies above `least`, and that it is `least`."""
    none, some = least < 0, np.maximum(trials, 0)
    inside = np.clip(least, 0, some)
    beyond = np.where(least >= some, 0.0, scipy.special.bdtrc(inside, some, share))
    log_at = (
        scipy.special.gammaln(some + 1)
        - scipy.special.gammaln(inside + 1)
        - scipy.special.gammaln(some - inside + 1)
    )
    log_at += inside * math.log(share) + (some - inside) * math.log1p(-share)
    at = np.where(least > some, 0.0, np.exp(log_at))
    return np.where(none, 1.0, beyond), np.where(none, 0.0, at)


# Each page that audits a survey asks for the same few: one takes longer than the rest of such an audit.
@lru_cache(maxsize=1024, typed=True)
def _least_epsilon(
    *, rows: int, decoys: float, truth: float, chances: tuple[float, float], alone: float
) -> float:
    """Return the least epsilon at which delta is small enough; that of the row alone where none is."""
    counts = _Counts.of(rows=rows, decoys=decoys, truth=truth, chances=chances)

    def distance(epsilon: float) -> float:
        return math.log(max(counts.delta(epsilon), 1e-300) / LEFT_ASIDE)

    if alone >= _HOPELESS or distance(alone * (1 - _PRECISION)) >= 0:
        return alone
    if distance(0.0) <= 0:
        return 0.0
    root = float(scipy.optimize.brentq(distance, 0.0, alone, xtol=_PRECISION**2, rtol=_PRECISION))
    return min(alone, root * (1 + _PRECISION))
