"""Decode disguised numbers: unbiased values of outputs, their variances, and means."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Array, Flags
from privacy.channel_scores import MOST_ENTRIES, score
from privacy.channels import numerator
from privacy.errors import PrivacyError
from privacy.forged import ratio_shift
from privacy.levels import normal_quantile
from privacy.printed import CHECKED, Measured
from privacy.scales.scale_groups import ScaleGroups, mean_score
from privacy.scales.skips import Skipping
from privacy.scales.window import WindowChannel, backward, forward

MEAN: Final = "mean"
"""Target that stands for the number itself, scaled from 0 (first bin) to 1 (last bin)."""


def output_values(channel: WindowChannel) -> Array:
    """Return for each output the number t(y) with E[t(Y) | x] = middle of bin x.

    Parameters
    ----------
    channel : WindowChannel

    Returns
    -------
    ndarray of float64, shape (channel.outputs,)
        Values in the unit of the answers; they may be far outside the range.

    Raises
    ------
    PrivacyError
        ``cyclic``: the size of a circular window and the number of bins have a common divisor, so that
        different shares give the same reports.

    Notes
    -----
    Under a circular window, t solves sum_y K(y|x) t(y) = middle of x. K depends on y - x alone, so the
    Fourier transform of t is that of the middles divided by the conjugate of that of K(.|0).

    Otherwise, let q be the peak's share of the weight of the grid of m outputs. On average, an output on the
    grid is q (x - (n-1)/2) bins from the middle of the grid; dividing by q reverses this. "Up" and "down"
    represent the middle of the range plus and minus coin / (2 step) bins. Each part is unbiased by itself, so
    their mixture is unbiased.

    References
    ----------
    Duchi, Jordan and Wainwright 2018; Wang, Xiao and others 2019 (piecewise and hybrid), on bins.

    Examples
    --------
    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr
    >>> channel = generalised_rr(NumberRange(low=0, high=2), 5000)  # keeps a bin with probability 1/2
    >>> output_values(channel).tolist()  # E[t | 0] = (-3 / 2 + 1 / 4 * (1 + 5))
    [-3.0, 1.0, 5.0]
    """
    if channel.cyclic:
        return _cyclic_values(channel)
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


def _cyclic_values(channel: WindowChannel) -> Array:
    if not channel.peak or math.gcd(channel.window, channel.inputs) != 1:
        raise PrivacyError("cyclic", channel.window, inputs=channel.inputs)
    middle, bin_size = _centre_and_size(channel)
    target = bin_size * (np.arange(channel.inputs) - (channel.inputs - 1) / 2)
    output = forward(channel, np.eye(1, channel.inputs)[0])
    values: Array = np.fft.irfft(np.fft.rfft(target) / np.conj(np.fft.rfft(output)), n=channel.inputs)
    return values + middle


def _centre_and_size(channel: WindowChannel) -> tuple[float, float]:
    first, last = channel.range.middle(0), channel.range.middle(channel.inputs - 1)
    return float((first + last) / 2), float(channel.range.middle(1) - first)


def variances(channel: WindowChannel) -> Array:
    """Return the variance of t(Y) for each true bin, shape (channel.inputs,), in squared units of answers.

    Parameters
    ----------
    channel : WindowChannel

    Raises
    ------
    PrivacyError
        ``cyclic``: see `output_values`.

    Examples
    --------
    A coin for up or down alone has the variance (e + 1)^2 / (e - 1)^2 - t^2 at numbers t from -1 to 1.

    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import duchi
    >>> (variances(duchi(NumberRange(low=-1, high=1), 1.0))[1] ** .5).round(3)  # (e+1)/(e-1) in units of 1
    np.float64(2.164)
    """
    means, values = _from_centre(channel)
    spread: Array = backward(channel, values**2) - means**2
    return spread


def _from_centre(channel: WindowChannel) -> tuple[Array, Array]:
    """Return the middles of the bins and the values of the outputs, measured from the middle of the range.

    Squares of numbers far from 0 would cancel badly.
    """
    middle, bin_size = _centre_and_size(channel)
    means = bin_size * (np.arange(channel.inputs, dtype=np.float64) - (channel.inputs - 1) / 2)
    return means, output_values(channel) - middle


def expected_variance(channel: WindowChannel) -> float:
    """Return the mean of `variances` for evenly spread people, to rank mechanisms for estimating a mean.

    Ranking by the worst bin would assume that all people are at one end of the range.

    Parameters
    ----------
    channel : WindowChannel

    Examples
    --------
    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import duchi
    >>> round(expected_variance(duchi(NumberRange(low=-1, high=1), 1.0)), 2)  # 4.6828 - t^2
    4.02
    """
    return float(variances(channel).mean())


def variance_of_mean(channel: WindowChannel, *, skipping: Skipping | None = None) -> float:
    """Return the squared standard error of `mean` with one respondent, if people are evenly spread.

    Parameters
    ----------
    channel : WindowChannel
    skipping : Skipping, optional
        How the question may be skipped; no one is assumed to skip.

    Notes
    -----
    With x the middle of the true bin and M the middle of the range, Var t(Y) = E Var(t | x) + Var x. If the
    question may be skipped, the mean is one of answers: its error is that of z, the score of t - M
    (`privacy.scales.scale_skips.answer_scores`), which "skipped" also has. With s the probability that an
    answer sends "skipped", D a decoy, d the number of decoys, T the number of draws and
    c = d / (T - d) (E t(D) - M), z has the variance (Var(t | x) + s (x - M + c)^2) / (1 - s) at x, so

        Var z = (E Var(t | x) + Var x + s c^2) / (1 - s).

    Examples
    --------
    An up-or-down coin at the numbers -1, 0 and 1 is always -1 / .4621 or 1 / .4621:

    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import duchi
    >>> round(variance_of_mean(duchi(NumberRange(low=-1, high=1), 1.0)), 2)
    4.68
    """
    means, values = _from_centre(channel)
    spread = float((backward(channel, values**2) - means**2).mean() + (means**2).mean())
    if skipping is None:
        return spread
    skip_share, decoys = float(skipping.skip_probability), channel.decoys
    offset = decoys / (channel.total - decoys) * float(channel.decoy_array() @ values)
    return (spread + skip_share * offset**2) / (1 - skip_share)


def mean(channel: WindowChannel, groups: ScaleGroups, *, level: float = 0.95, forged: int = 0) -> Measured:
    """Return an unbiased estimate of the mean of the true bins' middles, with a normal interval.

    Parameters
    ----------
    channel : WindowChannel
        Disguise of the protected group.
    groups : ScaleGroups
    level : float
    forged : int
        Number of rows that no device sent.

    Notes
    -----
    Each output counts as its `output_values`, and an undisguised bin as its own middle. The standard error is
    the standard deviation of these values over sqrt(n); rows are taken as an independent sample of the
    population. If the question may be skipped, the result is the mean among answers
    (`privacy.scales.scale_skips.mean_of_answers`), and n counts everyone who was asked.

    Examples
    --------
    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr
    >>> from privacy.scales.scale_groups import scale_groups
    >>> channel = generalised_rr(NumberRange(low=0, high=1), 7500)
    >>> estimate = mean(channel, scale_groups(channel, [50, 50]))
    >>> estimate.value, round(estimate.standard_error, 6)
    (0.5, 0.1)
    """
    middles = np.array([float(channel.range.middle(x)) for x in range(channel.inputs)])
    value, error, n = mean_score(groups, middles, output_values)
    reach = normal_quantile(level) * error
    shift = ratio_shift(groups.scores(middles, output_values), groups.answers, groups.rows, forged)
    return Measured(
        value=value,
        low=value - reach,
        high=value + reach,
        standard_error=error,
        estimable=True,
        n=n,
        effective_n=float(n),
        level=level,
        possible=(float(middles[0]), float(middles[-1])),
        method="mean",
        shift=float(shift),
        origin=CHECKED,
    )


def part_scores(channel: WindowChannel, target: Any) -> tuple[NDArray[Any], Array]:
    """Return flags of the bins that match a target, and the score of each output for it.

    Parameters
    ----------
    channel : WindowChannel
    target : (int, int) or MEAN
        First and last bin. For `MEAN`, the result has the bins scaled to 0 to 1 instead of flags.

    Raises
    ------
    PrivacyError
        ``spans``, ``too_large``; ``no_score``: the channel does not distinguish these bins.

    Examples
    --------
    Keep one of two bins with probability 3/4: the share of the first is (y - 1/4) / (1/2).

    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr
    >>> inside, scores = part_scores(generalised_rr(NumberRange(low=0, high=1), 7500), (0, 0))
    >>> inside.tolist(), scores.tolist()
    ([True, False], [1.5, -0.5])
    """
    if target == MEAN:
        first, last = (float(channel.range.middle(x)) for x in (0, channel.inputs - 1))
        return np.linspace(0, 1, channel.inputs), (output_values(channel) - first) / (last - first)
    return _span_scores(channel, target)


def _span_scores(channel: WindowChannel, target: Any) -> tuple[Flags, Array]:
    ends = tuple(target)
    if len(ends) != 2 or not all(isinstance(end, int) for end in ends):
        raise PrivacyError("spans.pair", target)
    first, last = ends
    if not 0 <= first <= last < channel.inputs:
        raise PrivacyError(
            "spans.outside",
            target,
            first=first,
            last=last,
            inputs=channel.inputs,
            last_bin=channel.inputs - 1,
        )
    bins = np.arange(channel.inputs)
    in_span: Flags = (first <= bins) & (bins <= last)
    if channel.retention_probability is not None:
        p = float(channel.retention_probability)
        return in_span, numerator(in_span.astype(np.float64), p, in_span.mean()) / p
    if channel.outputs * channel.inputs > MOST_ENTRIES:
        raise PrivacyError("too_large.part", channel.inputs, outputs=channel.outputs)
    return in_span, score(channel.as_array(), in_span.astype(np.float64))
