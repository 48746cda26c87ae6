"""What disguised places tell together: the density on the map, and shares of regions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privacy import validation
from privacy.channels.planar_operator import Operator
from privacy.channels.planar_window import Region, Windows
from privacy.channels.rectangles import painted, read_rectangle
from privacy.channels.score import LARGEST, score
from privacy.errors import PrivacyError
from privacy.estimation.em import GAIN, MOST_STEPS, Fit, Map, fit
from privacy.estimation.map_parts import plain_scores

__all__ = ["Share", "density", "region_share", "shown_cells"]

Array: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Share:
    """Share of people whose place lies in a region, with its standard error; may leave [0, 1]."""

    value: float
    standard_error: float
    n: int


def density(
    windows: Windows,
    counts: ArrayLike,
    *,
    smooth: bool = False,
    direct: ArrayLike | None = None,
    gain: float = GAIN,
    most_steps: int = MOST_STEPS,
) -> Fit:
    """Return the share of each cell, from counts of the cells that were sent.

    Parameters
    ----------
    windows : Windows
    counts : array_like of int, shape (cells,) or (rows, columns)
        Rows of the protected group by the cell they sent.
    smooth : bool
        Plain EM (default) overfits to a speckle, smoothed EM blurs borders: look at both.
    direct : array_like of int, same shape, optional
        Rows of the direct group; their shares are mixed with those reconstructed from the others.
    gain, most_steps
        When to stop.

    Raises
    ------
    PrivacyError
        ``counts``, ``no_rows``.

    Examples
    --------
    Two cells, told apart with chance 3/4; all people are in the first:

    >>> from privacy.channels.area import Area
    >>> from privacy.channels.planar_level import Level
    >>> area = Area(west=0, south=0, east=2000, north=1000, columns=2, rows=1)
    >>> level = Level(numerator=3, denominator=1, rectangles=((0, 0, 2, 1),), frames=((0, 0, 2, 1, 1, 1),))
    >>> found = density(Windows(mechanism="grid", area=area, levels=(level,)), [750, 250])
    >>> found.shares.round(2).tolist()
    [[1.0, 0.0]]
    """
    operator = Operator(windows)
    table = counted_map(counts, windows, "counts")
    found = fitted(
        table, operator.forward, operator.backward, smooth=smooth, gain=gain, most_steps=most_steps
    )
    if direct is None:
        return found
    return beside(counted_map(direct, windows, "direct counts"), found, float(table.sum()))


def fitted(sent: Array, forward: Map, backward: Map, *, smooth: bool, gain: float, most_steps: int) -> Fit:
    """Return the shares of all cells of a map, from even ones on, under a channel and its transpose."""
    return fit(
        sent,
        np.full(sent.shape, 1 / sent.size),
        forward,
        backward,
        values=(-2, -1),
        outputs=(-2, -1),
        smooth=smooth,
        gain=gain,
        most_steps=most_steps,
    )


def beside(told: Array, found: Fit, people: float) -> Fit:
    """Return the shares among direct rows and those reconstructed of `people` others, mixed."""
    shares = (told + found.shares * people) / (told.sum() + people)
    return Fit(shares=shares, steps=found.steps, gain=found.gain, reason=found.reason)


def counted_map(counts: ArrayLike, windows: Windows, name: str) -> Array:
    """Return counts of the cells as a map of floats; refuse another size, and what is no count."""
    table = np.asarray(counts, dtype=np.float64)
    if table.size != windows.outputs or not ((table >= 0) & np.isfinite(table)).all():
        raise PrivacyError("counts.cells", table.shape, name=name, outputs=windows.outputs)
    return table.reshape(windows.area.rows, windows.area.columns)


def shown_cells(shares: Array, n: int, n_min: float) -> NDArray[np.bool_]:
    """Return which cells may be shown: those that hold `n_min` people or more, by the reconstruction."""
    n_min = validation.real_number(n_min, "n_min", low=0, high=1e12, code="n_min")
    shown: NDArray[np.bool_] = shares * n >= n_min
    return shown


def region_share(
    windows: Windows, counts: ArrayLike, region: Region, *, direct: ArrayLike | None = None
) -> Share:
    """Return the share of people in a region, unbiased, with the standard error of the population.

    Parameters
    ----------
    windows : Windows
    counts, direct
        As for `density`.
    region : tuple of Rectangle
        Rectangles of cells that share no cell.

    Raises
    ------
    PrivacyError
        ``regions``; ``too_large``: on a map of more than 2,000 cells a region has to hold each window wholly
        or not at all, or to cut no border of a rectangle in which windows move; ``no_score``, ``no_rows``.

    Notes
    -----
    Where the region holds every window wholly or not at all, an output in it scores (1 - (1-beta) q)/beta and
    one outside it -(1-beta) q/beta, with q = S_R/S_A: the share is (n_R/n - (1-beta) q)/beta, its error
    sqrt(lambda (1-lambda)/n)/beta with lambda = n_R/n. Elsewhere outputs of a small map have the
    least-variance scores of `privacy.channels.score.score`; of a larger one, whose windows move in rectangles
    of their own, those of `privacy.estimation.map_parts.plain_scores`.

    Examples
    --------
    >>> from privacy.channels.area import Area
    >>> from privacy.channels.planar_level import Level
    >>> area = Area(west=0, south=0, east=3000, north=1000, columns=3, rows=1)
    >>> level = Level(numerator=3, denominator=1, rectangles=((0, 0, 2, 1),), frames=((0, 0, 2, 1, 1, 1),))
    >>> usm = Windows(mechanism="usm", area=area, levels=(level,))  # beta = 1/2
    >>> region_share(usm, [40, 40, 20], ((2, 0, 1, 1),)).value  # outside: .2 / beta
    0.4
    """
    table = counted_map(counts, windows, "counts")
    inside, scores = region_scores(windows, region)
    values, weights = [scores], [table.ravel()]
    if direct is not None:
        values.append(inside.astype(np.float64))
        weights.append(counted_map(direct, windows, "direct counts").ravel())
    value = np.concatenate(values)
    weight = np.concatenate(weights)
    n = int(weight.sum())
    if n == 0:
        raise PrivacyError("no_rows.part", 0)
    mean = float(weight @ value / n)
    return Share(value=mean, standard_error=float(np.sqrt(weight @ (value - mean) ** 2) / n), n=n)


def region_scores(windows: Windows, region: Region) -> tuple[NDArray[np.bool_], Array]:
    """Return which cells lie in a region, and what each output scores for it; both of shape (cells,)."""
    columns, rows = windows.area.columns, windows.area.rows
    region = tuple(read_rectangle(part, columns, rows, code="regions") for part in region)
    inside = painted(region, columns, rows).ravel()
    # Small maps whose windows are cut have the scores of least variance; plain ones need no matrix.
    if windows.inputs**2 <= LARGEST and not windows.follows_law(region):
        return inside, _least_variance(windows, inside.tobytes())
    scores = plain_scores(windows, region)
    if scores is None:
        raise PrivacyError("too_large.region", windows.inputs)
    return inside, scores


@lru_cache(maxsize=128)
def _least_variance(windows: Windows, inside: bytes) -> Array:
    """Return the scores of a region; kept, since one page reads many regions and parts of one map."""
    found = score(_matrix(windows), np.frombuffer(inside, dtype=np.bool_).astype(np.float64))
    found.setflags(write=False)
    return found


@lru_cache(maxsize=2)
def _matrix(windows: Windows) -> Array:
    operator = Operator(windows)
    unit = np.eye(windows.inputs).reshape(-1, *operator.shape)
    return np.stack([operator.forward(one).ravel() for one in unit], axis=1)
