"""The mechanisms of a place question, each as the whole-number windows that devices look up."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.disguise.area import Area
from privacy.disguise.cells import Frame, overlap, read_rectangle
from privacy.disguise.level import Level
from privacy.disguise.windows import Windows
from privacy.epsilon import amplification_below
from privacy.errors import DesignError, ParameterError
from privacy.places.accuracy import mean_square_error
from privacy.places.geometry import Box, components, disjoint, largest_inside
from privacy.places.search import best_of, climb
from privacy.places.square import Plane, best_width

__all__ = [
    "Shape",
    "grid_response",
    "levelled",
    "sensitive_cells",
    "square_mechanism",
    "utility_grid_response",
    "utility_square",
]

Array: TypeAlias = NDArray[np.float64]
Shape: TypeAlias = Literal["square", "equal_area"]


def square_mechanism(
    area: Area, epsilon: float, *, side: int | None = None, prior: Array | None = None
) -> Windows:
    """Return the square mechanism: everything on the map is sensitive.

    Parameters
    ----------
    area : Area
    epsilon : float, 0.01 to 20
    side : int, cells, optional
        Of the square; the one of least mean square error if left out.
    prior : ndarray, shape (rows, columns), optional
        Public weights of the cells for that choice; uniform if left out.
    """
    whole: Box = (0, 0, area.columns, area.rows)
    return _square("sm", area, (whole,), epsilon, side, prior)


def utility_square(
    area: Area,
    rectangles: Sequence[Box],
    epsilon: float,
    *,
    side: int | None = None,
    prior: Array | None = None,
    shape: Shape = "square",
) -> Windows:
    """Return the utility-optimised square mechanism: the rectangles are sensitive, all else is sent as it is.

    Parameters
    ----------
    area : Area
    rectangles : sequence of (left, low, width, height), cells
        Public categories of places, never a respondent's own list. They may overlap: their union counts.
    epsilon : float, 0.01 to 20
    side : int, cells, optional
        Of the square (or, for "equal_area", of a square of the windows' area); if left out, the best one that
        fits every connected part: a place is then never moved near another part.
    prior : ndarray, shape (rows, columns), optional
    shape : {"square", "equal_area"}
        Squares, or rectangles of one area that fit narrow places better.

    Notes
    -----
    A window may stand anywhere in the union: privacy needs only that it lies in the sensitive cells and that
    all windows have one size. The source keeps it inside one rectangle, which costs accuracy.

    Raises
    ------
    DesignError, ParameterError
        As `sensitive_cells`; ``too_small``: no window of that side fits; ``epsilon``.
    """
    union = sensitive_cells(area, rectangles)
    if shape == "square":
        return _square("usm", area, union, epsilon, side, prior)
    frames = largest_inside(union)
    most = max(width * height for _, _, width, height in frames)
    if side is not None:
        return _windows("usm", area, union, _equal_frames(frames, side * side), epsilon)

    def build(window: int) -> Windows | None:
        fitting = _equal_frames(frames, window, every=True)
        return _windows("usm", area, union, fitting, epsilon) if fitting else None

    # Areas with many divisors fit many shapes: those of two sides near each other.
    sizes = sorted({u * v for u in range(1, math.isqrt(most) + 1) for v in range(u, 2 * u + 1)})
    return best_of(build, [size for size in sizes if size <= most], _error(prior))


def grid_response(
    area: Area, epsilon: float, *, tile: tuple[int, int] | None = None, prior: Array | None = None
) -> Windows:
    """Return randomised response on a grid of tiles: the true one, likelier by e^epsilon than each other one.

    Parameters
    ----------
    tile : (int, int), cells, optional
        Width and height of a tile; they divide those of the area. The best one if left out.
    """
    whole: Box = (0, 0, area.columns, area.rows)
    return _tiled("grid", area, (whole,), epsilon, tile, prior)


def utility_grid_response(
    area: Area,
    rectangles: Sequence[Box],
    epsilon: float,
    *,
    tile: tuple[int, int] | None = None,
    prior: Array | None = None,
) -> Windows:
    """Return the utility-optimised form of `grid_response`: tiles in the rectangles, exact cells elsewhere.

    Tiles fill each of the disjoint rectangles that the union is cut into: their sides divide all of its
    sides.
    """
    return _tiled("ugrid", area, sensitive_cells(area, rectangles), epsilon, tile, prior)


def levelled(
    area: Area, levels: Sequence[tuple[Sequence[Box], float]], *, prior: Array | None = None
) -> Windows:
    """Return several levels of sensitivity, the most sensitive first, each with its epsilon.

    Parameters
    ----------
    area : Area
    levels : sequence of (rectangles, epsilon)
    prior : ndarray, shape (rows, columns), optional
        Public weights of the cells: each level takes the window that is best for the places that come as far.

    Notes
    -----
    A place of level 1 can be denied against every other place with epsilon_1; one of level l against those of
    level l and later with epsilon_l. A report in a level says that the place is of no earlier one.
    """
    taken: list[Box] = []
    found = []
    for number, (rectangles, epsilon) in enumerate(levels, start=1):
        if not rectangles:
            raise DesignError(
                "no_rectangle",
                f"level {number} has no rectangle",
                number,
                "mark at least one in it, or take the level out",
            )
        union = sensitive_cells(area, rectangles)
        if any(overlap(box, other) for box in union for other in taken):
            raise DesignError(
                "overlap",
                f"level {number} shares a cell with an earlier one",
                number,
                "give each cell to one level at most",
            )
        coming = _without(prior, taken)
        taken += union
        found.append(_square("usm", area, union, epsilon, None, coming).levels[0])
    return Windows(mechanism="levels", area=area, levels=tuple(found))


def _without(prior: Array | None, taken: Sequence[Box]) -> Array | None:
    """Return a prior without the cells of earlier levels; None, for uniform, where nothing is left."""
    if prior is None:
        return None
    left = prior.copy()
    for x, y, width, height in taken:
        left[y : y + height, x : x + width] = 0
    return left if left.any() else None


def sensitive_cells(area: Area, rectangles: Sequence[Box]) -> tuple[Box, ...]:
    """Return the union of rectangles, cut into disjoint ones.

    Raises
    ------
    DesignError
        ``rectangle``: one is smaller than a cell or leaves the area. ``no_rectangle``: there is none.
    """
    if not rectangles:
        raise DesignError(
            "no_rectangle", "no rectangle is sensitive", (), "mark at least one, or protect the whole map"
        )
    return disjoint([read_rectangle(box, area.columns, area.rows) for box in rectangles])


def _square(
    name: str, area: Area, union: tuple[Box, ...], epsilon: float, side: int | None, prior: Array | None
) -> Windows:
    frames = largest_inside(union)
    # In every connected part some square has to fit, else its places would be moved to another part.
    most = min(max(min(box[2:]) for box in largest_inside(part)) for part in components(union))
    if side is not None:
        return _windows(name, area, union, _square_frames(frames, side), epsilon)

    def build(size: int) -> Windows:
        return _windows(name, area, union, _square_frames(frames, size), epsilon)

    if prior is not None:
        return best_of(build, range(1, most + 1), _error(prior))
    amplification_below(epsilon)
    plane = Plane(
        half_sides=(area.columns / 2, area.rows / 2),
        parts=tuple(
            (x + w / 2 - area.columns / 2, y + h / 2 - area.rows / 2, w / 2, h / 2) for x, y, w, h in union
        ),
        epsilon=epsilon,
    )
    guess = min(most, max(1, round(best_width(plane))))
    return climb(build, guess, most, _error(None))


def _square_frames(boxes: Iterable[Box], side: int) -> tuple[Frame, ...]:
    return tuple((*box, side, side) for box in boxes if min(box[2:]) >= side)


def _equal_frames(boxes: Sequence[Box], window: int, *, every: bool = False) -> tuple[Frame, ...]:
    """Return frames whose windows have this area, as near a square as fits; with `every`, all or none."""
    found: list[Frame] = []
    for box in boxes:
        fitting = [
            (abs(u - window // u), u)
            for u in range(1, min(window, box[2]) + 1)
            if window % u == 0 and window // u <= box[3]
        ]
        if fitting:
            _, across = min(fitting)
            found.append((*box, across, window // across))
        elif every and box[2] * box[3] >= window:
            return ()
    return tuple(found)


def _windows(
    name: str,
    area: Area,
    union: tuple[Box, ...],
    frames: tuple[Frame, ...],
    epsilon: float,
    *,
    snap: bool = False,
) -> Windows:
    amplification = amplification_below(epsilon)
    if not frames:
        raise DesignError(
            "too_small",
            "no window fits the sensitive cells",
            frames,
            "choose a smaller one, or larger rectangles",
        )
    level = Level(
        numerator=amplification.numerator,
        denominator=amplification.denominator,
        rectangles=union,
        frames=frames,
        snap=snap,
    )
    return Windows(mechanism=name, area=area, levels=(level,))


def _tiled(
    name: str,
    area: Area,
    union: tuple[Box, ...],
    epsilon: float,
    tile: tuple[int, int] | None,
    prior: Array | None,
) -> Windows:
    across = math.gcd(*(box[2] for box in union), *(box[0] - union[0][0] for box in union))
    up = math.gcd(*(box[3] for box in union), *(box[1] - union[0][1] for box in union))

    def build(size: tuple[int, int]) -> Windows:
        frames = tuple((*box, *size) for box in union)
        return _windows(name, area, union, frames, epsilon, snap=True)

    if tile is not None:
        if across % tile[0] or up % tile[1]:
            raise ParameterError(
                "tile",
                f"tiles of {tile[0]} x {tile[1]} cells do not fill the sensitive cells",
                tile,
                f"choose sides that divide {across} and {up}",
            )
        return build(tile)
    # Near a square, as far as the divisors go.
    shapes = {(u, _nearest(_divisors(up), u)) for u in _divisors(across)}
    shapes |= {(_nearest(_divisors(across), v), v) for v in _divisors(up)}
    return min((build(shape) for shape in sorted(shapes)), key=_error(prior))


def _error(prior: Array | None) -> Callable[[Windows], float]:
    return lambda windows: mean_square_error(windows, prior)


def _nearest(sides: Sequence[int], other: int) -> int:
    return min(sides, key=lambda side: abs(math.log(side / other)))


def _divisors(number: int) -> list[int]:
    return [side for side in range(1, number + 1) if number % side == 0]
