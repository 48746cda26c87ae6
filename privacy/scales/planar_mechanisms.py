"""Mechanisms of a place question, each as windows with integer weights that devices look up.

By default, a mechanism's size is the one with the smallest error, which is predicted for the whole map.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, Literal, TypeAlias, TypeVar

import numpy as np

from privacy import validation
from privacy.channels import amplification_below
from privacy.errors import PrivacyError
from privacy.scales.area import Area
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_rectangles import Box, Frame, overlap, read_rectangle
from privacy.scales.planar_report_error import MapGrid, map_error
from privacy.scales.planar_resolution import reveals_nothing
from privacy.scales.planar_tiles import Tiling
from privacy.scales.planar_unions import components, disjoint, largest_inside
from privacy.scales.planar_window import PlanarWindowChannel

Made = TypeVar("Made")
Make: TypeAlias = Callable[..., PlanarWindowChannel]

_TRIED: Final = 16
_LISTED: Final = 48
_FIRST: Final = 4
"""Number of first sizes that are always tried, because each small number of tiles gives a different map."""


def best_of(
    build: Callable[[int], Made | None], sizes: Sequence[int], error: Callable[[Made], float]
) -> Made:
    """Build the result for the best of some sizes, found by trying ever closer sizes.

    Parameters
    ----------
    build : callable
        Returns the result for a size, or None if that size is impossible.
    sizes : sequence of int
        Sizes in ascending order.
    error : callable
        Error of a result.

    Notes
    -----
    There may be several local minima, so about sixteen sizes are tried before the neighbours of the best.

    Examples
    --------
    >>> best_of(lambda size: size, range(1, 101), lambda size: (size - 37) ** 2)
    37
    """
    results: dict[int, tuple[float, Made]] = {}

    def try_sizes(places: Iterator[int]) -> int:
        for position in places:
            if 0 <= position < len(sizes) and position not in results:
                candidate = build(sizes[position])
                if candidate is not None:
                    results[position] = (error(candidate), candidate)
        return min(results, key=lambda position: results[position][0])

    step = max(1, len(sizes) // _TRIED)
    best = try_sizes(iter([*range(_FIRST), *range(step - 1, len(sizes), step), len(sizes) - 1]))
    while step > 1:
        step = -(-step // 2)
        best = try_sizes(iter((best - step, best + step)))
        if step == 1:
            best = try_sizes(iter((best - 1, best + 1)))
            break
    return results[best][1]


def spread(sizes: Sequence[int]) -> list[int]:
    """Choose at most 48 of some sizes at similar ratios, because small differences do not matter.

    Parameters
    ----------
    sizes : sequence of int
        Sizes in ascending order.

    Examples
    --------
    >>> spread(range(1, 5)), spread(range(1, 101))[:12]
    ([1, 2, 3, 4], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    """
    targets = np.geomspace(sizes[0], sizes[-1], _LISTED)
    places = np.searchsorted(sizes, targets - 0.5).clip(0, len(sizes) - 1)
    return [sizes[position] for position in np.unique(places).tolist()]


WindowShape: TypeAlias = Literal["square", "equal_area"]


def square_mechanism(area: Area, epsilon: float, *, side: int | None = None) -> PlanarWindowChannel:
    """Build the square mechanism, for a map that is sensitive everywhere.

    Parameters
    ----------
    area : Area
    epsilon : float, 0.01 to 20
    side : int, cells, optional
        Side of the square; by default the one with the smallest `map_error`.
    """
    whole: Box = (0, 0, area.columns, area.rows)
    return _square("sm", area, (whole,), epsilon, side)


def utility_square(
    area: Area,
    rectangles: Sequence[Box],
    epsilon: float,
    *,
    side: int | None = None,
    shape: WindowShape = "square",
) -> PlanarWindowChannel:
    """Build the utility-optimised square mechanism: only the rectangles are sensitive.

    Places outside them are sent undisguised.

    Parameters
    ----------
    area : Area
    rectangles : sequence of (left, low, width, height), cells
        Public categories of places, never a respondent's own list. They may overlap; their union is used.
    epsilon : float, 0.01 to 20
    side : int, cells, optional
        Side of the square (for "equal_area", of a square of the windows' area); by default the best one that
        fits every connected part, so that a place is never moved near another part.
    shape : {"square", "equal_area"}
        Squares, or rectangles of equal area, which fit narrow places better.

    Notes
    -----
    A window may be anywhere in the union: privacy only requires that it is within the sensitive cells and
    that all windows have one size. Feng and Zhu keep it inside one rectangle, which costs accuracy.

    Raises
    ------
    PrivacyError
        As in `sensitive_cells`; ``too_small``: no window of that side fits; ``epsilon``.
    """
    union = sensitive_cells(area, rectangles)
    if shape == "square":
        return _square("usm", area, union, epsilon, side)
    frames = largest_inside(union)
    most = max(width * height for _, _, width, height in frames)
    if side is not None:
        return _check_informative(_windows("usm", area, union, _equal_frames(frames, side * side), epsilon))

    def build(window: int) -> PlanarWindowChannel | None:
        fitting = _equal_frames(frames, window, every=True)
        return _windows("usm", area, union, fitting, epsilon) if fitting else None

    # Window sizes with many divisors fit many shapes, so try the products of two similar sides.
    sizes = sorted({u * v for u in range(1, math.isqrt(most) + 1) for v in range(u, 2 * u + 1)})
    return _best(build, spread([size for size in sizes if size <= most]))


def grid_response(area: Area, epsilon: float, *, tile: tuple[int, int] | None = None) -> PlanarWindowChannel:
    """Build randomised response on a grid: the true tile is e^epsilon times as likely as each other tile.

    Parameters
    ----------
    area : Area
        The map.
    epsilon : float
        Bound for one answer, above 0.
    tile : (int, int), cells, optional
        Approximate width and height of a tile; tiles differ by one cell if these do not divide the area's. By
        default, those with the smallest error.
    """
    whole: Box = (0, 0, area.columns, area.rows)
    return _tile_channel("grid", area, (whole,), epsilon, tile)


def utility_grid_response(
    area: Area, rectangles: Sequence[Box], epsilon: float, *, tile: tuple[int, int] | None = None
) -> PlanarWindowChannel:
    """Build the utility-optimised form of `grid_response`: tiles in the rectangles, exact cells elsewhere.

    The union is split into disjoint rectangles, each with its own whole number of tiles.

    Parameters
    ----------
    area : Area
        The map.
    rectangles : sequence of Box
        Sensitive rectangles, in cells.
    epsilon : float
        Bound for one answer within them, above 0.
    tile : tuple of (int, int), optional
        Columns and rows of a tile; by default those with the smallest error.
    """
    return _tile_channel("ugrid", area, sensitive_cells(area, rectangles), epsilon, tile)


def build_levels(area: Area, levels: Sequence[tuple[Sequence[Box], float]]) -> PlanarWindowChannel:
    """Build a mechanism with several levels of sensitivity, the most sensitive first, each with its epsilon.

    Parameters
    ----------
    area : Area
    levels : sequence of (rectangles, epsilon)

    Notes
    -----
    Within epsilon_1, a place of level 1 is indistinguishable from every other place; within epsilon_l, a
    place of level l is indistinguishable from those of level l and later. A report in a level shows that the
    place is not in an earlier level.
    """
    earlier: list[Box] = []
    built = []
    for number, (rectangles, epsilon) in enumerate(levels, start=1):
        if not rectangles:
            raise PrivacyError("no_rectangle.level", number)
        union = sensitive_cells(area, rectangles)
        if any(overlap(box, other) for box in union for other in earlier):
            raise PrivacyError("overlap.levels", number)
        earlier += union
        built.append(_square("usm", area, union, epsilon, None).levels[0])
    return PlanarWindowChannel(mechanism="levels", area=area, levels=tuple(built))


def sensitive_cells(area: Area, rectangles: Sequence[Box]) -> tuple[Box, ...]:
    """Return the union of some rectangles as disjoint rectangles.

    Parameters
    ----------
    area : Area
        The map.
    rectangles : sequence of Box
        First column, first row, columns, rows of each, in cells.

    Raises
    ------
    PrivacyError
        ``rectangle``: one is smaller than a cell or leaves the area. ``no_rectangle``: none is given.
    """
    if not rectangles:
        raise PrivacyError("no_rectangle.map", ())
    return disjoint([read_rectangle(box, area.columns, area.rows) for box in rectangles])


def _square(
    name: str, area: Area, union: tuple[Box, ...], epsilon: float, side: int | None
) -> PlanarWindowChannel:
    frames = largest_inside(union)
    # A square must fit into every connected part, or the places of a part would be moved to another one.
    most = min(max(min(box[2:]) for box in largest_inside(part)) for part in components(union))
    if side is not None:
        return _check_informative(_windows(name, area, union, _square_frames(frames, side), epsilon))

    def build(size: int) -> PlanarWindowChannel | None:
        return _windows(name, area, union, _square_frames(frames, size), epsilon)

    return _best(build, spread(range(1, most + 1)))


def _square_frames(boxes: Iterable[Box], side: int) -> tuple[Frame, ...]:
    return tuple((*box, side, side) for box in boxes if min(box[2:]) >= side)


def _equal_frames(boxes: Sequence[Box], window: int, *, every: bool = False) -> tuple[Frame, ...]:
    """Return frames with windows of this area, as square as possible; with `every`, all of them or none."""
    frames: list[Frame] = []
    for box in boxes:
        fitting = [
            (abs(u - window // u), u)
            for u in range(1, min(window, box[2]) + 1)
            if window % u == 0 and window // u <= box[3]
        ]
        if fitting:
            _, across = min(fitting)
            frames.append((*box, across, window // across))
        elif every and box[2] * box[3] >= window:
            return ()
    return tuple(frames)


def _windows(
    name: str, area: Area, union: tuple[Box, ...], frames: tuple[Frame, ...], epsilon: float
) -> PlanarWindowChannel:
    amplification_below(epsilon)
    if not frames:
        raise PrivacyError("too_small.window", frames)
    return _build_channel(name, area, epsilon, rectangles=union, frames=frames)


def _build_channel(name: str, area: Area, epsilon: float, **parts: Any) -> PlanarWindowChannel:
    amplification = amplification_below(epsilon)
    level = PlanarLevel(numerator=amplification.numerator, denominator=amplification.denominator, **parts)
    return PlanarWindowChannel(mechanism=name, area=area, levels=(level,))


def _tile_channel(
    name: str, area: Area, union: tuple[Box, ...], epsilon: float, tile: tuple[int, int] | None
) -> PlanarWindowChannel:
    amplification_below(epsilon)

    def build(counts: tuple[Tiling, ...]) -> PlanarWindowChannel | None:
        sizes = {
            (width / across, height / up)
            for (_, _, width, height), (across, up) in zip(union, counts, strict=True)
        }
        wide, high = next(iter(sizes))
        try:
            if len(sizes) == 1 and wide.is_integer() and high.is_integer():
                frames = tuple((*box, int(wide), int(high)) for box in union)
                return _build_channel(name, area, epsilon, rectangles=union, frames=frames, snap=True)
            return _build_channel(name, area, epsilon, rectangles=union, frames=(), snap=True, tiles=counts)
        except PrivacyError as error:
            # With many tiles of different sizes, the least common multiple exceeds the range of a draw.
            if error.code != "too_large":
                raise
            return None

    if tile is not None:
        sides = [
            validation.whole_number(
                side, "side of a tile", low=1, high=max(area.columns, area.rows), code="tile"
            )
            for side in tile
        ]
        windows = build(_counts(union, sides[0], sides[1]))
        if windows is None:
            raise PrivacyError("tile", tile)
        return _check_informative(windows)
    longest = max(max(box[2:]) for box in union)
    # All tiles have about the same size, which follows from the number of tiles along the longest side.
    steps = spread(range(1, longest + 1))
    kinds = list(dict.fromkeys(_counts(union, longest / count, longest / count) for count in steps))
    return _best(lambda kind: build(kinds[kind]), range(len(kinds)))


def _counts(union: tuple[Box, ...], wide: float, high: float) -> tuple[Tiling, ...]:
    return tuple(
        (min(width, max(1, round(width / wide))), min(height, max(1, round(height / high))))
        for _, _, width, height in union
    )


def _best(build: Callable[[int], PlanarWindowChannel | None], sizes: Sequence[int]) -> PlanarWindowChannel:
    """Build the mechanism whose window size minimises the map's expected error."""
    cache: list[MapGrid] = []

    def error(windows: PlanarWindowChannel) -> float:
        if not cache:
            cache.append(MapGrid.of(windows))
        return map_error(windows, grid=cache[0])

    def informative(size: int) -> PlanarWindowChannel | None:
        windows = build(size)
        return None if windows is None or reveals_nothing(windows) else windows

    return best_of(informative, sizes, error)


def _check_informative(windows: PlanarWindowChannel) -> PlanarWindowChannel:
    if reveals_nothing(windows):
        raise PrivacyError("says_nothing.map", windows.mechanism)
    return windows


EVERYWHERE: Final[Mapping[str, Make]] = {"square": square_mechanism, "grid": grid_response}
"""Mechanisms of a map that is sensitive everywhere, by name in a statement."""

UTILITY: Final[Mapping[str, Make]] = {
    "utility_square": utility_square,
    "utility_square_equal_area": partial(utility_square, shape="equal_area"),
    "utility_grid": utility_grid_response,
}
"""Mechanisms of a map with sensitive rectangles, by name in a statement."""
