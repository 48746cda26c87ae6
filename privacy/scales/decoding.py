"""Decode disguised numbers and places: unbiased values of outputs, their variances, and means."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from privacy.arrays import Array
from privacy.channels import numerator
from privacy.errors import PrivacyError
from privacy.forged import ratio_shift
from privacy.levels import normal_quantile
from privacy.scales.area import DEGREE, paint_cells
from privacy.scales.em import REACH
from privacy.scales.planar_window import PlanarWindowChannel, reveals_nothing
from privacy.scales.scale_groups import ScaleGroups, mean_score
from privacy.scales.skipping import Skipping
from privacy.scales.window import WindowChannel, backward, forward


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


def variances(channel: WindowChannel, *, skipping: Skipping | None = None) -> Array:
    """Return the variance of t(Y) for each true bin, shape (channel.inputs,), in squared units of answers.

    Parameters
    ----------
    channel : WindowChannel
    skipping : Skipping, optional
        How the question may be skipped; no one is assumed to skip.

    Raises
    ------
    PrivacyError
        ``cyclic``: see `output_values`.

    Notes
    -----
    The middle x of the true bin is the mean of t(Y). If the question may be skipped, an answer has the score
    z = t - x for its value and 1 for having answered (`privacy.scales.em.answer_scores`), and the mean of
    answers has the error of z. With s the probability that an answer sends "skipped", D a decoy, d the number
    of decoys and T the number of draws,

        Var z = (Var t + s (d / (T - d))^2 (E t(D) - x)^2) / (1 - s).

    Examples
    --------
    A coin for up or down alone has the variance (e + 1)^2 / (e - 1)^2 - t^2 at numbers t from -1 to 1.

    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import duchi
    >>> (variances(duchi(NumberRange(low=-1, high=1), 1.0))[1] ** .5).round(3)  # (e+1)/(e-1) in units of 1
    np.float64(2.164)
    """
    middle, bin_size = _centre_and_size(channel)
    # Measure from the middle of the range, because squares of numbers far from 0 would cancel badly.
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


def expected_variance(channel: WindowChannel, *, skipping: Skipping | None = None) -> float:
    """Return the mean of `variances` for evenly spread people, to rank mechanisms for estimating a mean.

    Ranking by the worst bin would assume that all people are at one end of the range.

    Parameters
    ----------
    channel, skipping
        As in `variances`.

    Examples
    --------
    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import duchi
    >>> round(expected_variance(duchi(NumberRange(low=-1, high=1), 1.0)), 2)  # 4.6828 - t^2
    4.02
    """
    return float(variances(channel, skipping=skipping).mean())


@dataclass(frozen=True, kw_only=True)
class Mean:
    """A mean with its standard error and interval, in the unit of the answers.

    `shift` is how far forged rows can have moved it.
    """

    value: float
    standard_error: float
    low: float
    high: float
    n: int
    shift: float = 0.0


def mean(channel: WindowChannel, groups: ScaleGroups, *, level: float = 0.95, forged: int = 0) -> Mean:
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
    (`privacy.scales.em.mean_of_answers`), and n counts everyone who was asked.

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
    return Mean(
        value=value, standard_error=error, low=value - reach, high=value + reach, n=n, shift=float(shift)
    )


@dataclass(frozen=True, kw_only=True)
class MeanPlace:
    """The mean place, in degrees, with its error bounds, in metres.

    Parameters
    ----------
    longitude, latitude : float
    error_east, error_north : float
        Standard errors to the east and to the north.
    off_east, off_north : float
        Largest bias of the estimate, for any number of answers: places with the same disguise cannot be
        distinguished. 0 if the estimate is unbiased.
    n : int
    shift_east, shift_north : float
        How far forged rows can have moved it, in metres.
    """

    longitude: float
    latitude: float
    error_east: float
    error_north: float
    off_east: float
    off_north: float
    n: int
    shift_east: float = 0.0
    shift_north: float = 0.0

    @property
    def reach(self) -> tuple[float, float]:
        """Half-widths of a 95% interval to the east and to the north, including the bias."""
        return (self.off_east + REACH * self.error_east, self.off_north + REACH * self.error_north)


def mean_place(windows: PlanarWindowChannel, groups: ScaleGroups, *, forged: int = 0) -> MeanPlace:
    """Return the mean place of those who answer, from scores of the sent cells' coordinates.

    Parameters
    ----------
    windows : PlanarWindowChannel
        Disguise of the protected group.
    groups : ScaleGroups
        Groups of disguises with one level. An undisguised cell counts as itself.
    forged : int
        Number of rows that no device sent.

    Raises
    ------
    PrivacyError
        ``levels``: there are several levels. ``says_nothing``: all places have the same reports. ``no_rows``,
        ``no_answers``.

    Notes
    -----
    An output y scores s(y) = (r(y) - (1 - beta) r_A)/beta. Here r is the coordinate of y, shifted by d inside
    a level, and r_A is the mean of r for a random cell of the level. So E[s | x] is x outside the level;
    inside, it is the middle of the window of x, shifted by d. If a window's number of cells is even, its
    middle is half a cell to one side of x, and d corrects this. Places that share a window, on a lattice or
    near a border, get the same number whatever the score is. The largest distance between a place and the
    middle of its window bounds the bias of the mean.

    Examples
    --------
    Half of the people are in each of two cells, which are kept with probability 3/4. So 500 of 1,000 rows
    report either cell.

    >>> from privacy.scales.area import Area
    >>> from privacy.scales.planar_level import PlanarLevel
    >>> area = Area.of_cell_size(west=0, south=0, east=0.018, north=0.009, metres=1000)
    >>> level = PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 2, 1),),
    ...                     frames=((0, 0, 2, 1, 1, 1),))
    >>> from privacy.scales.scale_groups import scale_groups
    >>> grid = PlanarWindowChannel(mechanism="grid", area=area, levels=(level,))
    >>> point = mean_place(grid, scale_groups(grid, [500, 500]))
    >>> round(point.longitude, 6), round(point.error_east, 1), point.off_east  # 1 km * .5 / .5 / sqrt(1000)
    (0.009, 31.6, 0.0)
    """
    axes = {
        group.disguise: coordinates(group.disguise)
        for group in groups
        if isinstance(group.disguise, PlanarWindowChannel)
    }

    def scores(axis: int) -> Callable[[PlanarWindowChannel], Array]:
        return lambda disguise: axes[disguise][axis].scores.ravel()

    true = [axes[windows][axis].true.ravel() for axis in (0, 1)]
    mean_scores = [mean_score(groups, true[axis], scores(axis)) for axis in (0, 1)]
    shifts = [
        float(ratio_shift(groups.scores(true[axis], scores(axis)), groups.answers, groups.rows, forged))
        for axis in (0, 1)
    ]
    area, (width, height) = windows.area, windows.area.cell_metres
    (column, east, n), (row, north, _) = mean_scores
    off = [max(own[axis].off for own in axes.values()) for axis in (0, 1)]
    return MeanPlace(
        longitude=(area.west + column * (area.east - area.west) / area.columns) / DEGREE,
        latitude=(area.south + row * (area.north - area.south) / area.rows) / DEGREE,
        error_east=east * width,
        error_north=north * height,
        off_east=off[0] * width,
        off_north=off[1] * height,
        n=n,
        shift_east=shifts[0] * width,
        shift_north=shifts[1] * height,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Coordinate:
    """One coordinate of all cells, in cells: scores of outputs, true values, and the bias of a mean."""

    scores: Array
    true: Array
    off: float


def coordinates(windows: PlanarWindowChannel) -> tuple[Coordinate, Coordinate]:
    """Return each output's scores for the column and the row of a place; shape (rows, columns).

    Parameters
    ----------
    windows : PlanarWindowChannel
        Disguise of a place.
    """
    if len(windows.levels) != 1:
        raise PrivacyError("levels", len(windows.levels))
    if reveals_nothing(windows):
        raise PrivacyError("says_nothing.places", windows.mechanism)
    level, area = windows.levels[0], windows.area
    beta = float(level.truth)
    shifts = _window_shifts(windows)
    probabilities = level.probabilities(area.columns, area.rows)
    inside = probabilities > 0
    axes = []
    for axis, (count, (low, high)) in enumerate(zip((area.columns, area.rows), shifts, strict=True)):
        along: Array = np.arange(count, dtype=np.float64) + 0.5
        true = np.broadcast_to(along if axis == 0 else along[:, None], inside.shape)
        # The middle of a window with an even number of cells is half a cell to one side of its place.
        even = not level.snap and all(size[axis] % 2 == 0 for size in level.sizes)
        moved_back = 0.5 if even else 0.0
        read = true + inside * moved_back
        middle = float((probabilities * read).sum())
        axes.append(
            Coordinate(
                scores=numerator(read, beta, middle) / beta,
                true=true,
                off=max(abs(low + moved_back), abs(high + moved_back)),
            )
        )
    return axes[0], axes[1]


@lru_cache(maxsize=64)
def _window_shifts(windows: PlanarWindowChannel) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the smallest and largest distance of a window's middle from its place, in cells."""
    level, area = windows.levels[0], windows.area
    y, x = np.nonzero(paint_cells(level.rectangles, area.columns, area.rows))
    left, low, across, up = level.windows_of(x.astype(np.int64), y.astype(np.int64))
    east, north = left + across / 2 - x - 0.5, low + up / 2 - y - 0.5
    return (float(east.min()), float(east.max())), (float(north.min()), float(north.max()))
