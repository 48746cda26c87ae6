"""Shares from several strata of one population, pooled."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import numpy as np
import scipy

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.library.inverted_tests import Hypothesis
from privacy.library.probabilities import Probability, exact
from privacy.library.study import ModelTest, PaperStudy, Quantity
from privacy.p_values import PValue
from privacy.printed import CHECKED

_STEP: Final = 1e-4
_CONVERGED: Final = 1e-12
_MOST_STEPS: Final = 200
_ROUNDING: Final = 1e-6


def stratified(
    studies: Mapping[str, PaperStudy],
    *,
    shares: Mapping[str, Probability] | None = None,
    quantity: str | None = None,
) -> PaperStudy:
    """Combine the estimates of strata.

    Parameters
    ----------
    studies : mapping of str to PaperStudy
        The study of each stratum; designs may differ.
    shares : mapping of str to probability, optional
        Known shares of the strata in the population; defaults to their shares of respondents.
    quantity : str, optional
        Name of the quantity; defaults to the first quantity of the first study.

    Returns
    -------
    PaperStudy
        The stratified estimate, the pooled estimate, the estimate of each stratum, and a test that all strata
        are equal.

    Raises
    ------
    PrivacyError
        ``paper``: no strata, a study without the quantity, or shares that do not match the strata.

    Notes
    -----
    The stratified estimate is sum W_h t_h, with variance sum W_h^2 v_h; it is valid whether or not the strata
    are equal. The pooled estimate is the t that solves sum (t_h - t)/v_h(t) = 0, with variance
    1/sum 1/v_h(t), where v_h(t) is the variance of stratum h if t is true. It is valid if the strata are
    equal, which the chi-square sum (t_h - t)^2/v_h(t) tests; for two answers it is the most likely t.
    Intervals invert the tests with these variances; for the stratified estimate, all t_h are shifted by the
    same amount.

    References
    ----------
    Holt and Smith 1979; Wilson 1927.

    Examples
    --------
    In the north, p = .7 and 60 of 100 say "yes"; in the south, p = .8 and 100 of 200 do:

    >>> from privacy.library.designs import warner
    >>> from privacy.library.one_sample import design_shares
    >>> study = stratified({
    ...     "north": design_shares({"yes": 60, "no": 40}, warner(p=.7)),
    ...     "south": design_shares({"yes": 100, "no": 100}, warner(p=.8))})
    >>> round(study["share"].value, 6)  # (100 * .75 + 200 * .5) / 300
    0.583333
    >>> round(study["share, pooled"].value, 3)
    0.545
    """
    if not studies:
        raise PrivacyError("paper.strata", 0)
    name = quantity or next(iter(studies.values())).quantities[0].name
    for stratum, study in studies.items():
        if name not in [quantities.name for quantities in study.quantities]:
            raise PrivacyError("paper.quantity", name, stratum=stratum)
    quantities = [study[name] for study in studies.values()]
    n = np.array([study.n for study in studies.values()], dtype=np.float64)
    values = np.array([quantity.value for quantity in quantities])
    weights = n / n.sum() if shares is None else _strata_weights(shares, list(studies))
    variances = [_variance(quantity) for quantity in quantities]
    value = float(weights @ values)

    def shift(guess: float) -> tuple[float, float]:
        spreads = np.array([spread(t + guess - value) for spread, t in zip(variances, values, strict=True)])
        return value - guess, float(weights**2 @ spreads)

    def scored(guess: float) -> tuple[float, float]:
        precision = 1 / np.array([spread(guess) for spread in variances])
        return float(precision @ (values - guess)), float(precision.sum())

    together = _pool_estimates(values, variances)
    score = 1 / np.array([spread(together) for spread in variances])
    statistic = float(score @ (values - together) ** 2)
    ends = [quantity.within or quantity.possible for quantity in quantities]
    widest = min(low for low, _ in ends), max(high for _, high in ends)
    has_tests = all(quantity.hypothesis is not None for quantity in quantities)

    def over_all(name: str, value: float, error: float, hypothesis: Hypothesis) -> Quantity:
        own_test = hypothesis if has_tests else None
        within = widest if has_tests else None
        return replace(
            quantities[0], name=name, value=value, standard_error=error, hypothesis=own_test, within=within
        )

    error = math.sqrt(float(weights**2 @ [quantity.standard_error**2 for quantity in quantities]))
    several = len(quantities) > 1
    test = PValue(
        value=float(scipy.special.chdtrc(len(quantities) - 1, statistic)) if several else math.nan,
        test="strata alike", n=int(n.sum()), estimable=several, adjustment="none", family=1, origin=CHECKED,
    )  # fmt: skip
    return PaperStudy(
        method=f"{len(quantities)} strata, {next(iter(studies.values())).method} and others",
        n=int(n.sum()),
        quantities=(
            over_all(name, value, error, shift),
            over_all(f"{name}, pooled", together, float(score.sum() ** -0.5), scored),
            *(
                replace(part, name=f"{name} in {stratum}")
                for stratum, part in zip(studies, quantities, strict=True)
            ),
        ),
        tests=(ModelTest(name="strata alike", statistic=statistic, test=test),),
    )


def _strata_weights(shares: Mapping[str, Probability], strata: list[str]) -> Array:
    if set(shares) != set(strata):
        raise PrivacyError("paper.strata_shares", list(shares), strata=", ".join(map(str, strata)))
    weights = np.array([float(exact(shares[stratum], f"share of {stratum}")) for stratum in strata])
    if abs(weights.sum() - 1) > _ROUNDING:
        raise PrivacyError("paper.strata_sum", float(weights.sum()))
    return weights


def _variance(quantity: Quantity) -> Callable[[float], float]:
    """Return the variance of an estimate as a function of the true value, from its test or else its error."""
    hypothesis = quantity.hypothesis

    def of(guess: float) -> float:
        if hypothesis is None:
            return quantity.standard_error**2 or _CONVERGED
        rise = (hypothesis(guess - _STEP)[0] - hypothesis(guess + _STEP)[0]) / (2 * _STEP)
        # Replace a variance of 0 by a tiny one, which rejects the value unless the counts agree exactly.
        return max(hypothesis(guess)[1], 0.0) / rise**2 or _CONVERGED

    return of


def _pool_estimates(values: Array, variances: list[Callable[[float], float]]) -> float:
    together = float(values.mean())
    for _ in range(_MOST_STEPS):
        precision = 1 / np.array([spread(together) for spread in variances])
        step = float(precision @ values / precision.sum()) - together
        together += step
        if abs(step) < _CONVERGED:
            break
    return together
