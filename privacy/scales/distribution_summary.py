"""The mean of a number from its disguised answers, with its interval; quantiles of known shares.

The shape of a number's distribution from its disguised answers: likely shares of bins, without errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from privacy.arrays import Array
from privacy.levels import normal_quantile
from privacy.scales.decoding import output_values
from privacy.scales.em import GAIN, MOST_STEPS, Fit
from privacy.scales.scale_groups import mean_score, mixed_fit, scale_groups
from privacy.scales.skipping import Skipping
from privacy.scales.window import WindowChannel

__all__ = ["Mean", "distribution", "mean", "quantiles_of"]


@dataclass(frozen=True, kw_only=True)
class Mean:
    """A mean with its standard error and interval, in the unit of the answers."""

    value: float
    standard_error: float
    low: float
    high: float
    n: int


def mean(
    channel: WindowChannel,
    counts: ArrayLike,
    *,
    direct: ArrayLike | None = None,
    light: WindowChannel | None = None,
    skipping: Skipping | None = None,
    level: float = 0.95,
) -> Mean:
    """Return the mean of the middles of the true bins, unbiased, with a normal interval.

    Parameters
    ----------
    channel, counts, direct, light, skipping
        As for `privacy.scales.distribution_summary.distribution`.
    level : float

    Notes
    -----
    Each output stands for its `output_values`, a bin that is sent as it is for its own middle. The standard
    error is the standard deviation of these values over sqrt(n): rows are taken as an independent sample of
    the population. Where the question may be skipped it is the mean among answers,
    `privacy.scales.skips.mean_of_answers`, and n counts all who were asked.

    Examples
    --------
    >>> from privacy.scales.number_range import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr
    >>> estimate = mean(generalised_rr(NumberRange(low=0, high=1), 7500), [50, 50])
    >>> estimate.value, round(estimate.standard_error, 6)
    (0.5, 0.1)
    """
    middles = np.array([float(channel.range.middle(x)) for x in range(channel.inputs)])
    groups = scale_groups(channel, counts, direct=direct, light=light, skipping=skipping)
    value, error, n = mean_score(groups, middles, output_values)
    reach = normal_quantile(level) * error
    return Mean(value=value, standard_error=error, low=value - reach, high=value + reach, n=n)


def quantiles_of(channel: WindowChannel, shares: Array, at: Sequence[float]) -> Array:
    """Return quantiles of shares of the bins, numbers spread evenly within a bin; shape (..., len(at)).

    Parameters
    ----------
    channel : WindowChannel
        Whose range the bins divide.
    shares : ndarray of shape (..., bins)
        Shares of the bins.
    at : sequence of float
        In [0, 1].
    """
    size = float(channel.range.middle(1) - channel.range.middle(0))
    begin = float(channel.range.middle(0)) - size / 2
    running = np.cumsum(shares, axis=-1)
    running = running / running[..., -1:]
    quantiles = np.empty((*shares.shape[:-1], len(at)))
    for position, share in enumerate(at):
        bins = np.minimum((running < share).sum(axis=-1), channel.inputs - 1)
        above = np.take_along_axis(running, bins[..., None], axis=-1)[..., 0]
        width = np.take_along_axis(shares, bins[..., None], axis=-1)[..., 0]
        inside = 1 - np.divide(above - share, width, out=np.zeros_like(width), where=width > 0)
        quantiles[..., position] = begin + size * (bins + np.clip(inside, 0, 1))
    return quantiles


def distribution(
    channel: WindowChannel,
    counts: ArrayLike,
    *,
    direct: ArrayLike | None = None,
    light: WindowChannel | None = None,
    skipping: Skipping | None = None,
    smooth: bool = True,
    gain: float = GAIN,
    most_steps: int = MOST_STEPS,
) -> Fit:
    """Return the shares of the bins from counts of the outputs.

    Parameters
    ----------
    channel : WindowChannel
        Disguise of the protected group.
    counts, direct, light, skipping
        As for `privacy.scales.scale_groups.scale_groups`. Where the question may be skipped the shares
        are those among the people who answer.
    smooth : bool
        EMS (default) or plain EM, see `privacy.scales.em.fit`.
    gain, most_steps
        When to stop.

    Raises
    ------
    PrivacyError
        ``counts`` (another shape, or negative), ``no_rows``.

    Examples
    --------
    Ten thousand people of whom all said the first of two bins, kept with chance 3/4:

    >>> from privacy.scales.number_range import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr
    >>> channel = generalised_rr(NumberRange(low=0, high=1), 7500)
    >>> distribution(channel, [7500, 2500], smooth=False).shares.round(2).tolist()
    [1.0, 0.0]
    """
    groups = scale_groups(channel, counts, direct=direct, light=light, skipping=skipping)
    return mixed_fit(groups, (channel.inputs,), smooth=smooth, gain=gain, most_steps=most_steps)
