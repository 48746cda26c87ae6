"""Intervals and tests of a fitted regression by inversion of a score test.

The values that the test does not reject form the interval. It needs neither a finite error nor a curve that
is close to a parabola, so it also holds where the rows say little, for example about a rare answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from privacy.arrays import Array
from privacy.estimation.empirical_likelihood import likelihood_ratio
from privacy.estimation.sampling_units import SamplingUnits
from privacy.levels import t_quantile
from privacy.policy import LARGEST_LOGIT, RELIABLE_ERRORS
from privacy.regression.corrected_score import CorrectedLogit, solve_definite

_STEPS: Final = 40
_LONGEST: Final = 2.0
"""Largest change of a logit in one step."""
_CLOSE: Final = 1e-6
"""Change of logits, and distance from the value, at which coefficients under a hypothesis are found."""
_EXACT: Final = 1e-4
"""Precision of an end, in standard errors."""
_WIDER: Final = 1.7
_MOST_TRIED: Final = 60
_LEAST_REST: Final = 1e-9
"""Smallest 1 - h by which a residual is divided."""
_NEAR_END: Final = 1e-7
"""Distance from the end of the range at which a share counts as the end."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Target:
    """A function of the coefficients, of which an interval is wanted.

    Parameters
    ----------
    at : callable
        Maps coefficients to the value and its gradient.
    possible : (float, float)
        Range of the function; infinite for a coefficient.
    farthest : float
        Absolute value above which a coefficient counts as infinite.
    """

    at: Callable[[Array], tuple[float, Array]]
    possible: tuple[float, float] = (-math.inf, math.inf)
    farthest: float = math.inf


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreTest:
    """Test hypotheses about one function of the coefficients of a fitted regression.

    Parameters
    ----------
    model : CorrectedLogit
    coefficients : float array
        Those of the fit.
    units : SamplingUnits, optional
        The sampling unit of each cell; None if rows are independent.

    Notes
    -----
    Under the hypothesis s(b) = t, the other coefficients maximise the corrected likelihood. With H the
    negative Hessian there, G the gradient of s and l = H^-1 G, row i has the value u_i = l'psi_i, psi its
    score. The mean of u is 0 under the hypothesis, and errors of the other coefficients change it in second
    order only (Neyman's C(alpha)), so the empirical likelihood of "the mean of u is 0" is a test. A row's
    weight in it is |l'x|, over the answers that it may stand for. As in other regressions here, residuals are
    divided by 1 - h, h the row's share of these weights, and the quantile is that of t with
    (sum h^2)^2 / sum h^4 degrees of freedom.

    The test exists where the coefficients do not. If the reports of a group cannot exclude a share of 0, its
    log odds have no lower end.

    References
    ----------
    Neyman 1959; Boos 1992; Owen 2001, chapter 4; MacKinnon and White 1985.
    """

    model: CorrectedLogit
    coefficients: Array
    units: SamplingUnits | None = None

    def coefficient(self, factors: Array) -> Target:
        """Return a linear combination of the coefficients as a target.

        Parameters
        ----------
        factors : float array, shape (coefficients,)
        """
        columns = self.model.designs.reshape(-1, len(factors))
        spread = np.ptp(columns, axis=0)
        spread = np.where(spread > 0, spread, np.abs(columns).max(axis=0))
        farthest = LARGEST_LOGIT * float(np.max(np.abs(factors) / spread))
        return Target(at=lambda b: (float(factors @ b), factors), farthest=farthest)

    def interval(self, target: Target, standard_error: float, level: float) -> tuple[float, float]:
        """Return the values that the test does not reject, on both sides of the estimate.

        Parameters
        ----------
        target : Target
        standard_error : float
            Error of the estimate: where the search begins.
        level : float, in (0, 1)

        Raises
        ------
        PrivacyError
            ``level``.
        """
        t_quantile(level, math.inf)  # refuses a level before the search
        return self._end(target, standard_error, level, -1), self._end(target, standard_error, level, 1)

    def p_value(self, target: Target, value: float) -> float:
        """Return the two-sided p-value of "the target has this value".

        Parameters
        ----------
        target : Target
        value : float
        """
        root, degrees = self._root(target, value, self.coefficients)[:2]
        return float(2 * scipy.special.stdtr(degrees, -abs(root)))

    def is_near_no_end(self, target: Target) -> bool:
        """Return whether the test, at five errors, does not reject values beyond which there is no end.

        Five errors are far enough: if the truth is two errors closer, both ends still exist in six of seven
        surveys. Nearer, both exist because the answers came out well, and intervals may miss their level.

        Parameters
        ----------
        target : Target
        """
        far = [
            end if math.isfinite(end) else side * target.farthest
            for side, end in zip((-1, 1), target.possible, strict=True)
        ]
        return min(abs(self._root(target, value, self.coefficients)[0]) for value in far) <= RELIABLE_ERRORS

    def _end(self, target: Target, standard_error: float, level: float, side: int) -> float:
        """Return the end of the interval below (side -1) or above (side 1) the estimate."""
        estimate = target.at(self.coefficients)[0]
        last = target.possible[0 if side < 0 else 1]
        finite = math.isfinite(last)
        room = abs(last - estimate) if finite else math.inf
        unit = standard_error if standard_error > 0 and math.isfinite(standard_error) else 1.0
        step = t_quantile(level, math.inf) * min(unit, room if finite else 2 * LARGEST_LOGIT * unit)

        def excess(value: float, start: Array) -> tuple[float, Array]:
            root, degrees, found = self._root(target, value, start)
            # Below the estimate, the scores say that the truth is higher: the root is positive.
            return -side * root - t_quantile(level, degrees), found

        inner, at_inner, start = estimate, -t_quantile(level, math.inf), self.coefficients
        for _ in range(_MOST_TRIED):
            outer = estimate + side * step
            if finite and side * (last - outer) <= _NEAR_END:
                outer = last - side * _NEAR_END
            at_outer, found = excess(outer, start)
            if at_outer > 0:
                break
            if (finite and abs(last - outer) <= _NEAR_END) or abs(outer) > target.farthest:
                return last
            inner, at_inner, start = outer, at_outer, found
            step *= _WIDER
        else:
            return last
        if abs(outer) > target.farthest and side * outer > 0:
            outer = max(min(outer, target.farthest), -target.farthest)
            if side * (outer - inner) <= 0 or excess(outer, start)[0] <= 0:
                return last
        return self._crossing(excess, (inner, at_inner), (outer, at_outer), start, _EXACT * unit)

    @staticmethod
    def _crossing(
        excess: Callable[[float, Array], tuple[float, Array]],
        inner: tuple[float, float],
        outer: tuple[float, float],
        start: Array,
        exact: float,
    ) -> float:
        """Return where the excess changes its sign, by the method of false position (Illinois)."""
        (low, at_low), (high, at_high) = inner, outer
        kept = 0
        for _ in range(_MOST_TRIED):
            if abs(high - low) <= exact:
                break
            share = at_low / (at_low - at_high) if math.isfinite(at_high) else 0.5
            middle = low + min(max(share, 0.02), 0.98) * (high - low)
            at_middle, found = excess(middle, start)
            if at_middle > 0:
                high, at_high = middle, at_middle
                at_low /= 2 if kept > 0 else 1
                kept = 1
            else:
                low, at_low, start = middle, at_middle, found
                at_high /= 2 if kept < 0 else 1
                kept = -1
            if abs(at_middle) < _EXACT:
                return middle
        return low

    def _root(self, target: Target, value: float, start: Array) -> tuple[float, float, Array]:
        """Return the signed root of the test's ratio, its degrees of freedom, and the coefficients.

        The root is 0 where the reports have no information, so the hypothesis is not rejected.
        """
        b, found = start, False
        for _ in range(_STEPS):
            current, gradient = target.at(b)
            score, information = self.model.equations(b)
            solved = solve_definite(information, np.column_stack([score, gradient]))
            if solved is None:
                return 0.0, math.inf, start
            free, along = solved.T
            if found:
                break
            slope = float(gradient @ along)
            if not slope > 0:
                return 0.0, math.inf, start
            step = free + along * ((value - current - gradient @ free) / slope)
            distance = float(np.abs(self.model.logits(step)).max())
            b = b + step * min(1.0, _LONGEST / max(distance, _LONGEST))
            # Other coefficients may grow without end; their score counts in the test all the same.
            found = distance < _CLOSE or float(np.abs(self.model.logits(b)).max()) > 2 * LARGEST_LOGIT
        return *self._ratio(b, along), b

    def _ratio(self, b: Array, direction: Array) -> tuple[float, float]:
        model = self.model
        by_logit = model.designs @ direction
        scores = np.einsum("crk,ck->cr", model.report_scores(b), by_logit)
        pull = np.einsum("crk,ck->cr", np.abs(model.involved_scores), np.abs(by_logit))
        if self.units is not None:
            sums, clusters = self.units.sums(
                (model.counts * scores).sum(axis=1)[None], (model.counts * pull).sum(axis=1)
            )
            values = sums[0]
            ratio = float(likelihood_ratio(np.ones(len(values)), values))
            return _signed(values.sum(), ratio / clusters.inflation(values)), clusters.degrees
        # Rows of a cell have one weight, so their number follows from the sums of weights and of squares.
        has = model.counts > 0
        weight = np.divide(model.squares, model.counts, out=np.ones_like(model.counts), where=has)
        rows = np.divide(model.counts, weight, out=np.zeros_like(model.counts), where=has)
        values = weight * scores
        ratio = float(likelihood_ratio(rows.ravel(), values.ravel()))
        degrees, inflation = _few_rows(rows[has], values[has], (weight * pull)[has])
        return _signed((rows * values).sum(), ratio / inflation), degrees


def _few_rows(rows: Array, values: Array, pull: Array) -> tuple[float, float]:
    """Return the degrees of freedom of t, and by how much rows that pull much shrink their residuals.

    `privacy.estimation.cluster_count.ClusterCount` does this for single rows; here, groups of equal ones.
    """
    total = float(rows @ pull)
    if not total:
        return 1.0, math.inf
    h = pull / total
    squares = float(rows @ h**2)
    degrees = max(min(squares**2 / float(rows @ h**4), 1 / squares - 1), 1.0)
    spread = float(rows @ values**2)
    scaled = values / np.maximum(1 - h, _LEAST_REST)
    return degrees, float(rows @ scaled**2) / spread if spread else math.inf


def _signed(total: float, ratio: float) -> float:
    return math.copysign(math.sqrt(max(ratio, 0.0)), total)
