"""Decoding of one disguised number: an unbiased value for each output, and its variance."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.scales.skipping import Skipping
from privacy.scales.window import WindowChannel, backward, forward

__all__ = ["expected_variance", "output_values", "variances"]


def output_values(channel: WindowChannel) -> Array:
    """Return for each output the number t(y) with E[t(Y) | x] = middle of bin x.

    Parameters
    ----------
    channel : WindowChannel

    Returns
    -------
    ndarray of float64, shape (channel.outputs,)
        In the unit of the answers; may lie far outside the range.

    Raises
    ------
    PrivacyError
        ``cyclic``: a window that goes round the end and has a divisor in common with the number of bins sends
        different shares of numbers alike.

    Notes
    -----
    Under a window that goes round, t solves sum_y K(y|x) t(y) = middle of x; K depends on y - x alone, so the
    Fourier transform of t is that of the middles over the conjugate of that of K(.|0).

    Else, on the grid of m outputs, with q the share of the peak's weight in the grid's, an output lies on
    average q (x - (n-1)/2) bins from the middle of the grid: dividing by q undoes it. "Up" and "down" stand
    for the middle of the range plus and minus coin / (2 step) bins. Both parts are unbiased by themselves, so
    their mixture is.

    References
    ----------
    Duchi, Jordan and Wainwright 2018; Wang, Xiao and others 2019 (piecewise and hybrid), on bins.

    Examples
    --------
    >>> from privacy.scales.number_range import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr
    >>> channel = generalised_rr(NumberRange(low=0, high=2), 5000)  # keeps 1/2, else either other
    >>> output_values(channel).tolist()  # E[t | 0] = (-3 / 2 + 1 / 4 * (1 + 5))
    [-3.0, 1.0, 5.0]
    """
    if channel.cyclic:
        return _round_values(channel)
    middle, bin_size = _centre_and_size(channel)
    values = np.empty(channel.outputs)
    if channel.window:
        grid = channel.floor * channel.grid_outputs + channel.peak * channel.window
        share = channel.peak * channel.window / grid
        outputs = np.arange(channel.grid_outputs)
        values[: channel.grid_outputs] = (
            middle + bin_size * (outputs - (channel.grid_outputs - 1) / 2) / share
        )
    if channel.coin:
        far = bin_size * channel.coin / (2 * channel.step)
        values[-2:] = middle - far, middle + far
    return values


def _round_values(channel: WindowChannel) -> Array:
    if not channel.peak or math.gcd(channel.window, channel.inputs) != 1:
        raise PrivacyError("cyclic", channel.window, inputs=channel.inputs)
    middle, bin_size = _centre_and_size(channel)
    wanted = bin_size * (np.arange(channel.inputs) - (channel.inputs - 1) / 2)
    sent = forward(channel, np.eye(1, channel.inputs)[0])
    values: Array = np.fft.irfft(np.fft.rfft(wanted) / np.conj(np.fft.rfft(sent)), n=channel.inputs)
    return values + middle


def _centre_and_size(channel: WindowChannel) -> tuple[float, float]:
    first, last = channel.range.middle(0), channel.range.middle(channel.inputs - 1)
    return float((first + last) / 2), float(channel.range.middle(1) - first)


def variances(channel: WindowChannel, *, skipping: Skipping | None = None) -> Array:
    """Return the variance of t(Y) for each true bin, shape (channel.inputs,), in squared units of answers.

    Parameters
    ----------
    channel : WindowChannel
    skipping : Skipping, optional
        How the question may be skipped; no one does.

    Raises
    ------
    PrivacyError
        ``cyclic``: see `output_values`.

    Notes
    -----
    The middle x of the true bin is the mean of t(Y). Where the question may be skipped an answer scores
    z = t - x and 1 (`privacy.scales.skips.answer_scores`), and the mean of answers errs as z does:
    with s the probability that "skipped" is sent for an answer, D a decoy, d their number and T all draws,

        Var z = (Var t + s (d / (T - d))^2 (E t(D) - x)^2) / (1 - s).

    Examples
    --------
    A coin that says up or down alone: (e + 1)^2 / (e - 1)^2 - t^2 over numbers t from -1 to 1.

    >>> from privacy.scales.number_range import NumberRange
    >>> from privacy.scales.numeric_mechanisms import duchi
    >>> (variances(duchi(NumberRange(low=-1, high=1), 1.0))[1] ** .5).round(3)  # (e+1)/(e-1) in units of 1
    np.float64(2.164)
    """
    middle, bin_size = _centre_and_size(channel)
    # About the middle of the range: far from 0 the squares would swamp what they differ by.
    means = bin_size * (np.arange(channel.inputs, dtype=np.float64) - (channel.inputs - 1) / 2)
    values = output_values(channel) - middle
    spread: Array = backward(channel, values**2) - means**2
    if skipping is None:
        return spread
    skip_share, decoys = float(skipping.skip_probability), channel.decoys
    away = float(channel.decoy_array() @ values) - means
    skipped: Array = (spread + skip_share * (decoys / (channel.total - decoys) * away) ** 2) / (
        1 - skip_share
    )
    return skipped


def expected_variance(
    channel: WindowChannel, *, prior: ArrayLike | None = None, skipping: Skipping | None = None
) -> float:
    """Return the mean of `variances` over people: what ranks mechanisms for a mean.

    The worst bin ranks them for people who all sit at an end of the range, where no one may be.

    Parameters
    ----------
    channel, skipping
        As for `variances`.
    prior : array_like, shape (channel.inputs,), optional
        Weights of the bins; even if left out. From public sources, never from these answers.

    Raises
    ------
    PrivacyError
        ``prior``: another length, negative, or nothing but zeros. ``cyclic``: see `output_values`.

    Examples
    --------
    >>> from privacy.scales.number_range import NumberRange
    >>> from privacy.scales.numeric_mechanisms import duchi
    >>> coin = duchi(NumberRange(low=-1, high=1), 1.0)  # 4.6828 - t^2
    >>> [round(expected_variance(coin, prior=prior), 2) for prior in (None, [0, 1, 0], [1, 0, 1])]
    [4.02, 4.68, 3.68]
    """
    weights = np.ones(channel.inputs) if prior is None else np.asarray(prior, dtype=np.float64)
    if (
        weights.shape != (channel.inputs,)
        or not (np.isfinite(weights) & (weights >= 0)).all()
        or not weights.any()
    ):
        raise PrivacyError("prior.weights", weights.shape, inputs=channel.inputs)
    return float(weights @ variances(channel, skipping=skipping) / weights.sum())
