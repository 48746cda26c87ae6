"""A share or a mean over strata whose designs differ: weighted by their sizes, and pooled."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
import scipy

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.library.designs import Chance, exact
from privacy.library.study import Hypothesis, ModelTest, PaperStudy, Quantity

if TYPE_CHECKING:
    pass

__all__ = ["stratified"]

_STEP: Final = 1e-4
_CLOSE: Final = 1e-12
_MOST_STEPS: Final = 200
_ROUNDING: Final = 1e-6


def stratified(
    studies: Mapping[str, PaperStudy],
    *,
    shares: Mapping[str, Chance] | None = None,
    quantity: str | None = None,
) -> PaperStudy:
    """Put the estimates of strata together.

    Parameters
    ----------
    studies : mapping of str to PaperStudy
        Stratum -> its study; their designs may differ.
    shares : mapping of str to chance, optional
        Known shares of the strata in the population; those of their respondents if left out.
    quantity : str, optional
        What of them; the first of the first study if left out.

    Returns
    -------
    PaperStudy
        The quantity by strata, the quantity pooled, that of each stratum; the test that all are alike.

    Raises
    ------
    PrivacyError
        ``paper``: no stratum, a study without the quantity, shares that are not those of the strata.

    Notes
    -----
    By strata: sum W_h t_h, with variance sum W_h^2 v_h; right whether or not the strata are alike. Pooled:
    the t that solves sum (t_h - t)/v_h(t) = 0, with v_h(t) the variance of stratum h where t is true, and
    with variance 1/sum 1/v_h(t): of two answers the most likely t, and right where the strata are alike,
    which the chi-square sum (t_h - t)^2/v_h(t) tests. Intervals invert the tests with these variances; by
    strata all t_h are moved alike.

    References
    ----------
    Holt and Smith 1979; Wilson 1927.

    Examples
    --------
    60 of 100 where the coin says the truth in .7 of the cases, and 100 of 200 where in .8:

    >>> from privacy.library.designs import warner
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
        if name not in [own.name for own in study.quantities]:
            raise PrivacyError("paper.quantity", name, stratum=stratum)
    own = [study[name] for study in studies.values()]
    n = np.array([study.n for study in studies.values()], dtype=np.float64)
    values = np.array([quantity.value for quantity in own])
    weights = n / n.sum() if shares is None else _known(shares, list(studies))
    variances = [_variance(quantity) for quantity in own]
    value = float(weights @ values)

    def moved(tried: float) -> tuple[float, float]:
        at = np.array([spread(t + tried - value) for spread, t in zip(variances, values, strict=True)])
        return value - tried, float(weights**2 @ at)

    def scored(tried: float) -> tuple[float, float]:
        precision = 1 / np.array([spread(tried) for spread in variances])
        return float(precision @ (values - tried)), float(precision.sum())

    together = _pooled(values, variances)
    score = 1 / np.array([spread(together) for spread in variances])
    statistic = float(score @ (values - together) ** 2)
    ends = [quantity.within or quantity.possible for quantity in own]
    widest = min(low for low, _ in ends), max(high for _, high in ends)
    tested = all(quantity.hypothesis is not None for quantity in own)

    def over_all(name: str, value: float, error: float, hypothesis: Hypothesis) -> Quantity:
        inverted = hypothesis if tested else None
        within = widest if tested else None
        return replace(
            own[0], name=name, value=value, standard_error=error, hypothesis=inverted, within=within
        )

    error = math.sqrt(float(weights**2 @ [quantity.standard_error**2 for quantity in own]))
    p_value = float(scipy.special.chdtrc(len(own) - 1, statistic)) if len(own) > 1 else 1.0
    return PaperStudy(
        method=f"{len(own)} strata, {next(iter(studies.values())).method} and others",
        n=int(n.sum()),
        quantities=(
            over_all(name, value, error, moved),
            over_all(f"{name}, pooled", together, float(score.sum() ** -0.5), scored),
            *(replace(part, name=f"{name} in {stratum}") for stratum, part in zip(studies, own, strict=True)),
        ),
        tests=(ModelTest(name="strata alike", statistic=statistic, p_value=p_value),),
    )


def _known(shares: Mapping[str, Chance], strata: list[str]) -> Array:
    if set(shares) != set(strata):
        raise PrivacyError("paper.strata_shares", list(shares), strata=", ".join(map(str, strata)))
    weights = np.array([float(exact(shares[stratum], f"share of {stratum}")) for stratum in strata])
    if abs(weights.sum() - 1) > _ROUNDING:
        raise PrivacyError("paper.strata_sum", float(weights.sum()))
    return weights


def _variance(quantity: Quantity) -> Callable[[float], float]:
    """Return the variance of an estimate where a value is true: of its test, or of its error."""
    hypothesis, known = quantity.hypothesis, quantity.standard_error**2

    def of(tried: float) -> float:
        if hypothesis is None:
            return known
        rise = (hypothesis(tried - _STEP)[0] - hypothesis(tried + _STEP)[0]) / (2 * _STEP)
        # Where no counts vary, the test has no variance, and the estimate's own stands in.
        return max(hypothesis(tried)[1], 0.0) / rise**2 or known or _CLOSE

    return of


def _pooled(values: Array, variances: list[Callable[[float], float]]) -> float:
    together = float(values.mean())
    for _ in range(_MOST_STEPS):
        precision = 1 / np.array([spread(together) for spread in variances])
        step = float(precision @ values / precision.sum()) - together
        together += step
        if abs(step) < _CLOSE:
            break
    return together
