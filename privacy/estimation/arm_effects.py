"""Differences between randomised groups: arms of an experiment, strengths of a disguise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import scipy

from privacy.arrays import Array, Flags, Whole
from privacy.errors import PrivacyError
from privacy.estimation.holm import holm
from privacy.forged import flips
from privacy.levels import chi_square_quantile, t_quantile
from privacy.p_values import PValue, PValues
from privacy.policy import LEAST_EFFECTIVE_ROWS
from privacy.printed import Measured, Origin

_TINY: Final = 1e-99


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupSums:
    """Sums over the rows of one group.

    Parameters
    ----------
    totals : ndarray of float64, shape (2 outcomes,)
        Sums of w a by outcome, then of w z. w is the weight of a row, a is 1 if the row was asked (or its
        score of "answered"), and z is its score, 0 if it was not asked.
    products : ndarray of float64, shape (strengths, 2 outcomes, 2 outcomes)
        Sums of products of each pair of these terms, over the rows with each strength of disguise.
    """

    totals: Array
    products: Array

    @classmethod
    def of(
        cls, has_answer: Array, scores: Array, weights: Array | None = None, direct: Flags | None = None
    ) -> GroupSums:
        """Sum rows: `has_answer` and `scores` have the shape (outcomes, rows), `direct` marks light rows."""
        columns = np.concatenate([has_answer, scores])
        if weights is not None:
            columns = columns * weights
        strengths = [columns] if direct is None else [columns[:, direct], columns[:, ~direct]]
        return cls(totals=columns.sum(axis=1), products=np.stack([rows @ rows.T for rows in strengths]))

    def __add__(self, other: GroupSums) -> GroupSums:
        """Add the rows of two parts of the group."""
        return GroupSums(totals=self.totals + other.totals, products=self.products + other.products)


@dataclass(frozen=True, kw_only=True)
class JointTest:
    """Test that all groups have the same distribution of answers, sensitive to shares and means.

    Parameters
    ----------
    statistic : float
        Score statistic d' V^-1 d of the differences d from the first group.
    degrees, rest : int, float
        Degrees of freedom of the numerator and of the denominator of F.
    p_value : float or None
        None if there are too few rows, so that the denominator has no degrees of freedom.

    Notes
    -----
    V holds under the hypothesis. Rows with the same strength of disguise then have the same variance in all
    groups, so it is estimated from all of them, about the common shares. Variances by group would reject too
    often: a group in which no one has a rare answer would have almost none.

    For one strength and equal weights, the statistic is n times Pillai's trace, and Pearson's chi-square for
    one yes/no question. It is compared with F as in Pillai 1955, exactly for two groups with normal scores. n
    is the sum over groups of the smallest effective number of people asked any of the questions.
    """

    statistic: float
    degrees: int
    rest: float
    p_value: float | None


@dataclass(frozen=True, kw_only=True, eq=False)
class ArmEffects:
    """Shares and means by group, and their differences.

    Attributes
    ----------
    shares, errors : ndarray, shape (groups, outcomes)
        Estimated population shares or means, not clipped, and their standard errors.
    differences, difference_errors : ndarray, shape (groups - 1, outcomes)
        Each other group minus the first.
    sizes : ndarray, shape (groups, outcomes)
        Number of rows that were asked; with unequal weights, the effective number (sum w)^2 / sum w^2.
    is_direct : ndarray of bool, shape (groups, outcomes)
        Whether all rows of a group are undisguised yes/no answers.
    p_values : tuple of float
        For each question, the test that all groups have the same distribution.
    adjusted : tuple of float
        The same p-values, adjusted over the questions (Holm).
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
        """Return the interval of a difference from the first group, by t with Welch's degrees of freedom.

        Parameters
        ----------
        group : int
            Position of the group, 1 or more.
        outcome : int
        level : float
            Joint level; each of the M differences uses 1 - (1 - level) / M (Bonferroni).
        """
        sizes = np.maximum(self.sizes[[0, group], outcome], 2)
        variances = self.errors[[0, group], outcome] ** 2 * sizes / (sizes - 1)
        parts = variances**2 / (sizes - 1)
        degrees = variances.sum() ** 2 / parts.sum() if parts.sum() > 0 else math.inf
        return _interval(self.differences[group - 1, outcome], math.sqrt(variances.sum()), level, degrees)

    def difference(
        self,
        group: int,
        outcome: int,
        *,
        n: int,
        shift: float | None,
        origin: Origin,
        level: float = 0.95,
    ) -> Measured:
        """Return a difference from the first group with everything that is printed next to it.

        Parameters
        ----------
        group : int
            Position of the group, 1 or more.
        outcome : int
        n : int
            Number of people in the group.
        shift : float or None
        origin : Origin
        level : float
        """
        return self._measured(
            value=self.differences[group - 1, outcome],
            ends=self.interval(group, outcome, level=level),
            error=self.difference_errors[group - 1, outcome],
            effective_n=min(self.sizes[group, outcome], self.sizes[0, outcome]),
            possible=(-1.0, 1.0),
            about={"n": n, "shift": shift, "origin": origin, "level": level},
        )

    def share(self, group: int, outcome: int, *, n: int, shift: float | None, origin: Origin) -> Measured:
        """Return a share or a mean with everything that is printed next to it.

        Parameters
        ----------
        group : int
            Position of the group, 0 or more.
        outcome, n, shift, origin
            As in `difference`.
        """
        return self._measured(
            value=self.shares[group, outcome],
            ends=self.share_interval(group, outcome),
            error=self.errors[group, outcome],
            effective_n=self.sizes[group, outcome],
            possible=(0.0, 1.0),
            about={"n": n, "shift": shift, "origin": origin, "level": 0.95},
        )

    def _measured(
        self,
        *,
        value: float,
        ends: tuple[float, float],
        error: float,
        effective_n: float,
        possible: tuple[float, float],
        about: dict[str, Any],
    ) -> Measured:
        low, high = ends
        return Measured(
            value=float(value),
            low=low,
            high=high,
            standard_error=float(error),
            estimable=bool(effective_n >= LEAST_EFFECTIVE_ROWS),
            effective_n=float(effective_n),
            possible=possible,
            method="ratio",
            **about,
        )

    def tests(self, *, n: Sequence[int], family: int, origin: Origin) -> tuple[PValues, PValues]:
        """Return the tests of each question, and the same adjusted over the questions.

        Parameters
        ----------
        n : sequence of int
            Number of rows that were asked each question.
        family : int
            Number of questions that the adjustment allows for.
        origin : Origin
        """
        alone = PValues(
            value=np.array(self.p_values), test="groups alike", n=np.array(n), estimable=np.array(n) > 0,
            adjustment="none", family=1, origin=origin,
        )  # fmt: skip
        return alone, replace(alone, value=np.array(self.adjusted), adjustment="Holm", family=family)

    def joint_test(self, *, n: int, origin: Origin) -> PValue:
        """Return the test of all questions together.

        Parameters
        ----------
        n : int
            Number of rows of all groups.
        origin : Origin
        """
        p_value = self.joint.p_value
        return PValue(
            value=math.nan if p_value is None else p_value, test="groups alike", n=n,
            estimable=p_value is not None, adjustment="none", family=1, origin=origin,
        )  # fmt: skip

    def with_rows(self, group: int, outcome: int, *, score: float, rows: int) -> ArmEffects:
        """Return the effects with more rows of one group, which count in one outcome.

        Parameters
        ----------
        group, outcome : int
        score : float
            z of each row.
        rows : int
            Number of rows; negative to leave rows out.

        Returns
        -------
        ArmEffects
            Only shares, errors, differences and sizes change, so only intervals may be read from it. All rows
            must have the weight 1 and count as one answer.

        Notes
        -----
        n rows have the mean s and the sum of squares S about it. With r rows of score z, the mean is
        (n s + r z)/(n + r), and the sum of squares S + r (z - s)^2 n/(n + r).
        """
        cell = (group, outcome)
        n, share = float(self.sizes[cell]), float(self.shares[cell])
        shares, errors, sizes = self.shares.copy(), self.errors.copy(), self.sizes.copy()
        squares = (float(self.errors[cell]) * n) ** 2 + rows * (score - share) ** 2 * n / (n + rows)
        sizes[cell] = n + rows
        shares[cell] = (n * share + rows * score) / (n + rows)
        errors[cell] = math.sqrt(max(squares, 0.0)) / (n + rows)
        return replace(self, shares=shares, errors=errors, sizes=sizes, differences=shares[1:] - shares[0])

    def flips(
        self,
        group: int,
        outcome: int,
        *,
        scores: tuple[tuple[float, float], tuple[float, float]],
        level: float = 0.95,
    ) -> int | None:
        """Return how many forged rows change whether the interval of a difference contains 0, or its sign.

        Parameters
        ----------
        group : int
            Position of the group, 1 or more.
        outcome : int
        scores : tuple of (float, float)
            The smallest and the largest score of a row in the first group and in this one.
        level : float
            As for `interval`.

        Returns
        -------
        int or None
            As `privacy.forged.flips`, for rows that a device could send to one of the two groups, with the
            smallest or the largest score. Rows that explain a difference are rows with these scores, if a
            group has only these two.
        """
        kinds = [
            (arm, score) for arm, arm_scores in zip((0, group), scores, strict=True) for score in arm_scores
        ]
        sent = np.array(
            [
                self._rows_with(arm, outcome, score, other)
                for (arm, arm_scores) in zip((0, group), scores, strict=True)
                for score, other in (arm_scores, arm_scores[::-1])
            ]
        )

        def conclude(cases: Array) -> Whole:
            found = []
            for case in cases:
                (changed,) = np.flatnonzero(case != sent).tolist() or [0]
                arm, score = kinds[changed]
                effects = self.with_rows(arm, outcome, score=score, rows=round(case[changed] - sent[changed]))
                low, high = effects.interval(group, outcome, level=level)
                found.append(int(low > 0) - int(high < 0))
            return np.array(found)

        return flips(conclude, sent, range(len(kinds)))

    def _rows_with(self, group: int, outcome: int, score: float, other: float) -> float:
        """Return how many rows of a group have a score if all others have another one; one at least stays."""
        n, share = float(self.sizes[group, outcome]), float(self.shares[group, outcome])
        return float(np.clip(round(n * (share - other) / (score - other)), 0, max(n - 1, 0)))

    def share_interval(self, group: int, outcome: int, *, level: float = 0.95) -> tuple[float, float]:
        """Return the interval of a share or a mean; the first group is 0.

        This is Wilson's interval for undisguised answers, otherwise an interval based on t.
        """
        share, n = float(self.shares[group, outcome]), float(self.sizes[group, outcome])
        if not self.is_direct[group, outcome]:
            return _interval(share, self.errors[group, outcome], level, max(n - 1, 1.0))
        limit = chi_square_quantile(level) / n
        middle, half = share + limit / 2, math.sqrt(limit * share * (1 - share) + limit**2 / 4)
        return (middle - half) / (1 + limit), (middle + half) / (1 + limit)


def arm_effects(
    groups: Sequence[GroupSums], questions: Sequence[Sequence[int]], *, withheld: int = 0
) -> ArmEffects:
    """Estimate shares and means by group, and test for differences between the groups.

    Parameters
    ----------
    groups : sequence of GroupSums
        Two or more disjoint groups.
    questions : sequence of sequence of int
        Outcomes of each question; for a choice, all options but one, because they sum to 1.
    withheld : int
        Number of questions that were planned but have no figures. Holm's correction counts them with p = 1.

    Raises
    ------
    PrivacyError
        ``no_rows``: in some group, no respondents were asked one of the outcomes.

    Notes
    -----
    Let z be the unbiased score of a row, ([shown] - (1 - p) theta) / p under randomised response. A share or
    mean is m = sum w z / sum w a over the rows of the group. The linearised covariance of two of them, with
    fixed weights, is sum w^2 (z_i - m_i a_i)(z_j - m_j a_j) / (sum w a_i sum w a_j). Groups are independent.
    Tests use the covariance under the hypothesis of no differences instead, see `JointTest`.

    References
    ----------
    Holm 1979; Deville 1999 for the linearised variance; Pearson 1900; Pillai 1955; Welch 1947.

    Examples
    --------
    Two groups of 200 people answer openly; 40 and 60 say yes: z = .1 / sqrt(.25 * .75/200 * 2).

    >>> def openly(yes):
    ...     return GroupSums.of(np.ones((1, 200)), (np.arange(200.)[None] < yes).astype(float))
    >>> found = arm_effects([openly(40), openly(60)], [[0]])
    >>> found.differences.round(3).tolist(), round(found.joint.statistic, 4), found.joint.degrees
    ([[0.1]], 5.3333, 1)
    """
    moments = [_shares(group_sums) for group_sums in groups]
    shares = np.array([group_sums for group_sums, _ in moments])
    covariances = np.array([group_sums for _, group_sums in moments])
    differences = shares[1:] - shares[0]
    variances = np.diagonal(covariances, axis1=1, axis2=2)
    outcomes = shares.shape[1]
    products = np.array([group_sums.products.sum(axis=0) for group_sums in groups])
    diagonals = np.diagonal(products, axis1=1, axis2=2)
    cross_sums = np.diagonal(products, offset=outcomes, axis1=1, axis2=2)[:, :outcomes]
    sizes = np.array([group_sums.totals[:outcomes] ** 2 for group_sums in groups]) / diagonals[:, :outcomes]
    # Only undisguised scores (0 or 1) equal their squares.
    is_direct = np.isclose(diagonals[:, outcomes:], cross_sums, rtol=1e-9, atol=0)
    common = _common_covariances(groups, shares, sizes)
    tests = [_joint(differences, common, sizes, group_sums) for group_sums in questions]
    p_values = tuple(1.0 if test.p_value is None else test.p_value for test in tests)
    return ArmEffects(
        shares=shares,
        errors=np.sqrt(np.maximum(variances, 0)),
        differences=differences,
        difference_errors=np.sqrt(np.maximum(variances[1:] + variances[0], 0)),
        sizes=sizes,
        is_direct=is_direct,
        p_values=p_values,
        adjusted=holm([*p_values, *[1.0] * withheld])[: len(p_values)],
        joint=_joint(differences, common, sizes, [each for group_sums in questions for each in group_sums]),
    )


def _interval(value: float, error: float, level: float, degrees: float) -> tuple[float, float]:
    half = t_quantile(level, degrees) * float(error)
    return float(value) - half, float(value) + half


def _shares(sums: GroupSums) -> tuple[Array, Array]:
    """Return the estimated shares of a group, and their covariance matrix."""
    people, scores = np.split(sums.totals, 2)
    if (people <= 0).any():
        raise PrivacyError("no_rows.asked", 0)
    shares = scores / people
    # Maps (a, z) to z - m a.
    residual = np.hstack([-np.diag(shares), np.eye(len(shares))]) / people[:, None]
    return shares, residual @ sums.products.sum(axis=0) @ residual.T


def _common_covariances(groups: Sequence[GroupSums], shares: Array, sizes: Array) -> Array:
    """Return the covariance matrix of the shares of each group if all have the same distribution."""
    people = np.array([group_sums.totals[: shares.shape[1]] for group_sums in groups])
    products = np.array([group_sums.products for group_sums in groups])
    asked = np.diagonal(products, axis1=2, axis2=3)[..., : shares.shape[1]]
    scale = np.sqrt(asked / np.maximum(asked.sum(axis=0), _TINY)) / people[:, None]
    weights = sizes
    # With several strengths, the common shares are weighted by the variances that these shares imply.
    for _ in range(2):
        middle = (weights * shares).sum(axis=0) / weights.sum(axis=0)
        residual = np.hstack([-np.diag(middle), np.eye(len(middle))])
        spread = residual @ products.sum(axis=0) @ residual.T
        covariances: Array = np.einsum("gsi,sij,gsj->gij", scale, spread, scale)
        weights = 1 / np.maximum(np.diagonal(covariances, axis1=1, axis2=2), _TINY)
    return covariances


def _joint(differences: Array, covariances: Array, sizes: Array, outcomes: Sequence[int]) -> JointTest:
    """Return the test of "no group differs from the first" in these outcomes."""
    further, (first, *other_covariances) = len(differences), covariances[:, outcomes][:, :, outcomes]
    spread = np.kron(np.ones((further, further)), first) + scipy.linalg.block_diag(*other_covariances)
    gaps = differences[:, outcomes].ravel()
    # The pseudo-inverse omits shares without variance, together with their degrees of freedom.
    statistic = float(gaps @ np.linalg.pinv(spread, hermitian=True) @ gaps)
    degrees = int(np.linalg.matrix_rank(spread, hermitian=True))
    if not degrees:
        return JointTest(statistic=statistic, degrees=degrees, rest=math.inf, p_value=1.0)
    n, free = float(sizes[:, outcomes].min(axis=1).sum()), degrees / further
    least = min(free, further)
    rest = least * (n - len(sizes) - free + least)
    if rest <= 0:
        return JointTest(statistic=statistic, degrees=degrees, rest=rest, p_value=None)
    # This is the tail of F = (rest / degrees) trace / (least - trace), for Pillai's trace = statistic / n.
    p_value = float(scipy.special.betainc(rest / 2, degrees / 2, max(1 - statistic / (n * least), 0.0)))
    return JointTest(statistic=statistic, degrees=degrees, rest=rest, p_value=p_value)
