"""The mean square error of a design for places, exactly, for the map at hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.scales.area import Area, Rectangle
from privacy.scales.planar_level import PlanarLevel, tile_edges
from privacy.scales.planar_nearby import parts_of
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.skipping import Skipping

__all__ = ["cell_errors", "checked_prior", "mean_square_error"]


@dataclass(frozen=True)
class _Spread:
    """Middle of a level's outputs, and their mean square distance from it, in metres."""

    x: float
    y: float
    square: float


def cell_errors(
    windows: PlanarWindowChannel, prior: Array | None = None, *, skipping: Skipping | None = None
) -> Array:
    """Return E |y - x|^2 for each true cell x, in square metres; shape (rows, columns).

    Parameters
    ----------
    windows : PlanarWindowChannel
    prior : ndarray, shape (rows, columns), optional
        As for `mean_square_error`; it matters only with `skipping`.
    skipping : Skipping, optional
        How the question may be skipped. "Skipped" is sent for every place with the same chance s and says
        nothing of it, so it is read as the mean m of the prior: (1 - s) E |y - x|^2 + s |m - x|^2.

    Notes
    -----
    Between the middles of cells, as the plane of the projection measures it. A report from a window on a
    lattice is read as the middle of its tile, which loses nothing: all cells of a tile mean the same.

    With beta_l the chance to pass level l and R_l its cells, a place of level m has

        sum over l < m of (beta_1 ... beta_(l-1)) (1 - beta_l) far_l(x)
        + beta_1 ... beta_(m-1) ((1 - beta_m) far_m(x) + beta_m (window + |x - c(x)|^2)),

    far_l the mean square distance from x to R_l, window the mean square distance inside a window from its
    middle c(x); a place of no level has the first sum only.

    References
    ----------
    Feng and Zhu, equations 12 and 13, for one level.

    Examples
    --------
    Two cells 10 m apart, both sensitive, rho = 3, window of one cell: the wrong one is sent with chance 1/4.

    >>> from privacy.scales.area import Area
    >>> area = Area.of_cell_size(west=0, south=0, east=0.00018, north=0.00009, metres=10)
    >>> level = PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 2, 1),),
    ...                     frames=((0, 0, 2, 1, 1, 1),))
    >>> errors = cell_errors(PlanarWindowChannel(mechanism="sm", area=area, levels=(level,)))
    >>> (errors / area.cell_metres[0] ** 2).round(9).tolist()
    [[0.25, 0.25]]
    """
    area = windows.area
    width, height = area.cell_metres
    x, y = np.arange(area.columns) * width, np.arange(area.rows) * height
    errors = np.zeros((area.rows, area.columns))
    # What a place has met before its own level, the same for all that come as far.
    met_x, met_y, passed = np.zeros(area.columns), np.zeros(area.rows), 1.0
    taken = np.zeros(errors.shape, dtype=np.bool_)
    for level in windows.levels:
        beta = float(level.truth)
        spread = _spread(level, width, height)
        met_x += passed * (1 - beta) * ((x - spread.x) ** 2 + spread.square)
        met_y += passed * (1 - beta) * (y - spread.y) ** 2
        passed *= beta
        for part in parts_of(level, (width, height)):
            here = _cells(part.box)
            errors[here] = met_y[here[0], None] + met_x[None, here[1]] + passed * part.errors
            taken[here] = True
    np.copyto(errors, met_y[:, None] + met_x[None, :], where=~taken)
    if skipping is None:
        return errors
    skip_share, about = float(skipping.skip_probability), _about_mean(prior, area)
    skipped: Array = (1 - skip_share) * errors + skip_share * (about.up[:, None] + about.across[None, :])
    return skipped


def _cells(box: Rectangle) -> tuple[slice, slice]:
    left, low, width, height = box
    return slice(low, low + height), slice(left, left + width)


def _within(sides: Array, width: float, height: float) -> Array:
    """Return the mean square distance of the cells of a window from its middle."""
    variance: Array = ((sides[:, 0] ** 2 - 1) * width**2 + (sides[:, 1] ** 2 - 1) * height**2) / 12
    return variance


def _spread(level: PlanarLevel, width: float, height: float) -> _Spread:
    if level.tiles:
        return _spread_of_tiles(level, width, height)
    boxes = np.array(level.rectangles, dtype=np.float64)
    share = boxes[:, 2] * boxes[:, 3] / level.cells
    x = (boxes[:, 0] + (boxes[:, 2] - 1) / 2) * width
    y = (boxes[:, 1] + (boxes[:, 3] - 1) / 2) * height
    middle_x, middle_y = float(share @ x), float(share @ y)
    square = share @ ((x - middle_x) ** 2 + (y - middle_y) ** 2 + _within(boxes[:, 2:], width, height))
    if level.snap:
        # Over all tiles, equally likely, each read as its middle.
        tile = np.array([level.frames[0][4:]], dtype=np.float64)
        square -= _within(tile, width, height)[0]
    return _Spread(middle_x, middle_y, float(square))


def _spread_of_tiles(level: PlanarLevel, width: float, height: float) -> _Spread:
    """Return the spread of all tiles, equally likely, each read as its middle."""
    counts = np.array([across * up for across, up in level.tiles], dtype=np.float64)
    share = counts / counts.sum()
    means, squares = [], np.zeros(len(counts))
    for axis, size in enumerate((width, height)):
        middles = [
            (box[axis] + (edges[:-1] + edges[1:] - 1) / 2) * size
            for box, tiles in zip(level.rectangles, level.tiles, strict=True)
            for edges in [tile_edges(box[2 + axis], tiles[axis])]
        ]
        mean = float(share @ [line.mean() for line in middles])
        means.append(mean)
        squares += [((line - mean) ** 2).mean() for line in middles]
    return _Spread(means[0], means[1], float(share @ squares))


def mean_square_error(
    windows: PlanarWindowChannel, prior: Array | None = None, *, skipping: Skipping | None = None
) -> float:
    """Return the mean of `cell_errors` over a public prior, in square metres.

    Parameters
    ----------
    windows : PlanarWindowChannel
    prior : ndarray, shape (rows, columns), optional
        Weights of the cells, from public knowledge or an earlier private estimate; uniform if left out.
    skipping : Skipping, optional
        As for `cell_errors`.

    Raises
    ------
    PrivacyError
        ``prior``: another shape, a negative weight, or no weight at all.

    Notes
    -----
    Exact, without a look at every cell: squares of distances fall apart into east-west and north-south, so
    sums over rectangles need the weights of their columns and of their rows only. What is left are cells
    where frames compete (see `parts_of`).

    Examples
    --------
    A million cells, rho = 3, a window of half the side: sqrt(35/144) = .493 of the side.

    >>> from privacy.scales.area import Area
    >>> area = Area(west=0, south=0, east=1_000_000, north=1_000_000, columns=1000, rows=1000)
    >>> level = PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 1000, 1000),),
    ...               frames=((0, 0, 1000, 1000, 500, 500),))
    >>> windows = PlanarWindowChannel(mechanism="sm", area=area, levels=(level,))
    >>> round(mean_square_error(windows) ** .5 / area.metres[0], 4)
    0.493
    """
    area = windows.area
    weights = None if prior is None else checked_prior(prior, area)
    width, height = area.cell_metres
    x, y = np.arange(area.columns) * width, np.arange(area.rows) * height
    whole = (0, 0, area.columns, area.rows)
    # Weights of the columns and of the rows, over the places that no level has taken yet.
    columns, rows = (line.copy() for line in _lines(weights, whole))
    total, error, passed = float(columns.sum()), 0.0, 1.0
    for level in windows.levels:
        beta = float(level.truth)
        spread = _spread(level, width, height)
        far = columns @ ((x - spread.x) ** 2 + spread.square) + rows @ (y - spread.y) ** 2
        error += passed * (1 - beta) * float(far)
        passed *= beta
        for part in parts_of(level, (width, height)):
            here = _cells(part.box)
            own_columns, own_rows = _lines(weights, part.box)
            near = own_columns @ part.across + own_rows @ part.up
            if part.rest is not None:
                near += part.rest.sum() if weights is None else (weights[here] * part.rest).sum()
            error += passed * float(near)
            columns[here[1]] -= own_columns
            rows[here[0]] -= own_rows
    if skipping is None:
        return error / total
    skipped = float(skipping.skip_probability)
    return (1 - skipped) * error / total + skipped * _about_mean(prior, area).mean


@dataclass(frozen=True, eq=False)
class _AboutMean:
    """Squares of distances from the mean of a prior, in square metres: of columns, of rows, their mean."""

    across: Array
    up: Array
    mean: float


def _about_mean(prior: Array | None, area: Area) -> _AboutMean:
    weights = None if prior is None else checked_prior(prior, area)
    columns, rows = _lines(weights, (0, 0, area.columns, area.rows))
    width, height = area.cell_metres
    x, y = np.arange(area.columns) * width, np.arange(area.rows) * height
    across = (x - np.average(x, weights=columns)) ** 2
    up = (y - np.average(y, weights=rows)) ** 2
    mean = float(np.average(across, weights=columns) + np.average(up, weights=rows))
    return _AboutMean(across, up, mean)


def _lines(weights: Array | None, box: Rectangle) -> tuple[Array, Array]:
    """Return the weights of a rectangle's columns and of its rows."""
    _, _, width, height = box
    if weights is None:
        return np.full(width, float(height)), np.full(height, float(width))
    own = weights[_cells(box)]
    return own.sum(axis=0), own.sum(axis=1)


def checked_prior(prior: Array, area: Area) -> Array:
    """Return public weights of the cells of a map; refuse another shape, negative ones, or none at all."""
    weights = np.asarray(prior, dtype=np.float64)
    shape = (area.rows, area.columns)
    if weights.shape != shape or not (weights >= 0).all() or not 0 < weights.sum() < np.inf:
        raise PrivacyError("prior.shape", weights.shape, shape=shape)
    return weights
