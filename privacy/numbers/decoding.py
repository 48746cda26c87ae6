"""What one disguised number says about the true one: an unbiased value for each output, and its variance."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.disguise.band import Band
from privacy.disguise.skipping import Skipping
from privacy.errors import ParameterError
from privacy.numbers.scores import score

__all__ = ["output_values", "variances", "worst_variance"]

Array: TypeAlias = NDArray[np.float64]


def output_values(band: Band) -> Array:
    """Return for each output the number t(y) with E[t(Y) | x] = middle of bin x.

    Parameters
    ----------
    band : Band
        With a window that does not go round, or a coin, or both.

    Returns
    -------
    ndarray of float64, shape (band.outputs,)
        In the unit of the answers; may lie far outside the range.

    Raises
    ------
    ParameterError
        ``cyclic``: under a window that goes round the end no such line exists.

    Notes
    -----
    On the grid of m outputs, with q the share of the peak's weight in the grid's, an output lies on average
    q (x - (n-1)/2) bins from the middle of the grid: dividing by q undoes it. "Up" and "down" stand for
    the middle of the range plus and minus coin / (2 step) bins. Both parts are unbiased by themselves, so
    their mixture is.

    References
    ----------
    Duchi, Jordan and Wainwright 2018; Wang, Xiao and others 2019 (piecewise and hybrid), on bins.

    Examples
    --------
    >>> from privacy.disguise.number_range import NumberRange
    >>> from privacy.numbers.mechanisms import keep_with_chance
    >>> band = keep_with_chance(NumberRange(low=0, high=2), 5000)  # keeps 1/2, else either other
    >>> output_values(band).tolist()  # E[t | 0] = (-3 / 2 + 1 / 4 * (1 + 5))
    [-3.0, 1.0, 5.0]
    """
    if band.cyclic:
        raise ParameterError(
            "cyclic",
            f"{band.mechanism} goes round the end of the range",
            band.mechanism,
            "estimate the distribution, and the mean from it",
        )
    middle, bin_size = _centre_and_size(band)
    values = np.empty(band.outputs)
    if band.window:
        grid = band.floor * band.grid_outputs + band.peak * band.window
        share = band.peak * band.window / grid
        outputs = np.arange(band.grid_outputs)
        values[: band.grid_outputs] = middle + bin_size * (outputs - (band.grid_outputs - 1) / 2) / share
    if band.coin:
        far = bin_size * band.coin / (2 * band.step)
        values[-2:] = middle - far, middle + far
    return values


def _centre_and_size(band: Band) -> tuple[float, float]:
    first, last = band.range.middle(0), band.range.middle(band.inputs - 1)
    return float((first + last) / 2), float(band.range.middle(1) - first)


def variances(band: Band, *, skipping: Skipping | None = None) -> Array:
    """Return the variance of t(Y) for each true bin, shape (band.inputs,), in squared units of the answers.

    Parameters
    ----------
    band : Band
        Under a window that goes round the end t(y) is the `score` of the number, as for a mean.
    skipping : Skipping, optional
        How the question may be skipped; nobody does.

    Raises
    ------
    ParameterError
        ``no_score``, ``too_large``: of a window that goes round, see `score`.

    Notes
    -----
    The middle x of the true bin is the mean of t(Y). Where the question may be skipped an answer scores
    z = t - x and 1 (`privacy.numbers.skips.answer_scores`), and the mean of those who answer errs as z does:
    with s the chance that "skipped" is sent for an answer, D a decoy, d their number and T all draws,

        Var z = (Var t + s (d / (T - d))^2 (E t(D) - x)^2) / (1 - s).

    Examples
    --------
    A coin that says up or down alone: (e + 1)^2 / (e - 1)^2 - t^2 over numbers t from -1 to 1.

    >>> from privacy.disguise.number_range import NumberRange
    >>> from privacy.numbers.mechanisms import duchi
    >>> (variances(duchi(NumberRange(low=-1, high=1), 1.0))[1] ** .5).round(3)  # (e+1)/(e-1) in units of 1
    np.float64(2.164)
    """
    middle, bin_size = _centre_and_size(band)
    # About the middle of the range: far from 0 the squares would swamp what they differ by.
    means = bin_size * (np.arange(band.inputs, dtype=np.float64) - (band.inputs - 1) / 2)
    values = score(band.as_array(), means) if band.cyclic else output_values(band) - middle
    squares = values**2
    second = np.zeros(band.inputs)
    if band.cyclic:
        second = squares @ band.as_array()
    elif band.window:
        # By running sums: a channel of ten thousand bins would have a hundred million entries.
        running = np.concatenate([[0.0], np.cumsum(squares[: band.grid_outputs])])
        near = running[band.window :] - running[: -band.window]
        second += (band.floor * running[-1] + band.peak * near) / band.total
    if band.coin and not band.cyclic:
        up = np.array([(band.lean + band.step * x) / band.total for x in range(band.inputs)])
        second += up * squares[-1] + (band.coin / band.total - up) * squares[-2]
    found: Array = second - means**2
    if skipping is None:
        return found
    lost, decoys = float(skipping.lost), band.decoys
    away = float(band.decoy_array() @ values) - means
    skipped: Array = (found + lost * (decoys / (band.total - decoys) * away) ** 2) / (1 - lost)
    return skipped


def worst_variance(band: Band, *, skipping: Skipping | None = None) -> float:
    """Return the largest of `variances`."""
    return float(variances(band, skipping=skipping).max())
