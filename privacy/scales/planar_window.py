"""Window channel of a place, with integer weights: windows of cells inside the sensitive part of a map.

One class covers the square mechanism (everything is sensitive), its utility-optimised form (only rectangles
are), randomised response on a grid in both forms (windows on a lattice), and several levels of sensitivity.

`Operator` applies the channel and its transpose to a whole map by sums over windows, without a matrix.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, lru_cache, partial
from itertools import combinations
from math import prod
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy import validation
from privacy.arrays import Array, Flags, Whole
from privacy.channels import Channel
from privacy.errors import PrivacyError
from privacy.scales.area import Area
from privacy.scales.disguise import ScaleDisguise
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_maxima import planar_maxima
from privacy.scales.planar_rectangles import Rectangle, overlap, paint_cells, read_frame, read_rectangle
from privacy.scales.planar_sent import sent_cells

Region: TypeAlias = tuple[Rectangle, ...]

MOST_MAP_LEVELS: Final = 8
MOST_BITS: Final = 1_024
LARGEST_CHANNEL: Final = 1_024


@dataclass(frozen=True, kw_only=True)
class PlanarWindowChannel(ScaleDisguise):
    """Planar window channel: disguise of a place, given as a cell.

    Parameters
    ----------
    mechanism : str
        Name of the mechanism behind the parameters; it has no effect.
    area : Area
        The map and its cells.
    levels : tuple of PlanarLevel
        Sensitive cells, the most sensitive level first; no cell is in two. Cells outside all levels are sent
        undisguised, unless they are replaced by a cell of a level.
    regions : tuple of tuple of Rectangle
        Cells of each item that the question declares, in the order of its options; they do not overlap.

    Raises
    ------
    PrivacyError
        With codes ``disguise``, ``rectangle``, ``frame``, ``overlap``, ``too_large``, ``regions``.

    Notes
    -----
    One draw u below T = T_1 T_2 ... holds one number per level: u_1 = u mod T_1, and u div T_1 holds the next
    ones. A place goes through the levels in order. At a level before its own, u_l below k_l W_l lets it pass;
    otherwise any cell of level l is sent. At its own level, u_l below k_l W_l sends a cell of its window;
    otherwise any cell of the level is sent. A place outside all levels that passes all of them is sent as it
    is. For y in level l and any two places of level l or later, the probabilities of y differ by at most the
    factor rho_l; places of earlier levels never send y.

    References
    ----------
    Feng and Zhu, utility-optimised square mechanism, equations 8-10, written as a mixture.

    Examples
    --------
    The first two of four cells in a row are sensitive. With rho = 3 and windows of one cell, T = 2 + 2:

    >>> area = Area(west=0, south=0, east=40, north=10, columns=4, rows=1)
    >>> usm = PlanarWindowChannel(mechanism="usm", area=area, levels=(PlanarLevel(numerator=3, denominator=1,
    ...               rectangles=((0, 0, 2, 1),), frames=((0, 0, 2, 1, 1, 1),)),))
    >>> usm.total, usm.weights[:, [0, 3]].T.tolist()
    (4, [[3, 1, 0, 0], [1, 1, 0, 2]])
    """

    mechanism: str
    area: Area
    levels: tuple[PlanarLevel, ...]
    regions: tuple[Region, ...] = ()

    def __post_init__(self) -> None:
        validation.key(self.mechanism, "mechanism", code="disguise")
        validation.instance(self.area, "area", Area, code="disguise")
        levels = validation.as_tuple(self.levels, "levels", code="disguise")
        if not 1 <= len(levels) <= MOST_MAP_LEVELS or not all(
            isinstance(level, PlanarLevel) for level in levels
        ):
            raise PrivacyError("disguise.levels", levels, count=len(levels), most=MOST_MAP_LEVELS)
        columns, rows = self.area.columns, self.area.rows
        for level in self.levels:
            for rectangle in level.rectangles:
                read_rectangle(rectangle, columns, rows)
            for frame in level.frames:
                read_frame(frame, columns, rows)
        for first, second in combinations(self.levels, 2):
            if any(
                overlap(first_box, other) for first_box in first.rectangles for other in second.rectangles
            ):
                raise PrivacyError("overlap.levels")
        if self.total.bit_length() > MOST_BITS:
            raise PrivacyError("too_large.planar_weights", self.total.bit_length(), most=MOST_BITS)
        object.__setattr__(self, "regions", self._checked_regions())

    def _checked_regions(self) -> tuple[Region, ...]:
        regions = []
        for entry in validation.as_tuple(self.regions, "regions", code="regions"):
            parts = validation.as_tuple(entry, "region", code="regions")
            regions.append(
                tuple(
                    read_rectangle(part, self.area.columns, self.area.rows, code="regions") for part in parts
                )
            )
            if not parts:
                raise PrivacyError("regions.region", entry)
        flat = [part for region in regions for part in region]
        if any(overlap(first, second) for first, second in combinations(flat, 2)):
            raise PrivacyError("regions.overlap")
        return tuple(regions)

    @property
    def domain(self) -> tuple[Area, tuple[Region, ...]]:
        """The map, and the cells of each item."""
        return self.area, self.regions

    @property
    def declared(self) -> tuple[Region, ...]:
        """Regions, one for each item."""
        return self.regions

    @property
    def inputs(self) -> int:
        """Number of cells."""
        return self.area.cells

    @property
    def outputs(self) -> int:
        """Number of cells."""
        return self.area.cells

    @cached_property
    def total(self) -> int:
        """T; a device draws from 0 to T - 1."""
        return prod(level.total for level in self.levels)

    def level_of(self, cell: int) -> int:
        """Return the number of the level that contains a cell; the number of levels if none does."""
        y, x = divmod(cell, self.area.columns)
        return next(
            (number for number, level in enumerate(self.levels) if level.holds(x, y)), len(self.levels)
        )

    @cached_property
    def decoys(self) -> int:
        """Number of draws that send the same cell of the first level for every place."""
        first = self.levels[0]
        return self.total // first.total * first.denominator * first.ground

    def decoy_weight(self, y: int) -> int:
        """Return how many of the `decoys` send cell `y`."""
        first = self.levels[0]
        if self.level_of(y):
            return 0
        row, column = divmod(y, self.area.columns)
        return self.total // first.total * first.denominator * first.parts_at(column, row)

    def decoy_array(self) -> Array:
        """Return the probability of each cell under a decoy, shape (cells,)."""
        return self.levels[0].probabilities(self.area.columns, self.area.rows).ravel()

    @property
    def weights(self) -> NDArray[Any]:
        """How many of the `total` draws send cell y for cell x, at [y, x], as Python integers."""
        cells = np.arange(self.inputs)
        row, column = np.divmod(cells, self.area.columns)
        weights = np.zeros((self.inputs, self.inputs), dtype=object)
        passed, rest, coming = 1, self.total, np.ones(self.inputs, dtype=np.bool_)
        for level in self.levels:
            rest //= level.total
            level_cells = np.flatnonzero(paint_cells(level.rectangles, self.area.columns, self.area.rows))
            y, x = row[level_cells], column[level_cells]
            left, low, across, up = level.windows_of(x, y)
            in_window = (left <= x[:, None]) & (x[:, None] < left + across)
            in_window &= (low <= y[:, None]) & (y[:, None] < low + up)
            parts = passed * rest * (level.parts // (across * up).astype(object))[:, None]
            weights[np.ix_(level_cells, cells[coming])] = parts * level.denominator
            weights[np.ix_(level_cells, level_cells)] += (
                parts * (level.numerator - level.denominator) * in_window
            )
            passed *= level.near
            coming[level_cells] = False
        weights[cells[coming], cells[coming]] = passed
        return weights

    @property
    def channel(self) -> Channel:
        """The exact channel of a small map, of at most 1,024 cells."""
        if self.inputs > LARGEST_CHANNEL:
            raise PrivacyError("too_large.planar_channel", self.inputs)
        # Only a few of the thousands of entries differ, so cache their fractions.
        share = cache(lambda weight: Fraction(weight, self.total))
        return Channel(matrix=tuple(tuple(map(share, row)) for row in self.weights.tolist()))

    @property
    def exact_outside(self) -> bool:
        """Whether some cells are outside all levels: a report from there is certainly the true cell."""
        return sum(level.cells for level in self.levels) < self.inputs

    def is_exact_in(self, target: Any) -> bool:
        """Return whether a region contains cells whose places are sent undisguised."""
        rows, columns = self.shape
        sensitive = np.zeros(self.shape, dtype=np.bool_)
        for level in self.levels:
            sensitive |= paint_cells(level.rectangles, columns, rows)
        return bool((paint_cells(target, columns, rows) & ~sensitive).any())

    @property
    def amplification(self) -> Fraction | None:
        """gamma over all pairs of cells; None if infinite, as with several levels or cells outside them."""
        if self.exact_outside or len(self.levels) > 1:
            return None
        return self.levels[0].amplification

    @property
    def decoy_bound(self) -> Fraction:
        """rho of the first level, whose cells decoys send."""
        return self.levels[0].amplification

    @property
    def sensitive_amplification(self) -> Fraction:
        """The largest rho of the levels, which bounds inferences between the covered places."""
        return max(level.amplification for level in self.levels)

    @cached_property
    def retention_probability(self) -> Fraction | None:
        """p if every region R has P(y in R) = p [x in R] + (1 - p) q; None if that fails for a region.

        It holds with p = beta and q = (cells of R in A) / (cells of A) if there is one level and each window
        is wholly inside R or wholly outside it.
        """
        if len(self.levels) != 1 or not all(self.is_retention_channel(region) for region in self.regions):
            return None
        return self.levels[0].truth

    def is_retention_channel(self, region: Region) -> bool:
        """Return whether there is one level and each window is wholly inside the region or wholly outside."""
        return len(self.levels) == 1 and _cuts_no_window(self.area, self.levels[0], region)

    @cached_property
    def decoy_shares(self) -> tuple[Fraction, ...]:
        """Probability q that a decoy is in each declared region."""
        return tuple(self.levels[0].share_of(region) for region in self.regions)

    def item_values(self, item: int) -> Flags:
        """Flag the cells of a declared region, by cell number."""
        return paint_cells(self.regions[item], self.area.columns, self.area.rows).ravel()

    def to_json(self) -> dict[str, Any]:
        """Return the disguise as a device reads it; weights are decimal texts."""
        return {
            "mechanism": self.mechanism,
            "area": self.area.to_json(),
            "levels": [level.to_json() for level in self.levels],
            "regions": [[list(part) for part in region] for region in self.regions],
        }

    @property
    def level_bounds(self) -> tuple[Fraction, ...]:
        """Amplification of each level."""
        return tuple(level.amplification for level in self.levels)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the map."""
        return self.area.rows, self.area.columns

    def maps(self) -> tuple[Callable[[Array], Array], Callable[[Array], Array]]:
        """Return `Operator.forward` and `Operator.backward` of this channel, along flattened maps."""
        operator = Operator(self)

        def flat(step: Callable[[Array], Array], values: Array) -> Array:
            return step(values.reshape(*values.shape[:-1], *operator.shape)).reshape(values.shape)

        return partial(flat, operator.forward), partial(flat, operator.backward)

    def largest_joint(self, shares: Array) -> tuple[Array, Array]:
        """Return max_x K(y, x) s(x) and sum_x K(y, x) s(x) for each cell y."""
        table = shares.reshape(self.shape)
        return planar_maxima(self.levels, table).ravel(), np.maximum(Operator(self).forward(table), 0).ravel()

    def sent(self, answers: Whole, draws: NDArray[Any]) -> Whole:
        """Return the cell that each row sends for its place under its draw."""
        return sent_cells(self.area, self.levels, answers, draws)

    def are_decoys(self, draws: NDArray[Any]) -> Flags:
        """Flag the draws that send the same cell for every place."""
        first = self.levels[0]
        return np.asarray(draws % first.total >= first.near, dtype=bool)


@lru_cache(maxsize=64)
def _cuts_no_window(area: Area, level: PlanarLevel, region: Region) -> bool:
    """Return whether a region cuts no window of a level; cached, because designs never change."""
    in_level = paint_cells(level.rectangles, area.columns, area.rows)
    y, x = np.nonzero(in_level)
    left, low, across, up = level.windows_of(x.astype(np.int64), y.astype(np.int64))
    in_region = paint_cells(region, area.columns, area.rows)
    sums = np.zeros((area.rows + 1, area.columns + 1), dtype=np.int64)
    sums[1:, 1:] = in_region.cumsum(axis=0).cumsum(axis=1)
    right, top = left + across, low + up
    counts = sums[top, right] - sums[low, right] - sums[top, left] + sums[low, left]
    return np.array_equal(counts, np.where(in_region[in_level], across * up, 0))


@dataclass(frozen=True, eq=False)
class _Sized:
    """The windows of one size in a level: their cells, and their starts.

    Attributes
    ----------
    across, up : int
        Columns and rows of a window.
    cells : ndarray of int64
        Numbers, on the map, of the cells that have such a window.
    corners : ndarray of int64
        Number of the first cell of each cell's window, inside the box.
    near : float
        Additional probability of each cell of a window, compared to other cells of the level.
    """

    across: int
    up: int
    cells: Whole
    corners: Whole
    near: float


@dataclass(frozen=True, eq=False)
class _LevelWindows:
    """A level: its cells, the box around them, its windows by size, and the probability of passing it.

    `far` is the probability of each cell of the box, outside windows, for any place that reaches the level.
    """

    inside: Flags
    box: tuple[slice, slice]
    sizes: tuple[_Sized, ...]
    far: Array
    beta: float
    passing: Array


class Operator:
    """The channel of a disguise over all cells of its map.

    Parameters
    ----------
    windows : PlanarWindowChannel

    Notes
    -----
    Every window is a rectangle of cells. So the contributions of cells to their windows are summed at the
    windows' starts and spread by two sliding sums, one along each axis; the transpose applies the sliding
    sums first. The cost of a step is proportional to the number of cells, for any frames, lattices and
    levels.
    """

    def __init__(self, windows: PlanarWindowChannel) -> None:
        self.windows = windows
        self.shape = (windows.area.rows, windows.area.columns)
        self._levels = tuple(_level_windows(level, self.shape) for level in windows.levels)
        self._outside = np.ones(self.shape)
        for level in self._levels:
            self._outside[level.inside] = 0
        self._passing = self._outside * np.prod([level.beta for level in self._levels])

    def forward(self, shares: Array) -> Array:
        """Return the output probabilities under shares of the cells; both of shape (..., rows, columns)."""
        outputs = np.zeros(shares.shape)
        left = shares.astype(np.float64)
        tables = shares.shape[:-2]
        for level in self._levels:
            box = level.inside[level.box].shape
            whole, flat = left.sum(axis=(-2, -1), keepdims=True), left.reshape(*tables, -1)
            near = np.zeros((*tables, *box))
            for size in level.sizes:
                marks = _summed_at(flat[..., size.cells], size.corners, box)
                near += size.near * _spread(marks, size)
            near *= level.inside[level.box]
            near += level.far * whole
            outputs[..., *level.box] += near
            left *= level.passing
        outputs += left
        return outputs

    def backward(self, ratios: Array) -> Array:
        """Return the transpose of `forward`, applied to one number per output, shape (..., rows, columns)."""
        result = ratios * self._passing
        tables = ratios.shape[:-2]
        flat = result.reshape(*tables, -1)
        passed = 1.0
        # Contributions of earlier levels, equal for all places that reach this one.
        met = np.zeros((*tables, 1))
        for level in self._levels:
            in_box = ratios[..., *level.box]
            any_cell = passed * (in_box * level.far).sum(axis=(-2, -1))[..., None]
            for size in level.sizes:
                sums = _window_sums(in_box, size).reshape(*tables, -1)[..., size.corners]
                sums *= passed * size.near
                sums += met + any_cell
                flat[..., size.cells] = sums
            met = met + any_cell
            passed *= level.beta
        result += met[..., None] * self._outside
        return result


def _summed_at(values: Array, corners: Whole, box: tuple[int, ...]) -> Array:
    """Sum values of shape (..., cells) at the starts of their windows, to (..., rows, columns) of the box."""
    tables, size = values.shape[:-1], box[0] * box[1]
    if not tables:
        return np.bincount(corners, values, size).astype(np.float64).reshape(box)
    many = values.reshape(-1, values.shape[-1])
    positions = corners + size * np.arange(len(many))[:, None]
    sums = np.bincount(positions.ravel(), many.ravel(), size * len(many))
    return sums.astype(np.float64).reshape(*tables, *box)


def _spread(marks: Array, windows: _Sized) -> Array:
    """Spread values over the windows that start at them."""
    for axis, width in ((-1, windows.across), (-2, windows.up)):
        running = marks.cumsum(axis=axis)
        old, new = running.swapaxes(0, axis), marks.swapaxes(0, axis)
        new[:width] = old[:width]
        np.subtract(old[width:], old[:-width], out=new[width:])
    return marks


def _window_sums(table: Array, windows: _Sized) -> Array:
    """Return the sum over the window that starts at each cell; 0 for windows that would leave the table."""
    for axis, width in ((-1, windows.across), (-2, windows.up)):
        running, table = table.cumsum(axis=axis), np.zeros(table.shape)
        old, new = running.swapaxes(0, axis), table.swapaxes(0, axis)
        new[0] = old[width - 1]
        np.subtract(old[width:], old[:-width], out=new[1 : len(old) - width + 1])
    return table


def _level_windows(level: PlanarLevel, shape: tuple[int, int]) -> _LevelWindows:
    in_level = paint_cells(level.rectangles, shape[1], shape[0])
    left = min(box[0] for box in level.rectangles)
    low = min(box[1] for box in level.rectangles)
    wide = max(box[0] + box[2] for box in level.rectangles) - left
    high = max(box[1] + box[3] for box in level.rectangles) - low
    y, x = np.nonzero(in_level)
    first_x, first_y, wide_of, high_of = level.windows_of(x.astype(np.int64), y.astype(np.int64))
    cells, corners = y * shape[1] + x, (first_y - low) * wide + first_x - left
    beta = float(level.truth)
    box = slice(low, low + high), slice(left, left + wide)
    return _LevelWindows(
        inside=in_level,
        box=box,
        sizes=tuple(
            _Sized(
                across=across,
                up=up,
                cells=cells[of_size],
                corners=corners[of_size],
                near=beta / (across * up),
            )
            for across, up in level.sizes
            for of_size in [np.flatnonzero((wide_of == across) & (high_of == up))]
        ),
        far=(1 - beta) * level.probabilities(shape[1], shape[0])[box],
        beta=beta,
        passing=np.where(in_level, 0.0, beta),
    )
