"""The mean of a number from its disguised answers, with its interval."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from privacy.levels import normal_quantile
from privacy.scales.decoding import output_values
from privacy.scales.scale_groups import ScaleGroups, mean_score
from privacy.scales.window import WindowChannel

__all__ = ["Mean", "mean"]


@dataclass(frozen=True, kw_only=True)
class Mean:
    """A mean with its standard error and interval, in the unit of the answers."""

    value: float
    standard_error: float
    low: float
    high: float
    n: int


def mean(channel: WindowChannel, groups: ScaleGroups, *, level: float = 0.95) -> Mean:
    """Return the mean of the middles of the true bins, unbiased, with a normal interval.

    Parameters
    ----------
    channel : WindowChannel
        Disguise of the protected group.
    groups : ScaleGroups
    level : float

    Notes
    -----
    Each output represents its `output_values`, a bin that is sent as it is for its own middle. The standard
    error is the standard deviation of these values over sqrt(n): rows are taken as an independent sample of
    the population. Where the question may be skipped it is the mean among answers,
    `privacy.scales.skips.mean_of_answers`, and n counts all who were asked.

    Examples
    --------
    >>> from privacy.scales.number_range import NumberRange
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
    return Mean(value=value, standard_error=error, low=value - reach, high=value + reach, n=n)
