"""Differences between randomised groups: arms of an experiment, strengths of a disguise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from privacy.arrays import Array, Flags
from privacy.errors import PrivacyError
from privacy.levels import chi_square_quantile, t_quantile

__all__ = ["ArmEffects", "GroupSums", "JointTest", "arm_effects", "holm", "pearson", "share_test"]


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupSums:
    """Sums over the rows of one group.

    Parameters
    ----------
    totals : ndarray of float64, shape (2 outcomes,)
        Sums of w a by outcome, then of w z: w is the weight of a row, a 1 if it was asked (or the score of
        "answered"), z its score, 0 if it was not asked.
    products : ndarray of float64, shape (2 outcomes, 2 outcomes)
        Sums of the products of each pair of them.
    """

    totals: Array
    products: Array

    @classmethod
    def of(cls, answered: Array, scores: Array, weights: Array | None = None) -> GroupSums:
        """Add rows up: `answered` and `scores` have the shape (outcomes, rows)."""
        own = np.concatenate([answered, scores])
        if weights is not None:
            own = own * weights
        return cls(totals=own.sum(axis=1), products=own @ own.T)

    def __add__(self, other: GroupSums) -> GroupSums:
        """Add the rows of two parts of the group."""
        return GroupSums(totals=self.totals + other.totals, products=self.products + other.products)


@dataclass(frozen=True, kw_only=True)
class JointTest:
    """Test that no group differs from the first, in any of some outcomes.

    Parameters
    ----------
    statistic : float
        Wald's: d' V^-1 d.
    degrees, rest : int, float
        Degrees of freedom of the numerator, and of the denominator of F.
    p_value : float or None
        None where the rows are too few: the denominator's degrees do not exceed the number of outcomes.

    Notes
    -----
    The covariance is estimated in each group, so the statistic is not chi-square: Welch-James, with the
    degrees of Krishnamoorthy and Yu for two groups and those of Johansen for more. The n of a group is the
    fewest people asked in one question.
    """

    statistic: float
    degrees: int
    rest: float
    p_value: float | None


@dataclass(frozen=True, kw_only=True, eq=False)
class ArmEffects:
    """Shares and means by group, and how far they are apart.

    Attributes
    ----------
    shares, errors : ndarray, shape (groups, outcomes)
        Estimated shares or means about the population, not clipped, and their standard errors.
    differences, difference_errors : ndarray, shape (groups - 1, outcomes)
        Each further group minus the first.
    sizes : ndarray, shape (groups, outcomes)
        Rows that were asked, of unequal weights as many as would do without: (sum w)^2 / sum w^2.
    is_direct : ndarray of bool, shape (groups, outcomes)
        Whether all rows of a group answered yes or no without a disguise.
    p_values : tuple of float
        For each question, the test that all groups have the same shares.
    adjusted : tuple of float
        The same by Holm over the questions.
    joint : JointTest
        The test of all questions together.
    """

    shares: Array
    errors: Array
    differences: Array
    difference_errors: Array
    sizes: Array
    is_direct: Flags
    p_values: tuple[float, ...]
    adjusted: tuple[float, ...]
    joint: JointTest

    def interval(self, group: int, outcome: int, *, level: float = 0.95) -> tuple[float, float]:
        """Return the interval of a difference to the first group, by t with Welch's degrees.

        Parameters
        ----------
        group : int
            Counted from 1.
        outcome : int
        level : float
            Joint level; each of the M differences uses 1 - (1 - level) / M (Bonferroni).
        """
        sizes = np.maximum(self.sizes[[0, group], outcome], 2)
        variances = self.errors[[0, group], outcome] ** 2 * sizes / (sizes - 1)
        parts = variances**2 / (sizes - 1)
        degrees = variances.sum() ** 2 / parts.sum() if parts.sum() > 0 else math.inf
        return _interval(self.differences[group - 1, outcome], math.sqrt(variances.sum()), level, degrees)

    def share_interval(self, group: int, outcome: int, *, level: float = 0.95) -> tuple[float, float]:
        """Return the interval of a share or a mean; groups are counted from 0.

        Wilson's interval for a group that was asked directly, else based on t.
        """
        share, n = float(self.shares[group, outcome]), float(self.sizes[group, outcome])
        if not self.is_direct[group, outcome]:
            return _interval(share, self.errors[group, outcome], level, max(n - 1, 1.0))
        limit = chi_square_quantile(level) / n
        middle, half = share + limit / 2, math.sqrt(limit * share * (1 - share) + limit**2 / 4)
        return (middle - half) / (1 + limit), (middle + half) / (1 + limit)


def arm_effects(groups: Sequence[GroupSums], questions: Sequence[Sequence[int]]) -> ArmEffects:
    """Estimate shares and means by group, and test for differences between the groups.

    Parameters
    ----------
    groups : sequence of GroupSums
        Two or more; no one is in two of them.
    questions : sequence of sequence of int
        Outcomes by question; of a choice all options but one, since all together sum to 1.

    Raises
    ------
    PrivacyError
        ``no_rows``: no one of a group was asked one of the outcomes.

    Notes
    -----
    With z the unbiased score of a row, ([shown] - (1 - p) theta) / p under randomised response, a share or a
    mean is m = sum w z / sum w a over the rows of the group. The covariance of two of them is
    sum w^2 (z_i - m_i a_i)(z_j - m_j a_j) / (sum w a_i sum w a_j): linearised, with fixed weights.
    Groups are independent. Wald's statistic of H0 "all groups have the shares of the first" is d' V^-1 d,
    referred to F, see `JointTest`.

    References
    ----------
    Holm 1979; Deville 1999 for the linearised variance; Krishnamoorthy and Yu 2004; Johansen 1980;
    Welch 1947.

    Examples
    --------
    200 people in each of two groups, asked openly; 40 and 60 say yes: z = .1 / sqrt(.16/200 + .21/200).

    >>> def openly(yes):
    ...     return GroupSums.of(np.ones((1, 200)), (np.arange(200.)[None] < yes).astype(float))
    >>> found = arm_effects([openly(40), openly(60)], [[0]])
    >>> found.differences.round(3).tolist(), round(found.joint.statistic, 4), found.joint.degrees
    ([[0.1]], 5.4054, 1)
    """
    estimated = [_shares(own) for own in groups]
    shares = np.array([own for own, _ in estimated])
    covariances = np.array([own for _, own in estimated])
    differences = shares[1:] - shares[0]
    variances = np.diagonal(covariances, axis1=1, axis2=2)
    outcomes = shares.shape[1]
    diagonals = np.array([np.diag(own.products) for own in groups])
    mixed = np.array([np.diagonal(own.products, offset=outcomes)[:outcomes] for own in groups])
    sizes = np.array([own.totals[:outcomes] ** 2 for own in groups]) / diagonals[:, :outcomes]
    # A score of 0 or 1 is its own square; a disguised one never is.
    is_direct = np.isclose(diagonals[:, outcomes:], mixed, rtol=1e-9, atol=0)
    tested = [_joint(differences, covariances, sizes, own) for own in questions]
    p_values = tuple(1.0 if test.p_value is None else test.p_value for test in tested)
    return ArmEffects(
        shares=shares,
        errors=np.sqrt(np.maximum(variances, 0)),
        differences=differences,
        difference_errors=np.sqrt(np.maximum(variances[1:] + variances[0], 0)),
        sizes=sizes,
        is_direct=is_direct,
        p_values=p_values,
        adjusted=holm(p_values),
        joint=_joint(differences, covariances, sizes, [each for own in questions for each in own]),
    )


def _interval(value: float, error: float, level: float, degrees: float) -> tuple[float, float]:
    half = t_quantile(level, degrees) * float(error)
    return float(value) - half, float(value) + half


def _shares(sums: GroupSums) -> tuple[Array, Array]:
    """Return the estimated shares of a group, and their covariance."""
    people, scores = np.split(sums.totals, 2)
    if (people <= 0).any():
        raise PrivacyError("no_rows.arms", 0)
    shares = scores / people
    # z - m a, from (a, z).
    residual = np.hstack([-np.diag(shares), np.eye(len(shares))]) / people[:, None]
    return shares, residual @ sums.products @ residual.T


def _joint(differences: Array, covariances: Array, sizes: Array, outcomes: Sequence[int]) -> JointTest:
    """Return the test of "no group differs from the first" in these outcomes."""
    chosen, further = np.ix_(outcomes, outcomes), len(differences)
    first = np.kron(np.ones((further, further)), covariances[0][chosen])
    parts = [first]
    for position, own in enumerate(covariances[1:]):
        alone = np.zeros((further, further))
        alone[position, position] = 1
        parts.append(np.kron(alone, own[chosen]))
    spread = np.sum(parts, axis=0)
    gaps = differences[:, list(outcomes)].ravel()
    # A share without variance is omitted, together with its degree of freedom.
    inverse = np.linalg.pinv(spread, hermitian=True)
    degrees = int(np.linalg.matrix_rank(spread, hermitian=True))
    statistic = float(gaps @ inverse @ gaps)
    traces = 0.0
    for part, n in zip(parts, sizes[:, list(outcomes)].min(axis=1), strict=True):
        ratio = part @ inverse
        traces += float(np.trace(ratio @ ratio) + np.trace(ratio) ** 2) / max(float(n) - 1, 1.0)
    if not degrees or not traces:
        return JointTest(statistic=statistic, degrees=degrees, rest=math.inf, p_value=1.0)
    if further == 1:
        rest = (degrees + degrees**2) / traces
        scale, below = rest * degrees / (rest - degrees + 1), rest - degrees + 1
    else:
        half = traces / 2
        rest = below = degrees * (degrees + 2) / (3 * half)
        scale = degrees + 2 * half - 6 * half / (degrees + 2)
    if below <= degrees:
        return JointTest(statistic=statistic, degrees=degrees, rest=rest, p_value=None)
    p_value = float(scipy.special.fdtrc(degrees, below, statistic / scale))
    return JointTest(statistic=statistic, degrees=degrees, rest=below, p_value=p_value)


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Adjust p-values for their number.

    Parameters
    ----------
    p_values : sequence of float

    References
    ----------
    Holm 1979.
    """
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
