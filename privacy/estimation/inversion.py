"""From scores to measures with intervals: the test of each target, inverted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.estimation.confidence_sets import ConfidenceSets
from privacy.estimation.drawn_slopes import variances_at_hypothesis
from privacy.estimation.drawn_tables import DrawnTables
from privacy.estimation.empirical_likelihood import likelihood_sets
from privacy.estimation.equations import Equation, Measure
from privacy.estimation.fieller import score_test_sets
from privacy.estimation.measures import MeasuredArray
from privacy.estimation.moments import Scores, Target
from privacy.policy import RELIABLE_ERRORS

__all__ = ["inversion_intervals"]

Array: TypeAlias = NDArray[np.float64]

SAME: Final = 1e-12
"""Difference, absolute or relative, that is rounding."""

RANGES: Final[dict[Measure, tuple[float, float]]] = {
    "confidence": (0.0, 1.0),
    "lift": (0.0, np.inf),
    "conviction": (0.0, np.inf),
}
"""Intervals of ratios are intersected with these."""

POSSIBLE: Final[dict[Measure, tuple[float, float]]] = {"support": (0.0, 1.0), "leverage": (-0.25, 0.25)}
"""Intervals of these stay raw; one that leaves all of the range says nothing."""


def inversion_intervals(
    measures: Sequence[Measure],
    scores: Scores,
    target: Target,
    threshold: float,
    *,
    by_moments: bool = False,
) -> dict[Measure, MeasuredArray]:
    """Return value, interval and delta standard error of each measure of the scored pairs.

    Parameters
    ----------
    measures : sequence of {"support", "confidence", "lift", "leverage", "conviction"}
    scores : Scores
    target : {"population", "respondents"}
    threshold : float
        Quantile of chi-square with one degree of freedom.
    by_moments : bool
        Whether to invert the score test for the population too, which needs moments only.

    Notes
    -----
    All measures go through one search together. A delta standard error is
    sd(mean h at the estimate) / |mean slope|, given where |mean slope| exceeds 5 of its own errors.

    Where rows count that were asked a part, the test of a support about these respondents has the variance of
    the hypothesis.
    """
    equations = [Equation(measure=measure, scores=scores) for measure in measures]
    covariance = scores.covariance(target)
    variances = [equation.variances(covariance) for equation in equations]
    size = len(scores.n)
    if target == "population" and not by_moments:
        sets = likelihood_sets(
            np.tile(scores.cells.rows, (len(measures), 1)),
            np.concatenate([equation.cells[0] for equation in equations]),
            np.concatenate([equation.cells[1] for equation in equations]),
            threshold,
        )
    else:
        tested = [_tested(equation, target, own) for equation, own in zip(equations, variances, strict=True)]
        sets = score_test_sets(
            np.concatenate([equation.means[0] for equation in equations]),
            np.concatenate([equation.means[1] for equation in equations]),
            (
                np.concatenate([variance[0] for variance in tested]),
                np.concatenate([variance[1] for variance in tested]),
                np.concatenate([variance[2] for variance in tested]),
            ),
            threshold,
        )
    return {
        equation.measure: _measured(equation, own, sets.part(slice(position * size, (position + 1) * size)))
        for position, (equation, own) in enumerate(zip(equations, variances, strict=True))
    }


def _tested(
    equation: Equation, target: Target, variances: tuple[Array, Array, Array]
) -> tuple[Array, Array, Array]:
    """Return the variances that the score test has."""
    cells = equation.scores.cells
    is_moved = equation.measure == "support" and target == "respondents"
    if is_moved and isinstance(cells, DrawnTables) and cells.all_rows.any():
        return variances_at_hypothesis(equation.scores, cells)
    return variances


def _measured(
    equation: Equation, variances: tuple[Array, Array, Array], sets: ConfidenceSets
) -> MeasuredArray:
    measure, value = equation.measure, equation.value
    if measure in RANGES:
        interval = sets.inside(*RANGES[measure])
        low, high, estimable = interval.low, interval.high, interval.estimable
    else:
        low, high, estimable = sets.low, sets.high, sets.inside(*POSSIBLE[measure]).estimable
    # A set that is one point, computed by another way than the value, is that value.
    low, high = (np.where(np.isclose(end, value, rtol=SAME, atol=SAME), value, end) for end in (low, high))
    denominator = equation.means[1]
    of_constant, mixed, of_slope = variances
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.sqrt(of_constant + 2 * value * mixed + value**2 * of_slope) / np.abs(denominator)
        reliable = np.abs(denominator) > RELIABLE_ERRORS * np.sqrt(of_slope)
    return MeasuredArray(
        value=value,
        low=low,
        high=high,
        standard_error=np.where(reliable, error, np.nan),
        estimable=estimable,
    )
