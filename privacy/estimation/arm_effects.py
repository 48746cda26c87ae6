"""Differences of shares between groups that chance made: arms of an experiment, strengths of a disguise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.levels import normal_quantile

__all__ = ["ArmEffects", "GroupCounts", "arm_effects", "pearson", "share_test"]


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupCounts:
    """What the rows of one group show, by stratum: those of one channel each.

    Parameters
    ----------
    base : ndarray of int64, shape (strata, outcomes, outcomes)
        Rows that were asked both outcomes; on the diagonal those that were asked it.
    shown : ndarray of int64, shape (strata, outcomes, outcomes)
        [h, i, j]: rows that show i and were asked j.
    both : ndarray of int64, shape (strata, outcomes, outcomes)
        Rows that show both; on the diagonal those that show it.
    """

    base: Whole
    shown: Whole
    both: Whole


@dataclass(frozen=True, kw_only=True, eq=False)
class ArmEffects:
    """Shares by group, and how far they are gaps.

    Attributes
    ----------
    shares, errors : ndarray, shape (groups, outcomes)
        Estimated shares about the population, not clipped, and their standard errors.
    differences, difference_errors : ndarray, shape (groups - 1, outcomes)
        Of each further group less the first.
    p_values : tuple of float
        Of each question: all groups have the same shares.
    adjusted : tuple of float
        The same by Holm over the questions.
    statistic, degrees, p_value : float, int, float
        One joint test of all questions.
    """

    shares: Array
    errors: Array
    differences: Array
    difference_errors: Array
    p_values: tuple[float, ...]
    adjusted: tuple[float, ...]
    statistic: float
    degrees: int
    p_value: float

    def interval(self, group: int, outcome: int, *, level: float = 0.95) -> tuple[float, float]:
        """Return the interval of a difference to the first group; groups are counted from 1."""
        half = float(normal_quantile(level) * self.difference_errors[group - 1, outcome])
        value = float(self.differences[group - 1, outcome])
        return value - half, value + half


def arm_effects(
    groups: Sequence[GroupCounts], scores: Array, questions: Sequence[Sequence[int]]
) -> ArmEffects:
    """Estimate shares by group, and test that the groups are alike.

    Parameters
    ----------
    groups : sequence of GroupCounts
        Two or more; nobody is in two of them.
    scores : ndarray of float64, shape (strata, outcomes, 2)
        What a row of a stratum counts for that does not show an outcome, and that shows it: unbiased for the
        share, ([shown] - (1 - p) theta) / p under randomised response.
    questions : sequence of sequence of int
        Outcomes by question; of a choice all options but one, since all together sum to 1.

    Raises
    ------
    PrivacyError
        ``no_rows``: nobody of a group was asked one of the outcomes.

    Notes
    -----
    With z the score of a row, a share is the mean of z over the rows of the group that were asked; the
    covariance of two shares is sum (z_i - share_i)(z_j - share_j) over the rows that were asked both, divided
    by both numbers of rows. Groups are independent. Wald's statistic of H0 "all groups have the shares of the
    first" is d' V^-1 d, chi-square with outcomes (groups - 1) degrees.

    References
    ----------
    Holm 1979.

    Examples
    --------
    200 people in each of two groups, asked openly; 40 and 60 say yes: z = .1 / sqrt(.16/200 + .21/200).

    >>> def openly(yes):
    ...     counts = [np.array([[[count]]]) for count in (200, yes, yes)]
    ...     return GroupCounts(base=counts[0], shown=counts[1], both=counts[2])
    >>> found = arm_effects([openly(40), openly(60)], np.array([[[0., 1.]]]), [[0]])
    >>> found.differences.round(3).tolist(), round(found.statistic, 4), found.degrees
    ([[0.1]], 5.4054, 1)
    """
    estimated = [_shares(own, scores) for own in groups]
    shares = np.array([own for own, _ in estimated])
    covariances = np.array([own for _, own in estimated])
    differences = shares[1:] - shares[0]
    variances = np.diagonal(covariances, axis1=1, axis2=2)
    tested = [_wald(differences, covariances, outcomes) for outcomes in questions]
    p_values = tuple(p for _, _, p in tested)
    statistic, degrees, p_value = _wald(differences, covariances, [each for own in questions for each in own])
    return ArmEffects(
        shares=shares,
        errors=np.sqrt(np.maximum(variances, 0)),
        differences=differences,
        difference_errors=np.sqrt(np.maximum(variances[1:] + variances[0], 0)),
        p_values=p_values,
        adjusted=_holm(p_values),
        statistic=statistic,
        degrees=degrees,
        p_value=p_value,
    )


def _shares(counts: GroupCounts, scores: Array) -> tuple[Array, Array]:
    """Return the estimated shares of a group, and their covariance."""
    people = np.diagonal(counts.base.sum(axis=0)).astype(np.float64)
    if (people == 0).any():
        raise PrivacyError("no_rows.arms", 0)
    low, rise = scores[:, :, 0], scores[:, :, 1] - scores[:, :, 0]
    shown = np.diagonal(counts.both, axis1=1, axis2=2)
    shares = (low * np.diagonal(counts.base, axis1=1, axis2=2) + rise * shown).sum(axis=0) / people
    # z_i - share_i is a_i, and rise_i more in rows that show i.
    a = low - shares
    products = (
        a[:, :, None] * a[:, None, :] * counts.base
        + rise[:, :, None] * a[:, None, :] * counts.shown
        + a[:, :, None] * rise[:, None, :] * counts.shown.transpose(0, 2, 1)
        + rise[:, :, None] * rise[:, None, :] * counts.both
    ).sum(axis=0)
    return shares, products / np.outer(people, people)


def _wald(differences: Array, covariances: Array, outcomes: Sequence[int]) -> tuple[float, int, float]:
    """Return statistic, degrees of freedom and p-value of "no group differs from the first"."""
    chosen = np.ix_(outcomes, outcomes)
    further = len(differences)
    own = np.kron(np.ones((further, further)), covariances[0][chosen])
    own += scipy.linalg.block_diag(*(each[chosen] for each in covariances[1:]))
    gaps = differences[:, list(outcomes)].ravel()
    # Where a share has no variance nothing is told of it: it takes its degree with it.
    inverse = np.linalg.pinv(own, hermitian=True)
    degrees = int(np.linalg.matrix_rank(own, hermitian=True))
    statistic = float(gaps @ inverse @ gaps)
    return statistic, degrees, float(scipy.special.chdtrc(degrees, statistic)) if degrees else 1.0


def _holm(p_values: Sequence[float]) -> tuple[float, ...]:
    order = np.argsort(p_values)
    steps = np.array(p_values)[order] * np.arange(len(p_values), 0, -1)
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(steps))
    return tuple(adjusted.tolist())


def share_test(counts: Sequence[int], shares: Sequence[float]) -> float:
    """Return the p-value of "so many rows of each arm come from these shares".

    Parameters
    ----------
    counts : sequence of int
        Rows of each arm.
    shares : sequence of float
        Drawn shares of the arms, which sum to 1.

    Notes
    -----
    Pearson's chi-square; every expected count is 10 or more from 100 rows on: no share is below a tenth.

    References
    ----------
    Pearson 1900.

    Examples
    --------
    60 of 100 where half were drawn: 10^2/50 twice.

    >>> round(share_test([60, 40], [.5, .5]), 4), share_test([50, 50], [.5, .5])
    (0.0455, 1.0)
    """
    return float(scipy.special.chdtrc(len(counts) - 1, pearson(counts, shares)))


def pearson(counts: Sequence[int], shares: Sequence[float]) -> float:
    """Return Pearson's statistic of counts against the shares that were expected.

    Parameters
    ----------
    counts : sequence of int
        Rows of each cell.
    shares : sequence of float
        Expected shares of the cells, which sum to 1.
    """
    expected = [sum(counts) * share for share in shares]
    return math.fsum((count - own) ** 2 / own for count, own in zip(counts, expected, strict=True))
